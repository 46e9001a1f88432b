//! Random cases across all backends, and controls: mistakes that the engine must catch.

use std::ops::ControlFlow;

use proptest::{
    prelude::*,
    test_runner::{Config, TestRunner},
};
use threefish_conformance::{
    Size, Tweak, Version,
    differential::{Campaign, Case, Difference, MODEL, Pair, Tally, check, differences, shrink},
    model::Model,
    registry,
    subject::{Call, Cipher, Direction, Form, Operation, Subject},
    to_words, vectors,
};

fn config() -> Config {
    Config { cases: 1000, failure_persistence: None, ..Config::default() }
}

/// The engine shrinks a case by itself, and the seed and index that the message tells make it
/// again with `cargo xtask diff`.
#[test]
fn all_backends_agree() {
    let strategy = (any::<u64>(), 0..9_u64).no_shrink();
    let result = TestRunner::new(config()).run(&strategy, |(seed, index)| {
        let case = Case::generate(seed, index);
        let subjects = registry::subjects(case.size, case.version);
        prop_assert!(subjects.len() >= 2, "nothing to compare");
        if let Some((case, difference)) = shrink(&case, |case| check(case, &subjects).err()) {
            let message = format!("seed {seed}, index {index}: {difference}\n{case}");
            return Err(TestCaseError::fail(message));
        }
        Ok(())
    });
    result.unwrap_or_else(|error| panic!("{error}"));
}

/// The same on every target: pinned.
#[test]
fn cases_follow_from_seed_and_index_alone() {
    let case = Case::generate(1, 2);
    assert_eq!(case, Case::generate(1, 2));
    assert_ne!(case, Case::generate(1, 11));
    assert_ne!(case, Case::generate(2, 2));
    let sum = (0..100).fold(0_u64, |sum, index| {
        let case = Case::generate(1, index);
        let words = case.key.iter().chain(case.entries.iter().flat_map(|entry| &entry.block));
        words.fold(sum.rotate_left(1) ^ case.alignment as u64, |sum, word| {
            sum.rotate_left(5).wrapping_add(*word)
        })
    });
    assert_eq!(sum, 0xDC7D_6640_6569_36B4, "{sum:#X}");
}

#[test]
fn cases_are_of_every_kind() {
    let cases: Vec<_> = (0..9000).map(|index| Case::generate(7, index)).collect();
    for size in Size::ALL {
        for version in Version::ALL {
            assert!(
                cases.iter().filter(|c| c.size == size && c.version == version).count() == 1000
            );
        }
    }
    for blocks in 0..=101 {
        assert!(cases.iter().any(|case| case.entries.len() == blocks), "{blocks} blocks");
    }
    for alignment in 0..16 {
        assert!(cases.iter().any(|case| case.alignment == alignment), "{alignment} mod 16");
    }
    for edge in [0, (1 << 32) - 1, 1 << 32, 1 << 63, u64::MAX] {
        assert!(cases.iter().any(|case| case.key.contains(&edge)), "{edge:#x}");
    }
}

#[test]
fn shrunk_cases_are_written_as_known_answers() {
    let case = (0..).map(|i| Case::generate(3, i)).find(|case| case.entries.len() == 3);
    let case = case.expect("one of the endless cases has three blocks");
    let text = vectors::to_toml(&case.to_vectors("regression-1", "a test"));
    let read = vectors::parse("file.toml", &text).expect("what is written is right");
    assert_eq!(read.len(), 9);
    assert_eq!(to_words(&read[1].plaintext), case.entries[1].block);
    assert_eq!(to_words(&read[4].ciphertext), case.entries[1].block);
}

/// One wrong rotation count: caught, and shrunk to one block of zeros.
#[test]
fn control_a_wrong_rotation_is_caught() {
    for size in Size::ALL {
        for version in Version::ALL {
            let subject = broken(size, version, Mistake::Rotation);
            let (case, difference) = smallest(&subject);
            assert_eq!(case.entries.len(), 1, "{case}");
            assert!(case.key.iter().all(|word| *word == 0), "{case}");
            assert_eq!(case.entries[0].tweak, [0, 0], "{case}");
            assert_eq!(case.alignment, 0, "{case}");
            assert_eq!(difference.subject, "broken");
        }
    }
}

/// The last of an odd number of blocks under its neighbour's tweak, as where lanes are swapped:
/// caught, and shrunk to the three blocks and the one tweak that it takes.
#[test]
fn control_a_wrong_lane_for_odd_counts_is_caught() {
    let subject = broken(Size::Bits512, Version::V1_2, Mistake::LastLane);
    let (case, difference) = smallest(&subject);
    assert_eq!(case.entries.len(), 3, "{case}");
    assert!(case.entries.iter().flat_map(|entry| &entry.block).all(|word| *word == 0), "{case}");
    let tweak_words = case.entries.iter().flat_map(|entry| entry.tweak).filter(|word| *word != 0);
    assert_eq!(tweak_words.count(), 1, "{case}");
    assert!(difference.operation.contains("blocks"), "{difference}");
}

#[test]
#[cfg_attr(panic = "abort", ignore = "a panic ends the program here, and nothing can catch it")]
fn control_a_panic_is_caught() {
    let subject = broken(Size::Bits256, Version::V1_1, Mistake::Panics);
    let (case, difference) = smallest(&subject);
    assert_eq!(case.entries.len(), 2, "{case}");
    assert!(difference.to_string().contains("panicked"), "{difference}");
}

