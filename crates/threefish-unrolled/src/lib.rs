//! Threefish in straight-line 64-bit integer code: every round written out, subkeys made on the
//! fly, nothing but the key in memory.
//!
//! The backend to take on any 64-bit processor, and the fastest for one block at a time there. It
//! holds no unsafe code. A cipher is its key and one word more; key set-up is one pass over the
//! key, and a new tweak costs nothing.
//!
//! ```
//! use threefish_unrolled::{Threefish, Threefish512, Tweak};
//!
//! let cipher = Threefish512::from_bytes(&[0x42; 64]);
//!
//! // A 4096-byte sector: 64 blocks, each under its own tweak.
//! let mut sector = [0; 4096];
//! let (blocks, rest) = Threefish512::split_blocks_mut(&mut sector);
//! assert!(rest.is_empty());
//! cipher.encrypt_blocks_bytes(|i| Tweak::new(i as u64, 7), blocks);
//! cipher.decrypt_blocks_bytes(|i| Tweak::new(i as u64, 7), blocks);
//! assert_eq!(sector, [0; 4096]);
//! ```
#![no_std]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod kernel;
mod rounds;
mod word;

use kernel::{Key256, Key512, Key1024};
pub use threefish_api::{
    Bytes, LengthError, Revision, Threefish, Tweak, V1_1, V1_2, V1_3, Words, revision,
};

threefish_api::backend! { "unrolled":
    /// Threefish with blocks and keys of 256 bits: 4 words, 72 rounds.
    Threefish256([u64; 4]) = Key256, threefish_256;
    /// Threefish with blocks and keys of 512 bits: 8 words, 72 rounds.
    Threefish512([u64; 8]) = Key512, threefish_512;
    /// Threefish with blocks and keys of 1024 bits: 16 words, 80 rounds.
    Threefish1024([u64; 16]) = Key1024, threefish_1024;
}

/// The extended key, for backends that take their integer code from here.
macro_rules! extended_key {
    ($($Cipher:ident: $extended:literal),+) => {$(
        impl compiled::$Cipher {
            /// The words k\[0\] to k\[Nw\] of the specification. Secret.
            #[inline]
            #[must_use]
            pub fn extended_key(&self) -> &[u64; $extended] {
                self.0.words()
            }
        }
    )+};
}

extended_key!(Threefish256: 5, Threefish512: 9, Threefish1024: 17);
