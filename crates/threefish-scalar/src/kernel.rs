//! The cipher for all sizes at once, step by step as in \[Skein 1.3, §3.3.1 and §3.3.2\].
//!
//! `NW` is the number of words and `PAIRS` half of it; a subkey table has `SUBKEYS` = Nr/4 + 1
//! rows of `NW` words and holds the key's part alone: the tweak's words are added when a subkey is,
//! so that a new tweak costs nothing. Keys, blocks and subkeys are secret; `s`, `d` and `j` are not.
//!
//! Not made for speed. Its bounds are those of `threefish-unrolled`, a round two operations deep, and a
//! block of 256 bits takes twice that path on a core of the Golden Cove family (330 cycles for 163).

use threefish_api::{Revision, Tweak, backend::Kernel, spec};

/// All subkeys of a key, without the tweak: row `s`, word `i`.
#[derive(Clone)]
pub(crate) struct Subkeys<const NW: usize, const SUBKEYS: usize>([[u64; NW]; SUBKEYS]);

impl<const NW: usize, const SUBKEYS: usize> Subkeys<NW, SUBKEYS> {
    /// Row `s`, word `i` is k[(s + i) mod (Nw + 1)], and `s` itself is added to the last word.
    fn expand(key: &[u64; NW], parity: u64) -> Self {
        let k_nw = key.iter().fold(parity, |parity, k| parity ^ k);
        let k = |i: usize| if i == NW { k_nw } else { key[i] };

        let mut subkeys = [[0; NW]; SUBKEYS];
        for (s, subkey) in subkeys.iter_mut().enumerate() {
            for (i, word) in subkey.iter_mut().enumerate() {
                *word = k((s + i) % (NW + 1));
            }
            subkey[NW - 1] = subkey[NW - 1].wrapping_add(s as u64);
        }
        Self(subkeys)
    }

    /// Subkey `s` under a tweak.
    fn subkey(&self, s: usize, t: [u64; 3]) -> [u64; NW] {
        let mut subkey = self.0[s];
        subkey[NW - 3] = subkey[NW - 3].wrapping_add(t[s % 3]);
        subkey[NW - 2] = subkey[NW - 2].wrapping_add(t[(s + 1) % 3]);
        subkey
    }

    fn encrypt<const PAIRS: usize>(
        &self,
        rotations: &[[u32; PAIRS]; 8],
        permutation: &[usize; NW],
        tweak: Tweak,
        block: &mut [u64; NW],
    ) {
        let rounds = 4 * (SUBKEYS - 1);
        let t = tweak.extended();
        for d in 0..rounds {
            if d % 4 == 0 {
                let subkey = self.subkey(d / 4, t);
                add(block, &subkey);
            }
            let mut f = [0; NW];
            for j in 0..PAIRS {
                [f[2 * j], f[2 * j + 1]] =
                    mix([block[2 * j], block[2 * j + 1]], rotations[d % 8][j]);
            }
            for i in 0..NW {
                block[i] = f[permutation[i]];
            }
        }
        add(block, &self.subkey(rounds / 4, t));
    }

    fn decrypt<const PAIRS: usize>(
        &self,
        rotations: &[[u32; PAIRS]; 8],
        permutation: &[usize; NW],
        tweak: Tweak,
        block: &mut [u64; NW],
    ) {
        let rounds = 4 * (SUBKEYS - 1);
        let t = tweak.extended();
        subtract(block, &self.subkey(rounds / 4, t));
        for d in (0..rounds).rev() {
            let mut f = [0; NW];
            for i in 0..NW {
                f[permutation[i]] = block[i];
            }
            for j in 0..PAIRS {
                [block[2 * j], block[2 * j + 1]] =
                    unmix([f[2 * j], f[2 * j + 1]], rotations[d % 8][j]);
            }
            if d % 4 == 0 {
                subtract(block, &self.subkey(d / 4, t));
            }
        }
    }
}

/// MIX: y0 = x0 + x1; y1 = (x1 <<< r) xor y0.
fn mix([x0, x1]: [u64; 2], r: u32) -> [u64; 2] {
    let y0 = x0.wrapping_add(x1);
    [y0, x1.rotate_left(r) ^ y0]
}

/// The inverse of [`mix`].
fn unmix([y0, y1]: [u64; 2], r: u32) -> [u64; 2] {
    let x1 = (y0 ^ y1).rotate_right(r);
    [y0.wrapping_sub(x1), x1]
}

