use std::fmt::Debug;

use threefish_api::{Bytes, LengthError, Threefish, Tweak, Words};

use super::{counts, pattern};
use crate::{
    buffer::Guarded,
    subject::{Call, Direction, Form, Operation, Subject},
};

/// Any number of blocks at once gives what as many single calls give.
///
/// # Panics
///
/// If a block differs.
pub fn bulk_equals_single(subject: &Subject) {
    compare_with_single(subject, |i| Tweak::new(i as u64, !(i as u64)));
}

/// As [`bulk_equals_single`], on equal blocks that only their tweaks tell apart.
///
/// # Panics
///
/// If a block differs from that of a single call, or two of them are equal.
pub fn each_block_has_its_own_tweak(subject: &Subject) {
    let cipher = subject.cipher(&pattern(subject.size.bytes()));
    let n = 2 * subject.lanes + 17;
    let tweaks: Vec<_> = (0..n).map(|i| Tweak::from(1_u128 << (3 * i))).collect();
    for operation in cipher.operations() {
        let mut blocks = vec![0x5A; n * subject.size.bytes()];
        cipher.run(*operation, &tweaks, &mut blocks);

        let blocks: Vec<_> = blocks.chunks(subject.size.bytes()).collect();
        for (i, block) in blocks.iter().enumerate() {
            let single = Operation { call: Call::Block, ..*operation };
            let mut alone = vec![0x5A; subject.size.bytes()];
            cipher.run(single, &tweaks[i..=i], &mut alone);
            assert_eq!(*block, alone, "{subject:?}: {operation}: block {i} under its tweak");
            assert!(!blocks[..i].contains(block), "{subject:?}: {operation}: block {i} is another");
        }
    }
}

fn compare_with_single(subject: &Subject, tweak: impl Fn(usize) -> Tweak) {
    let cipher = subject.cipher(&pattern(subject.size.bytes()));
    for n in counts(subject.lanes) {
        let tweaks: Vec<_> = (0..n).map(&tweak).collect();
        let input = pattern(n * subject.size.bytes());
        for direction in [Direction::Encrypt, Direction::Decrypt] {
            let mut single = input.clone();
            let one_by_one = Operation::new(direction, Form::Words, Call::Block);
            cipher.run(one_by_one, &tweaks, &mut single);
            for operation in cipher.operations() {
                if operation.direction == direction && *operation != one_by_one {
                    let mut blocks = input.clone();
                    cipher.run(*operation, &tweaks, &mut blocks);
                    assert!(blocks == single, "{subject:?}: {operation} of {n} blocks");
                }
            }
        }
    }
}

/// Blocks of bytes at every address modulo 16, one and many, give the same and nothing around
/// them changes.
///
/// # Panics
///
/// If a result depends on the address, or a byte around the blocks changes.
pub fn every_alignment(subject: &Subject) {
    let cipher = subject.cipher(&pattern(subject.size.bytes()));
    for n in [1, 2 * subject.lanes + 1, 17] {
        let tweaks: Vec<_> = (0..n).map(|i| Tweak::from(i as u128)).collect();
        let input = pattern(n * subject.size.bytes());
        for operation in cipher.operations() {
            let mut expected = input.clone();
            cipher.run(Operation { form: Form::Words, ..*operation }, &tweaks, &mut expected);
            for alignment in 0..16 {
                let mut buffer = Guarded::new(alignment, &input);
                cipher.run(*operation, &tweaks, buffer.bytes());
                let at = format!("{subject:?}: {operation} of {n} blocks at {alignment} mod 16");
                assert!(buffer.bytes() == expected, "{at}");
                assert!(buffer.is_intact(), "{at} wrote outside");
            }
        }
    }
}

