//! Threefish in NEON registers, two blocks side by side: the backend for many blocks on 64-bit ARM.
//!
//! One block at a time is computed by the integer code of `threefish-unrolled`. Results are checked
//! under an emulator; **no speed has been measured on a processor**. A MIX takes four NEON instructions
//! for two blocks (add, shift, shift with addition, xor), and two integer ones for one (add, and an xor
//! that rotates an operand): measure before you prefer it to `threefish-unrolled`.
//!
//! ```
//! # #[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))] {
//! use threefish_neon::{Threefish, Threefish1024, Tweak};
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
//! Little-endian `aarch64` with NEON, which every target with hardware floating point has. Elsewhere the
//! crate compiles, but to nothing.
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

cfg_if::cfg_if! {
    if #[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))] {
        mod neon;

        use neon::Neon;
        pub use threefish_api::{
            Bytes, LengthError, Revision, Threefish, Tweak, V1_1, V1_2, V1_3, Words, revision,
        };
        use threefish_lanes::Wide;

        type Key256 = Wide<Neon, 2, [u64; 4]>;
        type Key512 = Wide<Neon, 2, [u64; 8]>;
        type Key1024 = Wide<Neon, 2, [u64; 16]>;

        threefish_api::backend! { "neon":
            /// Threefish with blocks and keys of 256 bits: 4 words, 72 rounds.
            Threefish256([u64; 4]) = Key256, threefish_256;
            /// Threefish with blocks and keys of 512 bits: 8 words, 72 rounds.
            Threefish512([u64; 8]) = Key512, threefish_512;
            /// Threefish with blocks and keys of 1024 bits: 16 words, 80 rounds.
            Threefish1024([u64; 16]) = Key1024, threefish_1024;
        }
    }
}
