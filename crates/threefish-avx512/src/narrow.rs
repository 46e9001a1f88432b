//! Registers of four lanes, for up to four blocks: they have a third port, and half the blocks to fill.

#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

use threefish_lanes::{Block, InFlight, Job, Lanes, NoLanes, unroll};

use crate::avx512::{Avx512, avx512};

impl Lanes<4> for Avx512 {
    type Vector = __m256i;
    type Narrow = NoLanes;

    const NEEDS: &'static str = <Self as Lanes<8>>::NEEDS;
    // There is only ever one group.
    const IN_FLIGHT_256: InFlight = InFlight { encrypt: 1, decrypt: 1, keys: 1, few: 2 };
    const IN_FLIGHT_512: InFlight = <Self as Lanes<4>>::IN_FLIGHT_256;
    const IN_FLIGHT_1024: InFlight = <Self as Lanes<4>>::IN_FLIGHT_256;

    #[inline]
    fn detect() -> Option<Self> {
        <Self as Lanes<8>>::detect()
    }

    #[inline(always)]
    fn narrow(self) -> Option<NoLanes> {
        None
    }

    #[inline(always)]
    fn run<J: Job<Self>>(self, job: J) {
        Lanes::<8>::run(self, job);
    }

    avx512! {
        fn load<const WORDS: usize>(blocks: &[Block<WORDS>; 4]) -> [__m256i; WORDS] {
            let mut v = [_mm256_setzero_si256(); WORDS];
            unroll!(I in 0 4 8 12 {
                if I < WORDS {
                    let row = |block: usize| load(&blocks[block].as_chunks().0[I / 4]);
                    [v[I], v[I + 1], v[I + 2], v[I + 3]] =
                        transpose([row(0), row(1), row(2), row(3)]);
                }
            });
            v
        }
        fn store<const WORDS: usize>(v: [__m256i; WORDS], blocks: &mut [Block<WORDS>; 4]) {
            unroll!(I in 0 4 8 12 {
                if I < WORDS {
                    let rows = transpose([v[I], v[I + 1], v[I + 2], v[I + 3]]);
                    unroll!(BLOCK in 0 1 2 3 {
                        store(rows[BLOCK], &mut blocks[BLOCK].as_chunks_mut().0[I / 4]);
                    });
                }
            });
        }
        fn load_tweaks(tweaks: &[Block<2>; 4]) -> [__m256i; 2] {
            let (registers, _) = tweaks.as_flattened().as_chunks();
            let (a, b) = (load(&registers[0]), load(&registers[1]));
            [pick(a, b, [0, 2, 4, 6]), pick(a, b, [1, 3, 5, 7])]
        }
        fn splat(word: u64) -> __m256i {
            _mm256_set1_epi64x(word.cast_signed())
        }
        fn add(a: __m256i, b: __m256i) -> __m256i {
            _mm256_add_epi64(a, b)
        }
        fn sub(a: __m256i, b: __m256i) -> __m256i {
            _mm256_sub_epi64(a, b)
        }
        fn xor(a: __m256i, b: __m256i) -> __m256i {
            _mm256_xor_si256(a, b)
        }
        fn rotate_left(a: __m256i, r: u32) -> __m256i {
            _mm256_rolv_epi64(a, _mm256_set1_epi64x(r.into()))
        }
    }
}

/// Lane j of register i to lane i of register j: each step exchanges a bit of i for the same of j.
#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
fn transpose([a, b, c, d]: [__m256i; 4]) -> [__m256i; 4] {
    let (a, b) = (pick(a, b, [0, 4, 2, 6]), pick(a, b, [1, 5, 3, 7]));
    let (c, d) = (pick(c, d, [0, 4, 2, 6]), pick(c, d, [1, 5, 3, 7]));
    let (low, high) = ([0, 1, 4, 5], [2, 3, 6, 7]);
    [pick(a, c, low), pick(b, d, low), pick(a, c, high), pick(b, d, high)]
}

/// Lanes of `a`, numbered from 0, and of `b`, from 4.
#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
fn pick(a: __m256i, b: __m256i, [i, j, k, l]: [i64; 4]) -> __m256i {
    _mm256_permutex2var_epi64(a, _mm256_setr_epi64x(i, j, k, l), b)
}

#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
fn load(words: &[[u8; 8]; 4]) -> __m256i {
    // SAFETY: reads the 32 bytes borrowed here; the instruction asks for no alignment.
    unsafe { _mm256_loadu_si256(words.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
fn store(a: __m256i, words: &mut [[u8; 8]; 4]) {
    // SAFETY: writes the 32 bytes borrowed here; the instruction asks for no alignment.
    unsafe { _mm256_storeu_si256(words.as_mut_ptr().cast(), a) }
}
