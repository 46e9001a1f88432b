//! Blocks in memory: bytes at any address. Words are the same bytes, since all processors here are
//! little-endian.

use core::{array, slice};

use threefish_api::Tweak;

/// The words of a block, a key or a tweak in memory, each little-endian, at any address.
pub type Block<const WORDS: usize> = [[u8; 8]; WORDS];

/// What begins with a line of the cache. A register that is stored across two lines and read again
/// at once costs several times as much.
#[repr(align(64))]
pub(crate) struct Aligned<T>(pub(crate) T);

/// The same blocks, of words or of bytes, as words at any address.
#[inline(always)]
pub(crate) fn as_blocks<T: Plain<WORDS>, const WORDS: usize>(blocks: &[T]) -> &[Block<WORDS>] {
    const { assert!(size_of::<T>() == 8 * WORDS) }
    // SAFETY: `Plain` types are integers without padding, of the size of a `Block` (checked above),
    // which needs no alignment. The borrow goes over to the result.
    unsafe { slice::from_raw_parts(blocks.as_ptr().cast(), blocks.len()) }
}

/// As [`as_blocks`], to be written to.
#[inline(always)]
pub(crate) fn as_blocks_mut<T: Plain<WORDS>, const WORDS: usize>(
    blocks: &mut [T],
) -> &mut [Block<WORDS>] {
    const { assert!(size_of::<T>() == 8 * WORDS) }
    let (start, len) = (blocks.as_mut_ptr().cast(), blocks.len());
    // SAFETY: as in `as_blocks`; and any bytes make a `Plain` value.
    unsafe { slice::from_raw_parts_mut(start, len) }
}

/// As [`as_blocks_mut`], for one.
#[inline(always)]
pub(crate) fn as_block_mut<T: Plain<WORDS>, const WORDS: usize>(
    block: &mut T,
) -> &mut Block<WORDS> {
    &mut as_blocks_mut(slice::from_mut(block))[0]
}

/// At most `N` blocks at the start of `N`, the others zero.
#[inline(always)]
pub(crate) fn padded<const N: usize, const WORDS: usize>(
    few: &[Block<WORDS>],
) -> Aligned<[[Block<WORDS>; N]; 1]> {
    Aligned([array::from_fn(|i| few.get(i).copied().unwrap_or([[0; 8]; WORDS]))])
}

/// What is `WORDS` little-endian words in memory.
///
/// # Safety
///
/// The type has no padding, and any bytes of its size are a value of it.
pub(crate) unsafe trait Plain<const WORDS: usize>: Copy {}

// SAFETY: integers.
unsafe impl<const WORDS: usize> Plain<WORDS> for [u64; WORDS] {}
// SAFETY: bytes.
unsafe impl Plain<4> for [u8; 32] {}
// SAFETY: bytes.
unsafe impl Plain<8> for [u8; 64] {}
// SAFETY: bytes.
unsafe impl Plain<16> for [u8; 128] {}
// SAFETY: `#[repr(transparent)]` around two words.
unsafe impl Plain<2> for Tweak {}
