//! Calls from stacks that are aligned to no more than a word.
//!
//! On 32-bit x86 a caller promises 4 bytes or 16, depending on who built it, and compilers take 16
//! for granted: an aligned SSE access to the stack faults where the caller kept to 4. So backends
//! must align their stack themselves.

use std::{arch::asm, mem::MaybeUninit};

use threefish_api::{Threefish, Tweak, backend::BATCH};

use super::{
    blocks::{byte_blocks, key, word_blocks},
    pattern,
};
use crate::buffer::Guarded;

/// Key set-up and every kind of call, one block and many, give the same from a stack pointer at any
/// multiple of 4, with blocks of bytes at every address modulo 16.
///
/// # Panics
///
/// If a result differs. Where a backend trusts in its caller's alignment, the process dies of a
/// signal.
pub fn every_stack_alignment<T: Threefish>() {
    let key = key::<T>();
    for deviation in [0, 4, 8, 12] {
        let mut cipher = MaybeUninit::uninit();
        deviate(deviation, || _ = cipher.write(T::new(&key)));
        // SAFETY: written in the line before.
        let cipher = unsafe { cipher.assume_init() };

        one_block(&cipher, deviation);
        many_blocks(&cipher, deviation);
        many_keys::<T>(deviation);
    }
}

fn one_block<T: Threefish>(cipher: &T, deviation: usize) {
    let tweak = Tweak::new(1, 2);
    let plaintext = word_blocks::<T>(1)[0];
    let mut block = plaintext;
    deviate(deviation, || cipher.encrypt_block(tweak, &mut block));
    let mut expected = plaintext;
    T::new(&key::<T>()).encrypt_block(tweak, &mut expected);
    assert_eq!(block, expected, "encrypt_block, {deviation} off");
    deviate(deviation, || cipher.decrypt_block(tweak, &mut block));
    assert_eq!(block, plaintext, "decrypt_block, {deviation} off");

    let plaintext = byte_blocks::<T>(1)[0];
    let mut expected = plaintext;
    T::new(&key::<T>()).encrypt_block_bytes(tweak, &mut expected);
    for alignment in 0..16 {
        let mut buffer = Guarded::new(alignment, plaintext.as_ref());
        let (blocks, _) = T::split_blocks_mut(buffer.bytes());
        deviate(deviation, || cipher.encrypt_block_bytes(tweak, &mut blocks[0]));
        assert_eq!(blocks[0], expected, "encrypt_block_bytes, {deviation} off");
        deviate(deviation, || cipher.decrypt_block_bytes(tweak, &mut blocks[0]));
        assert_eq!(blocks[0], plaintext, "decrypt_block_bytes, {deviation} off");
    }
}

/// So many that every kernel of a bulk call runs, and that they come in several batches.
const MANY: usize = BATCH + 31;

fn many_blocks<T: Threefish>(cipher: &T, deviation: usize) {
    let tweak = |i: usize| Tweak::new(i as u64, 3);
    let plaintext = word_blocks::<T>(MANY);
    let mut blocks = plaintext.clone();
    deviate(deviation, || cipher.encrypt_blocks(tweak, &mut blocks));
    let mut expected = plaintext.clone();
    T::new(&key::<T>()).encrypt_blocks(tweak, &mut expected);
    assert!(blocks == expected, "encrypt_blocks, {deviation} off");
    deviate(deviation, || cipher.decrypt_blocks(tweak, &mut blocks));
    assert!(blocks == plaintext, "decrypt_blocks, {deviation} off");

    let plaintext = byte_blocks::<T>(MANY);
    let mut expected = plaintext.clone();
    T::new(&key::<T>()).encrypt_blocks_bytes(tweak, &mut expected);
    for alignment in 0..16 {
        let mut buffer = Guarded::new(alignment, &pattern(MANY * T::BLOCK_BYTES));
        let (blocks, _) = T::split_blocks_mut(buffer.bytes());
        deviate(deviation, || cipher.encrypt_blocks_bytes(tweak, blocks));
        assert!(*blocks == expected, "encrypt_blocks_bytes, {deviation} off");
        deviate(deviation, || cipher.decrypt_blocks_bytes(tweak, blocks));
        assert!(*blocks == plaintext, "decrypt_blocks_bytes, {deviation} off");
    }
}

fn many_keys<T: Threefish>(deviation: usize) {
    let keys = word_blocks::<T>(MANY);
    let tweaks = [Tweak::new(4, 5); MANY];
    let mut blocks = keys.clone();
    deviate(deviation, || T::encrypt_keys(&keys, &tweaks, &mut blocks).expect("equal lengths"));
    let mut expected = keys.clone();
    T::encrypt_keys(&keys, &tweaks, &mut expected).expect("equal lengths");
    assert!(blocks == expected, "encrypt_keys, {deviation} off");
    deviate(deviation, || T::decrypt_keys(&keys, &tweaks, &mut blocks).expect("equal lengths"));
    assert!(blocks == keys, "decrypt_keys, {deviation} off");
}

/// Runs `calls` on a stack that lies `deviation` bytes beside an alignment of 16.
///
/// What is compiled into `calls` itself, here and not in a backend, must get by without aligned
/// accesses to the stack: so it should be one call on data that lie elsewhere.
#[inline(never)]
fn deviate<F: FnOnce()>(deviation: usize, calls: F) {
    extern "C" fn run<F: FnOnce()>(calls: &mut Option<F>) {
        if let Some(calls) = calls.take() {
            calls();
        }
    }

    assert!(deviation.is_multiple_of(4) && deviation < 16);
    let mut calls = Some(calls);
    // SAFETY: `run` gets its argument as its calling convention says, but for the alignment, which
    // is the point here. The stack pointer is restored from a register that `run` preserves, and
    // `run` does not unwind.
    unsafe {
        asm!(
            "mov edi, esp",
            "and esp, -16",
            "sub esp, {distance}",
            "push {calls}",
            "call {run}",
            "mov esp, edi",
            distance = in(reg) 12 + deviation,
            calls = in(reg) &raw mut calls,
            run = in(reg) run::<F> as extern "C" fn(&mut Option<F>),
            out("edi") _,
            clobber_abi("C"),
        );
    }
}
