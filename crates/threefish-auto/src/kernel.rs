//! The key schedule of the backend that was chosen.

use threefish_api::{Revision, Tweak, backend::Kernel};

use crate::{
    backends::with_backends,
    choice::{Backend, Choice},
};

/// The widest lanes that may be chosen on this target.
const LANES: usize = {
    let (mut widest, mut i) = (1, 0);
    while i < OF_BACKENDS.len() {
        if OF_BACKENDS[i] > widest {
            widest = OF_BACKENDS[i];
        }
        i += 1;
    }
    widest
};

macro_rules! lanes {
    ($($Backend:ident = $name:literal $package:ident),+) => {
        const OF_BACKENDS: &[usize] =
            &[$(<$package::compiled::Threefish256 as Kernel>::LANES),+];
    };
}
with_backends!(lanes!());

/// Implements the kernel of a size; `$($name)` are its functions, the same encrypting and decrypting.
macro_rules! kernel {
    ($Key:ident, $Any:ident, $Cipher:ident, $words:literal, $bytes:literal;
     $($Backend:ident = $name:literal $package:ident),+) => {
        /// A schedule of any backend.
        #[derive(Clone)]
        enum $Any {
            $($Backend($package::compiled::$Cipher),)+
        }

        impl $Any {
            #[inline]
            fn new<R: Revision>(backend: Backend, key: &[u64; $words]) -> Self {
                match backend {
                    $(Backend::$Backend => Self::$Backend(Kernel::new::<R>(key)),)+
                }
            }

            #[inline]
            fn secrets(&mut self) -> &mut [u64] {
                match self {
                    $(Self::$Backend(key) => key.secrets(),)+
                }
            }
        }

        #[derive(Clone)]
        pub(crate) struct $Key {
            many: $Any,
            /// Where another backend is the fastest for one block.
            #[cfg(target_arch = "x86")]
            one: Option<$Any>,
        }

        impl $Key {
            #[inline(always)]
            fn one(&self) -> &$Any {
                #[cfg(target_arch = "x86")]
                if let Some(one) = &self.one {
                    return one;
                }
                &self.many
            }
        }

        impl Kernel for $Key {
            type Words = [u64; $words];
            const LANES: usize = LANES;

            #[inline(always)]
            fn new<R: Revision>(key: &[u64; $words]) -> Self {
                let choice = Choice::here();
                Self {
                    many: $Any::new::<R>(choice.many, key),
                    #[cfg(target_arch = "x86")]
                    one: (choice.one != choice.many).then(|| $Any::new::<R>(choice.one, key)),
                }
            }

            /// Those for many blocks: the schedules of backends wipe themselves.
            #[inline]
            fn secrets(&mut self) -> &mut [u64] {
                self.many.secrets()
            }

            kernel!(@one $Any, $words, $bytes, encrypt_block, encrypt_block_bytes; $($Backend)+);
            kernel!(@one $Any, $words, $bytes, decrypt_block, decrypt_block_bytes; $($Backend)+);
            kernel!(@many $Any, $words, $bytes, encrypt_blocks, encrypt_blocks_bytes; $($Backend)+);
            kernel!(@many $Any, $words, $bytes, decrypt_blocks, decrypt_blocks_bytes; $($Backend)+);
            kernel!(@keys $Cipher, $words, encrypt_keys; $($Backend $package)+);
            kernel!(@keys $Cipher, $words, decrypt_keys; $($Backend $package)+);
        }
    };
    (@one $Any:ident, $words:literal, $bytes:literal, $block:ident, $block_bytes:ident; $($Backend:ident)+) => {
        #[inline(always)]
        fn $block<R: Revision>(&self, tweak: Tweak, block: &mut [u64; $words]) {
            match self.one() {
                $($Any::$Backend(key) => key.$block::<R>(tweak, block),)+
            }
        }

        #[inline(always)]
        fn $block_bytes<R: Revision>(&self, tweak: Tweak, block: &mut [u8; $bytes]) {
            match self.one() {
                $($Any::$Backend(key) => key.$block_bytes::<R>(tweak, block),)+
            }
        }
    };
    (@many $Any:ident, $words:literal, $bytes:literal, $blocks:ident, $blocks_bytes:ident; $($Backend:ident)+) => {
        #[inline(always)]
        fn $blocks<R: Revision>(&self, tweaks: &[Tweak], blocks: &mut [[u64; $words]]) {
            match &self.many {
                $($Any::$Backend(key) => key.$blocks::<R>(tweaks, blocks),)+
            }
        }

        #[inline(always)]
        fn $blocks_bytes<R: Revision>(&self, tweaks: &[Tweak], blocks: &mut [[u8; $bytes]]) {
            match &self.many {
                $($Any::$Backend(key) => key.$blocks_bytes::<R>(tweaks, blocks),)+
            }
        }
    };
    (@keys $Cipher:ident, $words:literal, $keys:ident; $($Backend:ident $package:ident)+) => {
        #[inline(always)]
        fn $keys<R: Revision>(
            keys: &[[u64; $words]],
            tweaks: &[Tweak],
            blocks: &mut [[u64; $words]],
        ) {
            match Choice::here().many {
                $(Backend::$Backend => {
                    $package::compiled::$Cipher::$keys::<R>(keys, tweaks, blocks);
                })+
            }
        }
    };
}

with_backends!(kernel!(Key256, Any256, Threefish256, 4, 32;));
with_backends!(kernel!(Key512, Any512, Threefish512, 8, 64;));
with_backends!(kernel!(Key1024, Any1024, Threefish1024, 16, 128;));
