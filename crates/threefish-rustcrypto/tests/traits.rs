//! The traits of `cipher` against the trait `Threefish`, for every backend.

use std::{
    fmt,
    marker::PhantomData,
    sync::{Arc, Mutex},
};

use threefish_api::{Bytes, Threefish, Tweak, V1_1, V1_2, Words};
use threefish_conformance::for_each_backend;
use threefish_rustcrypto::{
    FixedTweak, Size, Tweakable,
    cipher::{
        AlgorithmName, Array, Block, BlockCipherDecrypt, BlockCipherEncrypt, KeyInit,
        TweakBlockCipherDecrypt, TweakBlockCipherEncrypt,
    },
};

const TWEAK: Tweak = Tweak::new(0x0706_0504_0302_0100, 0x0F0E_0D0C_0B0A_0908);

macro_rules! test_backend {
    (#[$condition:meta] $backend:ident) => {
        #[$condition]
        mod $backend {
            use threefish_conformance::registry::crates::$backend::{
                Threefish256, Threefish512, Threefish1024, V1_1, V1_3,
            };

            test_backend!(@size threefish_256, Threefish256);
            test_backend!(@size threefish_512, Threefish512);
            test_backend!(@size threefish_1024, Threefish1024);
        }
    };
    (@size $module:ident, $Cipher:ident) => {
        mod $module {
            test_backend!(@tests super::$Cipher:
                blocks_equal_the_plain_trait single_blocks_equal_the_plain_trait
                tweakable_blocks_equal_the_plain_trait made_of_a_key_the_tweak_is_zero
                wrong_key_lengths_are_errors debug_hides_the_key);
        }
    };
    (@tests super::$Cipher:ident: $($property:ident)+) => {$(
        #[test]
        fn $property() {
            if threefish_conformance::suite::runs_here::<super::$Cipher>() {
                crate::$property::<super::$Cipher<super::V1_3>>();
                crate::$property::<super::$Cipher<super::V1_1>>();
            }
        }
    )+};
}
for_each_backend!(test_backend);

/// Words without a pattern, so that blocks in the wrong place show.
fn words<T: Threefish>(seed: u64) -> T::Words {
    let mut words = T::Words::ZERO;
    for (i, word) in (1..).zip(words.as_mut()) {
        *word = (seed + i).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
    }
    words
}

fn plain_blocks<T: Threefish>(count: usize) -> Vec<Bytes<T>> {
    (0..count as u64).map(|i| words::<T>(1000 * i).to_bytes()).collect()
}

fn as_blocks<T: Threefish<Words: Size>>(blocks: &[Bytes<T>]) -> Vec<Block<FixedTweak<T>>> {
    blocks.iter().map(|block| Array(*block)).collect()
}

/// Every remainder of the blocks that modes hand over at a time, and of a batch: in place, and from
/// one slice into another.
fn blocks_equal_the_plain_trait<T: Threefish<Words: Size>>() {
    let cipher = T::new(&words::<T>(1));
    let adapter = FixedTweak::with_tweak(cipher.clone(), TWEAK);
    for count in 0..=100 {
        let plain = plain_blocks::<T>(count);
        let mut expected = plain.clone();
        cipher.encrypt_blocks_bytes(|_| TWEAK, &mut expected);
        let (plain, expected) = (as_blocks::<T>(&plain), as_blocks::<T>(&expected));

        let mut blocks = plain.clone();
        adapter.encrypt_blocks(&mut blocks);
        assert_eq!(blocks, expected, "encryption of {count} blocks in place");
        adapter.decrypt_blocks(&mut blocks);
        assert_eq!(blocks, plain, "decryption of {count} blocks in place");

        blocks.fill(Array(T::Words::ZERO.to_bytes()));
        adapter.encrypt_blocks_b2b(&plain, &mut blocks).expect("of one length");
        assert_eq!(blocks, expected, "encryption of {count} blocks from-to");
        blocks.fill(Array(T::Words::ZERO.to_bytes()));
        adapter.decrypt_blocks_b2b(&expected, &mut blocks).expect("of one length");
        assert_eq!(blocks, plain, "decryption of {count} blocks from-to");
    }
}

