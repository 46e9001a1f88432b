use core::fmt;

use crate::{LengthError, Revision, Tweak, Words, backend::BATCH};

/// A block of `T` as bytes: `[u8; 32]`, `[u8; 64]` or `[u8; 128]`.
pub type Bytes<T> = <<T as Threefish>::Words as Words>::Bytes;

/// Threefish under one key: a keyed, tweakable permutation of blocks.
///
/// Each backend implements it for its `Threefish256`, `Threefish512` and `Threefish1024`. The calls
/// form a grid, for `encrypt` and `decrypt` alike:
///
/// | | one block | many blocks, each with its own tweak |
/// |---|---|---|
/// | words, in place | [`encrypt_block`](Self::encrypt_block) | [`encrypt_blocks`](Self::encrypt_blocks) |
/// | words, from-to | [`encrypt_block_to`](Self::encrypt_block_to) | [`encrypt_blocks_to`](Self::encrypt_blocks_to) |
/// | bytes, in place | [`encrypt_block_bytes`](Self::encrypt_block_bytes) | [`encrypt_blocks_bytes`](Self::encrypt_blocks_bytes) |
/// | bytes, from-to | [`encrypt_block_bytes_to`](Self::encrypt_block_bytes_to) | [`encrypt_blocks_bytes_to`](Self::encrypt_blocks_bytes_to) |
///
/// and [`encrypt_keys`](Self::encrypt_keys) takes a key for each block. All give the same results;
/// bulk calls are there to use wide registers. Nothing panics, whatever the input. The
/// calls that can fail return an error before they touch a block.
///
/// The trait is not dyn-compatible, since the bulk calls are generic over the tweak function.
///
/// # Security
///
/// This is a raw block cipher: it hides and authenticates nothing beyond one block, and equal
/// blocks under equal tweaks give equal ciphertexts. Use it inside a mode of operation.
///
/// No branch, index or shift count depends on key, block or tweak.
///
/// # Example
///
/// Code that is generic over backend and size:
///
/// ```
/// use threefish_api::{Bytes, Threefish, Tweak};
///
/// /// Encrypts the whole blocks of a disk sector in place, and returns how many there were.
/// fn encrypt_sector<T: Threefish>(cipher: &T, sector: u64, bytes: &mut [u8]) -> usize {
///     let (blocks, _rest) = T::split_blocks_mut(bytes);
///     cipher.encrypt_blocks_bytes(|i| Tweak::new(i as u64, sector), blocks);
///     blocks.len()
/// }
/// ```
pub trait Threefish: Clone + fmt::Debug + Send + Sync + Sized {
    /// A block and a key as words: `[u64; 4]`, `[u64; 8]` or `[u64; 16]`.
    type Words: Words;
    /// Which revision's constants are used: [`V1_3`](crate::V1_3) unless another is named.
    type Revision: Revision;

    /// The backend's name in reports, such as `"sse2"`.
    const BACKEND: &'static str;
    /// Blocks that the bulk calls carry side by side in one register: 1 for integer code.
    const LANES: usize;
    /// What a processor has to have, beyond what every one of the target has, for this backend's own
    /// kernels: `"AVX2"`, for instance. Empty if nothing.
    const NEEDS: &'static str = "";
    /// Words in a block and in a key (Nw).
    const BLOCK_WORDS: usize = <Self::Words as Words>::WORDS;
    /// Bytes in a block and in a key.
    const BLOCK_BYTES: usize = <Self::Words as Words>::BYTES;
    /// Rounds (Nr).
    const ROUNDS: usize = <Self::Words as Words>::ROUNDS;

    /// Whether this backend's own kernels run on this processor. Where not, a backend still gives
    /// right results, by integer code.
    #[must_use]
    fn is_supported() -> bool {
        true
    }

    /// A cipher under the key of `BLOCK_WORDS` words. Any key is valid.
    #[must_use]
    fn new(key: &Self::Words) -> Self;

    /// A cipher under the key of `BLOCK_BYTES` bytes, each word little-endian.
    #[must_use]
    fn from_bytes(key: &Bytes<Self>) -> Self {
        Self::new(&Self::Words::from_bytes(key))
    }

    /// As [`Self::from_bytes`], from a slice.
    ///
    /// # Errors
    ///
    /// [`LengthError`] if the slice is not `BLOCK_BYTES` long.
    fn from_slice(key: &[u8]) -> Result<Self, LengthError> {
        match key.try_into() {
            Ok(key) => Ok(Self::from_bytes(&key)),
            Err(_) => Err(LengthError::key(Self::BLOCK_BYTES, key.len())),
        }
    }