/// From-to calls read and write blocks of bytes at addresses of any two remainders modulo 16.
///
/// # Panics
///
/// If a result depends on the addresses, the input changes, or a byte around either does.
pub fn every_alignment_from_to<T: Threefish>() {
    let cipher = T::new(&key::<T>());
    let n = 2 * T::LANES + 1;
    let tweak = |i: usize| Tweak::from(i as u128);
    let input = pattern(n * T::BLOCK_BYTES);
    let mut expected = byte_blocks::<T>(n);
    cipher.encrypt_blocks_bytes(tweak, &mut expected);
    for from_alignment in 0..16 {
        let mut from = Guarded::new(from_alignment, &input);
        for to_alignment in 0..16 {
            let mut to = Guarded::new(to_alignment, &input);
            let (from_blocks, to_blocks) =
                (T::split_blocks(from.bytes()).0, T::split_blocks_mut(to.bytes()).0);
            let at = format!("from {from_alignment} to {to_alignment} mod 16");
            ok(cipher.encrypt_blocks_bytes_to(tweak, from_blocks, to_blocks));
            assert!(*to_blocks == expected, "encrypt_blocks_bytes_to {at}");
            cipher.encrypt_block_bytes_to(tweak(1), &from_blocks[1], &mut to_blocks[0]);
            assert!(to_blocks[0] == expected[1], "encrypt_block_bytes_to {at}");
            assert!(from.bytes() == input && from.is_intact() && to.is_intact(), "{at}");
        }
    }
}

/// Bulk calls ask for the tweak of each block exactly once, in ascending order, and for no other.
///
/// # Panics
///
/// If they ask otherwise.
pub fn tweak_function_is_called_once_for_each_block<T: Threefish>() {
    let cipher = T::new(&key::<T>());
    for n in counts(T::LANES) {
        let mut blocks = word_blocks::<T>(n);
        let mut bytes = byte_blocks::<T>(n);
        let (from, from_bytes) = (blocks.clone(), bytes.clone());

        assert_calls(n, |tweak| cipher.encrypt_blocks(tweak, &mut blocks));
        assert_calls(n, |tweak| cipher.decrypt_blocks(tweak, &mut blocks));
        assert_calls(n, |tweak| cipher.encrypt_blocks_bytes(tweak, &mut bytes));
        assert_calls(n, |tweak| cipher.decrypt_blocks_bytes(tweak, &mut bytes));
        assert_calls(n, |tweak| ok(cipher.encrypt_blocks_to(tweak, &from, &mut blocks)));
        assert_calls(n, |tweak| ok(cipher.decrypt_blocks_to(tweak, &from, &mut blocks)));
        assert_calls(n, |tweak| {
            ok(cipher.encrypt_blocks_bytes_to(tweak, &from_bytes, &mut bytes));
        });
        assert_calls(n, |tweak| {
            ok(cipher.decrypt_blocks_bytes_to(tweak, &from_bytes, &mut bytes));
        });
    }
}

fn assert_calls(n: usize, run: impl FnOnce(&mut dyn FnMut(usize) -> Tweak)) {
    let mut asked = Vec::new();
    run(&mut |i| {
        asked.push(i);
        Tweak::from(i as u128)
    });
    assert!(asked.iter().copied().eq(0..n), "{n} blocks asked for the tweaks {asked:?}");
}

/// From-to calls give what calls in place give, and leave their input as it was.
///
/// # Panics
///
/// If they do not.
pub fn from_to_equals_in_place<T: Threefish>() {
    let cipher = T::new(&key::<T>());
    let tweak = |i: usize| Tweak::new(3, i as u64);
    for n in counts(T::LANES) {
        let (from, from_bytes) = (word_blocks::<T>(n), byte_blocks::<T>(n));
        let (mut blocks, mut bytes) = (from.clone(), from_bytes.clone());
        let (mut to, mut to_bytes) = (junk_words::<T>(n), junk_bytes::<T>(n));

        cipher.encrypt_blocks(tweak, &mut blocks);
        ok(cipher.encrypt_blocks_to(tweak, &from, &mut to));
        assert!(to == blocks, "encrypt_blocks_to of {n}");
        cipher.encrypt_blocks_bytes(tweak, &mut bytes);
        ok(cipher.encrypt_blocks_bytes_to(tweak, &from_bytes, &mut to_bytes));
        assert!(to_bytes == bytes, "encrypt_blocks_bytes_to of {n}");

        ok(cipher.decrypt_blocks_to(tweak, &blocks, &mut to));
        cipher.decrypt_blocks(tweak, &mut blocks);
        assert!(to == blocks && blocks == from, "decrypt_blocks_to of {n}");
        ok(cipher.decrypt_blocks_bytes_to(tweak, &bytes, &mut to_bytes));
        cipher.decrypt_blocks_bytes(tweak, &mut bytes);
        assert!(to_bytes == bytes && bytes == from_bytes, "decrypt_blocks_bytes_to of {n}");
    }
    single_from_to_equals_in_place(&cipher, tweak(0));
}

