//! The measured loops.
//!
//! Each is a function of its own, generic over the cipher alone, so that a cipher is inlined into it as
//! far as it is into a user's loop. `black_box` stands where a user's data would come from outside or leave:
//! around keys, tweaks and blocks, and never between two steps of a chain.

use std::hint::black_box;

use threefish_api::{Tweak, Words};

use crate::{
    Case, Op, Size,
    cipher::{Cipher, counter_tweak},
};

/// The data that is worked on. All subjects share one, so that memory is the same for all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State<W> {
    key: W,
    tweak: Tweak,
    block: W,
    blocks: Vec<W>,
    /// A key and a tweak for each block, where it has its own.
    keys: Vec<W>,
    tweaks: Vec<Tweak>,
    bytes: Vec<u8>,
}

impl<W: Words> State<W> {
    /// Fixed data without a pattern, as much as the case takes.
    #[must_use]
    pub fn new(case: Case) -> Self {
        let all = case.bytes(Size::of::<W>());
        let (blocks, keys, bytes) = match case {
            Case::Single | Case::Rekey => (0, 0, 0),
            Case::FewSingle | Case::Few | Case::Bulk16K | Case::Bulk1M | Case::Retweak => {
                (all, 0, 0)
            }
            Case::Keys => (all, all, 0),
            Case::Ctr1M => (0, 0, all),
        };
        let mut next = numbers();
        let mut words = move || {
            let mut words = W::ZERO;
            words.as_mut().fill_with(&mut next);
            words
        };
        let (key, block) = (words(), words());
        let mut many = |bytes| (0..bytes / W::BYTES).map(|_| words()).collect::<Vec<_>>();
        let (blocks, keys) = (many(blocks), many(keys));
        let tweaks = (0..).take(keys.len()).map(counter_tweak).collect();
        let bytes = vec![0; bytes];
        Self { key, tweak: Tweak::new(7, 15), block, blocks, keys, tweaks, bytes }
    }
}

/// `SplitMix64`.
pub(crate) fn numbers() -> impl FnMut() -> u64 {
    let mut state = 0_u64;
    move || {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }
}

/// A loop that works on the state for a number of iterations.
pub type Workload<W> = fn(&mut State<W>, u64);

/// The loop for a case and a direction.
#[must_use]
pub fn workload<C: Cipher>(op: Op, case: Case) -> Workload<C::Words> {
    match op {
        Op::Encrypt => in_direction::<C, true>(case),
        Op::Decrypt => in_direction::<C, false>(case),
    }
}

fn in_direction<C: Cipher, const ENCRYPT: bool>(case: Case) -> Workload<C::Words> {
    match case {
        Case::Single => single::<C, ENCRYPT>,
        Case::FewSingle => few_single::<C, ENCRYPT>,
        Case::Few => few::<C, ENCRYPT>,
        Case::Bulk16K | Case::Bulk1M => bulk::<C, ENCRYPT>,
        Case::Retweak => retweak::<C, ENCRYPT>,
        Case::Rekey => rekey::<C, ENCRYPT>,
        Case::Keys => keys::<C, ENCRYPT>,
        Case::Ctr1M => counter_mode::<C>,
    }
}

#[inline(never)]
fn single<C: Cipher, const ENCRYPT: bool>(state: &mut State<C::Words>, iterations: u64) {
    let tweak = black_box(state.tweak);
    let cipher = black_box(C::new(&state.key, tweak));
    let mut block = black_box(state.block);
    for _ in 0..iterations {
        cipher.block::<ENCRYPT>(tweak, &mut block);
    }
    state.block = black_box(block);
}

#[inline(never)]
fn few_single<C: Cipher, const ENCRYPT: bool>(state: &mut State<C::Words>, iterations: u64) {
    let tweak = black_box(state.tweak);
    let cipher = black_box(C::new(&state.key, tweak));
    for _ in 0..iterations {
        for block in black_box(&mut state.blocks) {
            cipher.block::<ENCRYPT>(tweak, block);
        }
    }
}

#[inline(never)]
fn few<C: Cipher, const ENCRYPT: bool>(state: &mut State<C::Words>, iterations: u64) {
    let tweak = black_box(state.tweak);
    let cipher = black_box(C::new(&state.key, tweak));
    let few = black_box(Size::of::<C::Words>().few());
    for _ in 0..iterations {
        for batch in black_box(&mut state.blocks).chunks_exact_mut(few) {
            cipher.blocks::<ENCRYPT>(tweak, batch);
        }
    }
}

#[inline(never)]
fn bulk<C: Cipher, const ENCRYPT: bool>(state: &mut State<C::Words>, iterations: u64) {
    let tweak = black_box(state.tweak);
    let cipher = black_box(C::new(&state.key, tweak));
    for _ in 0..iterations {
        cipher.blocks::<ENCRYPT>(tweak, black_box(&mut state.blocks));
    }
}

#[inline(never)]
fn retweak<C: Cipher, const ENCRYPT: bool>(state: &mut State<C::Words>, iterations: u64) {
    let cipher = black_box(C::new(&state.key, state.tweak));
    let mut first = black_box(0);
    for _ in 0..iterations {
        cipher.retweaked_blocks::<ENCRYPT>(first, black_box(&mut state.blocks));
        first += state.blocks.len() as u64;
    }
}

/// The chain of a hash: the result is the next key. The block, a message, is always the same.
#[inline(never)]
fn rekey<C: Cipher, const ENCRYPT: bool>(state: &mut State<C::Words>, iterations: u64) {
    let message = black_box(state.block);
    let mut key = black_box(state.key);
    for i in 0..iterations {
        let tweak = counter_tweak(i);
        let mut block = message;
        C::new(&key, tweak).block::<ENCRYPT>(tweak, &mut block);
        key = block;
    }
    state.key = black_box(key);
}

#[inline(never)]
fn keys<C: Cipher, const ENCRYPT: bool>(state: &mut State<C::Words>, iterations: u64) {
    let (keys, tweaks) = black_box((&state.keys, &state.tweaks));
    for _ in 0..iterations {
        C::keyed_blocks::<ENCRYPT>(keys, tweaks, black_box(&mut state.blocks));
    }
}

/// One stream, which goes on from call to call.
#[inline(never)]
fn counter_mode<C: Cipher>(state: &mut State<C::Words>, iterations: u64) {
    let tweak = black_box(state.tweak);
    let mut encrypt = black_box(C::counter_mode(&state.key, tweak));
    for _ in 0..iterations {
        encrypt(black_box(&mut state.bytes));
    }
}