fn single_blocks_equal_the_plain_trait<T: Threefish<Words: Size>>() {
    let cipher = T::new(&words::<T>(1));
    let adapter = FixedTweak::with_tweak(cipher.clone(), TWEAK);
    let plain = words::<T>(2).to_bytes();
    let mut expected = plain;
    cipher.encrypt_block_bytes(TWEAK, &mut expected);

    let mut block = Array(plain);
    adapter.encrypt_block(&mut block);
    assert_eq!(block.0, expected);
    adapter.decrypt_block(&mut block);
    assert_eq!(block.0, plain);

    block = Array(T::Words::ZERO.to_bytes());
    adapter.encrypt_block_b2b(&Array(plain), &mut block);
    assert_eq!(block.0, expected);
    block = Array(T::Words::ZERO.to_bytes());
    adapter.decrypt_block_b2b(&Array(expected), &mut block);
    assert_eq!(block.0, plain);
}

fn tweakable_blocks_equal_the_plain_trait<T: Threefish<Words: Size>>() {
    let cipher = T::new(&words::<T>(1));
    let adapter = Tweakable::from(cipher.clone());
    let plain = words::<T>(2).to_bytes();
    for tweak in [Tweak::ZERO, TWEAK, Tweak::new(1, 0), Tweak::new(0, 1)] {
        let mut expected = plain;
        cipher.encrypt_block_bytes(tweak, &mut expected);

        let tweak = tweak.to_bytes().into();
        let mut block = Array(plain);
        adapter.encrypt_block(&tweak, &mut block);
        assert_eq!(block.0, expected);
        adapter.decrypt_block(&tweak, &mut block);
        assert_eq!(block.0, plain);

        block = Array(T::Words::ZERO.to_bytes());
        adapter.encrypt_block_b2b(&tweak, &Array(plain), &mut block);
        assert_eq!(block.0, expected);
        block = Array(T::Words::ZERO.to_bytes());
        adapter.decrypt_block_b2b(&tweak, &Array(expected), &mut block);
        assert_eq!(block.0, plain);
    }
}

fn made_of_a_key_the_tweak_is_zero<T: Threefish<Words: Size>>() {
    let key = words::<T>(1).to_bytes();
    let plain = words::<T>(2).to_bytes();
    let mut expected = plain;
    T::from_bytes(&key).encrypt_block_bytes(Tweak::ZERO, &mut expected);

    let fixed =
        [FixedTweak::<T>::new(&Array(key)), FixedTweak::from(T::from_bytes(&key))].map(|cipher| {
            let mut block = Array(plain);
            cipher.clone().encrypt_block(&mut block);
            block.0
        });
    assert_eq!(fixed, [expected; 2]);

    let mut block = Array(plain);
    let tweakable = Tweakable::<T>::new_from_slice(key.as_ref()).expect("a key").clone();
    tweakable.encrypt_block(&[0; 16].into(), &mut block);
    assert_eq!(block.0, expected);
}

fn wrong_key_lengths_are_errors<T: Threefish<Words: Size>>() {
    let key = [7; 129];
    for length in 0..=key.len() {
        let right = length == T::BLOCK_BYTES;
        assert_eq!(FixedTweak::<T>::new_from_slice(&key[..length]).is_ok(), right, "{length}");
        assert_eq!(Tweakable::<T>::new_from_slice(&key[..length]).is_ok(), right, "{length}");
    }
}

fn debug_hides_the_key<T: Threefish<Words: Size>>() {
    let shown = |byte| {
        let key = vec![byte; T::BLOCK_BYTES];
        let fixed = FixedTweak::<T>::new_from_slice(&key).expect("a key");
        let tweakable = Tweakable::<T>::new_from_slice(&key).expect("a key");
        format!("{fixed:?} {tweakable:?} {fixed:#?} {tweakable:#?}")
    };
    assert_eq!(shown(0), shown(0xA5));
    assert!(shown(0).contains(T::BACKEND), "{}", shown(0));
}

