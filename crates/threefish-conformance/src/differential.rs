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

pub use campaign::{Campaign, Failure, Outcome, Tally};
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
    let trial = Trial::new(case, subjects);
    trial.comparisons().try_fold(0, |compared, comparison| comparison.result.map(|()| compared + 1))
}

/// Does a case with every subject, as [`check`] does, and goes on after a difference: all that
/// differ.
#[must_use]
pub fn differences(case: &Case, subjects: &[Subject]) -> Vec<Difference> {
    let trial = Trial::new(case, subjects);
    trial.comparisons().filter_map(|comparison| comparison.result.err()).collect()
}

/// The name of the model in a [`Pair`], where it is compared with every subject.
pub const MODEL: &str = "model";

/// The names of two that were compared, in the order of the alphabet.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pair<Name = String>([Name; 2]);

impl<Name: Ord> Pair<Name> {
    /// Of two names, in any order.
    #[must_use]
    pub fn new(a: Name, b: Name) -> Self {
        Self(if a < b { [a, b] } else { [b, a] })
    }

    /// Both.
    #[must_use]
    pub const fn names(&self) -> &[Name; 2] {
        &self.0
    }
}

impl From<Pair<&str>> for Pair {
    fn from(Pair(names): Pair<&str>) -> Self {
        Self(names.map(str::to_owned))
    }
}

/// A case in bytes, what the model makes of it, and the ciphers that are to make the same.
struct Trial<'a> {
    block_bytes: usize,
    alignment: usize,
    tweaks: Vec<Tweak>,
    keys: Vec<u8>,
    input: Vec<u8>,
    encrypted: Vec<u8>,
    decrypted: Vec<u8>,
    encrypted_keys: Vec<u8>,
    decrypted_keys: Vec<u8>,
    ciphers: Vec<Named<'a>>,
}

/// A subject under the case's key.
struct Named<'a> {
    name: &'a str,
    cipher: Box<dyn Cipher>,
}

/// A result of one, and what another makes of the same.
struct Comparison<'a> {
    pair: Pair<&'a str>,
    result: Result<(), Difference>,
}

impl<'a> Comparison<'a> {
    fn new(
        subject: &'a str,
        other: &'a str,
        operation: impl fmt::Display,
        result: Result<(), Kind>,
    ) -> Self {
        let result = result.map_err(|kind| Difference {
            subject: subject.to_owned(),
            other: other.to_owned(),
            operation: operation.to_string(),
            kind,
        });
        Self { pair: Pair::new(subject, other), result }
    }
}

