//! Threefish as plainly as can be \[Skein 1.3, §3.3\]: slow, for all sizes and revisions, and with
//! its own copy of every table, so that a mistake in the tables of `threefish-api` cannot hide.
//!
//! Nothing is prepared: word `i` of subkey `s` is computed by its formula wherever it is needed.

use threefish_api::revision::Version;

use crate::Size;

/// Threefish under one key.
#[derive(Clone, Debug)]
pub struct Model {
    size: Size,
    version: Version,
    /// Nw words, and the parity word behind them.
    key: Vec<u64>,
    rounds: usize,
    /// Output word `i` of a round is word `permutation[i]` of its MIX functions.
    permutation: Vec<usize>,
    /// Row by row: the count of round `d`, pair `j` stands at `(d mod 8) * Nw / 2 + j`.
    rotations: Vec<u32>,
}

impl Model {
    /// The cipher of a size and revision under a key.
    ///
    /// # Panics
    ///
    /// If the key has not the words of the size.
    #[must_use]
    pub fn new(size: Size, version: Version, key: &[u64]) -> Self {
        assert_eq!(key.len(), size.words(), "words in a key of {size}");
        let mut parity = match version {
            Version::V1_1 | Version::V1_2 => 0x5555_5555_5555_5555,
            Version::V1_3 => 0x1BD1_1BDA_A9FC_1A22,
        };
        for word in key {
            parity ^= word;
        }
        let (rounds, permutation) = match size {
            Size::Bits256 => (72, P_256.to_vec()),
            Size::Bits512 => (72, P_512.to_vec()),
            Size::Bits1024 => (80, P_1024.to_vec()),
        };
        let rotations = match (size, version) {
            (Size::Bits256, Version::V1_1) => R_256_OF_2008.to_vec(),
            (Size::Bits512, Version::V1_1) => R_512_OF_2008.to_vec(),
            (Size::Bits1024, Version::V1_1) => R_1024_OF_2008.to_vec(),
            (Size::Bits256, _) => R_256_OF_2009.to_vec(),
            (Size::Bits512, _) => R_512_OF_2009.to_vec(),
            (Size::Bits1024, _) => R_1024_OF_2009.to_vec(),
        };
        Self { size, version, key: [key, &[parity]].concat(), rounds, permutation, rotations }
    }

    /// The same cipher, as wrong as this one if it is, under another key.
    #[must_use]
    pub fn with_key(&self, key: &[u64]) -> Self {
        Self { rotations: self.rotations.clone(), ..Self::new(self.size, self.version, key) }
    }

    /// Bits of a block.
    #[must_use]
    pub const fn size(&self) -> Size {
        self.size
    }

    /// The same with the rotation count of rounds `d` mod 8, pair `j` off by one: what tests must
    /// notice.
    #[must_use]
    pub fn with_wrong_rotation(mut self, d: usize, j: usize) -> Self {
        let at = self.rotation_index(d, j);
        self.rotations[at] ^= 1;
        self
    }

    /// The block encrypted under a tweak of words `t0` and `t1`.
    #[must_use]
    pub fn encrypt(&self, tweak: [u64; 2], block: &[u64]) -> Vec<u64> {
        self.encrypt_watched(tweak, block, |_| ())
    }

    /// The block after each injection of a subkey: Nr / 4 + 1 blocks, the last of them the
    /// ciphertext.
    #[must_use]
    pub fn injections(&self, tweak: [u64; 2], block: &[u64]) -> Vec<Vec<u64>> {
        let mut after = Vec::new();
        self.encrypt_watched(tweak, block, |block| after.push(block.to_vec()));
        after
    }

    fn encrypt_watched(
        &self,
        tweak: [u64; 2],
        block: &[u64],
        mut after_injection: impl FnMut(&[u64]),
    ) -> Vec<u64> {
        let mut block = block.to_vec();
        for d in 0..=self.rounds {
            if d % 4 == 0 {
                for (i, word) in block.iter_mut().enumerate() {
                    *word = word.wrapping_add(self.subkey(d / 4, i, tweak));
                }
                after_injection(&block);
            }
            if d < self.rounds {
                self.mix(d, &mut block);
                self.permute(&mut block);
            }
        }
        block
    }

    /// The block decrypted under a tweak of words `t0` and `t1`.
    #[must_use]
    pub fn decrypt(&self, tweak: [u64; 2], block: &[u64]) -> Vec<u64> {
        let mut block = block.to_vec();
        for d in (0..=self.rounds).rev() {
            if d < self.rounds {
                self.permute_back(&mut block);
                self.mix_back(d, &mut block);
            }
            if d % 4 == 0 {
                for (i, word) in block.iter_mut().enumerate() {
                    *word = word.wrapping_sub(self.subkey(d / 4, i, tweak));
                }
            }
        }
        block
    }

