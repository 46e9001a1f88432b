//! The SSE2 operations that the kernels are written in, on registers of two 64-bit lanes.
//!
//! A pair of words is written `<low, high>`, the low lane first, as in memory.

use core::arch::asm;
#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

/// Two words, `<low, high>`.
pub(crate) type Pair = __m128i;

/// Defines functions that the compiler checks to use no instruction beyond SSE2, and that any code
/// of this crate can call and inline.
macro_rules! sse2 {
    ($($(#[$doc:meta])* fn $name:ident($($argument:ident: $Type:ty),*) -> $Result:ty $body:block)+) => {$(
        $(#[$doc])*
        #[inline(always)]
        pub(crate) fn $name($($argument: $Type),*) -> $Result {
            #[inline]
            #[target_feature(enable = "sse2")]
            fn sse2($($argument: $Type),*) -> $Result $body
            // SAFETY: this crate has code only for targets that SSE2 is part of.
            unsafe { sse2($($argument),*) }
        }
    )+};
}

sse2! {
    /// Sums lane by lane, modulo 2^64.
    fn add(a: Pair, b: Pair) -> Pair {
        _mm_add_epi64(a, b)
    }

    /// Differences lane by lane, modulo 2^64.
    fn sub(a: Pair, b: Pair) -> Pair {
        _mm_sub_epi64(a, b)
    }

    fn xor(a: Pair, b: Pair) -> Pair {
        _mm_xor_si128(a, b)
    }

    /// Both lanes rotated left by `r`, 0 < r < 64. A constant count becomes part of the instruction.
    fn rotate_left(a: Pair, r: u32) -> Pair {
        if r == 32 {
            return _mm_shuffle_epi32::<0b10_11_00_01>(a);
        }
        let left = _mm_sll_epi64(a, _mm_cvtsi32_si128(r.cast_signed()));
        let right = _mm_srl_epi64(a, _mm_cvtsi32_si128((64 - r).cast_signed()));
        _mm_or_si128(left, right)
    }

    /// `<a0, a1>` to `<a0 <<< low, a1 <<< high>`.
    fn rotate_left_each(a: Pair, low: u32, high: u32) -> Pair {
        let by_low = rotate_left(a, low);
        let by_high = rotate_left(a, high);
        merge(by_low, by_high)
    }

    /// `<a0, a1>` to `<a1 <<< high, a0 <<< low>`.
    fn rotate_left_each_and_swap(a: Pair, low: u32, high: u32) -> Pair {
        merge_and_swap(rotate_left(a, low), rotate_left(a, high))
    }

    /// `<a0, a1>, <b0, b1>` to `<a0, b1>`.
    fn merge(a: Pair, b: Pair) -> Pair {
        let (a, b) = (_mm_castsi128_pd(a), _mm_castsi128_pd(b));
        _mm_castpd_si128(_mm_shuffle_pd::<0b10>(a, b))
    }

    /// `<a0, a1>, <b0, b1>` to `<b1, a0>`.
    fn merge_and_swap(a: Pair, b: Pair) -> Pair {
        let (a, b) = (_mm_castsi128_pd(a), _mm_castsi128_pd(b));
        _mm_castpd_si128(_mm_shuffle_pd::<0b01>(b, a))
    }

    /// `<a0, a1>` to `<a1, a0>`.
    fn swap(a: Pair) -> Pair {
        _mm_shuffle_epi32::<0b01_00_11_10>(a)
    }

    /// `<a0, a1>, <b0, b1>` to `<a0, b0>`.
    fn lows(a: Pair, b: Pair) -> Pair {
        _mm_unpacklo_epi64(a, b)
    }

    /// `<a0, a1>, <b0, b1>` to `<a1, b1>`.
    fn highs(a: Pair, b: Pair) -> Pair {
        _mm_unpackhi_epi64(a, b)
    }

    /// `<word, 0>`.
    fn low(word: u64) -> Pair {
        // SAFETY: reads the 8 bytes of the word, which need no alignment.
        unsafe { _mm_loadl_epi64((&raw const word).cast()) }
    }

    /// `<low, high>`.
    fn pair(low: u64, high: u64) -> Pair {
        _mm_set_epi64x(high.cast_signed(), low.cast_signed())
    }

    /// The same pair. Calls of this function are computed in the order in which the source has them.
    fn in_order(a: Pair) -> Pair {
        let mut a = a;
        if cfg!(not(miri)) {
            // SAFETY: no instruction, only a comment. The compiler must have `a` in a register here,
            // knows nothing of it afterwards, and keeps such places in order.
            unsafe { asm!("/* {0} */", inout(xmm_reg) a, options(nomem, nostack, preserves_flags)) };
        }
        a
    }

    /// The two words of 16 bytes at any address.
    fn load(bytes: &[u8; 16]) -> Pair {
        // SAFETY: reads the 16 bytes borrowed here; the instruction asks for no alignment.
        unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) }
    }

    /// The inverse of [`load`].
    fn to_bytes(a: Pair) -> [u8; 16] {
        let mut bytes = [0; 16];
        // SAFETY: writes the 16 bytes borrowed here; the instruction asks for no alignment.
        unsafe { _mm_storeu_si128(bytes.as_mut_ptr().cast(), a) };
        bytes
    }
}
