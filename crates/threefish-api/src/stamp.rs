//! The macros that make ciphers of kernels: no logic, only what is the same for every backend.

/// Defines the ciphers of a backend from its kernels: `struct Threefish256<R = V1_3>` and so on,
/// with [`Threefish`](crate::Threefish), the constructors, `Clone` and a `Debug` without the key.
///
/// The kernel, a type in scope at the crate's root, is named behind the block; its functions are
/// stamped into the module named last, one submodule for each revision. With the feature `zeroize` of
/// this crate, which a backend's own feature turns on, dropped ciphers wipe what
/// [`Kernel::secrets`](crate::backend::Kernel::secrets) gives.
///
/// ```
/// use threefish_api::{Revision, Threefish, Tweak, V1_1, backend::Kernel};
///
/// /// Stands for a kernel, but is no cipher.
/// #[derive(Clone)]
/// struct Xor([u64; 4]);
///
/// impl Kernel for Xor {
///     type Words = [u64; 4];
///     const LANES: usize = 1;
///
///     fn new<R: Revision>(key: &[u64; 4]) -> Self {
///         Self(*key)
///     }
///     fn secrets(&mut self) -> &mut [u64] {
///         &mut self.0
///     }
///     fn encrypt_block<R: Revision>(&self, tweak: Tweak, block: &mut [u64; 4]) {
///         block.iter_mut().zip(self.0).for_each(|(word, k)| *word ^= k ^ tweak.words()[0]);
///     }
///     fn decrypt_block<R: Revision>(&self, tweak: Tweak, block: &mut [u64; 4]) {
///         self.encrypt_block::<R>(tweak, block);
///     }
/// }
///
/// threefish_api::backend! { "xor":
///     /// Threefish-256, if only the kernel were.
///     Threefish256([u64; 4]) = Xor, threefish_256;
/// }
///
/// # fn main() {
/// let mut blocks = [[0; 4]; 2];
/// Threefish256::new(&[1, 2, 3, 4]).encrypt_blocks(|i| Tweak::new(i as u64, 0), &mut blocks);
/// assert_eq!(blocks, [[1, 2, 3, 4], [0, 3, 2, 5]]);
///
/// // Another revision is named; the final one need not be.
/// let _old = Threefish256::<V1_1>::new(&[1, 2, 3, 4]);
/// # }
/// ```
#[macro_export]
macro_rules! backend {
    ($name:literal: $($(#[$doc:meta])* $Cipher:ident($Words:ty) = $Kernel:ident, $entries:ident;)+) => {
        /// The kernels by the functions that are compiled here, for a backend that builds on this one.
        #[doc(hidden)]
        pub mod compiled {
            $($crate::__compiled!($Cipher, $Words, $Kernel, $entries);)+
        }

        $(
            $(#[$doc])*
            #[derive(Clone)]
            pub struct $Cipher<R: $crate::Revision = $crate::V1_3> {
                kernel: compiled::$Cipher,
                revision: ::core::marker::PhantomData<R>,
            }

            mod $entries {
                pub(crate) mod v1_1 {
                    $crate::__entries!(key: V1_1, $Kernel);
                    $crate::__entries!(rounds: V1_1, $Kernel);
                }
                /// Differs from 1.3 in the parity word alone, which key set-up adds.
                pub(crate) mod v1_2 {
                    $crate::__entries!(key: V1_2, $Kernel);
                    pub(crate) use super::v1_3::{
                        decrypt_block, decrypt_block_bytes, decrypt_blocks, decrypt_blocks_bytes,
                        encrypt_block, encrypt_block_bytes, encrypt_blocks, encrypt_blocks_bytes,
                    };
                }
                pub(crate) mod v1_3 {
                    $crate::__entries!(key: V1_3, $Kernel);
                    $crate::__entries!(rounds: V1_3, $Kernel);
                }
            }

            $crate::__cipher!($name, $Cipher, $Words);
        )+
    };
}

/// The functions of one size and revision, compiled in the backend crate, each on an aligned stack.
#[doc(hidden)]
#[macro_export]
macro_rules! __entries {
    (key: $Revision:ident, $Kernel:ident) => {
        #[inline(never)]
        pub(crate) fn new(
            key: &<super::super::$Kernel as $crate::backend::Kernel>::Words,
        ) -> super::super::$Kernel {
            $crate::backend::on_aligned_stack(|| {
                $crate::backend::Kernel::new::<$crate::$Revision>(key)
            })
        }

        $crate::__entries!(@keys $Revision, $Kernel, encrypt_keys);
        $crate::__entries!(@keys $Revision, $Kernel, decrypt_keys);
    };
    (@keys $Revision:ident, $Kernel:ident, $keys:ident) => {
        #[inline(never)]
        pub(crate) fn $keys(
            keys: &[<super::super::$Kernel as $crate::backend::Kernel>::Words],
            tweaks: &[$crate::Tweak],
            blocks: &mut [<super::super::$Kernel as $crate::backend::Kernel>::Words],
        ) {
            $crate::backend::on_aligned_stack(|| {
                <super::super::$Kernel as $crate::backend::Kernel>::$keys::<$crate::$Revision>(
                    keys, tweaks, blocks,
                );
            });
        }
    };
    (rounds: $Revision:ident, $Kernel:ident) => {
        use super::super::$Kernel;
        use $crate::{
            $Revision as R, Tweak, Words,
            backend::{Kernel, on_aligned_stack},
        };

        type Block = <$Kernel as Kernel>::Words;
        type BlockBytes = <Block as Words>::Bytes;

        $crate::__entries!(@ encrypt_block, encrypt_block_bytes, encrypt_blocks, encrypt_blocks_bytes, $Kernel);
        $crate::__entries!(@ decrypt_block, decrypt_block_bytes, decrypt_blocks, decrypt_blocks_bytes, $Kernel);
    };
    (@ $block:ident, $block_bytes:ident, $blocks:ident, $blocks_bytes:ident, $Kernel:ident) => {
        #[inline(never)]
        pub(crate) fn $block(kernel: &$Kernel, tweak: Tweak, block: &mut Block) {
            on_aligned_stack(|| kernel.$block::<R>(tweak, block));
        }

        #[inline(never)]
        pub(crate) fn $block_bytes(kernel: &$Kernel, tweak: Tweak, block: &mut BlockBytes) {
            on_aligned_stack(|| kernel.$block_bytes::<R>(tweak, block));
        }

        #[inline(never)]
        pub(crate) fn $blocks(kernel: &$Kernel, tweaks: &[Tweak], blocks: &mut [Block]) {
            on_aligned_stack(|| kernel.$blocks::<R>(tweaks, blocks));
        }

        #[inline(never)]
        pub(crate) fn $blocks_bytes(kernel: &$Kernel, tweaks: &[Tweak], blocks: &mut [BlockBytes]) {
            on_aligned_stack(|| kernel.$blocks_bytes::<R>(tweaks, blocks));
        }
    };
}

/// A kernel whose functions are those of [`__entries`](crate::__entries): whoever calls it, they are compiled in the backend.
#[doc(hidden)]
#[macro_export]
macro_rules! __compiled {
    ($Cipher:ident, $Words:ty, $Kernel:ident, $entries:ident) => {
        #[allow(missing_debug_implementations, reason = "holds a key")]
        #[derive(Clone)]
        pub struct $Cipher(pub(crate) super::$Kernel);

        impl $crate::backend::Kernel for $Cipher {
            type Words = $Words;
            const LANES: usize = <super::$Kernel as $crate::backend::Kernel>::LANES;
            const NEEDS: &'static str = <super::$Kernel as $crate::backend::Kernel>::NEEDS;

            #[inline]
            fn is_supported() -> bool {
                <super::$Kernel as $crate::backend::Kernel>::is_supported()
            }

            #[inline]
            fn new<R: $crate::Revision>(key: &$Words) -> Self {
                Self($crate::__by_version!(R, $entries, new(key)))
            }

            #[inline]
            fn secrets(&mut self) -> &mut [u64] {
                $crate::backend::Kernel::secrets(&mut self.0)
            }

            $crate::__compiled!(@ $entries, encrypt_block, encrypt_block_bytes, encrypt_blocks, encrypt_blocks_bytes, encrypt_keys);
            $crate::__compiled!(@ $entries, decrypt_block, decrypt_block_bytes, decrypt_blocks, decrypt_blocks_bytes, decrypt_keys);
        }

        $crate::__wiped_on_drop!(kernel $Cipher);
    };
    (@ $entries:ident, $block:ident, $block_bytes:ident, $blocks:ident, $blocks_bytes:ident, $keys:ident) => {
        #[inline]
        fn $block<R: $crate::Revision>(&self, tweak: $crate::Tweak, block: &mut Self::Words) {
            $crate::__by_version!(R, $entries, $block(&self.0, tweak, block));
        }

        #[inline]
        fn $block_bytes<R: $crate::Revision>(
            &self,
            tweak: $crate::Tweak,
            block: &mut <Self::Words as $crate::Words>::Bytes,
        ) {
            $crate::__by_version!(R, $entries, $block_bytes(&self.0, tweak, block));
        }

        #[inline]
        fn $blocks<R: $crate::Revision>(
            &self,
            tweaks: &[$crate::Tweak],
            blocks: &mut [Self::Words],
        ) {
            $crate::__by_version!(R, $entries, $blocks(&self.0, tweaks, blocks));
        }

        #[inline]
        fn $blocks_bytes<R: $crate::Revision>(
            &self,
            tweaks: &[$crate::Tweak],
            blocks: &mut [<Self::Words as $crate::Words>::Bytes],
        ) {
            $crate::__by_version!(R, $entries, $blocks_bytes(&self.0, tweaks, blocks));
        }

        #[inline]
        fn $keys<R: $crate::Revision>(
            keys: &[Self::Words],
            tweaks: &[$crate::Tweak],
            blocks: &mut [Self::Words],
        ) {
            $crate::__by_version!(R, $entries, $keys(keys, tweaks, blocks));
        }
    };
}

/// The front of one cipher: all that is generic over the revision.
#[doc(hidden)]
#[macro_export]
macro_rules! __cipher {
    ($name:literal, $Cipher:ident, $Words:ty) => {
        impl<R: $crate::Revision> $crate::Threefish for $Cipher<R> {
            type Words = $Words;
            type Revision = R;

            const BACKEND: &'static str = $name;
            const LANES: usize = <compiled::$Cipher as $crate::backend::Kernel>::LANES;
            const NEEDS: &'static str = <compiled::$Cipher as $crate::backend::Kernel>::NEEDS;

            #[inline]
            fn is_supported() -> bool {
                <compiled::$Cipher as $crate::backend::Kernel>::is_supported()
            }

            #[inline]
            fn new(key: &Self::Words) -> Self {
                let kernel = $crate::backend::Kernel::new::<R>(key);
                Self { kernel, revision: ::core::marker::PhantomData }
            }

            $crate::__cipher!(@ $Cipher, encrypt_block, encrypt_block_bytes, encrypt_blocks, encrypt_blocks_bytes, encrypt_keys);
            $crate::__cipher!(@ $Cipher, decrypt_block, decrypt_block_bytes, decrypt_blocks, decrypt_blocks_bytes, decrypt_keys);
        }

        /// Functions of the final revision, so that it need not be named. They are the trait's;
        /// under another revision call those: `Threefish256::<V1_1>::new(&key)`.
        impl $Cipher {
            /// Words in a block and in a key.
            pub const BLOCK_WORDS: usize = <Self as $crate::Threefish>::BLOCK_WORDS;
            /// Bytes in a block and in a key.
            pub const BLOCK_BYTES: usize = <Self as $crate::Threefish>::BLOCK_BYTES;

            /// A cipher under the key of words. Any key is valid.
            #[inline]
            #[must_use]
            pub fn new(key: &$Words) -> Self {
                $crate::Threefish::new(key)
            }

            /// A cipher under the key of bytes, each word little-endian.
            #[inline]
            #[must_use]
            pub fn from_bytes(key: &$crate::Bytes<Self>) -> Self {
                $crate::Threefish::from_bytes(key)
            }

            /// As [`Self::from_bytes`], from a slice.
            ///
            /// # Errors
            ///
            /// [`LengthError`]($crate::LengthError) if the slice has not the length of a key.
            #[inline]
            pub fn from_slice(key: &[u8]) -> Result<Self, $crate::LengthError> {
                $crate::Threefish::from_slice(key)
            }

            /// The whole blocks at the start of `bytes`, and what is left over behind them.
            #[inline]
            #[must_use]
            pub fn split_blocks(bytes: &[u8]) -> (&[$crate::Bytes<Self>], &[u8]) {
                <Self as $crate::Threefish>::split_blocks(bytes)
            }

            /// The whole blocks at the start of `bytes`, and what is left over behind them.
            #[inline]
            #[must_use]
            pub fn split_blocks_mut(
                bytes: &mut [u8],
            ) -> (&mut [$crate::Bytes<Self>], &mut [u8]) {
                <Self as $crate::Threefish>::split_blocks_mut(bytes)
            }

            /// Encrypts each block under its own key and its own tweak.
            ///
            /// # Errors
            ///
            /// [`LengthError`]($crate::LengthError) if there is not one key and one tweak for
            /// each block; the blocks are left as they were.
            #[inline]
            pub fn encrypt_keys(
                keys: &[$Words],
                tweaks: &[$crate::Tweak],
                blocks: &mut [$Words],
            ) -> Result<(), $crate::LengthError> {
                <Self as $crate::Threefish>::encrypt_keys(keys, tweaks, blocks)
            }

            /// Decrypts each block under its own key and its own tweak.
            ///
            /// # Errors
            ///
            /// As [`Self::encrypt_keys`].
            #[inline]
            pub fn decrypt_keys(
                keys: &[$Words],
                tweaks: &[$crate::Tweak],
                blocks: &mut [$Words],
            ) -> Result<(), $crate::LengthError> {
                <Self as $crate::Threefish>::decrypt_keys(keys, tweaks, blocks)
            }

            /// Whether this backend's own kernels run on this processor.
            #[inline]
            #[must_use]
            pub fn is_supported() -> bool {
                <Self as $crate::Threefish>::is_supported()
            }
        }

        /// Shows type and revision, never the key.
        impl<R: $crate::Revision> ::core::fmt::Debug for $Cipher<R> {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.debug_struct(stringify!($Cipher))
                    .field("backend", &$name)
                    .field("revision", &R::VERSION)
                    .finish_non_exhaustive()
            }
        }

        $crate::__wiped_on_drop!(cipher $Cipher);
    };
    (@ $Cipher:ident, $block:ident, $block_bytes:ident, $blocks:ident, $blocks_bytes:ident, $keys:ident) => {
        #[inline]
        fn $block(&self, tweak: $crate::Tweak, block: &mut Self::Words) {
            $crate::backend::Kernel::$block::<R>(&self.kernel, tweak, block);
        }

        #[inline]
        fn $block_bytes(&self, tweak: $crate::Tweak, block: &mut $crate::Bytes<Self>) {
            $crate::backend::Kernel::$block_bytes::<R>(&self.kernel, tweak, block);
        }

        #[inline]
        fn $blocks(
            &self,
            tweak: impl FnMut(usize) -> $crate::Tweak,
            blocks: &mut [Self::Words],
        ) {
            $crate::backend::in_batches(tweak, blocks, |tweaks, blocks| {
                $crate::backend::Kernel::$blocks::<R>(&self.kernel, tweaks, blocks);
            });
        }

        #[inline]
        fn $blocks_bytes(
            &self,
            tweak: impl FnMut(usize) -> $crate::Tweak,
            blocks: &mut [$crate::Bytes<Self>],
        ) {
            $crate::backend::in_batches(tweak, blocks, |tweaks, blocks| {
                $crate::backend::Kernel::$blocks_bytes::<R>(&self.kernel, tweaks, blocks);
            });
        }

        #[inline]
        fn $keys(
            keys: &[Self::Words],
            tweaks: &[$crate::Tweak],
            blocks: &mut [Self::Words],
        ) -> Result<(), $crate::LengthError> {
            $crate::backend::check_keys(keys, tweaks, blocks)?;
            <compiled::$Cipher as $crate::backend::Kernel>::$keys::<R>(keys, tweaks, blocks);
            Ok(())
        }
    };
}

/// Wipes the schedule of a dropped kernel, and says so of the cipher.
#[cfg(feature = "zeroize")]
#[doc(hidden)]
#[macro_export]
macro_rules! __wiped_on_drop {
    (kernel $Cipher:ident) => {
        impl Drop for $Cipher {
            fn drop(&mut self) {
                let secrets = $crate::backend::Kernel::secrets(self);
                $crate::backend::zeroize::Zeroize::zeroize(secrets);
            }
        }
    };
    (cipher $Cipher:ident) => {
        impl<R: $crate::Revision> $crate::backend::zeroize::ZeroizeOnDrop for $Cipher<R> {}
    };
}

/// Leaves the schedule of a dropped kernel as it is: the feature `zeroize` is off.
#[cfg(not(feature = "zeroize"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __wiped_on_drop {
    ($what:ident $Cipher:ident) => {};
}

/// Calls the function of the revision `R`: the constant leaves one of the three.
#[doc(hidden)]
#[macro_export]
macro_rules! __by_version {
    ($R:ident, $entries:ident, $function:ident($($argument:expr),*)) => {
        match <$R as $crate::Revision>::VERSION {
            $crate::revision::Version::V1_1 => super::$entries::v1_1::$function($($argument),*),
            $crate::revision::Version::V1_2 => super::$entries::v1_2::$function($($argument),*),
            $crate::revision::Version::V1_3 => super::$entries::v1_3::$function($($argument),*),
        }
    };
}