    /// Word `i` of subkey `s`.
    fn subkey(&self, s: usize, i: usize, [t0, t1]: [u64; 2]) -> u64 {
        let t = [t0, t1, t0 ^ t1];
        let words = self.words();
        let key = self.key[(s + i) % (words + 1)];
        if i == words - 3 {
            key.wrapping_add(t[s % 3])
        } else if i == words - 2 {
            key.wrapping_add(t[(s + 1) % 3])
        } else if i == words - 1 {
            key.wrapping_add(s as u64)
        } else {
            key
        }
    }

    fn mix(&self, d: usize, block: &mut [u64]) {
        for (j, pair) in block.chunks_mut(2).enumerate() {
            let r = self.rotations[self.rotation_index(d, j)];
            pair[0] = pair[0].wrapping_add(pair[1]);
            pair[1] = pair[1].rotate_left(r) ^ pair[0];
        }
    }

    fn mix_back(&self, d: usize, block: &mut [u64]) {
        for (j, pair) in block.chunks_mut(2).enumerate() {
            let r = self.rotations[self.rotation_index(d, j)];
            pair[1] = (pair[0] ^ pair[1]).rotate_right(r);
            pair[0] = pair[0].wrapping_sub(pair[1]);
        }
    }

    fn permute(&self, block: &mut [u64]) {
        let mixed = copy(block);
        for (to, &from) in self.permutation.iter().enumerate() {
            block[to] = mixed[from];
        }
    }

    fn permute_back(&self, block: &mut [u64]) {
        let permuted = copy(block);
        for (to, &from) in self.permutation.iter().enumerate() {
            block[from] = permuted[to];
        }
    }

    fn rotation_index(&self, d: usize, j: usize) -> usize {
        (d % 8) * (self.words() / 2) + j
    }

    fn words(&self) -> usize {
        self.key.len() - 1
    }
}

/// The words, with room for those of the biggest block: a `Vec` for each round takes most of the
/// time.
fn copy(block: &[u64]) -> [u64; 16] {
    let mut copy = [0; 16];
    copy[..block.len()].copy_from_slice(block);
    copy
}

const P_256: [usize; 4] = [0, 3, 2, 1];
const P_512: [usize; 8] = [2, 1, 4, 7, 6, 5, 0, 3];
const P_1024: [usize; 16] = [0, 9, 2, 13, 6, 11, 4, 15, 10, 7, 12, 3, 14, 5, 8, 1];

// Revision 1.1.
#[rustfmt::skip]
const R_256_OF_2008: [u32; 16] = [
    5, 56,   36, 28,   13, 46,   58, 44,   26, 20,   53, 35,   11, 42,   59, 50,
];
#[rustfmt::skip]
const R_512_OF_2008: [u32; 32] = [
    38, 30, 50, 53,   48, 20, 43, 31,   34, 14, 15, 27,   26, 12, 58,  7,
    33, 49,  8, 42,   39, 27, 41, 14,   29, 26, 11,  9,   33, 51, 39, 35,
];
#[rustfmt::skip]
const R_1024_OF_2008: [u32; 64] = [
    55, 43, 37, 40, 16, 22, 38, 12,   25, 25, 46, 13, 14, 13, 52, 57,
    33,  8, 18, 57, 21, 12, 32, 54,   34, 43, 25, 60, 44,  9, 59, 34,
    28,  7, 47, 48, 51,  9, 35, 41,   17,  6, 18, 25, 43, 42, 40, 15,
    58,  7, 32, 45, 19, 18,  2, 56,   47, 49, 27, 58, 37, 48, 53, 56,
];

// Revisions 1.2 and 1.3.
#[rustfmt::skip]
const R_256_OF_2009: [u32; 16] = [
    14, 16,   52, 57,   23, 40,   5, 37,   25, 33,   46, 12,   58, 22,   32, 32,
];
#[rustfmt::skip]
const R_512_OF_2009: [u32; 32] = [
    46, 36, 19, 37,   33, 27, 14, 42,   17, 49, 36, 39,   44,  9, 54, 56,
    39, 30, 34, 24,   13, 50, 10, 17,   25, 29, 39, 43,    8, 35, 56, 22,
];
#[rustfmt::skip]
const R_1024_OF_2009: [u32; 64] = [
    24, 13,  8, 47,  8, 17, 22, 37,   38, 19, 10, 55, 49, 18, 23, 52,
    33,  4, 51, 13, 34, 41, 59, 17,    5, 20, 48, 41, 47, 28, 16, 25,
    41,  9, 37, 31, 12, 47, 44, 30,   16, 34, 56, 51,  4, 53, 42, 41,
    31, 44, 47, 46, 19, 42, 44, 25,    9, 48, 35, 52, 23, 31, 37, 20,
];