impl<'a> Trial<'a> {
    fn new(case: &Case, subjects: &'a [Subject]) -> Self {
        let model = Model::new(case.size, case.version, &case.key);
        let each = |result: fn(&Model, &Entry) -> Vec<u64>| {
            let blocks = case.entries.iter().map(|entry| result(&model, entry));
            to_bytes(&blocks.collect::<Vec<_>>().concat())
        };
        let key = to_bytes(&case.key);
        let named =
            |subject: &'a Subject| Named { name: &subject.name, cipher: subject.cipher(&key) };
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
            ciphers: subjects.iter().map(named).collect(),
        }
    }

    /// Every comparison, each made when it is asked for.
    fn comparisons(&self) -> impl Iterator<Item = Comparison<'a>> {
        let with_model = self.ciphers.iter().flat_map(|subject| self.with_model(subject));
        let crossed = self.ciphers.iter().flat_map(|encryptor| self.cross_decrypt(encryptor));
        with_model.chain(crossed)
    }

    /// Every operation of a subject.
    fn with_model(&self, subject: &Named<'a>) -> impl Iterator<Item = Comparison<'a>> {
        let Named { name, cipher } = subject;
        let calls = cipher.operations().iter().map(move |&operation| {
            let expected = match operation.direction {
                Direction::Encrypt => &self.encrypted,
                Direction::Decrypt => &self.decrypted,
            };
            let result = self.compare(&self.input, expected, |blocks| {
                cipher.run(operation, &self.tweaks, blocks);
            });
            Comparison::new(name, MODEL, operation, result)
        });
        let with_many_keys = [Direction::Encrypt, Direction::Decrypt].map(|direction| {
            move || {
                let expected = match direction {
                    Direction::Encrypt => &self.encrypted_keys,
                    Direction::Decrypt => &self.decrypted_keys,
                };
                let result = self.compare(&self.input, expected, |blocks| {
                    cipher.run_keys(direction, &self.keys, &self.tweaks, blocks);
                });
                Comparison::new(name, MODEL, format_args!("{direction}_keys"), result)
            }
        });
        calls.chain(with_many_keys.into_iter().map(|compare| compare()))
    }

    /// Every other subject decrypts what one encrypted. If that one panics there is nothing to
    /// decrypt; that it differs from the model is known by then.
    fn cross_decrypt(&self, encryptor: &Named<'a>) -> impl Iterator<Item = Comparison<'a>> {
        let mut ciphertext = self.input.clone();
        let encrypted = unless_it_panics(|| {
            let operation = last(&*encryptor.cipher, Direction::Encrypt);
            encryptor.cipher.run(operation, &self.tweaks, &mut ciphertext);
        });
        let others = self.ciphers.iter().filter(move |subject| subject.name != encryptor.name);
        let decryptions = others.flat_map(|subject| {
            cross_operations(&*subject.cipher).map(move |operation| (subject, operation))
        });
        decryptions.take_while(move |_| encrypted.is_ok()).map(move |(subject, operation)| {
            let result = self.compare(&ciphertext, &self.input, |blocks| {
                subject.cipher.run(operation, &self.tweaks, blocks);
            });
            Comparison::new(subject.name, encryptor.name, operation, result)
        })
    }

    /// Runs an operation on a copy of `input` at the case's alignment and compares the result.
    fn compare(
        &self,
        input: &[u8],
        expected: &[u8],
        run: impl FnOnce(&mut [u8]),
    ) -> Result<(), Kind> {
        let mut buffer = Guarded::new(self.alignment, input);
        unless_it_panics(|| run(buffer.bytes()))?;
        if !buffer.is_intact() {
            Err(Kind::WroteOutside)
        } else if buffer.bytes() != expected {
            Err(first_difference(self.block_bytes, buffer.bytes(), expected))
        } else {
            Ok(())
        }
    }
}

/// A panic is one more way to differ, and the case is to be shrunk and shown all the same. On
/// WebAssembly panics do not unwind: there it ends the program, and the case with it.
fn unless_it_panics(run: impl FnOnce()) -> Result<(), Kind> {
    catch_unwind(AssertUnwindSafe(run)).map_err(|_| Kind::Panicked)
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
        expected: hex::encode(&expected[bytes.clone()]).into(),
        given: hex::encode(&given[bytes]).into(),
    }
}

/// What a subject did otherwise than the model, or than another subject.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The subject's name.
    pub subject: String,
    /// Whose result it should have given: [`MODEL`], or who encrypted what it decrypts.
    pub other: String,
    /// The method that gave it.
    pub operation: String,
    kind: Kind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    Block { block: usize, expected: Box<str>, given: Box<str> },
    WroteOutside,
    Panicked,
}

impl Difference {
    /// The two that differ.
    #[must_use]
    pub fn pair(&self) -> Pair {
        Pair::new(self.subject.clone(), self.other.clone())
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { subject, other, operation, kind } = self;
        write!(f, "{subject}: {operation}")?;
        if other != MODEL {
            write!(f, " of what {other} encrypted")?;
        }
        match kind {
            Kind::Block { block, expected, given } => {
                write!(f, ": block {block} differs\n  expected {expected}\n  given    {given}")
            }
            Kind::WroteOutside => write!(f, ": wrote outside its blocks"),
            Kind::Panicked => write!(f, ": panicked"),
        }
    }
}

impl std::error::Error for Difference {}
