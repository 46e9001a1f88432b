//! Threefish as the specification reads: a table of subkeys, a loop over rounds.
//!
//! The plainest backend, and the yardstick that the faster ones are checked and measured against.
//! It is also the smallest in code. For speed take `threefish-unrolled` (any processor) or
//! `threefish-sse2` (32-bit x86); the calls are the same.
//!
//! ```
//! use threefish_scalar::{Threefish, Threefish256, Tweak};
//!
//! let cipher = Threefish256::new(&[1, 2, 3, 4]);
//! let mut block = [5, 6, 7, 8];
//! cipher.encrypt_block(Tweak::new(9, 10), &mut block);
//! cipher.decrypt_block(Tweak::new(9, 10), &mut block);
//! assert_eq!(block, [5, 6, 7, 8]);
//! ```
#![no_std]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod kernel;

use kernel::{Subkeys256, Subkeys512, Subkeys1024};
pub use threefish_api::{
    Bytes, LengthError, Revision, Threefish, Tweak, V1_1, V1_2, V1_3, Words, revision,
};

threefish_api::backend! { "scalar":
    /// Threefish with blocks and keys of 256 bits: 4 words, 72 rounds.
    Threefish256([u64; 4]) = Subkeys256, threefish_256;
    /// Threefish with blocks and keys of 512 bits: 8 words, 72 rounds.
    Threefish512([u64; 8]) = Subkeys512, threefish_512;
    /// Threefish with blocks and keys of 1024 bits: 16 words, 80 rounds.
    Threefish1024([u64; 16]) = Subkeys1024, threefish_1024;
}
