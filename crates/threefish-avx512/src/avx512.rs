//! The AVX-512 operations that the kernels are written in, on registers of eight 64-bit lanes.

#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

use threefish_api::{Revision, Tweak};
use threefish_lanes::{Block, InFlight, Job, Lanes};

use crate::{
    one::{self, Across, State},
    transpose,
};

cpufeatures::new!(detected, "avx512f", "avx512vl");

/// Proof that this processor has AVX-512F and AVX-512VL: only [`Lanes::detect`] makes one.
#[derive(Clone, Copy)]
pub(crate) struct Avx512(());

/// Defines methods of the token by functions with the target feature, which the compiler checks to
/// use no instruction beyond it.
macro_rules! avx512 {
    ($($(#[$doc:meta])* $visibility:vis fn $name:ident$(<const $WORDS:ident: usize>)?(
        $($argument:ident: $Type:ty),*
    ) $(-> $Result:ty)? $body:block)+) => {$(
        $(#[$doc])*
        #[inline(always)]
        $visibility fn $name$(<const $WORDS: usize>)?(self, $($argument: $Type),*) $(-> $Result)? {
            #[inline]
            #[target_feature(enable = "avx512f,avx512vl")]
            fn avx512$(<const $WORDS: usize>)?($($argument: $Type),*) $(-> $Result)? $body
            // SAFETY: the token proves that this processor has the features.
            unsafe { avx512($($argument),*) }
        }
    )+};
}

pub(crate) use avx512;

/// Defines the method for one block, of whatever size.
macro_rules! one {
    ($name:ident, $cipher:ident) => {
        #[inline(always)]
        fn $name<R: Revision, const WORDS: usize>(
            self,
            k: &[u64],
            tweak: Tweak,
            block: &mut Block<WORDS>,
        ) -> bool {
            #[inline(never)]
            #[target_feature(enable = "avx512f,avx512vl")]
            fn run<S: State<WORDS>, const WORDS: usize, const EXTENDED: usize>(
                avx512: Avx512,
                k: &[u64; EXTENDED],
                tweak: Tweak,
                block: &mut Block<WORDS>,
            ) {
                one::$cipher::<S, WORDS>(avx512, k, tweak, block);
            }

            // With 64-bit integers 256 and 512 bits take 0.93 and 0.94 of the time, but 1024 bits, whose
            // words don't fit into the registers, 1.17.
            if cfg!(target_arch = "x86_64") && WORDS < 16 {
                return false;
            }
            // One of these is for `WORDS`, which the compiler knows.
            let block = &mut block[..];
            if let (Ok(k), Ok(block)) = (k.try_into(), block.try_into()) {
                // SAFETY: the token proves that this processor has the features.
                unsafe { run::<Across<R, 1>, 4, 5>(self, k, tweak, block) };
            } else if let (Ok(k), Ok(block)) = (k.try_into(), block.try_into()) {
                // SAFETY: as above.
                unsafe { run::<Across<R, 2>, 8, 9>(self, k, tweak, block) };
            } else if let (Ok(k), Ok(block)) = (k.try_into(), block.try_into()) {
                // SAFETY: as above.
                unsafe { run::<Across<R, 4>, 16, 17>(self, k, tweak, block) };
            }
            true
        }
    };
}

impl Lanes<8> for Avx512 {
    type Vector = __m512i;
    type Narrow = Self;
    const NEEDS: &'static str = "AVX-512F and AVX-512VL";

    // 32 registers on x86_64, but eight on i686, which spills with more.
    const IN_FLIGHT_256: InFlight = if cfg!(target_arch = "x86_64") {
        InFlight { encrypt: 6, decrypt: 6, keys: 2, few: 3 }
    } else {
        InFlight { encrypt: 2, decrypt: 2, keys: 1, few: 3 }
    };
    const IN_FLIGHT_512: InFlight = if cfg!(target_arch = "x86_64") {
        InFlight { encrypt: 3, decrypt: 3, keys: 2, few: 3 }
    } else {
        InFlight { encrypt: 1, decrypt: 1, keys: 1, few: 3 }
    };
    const IN_FLIGHT_1024: InFlight = if cfg!(target_arch = "x86_64") {
        InFlight { encrypt: 1, decrypt: 2, keys: 1, few: 3 }
    } else {
        InFlight { encrypt: 1, decrypt: 1, keys: 1, few: 4 }
    };

    #[inline]
    fn detect() -> Option<Self> {
        detected::get().then_some(Self(()))
    }

    #[inline(always)]
    fn narrow(self) -> Option<Self> {
        Some(self)
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

    avx512! {
        fn load<const WORDS: usize>(blocks: &[Block<WORDS>; 8]) -> [__m512i; WORDS] {
            transpose::load(blocks)
        }
        fn store<const WORDS: usize>(v: [__m512i; WORDS], blocks: &mut [Block<WORDS>; 8]) {
            transpose::store(v, blocks);
        }
        fn load_tweaks(tweaks: &[Block<2>; 8]) -> [__m512i; 2] {
            transpose::load_tweaks(tweaks)
        }
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

    one!(encrypt_one, encrypt);
    one!(decrypt_one, decrypt);
}

impl Avx512 {
    avx512! {
        /// `<word, 0>`.
        pub(crate) fn low(word: u64) -> __m128i {
            // SAFETY: reads the 8 bytes of the word, which need no alignment.
            unsafe { _mm_loadl_epi64((&raw const word).cast()) }
        }
        /// Sums lane by lane, modulo 2^64.
        pub(crate) fn add_pairs(a: __m128i, b: __m128i) -> __m128i {
            _mm_add_epi64(a, b)
        }
        /// Differences lane by lane, modulo 2^64.
        pub(crate) fn sub_pairs(a: __m128i, b: __m128i) -> __m128i {
            _mm_sub_epi64(a, b)
        }
        /// Exclusive or.
        pub(crate) fn xor_pairs(a: __m128i, b: __m128i) -> __m128i {
            _mm_xor_si128(a, b)
        }
        /// `<a0 <<< low, a1 <<< high>`.
        pub(crate) fn rotate_pair(a: __m128i, low: u32, high: u32) -> __m128i {
            _mm_rolv_epi64(a, _mm_set_epi64x(high.into(), low.into()))
        }
        /// `<a1, a0>`.
        pub(crate) fn swap(a: __m128i) -> __m128i {
            _mm_shuffle_epi32::<0b01_00_11_10>(a)
        }
        /// `<a0, b0>`.
        pub(crate) fn lows(a: __m128i, b: __m128i) -> __m128i {
            _mm_unpacklo_epi64(a, b)
        }
        /// `<a1, b1>`.
        pub(crate) fn highs(a: __m128i, b: __m128i) -> __m128i {
            _mm_unpackhi_epi64(a, b)
        }
        /// Two words of a block.
        pub(crate) fn load_pair(words: &[[u8; 8]; 2]) -> __m128i {
            // SAFETY: reads the 16 bytes borrowed here; the instruction asks for no alignment.
            unsafe { _mm_loadu_si128(words.as_ptr().cast()) }
        }
        /// The inverse of `load_pair`.
        pub(crate) fn store_pair(a: __m128i, words: &mut [[u8; 8]; 2]) {
            // SAFETY: writes the 16 bytes borrowed here; the instruction asks for no alignment.
            unsafe { _mm_storeu_si128(words.as_mut_ptr().cast(), a) }
        }
    }
}
