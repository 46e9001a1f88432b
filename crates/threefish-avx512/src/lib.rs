//! Threefish in AVX-512 registers, eight blocks side by side: the fastest there is for many blocks, and
//! for many keys.
//!
//! ```
//! # #[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))] {
//! use threefish_avx512::{Threefish, Threefish1024, Tweak};
//!
//! let cipher = Threefish1024::new(&[7; 16]);
//! let mut blocks = [[0; 16]; 50];
//! cipher.encrypt_blocks(|i| Tweak::from(i as u128), &mut blocks);
//! cipher.decrypt_blocks(|i| Tweak::from(i as u128), &mut blocks);
//! assert_eq!(blocks, [[0; 16]; 50]);
//! # }
//! ```
//!
//! # One block, and few
//!
//! One block of 256 or 512 bits at a time is computed by the integer code of `threefish-unrolled` on
//! `x86_64`. Of 1024 bits, and of all sizes on i686, where integers are slow, it is computed across the
//! lanes of 128-bit registers, with the rotations that AVX-512VL gives them. Two to four blocks are computed side by side in 256-bit registers where that is
//! faster than one after the other.
//!
//! # Processors without AVX-512
//!
//! The same types give the same results there, by integer code, and `is_supported()` is false. What the
//! kernels need is AVX-512F and AVX-512VL: of Intel's processors for servers since 2017, of AMD's
//! since 2022.
//!
//! # What bounds it
//!
//! In cycles for eight blocks, encrypting, on a core of the Golden Cove family, where 512-bit operations
//! have two ports. A MIX is three operations.
//!
//! | | ports | measured, `x86_64` | groups in flight |
//! |---|---|---|---|
//! | 256 | 273 | 322 | 6 |
//! | 512 | 527 | 639 | 3 |
//! | 1024 | 1149 | 1370 | 1 |
//!
//! Measured are 16 KiB, at the 3.07 GHz of a chain of one-cycle operations; blocks are transposed into lanes and back, on one of the ports, which are another 18, 51 and 99
//! cycles.
//!
//! # Targets
//!
//! The ciphers exist on x86-64 and i686, where SSE2 is part of the target; elsewhere the crate
//! compiles, but to nothing. Blocks need no alignment.
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

cfg_if::cfg_if! {
    if #[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))] {
        mod avx512;
        mod narrow;
        mod one;
        mod transpose;

        use avx512::Avx512;
        pub use threefish_api::{
            Bytes, LengthError, Revision, Threefish, Tweak, V1_1, V1_2, V1_3, Words, revision,
        };
        use threefish_lanes::Wide;

        type Key256 = Wide<Avx512, 8, [u64; 4]>;
        type Key512 = Wide<Avx512, 8, [u64; 8]>;
        type Key1024 = Wide<Avx512, 8, [u64; 16]>;

        threefish_api::backend! { "avx512":
            /// Threefish with blocks and keys of 256 bits: 4 words, 72 rounds.
            Threefish256([u64; 4]) = Key256, threefish_256;
            /// Threefish with blocks and keys of 512 bits: 8 words, 72 rounds.
            Threefish512([u64; 8]) = Key512, threefish_512;
            /// Threefish with blocks and keys of 1024 bits: 16 words, 80 rounds.
            Threefish1024([u64; 16]) = Key1024, threefish_1024;
        }
    }
}
