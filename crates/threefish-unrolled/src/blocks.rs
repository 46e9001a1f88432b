//! Between memory and the words that the rounds compute with.

use threefish_api::Tweak;

use crate::word::Word;

/// One block, or several side by side: `[u64; B]` is word i of `B` blocks.
#[inline(always)]
pub(crate) fn store<const NW: usize>(v: [u64; NW], block: &mut [u64; NW]) {
    for i in 0..NW {
        block[i] = v[i].opaque();
    }
}

/// Word i of each block.
#[inline(always)]
pub(crate) fn gather<const B: usize, const NW: usize>(blocks: &[[u64; NW]; B]) -> [[u64; B]; NW] {
    core::array::from_fn(|i| core::array::from_fn(|b| blocks[b][i]))
}

/// The inverse of [`gather`].
#[inline(always)]
pub(crate) fn scatter<const B: usize, const NW: usize>(
    v: [[u64; B]; NW],
    blocks: &mut [[u64; NW]; B],
) where
    [u64; B]: Word,
{
    for i in 0..NW {
        let word = v[i].opaque();
        for b in 0..B {
            blocks[b][i] = word[b];
        }
    }
}

/// The extended tweaks of `B` blocks.
#[inline(always)]
pub(crate) fn gather_tweaks<const B: usize>(tweaks: &[Tweak; B]) -> [[u64; B]; 3] {
    let t = tweaks.map(Tweak::extended);
    core::array::from_fn(|i| core::array::from_fn(|b| t[b][i]))
}
