//! One block at a time, in registers of two lanes, with what AVX-512VL adds to them: the rotation, of
//! each lane by a count of its own.
//!
//! The block lies *across* the lanes: even words, the first of a MIX, in the registers `e`, odd words in
//! `o`, two in each, such that a round is a MIX of whole registers. Which registers meet in a round, and
//! when lanes are swapped, follows from where the words lie at the start ([`Meetings`]).
//!
//! A swap costs no time on the way: encrypting, even lanes are swapped while the odd ones wait for
//! their xor; decrypting, odd lanes, while the even ones wait for their difference. So the chain of
//! operations is that of the cipher, two a round and three backward.

#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;
use core::marker::PhantomData;

use threefish_api::{Revision, Tweak, spec};
use threefish_lanes::{Block, unroll};

use crate::avx512::Avx512;

/// Encrypts a block under the extended key `k`.
#[inline(always)]
pub(crate) fn encrypt<S: State<WORDS>, const WORDS: usize>(
    avx512: Avx512,
    k: &[u64],
    tweak: Tweak,
    block: &mut Block<WORDS>,
) {
    let t = tweak.extended();
    let mut v = S::load(avx512, block);
    unroll!(D in 0 4 8 12 16 20 24 28 32 36 40 44 48 52 56 60 64 68 72 76 {
        if D < S::ROUNDS {
            v = v.inject(k, t, D / 4).round(D).round(D + 1).round(D + 2).round(D + 3);
        }
    });
    v.inject(k, t, S::ROUNDS / 4).store(block);
}

/// Decrypts a block under the extended key `k`.
#[inline(always)]
pub(crate) fn decrypt<S: State<WORDS>, const WORDS: usize>(
    avx512: Avx512,
    k: &[u64],
    tweak: Tweak,
    block: &mut Block<WORDS>,
) {
    let t = tweak.extended();
    let mut v = S::load(avx512, block).eject(k, t, S::ROUNDS / 4);
    unroll!(D in 76 72 68 64 60 56 52 48 44 40 36 32 28 24 20 16 12 8 4 0 {
        if D < S::ROUNDS {
            v = v.unround(D + 3).unround(D + 2).unround(D + 1).unround(D).eject(k, t, D / 4);
        }
    });
    v.store(block);
}

/// A block in registers. `s` counts subkeys and `d` rounds.
pub(crate) trait State<const WORDS: usize>: Copy {
    const ROUNDS: usize;

    fn load(avx512: Avx512, block: &Block<WORDS>) -> Self;
    fn store(self, block: &mut Block<WORDS>);
    fn round(self, d: usize) -> Self;
    fn unround(self, d: usize) -> Self;
    fn inject(self, k: &[u64], t: [u64; 3], s: usize) -> Self;
    fn eject(self, k: &[u64], t: [u64; 3], s: usize) -> Self;
}

/// What is added to word `i` of `nw` besides the word of the key.
#[inline(always)]
fn tweak_or_number(t: [u64; 3], s: usize, i: usize, nw: usize) -> u64 {
    match nw - i {
        3 => t[s % 3],
        2 => t[(s + 1) % 3],
        1 => s as u64,
        _ => 0,
    }
}

/// The words of a block of `4 * E` words: those of [`Layout::EVEN`] in `e`, each one's successor in `o`.
#[derive(Clone, Copy)]
pub(crate) struct Across<R, const E: usize> {
    avx512: Avx512,
    e: [__m128i; E],
    o: [__m128i; E],
    revision: PhantomData<R>,
}

/// What is particular to a size.
pub(crate) trait Layout<const E: usize> {
    const ROUNDS: usize;
    /// The words in the low and the high lane of each even register. Chosen such that in every round
    /// either the lanes of all odd words agree with those of the even ones that they meet, or none.
    const EVEN: [(usize, usize); E];
    /// With even lanes swapped.
    const ENCRYPT: Meetings<E>;
    /// With odd lanes swapped.
    const DECRYPT: Meetings<E>;

