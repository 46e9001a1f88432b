//! Threefish in AVX-512 registers, eight blocks side by side.
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
