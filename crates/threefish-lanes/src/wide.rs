//! From a call of a backend to groups of blocks in lanes.

use core::marker::PhantomData;

use threefish_api::{Revision, Tweak, Words, backend::Kernel};
use threefish_unrolled::compiled as integers;

use crate::{
    Block, InFlight, Lanes,
    job::{Decrypt, Direction, Encrypt, UnderManyKeys, UnderOneKey},
    memory::{Plain, as_block_mut, as_blocks, as_blocks_mut, padded},
    subkeys::{AnySubkeys, KeyOfAll, Subkeys},
};

/// The kernel of a wide backend for blocks of `W`: many blocks in the `N` lanes of the token `L`, one
/// block by integers, unless [`Lanes::encrypt_one`] is faster, and all by integers on a processor
/// without the lanes.
#[derive(Clone)]
#[expect(missing_debug_implementations, reason = "holds a key")]
pub struct Wide<L, const N: usize, W: Size> {
    /// Holds the extended key for the lanes, too.
    integers: W::Integers,
    lanes: Option<L>,
}

/// A size of the cipher.
pub trait Size: Words {
    /// The kernel of integers.
    type Integers: Kernel<Words = Self>;
}

macro_rules! size {
    (
        $Cipher:ident: $words:literal words, $bytes:literal bytes,
        $subkeys:literal subkeys, $windows:literal windows
    ) => {
        impl Size for [u64; $words] {
            type Integers = integers::$Cipher;
        }

        impl<L: Lanes<N>, const N: usize> Wide<L, N, [u64; $words]> {
            /// As many of the blocks as are enough, and returns the rest.
            #[inline(always)]
            fn in_lanes<'a, D: Direction, R: Revision, T: Plain<$words>>(
                &self,
                lanes: L,
                tweaks: &'a [Tweak],
                blocks: &'a mut [T],
            ) -> impl Iterator<Item = (&'a Tweak, &'a mut T)> {
                if blocks.len() < const { in_flight::<L, N>($words).few } {
                    return tweaks.iter().zip(blocks).skip(0);
                }
                let subkeys = KeyOfAll::<$windows, $subkeys>::new(self.integers.extended_key());
                let done = under_one_key::<D, R, _, _, N, $words>(
                    lanes,
                    &subkeys,
                    as_blocks(tweaks),
                    as_blocks_mut(blocks),
                );
                tweaks.iter().zip(blocks).skip(done)
            }
        }

        impl<L: Lanes<N>, const N: usize> Kernel for Wide<L, N, [u64; $words]> {
            type Words = [u64; $words];
            const LANES: usize = N;
            const NEEDS: &'static str = L::NEEDS;

            #[inline(always)]
            fn is_supported() -> bool {
                L::detect().is_some()
            }

            #[inline(always)]
            fn new<R: Revision>(key: &[u64; $words]) -> Self {
                Self { integers: Kernel::new::<R>(key), lanes: L::detect() }
            }

            #[inline(always)]
            fn secrets(&mut self) -> &mut [u64] {
                self.integers.secrets()
            }

            size!(@ $words, $bytes, $windows, Encrypt, encrypt_one,
                encrypt_block, encrypt_block_bytes, encrypt_blocks, encrypt_blocks_bytes, encrypt_keys);
            size!(@ $words, $bytes, $windows, Decrypt, decrypt_one,
                decrypt_block, decrypt_block_bytes, decrypt_blocks, decrypt_blocks_bytes, decrypt_keys);
        }
    };
    (
        @ $words:literal, $bytes:literal, $windows:literal, $Direction:ident, $one:ident, $block:ident, $block_bytes:ident,
        $blocks:ident, $blocks_bytes:ident, $keys:ident
    ) => {
        #[inline(always)]
        fn $block<R: Revision>(&self, tweak: Tweak, block: &mut [u64; $words]) {
            let k = self.integers.extended_key();
            match self.lanes {
                Some(lanes) if lanes.$one::<R, $words>(k, tweak, as_block_mut(block)) => {}
                _ => self.integers.$block::<R>(tweak, block),
            }
        }

        #[inline(always)]
        fn $block_bytes<R: Revision>(&self, tweak: Tweak, block: &mut [u8; $bytes]) {
            let k = self.integers.extended_key();
            match self.lanes {
                Some(lanes) if lanes.$one::<R, $words>(k, tweak, as_block_mut(block)) => {}
                _ => self.integers.$block_bytes::<R>(tweak, block),
            }
        }

        #[inline(always)]
        fn $blocks<R: Revision>(&self, tweaks: &[Tweak], blocks: &mut [[u64; $words]]) {
            let Some(lanes) = self.lanes else {
                return self.integers.$blocks::<R>(tweaks, blocks);
            };
            for (tweak, block) in self.in_lanes::<$Direction, R, _>(lanes, tweaks, blocks) {
                self.$block::<R>(*tweak, block);
            }
        }

        #[inline(always)]
        fn $blocks_bytes<R: Revision>(&self, tweaks: &[Tweak], blocks: &mut [[u8; $bytes]]) {
            let Some(lanes) = self.lanes else {
                return self.integers.$blocks_bytes::<R>(tweaks, blocks);
            };
            for (tweak, block) in self.in_lanes::<$Direction, R, _>(lanes, tweaks, blocks) {
                self.$block_bytes::<R>(*tweak, block);
            }
        }

        #[inline(always)]
        fn $keys<R: Revision>(
            keys: &[[u64; $words]],
            tweaks: &[Tweak],
            blocks: &mut [[u64; $words]],
        ) {
            let Some(lanes) = L::detect() else {
                return <[u64; $words] as Size>::Integers::$keys::<R>(keys, tweaks, blocks);
            };
            let done = under_many_keys::<$Direction, R, _, N, $words, $windows>(
                lanes,
                as_blocks(keys),
                as_blocks(tweaks),
                as_blocks_mut(blocks),
            );
            if done < blocks.len() {
                let rest = (&keys[done..], &tweaks[done..], &mut blocks[done..]);
                <[u64; $words] as Size>::Integers::$keys::<R>(rest.0, rest.1, rest.2);
            }
        }
    };
}