fn add<const NW: usize>(block: &mut [u64; NW], subkey: &[u64; NW]) {
    for (word, k) in block.iter_mut().zip(subkey) {
        *word = word.wrapping_add(*k);
    }
}

fn subtract<const NW: usize>(block: &mut [u64; NW], subkey: &[u64; NW]) {
    for (word, k) in block.iter_mut().zip(subkey) {
        *word = word.wrapping_sub(*k);
    }
}

/// Names the tables of one size; all else is the same.
macro_rules! kernel {
    ($Subkeys:ident, $nw:literal, $subkeys:literal, $rotations:ident, $permutation:ident) => {
        pub(crate) type $Subkeys = Subkeys<$nw, $subkeys>;

        impl Kernel for $Subkeys {
            type Words = [u64; $nw];
            const LANES: usize = 1;

            fn new<R: Revision>(key: &[u64; $nw]) -> Self {
                Self::expand(key, R::PARITY)
            }

            fn secrets(&mut self) -> &mut [u64] {
                self.0.as_flattened_mut()
            }

            fn encrypt_block<R: Revision>(&self, tweak: Tweak, block: &mut [u64; $nw]) {
                self.encrypt(&R::$rotations, &spec::$permutation, tweak, block);
            }

            fn decrypt_block<R: Revision>(&self, tweak: Tweak, block: &mut [u64; $nw]) {
                self.decrypt(&R::$rotations, &spec::$permutation, tweak, block);
            }
        }
    };
}

kernel!(Subkeys256, 4, 19, ROTATIONS_256, PERMUTATION_256);
kernel!(Subkeys512, 8, 19, ROTATIONS_512, PERMUTATION_512);
kernel!(Subkeys1024, 16, 21, ROTATIONS_1024, PERMUTATION_1024);

#[cfg(test)]
mod tests {
    use hex_literal::hex;
    use threefish_api::{Threefish, Tweak, V1_1, V1_2, V1_3};
    use threefish_conformance::{Size, model::Model};

    use super::*;
    use crate::Threefish256;

    /// Revision 1.3; key, tweak and plaintext are texts.
    #[test]
    fn texts_in_bytes() {
        let cipher = Threefish256::from_bytes(b"key of 32,64 or 128 bytes length");
        let mut block = *b"block of data,same length as key";
        cipher.encrypt_block_bytes(Tweak::from(*b"tweak: 16 bytes "), &mut block);
        assert_eq!(block, hex!("1cbf83be6f57d8e066bab2ea0e910b0a062cd53a979a11496145474dc0e89e86"));
    }

    const TWEAK: [u64; 2] = [0x0706_0504_0302_0100, u64::MAX];

    /// The block after the last of `$subkeys` injections: what a cipher of so many subkeys gives.
    macro_rules! after_each_injection {
        ($nw:literal, $size:ident, $rotations:ident, $permutation:ident: $($subkeys:literal)+) => {
            for (version, rotations, parity) in [
                (V1_1::VERSION, V1_1::$rotations, V1_1::PARITY),
                (V1_2::VERSION, V1_2::$rotations, V1_2::PARITY),
                (V1_3::VERSION, V1_3::$rotations, V1_3::PARITY),
            ] {
                let key: [u64; $nw] = core::array::from_fn(|i| (i as u64 + 1) << 31);
                let plaintext = key.map(|word| !word);
                let expected = Model::new(Size::$size, version, &key).injections(TWEAK, &plaintext);
                let mut injections = expected.iter();
                $(
                    let subkeys = Subkeys::<$nw, $subkeys>::expand(&key, parity);
                    let mut block = plaintext;
                    subkeys.encrypt(&rotations, &spec::$permutation, Tweak::from(TWEAK), &mut block);
                    assert_eq!(&block[..], injections.next().unwrap(), "{version}, {}", $subkeys);
                )+
                assert!(injections.next().is_none());
            }
        };
    }

    #[test]
    fn every_injection_of_threefish_256_agrees_with_the_model() {
        after_each_injection!(4, Bits256, ROTATIONS_256, PERMUTATION_256:
            1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19);
    }

    #[test]
    fn every_injection_of_threefish_512_agrees_with_the_model() {
        after_each_injection!(8, Bits512, ROTATIONS_512, PERMUTATION_512:
            1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19);
    }

    #[test]
    fn every_injection_of_threefish_1024_agrees_with_the_model() {
        after_each_injection!(16, Bits1024, ROTATIONS_1024, PERMUTATION_1024:
            1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21);
    }
}
