//! Bulk calls on all cores give what those on one core give.
#![cfg(feature = "rayon")]

use std::sync::atomic::{AtomicUsize, Ordering};

use threefish_auto::{
    Parallel, Threefish, Threefish256, Threefish512, Threefish1024, Tweak, Words,
};

fn agrees<T: Threefish>() {
    let mut key = T::Words::ZERO;
    key.as_mut()[0] = 7;
    let cipher = T::new(&key);
    // Nothing, less than a part, whole parts, and a part that is not full.
    for blocks in [0, 1, 2047, 2048, 3 * 2048, 3 * 2048 + 5] {
        let mut expected = vec![T::Words::ZERO; blocks];
        cipher.encrypt_blocks(tweak, &mut expected);

        let asked: Vec<_> = (0..blocks).map(|_| AtomicUsize::new(0)).collect();
        let mut words = vec![T::Words::ZERO; blocks];
        cipher.par_encrypt_blocks(
            |i| {
                asked[i].fetch_add(1, Ordering::Relaxed);
                tweak(i)
            },
            &mut words,
        );
        assert_eq!(words, expected);
        assert!(asked.iter().all(|times| times.load(Ordering::Relaxed) == 1));

        let mut bytes = vec![T::Words::ZERO.to_bytes(); blocks];
        cipher.par_encrypt_blocks_bytes(tweak, &mut bytes);
        assert!(bytes.iter().zip(&expected).all(|(bytes, words)| *bytes == words.to_bytes()));

        cipher.par_decrypt_blocks(tweak, &mut words);
        assert_eq!(words, vec![T::Words::ZERO; blocks]);
        cipher.par_decrypt_blocks_bytes(tweak, &mut bytes);
        assert_eq!(bytes, vec![T::Words::ZERO.to_bytes(); blocks]);
    }
}

fn tweak(i: usize) -> Tweak {
    Tweak::new(i as u64, 15)
}

#[test]
fn all_sizes_agree() {
    agrees::<Threefish256>();
    agrees::<Threefish512>();
    agrees::<Threefish1024>();
}
