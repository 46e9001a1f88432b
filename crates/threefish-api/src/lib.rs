//! The trait, types and constants that every Threefish backend shares.
//!
//! Threefish is the tweakable block cipher inside the Skein hash function: a keyed permutation of
//! 256, 512 or 1024 bits with a 128-bit *tweak* that varies the permutation without a new key
//! \[Skein 1.3, §2.2 and §3.3\]. This crate holds no cipher code. Pick a backend crate
//! (`threefish-unrolled`, `threefish-sse2`, `threefish-scalar`); each re-exports what its users need.
//!
//! | module | what it holds |
//! |---|---|
//! | crate root | [`Threefish`] (the trait), [`Tweak`], [`Words`], [`LengthError`] |
//! | [`revision`] | [`V1_1`], [`V1_2`], [`V1_3`]: which revision's constants a cipher uses |
//! | [`spec`] | the word permutations and rotation counts of the specification |
//! | [`mod@backend`] | what the author of a backend implements |
//!
//! # Units and byte order
//!
//! A *word* is a `u64`; a block and a key of Threefish-256/512/1024 are 4, 8 or 16 words. Where
//! bytes are given instead of words, each eight bytes are one word, least significant byte first.
//!
//! # References
//!
//! \[Skein 1.3\] is "The Skein Hash Function Family", version 1.3 of 1 October 2010, by Ferguson,
//! Lucks, Schneier, Whiting, Bellare, Kohno, Callas and Walker.
#![no_std]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod cipher;
mod error;
mod stamp;
mod tweak;
mod words;

pub mod backend;
pub mod revision;
pub mod spec;

pub use cipher::{Bytes, Threefish};
pub use error::LengthError;
pub use revision::{Revision, V1_1, V1_2, V1_3};
pub use tweak::Tweak;
pub use words::Words;
