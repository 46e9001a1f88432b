use core::fmt;

#[cfg(feature = "zeroize")]
use cipher::zeroize::ZeroizeOnDrop;
use cipher::{
    AlgorithmName, Block, BlockSizeUser, InOut, Key, KeyInit, KeySizeUser, Tweak as TweakBytes,
    TweakBlockCipherDecBackend, TweakBlockCipherDecClosure, TweakBlockCipherDecrypt,
    TweakBlockCipherEncBackend, TweakBlockCipherEncClosure, TweakBlockCipherEncrypt, TweakSizeUser,
    consts::U16,
};
use threefish_api::{Threefish, Tweak};

use crate::{Size, write_name};

/// A tweakable block cipher: a tweak of 16 bytes comes with each block, `t0` first, each word
/// little-endian.
///
/// ```
/// use threefish_rustcrypto::{
///     Tweakable,
///     cipher::{KeyInit, TweakBlockCipherDecrypt, TweakBlockCipherEncrypt},
/// };
/// use threefish_unrolled::{Threefish512, Tweak};
///
/// let cipher = Tweakable::<Threefish512>::new(&[0x42; 64].into());
/// let tweak = Tweak::new(7, 15).to_bytes().into();
/// let mut block = [0; 64].into();
/// cipher.encrypt_block(&tweak, &mut block);
/// cipher.decrypt_block(&tweak, &mut block);
/// assert_eq!(block, [0; 64]);
/// ```
#[derive(Clone, Debug)]
pub struct Tweakable<T>(T);

impl<T> From<T> for Tweakable<T> {
    #[inline]
    fn from(cipher: T) -> Self {
        Self(cipher)
    }
}

impl<T: Threefish<Words: Size>> KeySizeUser for Tweakable<T> {
    type KeySize = <T::Words as Size>::BlockSize;
}

impl<T: Threefish<Words: Size>> KeyInit for Tweakable<T> {
    #[inline]
    fn new(key: &Key<Self>) -> Self {
        Self(T::from_bytes(&key.0))
    }
}

impl<T: Threefish<Words: Size>> BlockSizeUser for Tweakable<T> {
    type BlockSize = <T::Words as Size>::BlockSize;
}

impl<T> TweakSizeUser for Tweakable<T> {
    type TweakSize = U16;
}

impl<T: Threefish<Words: Size>> TweakBlockCipherEncrypt for Tweakable<T> {
    #[inline]
    fn encrypt_with_backend(
        &self,
        f: impl TweakBlockCipherEncClosure<BlockSize = Self::BlockSize, TweakSize = U16>,
    ) {
        f.call(&Backend(&self.0));
    }
}

impl<T: Threefish<Words: Size>> TweakBlockCipherDecrypt for Tweakable<T> {
    #[inline]
    fn decrypt_with_backend(
        &self,
        f: impl TweakBlockCipherDecClosure<BlockSize = Self::BlockSize, TweakSize = U16>,
    ) {
        f.call(&Backend(&self.0));
    }
}

impl<T: Threefish> AlgorithmName for Tweakable<T> {
    fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_name::<T>(f)
    }
}

#[cfg(feature = "zeroize")]
impl<T: ZeroizeOnDrop> ZeroizeOnDrop for Tweakable<T> {}

/// A type of its own for the reason that that of `FixedTweak` has.
struct Backend<'a, T>(&'a T);

impl<T: Threefish<Words: Size>> BlockSizeUser for Backend<'_, T> {
    type BlockSize = <T::Words as Size>::BlockSize;
}

impl<T> TweakSizeUser for Backend<'_, T> {
    type TweakSize = U16;
}

impl<T: Threefish<Words: Size>> TweakBlockCipherEncBackend for Backend<'_, T> {
    #[inline]
    fn encrypt_block_inout(&self, tweak: &TweakBytes<Self>, block: InOut<'_, '_, Block<Self>>) {
        let block = &mut block.into_out_with_copied_in().0;
        self.0.encrypt_block_bytes(Tweak::from(tweak.0), block);
    }
}

impl<T: Threefish<Words: Size>> TweakBlockCipherDecBackend for Backend<'_, T> {
    #[inline]
    fn decrypt_block_inout(&self, tweak: &TweakBytes<Self>, block: InOut<'_, '_, Block<Self>>) {
        let block = &mut block.into_out_with_copied_in().0;
        self.0.decrypt_block_bytes(Tweak::from(tweak.0), block);
    }
}