    /// The rotation of MIX `j` in round `d`.
    fn rotation(d: usize, j: usize) -> u32;
}

macro_rules! layout {
    ($E:literal, $EVEN:expr, $ROUNDS:ident, $PERMUTATION:ident, $ROTATIONS:ident) => {
        impl<R: Revision> Layout<$E> for Across<R, $E> {
            const ROUNDS: usize = spec::$ROUNDS;
            const EVEN: [(usize, usize); $E] = $EVEN;
            const ENCRYPT: Meetings<$E> = Meetings::of(&Self::EVEN, &spec::$PERMUTATION, 0);
            const DECRYPT: Meetings<$E> = Meetings::of(&Self::EVEN, &spec::$PERMUTATION, 1);

            #[inline(always)]
            fn rotation(d: usize, j: usize) -> u32 {
                R::$ROTATIONS[d % 8][j]
            }
        }
    };
}

layout!(1, [(0, 2)], ROUNDS_256, PERMUTATION_256, ROTATIONS_256);
layout!(2, [(0, 4), (2, 6)], ROUNDS_512, PERMUTATION_512, ROTATIONS_512);
layout!(4, [(0, 2), (8, 12), (6, 4), (10, 14)], ROUNDS_1024, PERMUTATION_1024, ROTATIONS_1024);

/// For each round mod 4, after which all words are back.
pub(crate) struct Meetings<const E: usize> {
    /// The odd register that even register `i` meets, and the MIX of their low and of their high lanes.
    with: [[(usize, usize, usize); E]; 4],
    /// Whether lanes are swapped after the round.
    swap: [bool; 4],
}

impl<const E: usize> Meetings<E> {
    /// Follows the words through four rounds of the permutation. Lanes of even words are swapped if
    /// `swapped` is 0, of odd words if it is 1.
    const fn of(even: &[(usize, usize); E], permutation: &[usize], swapped: usize) -> Self {
        // Register and lane of each word.
        let mut place = [(0, 0); 16];
        let mut i = 0;
        while i < E {
            let (low, high) = even[i];
            (place[low], place[low + 1]) = ((i, 0), (i, 0));
            (place[high], place[high + 1]) = ((i, 1), (i, 1));
            i += 1;
        }

        let (mut with, mut swap) = ([[(0, 0, 0); E]; 4], [false; 4]);
        let mut d = 0;
        while d < 4 {
            let mut j = 0;
            while j < 2 * E {
                let ((e, lane), (o, _)) = (place[2 * j], place[2 * j + 1]);
                let (_, low, high) = with[d][e];
                with[d][e] = if lane == 0 { (o, j, high) } else { (o, low, j) };
                j += 1;
            }
            let before = place;
            let mut i = 0;
            while i < 4 * E {
                place[i] = before[permutation[i]];
                i += 1;
            }
            swap[d] = place[0].1 != place[1].1;
            let mut j = 0;
            while j < 2 * E {
                assert!(swap[d] == (place[2 * j].1 != place[2 * j + 1].1));
                if swap[d] {
                    place[2 * j + swapped].1 = 1 - place[2 * j + swapped].1;
                }
                j += 1;
            }
            d += 1;
        }
        Self { with, swap }
    }
}

impl<R: Revision, const E: usize> Across<R, E>
where
    Self: Layout<E>,
{
    /// Words `low` and `high` of subkey `s`. Key and tweak are added in lanes: an integer sum would
    /// take two instructions on i686.
    #[inline(always)]
    fn subkey(self, k: &[u64], t: [u64; 3], s: usize, low: usize, high: usize) -> __m128i {
        let (avx512, nw) = (self.avx512, 4 * E);
        let pair = |low, high| avx512.lows(avx512.low(low), avx512.low(high));
        let word = pair(k[(s + low) % (nw + 1)], k[(s + high) % (nw + 1)]);
        if low < nw - 3 && high < nw - 3 {
            return word;
        }
        let extra = |i| tweak_or_number(t, s, i, nw);
        avx512.add_pairs(word, pair(extra(low), extra(high)))
    }
}

