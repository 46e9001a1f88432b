//! Blocks in memory: bytes at any address. Words are the same bytes, since x86 is little-endian.

use threefish_api::Words;

use crate::simd::{self, Pair};

/// The same blocks as bytes.
#[inline(always)]
pub(crate) fn as_bytes<W: Words>(blocks: &mut [W]) -> &mut [W::Bytes] {
    const { assert!(size_of::<W>() == size_of::<W::Bytes>() && align_of::<W::Bytes>() == 1) }
    let (start, len) = (blocks.as_mut_ptr().cast(), blocks.len());
    // SAFETY: `Words` is sealed: `[u64; N]` with the bytes `[u8; 8 * N]`. Both are plain integers
    // without padding, of the same size (checked above), and bytes need no alignment. The borrow
    // of `blocks` goes over to the result.
    unsafe { core::slice::from_raw_parts_mut(start, len) }
}

/// Word `i` of a block, in the low half; the high half is 0.
#[inline(always)]
pub(crate) fn load_word<const BYTES: usize>(block: &[u8; BYTES], i: usize) -> Pair {
    simd::low(u64::from_le_bytes(block.as_chunks().0[i]))
}

/// Words `2 * i` and `2 * i + 1` of a block.
#[inline(always)]
pub(crate) fn load_pair<const BYTES: usize>(block: &[u8; BYTES], i: usize) -> Pair {
    simd::load(&block.as_chunks().0[i])
}

/// The inverse of [`load_pair`].
#[inline(always)]
pub(crate) fn store_pair<const BYTES: usize>(block: &mut [u8; BYTES], i: usize, pair: Pair) {
    block.as_chunks_mut().0[i] = simd::to_bytes(pair);
}
