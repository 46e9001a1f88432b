use threefish_api::Tweak;

use crate::{
    subject::{Direction, Subject},
    vectors::{self, Vector},
};

/// Every known answer of the size and revision, encrypted by every call.
///
/// # Panics
///
/// If an answer differs, if there is none, or if a file of vectors is wrong.
pub fn known_answers_encrypt(subject: &Subject) {
    known_answers(subject, Direction::Encrypt);
}

/// Every known answer of the size and revision, decrypted by every call.
///
/// # Panics
///
/// If an answer differs, if there is none, or if a file of vectors is wrong.
pub fn known_answers_decrypt(subject: &Subject) {
    known_answers(subject, Direction::Decrypt);
}

fn known_answers(subject: &Subject, direction: Direction) {
    let all = vectors::all().unwrap_or_else(|error| panic!("{error}"));
    let ours: Vec<_> = all
        .iter()
        .filter(|vector| vector.size == subject.size && vector.version == subject.version)
        .collect();
    assert!(!ours.is_empty(), "no known answers for {subject:?}");

    for vector in &ours {
        check(subject, direction, &[*vector]);
    }
    // What once failed in bulk is written down as neighbours with one key.
    for together in ours.chunk_by(|a, b| a.key == b.key && a.file == b.file) {
        check(subject, direction, together);
    }
}

/// Checks vectors of one key in one call.
fn check(subject: &Subject, direction: Direction, vectors: &[&Vector]) {
    let collect = |part: fn(&Vector) -> &[u8]| {
        vectors.iter().flat_map(|vector| part(vector)).copied().collect::<Vec<u8>>()
    };
    let plaintext = collect(|vector| &vector.plaintext);
    let ciphertext = collect(|vector| &vector.ciphertext);
    let (input, expected) = match direction {
        Direction::Encrypt => (plaintext, ciphertext),
        Direction::Decrypt => (ciphertext, plaintext),
    };
    let tweaks: Vec<Tweak> = vectors.iter().map(|vector| vector.tweak).collect();
    let ids: Vec<_> = vectors.iter().map(|vector| &vector.id[..]).collect();

    let cipher = subject.cipher(&vectors[0].key);
    for operation in cipher.operations() {
        if operation.direction == direction {
            let mut blocks = input.clone();
            cipher.run(*operation, &tweaks, &mut blocks);
            assert_eq!(
                hex::encode(blocks),
                hex::encode(&expected),
                "{subject:?}: {operation} of {}",
                ids.join(", ")
            );
        }
    }
}
