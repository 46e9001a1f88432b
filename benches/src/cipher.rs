//! What the measured loops need of a cipher, and who offers it: our backends, the crate `threefish`,
//! and one that does nothing.

use std::{hint::black_box, marker::PhantomData};

use ctr::CtrCore;
use threefish_api::{Threefish, Tweak, Words};
use threefish_rustcrypto::{
    FixedTweak, Size,
    cipher::{BlockCipherEncrypt, InnerIvInit, StreamCipher},
};

/// What the loops need of a cipher. `ENCRYPT` is the direction.
pub trait Cipher {
    /// A block and a key.
    type Words: CounterMode;

    /// A cipher under a key. The tweak is that of the following `block` and `blocks` calls, for a
    /// cipher that has to build it in.
    fn new(key: &Self::Words, tweak: Tweak) -> Self;

    /// One block in place.
    fn block<const ENCRYPT: bool>(&self, tweak: Tweak, block: &mut Self::Words);

    /// Many blocks in place, all under the tweak.
    fn blocks<const ENCRYPT: bool>(&self, tweak: Tweak, blocks: &mut [Self::Words]);

    /// Many blocks in place, block `i` under the tweak `first + i`.
    fn retweaked_blocks<const ENCRYPT: bool>(&self, first: u64, blocks: &mut [Self::Words]);

    /// Many blocks in place, each under the key and the tweak in its place.
    fn keyed_blocks<const ENCRYPT: bool>(
        keys: &[Self::Words],
        tweaks: &[Tweak],
        blocks: &mut [Self::Words],
    );

    /// What encrypts a stream in counter mode of the crate `ctr`, piece by piece.
    fn counter_mode(key: &Self::Words, tweak: Tweak) -> impl FnMut(&mut [u8]);
}

/// Sizes that the crate `ctr` works with: all, but generic code can't know it.
pub trait CounterMode: Size {
    /// What encrypts a stream in counter mode, with a counter of 64 bits that begins at 0.
    fn counter_mode(
        cipher: impl BlockCipherEncrypt<BlockSize = Self::BlockSize>,
    ) -> impl FnMut(&mut [u8]);
}

macro_rules! counter_mode {
    ($($Words:ty)+) => {$(
        impl CounterMode for $Words {
            #[inline]
            fn counter_mode(
                cipher: impl BlockCipherEncrypt<BlockSize = Self::BlockSize>,
            ) -> impl FnMut(&mut [u8]) {
                let core = CtrCore::inner_iv_init(cipher, &[0; <$Words>::BYTES].into());
                let mut stream = ctr::Ctr64LE::from_core(core);
                move |bytes| stream.apply_keystream(bytes)
            }
        }
    )+};
}

counter_mode!([u64; 4] [u64; 8] [u64; 16]);

/// The tweak of block `i` where each has its own.
#[inline]
#[must_use]
pub fn counter_tweak(i: u64) -> Tweak {
    Tweak::new(i, 15)
}

impl<T: Threefish<Words: CounterMode>> Cipher for T {
    type Words = T::Words;

    #[inline]
    fn new(key: &T::Words, _tweak: Tweak) -> Self {
        T::new(key)
    }

    #[inline]
    fn block<const ENCRYPT: bool>(&self, tweak: Tweak, block: &mut T::Words) {
        if ENCRYPT { self.encrypt_block(tweak, block) } else { self.decrypt_block(tweak, block) }
    }

    #[inline]
    fn blocks<const ENCRYPT: bool>(&self, tweak: Tweak, blocks: &mut [T::Words]) {
        if ENCRYPT {
            self.encrypt_blocks(|_| tweak, blocks);
        } else {
            self.decrypt_blocks(|_| tweak, blocks);
        }
    }

    #[inline]
    fn retweaked_blocks<const ENCRYPT: bool>(&self, first: u64, blocks: &mut [T::Words]) {
        let tweak = |i| counter_tweak(first + i as u64);
        if ENCRYPT {
            self.encrypt_blocks(tweak, blocks);
        } else {
            self.decrypt_blocks(tweak, blocks);
        }
    }

    #[inline]
    fn keyed_blocks<const ENCRYPT: bool>(
        keys: &[T::Words],
        tweaks: &[Tweak],
        blocks: &mut [T::Words],
    ) {
        let done = if ENCRYPT {
            T::encrypt_keys(keys, tweaks, blocks)
        } else {
            T::decrypt_keys(keys, tweaks, blocks)
        };
        done.expect("there is one key and one tweak for each block");
    }

