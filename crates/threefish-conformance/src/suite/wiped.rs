use std::{mem::MaybeUninit, ptr};

use threefish_api::{Threefish, Words};

/// Nothing is left where a dropped cipher stood, neither the key nor what comes from it, if its
/// backend is built with the feature `zeroize`. Only small numbers may be left, by which enums say what
/// they hold.
///
/// # Panics
///
/// If anything is left; or if no word of the key was there before, as then nothing is tested.
pub fn wiped_on_drop<T: Threefish>() {
    // Where one key leaves a word that looks like a small number, another does not.
    (1..=8).for_each(wiped::<T>);
}

fn wiped<T: Threefish>(seed: u64) {
    // Bytes that stand nowhere else by chance: a word of them is the key's or comes from it.
    let mut key = T::Words::ZERO;
    for (i, word) in key.as_mut().iter_mut().enumerate() {
        *word = 0x9E37_79B9_7F4A_7C15_u64.wrapping_mul(100 * seed + i as u64);
    }
    let mut place = MaybeUninit::<T>::zeroed();
    place.write(T::new(&key));
    assert!(words_found(&place, &key) > 0, "the key was not there before the drop");

    // SAFETY: `place` was written above and is neither used as a `T` nor dropped again.
    unsafe { place.assume_init_drop() };
    assert_eq!(words_found(&place, &key), 0, "words of the key are left after the drop");
    for word in bytes_of(&place).chunks(align_of::<u64>()) {
        // Behind a small number is padding, in which there may be anything.
        let empty = word.iter().all(|byte| *byte == 0);
        assert!(empty || word[0] < 8, "something is left after the drop: {word:?}");
    }
}

/// How many words of the key stand in the memory, at any byte.
fn words_found<T, W: Words>(place: &MaybeUninit<T>, key: &W) -> usize {
    let bytes = bytes_of(place);
    let found = |word: &&u64| bytes.windows(8).any(|window| window == word.to_le_bytes());
    key.as_ref().iter().filter(found).count()
}

/// The memory of a place that was zeroed at first.
fn bytes_of<T>(place: &MaybeUninit<T>) -> Vec<u8> {
    let start = place.as_ptr().cast::<u8>();
    // Volatile, so that the compiler cannot take what it knows about a dropped value for granted.
    (0..size_of::<T>())
        // SAFETY: inside `place`, whose bytes were all zeroed before the cipher was written.
        .map(|i| unsafe { ptr::read_volatile(start.wrapping_add(i)) })
        .collect()
}
