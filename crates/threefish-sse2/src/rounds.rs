//! The order of rounds and subkeys, the same for all sizes and layouts: four rounds after each
//! subkey and one subkey more at the end, all written out \[Skein 1.3, §3.3.1\].

use threefish_api::{Revision, Tweak};

/// The words of `BLOCKS` blocks of `BYTES` bytes, in some layout.
///
/// `k` is the extended key, `t` the extended tweak, `s` counts subkeys and `d` rounds.
pub(crate) trait State<R: Revision, const BYTES: usize, const BLOCKS: usize>: Copy {
    /// What the words of the extended key come as.
    type Key;
    /// What the words of the extended tweaks come as.
    type Tweak;
    const ROUNDS: usize;

    fn load(blocks: &[[u8; BYTES]; BLOCKS]) -> Self;
    /// The inverse of [`Self::load`].
    fn store(self, blocks: &mut [[u8; BYTES]; BLOCKS]);
    fn tweaks(tweaks: &[Tweak; BLOCKS]) -> [Self::Tweak; 3];

    /// Round `d`: MIX and permutation.
    fn round(self, d: usize) -> Self;
    /// The inverse of [`Self::round`].
    fn unround(self, d: usize) -> Self;
    /// Adds subkey `s`.
    fn inject(self, k: &[Self::Key], t: &[Self::Tweak; 3], s: usize) -> Self;
    /// Subtracts subkey `s`.
    fn eject(self, k: &[Self::Key], t: &[Self::Tweak; 3], s: usize) -> Self;
}

#[inline(always)]
pub(crate) fn encrypt<R, V, const BYTES: usize, const BLOCKS: usize>(
    k: &[V::Key],
    tweaks: &[Tweak; BLOCKS],
    blocks: &mut [[u8; BYTES]; BLOCKS],
) where
    R: Revision,
    V: State<R, BYTES, BLOCKS>,
{
    let (mut v, t) = (V::load(blocks), &V::tweaks(tweaks));
    unroll!(D in 0 4 8 12 16 20 24 28 32 36 40 44 48 52 56 60 64 68 72 76 {
        if D < V::ROUNDS {
            v = v.inject(k, t, D / 4).round(D).round(D + 1).round(D + 2).round(D + 3);
        }
    });
    v.inject(k, t, V::ROUNDS / 4).store(blocks);
}

#[inline(always)]
pub(crate) fn decrypt<R, V, const BYTES: usize, const BLOCKS: usize>(
    k: &[V::Key],
    tweaks: &[Tweak; BLOCKS],
    blocks: &mut [[u8; BYTES]; BLOCKS],
) where
    R: Revision,
    V: State<R, BYTES, BLOCKS>,
{
    let t = &V::tweaks(tweaks);
    let mut v = V::load(blocks).eject(k, t, V::ROUNDS / 4);
    unroll!(D in 76 72 68 64 60 56 52 48 44 40 36 32 28 24 20 16 12 8 4 0 {
        if D < V::ROUNDS {
            v = v.unround(D + 3).unround(D + 2).unround(D + 1).unround(D).eject(k, t, D / 4);
        }
    });
    v.store(blocks);
}

/// Repeats a block for each value of a constant, written out one after the other.
macro_rules! unroll {
    ($D:ident in $($value:literal)+ $block:block) => {
        $({
            const $D: usize = $value;
            $block
        })+
    };
}
pub(crate) use unroll;
