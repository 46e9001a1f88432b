//! The model itself: against the known answers, and against itself.

use std::thread;

use threefish_conformance::{Size, Version, model::Model, registry, subject::Subject, suite};

fn models() -> impl Iterator<Item = Subject> {
    let versions = |size| Version::ALL.into_iter().map(move |version| (size, version));
    Size::ALL.into_iter().flat_map(versions).map(|(size, version)| registry::model(size, version))
}

#[test]
fn gives_the_known_answers() {
    for model in models() {
        suite::known_answers_encrypt(&model);
        suite::known_answers_decrypt(&model);
    }
}

/// Where the ends of the long chains, constants of the suite, come from.
#[test]
#[cfg_attr(
    not(target_arch = "x86_64"),
    ignore = "slow in 32 bits or emulated, and backends are held to the same constants there"
)]
fn ends_the_long_chains_as_pinned() {
    thread::scope(|scope| {
        for model in models() {
            scope.spawn(move || suite::long_chain(&model));
        }
    });
}

#[test]
fn injections_start_with_the_first_subkey_and_end_with_the_ciphertext() {
    for size in Size::ALL {
        let key: Vec<u64> = (1..).take(size.words()).collect();
        let block = vec![100; size.words()];
        let model = Model::new(size, Version::V1_3, &key);
        let after = model.injections([1000, 2000], &block);

        let mut first: Vec<u64> = key.iter().map(|k| k + 100).collect();
        first[size.words() - 3] += 1000;
        first[size.words() - 2] += 2000;
        assert_eq!(after[0], first);
        assert_eq!(after.len(), if size == Size::Bits1024 { 21 } else { 19 });
        assert_eq!(after.last(), Some(&model.encrypt([1000, 2000], &block)));
    }
}

/// Each rotation count matters: with any one of them wrong, the known answers do not come out.
#[test]
fn no_rotation_count_can_be_wrong() {
    for size in Size::ALL {
        for version in Version::ALL {
            let key = vec![0; size.words()];
            let right = Model::new(size, version, &key);
            for d in 0..8 {
                for j in 0..size.words() / 2 {
                    let wrong = right.clone().with_wrong_rotation(d, j);
                    assert_ne!(wrong.encrypt([0, 0], &key), right.encrypt([0, 0], &key));
                    assert_ne!(wrong.decrypt([0, 0], &key), right.decrypt([0, 0], &key));
                }
            }
        }
    }
}