size!(Threefish256: 4 words, 32 bytes, 19 subkeys, 22 windows);
size!(Threefish512: 8 words, 64 bytes, 19 subkeys, 26 windows);
size!(Threefish1024: 16 words, 128 bytes, 21 subkeys, 36 windows);

/// What the lanes have for blocks of `nw` words. A constant where it is matched, so that nothing is
/// compiled for other numbers of groups.
const fn in_flight<L: Lanes<N>, const N: usize>(nw: usize) -> InFlight {
    match nw {
        4 => L::IN_FLIGHT_256,
        8 => L::IN_FLIGHT_512,
        _ => L::IN_FLIGHT_1024,
    }
}

/// How many groups that are, under one key.
const fn groups<D: Direction, L: Lanes<N>, const N: usize>(nw: usize) -> usize {
    let InFlight { encrypt, decrypt, .. } = in_flight::<L, N>(nw);
    if D::ENCRYPTS { encrypt } else { decrypt }
}

/// Encrypts or decrypts all groups of `N` blocks, as many at a time as are in flight, and of those
/// left over a group that is not full, if there are not too few. Returns how many blocks are done.
#[inline(always)]
fn under_one_key<D, R, L, S, const N: usize, const NW: usize>(
    lanes: L,
    subkeys: &S,
    tweaks: &[Block<2>],
    blocks: &mut [Block<NW>],
) -> usize
where
    D: Direction,
    R: Revision,
    L: Lanes<N>,
    S: AnySubkeys<L, N> + Subkeys<L::Narrow, 4, 1>,
{
    let len = blocks.len();
    let (tweaks, rest_tweaks) = tweaks.as_chunks();
    let (blocks, rest) = blocks.as_chunks_mut();
    OneKey::<D, R, _, N, NW> { subkeys, tweaks, blocks, what: PhantomData }.all(lanes);
    match lanes.narrow() {
        _ if rest.len() < const { in_flight::<L, N>(NW).few } => return len - rest.len(),
        Some(lanes) if rest.len() <= 4 => {
            OneKey::<D, R, _, 4, NW>::not_full(lanes, subkeys, rest_tweaks, rest);
        }
        _ => OneKey::<D, R, _, N, NW>::not_full(lanes, subkeys, rest_tweaks, rest),
    }
    len
}

/// As [`under_one_key`], with a key for each block.
#[inline(always)]
fn under_many_keys<D, R, L, const N: usize, const NW: usize, const WINDOWS: usize>(
    lanes: L,
    keys: &[Block<NW>],
    tweaks: &[Block<2>],
    blocks: &mut [Block<NW>],
) -> usize
where
    D: Direction,
    R: Revision,
    L: Lanes<N>,
{
    let len = blocks.len();
    let (keys, rest_keys) = keys.as_chunks();
    let (tweaks, rest_tweaks) = tweaks.as_chunks();
    let (blocks, rest) = blocks.as_chunks_mut();
    ManyKeys::<D, R, N, NW, WINDOWS> { keys, tweaks, blocks, what: PhantomData }.all(lanes);
    match lanes.narrow() {
        // To set a key up takes as long as a few rounds, and is done in lanes as well.
        _ if rest.len() < 2 => return len - rest.len(),
        Some(lanes) if rest.len() <= 4 => {
            ManyKeys::<D, R, 4, NW, WINDOWS>::not_full(lanes, rest_keys, rest_tweaks, rest);
        }
        _ => ManyKeys::<D, R, N, NW, WINDOWS>::not_full(lanes, rest_keys, rest_tweaks, rest),
    }
    len
}

