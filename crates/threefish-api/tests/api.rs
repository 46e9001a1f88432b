//! The types on their own. What they do in a cipher, each backend's conformance suite tests.

use threefish_api::{LengthError, Revision, Tweak, V1_1, V1_2, V1_3, Words, spec};

const BYTES: [u8; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];
const WORDS: [u64; 2] = [0x0706_0504_0302_0100, 0x0F0E_0D0C_0B0A_0908];

#[test]
fn a_tweak_is_the_same_from_words_bytes_and_a_number() {
    let tweak = Tweak::new(WORDS[0], WORDS[1]);
    assert_eq!(tweak, Tweak::from(WORDS));
    assert_eq!(tweak, Tweak::from(BYTES));
    assert_eq!(tweak, Tweak::from(0x0F0E_0D0C_0B0A_0908_0706_0504_0302_0100));
    assert_eq!(tweak, Tweak::from_slice(&BYTES).unwrap());
    assert_eq!(tweak.words(), WORDS);
    assert_eq!(tweak.to_bytes(), BYTES);
    assert_eq!(u128::from(tweak), u128::from_le_bytes(BYTES));
    assert_eq!(Tweak::default(), Tweak::ZERO);
}

#[test]
fn the_third_word_of_a_tweak_is_the_xor_of_the_others() {
    assert_eq!(Tweak::from(WORDS).extended(), [WORDS[0], WORDS[1], WORDS[0] ^ WORDS[1]]);
}

#[test]
fn a_tweak_of_the_wrong_length_is_refused_with_both_lengths() {
    for given in [0, 1, 8, 15, 17, 32, 4096] {
        let error = Tweak::from_slice(&vec![0; given]).unwrap_err();
        assert_eq!((error.expected(), error.given()), (16, given));
        assert_eq!(error.to_string(), format!("a tweak is 16 bytes long, but {given} were given"));
    }
}

#[test]
fn the_error_is_small_and_a_standard_error() {
    fn is_error<E: core::error::Error + Copy + Send + Sync + 'static>() {}
    is_error::<LengthError>();
    assert!(size_of::<LengthError>() <= 3 * size_of::<usize>());
}

#[test]
fn words_are_little_endian() {
    let bytes: [u8; 32] = core::array::from_fn(|i| u8::try_from(i).unwrap());
    let words = <[u64; 4]>::from_bytes(&bytes);
    assert_eq!(words[..2], WORDS);
    assert_eq!(words[3], 0x1F1E_1D1C_1B1A_1918);
    assert_eq!(words.to_bytes(), bytes);
}

#[test]
fn blocks_are_split_off_a_slice_and_the_rest_is_left() {
    let mut bytes: [u8; 200] = core::array::from_fn(|i| u8::try_from(i).unwrap());
    let (blocks, rest) = <[u64; 8]>::split_blocks_mut(&mut bytes);
    assert_eq!((blocks.len(), rest.len()), (3, 8));
    assert_eq!((blocks[2][0], rest[0]), (128, 192));
    let (blocks, rest) = <[u64; 16]>::split_blocks(&[]);
    assert!(blocks.is_empty() && rest.is_empty());
}

#[test]
fn sizes_agree_with_the_specification() {
    fn sizes<W: Words>() -> [usize; 3] {
        [W::WORDS, W::BYTES, W::ROUNDS]
    }
    assert_eq!(sizes::<[u64; 4]>(), [4, 32, 72]);
    assert_eq!(sizes::<[u64; 8]>(), [8, 64, 72]);
    assert_eq!(sizes::<[u64; 16]>(), [16, 128, 80]);
}

#[test]
fn revision_1_2_has_the_rotations_of_1_3_and_the_parity_of_1_1() {
    assert_eq!(V1_2::ROTATIONS_256, V1_3::ROTATIONS_256);
    assert_eq!(V1_2::ROTATIONS_512, V1_3::ROTATIONS_512);
    assert_eq!(V1_2::ROTATIONS_1024, V1_3::ROTATIONS_1024);
    assert_eq!(V1_2::PARITY, V1_1::PARITY);
    assert_ne!(V1_2::PARITY, V1_3::PARITY);
}

/// A wrong entry can still be a permutation, which known answers catch; a doubled one is caught here.
#[test]
fn permutations_name_each_word_once() {
    fn check(p: &[usize]) {
        let mut sorted = p.to_vec();
        sorted.sort_unstable();
        assert!(sorted.into_iter().eq(0..p.len()));
    }
    check(&spec::PERMUTATION_256);
    check(&spec::PERMUTATION_512);
    check(&spec::PERMUTATION_1024);
}
