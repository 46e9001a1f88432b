use std::fmt::Debug;

use proptest::{
    collection::vec,
    prelude::*,
    sample::select,
    test_runner::{Config, RngAlgorithm, TestRng, TestRunner},
};
use threefish_api::{Tweak, revision::Version};

use super::pattern;
use crate::{
    differential::EDGES,
    model::Model,
    subject::{Call, Direction, Form, Operation, Subject},
    to_bytes, to_words,
};

/// Random keys, tweaks and blocks, edge words among them: every single-block call gives what the
/// model gives.
///
/// # Panics
///
/// If one differs, with the smallest case that shows it.
pub fn equals_the_model(subject: &Subject) {
    for_random_blocks(subject, |key, tweak, block| {
        assert_equals_model(subject, key, tweak, block);
    });
}

/// Random keys, tweaks and blocks: each call to decrypt undoes the call to encrypt, and the other
/// way round.
///
/// # Panics
///
/// If one does not, with the smallest case that shows it.
pub fn decrypt_undoes_encrypt(subject: &Subject) {
    for_random_blocks(subject, |key, tweak, block| {
        let cipher = subject.cipher(&to_bytes(key));
        let tweaks = [Tweak::from(tweak)];
        for there in cipher.operations() {
            let back = match there.direction {
                Direction::Encrypt => Operation { direction: Direction::Decrypt, ..*there },
                Direction::Decrypt => Operation { direction: Direction::Encrypt, ..*there },
            };
            let mut bytes = to_bytes(block);
            cipher.run(*there, &tweaks, &mut bytes);
            assert_ne!(to_words(&bytes), block, "{subject:?}: {there} changed nothing");
            cipher.run(back, &tweaks, &mut bytes);
            assert_eq!(to_words(&bytes), block, "{subject:?}: {there}, then {back}");
        }
    });
}

/// Each single bit of the key, the tweak and the block, all else zero, against the model.
///
/// # Panics
///
/// If one differs.
pub fn walking_bits(subject: &Subject) {
    let zeros = vec![0; subject.size.words()];
    for word in 0..subject.size.words() {
        for bit in 0..64 {
            let mut words = zeros.clone();
            words[word] = 1 << bit;
            assert_equals_model(subject, &words, [0, 0], &zeros);
            assert_equals_model(subject, &zeros, [0, 0], &words);
        }
    }
    for bit in 0..64 {
        assert_equals_model(subject, &zeros, [1 << bit, 0], &zeros);
        assert_equals_model(subject, &zeros, [0, 1 << bit], &zeros);
    }
}

/// A key whose parity word is zero is as good as any.
///
/// # Panics
///
/// If the result is not the model's.
pub fn zero_parity_word(subject: &Subject) {
    let mut key = vec![0; subject.size.words()];
    key[0] = match subject.version {
        Version::V1_1 | Version::V1_2 => 0x5555_5555_5555_5555,
        Version::V1_3 => 0x1BD1_1BDA_A9FC_1A22,
    };
    let block = to_words(&pattern(subject.size.bytes()));
    assert_equals_model(subject, &key, [0, 0], &vec![0; block.len()]);
    assert_equals_model(subject, &key, [1, 2], &block);
}

/// One cipher value under one tweak, another, and the first again: no call leaves a trace of its
/// tweak behind.
///
/// # Panics
///
/// If the first and the third result differ, or the first and the second do not.
pub fn new_tweak_leaves_no_trace(subject: &Subject) {
    let cipher = subject.cipher(&pattern(subject.size.bytes()));
    for operation in cipher.operations() {
        let run = |tweak| {
            let mut block = vec![7; subject.size.bytes()];
            cipher.run(*operation, &[tweak], &mut block);
            block
        };
        let tweaks = [Tweak::new(1, 2), Tweak::new(u64::MAX, 3), Tweak::new(1, 2)];
        let [first, second, third] = tweaks.map(run);
        assert_ne!(first, second, "{subject:?}: {operation} does not use the tweak");
        assert_eq!(first, third, "{subject:?}: {operation} under the first tweak again");
        let [alone, swapped] = [Tweak::new(5, 0), Tweak::new(0, 5)].map(run);
        assert_ne!(
            alone, swapped,
            "{subject:?}: {operation} takes the tweak's words for one another"
        );
    }
}

/// Encrypts and decrypts a block, in words and bytes, and compares with the model.
fn assert_equals_model(subject: &Subject, key: &[u64], tweak: [u64; 2], block: &[u64]) {
    let model = Model::new(subject.size, subject.version, key);
    let cipher = subject.cipher(&to_bytes(key));
    for direction in [Direction::Encrypt, Direction::Decrypt] {
        let expected = match direction {
            Direction::Encrypt => model.encrypt(tweak, block),
            Direction::Decrypt => model.decrypt(tweak, block),
        };
        for form in [Form::Words, Form::Bytes] {
            let operation = Operation::new(direction, form, Call::Block);
            let mut bytes = to_bytes(block);
            cipher.run(operation, &[Tweak::from(tweak)], &mut bytes);
            assert_eq!(
                to_words(&bytes),
                expected,
                "{subject:?}: {operation} of {block:x?}, key {key:x?}, tweak {tweak:x?}"
            );
        }
    }
}

/// Random keys, tweaks and blocks for a size, shrunk where `property` panics.
fn for_random_blocks(subject: &Subject, property: impl Fn(&[u64], [u64; 2], &[u64])) {
    let words = subject.size.words();
    let strategy = (vec(word(), words), [word(), word()], vec(word(), words));
    for_all(&strategy, |(key, tweak, block)| property(&key, tweak, &block));
}

/// Any word, and as often one at an edge.
fn word() -> impl Strategy<Value = u64> + Clone {
    prop_oneof![any::<u64>(), select(&EDGES[..])]
}

/// A few hundred values of a strategy. They are the same in each run, so that a test fails or
/// passes for a change and not by luck; the differential tests look for new ones.
fn for_all<S: Strategy>(strategy: &S, property: impl Fn(S::Value))
where
    S::Value: Debug,
{
    let config = Config { cases: 256, failure_persistence: None, ..Config::default() };
    let random = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    TestRunner::new_with_rng(config, random)
        .run(strategy, |value| {
            property(value);
            Ok(())
        })
        .unwrap_or_else(|error| panic!("{error}"));
}