    /// Encrypts a block of words in place.
    fn encrypt_block(&self, tweak: Tweak, block: &mut Self::Words);

    /// Decrypts a block of words in place.
    fn decrypt_block(&self, tweak: Tweak, block: &mut Self::Words);

    /// Encrypts the block of words `from` into `to`.
    fn encrypt_block_to(&self, tweak: Tweak, from: &Self::Words, to: &mut Self::Words) {
        *to = *from;
        self.encrypt_block(tweak, to);
    }

    /// Decrypts the block of words `from` into `to`.
    fn decrypt_block_to(&self, tweak: Tweak, from: &Self::Words, to: &mut Self::Words) {
        *to = *from;
        self.decrypt_block(tweak, to);
    }

    /// Encrypts a block of bytes in place, each word little-endian.
    fn encrypt_block_bytes(&self, tweak: Tweak, block: &mut Bytes<Self>) {
        let mut words = Self::Words::from_bytes(block);
        self.encrypt_block(tweak, &mut words);
        *block = words.to_bytes();
    }

    /// Decrypts a block of bytes in place, each word little-endian.
    fn decrypt_block_bytes(&self, tweak: Tweak, block: &mut Bytes<Self>) {
        let mut words = Self::Words::from_bytes(block);
        self.decrypt_block(tweak, &mut words);
        *block = words.to_bytes();
    }

    /// Encrypts the block of bytes `from` into `to`, each word little-endian.
    fn encrypt_block_bytes_to(&self, tweak: Tweak, from: &Bytes<Self>, to: &mut Bytes<Self>) {
        *to = *from;
        self.encrypt_block_bytes(tweak, to);
    }

    /// Decrypts the block of bytes `from` into `to`, each word little-endian.
    fn decrypt_block_bytes_to(&self, tweak: Tweak, from: &Bytes<Self>, to: &mut Bytes<Self>) {
        *to = *from;
        self.decrypt_block_bytes(tweak, to);
    }

    /// Encrypts many blocks of words in place, block `i` under the tweak `tweak(i)`.
    ///
    /// `tweak` is called exactly once for each block, in ascending order, from 0 on; any number
    /// of blocks is fine, 0 included. The same tweak for all is `|_| tweak`.
    ///
    /// ```
    /// # use threefish_api::{Threefish, Tweak};
    /// # fn sectors<T: Threefish>(cipher: &T, blocks: &mut [T::Words], first: u128) {
    /// cipher.encrypt_blocks(|i| Tweak::from(first + i as u128), blocks);
    /// # }
    /// ```
    fn encrypt_blocks(&self, mut tweak: impl FnMut(usize) -> Tweak, blocks: &mut [Self::Words]) {
        for (i, block) in blocks.iter_mut().enumerate() {
            self.encrypt_block(tweak(i), block);
        }
    }

    /// Decrypts many blocks of words in place, block `i` under the tweak `tweak(i)`; see
    /// [`encrypt_blocks`](Self::encrypt_blocks).
    fn decrypt_blocks(&self, mut tweak: impl FnMut(usize) -> Tweak, blocks: &mut [Self::Words]) {
        for (i, block) in blocks.iter_mut().enumerate() {
            self.decrypt_block(tweak(i), block);
        }
    }

    /// Encrypts many blocks of bytes in place, block `i` under the tweak `tweak(i)`; see
    /// [`encrypt_blocks`](Self::encrypt_blocks).
    fn encrypt_blocks_bytes(
        &self,
        mut tweak: impl FnMut(usize) -> Tweak,
        blocks: &mut [Bytes<Self>],
    ) {
        for (i, block) in blocks.iter_mut().enumerate() {
            self.encrypt_block_bytes(tweak(i), block);
        }
    }

    /// Decrypts many blocks of bytes in place, block `i` under the tweak `tweak(i)`; see
    /// [`encrypt_blocks`](Self::encrypt_blocks).
    fn decrypt_blocks_bytes(
        &self,
        mut tweak: impl FnMut(usize) -> Tweak,
        blocks: &mut [Bytes<Self>],
    ) {
        for (i, block) in blocks.iter_mut().enumerate() {
            self.decrypt_block_bytes(tweak(i), block);
        }
    }

    /// As [`encrypt_blocks`](Self::encrypt_blocks), from one slice into another.
    ///
    /// # Errors
    ///
    /// [`LengthError`] if `from` and `to` differ in length; `to` is left as it was.
    fn encrypt_blocks_to(
        &self,
        mut tweak: impl FnMut(usize) -> Tweak,
        from: &[Self::Words],
        to: &mut [Self::Words],
    ) -> Result<(), LengthError> {
        copy_in_batches(from, to, |first, batch| self.encrypt_blocks(|i| tweak(first + i), batch))
    }

