//! The order of rounds and subkeys, the same for all sizes: four rounds after each subkey and one
//! subkey more at the end, all written out \[Skein 1.3, §3.3.1\].

use threefish_api::Revision;

use crate::word::Word;

/// The words `v` of one size, under the constants of revision `R`.
///
/// `k` is the extended key, `t` the extended tweak, `s` counts subkeys and `d` rounds.
pub(crate) trait State<R: Revision, W: Word>: Copy {
    const ROUNDS: usize;

    /// One round: MIX each pair `j` by the rotation `[d % 8][j]`, then permute, which only renames
    /// registers.
    fn round(self, d: usize) -> Self;
    /// The inverse of [`Self::round`].
    fn unround(self, d: usize) -> Self;
    /// Adds subkey `s`.
    fn inject(self, k: &[u64], t: &[W; 3], s: usize) -> Self;
    /// Subtracts subkey `s`.
    fn eject(self, k: &[u64], t: &[W; 3], s: usize) -> Self;
}

#[inline(always)]
pub(crate) fn encrypt<R: Revision, W: Word, V: State<R, W>>(mut v: V, k: &[u64], t: &[W; 3]) -> V {
    unroll!(D in 0 4 8 12 16 20 24 28 32 36 40 44 48 52 56 60 64 68 72 76 {
        if D < V::ROUNDS {
            v = v.inject(k, t, D / 4).round(D).round(D + 1).round(D + 2).round(D + 3);
        }
    });
    v.inject(k, t, V::ROUNDS / 4)
}

#[inline(always)]
pub(crate) fn decrypt<R: Revision, W: Word, V: State<R, W>>(v: V, k: &[u64], t: &[W; 3]) -> V {
    let mut v = v.eject(k, t, V::ROUNDS / 4);
    unroll!(D in 76 72 68 64 60 56 52 48 44 40 36 32 28 24 20 16 12 8 4 0 {
        if D < V::ROUNDS {
            v = v.unround(D + 3).unround(D + 2).unround(D + 1).unround(D).eject(k, t, D / 4);
        }
    });
    v
}

/// MIX: y0 = x0 + x1; y1 = (x1 <<< r) xor y0.
///
/// Sum and rotation run side by side, so a round is two operations deep.
#[inline(always)]
pub(crate) fn mix<W: Word>(x0: W, x1: W, r: u32) -> (W, W) {
    let y0 = x0.add(x1);
    (y0, x1.rotate_left(r).xor(y0))
}

/// The inverse of [`mix`]: three operations deep.
#[inline(always)]
pub(crate) fn unmix<W: Word>(y0: W, y1: W, r: u32) -> (W, W) {
    let x1 = y0.xor(y1).rotate_right(r);
    (y0.sub(x1), x1)
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
use unroll;