/// Groups of `N` blocks, all under one key.
struct OneKey<'a, D, R, S, const N: usize, const NW: usize> {
    subkeys: &'a S,
    tweaks: &'a [[Block<2>; N]],
    blocks: &'a mut [[Block<NW>; N]],
    what: PhantomData<(D, R)>,
}

/// Groups of `N` blocks, each block under its own key.
struct ManyKeys<'a, D, R, const N: usize, const NW: usize, const WINDOWS: usize> {
    keys: &'a [[Block<NW>; N]],
    tweaks: &'a [[Block<2>; N]],
    blocks: &'a mut [[Block<NW>; N]],
    what: PhantomData<(D, R)>,
}

impl<'a, D: Direction, R: Revision, S, const N: usize, const NW: usize> OneKey<'a, D, R, S, N, NW> {
    /// Encrypts or decrypts all, as many at a time as are in flight as long as there are so many.
    #[inline(always)]
    fn all<L: Lanes<N>>(self, lanes: L)
    where
        S: AnySubkeys<L, N>,
    {
        let rest = match const { groups::<D, L, N>(NW) } {
            2 => self.by::<L, 2>(lanes),
            3 => self.by::<L, 3>(lanes),
            4 => self.by::<L, 4>(lanes),
            6 => self.by::<L, 6>(lanes),
            _ => self,
        };
        rest.by::<L, 1>(lanes);
    }

    /// A group that is not full.
    #[inline(always)]
    fn not_full<L: Lanes<N>>(
        lanes: L,
        subkeys: &'a S,
        tweaks: &[Block<2>],
        blocks: &mut [Block<NW>],
    ) where
        S: Subkeys<L, N, 1>,
    {
        let (tweaks, mut group) = (padded(tweaks), padded(blocks));
        let (tweaks, all) = (&tweaks.0, &mut group.0);
        OneKey::<D, R, S, N, NW> { subkeys, tweaks, blocks: all, what: PhantomData }
            .by::<L, 1>(lanes);
        blocks.copy_from_slice(&group.0[0][..blocks.len()]);
    }

    /// As many as fill groups of `G`. Returns the others.
    #[inline(always)]
    fn by<L: Lanes<N>, const G: usize>(self, lanes: L) -> Self
    where
        S: Subkeys<L, N, G>,
    {
        let Self { subkeys, .. } = self;
        let (tweaks, rest_tweaks) = self.tweaks.as_chunks();
        let (blocks, rest) = self.blocks.as_chunks_mut();
        lanes.run(UnderOneKey::<D, R, _, N, NW, G> { subkeys, tweaks, blocks, what: PhantomData });
        Self { subkeys, tweaks: rest_tweaks, blocks: rest, what: PhantomData }
    }
}

impl<'a, D: Direction, R: Revision, const N: usize, const NW: usize, const WINDOWS: usize>
    ManyKeys<'a, D, R, N, NW, WINDOWS>
{
    /// As [`OneKey::all`].
    #[inline(always)]
    fn all<L: Lanes<N>>(self, lanes: L) {
        let rest = match const { in_flight::<L, N>(NW).keys } {
            2 => self.by::<L, 2>(lanes),
            3 => self.by::<L, 3>(lanes),
            _ => self,
        };
        rest.by::<L, 1>(lanes);
    }

    /// As [`OneKey::not_full`].
    #[inline(always)]
    fn not_full<L: Lanes<N>>(
        lanes: L,
        keys: &[Block<NW>],
        tweaks: &[Block<2>],
        blocks: &mut [Block<NW>],
    ) {
        let (keys, tweaks, mut group) = (padded(keys), padded(tweaks), padded(blocks));
        let (keys, tweaks, all) = (&keys.0, &tweaks.0, &mut group.0);
        ManyKeys::<D, R, N, NW, WINDOWS> { keys, tweaks, blocks: all, what: PhantomData }
            .by::<L, 1>(lanes);
        blocks.copy_from_slice(&group.0[0][..blocks.len()]);
    }

    /// As [`OneKey::by`].
    #[inline(always)]
    fn by<L: Lanes<N>, const G: usize>(self, lanes: L) -> Self {
        let (keys, rest_keys) = self.keys.as_chunks();
        let (tweaks, rest_tweaks) = self.tweaks.as_chunks();
        let (blocks, rest) = self.blocks.as_chunks_mut();
        let what = PhantomData;
        lanes.run(UnderManyKeys::<D, R, N, NW, G, WINDOWS> { keys, tweaks, blocks, what });
        Self { keys: rest_keys, tweaks: rest_tweaks, blocks: rest, what }
    }
}
