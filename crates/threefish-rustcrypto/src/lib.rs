//! Any Threefish backend behind the traits of the crate [`cipher`], for the modes and codes of
//! RustCrypto: counter mode, CBC, CMAC and whatever else takes a block cipher.
//!
//! | adapter | traits | the tweak |
//! |---|---|---|
//! | [`FixedTweak`] | [`BlockCipherEncrypt`], [`BlockCipherDecrypt`] | one for all blocks |
//! | [`Tweakable`] | [`TweakBlockCipherEncrypt`], [`TweakBlockCipherDecrypt`] | given with each block |
//!
//! Both take a cipher of any backend crate, in any size and revision, and are made of a key
//! ([`KeyInit`]) or of a cipher that is there already (`From`). With the feature `zeroize` the
//! cipher in them is wiped on drop, if its backend does so.
//!
//! Counter mode:
//!
//! ```
//! use ctr::{Ctr64LE, CtrCore};
//! use threefish_rustcrypto::{
//!     FixedTweak,
//!     cipher::{InnerIvInit, KeyIvInit, StreamCipher, StreamCipherSeek},
//! };
//! use threefish_unrolled::{Threefish512, Tweak};
//!
//! let (key, nonce) = ([0x42; 64], [7; 64]); // Take a new nonce for each message!
//! let mut message = *b"of any length";
//!
//! let mut ctr = Ctr64LE::<FixedTweak<Threefish512>>::new(&key.into(), &nonce.into());
//! ctr.apply_keystream(&mut message);
//! ctr.seek(0);
//! ctr.apply_keystream(&mut message);
//! assert_eq!(&message, b"of any length");
//!
//! // Under a tweak, the same key and nonce give another stream.
//! let cipher = FixedTweak::with_tweak(Threefish512::from_bytes(&key), Tweak::from(1));
//! let mut other = Ctr64LE::from_core(CtrCore::inner_iv_init(cipher, &nonce.into()));
//! # let mut streams = [[0; 64]; 2];
//! # ctr.seek(0);
//! # ctr.apply_keystream(&mut streams[0]);
//! # other.apply_keystream(&mut streams[1]);
//! # assert_ne!(streams[0], streams[1]);
//! ```
//!
//! # What works with blocks this large
//!
//! Tested here: `ctr` 0.10 with each of its counters, `cbc` 0.2, `ecb` 0.2 and `cbc-mac` 0.2 in all
//! sizes; `cmac` 0.8 and `pmac` 0.8 with Threefish-256 only. These two double a block in a finite
//! field, for which the crate `dbl` knows a polynomial for 64, 128 and 256 bits, so that with the
//! larger ciphers they do not compile. CBC-MAC is secure only where all messages have the same length.
//!
//! None of it needs a mode if a tweak for each block will do: the bulk calls of the trait
//! [`Threefish`] take one, at no cost.
//!
//! # Speed
//!
//! [`FixedTweak`] asks modes for 48, 24 or 16 blocks at a time (see [`Size::ParBlocksSize`]) and hands
//! them to one bulk call, as it does with the fewer blocks at the end. Who doesn't ask: CBC
//! encryption, CMAC and CBC-MAC are chains by their nature; and `ctr` takes those blocks of each call that
//! don't fill up such a group one at a time, so give it long pieces, best a multiple of 1.5 KiB (2 KiB
//! for Threefish-1024).
//!
//! `Tweakable` goes one block at a time, since that is all that `cipher` has for tweakable ciphers.
#![no_std]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod fixed;
mod size;
mod tweakable;

use core::fmt;

pub use cipher;
#[cfg(doc)]
use cipher::{
    BlockCipherDecrypt, BlockCipherEncrypt, KeyInit, TweakBlockCipherDecrypt,
    TweakBlockCipherEncrypt,
};
pub use fixed::FixedTweak;
pub use size::Size;
use threefish_api::{Revision, Threefish, revision::Version};
pub use tweakable::Tweakable;

/// `Threefish512`, as the crate `threefish` has it, and `Threefish512-1.1` for an older revision.
fn write_name<T: Threefish>(f: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(f, "Threefish{}", 8 * T::BLOCK_BYTES)?;
    match T::Revision::VERSION {
        Version::V1_3 => Ok(()),
        older => write!(f, "-{older}"),
    }
}

/// The example of the crate's front page.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
#[derive(Debug)]
pub struct Readme;
