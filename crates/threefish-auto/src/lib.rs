//! Threefish by the fastest backend for the processor that the program runs on.
//!
//! ```
//! use threefish_auto::{Threefish, Threefish512, Tweak};
//!
//! let cipher = Threefish512::new(&[7; 8]);
//! let mut blocks = [[0; 8]; 64];
//! cipher.encrypt_blocks(|i| Tweak::from(i as u128), &mut blocks);
//! cipher.decrypt_blocks(|i| Tweak::from(i as u128), &mut blocks);
//! assert_eq!(blocks, [[0; 8]; 64]);
//!
//! let chosen = threefish_auto::chosen();
//! println!("one block by {}, many by {}", chosen.one, chosen.many);
//! ```
//!
//! # What is chosen
#![no_std]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(any(feature = "override", feature = "rayon"))]
extern crate std;

mod backends;
mod choice;
mod kernel;
#[cfg(feature = "rayon")]
mod parallel;

use kernel::{Key256, Key512, Key1024};
#[cfg(feature = "rayon")]
pub use parallel::Parallel;
pub use threefish_api::{
    Bytes, LengthError, Revision, Threefish, Tweak, V1_1, V1_2, V1_3, Words, revision,
};

threefish_api::backend! { "auto":
    /// Threefish with blocks and keys of 256 bits: 4 words, 72 rounds.
    Threefish256([u64; 4]) = Key256, threefish_256;
    /// Threefish with blocks and keys of 512 bits: 8 words, 72 rounds.
    Threefish512([u64; 8]) = Key512, threefish_512;
    /// Threefish with blocks and keys of 1024 bits: 16 words, 80 rounds.
    Threefish1024([u64; 16]) = Key1024, threefish_1024;
}

/// The names of the backends that the ciphers of this crate use on this processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Chosen {
    /// For calls with one block.
    pub one: &'static str,
    /// For calls with many blocks or many keys.
    pub many: &'static str,
}

/// Which backends are used, the same in every call.
#[must_use]
pub fn chosen() -> Chosen {
    let choice = choice::Choice::here();
    Chosen { one: choice.one.name(), many: choice.many.name() }
}
