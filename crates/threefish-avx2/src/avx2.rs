//! The AVX2 operations that the kernels are written in, on registers of four 64-bit lanes.

#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

use threefish_lanes::{Block, InFlight, Job, Lanes, NoLanes, unroll};

cpufeatures::new!(avx2, "avx2");

/// Proof that this processor has AVX2: only [`Lanes::detect`] makes one.
#[derive(Clone, Copy)]
pub(crate) struct Avx2(());

/// Defines methods of the token by functions with the target feature, which the compiler checks to
/// use no instruction beyond it.
macro_rules! avx2 {
    ($(fn $name:ident$(<const $WORDS:ident: usize>)?($($argument:ident: $Type:ty),*) $(-> $Result:ty)? $body:block)+) => {$(
        #[inline(always)]
        fn $name$(<const $WORDS: usize>)?(self, $($argument: $Type),*) $(-> $Result)? {
            #[inline]
            #[target_feature(enable = "avx2")]
            fn avx2$(<const $WORDS: usize>)?($($argument: $Type),*) $(-> $Result)? $body
            // SAFETY: the token proves that this processor has AVX2.
            unsafe { avx2($($argument),*) }
        }
    )+};
}

impl Lanes<4> for Avx2 {
    type Vector = __m256i;
    type Narrow = NoLanes;
    const NEEDS: &'static str = "AVX2";

    // 16 registers on x86_64, eight on i686.
    const IN_FLIGHT_256: InFlight = if cfg!(target_arch = "x86_64") {
        InFlight { encrypt: 3, decrypt: 3, keys: 1, few: 3 }
    } else {
        InFlight { encrypt: 2, decrypt: 2, keys: 1, few: 2 }
    };
    const IN_FLIGHT_512: InFlight = if cfg!(target_arch = "x86_64") {
        InFlight { encrypt: 2, decrypt: 2, keys: 1, few: 3 }
    } else {
        InFlight { encrypt: 1, decrypt: 1, keys: 1, few: 2 }
    };
    const IN_FLIGHT_1024: InFlight = if cfg!(target_arch = "x86_64") {
        InFlight { encrypt: 1, decrypt: 1, keys: 1, few: 3 }
    } else {
        InFlight { encrypt: 1, decrypt: 1, keys: 1, few: 2 }
    };

    #[inline]
    fn detect() -> Option<Self> {
        avx2::get().then_some(Self(()))
    }

    #[inline(always)]
    fn narrow(self) -> Option<NoLanes> {
        None
    }

    #[inline(always)]
    fn run<J: Job<Self>>(self, job: J) {
        #[inline(never)]
        #[target_feature(enable = "avx2")]
        fn run<J: Job<Avx2>>(avx2: Avx2, job: J) {
            job.run(avx2);
        }
        // SAFETY: the token proves that this processor has AVX2.
        unsafe { run(self, job) }
    }

    avx2! {
        fn load<const WORDS: usize>(blocks: &[Block<WORDS>; 4]) -> [__m256i; WORDS] {
            let mut v = [_mm256_setzero_si256(); WORDS];
            unroll!(I in 0 4 8 12 {
                if I < WORDS {
                    let [a, b, c, d] = blocks.each_ref().map(|block| load(block, I));
                    [v[I], v[I + 1], v[I + 2], v[I + 3]] = transpose([a, b, c, d]);
                }
            });
            v
        }
        fn store<const WORDS: usize>(v: [__m256i; WORDS], blocks: &mut [Block<WORDS>; 4]) {
            let [a, b, c, d] = blocks;
            unroll!(I in 0 4 8 12 {
                if I < WORDS {
                    let rows = transpose([v[I], v[I + 1], v[I + 2], v[I + 3]]);
                    store(rows[0], a, I);
                    store(rows[1], b, I);
                    store(rows[2], c, I);
                    store(rows[3], d, I);
                }
            });
        }
        fn load_tweaks(tweaks: &[Block<2>; 4]) -> [__m256i; 2] {
            let words = tweaks.as_flattened();
            let (ab, cd) = (load(words, 0), load(words, 4));
            // <a0, c0, b0, d0>, <a1, c1, b1, d1>
            let (t0, t1) = (_mm256_unpacklo_epi64(ab, cd), _mm256_unpackhi_epi64(ab, cd));
            const ACBD: i32 = 0b11_01_10_00;
            [_mm256_permute4x64_epi64::<ACBD>(t0), _mm256_permute4x64_epi64::<ACBD>(t1)]
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
            if r == 32 {
                return _mm256_shuffle_epi32::<0b10_11_00_01>(a);
            }
            if r.is_multiple_of(8) {
                // One shuffle of bytes instead of three operations.
                let low: u64 = 0x0706_0504_0302_0100;
                let (low, high) = (low.rotate_left(r), (low + 0x0808_0808_0808_0808).rotate_left(r));
                let (low, high) = (low.cast_signed(), high.cast_signed());
                return _mm256_shuffle_epi8(a, _mm256_setr_epi64x(low, high, low, high));
            }
            let left = _mm256_sll_epi64(a, _mm_cvtsi32_si128(r.cast_signed()));
            let right = _mm256_srl_epi64(a, _mm_cvtsi32_si128((64 - r).cast_signed()));
            _mm256_or_si256(left, right)
        }
    }
}

/// Lane j of register i to lane i of register j.
#[inline]
#[target_feature(enable = "avx2")]
fn transpose([a, b, c, d]: [__m256i; 4]) -> [__m256i; 4] {
    // <a0, b0, a2, b2>, <a1, b1, a3, b3>, <c0, d0, c2, d2>, <c1, d1, c3, d3>
    let (ab0, ab1) = (_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b));
    let (cd0, cd1) = (_mm256_unpacklo_epi64(c, d), _mm256_unpackhi_epi64(c, d));
    const LOW_HALVES: i32 = 0x20;
    const HIGH_HALVES: i32 = 0x31;
    [
        _mm256_permute2x128_si256::<LOW_HALVES>(ab0, cd0),
        _mm256_permute2x128_si256::<LOW_HALVES>(ab1, cd1),
        _mm256_permute2x128_si256::<HIGH_HALVES>(ab0, cd0),
        _mm256_permute2x128_si256::<HIGH_HALVES>(ab1, cd1),
    ]
}

/// Words `i` to `i + 3`.
#[inline]
#[target_feature(enable = "avx2")]
fn load(words: &[[u8; 8]], i: usize) -> __m256i {
    let words: &[[u8; 8]; 4] = words[i..].first_chunk().expect("four words");
    // SAFETY: reads the 32 bytes borrowed here; the instruction asks for no alignment.
    unsafe { _mm256_loadu_si256(words.as_ptr().cast()) }
}

/// The inverse of [`load`].
#[inline]
#[target_feature(enable = "avx2")]
fn store(a: __m256i, words: &mut [[u8; 8]], i: usize) {
    let words: &mut [[u8; 8]; 4] = words[i..].first_chunk_mut().expect("four words");
    // SAFETY: writes the 32 bytes borrowed here; the instruction asks for no alignment.
    unsafe { _mm256_storeu_si256(words.as_mut_ptr().cast(), a) }
}
