use core::fmt;

#[cfg(feature = "zeroize")]
use cipher::zeroize::ZeroizeOnDrop;
use cipher::{
    AlgorithmName, Array, Block, BlockCipherDecBackend, BlockCipherDecClosure, BlockCipherDecrypt,
    BlockCipherEncBackend, BlockCipherEncClosure, BlockCipherEncrypt, BlockSizeUser, InOut,
    InOutBuf, Key, KeyInit, KeySizeUser, ParBlocks, ParBlocksSizeUser,
};
use threefish_api::{Threefish, Tweak};

use crate::{Size, write_name};

/// A block cipher: Threefish with the same tweak for all blocks.
///
/// The tweak is zero if the adapter is made of a key or by `From`. Tweaks keep uses of one key
/// apart: each gives an unrelated cipher.
///
/// ```
/// use threefish_rustcrypto::{
///     FixedTweak,
///     cipher::{BlockCipherDecrypt, BlockCipherEncrypt, KeyInit},
/// };
/// use threefish_unrolled::{Threefish256, Tweak};
///
/// let cipher = FixedTweak::<Threefish256>::new_from_slice(&[0x42; 32])?;
/// let mut blocks = [[0; 32].into(); 100];
/// cipher.encrypt_blocks(&mut blocks);
/// cipher.decrypt_blocks(&mut blocks);
/// assert_eq!(blocks[99], [0; 32]);
///
/// let other = FixedTweak::with_tweak(Threefish256::from_bytes(&[0x42; 32]), Tweak::new(7, 15));
/// other.encrypt_block(&mut blocks[0]);
/// # Ok::<(), threefish_rustcrypto::cipher::InvalidLength>(())
/// ```
#[derive(Clone, Debug)]
pub struct FixedTweak<T> {
    cipher: T,
    tweak: Tweak,
}

impl<T> FixedTweak<T> {
    /// The cipher under this tweak.
    #[inline]
    #[must_use]
    pub const fn with_tweak(cipher: T, tweak: Tweak) -> Self {
        Self { cipher, tweak }
    }
}

/// The cipher under the tweak zero.
impl<T> From<T> for FixedTweak<T> {
    #[inline]
    fn from(cipher: T) -> Self {
        Self::with_tweak(cipher, Tweak::ZERO)
    }
}

impl<T: Threefish<Words: Size>> KeySizeUser for FixedTweak<T> {
    type KeySize = <T::Words as Size>::BlockSize;
}

/// The cipher of a key, under the tweak zero.
impl<T: Threefish<Words: Size>> KeyInit for FixedTweak<T> {
    #[inline]
    fn new(key: &Key<Self>) -> Self {
        T::from_bytes(&key.0).into()
    }
}

impl<T: Threefish<Words: Size>> BlockSizeUser for FixedTweak<T> {
    type BlockSize = <T::Words as Size>::BlockSize;
}

impl<T: Threefish<Words: Size>> BlockCipherEncrypt for FixedTweak<T> {
    #[inline]
    fn encrypt_with_backend(&self, f: impl BlockCipherEncClosure<BlockSize = Self::BlockSize>) {
        f.call(&Backend(self));
    }
}

impl<T: Threefish<Words: Size>> BlockCipherDecrypt for FixedTweak<T> {
    #[inline]
    fn decrypt_with_backend(&self, f: impl BlockCipherDecClosure<BlockSize = Self::BlockSize>) {
        f.call(&Backend(self));
    }
}

impl<T: Threefish> AlgorithmName for FixedTweak<T> {
    fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_name::<T>(f)
    }
}

#[cfg(feature = "zeroize")]
impl<T: ZeroizeOnDrop> ZeroizeOnDrop for FixedTweak<T> {}

/// What modes get to see. A type of its own, so that a user who imports all traits finds one
/// `encrypt_block` on the cipher and not two.
struct Backend<'a, T>(&'a FixedTweak<T>);

impl<T: Threefish<Words: Size>> BlockSizeUser for Backend<'_, T> {
    type BlockSize = <T::Words as Size>::BlockSize;
}

impl<T: Threefish<Words: Size>> ParBlocksSizeUser for Backend<'_, T> {
    type ParBlocksSize = <T::Words as Size>::ParBlocksSize;
}

impl<T: Threefish<Words: Size>> BlockCipherEncBackend for Backend<'_, T> {
    #[inline]
    fn encrypt_block(&self, block: InOut<'_, '_, Block<Self>>) {
        let FixedTweak { cipher, tweak } = self.0;
        cipher.encrypt_block_bytes(*tweak, &mut block.into_out_with_copied_in().0);
    }

    #[inline]
    fn encrypt_par_blocks(&self, blocks: InOut<'_, '_, ParBlocks<Self>>) {
        self.encrypt_tail_blocks(blocks.into_buf());
    }

    #[inline]
    fn encrypt_tail_blocks(&self, blocks: InOutBuf<'_, '_, Block<Self>>) {
        let FixedTweak { cipher, tweak } = self.0;
        let bytes = Array::slice_as_flattened_mut(blocks.into_out_with_copied_in());
        cipher.encrypt_blocks_bytes(|_| *tweak, T::split_blocks_mut(bytes).0);
    }
}

impl<T: Threefish<Words: Size>> BlockCipherDecBackend for Backend<'_, T> {
    #[inline]
    fn decrypt_block(&self, block: InOut<'_, '_, Block<Self>>) {
        let FixedTweak { cipher, tweak } = self.0;
        cipher.decrypt_block_bytes(*tweak, &mut block.into_out_with_copied_in().0);
    }

    #[inline]
    fn decrypt_par_blocks(&self, blocks: InOut<'_, '_, ParBlocks<Self>>) {
        self.decrypt_tail_blocks(blocks.into_buf());
    }

    #[inline]
    fn decrypt_tail_blocks(&self, blocks: InOutBuf<'_, '_, Block<Self>>) {
        let FixedTweak { cipher, tweak } = self.0;
        let bytes = Array::slice_as_flattened_mut(blocks.into_out_with_copied_in());
        cipher.decrypt_blocks_bytes(|_| *tweak, T::split_blocks_mut(bytes).0);
    }
}