fn single_from_to_equals_in_place<T: Threefish>(cipher: &T, tweak: Tweak) {
    let (from, from_bytes) = (word_blocks::<T>(1)[0], byte_blocks::<T>(1)[0]);
    let (mut block, mut bytes) = (from, from_bytes);
    let (mut to, mut to_bytes) = (junk_words::<T>(1)[0], junk_bytes::<T>(1)[0]);

    cipher.encrypt_block(tweak, &mut block);
    cipher.encrypt_block_to(tweak, &from, &mut to);
    assert_eq!(to, block, "encrypt_block_to");
    cipher.encrypt_block_bytes(tweak, &mut bytes);
    cipher.encrypt_block_bytes_to(tweak, &from_bytes, &mut to_bytes);
    assert_eq!(to_bytes, bytes, "encrypt_block_bytes_to");
    assert_eq!(bytes, block.to_bytes(), "encrypt_block_bytes");

    cipher.decrypt_block_to(tweak, &block, &mut to);
    assert_eq!(to, from, "decrypt_block_to");
    cipher.decrypt_block_bytes_to(tweak, &bytes, &mut to_bytes);
    assert_eq!(to_bytes, from_bytes, "decrypt_block_bytes_to");
}

/// From-to calls on slices of unlike lengths are errors that tell both lengths; nothing is
/// written and no tweak asked for.
///
/// # Panics
///
/// If a call succeeds, writes, or tells something else.
pub fn from_to_of_unlike_lengths<T: Threefish>() {
    let cipher = T::new(&key::<T>());
    let tweak = |i: usize| -> Tweak { panic!("asked for tweak {i}") };
    for (n, m) in [(0, 1), (1, 0), (2, 1), (1, 2), (17, 16), (16, 17), (1000, 999)] {
        let (from, mut to) = (word_blocks::<T>(n), junk_words::<T>(m));
        assert_lengths(cipher.encrypt_blocks_to(tweak, &from, &mut to), n, m);
        assert_lengths(cipher.decrypt_blocks_to(tweak, &from, &mut to), n, m);
        assert!(to == junk_words::<T>(m), "{n} blocks to {m}: words were written");

        let (from, mut to) = (byte_blocks::<T>(n), junk_bytes::<T>(m));
        assert_lengths(cipher.encrypt_blocks_bytes_to(tweak, &from, &mut to), n, m);
        assert_lengths(cipher.decrypt_blocks_bytes_to(tweak, &from, &mut to), n, m);
        assert!(to == junk_bytes::<T>(m), "{n} blocks to {m}: bytes were written");
    }
}

fn assert_lengths(result: Result<(), LengthError>, expected: usize, given: usize) {
    let error = result.expect_err("unlike lengths");
    assert_eq!((error.expected(), error.given()), (expected, given), "{error}");
    let message = error.to_string();
    for number in [expected, given] {
        assert!(message.contains(&number.to_string()), "{message:?} lacks {number}");
    }
}

/// Many keys give what a new cipher for each block gives.
///
/// # Panics
///
/// If a block differs.
pub fn many_keys_equal_a_loop<T: Threefish>() {
    for n in counts(T::LANES) {
        let keys = word_blocks::<T>(n);
        let tweaks: Vec<_> = (0..n).map(|i| Tweak::new(i as u64, 5)).collect();
        let mut from = word_blocks::<T>(n);
        from.reverse();

        let mut blocks = from.clone();
        ok(T::encrypt_keys(&keys, &tweaks, &mut blocks));
        for (i, mut block) in from.iter().copied().enumerate() {
            T::new(&keys[i]).encrypt_block(tweaks[i], &mut block);
            assert_eq!(blocks[i], block, "block {i} of {n}");
        }
        ok(T::decrypt_keys(&keys, &tweaks, &mut blocks));
        assert!(blocks == from, "decrypt_keys of {n} does not undo encrypt_keys");
    }
}

