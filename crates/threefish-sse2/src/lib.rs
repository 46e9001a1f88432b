//! Threefish in SSE2 registers of two 64-bit words.
//!
//! The backend for 32-bit x86, where one vector instruction does the work of four to eight integer
//! ones. There are two kernels for each size. For one block of 512 or 1024 bits the words lie
//! *across* the lanes, two to a register; of 256 bits each word has a register of its own. In bulk,
//! blocks lie *side by side*, the same word of two blocks in one register; for 256 bits two or three
//! such pairs are in flight.
//!
//! ```
//! # #[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))] {
//! use threefish_sse2::{Threefish, Threefish1024, Tweak};
//!
//! let cipher = Threefish1024::new(&[7; 16]);
//! let mut blocks = [[0; 16]; 5];
//! cipher.encrypt_blocks(|i| Tweak::from(i as u128), &mut blocks);
//! cipher.decrypt_blocks(|i| Tweak::from(i as u128), &mut blocks);
//! assert_eq!(blocks, [[0; 16]; 5]);
//! # }
//! ```
//!
//! # Targets
//!
//! The ciphers exist where SSE2 is part of the target: on x86-64 and on i686, but not on targets
//! that forbid vector registers, such as `x86_64-unknown-none`. Elsewhere
//! (i586, ARM, WebAssembly) the crate compiles, but to nothing; take `threefish-unrolled` there.
//! No instruction beyond SSE2 is used. Blocks need no alignment.
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

cfg_if::cfg_if! {
    if #[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))] {
        mod across;
        mod blocks;
        mod kernel;
        mod rounds;
        mod side_by_side;
        mod simd;
        mod word;

        use kernel::{Key256, Key512, Key1024};
        pub use threefish_api::{
            Bytes, LengthError, Revision, Threefish, Tweak, V1_1, V1_2, V1_3, Words, revision,
        };

        threefish_api::backend! { "sse2":
            /// Threefish with blocks and keys of 256 bits: 4 words, 72 rounds.
            Threefish256([u64; 4]) = Key256, threefish_256;
            /// Threefish with blocks and keys of 512 bits: 8 words, 72 rounds.
            Threefish512([u64; 8]) = Key512, threefish_512;
            /// Threefish with blocks and keys of 1024 bits: 16 words, 80 rounds.
            Threefish1024([u64; 16]) = Key1024, threefish_1024;
        }
    }
}
