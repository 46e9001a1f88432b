//! Modes and codes of RustCrypto over the adapter, for every backend, against the same over the crate
//! `threefish`, which shares no code with ours.

use ctr::CtrCore;
use threefish_conformance::{for_each_backend, suite::runs_here};
use threefish_rustcrypto::{
    FixedTweak,
    cipher::{
        BlockModeDecrypt, BlockModeEncrypt, InnerIvInit, KeyIvInit, StreamCipher, StreamCipherSeek,
        block_padding::Pkcs7, common::InnerInit,
    },
};

const TWEAK: [u8; 16] = *b"the tweak, bytes";
const MIB: usize = 1 << 20;

/// Bytes whose period is a prime, so that no two blocks nearby are equal.
fn message(bytes: usize) -> Vec<u8> {
    (0..=250).cycle().take(bytes).collect()
}

/// Lengths of messages: none, less than a block, every number of blocks until modes have handed over
/// two groups of them, and odd ones.
fn lengths(block: usize) -> impl Iterator<Item = usize> {
    (0..=100).map(move |blocks| blocks * block).chain([1, block - 1, block + 1, 9_999])
}

fn applied(mut stream: impl StreamCipher, bytes: usize) -> Vec<u8> {
    let mut message = message(bytes);
    stream.apply_keystream(&mut message);
    message
}

macro_rules! test_backend {
    (#[$condition:meta] $backend:ident) => {
        #[$condition]
        mod $backend {
            test_backend!(@size threefish_256, $backend::Threefish256, 32);
            test_backend!(@size threefish_512, $backend::Threefish512, 64);
            test_backend!(@size threefish_1024, $backend::Threefish1024, 128);

            mod codes_of_256_bits {
                type Cipher = threefish_conformance::registry::crates::$backend::Threefish256;
                type Ours = crate::FixedTweak<Cipher>;
                type Peer = ::threefish::Threefish256;

                test_backend!(@code cmac_of_any_length, cmac::Cmac, crate::lengths(32));
                test_backend!(@code pmac_of_any_length, pmac::Pmac, crate::lengths(32));
            }
        }
    };
    (@size $module:ident, $backend:ident::$Cipher:ident, $bytes:literal) => {
        mod $module {
            use crate::*;

            type Cipher = threefish_conformance::registry::crates::$backend::$Cipher;
            type Ours = FixedTweak<Cipher>;
            type Peer = ::threefish::$Cipher;

            const KEY: [u8; $bytes] = [0x42; $bytes];
            /// Whose counters run over at once, of either byte order.
            const NONCE: [u8; $bytes] = [0xFF; $bytes];

            fn ours() -> Ours {
                FixedTweak::with_tweak(Cipher::from_bytes(&KEY), TWEAK.into())
            }

            fn peer() -> Peer {
                Peer::new_with_tweak(&KEY, &TWEAK)
            }

            test_backend!(@counter counter_of_32_bits_le, Ctr32LE);
            test_backend!(@counter counter_of_32_bits_be, Ctr32BE);
            test_backend!(@counter counter_of_64_bits_le, Ctr64LE);
            test_backend!(@counter counter_of_64_bits_be, Ctr64BE);
            test_backend!(@counter counter_of_128_bits_le, Ctr128LE);
            test_backend!(@counter counter_of_128_bits_be, Ctr128BE);

            #[test]
            fn counter_mode_of_10_mib() {
                if runs_here::<Cipher>() {
                    let nonce = NONCE.into();
                    let ours = ctr::Ctr64LE::<Ours>::new(&KEY.into(), &nonce);
                    let peer = ctr::Ctr64LE::<Peer>::new(&KEY.into(), &nonce);
                    let encrypted = applied(ours, 10 * MIB + 17);
                    assert!(encrypted == applied(peer, 10 * MIB + 17));

                    let mut ours = ctr::Ctr64LE::<Ours>::new(&KEY.into(), &nonce);
                    let mut decrypted = encrypted;
                    // Pieces that begin and end within a block, and from the middle on first.
                    let (start, end) = decrypted.split_at_mut(5 * MIB + 7);
                    ours.seek(start.len());
                    end.chunks_mut(9_973).for_each(|piece| ours.apply_keystream(piece));
                    ours.seek(0);
                    start.chunks_mut(4_999).for_each(|piece| ours.apply_keystream(piece));
                    assert!(decrypted == message(10 * MIB + 17));
                }
            }

            #[test]
            fn electronic_codebook() {
                for bytes in lengths($bytes).filter(|_| runs_here::<Cipher>()) {
                    let plain = message(bytes);
                    let encrypted =
                        ecb::Encryptor::inner_init(ours()).encrypt_padded_vec::<Pkcs7>(&plain);
                    let peers =
                        ecb::Encryptor::inner_init(peer()).encrypt_padded_vec::<Pkcs7>(&plain);
                    assert!(encrypted == peers, "{bytes} bytes");
                    let decrypted =
                        ecb::Decryptor::inner_init(ours()).decrypt_padded_vec::<Pkcs7>(&encrypted);
                    assert!(decrypted.is_ok_and(|bytes| bytes == plain), "{bytes} bytes");
                }
            }

            #[test]
            fn cipher_block_chaining() {
                let iv = NONCE.into();
                for bytes in lengths($bytes).filter(|_| runs_here::<Cipher>()) {
                    let plain = message(bytes);
                    let encrypted = cbc::Encryptor::inner_iv_init(ours(), &iv)
                        .encrypt_padded_vec::<Pkcs7>(&plain);
                    let peers = cbc::Encryptor::inner_iv_init(peer(), &iv)
                        .encrypt_padded_vec::<Pkcs7>(&plain);
                    assert!(encrypted == peers, "{bytes} bytes");
                    let decrypted = cbc::Decryptor::inner_iv_init(ours(), &iv)
                        .decrypt_padded_vec::<Pkcs7>(&encrypted);
                    assert!(decrypted.is_ok_and(|bytes| bytes == plain), "{bytes} bytes");
                }
            }

            test_backend!(@code cbc_mac_of_one_length, cbc_mac::CbcMac, [5 * $bytes]);
        }
    };
    (@counter $test:ident, $Flavor:ident) => {
        #[test]
        fn $test() {
            let nonce = NONCE.into();
            for bytes in lengths(KEY.len()).filter(|_| runs_here::<Cipher>()) {
                let ours = ctr::$Flavor::from_core(CtrCore::inner_iv_init(ours(), &nonce));
                let peer = ctr::$Flavor::from_core(CtrCore::inner_iv_init(peer(), &nonce));
                assert!(applied(ours, bytes) == applied(peer, bytes), "{bytes} bytes");
            }
        }
    };
    (@code $test:ident, $mac:ident::$Mac:ident, $lengths:expr) => {
        #[test]
        fn $test() {
            use $mac::{KeyInit, Mac};

            let key = [0x42; size_of::<$mac::digest::Key<$mac::$Mac<Ours>>>()].into();
            for bytes in $lengths.into_iter().filter(|_| crate::runs_here::<Cipher>()) {
                let message = crate::message(bytes);
                let ours = $mac::$Mac::<Ours>::new(&key).chain_update(&message).finalize();
                let peers = $mac::$Mac::<Peer>::new(&key).chain_update(&message).finalize();
                assert_eq!(ours.into_bytes(), peers.into_bytes(), "{bytes} bytes");
            }
        }
    };
}
for_each_backend!(test_backend);