    /// As [`decrypt_blocks`](Self::decrypt_blocks), from one slice into another.
    ///
    /// # Errors
    ///
    /// [`LengthError`] if `from` and `to` differ in length; `to` is left as it was.
    fn decrypt_blocks_to(
        &self,
        mut tweak: impl FnMut(usize) -> Tweak,
        from: &[Self::Words],
        to: &mut [Self::Words],
    ) -> Result<(), LengthError> {
        copy_in_batches(from, to, |first, batch| self.decrypt_blocks(|i| tweak(first + i), batch))
    }

    /// As [`encrypt_blocks_bytes`](Self::encrypt_blocks_bytes), from one slice into another.
    ///
    /// # Errors
    ///
    /// [`LengthError`] if `from` and `to` differ in length; `to` is left as it was.
    fn encrypt_blocks_bytes_to(
        &self,
        mut tweak: impl FnMut(usize) -> Tweak,
        from: &[Bytes<Self>],
        to: &mut [Bytes<Self>],
    ) -> Result<(), LengthError> {
        copy_in_batches(from, to, |first, batch| {
            self.encrypt_blocks_bytes(|i| tweak(first + i), batch);
        })
    }

    /// As [`decrypt_blocks_bytes`](Self::decrypt_blocks_bytes), from one slice into another.
    ///
    /// # Errors
    ///
    /// [`LengthError`] if `from` and `to` differ in length; `to` is left as it was.
    fn decrypt_blocks_bytes_to(
        &self,
        mut tweak: impl FnMut(usize) -> Tweak,
        from: &[Bytes<Self>],
        to: &mut [Bytes<Self>],
    ) -> Result<(), LengthError> {
        copy_in_batches(from, to, |first, batch| {
            self.decrypt_blocks_bytes(|i| tweak(first + i), batch);
        })
    }

    /// Encrypts each block under its own key and its own tweak.
    ///
    /// # Errors
    ///
    /// [`LengthError`] if there is not one key and one tweak for each block; the blocks are left
    /// as they were.
    fn encrypt_keys(
        keys: &[Self::Words],
        tweaks: &[Tweak],
        blocks: &mut [Self::Words],
    ) -> Result<(), LengthError> {
        LengthError::check_keys(blocks.len(), keys.len(), tweaks.len())?;
        for ((key, tweak), block) in keys.iter().zip(tweaks).zip(blocks) {
            Self::new(key).encrypt_block(*tweak, block);
        }
        Ok(())
    }

    /// Decrypts each block under its own key and its own tweak.
    ///
    /// # Errors
    ///
    /// [`LengthError`] if there is not one key and one tweak for each block; the blocks are left
    /// as they were.
    fn decrypt_keys(
        keys: &[Self::Words],
        tweaks: &[Tweak],
        blocks: &mut [Self::Words],
    ) -> Result<(), LengthError> {
        LengthError::check_keys(blocks.len(), keys.len(), tweaks.len())?;
        for ((key, tweak), block) in keys.iter().zip(tweaks).zip(blocks) {
            Self::new(key).decrypt_block(*tweak, block);
        }
        Ok(())
    }

    /// The whole blocks at the start of `bytes`, and what is left over behind them.
    ///
    /// ```
    /// # use threefish_api::Threefish;
    /// # fn sector<T: Threefish>() {
    /// let mut sector = [0; 4096];
    /// let (blocks, rest) = T::split_blocks_mut(&mut sector);
    /// assert_eq!(blocks.len() * T::BLOCK_BYTES + rest.len(), 4096);
    /// # }
    /// ```
    #[must_use]
    fn split_blocks_mut(bytes: &mut [u8]) -> (&mut [Bytes<Self>], &mut [u8]) {
        Self::Words::split_blocks_mut(bytes)
    }

    /// As [`split_blocks_mut`](Self::split_blocks_mut), for the input of a from-to call.
    #[must_use]
    fn split_blocks(bytes: &[u8]) -> (&[Bytes<Self>], &[u8]) {
        Self::Words::split_blocks(bytes)
    }
}

/// Copies `from` to `to` in small batches and hands each to `cipher` while it is in the
/// first-level cache, with the index of its first block.
fn copy_in_batches<B: Copy>(
    from: &[B],
    to: &mut [B],
    mut cipher: impl FnMut(usize, &mut [B]),
) -> Result<(), LengthError> {
    LengthError::check_output(from.len(), to.len())?;
    for (batch, (from, to)) in from.chunks(BATCH).zip(to.chunks_mut(BATCH)).enumerate() {
        to.copy_from_slice(from);
        cipher(batch * BATCH, to);
    }
    Ok(())
}
