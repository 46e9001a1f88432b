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
//!
//! The first line that fits, found out once and kept. In brackets, how many times as fast as
//! `threefish-unrolled` it is there, for 256, 512 and 1024 bits (16 KiB, encrypting; [one block, encrypting]),
//! as measured on a core of the Golden Cove family, and for WebAssembly on the same under Node.
//!
//! | target | processor has | one block | many blocks, many keys |
//! |---|---|---|---|
//! | `x86_64` | AVX-512F, VL, VBMI2 | `unrolled`; 1024 bits: `avx512` (1.2) | `avx512` (3.5, 4.1, 4.0) |
//! | `x86_64` | AVX2 | `unrolled` | `avx2` (1.8, 2.1, 2.0) |
//! | `x86_64` | | `unrolled` | `unrolled` (`sse2`: 0.9, 1.0, 1.0) |
//! | i686 | AVX-512F, VL, VBMI2 | `avx512` (2.0, 2.5, 5.0) | `avx512` (13, 10, 13) |
//! | i686 | AVX2 | `sse2` (1.4, 1.3, 2.5) | `avx2` (6.6, 5.5, 6.0) |
//! | i686 | | `sse2` (1.4, 1.3, 2.5) | `sse2` (3.5, 2.9, 4.4) |
//! | `wasm32` with `simd128` | | `unrolled` | `wasm` (1.4, 1.0, 1.2) |
//! | any other | | `unrolled` | `unrolled` |
//!
//! For 64-bit ARM there is `threefish-neon`, but no measurement that speaks for it.
//!
//! AVX-512 is taken only beside VBMI2, which came with Ice Lake and Zen 4: the processors before them that have
//! AVX-512 lower the clock of the whole core for it, at the cost of all else that runs there. To take it
//! anyway, see below.
//!
//! The choice itself costs a call and a branch: at most 1 ns for one block, 1 % or less of 16 KiB, and
//! some 7 ns of key set-up.
//!
//! # Taking another
//!
//! `RUSTFLAGS='--cfg threefish_backend="sse2"'` builds for one backend; where the processor lacks
//! what that needs, it computes by integers. With the feature `override`, for tests, the environment
//! variable `THREEFISH_BACKEND=sse2` does the same when the program runs; a name that is none of a backend that runs here
//! stops it with a message that has those which are.
//!
//! # Features
//!
//! | feature | |
//! |---|---|
//! | `zeroize` | wipes the key schedule on drop |
//! | `rayon` | `Parallel`: bulk calls on all cores; needs `std` |
//! | `override` | the variable above; needs `std` |
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
