use rayon::prelude::*;
use threefish_api::{Bytes, Threefish, Tweak};

/// Blocks that a thread takes at a time, enough to be worth the way to it: 256 KiB of the largest.
const BLOCKS: usize = 2048;

/// Bulk calls on all cores, for the ciphers of every backend. They give what the calls without `par_`
/// give.
///
/// The tweak function is called exactly once for each block, but from several threads, in no order.
///
/// ```
/// use threefish_auto::{Parallel, Threefish512, Tweak};
///
/// let cipher = Threefish512::new(&[7; 8]);
/// let mut image = vec![[0; 8]; 100_000];
/// cipher.par_encrypt_blocks(|i| Tweak::from(i as u128), &mut image);
/// cipher.par_decrypt_blocks(|i| Tweak::from(i as u128), &mut image);
/// assert!(image.iter().all(|block| *block == [0; 8]));
/// ```
pub trait Parallel: Threefish {
    /// Encrypts many blocks of words in place, block `i` under the tweak `tweak(i)`.
    fn par_encrypt_blocks(
        &self,
        tweak: impl Fn(usize) -> Tweak + Sync,
        blocks: &mut [Self::Words],
    ) {
        in_parallel(blocks, |first, blocks| self.encrypt_blocks(|i| tweak(first + i), blocks));
    }

    /// Decrypts many blocks of words in place, block `i` under the tweak `tweak(i)`.
    fn par_decrypt_blocks(
        &self,
        tweak: impl Fn(usize) -> Tweak + Sync,
        blocks: &mut [Self::Words],
    ) {
        in_parallel(blocks, |first, blocks| self.decrypt_blocks(|i| tweak(first + i), blocks));
    }

    /// Encrypts many blocks of bytes in place, block `i` under the tweak `tweak(i)`.
    fn par_encrypt_blocks_bytes(
        &self,
        tweak: impl Fn(usize) -> Tweak + Sync,
        blocks: &mut [Bytes<Self>],
    ) {
        in_parallel(blocks, |first, blocks| {
            self.encrypt_blocks_bytes(|i| tweak(first + i), blocks);
        });
    }

    /// Decrypts many blocks of bytes in place, block `i` under the tweak `tweak(i)`.
    fn par_decrypt_blocks_bytes(
        &self,
        tweak: impl Fn(usize) -> Tweak + Sync,
        blocks: &mut [Bytes<Self>],
    ) {
        in_parallel(blocks, |first, blocks| {
            self.decrypt_blocks_bytes(|i| tweak(first + i), blocks);
        });
    }
}

impl<T: Threefish> Parallel for T {}

/// Hands parts of `blocks` on with the number of their first block.
fn in_parallel<B: Send>(blocks: &mut [B], cipher: impl Fn(usize, &mut [B]) + Sync) {
    let parts = blocks.par_chunks_mut(BLOCKS).enumerate();
    parts.for_each(|(part, blocks)| cipher(part * BLOCKS, blocks));
}
