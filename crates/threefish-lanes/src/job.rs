//! What runs with a target feature enabled.

use core::marker::PhantomData;

use threefish_api::Revision;

use crate::{
    Block, Lanes,
    rounds::{decrypt, encrypt, words},
    subkeys::{KeyOfEach, Subkeys},
};

/// What runs with a target feature enabled: [`Lanes::run`] makes a function of it.
pub trait Job<L> {
    /// Does it. `#[inline(always)]`.
    fn run(self, lanes: L);
}

/// Encrypt or decrypt.
pub(crate) trait Direction {
    const ENCRYPTS: bool;

    fn run<R, L, S, const N: usize, const NW: usize, const G: usize>(
        lanes: L,
        subkeys: &S,
        tweaks: &[[Block<2>; N]; G],
        blocks: &mut [[Block<NW>; N]; G],
    ) where
        R: Revision,
        L: Lanes<N>,
        S: Subkeys<L, N, G>;
}

pub(crate) struct Encrypt;
pub(crate) struct Decrypt;

macro_rules! direction {
    ($Direction:ident, $cipher:ident, $ENCRYPTS:literal) => {
        impl Direction for $Direction {
            const ENCRYPTS: bool = $ENCRYPTS;

            #[inline(always)]
            fn run<R, L, S, const N: usize, const NW: usize, const G: usize>(
                lanes: L,
                subkeys: &S,
                tweaks: &[[Block<2>; N]; G],
                blocks: &mut [[Block<NW>; N]; G],
            ) where
                R: Revision,
                L: Lanes<N>,
                S: Subkeys<L, N, G>,
            {
                $cipher::<R, _, _, _, _, _>(lanes, subkeys, tweaks, blocks);
            }
        }
    };
}

direction!(Encrypt, encrypt, true);
direction!(Decrypt, decrypt, false);

/// Groups of blocks, `G` in flight, under one key.
pub(crate) struct UnderOneKey<'a, D, R, S, const N: usize, const NW: usize, const G: usize> {
    pub(crate) subkeys: &'a S,
    pub(crate) tweaks: &'a [[[Block<2>; N]; G]],
    pub(crate) blocks: &'a mut [[[Block<NW>; N]; G]],
    pub(crate) what: PhantomData<(D, R)>,
}

impl<D, R, L, S, const N: usize, const NW: usize, const G: usize> Job<L>
    for UnderOneKey<'_, D, R, S, N, NW, G>
where
    D: Direction,
    R: Revision,
    L: Lanes<N>,
    S: Subkeys<L, N, G>,
{
    #[inline(always)]
    fn run(self, lanes: L) {
        for (tweaks, blocks) in self.tweaks.iter().zip(self.blocks) {
            D::run::<R, _, _, _, _, _>(lanes, self.subkeys, tweaks, blocks);
        }
    }
}

/// Groups of blocks, `G` in flight, each block under a key of its own.
pub(crate) struct UnderManyKeys<
    'a,
    D,
    R,
    const N: usize,
    const NW: usize,
    const G: usize,
    const WINDOWS: usize,
> {
    pub(crate) keys: &'a [[[Block<NW>; N]; G]],
    pub(crate) tweaks: &'a [[[Block<2>; N]; G]],
    pub(crate) blocks: &'a mut [[[Block<NW>; N]; G]],
    pub(crate) what: PhantomData<(D, R)>,
}

impl<D, R, L, const N: usize, const NW: usize, const G: usize, const WINDOWS: usize> Job<L>
    for UnderManyKeys<'_, D, R, N, NW, G, WINDOWS>
where
    D: Direction,
    R: Revision,
    L: Lanes<N>,
{
    #[inline(always)]
    fn run(self, lanes: L) {
        for ((keys, tweaks), blocks) in self.keys.iter().zip(self.tweaks).zip(self.blocks) {
            let keys = words(lanes, keys);
            let subkeys = KeyOfEach::<_, G, WINDOWS>::new(lanes, keys, R::PARITY);
            D::run::<R, _, _, _, _, _>(lanes, &subkeys, tweaks, blocks);
        }
    }
}
