use core::fmt;

use crate::spec;

mod sealed {
    pub trait Sealed {}
}

/// A block or a key as 64-bit words: `[u64; 4]`, `[u64; 8]` or `[u64; 16]`.
///
/// The type stands for the size of the cipher. Sealed: there are no other sizes.
pub trait Words:
    sealed::Sealed + Copy + fmt::Debug + Eq + AsRef<[u64]> + AsMut<[u64]> + Send + Sync + 'static
{
    /// The same block as bytes: `[u8; 32]`, `[u8; 64]` or `[u8; 128]`.
    type Bytes: Copy
        + fmt::Debug
        + Eq
        + AsRef<[u8]>
        + AsMut<[u8]>
        + for<'a> TryFrom<&'a [u8]>
        + Send
        + Sync
        + 'static;

    /// Words in a block and in a key (Nw).
    const WORDS: usize;
    /// Bytes in a block and in a key.
    const BYTES: usize = 8 * Self::WORDS;
    /// Rounds of the cipher of this size (Nr).
    const ROUNDS: usize;
    /// The block of zeros.
    const ZERO: Self;

    /// The words of `bytes`, each little-endian.
    fn from_bytes(bytes: &Self::Bytes) -> Self;

    /// The bytes of the words, each little-endian.
    fn to_bytes(&self) -> Self::Bytes;

    /// The whole blocks at the start of `bytes`, and what is left over behind them.
    fn split_blocks(bytes: &[u8]) -> (&[Self::Bytes], &[u8]);

    /// The whole blocks at the start of `bytes`, and what is left over behind them.
    fn split_blocks_mut(bytes: &mut [u8]) -> (&mut [Self::Bytes], &mut [u8]);
}

macro_rules! words {
    ($words:literal, $bytes:literal, $rounds:expr) => {
        impl sealed::Sealed for [u64; $words] {}

        impl Words for [u64; $words] {
            type Bytes = [u8; $bytes];

            const WORDS: usize = $words;
            const ROUNDS: usize = $rounds;
            const ZERO: Self = [0; $words];

            #[inline]
            fn from_bytes(bytes: &[u8; $bytes]) -> Self {
                let (words, _) = bytes.as_chunks();
                core::array::from_fn(|i| u64::from_le_bytes(words[i]))
            }

            #[inline]
            fn to_bytes(&self) -> [u8; $bytes] {
                let mut bytes = [0; $bytes];
                for (to, word) in bytes.as_chunks_mut().0.iter_mut().zip(self) {
                    *to = word.to_le_bytes();
                }
                bytes
            }

            #[inline]
            fn split_blocks(bytes: &[u8]) -> (&[[u8; $bytes]], &[u8]) {
                bytes.as_chunks()
            }

            #[inline]
            fn split_blocks_mut(bytes: &mut [u8]) -> (&mut [[u8; $bytes]], &mut [u8]) {
                bytes.as_chunks_mut()
            }
        }
    };
}

words!(4, 32, spec::ROUNDS_256);
words!(8, 64, spec::ROUNDS_512);
words!(16, 128, spec::ROUNDS_1024);
