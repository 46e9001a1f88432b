//! Random cases on which every subject must agree with the model and with every other.
//!
//! A [`Case`] follows from a seed and an index alone, the same on every target. [`check`] does it
//! with every operation of every subject; where that shows a [`Difference`], [`shrink()`] looks for
//! the smallest case that shows one. A [`Campaign`] does many cases on all processors.

use std::{
    fmt,
    panic::{AssertUnwindSafe, catch_unwind},
};

use threefish_api::Tweak;

use crate::{
    buffer::Guarded,
    model::Model,
    subject::{Call, Cipher, Direction, Operation, Subject},
    to_bytes,
};

mod campaign;
mod case;
mod shrink;

pub use campaign::{Campaign, Failure, Outcome};
pub(crate) use case::EDGES;
pub use case::{Case, Entry};
pub use shrink::shrink;

/// Does a case with every subject, and returns how many results were compared.
///
/// Each operation of each subject is compared with the model; then each subject decrypts what
/// each other one encrypted, block by block and all at once.
///
/// # Errors
///
/// The first difference from the model, or between two subjects.
pub fn check(case: &Case, subjects: &[Subject]) -> Result<u64, Difference> {
    let trial = Trial::new(case);
    let key = to_bytes(&case.key);
    let ciphers: Vec<_> =
        subjects.iter().map(|subject| (&subject.name[..], subject.cipher(&key))).collect();

    let mut compared = 0;
    for (name, cipher) in &ciphers {
        compared += trial.against_the_model(name, cipher.as_ref())?;
    }
    for (encryptor_name, encryptor) in &ciphers {
        let ciphertext = trial.encrypted_by(encryptor.as_ref());
        for (name, cipher) in &ciphers {
            if name != encryptor_name {
                compared +=
                    trial.cross_decrypt(name, cipher.as_ref(), encryptor_name, &ciphertext)?;
            }
        }
    }
    Ok(compared)
}

/// A case in bytes, and what the model makes of it.
struct Trial {
    block_bytes: usize,
    alignment: usize,
    tweaks: Vec<Tweak>,
    keys: Vec<u8>,
    input: Vec<u8>,
    encrypted: Vec<u8>,
    decrypted: Vec<u8>,
    encrypted_keys: Vec<u8>,
    decrypted_keys: Vec<u8>,
}

impl Trial {
    fn new(case: &Case) -> Self {
        let model = Model::new(case.size, case.version, &case.key);
        let each = |result: fn(&Model, &Entry) -> Vec<u64>| {
            let blocks = case.entries.iter().map(|entry| result(&model, entry));
            to_bytes(&blocks.collect::<Vec<_>>().concat())
        };
        Self {
            block_bytes: case.size.bytes(),
            alignment: case.alignment,
            tweaks: case.tweaks(),
            keys: case.keys(),
            input: case.bytes(),
            encrypted: each(|model, entry| model.encrypt(entry.tweak, &entry.block)),
            decrypted: each(|model, entry| model.decrypt(entry.tweak, &entry.block)),
            encrypted_keys: each(|model, entry| {
                model.with_key(&entry.key).encrypt(entry.tweak, &entry.block)
            }),
            decrypted_keys: each(|model, entry| {
                model.with_key(&entry.key).decrypt(entry.tweak, &entry.block)
            }),
        }
    }

    /// Every operation of a subject. Returns how many results were compared.
    fn against_the_model(&self, subject: &str, cipher: &dyn Cipher) -> Result<u64, Difference> {
        let mut compared = 0;
        for &operation in cipher.operations() {
            let expected = match operation.direction {
                Direction::Encrypt => &self.encrypted,
                Direction::Decrypt => &self.decrypted,
            };
            self.compare(&self.input, expected, |blocks| {
                cipher.run(operation, &self.tweaks, blocks);
            })
            .map_err(|kind| Difference::new(subject, operation.to_string(), kind))?;
            compared += 1;
        }
        for direction in [Direction::Encrypt, Direction::Decrypt] {
            let expected = match direction {
                Direction::Encrypt => &self.encrypted_keys,
                Direction::Decrypt => &self.decrypted_keys,
            };
            self.compare(&self.input, expected, |blocks| {
                cipher.run_keys(direction, &self.keys, &self.tweaks, blocks);
            })
            .map_err(|kind| Difference::new(subject, format!("{direction}_keys"), kind))?;
            compared += 1;
        }
        Ok(compared)
    }

