//! Threefish in AVX2 registers, four blocks side by side, for many blocks at once.
//!
//! ```
//! # #[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))] {
//! use threefish_avx2::{Threefish, Threefish1024, Tweak};
//!
//! let cipher = Threefish1024::new(&[7; 16]);
//! let mut blocks = [[0; 16]; 50];
//! cipher.encrypt_blocks(|i| Tweak::from(i as u128), &mut blocks);
//! cipher.decrypt_blocks(|i| Tweak::from(i as u128), &mut blocks);
//! assert_eq!(blocks, [[0; 16]; 50]);
//! # }
//! ```
//!
//! One block at a time is computed by the integer code of `threefish-unrolled`. On i686,
//! `threefish-sse2` is faster for that.
//!
//! # Processors without AVX2
//!
//! The same types give the same results there, by integer code, and `is_supported()` is false.
//!
//! # What bounds it
//!
//! In cycles for four blocks, encrypting, on a core of the Golden Cove family, where vector operations
//! have three ports. A MIX is five operations, but three where the rotation is by whole bytes, which a
//! shuffle does.
//!
//! | | ports | measured, `x86_64` | groups in flight |
//! |---|---|---|---|
//! | 256 | 254 | 313 | 3 |
//! | 512 | 525 | 621 | 2 |
//! | 1024 | 1150 | 1397 | 1 |
//!
//! Measured are 16 KiB, at the 3.07 GHz of a chain of one-cycle operations.
//!
//! # Targets
//!
//! The ciphers exist on x86-64 and i686, where SSE2 is part of the target; elsewhere the crate
//! compiles, but to nothing. Blocks need no alignment.
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

cfg_if::cfg_if! {
    if #[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))] {
        mod avx2;

        use avx2::Avx2;
        pub use threefish_api::{
            Bytes, LengthError, Revision, Threefish, Tweak, V1_1, V1_2, V1_3, Words, revision,
        };
        use threefish_lanes::Wide;

        type Key256 = Wide<Avx2, 4, [u64; 4]>;
        type Key512 = Wide<Avx2, 4, [u64; 8]>;
        type Key1024 = Wide<Avx2, 4, [u64; 16]>;

        threefish_api::backend! { "avx2":
            /// Threefish with blocks and keys of 256 bits: 4 words, 72 rounds.
            Threefish256([u64; 4]) = Key256, threefish_256;
            /// Threefish with blocks and keys of 512 bits: 8 words, 72 rounds.
            Threefish512([u64; 8]) = Key512, threefish_512;
            /// Threefish with blocks and keys of 1024 bits: 16 words, 80 rounds.
            Threefish1024([u64; 16]) = Key1024, threefish_1024;
        }
    }
}