    #[inline]
    fn counter_mode(key: &T::Words, tweak: Tweak) -> impl FnMut(&mut [u8]) {
        T::Words::counter_mode(FixedTweak::with_tweak(T::new(key), tweak))
    }
}

/// A cipher of the crate `threefish`, by its calls on words. Its tweak is a part of the key
/// schedule, so a new one means a new cipher.
///
/// The crate asks for its calls to be inlined, so each loop has its own copy, as a user's has.
macro_rules! threefish_crate {
    ($($Cipher:ident([u64; $words:literal]);)+) => {$(
        pub(crate) struct $Cipher {
            key: [u64; $words],
            cipher: threefish::$Cipher,
        }

        impl Cipher for $Cipher {
            type Words = [u64; $words];

            #[inline]
            fn new(key: &Self::Words, tweak: Tweak) -> Self {
                let cipher = threefish::$Cipher::new_with_tweak_u64(key, &tweak.words());
                Self { key: *key, cipher }
            }

            #[inline]
            fn block<const ENCRYPT: bool>(&self, _tweak: Tweak, block: &mut Self::Words) {
                if ENCRYPT {
                    self.cipher.encrypt_block_u64(block);
                } else {
                    self.cipher.decrypt_block_u64(block);
                }
            }

            #[inline]
            fn blocks<const ENCRYPT: bool>(&self, tweak: Tweak, blocks: &mut [Self::Words]) {
                for block in blocks {
                    self.block::<ENCRYPT>(tweak, block);
                }
            }

            #[inline]
            fn retweaked_blocks<const ENCRYPT: bool>(
                &self,
                first: u64,
                blocks: &mut [Self::Words],
            ) {
                for (i, block) in (first..).zip(blocks) {
                    let tweak = counter_tweak(i);
                    Self::new(&self.key, tweak).block::<ENCRYPT>(tweak, block);
                }
            }

            #[inline]
            fn keyed_blocks<const ENCRYPT: bool>(
                keys: &[Self::Words],
                tweaks: &[Tweak],
                blocks: &mut [Self::Words],
            ) {
                for ((key, tweak), block) in keys.iter().zip(tweaks).zip(blocks) {
                    Self::new(key, *tweak).block::<ENCRYPT>(*tweak, block);
                }
            }

            #[inline]
            fn counter_mode(key: &Self::Words, tweak: Tweak) -> impl FnMut(&mut [u8]) {
                let cipher = threefish::$Cipher::new_with_tweak_u64(key, &tweak.words());
                <[u64; $words]>::counter_mode(cipher)
            }
        }
    )+};
}

threefish_crate! {
    Threefish256([u64; 4]);
    Threefish512([u64; 8]);
    Threefish1024([u64; 16]);
}

/// Does nothing, in a way that the compiler can't see: what is left is the harness's own cost.
pub(crate) struct Nothing<W>(PhantomData<W>);

impl<W: CounterMode> Cipher for Nothing<W> {
    type Words = W;

    #[inline]
    fn new(key: &W, tweak: Tweak) -> Self {
        black_box((key, tweak));
        Self(PhantomData)
    }

    #[inline]
    fn block<const ENCRYPT: bool>(&self, tweak: Tweak, block: &mut W) {
        black_box((tweak, block));
    }

    #[inline]
    fn blocks<const ENCRYPT: bool>(&self, tweak: Tweak, blocks: &mut [W]) {
        for block in blocks {
            self.block::<ENCRYPT>(tweak, block);
        }
    }

    #[inline]
    fn retweaked_blocks<const ENCRYPT: bool>(&self, first: u64, blocks: &mut [W]) {
        for (i, block) in (first..).zip(blocks) {
            self.block::<ENCRYPT>(counter_tweak(i), block);
        }
    }

    #[inline]
    fn keyed_blocks<const ENCRYPT: bool>(keys: &[W], tweaks: &[Tweak], blocks: &mut [W]) {
        for ((key, tweak), block) in keys.iter().zip(tweaks).zip(blocks) {
            Self::new(key, *tweak).block::<ENCRYPT>(*tweak, block);
        }
    }

    #[inline]
    fn counter_mode(key: &W, tweak: Tweak) -> impl FnMut(&mut [u8]) {
        black_box((key, tweak));
        |bytes| {
            black_box(bytes);
        }
    }
}