#[test]
fn algorithm_names_tell_size_and_old_revisions() {
    use ::threefish_unrolled::{Threefish256, Threefish512, Threefish1024};

    struct Name<T>(PhantomData<T>);
    impl<T: AlgorithmName> fmt::Display for Name<T> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            T::write_alg_name(f)
        }
    }
    fn name<T: AlgorithmName>() -> String {
        Name(PhantomData::<T>).to_string()
    }

    assert_eq!(name::<FixedTweak<Threefish256>>(), "Threefish256");
    assert_eq!(name::<FixedTweak<Threefish512>>(), name::<threefish::Threefish512>());
    assert_eq!(name::<Tweakable<Threefish1024>>(), "Threefish1024");
    assert_eq!(name::<Tweakable<Threefish1024<V1_2>>>(), "Threefish1024-1.2");
    assert_eq!(name::<FixedTweak<Threefish256<V1_1>>>(), "Threefish256-1.1");
}

/// Bulk calls get as many blocks as modes hand over at a time, and the rest in one call.
#[test]
fn many_blocks_reach_the_bulk_call() {
    use ::threefish_unrolled::{Threefish256, Threefish512, Threefish1024};

    reaches_the_bulk_call::<Threefish256>(48);
    reaches_the_bulk_call::<Threefish512>(24);
    reaches_the_bulk_call::<Threefish1024>(16);
}

fn reaches_the_bulk_call<T: Threefish<Words: Size>>(group: usize) {
    let calls = Arc::default();
    let recorder = Recorder::<T> { cipher: T::new(&words::<T>(1)), calls: Arc::clone(&calls) };
    let adapter = FixedTweak::from(recorder);
    for count in 0..=3 * group {
        let mut expected = vec![group; count / group];
        expected.push(count % group);
        expected.retain(|blocks| *blocks > 0);

        let mut blocks = as_blocks::<T>(&plain_blocks::<T>(count));
        adapter.encrypt_blocks(&mut blocks);
        assert_eq!(taken(&calls), expected, "encryption of {count} blocks");
        adapter.decrypt_blocks(&mut blocks);
        assert_eq!(taken(&calls), expected, "decryption of {count} blocks");
    }
}

/// The blocks of each bulk call since the last time.
fn taken(calls: &Mutex<Vec<usize>>) -> Vec<usize> {
    let mut calls = std::mem::take(&mut *calls.lock().expect("no panic"));
    calls.retain(|blocks| *blocks > 0);
    calls
}

/// Keeps how many blocks each bulk call got. A single call panics.
#[derive(Clone, Debug)]
struct Recorder<T> {
    cipher: T,
    calls: Arc<Mutex<Vec<usize>>>,
}

impl<T: Threefish> Threefish for Recorder<T> {
    type Words = T::Words;
    type Revision = T::Revision;

    const BACKEND: &'static str = "recorder";
    const LANES: usize = T::LANES;

    fn new(key: &Self::Words) -> Self {
        Self { cipher: T::new(key), calls: Arc::default() }
    }

    fn encrypt_block(&self, _tweak: Tweak, _block: &mut Self::Words) {
        panic!("encrypts a single block");
    }

    fn decrypt_block(&self, _tweak: Tweak, _block: &mut Self::Words) {
        panic!("decrypts a single block");
    }

    fn encrypt_blocks_bytes(&self, tweak: impl FnMut(usize) -> Tweak, blocks: &mut [Bytes<Self>]) {
        self.calls.lock().expect("no panic").push(blocks.len());
        self.cipher.encrypt_blocks_bytes(tweak, blocks);
    }

    fn decrypt_blocks_bytes(&self, tweak: impl FnMut(usize) -> Tweak, blocks: &mut [Bytes<Self>]) {
        self.calls.lock().expect("no panic").push(blocks.len());
        self.cipher.decrypt_blocks_bytes(tweak, blocks);
    }
}

/// Only that it compiles counts; that memory is wiped is tested with each backend.
#[cfg(feature = "zeroize")]
#[test]
fn ciphers_say_that_they_are_wiped() {
    use ::threefish_unrolled::Threefish256;
    use threefish_rustcrypto::cipher::zeroize::ZeroizeOnDrop;

    fn wiped<T: ZeroizeOnDrop>() {}
    wiped::<FixedTweak<Threefish256>>();
    wiped::<Tweakable<Threefish256>>();
}
