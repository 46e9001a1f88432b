use std::fmt;

use rand::{Rng, RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};
use threefish_api::{Tweak, revision::Version};

use crate::{Size, model::Model, to_bytes, vectors::Vector};

/// One random case: blocks with their tweaks under one key, and each under a key of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// Bits of a block.
    pub size: Size,
    /// Whose constants are used.
    pub version: Version,
    /// What the address of the blocks leaves modulo 16.
    pub alignment: usize,
    /// The key of all blocks.
    pub key: Vec<u64>,
    /// The blocks, 0 to 101 of them.
    pub entries: Vec<Entry>,
}

/// A block of a [`Case`] and what goes with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its own key, where many keys are tested.
    pub key: Vec<u64>,
    /// Its tweak.
    pub tweak: [u64; 2],
    /// The words.
    pub block: Vec<u64>,
}

/// Words at which something may go wrong: 32-bit code carries between halves there.
pub(crate) const EDGES: [u64; 8] =
    [0, 1, (1 << 32) - 1, 1 << 32, (1 << 63) - 1, 1 << 63, u64::MAX - 1, u64::MAX];

impl Case {
    /// Case number `index` of a seed: the same on every target. Sizes and revisions take turns.
    #[must_use]
    pub fn generate(seed: u64, index: u64) -> Self {
        // Through the generator, so that (seed, index + 1) and (seed + 1, index) are unlike.
        let seed = Xoshiro256PlusPlus::seed_from_u64(seed).next_u64();
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed ^ index);

        let (size, version) = (take_turns(&Size::ALL, index), take_turns(&Version::ALL, index / 3));
        // Mostly few blocks, which are quick and hit every remainder; at times more than two
        // batches.
        let most = [3, 3, 3, 5, 5, 5, 9, 9, 9, 17, 17, 101][below(&mut random, 12)];
        let alignment = below(&mut random, 16);
        let key = words(&mut random, size.words());
        let entries = (0..below(&mut random, most + 1))
            .map(|_| Entry {
                key: words(&mut random, size.words()),
                tweak: [word(&mut random), word(&mut random)],
                block: words(&mut random, size.words()),
            })
            .collect();
        Self { size, version, alignment, key, entries }
    }

    /// The blocks as bytes.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        concat(self.entries.iter().map(|entry| to_bytes(&entry.block)))
    }

    /// Each block's own key as bytes.
    #[must_use]
    pub fn keys(&self) -> Vec<u8> {
        concat(self.entries.iter().map(|entry| to_bytes(&entry.key)))
    }

    /// Each block's tweak.
    #[must_use]
    pub fn tweaks(&self) -> Vec<Tweak> {
        self.entries.iter().map(|entry| Tweak::from(entry.tweak)).collect()
    }

    /// The case as known answers of the model, for a file of regressions: each block encrypted
    /// and decrypted under the key of all, and encrypted under its own if that is another. Blocks
    /// of one key stand together, so that tests do them in bulk.
    #[must_use]
    pub fn to_vectors(&self, id: &str, source: &str) -> Vec<Vector> {
        let mut vectors = Vec::new();
        let mut push = |what: &str, i: usize, key: &[u64], tweak, plain: &[u64], cipher: &[u64]| {
            vectors.push(Vector {
                file: String::new(),
                id: format!("{id}-{what}-{i}"),
                size: self.size,
                version: self.version,
                key: to_bytes(key),
                tweak: Tweak::from(tweak),
                plaintext: to_bytes(plain),
                ciphertext: to_bytes(cipher),
                source: source.to_owned(),
            });
        };
        let model = Model::new(self.size, self.version, &self.key);
        for (i, Entry { tweak, block, .. }) in self.entries.iter().enumerate() {
            push("encrypt", i, &self.key, *tweak, block, &model.encrypt(*tweak, block));
        }
        for (i, Entry { tweak, block, .. }) in self.entries.iter().enumerate() {
            push("decrypt", i, &self.key, *tweak, &model.decrypt(*tweak, block), block);
        }
        for (i, Entry { key, tweak, block }) in self.entries.iter().enumerate() {
            if *key != self.key {
                push("keys", i, key, *tweak, block, &model.with_key(key).encrypt(*tweak, block));
            }
        }
        vectors
    }
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { size, version, alignment, key, entries } = self;
        let blocks = entries.len();
        writeln!(
            f,
            "{size}, revision {version}, blocks: {blocks}, at an address of {alignment} mod 16"
        )?;
        write!(f, "  key {}", hex::encode(to_bytes(key)))?;
        for (i, Entry { key, tweak, block }) in entries.iter().enumerate() {
            write!(f, "\n  block {i} {}", hex::encode(to_bytes(block)))?;
            write!(f, "\n    tweak {}", hex::encode(to_bytes(tweak)))?;
            write!(f, "\n    own key {}", hex::encode(to_bytes(key)))?;
        }
        Ok(())
    }
}

fn take_turns<T: Copy>(of: &[T; 3], index: u64) -> T {
    match index % 3 {
        0 => of[0],
        1 => of[1],
        _ => of[2],
    }
}

fn concat(parts: impl Iterator<Item = Vec<u8>>) -> Vec<u8> {
    parts.collect::<Vec<_>>().concat()
}

fn words(random: &mut impl Rng, count: usize) -> Vec<u64> {
    (0..count).map(|_| word(random)).collect()
}

/// Half of them any word, else an edge, a single bit, or halves that are all ones or zeros.
fn word(random: &mut impl Rng) -> u64 {
    match below(random, 8) {
        0..4 => random.next_u64(),
        4 | 5 => EDGES[below(random, EDGES.len())],
        6 => 1 << below(random, 64),
        _ => u64::from(random.next_u32()) << 32 | [0, 0xFFFF_FFFF][below(random, 2)],
    }
}

/// A number below `end`, drawn as 32 bits so that every target draws the same.
fn below(random: &mut impl Rng, end: usize) -> usize {
    let end = u32::try_from(end).expect("small");
    usize::try_from(random.random_range(0..end)).expect("small")
}
