//! The AVX-512 operations that the kernels are written in, on registers of eight 64-bit lanes.

#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

use threefish_lanes::{Block, InFlight, Job, Lanes};

use crate::transpose;

cpufeatures::new!(avx512, "avx512f", "avx512vl");

/// Proof that this processor has AVX-512F and AVX-512VL: only [`Lanes::detect`] makes one.
#[derive(Clone, Copy)]
pub(crate) struct Avx512(());

/// Defines methods of the token by functions with the target feature, which the compiler checks to
/// use no instruction beyond it.
macro_rules! avx512 {
    ($(fn $name:ident($($argument:ident: $Type:ty),*) -> $Result:ty $body:block)+) => {$(
        #[inline(always)]
        fn $name(self, $($argument: $Type),*) -> $Result {
            #[inline]
            #[target_feature(enable = "avx512f,avx512vl")]
            fn avx512($($argument: $Type),*) -> $Result $body
            // SAFETY: the token proves that this processor has the features.
            unsafe { avx512($($argument),*) }
        }
    )+};
}

impl Lanes<8> for Avx512 {
    type Vector = __m512i;

    const IN_FLIGHT_256: InFlight = InFlight { encrypt: 6, decrypt: 6, keys: 1, few: 2 };
    const IN_FLIGHT_512: InFlight = InFlight { encrypt: 3, decrypt: 3, keys: 1, few: 2 };
    const IN_FLIGHT_1024: InFlight = InFlight { encrypt: 1, decrypt: 2, keys: 1, few: 2 };

    #[inline]
    fn detect() -> Option<Self> {
        avx512::get().then_some(Self(()))
    }

    #[inline(always)]
    fn run<J: Job<Self>>(self, job: J) {
        #[inline(never)]
        #[target_feature(enable = "avx512f,avx512vl")]
        fn run<J: Job<Avx512>>(avx512: Avx512, job: J) {
            job.run(avx512);
        }
        // SAFETY: the token proves that this processor has the features.
        unsafe { run(self, job) }
    }

    #[inline(always)]
    fn load<const WORDS: usize>(self, blocks: &[Block<WORDS>; 8]) -> [__m512i; WORDS] {
        // SAFETY: the token proves that this processor has the features.
        unsafe { transpose::load(blocks) }
    }

    #[inline(always)]
    fn store<const WORDS: usize>(self, v: [__m512i; WORDS], blocks: &mut [Block<WORDS>; 8]) {
        // SAFETY: the token proves that this processor has the features.
        unsafe { transpose::store(v, blocks) }
    }

    #[inline(always)]
    fn load_tweaks(self, tweaks: &[Block<2>; 8]) -> [__m512i; 2] {
        // SAFETY: the token proves that this processor has the features.
        unsafe { transpose::load_tweaks(tweaks) }
    }

    avx512! {
        fn splat(word: u64) -> __m512i {
            _mm512_set1_epi64(word.cast_signed())
        }
        fn add(a: __m512i, b: __m512i) -> __m512i {
            _mm512_add_epi64(a, b)
        }
        fn sub(a: __m512i, b: __m512i) -> __m512i {
            _mm512_sub_epi64(a, b)
        }
        fn xor(a: __m512i, b: __m512i) -> __m512i {
            _mm512_xor_si512(a, b)
        }
        fn rotate_left(a: __m512i, r: u32) -> __m512i {
            _mm512_rolv_epi64(a, _mm512_set1_epi64(r.into()))
        }
    }
}