    fn encrypted_by(&self, cipher: &dyn Cipher) -> Vec<u8> {
        let mut ciphertext = self.input.clone();
        cipher.run(last(cipher, Direction::Encrypt), &self.tweaks, &mut ciphertext);
        ciphertext
    }

    /// A subject decrypts what another one encrypted.
    fn cross_decrypt(
        &self,
        subject: &str,
        cipher: &dyn Cipher,
        encryptor: &str,
        ciphertext: &[u8],
    ) -> Result<u64, Difference> {
        let mut compared = 0;
        for operation in cross_operations(cipher) {
            self.compare(ciphertext, &self.input, |blocks| {
                cipher.run(operation, &self.tweaks, blocks);
            })
            .map_err(|kind| {
                let operation = format!("{operation} of what {encryptor} encrypted");
                Difference::new(subject, operation, kind)
            })?;
            compared += 1;
        }
        Ok(compared)
    }

    /// Runs an operation on a copy of `input` at the case's alignment and compares the result.
    fn compare(
        &self,
        input: &[u8],
        expected: &[u8],
        run: impl FnOnce(&mut [u8]),
    ) -> Result<(), Kind> {
        let mut buffer = Guarded::new(self.alignment, input);
        // A panic is one more way to differ, and the case is to be shrunk and shown all the same.
        // On WebAssembly panics do not unwind: there it ends the program, and the case with it.
        if catch_unwind(AssertUnwindSafe(|| run(buffer.bytes()))).is_err() {
            Err(Kind::Panicked)
        } else if !buffer.is_intact() {
            Err(Kind::WroteOutside)
        } else if buffer.bytes() != expected {
            Err(first_difference(self.block_bytes, buffer.bytes(), expected))
        } else {
            Ok(())
        }
    }
}

/// The operations that cross-decryption takes: one block after the other, and all at once.
fn cross_operations(cipher: &dyn Cipher) -> impl Iterator<Item = Operation> {
    let bulk = last(cipher, Direction::Decrypt);
    let decrypts = |o: &&Operation| o.direction == Direction::Decrypt;
    cipher
        .operations()
        .iter()
        .filter(decrypts)
        .copied()
        .filter(move |operation| operation.call == Call::Block || *operation == bulk)
}

/// The last operation of a direction: for a backend, all blocks of bytes from-to.
fn last(cipher: &dyn Cipher, direction: Direction) -> Operation {
    *cipher
        .operations()
        .iter()
        .rfind(|operation| operation.direction == direction)
        .expect("a cipher can do both directions")
}

/// The first block that differs.
fn first_difference(block_bytes: usize, given: &[u8], expected: &[u8]) -> Kind {
    let at = given.iter().zip(expected).take_while(|(given, expected)| given == expected).count();
    let block = at / block_bytes;
    let bytes = block * block_bytes..(block + 1) * block_bytes;
    Kind::Block {
        block,
        expected: hex::encode(&expected[bytes.clone()]),
        given: hex::encode(&given[bytes]),
    }
}

/// What a subject did otherwise than the model, or than another subject.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The subject's name.
    pub subject: String,
    /// The method that gave it.
    pub operation: String,
    kind: Kind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    Block { block: usize, expected: String, given: String },
    WroteOutside,
    Panicked,
}

impl Difference {
    fn new(subject: &str, operation: String, kind: Kind) -> Self {
        Self { subject: subject.to_owned(), operation, kind }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { subject, operation, kind } = self;
        match kind {
            Kind::Block { block, expected, given } => write!(
                f,
                "{subject}: {operation}: block {block} differs\n  expected {expected}\n  given    {given}"
            ),
            Kind::WroteOutside => write!(f, "{subject}: {operation}: wrote outside its blocks"),
            Kind::Panicked => write!(f, "{subject}: {operation}: panicked"),
        }
    }
}

impl std::error::Error for Difference {}