impl<R: Revision, const E: usize, const WORDS: usize> State<WORDS> for Across<R, E>
where
    Self: Layout<E>,
{
    const ROUNDS: usize = <Self as Layout<E>>::ROUNDS;

    #[inline(always)]
    fn load(avx512: Avx512, block: &Block<WORDS>) -> Self {
        let (pairs, _) = block.as_chunks();
        let mut v =
            Self { avx512, e: [avx512.low(0); E], o: [avx512.low(0); E], revision: PhantomData };
        unroll!(I in 0 1 2 3 {
            if I < E {
                let (low, high) = Self::EVEN[I];
                let (low, high) = (avx512.load_pair(&pairs[low / 2]), avx512.load_pair(&pairs[high / 2]));
                (v.e[I], v.o[I]) = (avx512.lows(low, high), avx512.highs(low, high));
            }
        });
        v
    }

    #[inline(always)]
    fn store(self, block: &mut Block<WORDS>) {
        let Self { avx512, e, o, .. } = self;
        let (pairs, _) = block.as_chunks_mut();
        unroll!(I in 0 1 2 3 {
            if I < E {
                let (low, high) = Self::EVEN[I];
                avx512.store_pair(avx512.lows(e[I], o[I]), &mut pairs[low / 2]);
                avx512.store_pair(avx512.highs(e[I], o[I]), &mut pairs[high / 2]);
            }
        });
    }

    #[inline(always)]
    fn round(mut self, d: usize) -> Self {
        let avx512 = self.avx512;
        unroll!(I in 0 1 2 3 {
            if I < E {
                let (o, low, high) = Self::ENCRYPT.with[d % 4][I];
                let (x0, x1) = (self.e[I], self.o[o]);
                let rotated = avx512.rotate_pair(x1, Self::rotation(d, low), Self::rotation(d, high));
                let y0 = avx512.add_pairs(x0, x1);
                let y1 = avx512.xor_pairs(rotated, y0);
                self.e[I] = if Self::ENCRYPT.swap[d % 4] { avx512.swap(y0) } else { y0 };
                self.o[o] = y1;
            }
        });
        self
    }

    #[inline(always)]
    fn unround(mut self, d: usize) -> Self {
        let avx512 = self.avx512;
        unroll!(I in 0 1 2 3 {
            if I < E {
                let (o, low, high) = Self::DECRYPT.with[d % 4][I];
                let (y0, y1) = (self.e[I], self.o[o]);
                let y1 = if Self::DECRYPT.swap[d % 4] { avx512.swap(y1) } else { y1 };
                let (low, high) = (Self::rotation(d, low), Self::rotation(d, high));
                let x1 = avx512.rotate_pair(avx512.xor_pairs(y0, y1), 64 - low, 64 - high);
                (self.e[I], self.o[o]) = (avx512.sub_pairs(y0, x1), x1);
            }
        });
        self
    }

    #[inline(always)]
    fn inject(mut self, k: &[u64], t: [u64; 3], s: usize) -> Self {
        unroll!(I in 0 1 2 3 {
            if I < E {
                let (low, high) = Self::EVEN[I];
                self.e[I] = self.avx512.add_pairs(self.e[I], self.subkey(k, t, s, low, high));
                self.o[I] = self.avx512.add_pairs(self.o[I], self.subkey(k, t, s, low + 1, high + 1));
            }
        });
        self
    }

    #[inline(always)]
    fn eject(mut self, k: &[u64], t: [u64; 3], s: usize) -> Self {
        unroll!(I in 0 1 2 3 {
            if I < E {
                let (low, high) = Self::EVEN[I];
                self.e[I] = self.avx512.sub_pairs(self.e[I], self.subkey(k, t, s, low, high));
                self.o[I] = self.avx512.sub_pairs(self.o[I], self.subkey(k, t, s, low + 1, high + 1));
            }
        });
        self
    }
}