/// Too few or too many keys or tweaks are errors that tell both lengths, and nothing is written.
///
/// # Panics
///
/// If a call succeeds, writes, or tells something else.
pub fn many_keys_of_unlike_lengths<T: Threefish>() {
    for (keys, tweaks, given, of) in [
        (2, 3, 2, "keys"),
        (4, 3, 4, "keys"),
        (0, 3, 0, "keys"),
        (3, 2, 2, "tweaks"),
        (3, 4, 4, "tweaks"),
        (3, 0, 0, "tweaks"),
    ] {
        let keys = word_blocks::<T>(keys);
        let tweaks = vec![Tweak::ZERO; tweaks];
        let mut blocks = junk_words::<T>(3);
        let results = [
            T::encrypt_keys(&keys, &tweaks, &mut blocks),
            T::decrypt_keys(&keys, &tweaks, &mut blocks),
        ];
        for result in results {
            assert!(result.is_err_and(|error| error.to_string().contains(of)), "{of}");
            assert_lengths(result, 3, given);
        }
        assert!(blocks == junk_words::<T>(3), "blocks were written");
    }
}

/// Calls on words write only the blocks that they are given.
///
/// # Panics
///
/// If a neighbour changes.
pub fn nothing_written_outside<T: Threefish>() {
    let cipher = T::new(&key::<T>());
    for n in counts(T::LANES) {
        // One more block than that on either side is guard enough for a register of lanes.
        let guard = T::LANES + 1;
        let mut blocks = junk_words::<T>(n + 2 * guard);
        let mut bytes = junk_bytes::<T>(n + 2 * guard);
        let (all, all_bytes) = (blocks.clone(), bytes.clone());
        let inside = guard..guard + n;

        cipher.encrypt_blocks(|_| Tweak::ZERO, &mut blocks[inside.clone()]);
        assert_guards(&blocks, &all, guard);
        cipher.decrypt_blocks(|_| Tweak::new(1, 2), &mut blocks[inside.clone()]);
        assert_guards(&blocks, &all, guard);
        ok(cipher.encrypt_blocks_to(
            |_| Tweak::ZERO,
            &word_blocks::<T>(n),
            &mut blocks[inside.clone()],
        ));
        assert_guards(&blocks, &all, guard);
        cipher.encrypt_blocks_bytes(|_| Tweak::ZERO, &mut bytes[inside.clone()]);
        assert_guards(&bytes, &all_bytes, guard);
        cipher.decrypt_blocks_bytes(|_| Tweak::new(1, 2), &mut bytes[inside]);
        assert_guards(&bytes, &all_bytes, guard);
    }
}

fn assert_guards<B: PartialEq + Debug>(blocks: &[B], before: &[B], guard: usize) {
    let end = blocks.len() - guard;
    assert_eq!(blocks[..guard], before[..guard], "blocks before the first");
    assert_eq!(blocks[end..], before[end..], "blocks behind the last");
    assert!(guard == end || blocks[guard..end] != before[guard..end], "nothing was written at all");
}

fn ok(result: Result<(), LengthError>) {
    result.expect("equal lengths");
}

pub(crate) fn key<T: Threefish>() -> T::Words {
    word_blocks::<T>(2)[1]
}

pub(crate) fn byte_blocks<T: Threefish>(n: usize) -> Vec<Bytes<T>> {
    T::split_blocks(&pattern(n * T::BLOCK_BYTES)).0.to_vec()
}

pub(crate) fn word_blocks<T: Threefish>(n: usize) -> Vec<T::Words> {
    byte_blocks::<T>(n).iter().map(T::Words::from_bytes).collect()
}

fn junk_bytes<T: Threefish>(n: usize) -> Vec<Bytes<T>> {
    T::split_blocks(&vec![0xA5; n * T::BLOCK_BYTES]).0.to_vec()
}

fn junk_words<T: Threefish>(n: usize) -> Vec<T::Words> {
    junk_bytes::<T>(n).iter().map(T::Words::from_bytes).collect()
}
