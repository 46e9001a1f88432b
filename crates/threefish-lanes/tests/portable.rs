//! The kernel text on lanes that are plain arrays: it is right on every target, with any number of
//! lanes and of groups in flight, and without lanes.
#![cfg(target_endian = "little")]

use std::array;

use threefish_api::{Revision, Tweak, V1_1, V1_2, V1_3, Words, backend::Kernel};
use threefish_lanes::{Block, InFlight, Job, Lanes, Wide};
use threefish_unrolled::compiled::{Threefish256, Threefish512, Threefish1024};

/// `GROUPS` in flight; there or not.
#[derive(Clone, Copy)]
struct Portable<const GROUPS: usize, const THERE: bool>;

impl<const N: usize, const GROUPS: usize, const THERE: bool> Lanes<N> for Portable<GROUPS, THERE> {
    type Vector = [u64; N];
    type Narrow = Self;

    const NEEDS: &'static str = "nothing";
    const IN_FLIGHT_256: InFlight =
        InFlight { encrypt: GROUPS, decrypt: GROUPS, keys: GROUPS, few: 2 };
    const IN_FLIGHT_512: InFlight = <Self as Lanes<N>>::IN_FLIGHT_256;
    const IN_FLIGHT_1024: InFlight = <Self as Lanes<N>>::IN_FLIGHT_256;

    fn detect() -> Option<Self> {
        THERE.then_some(Self)
    }

    fn narrow(self) -> Option<Self> {
        (N == 8).then_some(self)
    }

    fn run<J: Job<Self>>(self, job: J) {
        job.run(self);
    }

    fn load<const WORDS: usize>(self, blocks: &[Block<WORDS>; N]) -> [[u64; N]; WORDS] {
        array::from_fn(|i| blocks.map(|block| u64::from_le_bytes(block[i])))
    }

    fn store<const WORDS: usize>(self, v: [[u64; N]; WORDS], blocks: &mut [Block<WORDS>; N]) {
        *blocks = array::from_fn(|lane| v.map(|words| words[lane].to_le_bytes()));
    }

    fn load_tweaks(self, tweaks: &[Block<2>; N]) -> [[u64; N]; 2] {
        Lanes::<N>::load::<2>(self, tweaks)
    }

    fn splat(self, word: u64) -> [u64; N] {
        [word; N]
    }

    fn add(self, a: [u64; N], b: [u64; N]) -> [u64; N] {
        array::from_fn(|i| a[i].wrapping_add(b[i]))
    }

    fn sub(self, a: [u64; N], b: [u64; N]) -> [u64; N] {
        array::from_fn(|i| a[i].wrapping_sub(b[i]))
    }

    fn xor(self, a: [u64; N], b: [u64; N]) -> [u64; N] {
        array::from_fn(|i| a[i] ^ b[i])
    }

    fn rotate_left(self, a: [u64; N], r: u32) -> [u64; N] {
        a.map(|word| word.rotate_left(r))
    }
}

/// Every call gives what the integer kernel `I` gives, for numbers of blocks with every remainder.
///
/// Below not for all sizes and revisions: that takes minutes to compile, and backends pass the whole suite.
fn agrees<R: Revision, K: Kernel, I: Kernel<Words = K::Words>>() {
    let block = |seed: u64| {
        let mut block = K::Words::ZERO;
        for (i, word) in block.as_mut().iter_mut().enumerate() {
            *word = 0x9E37_79B9_7F4A_7C15_u64.wrapping_mul(100 * seed + i as u64);
        }
        block
    };
    let (wide, integers) = (K::new::<R>(&block(0)), I::new::<R>(&block(0)));
    for n in (0..=2 * K::LANES + 1).chain([50]) {
        let plaintext: Vec<_> = (1..=n as u64).map(block).collect();
        let keys: Vec<_> = (1..=n as u64).map(|i| block(1000 + i)).collect();
        let tweaks: Vec<_> = (0..n as u64).map(|i| Tweak::new(i, !i)).collect();

        let (mut blocks, mut expected) = (plaintext.clone(), plaintext.clone());
        wide.encrypt_blocks::<R>(&tweaks, &mut blocks);
        integers.encrypt_blocks::<R>(&tweaks, &mut expected);
        assert_eq!(blocks, expected, "encrypt_blocks of {n}");
        wide.decrypt_blocks::<R>(&tweaks, &mut blocks);
        assert_eq!(blocks, plaintext, "decrypt_blocks of {n}");

        let mut bytes: Vec<_> = plaintext.iter().map(Words::to_bytes).collect();
        wide.encrypt_blocks_bytes::<R>(&tweaks, &mut bytes);
        assert!(bytes.iter().zip(&expected).all(|(bytes, words)| *bytes == words.to_bytes()));
        wide.decrypt_blocks_bytes::<R>(&tweaks, &mut bytes);
        assert!(bytes.iter().zip(&plaintext).all(|(bytes, words)| *bytes == words.to_bytes()));

        let mut expected = plaintext.clone();
        K::encrypt_keys::<R>(&keys, &tweaks, &mut blocks);
        I::encrypt_keys::<R>(&keys, &tweaks, &mut expected);
        assert_eq!(blocks, expected, "encrypt_keys of {n}");
        K::decrypt_keys::<R>(&keys, &tweaks, &mut blocks);
        assert_eq!(blocks, plaintext, "decrypt_keys of {n}");
    }

    let (mut words, mut expected) = (block(7), block(7));
    wide.encrypt_block::<R>(Tweak::new(1, 2), &mut words);
    integers.encrypt_block::<R>(Tweak::new(1, 2), &mut expected);
    assert_eq!(words, expected);
    let mut bytes = block(7).to_bytes();
    wide.encrypt_block_bytes::<R>(Tweak::new(1, 2), &mut bytes);
    assert_eq!(bytes, expected.to_bytes());
}

#[test]
fn three_lanes_in_two_groups() {
    agrees::<V1_3, Wide<Portable<2, true>, 3, [u64; 4]>, Threefish256>();
    agrees::<V1_1, Wide<Portable<2, true>, 3, [u64; 8]>, Threefish512>();
    agrees::<V1_2, Wide<Portable<2, true>, 3, [u64; 16]>, Threefish1024>();
}

/// And few blocks in four lanes.
#[test]
fn eight_lanes_in_six_groups() {
    agrees::<V1_3, Wide<Portable<6, true>, 8, [u64; 4]>, Threefish256>();
}

#[test]
fn without_lanes() {
    assert!(!Wide::<Portable<1, false>, 8, [u64; 4]>::is_supported());
    agrees::<V1_3, Wide<Portable<1, false>, 8, [u64; 4]>, Threefish256>();
    agrees::<V1_3, Wide<Portable<1, false>, 8, [u64; 8]>, Threefish512>();
    agrees::<V1_3, Wide<Portable<1, false>, 8, [u64; 16]>, Threefish1024>();
}