#[test]
fn control_a_campaign_finds_the_mistake() {
    let campaign = Campaign { seed: 5, cases: 500, time: None };
    let subjects = |size, version| match (size, version) {
        (Size::Bits1024, Version::V1_1) => vec![broken(size, version, Mistake::LastLane)],
        _ => Vec::new(),
    };
    let failure = campaign
        .run(subjects, |_| ControlFlow::Continue(()))
        .failure
        .expect("a mistake to be found");
    assert_eq!(failure.case.size, Size::Bits1024);
    let found = Case::generate(5, failure.index);
    assert!(check(&found, &subjects(found.size, found.version)).is_err());
    for index in 0..failure.index {
        let case = Case::generate(5, index);
        assert!(check(&case, &subjects(case.size, case.version)).is_ok(), "{index} fails too");
    }

    let right = campaign
        .run(|size, version| vec![registry::model(size, version)], |_| ControlFlow::Continue(()));
    assert!(right.failure.is_none());
    assert_eq!(right.cases.values().sum::<u64>(), 500);
    assert!(right.comparisons() >= 1000);
    assert!(!right.interrupted);
}

/// What is counted of each two: all that a case compares, whatever differs in it before.
#[test]
fn pairs_are_counted_where_they_are_compared() {
    let campaign = Campaign { seed: 5, cases: 1000, time: None };
    let subjects = |size, version| {
        let mut scalar = registry::model(size, version);
        scalar.name = "right".to_owned();
        vec![broken(size, version, Mistake::LastLane), scalar]
    };
    let outcome = campaign.run(subjects, |_| ControlFlow::Continue(()));
    let tally = |a: &str, b: &str| outcome.pairs[&Pair::new(a.to_owned(), b.to_owned())];
    assert_eq!(outcome.pairs.len(), 3);
    // Encryption and decryption in bulk of every case that failed, of which each processor may have
    // had one.
    let failed = tally("broken", MODEL).differed / 2;
    assert!(failed >= 1);
    let cases = outcome.cases.values().sum::<u64>() + failed;
    assert_eq!(tally("broken", MODEL).agreed, 6 * cases - 2 * failed);
    assert_eq!(tally("right", MODEL), Tally { agreed: 4 * cases, differed: 0 });
    // Right decrypts what broken encrypted in bulk; broken decrypts by block and in bulk.
    assert_eq!(
        tally("right", "broken"),
        Tally { agreed: 3 * cases - 2 * failed, differed: 2 * failed }
    );

    let failure = outcome.failure.expect("a mistake to be found");
    let differ = |other: &str| failure.differences.iter().filter(|d| d.other == other).count();
    assert_eq!((differ(MODEL), differ("broken"), differ("right")), (2, 1, 1));
}

#[test]
#[cfg_attr(panic = "abort", ignore = "a panic ends the program here, and nothing can catch it")]
fn what_panics_in_encryption_is_not_decrypted() {
    let subjects = [Mistake::Panics, Mistake::LastLane].map(|mistake| {
        let mut subject = broken(Size::Bits256, Version::V1_1, mistake);
        subject.name += if mistake == Mistake::Panics { " by a panic" } else { "" };
        subject
    });
    let (case, _) = smallest(&subjects[0]);
    let differences = differences(&case, &subjects);
    let differ = |other: &str| differences.iter().filter(|d| d.other == other).count();
    // Two calls against the model, and the decryption of what the other encrypted.
    assert_eq!((differ(MODEL), differ("broken"), differ("broken by a panic")), (2, 1, 0));
}

#[test]
fn a_campaign_can_be_stopped() {
    let campaign = Campaign { seed: 5, cases: u64::MAX, time: None };
    let outcome = campaign.run(
        |size, version| vec![registry::model(size, version)],
        |done| if done < 10 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) },
    );
    assert!(outcome.interrupted);
    assert!(outcome.failure.is_none());
    assert!(outcome.cases.values().sum::<u64>() >= 10);
}

fn smallest(subject: &Subject) -> (Case, Difference) {
    let subjects = [subject.clone()];
    (0..900)
        .map(|index| Case::generate(1, index))
        .filter(|case| (case.size, case.version) == (subject.size, subject.version))
        .find_map(|case| shrink(&case, |case| check(case, &subjects).err()))
        .expect("a mistake to be found")
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mistake {
    Rotation,
    LastLane,
    Panics,
}

struct Broken {
    model: Model,
    mistake: Mistake,
}

fn broken(size: Size, version: Version, mistake: Mistake) -> Subject {
    Subject::new("broken", size, version, move |key| {
        let model = Model::new(size, version, &to_words(key));
        let model = match mistake {
            Mistake::Rotation => model.with_wrong_rotation(7, 1),
            _ => model,
        };
        Box::new(Broken { model, mistake })
    })
}

const OPERATIONS: [Operation; 4] = [
    Operation::new(Direction::Encrypt, Form::Words, Call::Block),
    Operation::new(Direction::Decrypt, Form::Words, Call::Block),
    Operation::new(Direction::Encrypt, Form::Words, Call::Blocks),
    Operation::new(Direction::Decrypt, Form::Words, Call::Blocks),
];

impl Cipher for Broken {
    fn operations(&self) -> &'static [Operation] {
        &OPERATIONS
    }

    fn run(&self, operation: Operation, tweaks: &[Tweak], blocks: &mut [u8]) {
        let mut tweaks = tweaks.to_vec();
        let n = tweaks.len();
        if operation.call == Call::Blocks && n >= 2 {
            match self.mistake {
                Mistake::LastLane if n % 2 == 1 => tweaks[n - 1] = tweaks[n - 2],
                Mistake::Panics => panic!("on purpose"),
                _ => {}
            }
        }
        self.model.run(operation, &tweaks, blocks);
    }

    fn run_keys(&self, direction: Direction, keys: &[u8], tweaks: &[Tweak], blocks: &mut [u8]) {
        self.model.run_keys(direction, keys, tweaks, blocks);
    }
}
