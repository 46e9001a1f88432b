//! Rungs on SSE2 registers, in the packing of 2009: `A = <b0, b2>`, `B = <b1, b3>`, the low lane
//! first. A round adds B to A, rotates each lane of B by its count, xors A into B and swaps the
//! lanes of B.

#[cfg(target_arch = "x86")]
use std::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::*;
use std::{array, hint::black_box, marker::PhantomData};

use super::{Machine, Subkeys, define_rungs, subkeys};

define_rungs! { "sse2", material:
    first[72, "table, movdqu", "called", + CALLED] =
        with_called_mix(movdqu(&material.registers.packed));
    inlined[72, "table, movdqu", "inlined"] =
        with_inlined_mix(movdqu(&material.registers.packed));
    aligned[72, "table, movdqa", "inlined"] =
        with_inlined_mix(movdqa(&material.registers.packed));
    on_the_fly[72, "on the fly", "inlined"] =
        with_inlined_mix(OnTheFly::new(&material.registers.vectors));
    on_the_fly_called[72, "on the fly", "called", + CALLED] =
        with_called_mix(OnTheFly::new(&material.registers.vectors));
    on_the_fly_eight[8, "on the fly", "inlined"] =
        with_inlined_mix(OnTheFly::new(&material.registers.vectors));
    on_the_fly_rolled[1, "on the fly", "inlined"] =
        with_inlined_mix(OnTheFly::new(&material.registers.vectors));
    on_the_fly_made[72, "on the fly, vectors made in the call", "inlined", + VECTORS] =
        with_inlined_mix(OnTheFly::new(&Vectors::new(&material.k, material.t)));
    aligned_eight[8, "table, movdqa", "inlined"] =
        with_inlined_mix(movdqa(&material.registers.packed));
    aligned_rolled[1, "table, movdqa", "inlined"] =
        with_inlined_mix(movdqa(&material.registers.packed));
    aligned_made[72, "table made in the call, movdqa", "inlined", + SUBKEYS, + PACK] =
        with_inlined_mix(movdqa(&Packed::new(&subkeys(&material.k, material.t))));
    misaligned[72, "table 8 bytes off, movdqu, 1 of 4 across cache lines", "inlined"] =
        with_inlined_mix(movdqu(&material.registers.packed_8_off));
    across_lines[72, "table, movdqu, all across cache lines", "inlined"] =
        with_inlined_mix(movdqu(&material.registers.across_lines));
}

const CALLED: fn(__m128i, __m128i, [u32; 2]) -> (__m128i, __m128i) = Called::mix;
const VECTORS: fn(&[u64; 5], [u64; 3]) -> Vectors = Vectors::new;
const SUBKEYS: fn(&[u64; 5], [u64; 3]) -> Subkeys = subkeys;
const PACK: fn(&Subkeys) -> Packed = Packed::new;

/// What is made of key and tweak before any clock runs.
#[derive(Debug)]
pub(super) struct Material {
    packed: Packed,
    packed_8_off: Packed8Off,
    across_lines: AcrossLines,
    vectors: Vectors,
}

impl Material {
    pub(super) fn new(k: &[u64; 5], t: [u64; 3], subkeys: &Subkeys) -> Self {
        Self {
            packed: Packed::new(subkeys),
            packed_8_off: Packed8Off::new(subkeys),
            across_lines: AcrossLines::new(subkeys),
            vectors: Vectors::new(k, t),
        }
    }
}

/// Registers A and B, subkeys from `S`, MIX by `M`.
struct Registers<S, M>(S, PhantomData<M>);

#[inline(always)]
fn with_inlined_mix<S: Source>(subkeys: S) -> Registers<S, Inlined> {
    Registers(subkeys, PhantomData)
}

#[inline(always)]
fn with_called_mix<S: Source>(subkeys: S) -> Registers<S, Called> {
    Registers(subkeys, PhantomData)
}

impl<S: Source, M: Mix> Machine for Registers<S, M> {
    type Words = (__m128i, __m128i);

    #[inline(always)]
    fn load(block: &[u64; 4]) -> Self::Words {
        (pair(block[0], block[2]), pair(block[1], block[3]))
    }

    #[inline(always)]
    fn store((a, b): Self::Words, block: &mut [u64; 4]) {
        let ([b0, b2], [b1, b3]) = (words(a), words(b));
        *block = [b0, b1, b2, b3];
    }

    #[inline(always)]
    fn inject(&mut self, (a, b): Self::Words, s: usize) -> Self::Words {
        let (k_a, k_b) = self.0.subkey(s);
        (add(a, k_a), add(b, k_b))
    }

    #[inline(always)]
    fn round((a, b): Self::Words, r: [u32; 2]) -> Self::Words {
        M::mix(a, b, r)
    }
}

trait Mix {
    /// Both MIX of a round, and the permutation.
    fn mix(a: __m128i, b: __m128i, r: [u32; 2]) -> (__m128i, __m128i);
}

struct Inlined;

impl Mix for Inlined {
    #[inline(always)]
    fn mix(a: __m128i, b: __m128i, r: [u32; 2]) -> (__m128i, __m128i) {
        let a = add(a, b);
        let b = xor(merge(rotate_left(b, r[0]), rotate_left(b, r[1])), a);
        (a, swap(b))
    }
}

struct Called;

impl Mix for Called {
    #[inline(never)]
    fn mix(a: __m128i, b: __m128i, r: [u32; 2]) -> (__m128i, __m128i) {
        Inlined::mix(a, b, r)
    }
}

/// Where subkeys come from, as what is added to A and to B.
trait Source {
    /// Subkey `s`.
    fn subkey(&mut self, s: usize) -> (__m128i, __m128i);
}

/// A schedule in memory: what is added to A and B for each subkey, vectors of 16 bytes, one behind
/// the other with `STRIDE` bytes between their starts, the first `OFFSET` bytes behind a multiple
/// of 64. `SIZE` holds them all.
#[derive(Debug)]
#[repr(C, align(64))]
struct Schedule<const STRIDE: usize, const OFFSET: usize, const SIZE: usize>([u8; SIZE]);

type Packed = Schedule<16, 0, { 38 * 16 }>;
type Packed8Off = Schedule<16, 8, { 38 * 16 + 8 }>;
type AcrossLines = Schedule<64, 56, { 38 * 64 + 8 }>;

impl<const STRIDE: usize, const OFFSET: usize, const SIZE: usize> Schedule<STRIDE, OFFSET, SIZE> {
    #[inline(never)]
    fn new(subkeys: &Subkeys) -> Self {
        const { assert!(OFFSET + 37 * STRIDE + 16 <= SIZE) }
        let mut bytes = [0; SIZE];
        for (i, word) in [0, 2, 1, 3].into_iter().enumerate() {
            for (s, k) in subkeys[word].iter().enumerate() {
                let start = OFFSET + (2 * s + i / 2) * STRIDE + i % 2 * 8;
                bytes[start..start + 8].copy_from_slice(&k.to_ne_bytes());
            }
        }
        Self(bytes)
    }
}

/// A schedule in memory, read by the loads `L`.
struct Table<'a, L, const STRIDE: usize, const OFFSET: usize, const SIZE: usize> {
    /// The compiler must not see how it is aligned, or would choose the loads by that.
    bytes: &'a [u8; SIZE],
    loads: PhantomData<L>,
}

#[inline(always)]
fn movdqa(schedule: &Packed) -> Table<'_, Aligned, 16, 0, { 38 * 16 }> {
    Table { bytes: black_box(&schedule.0), loads: PhantomData }
}

#[inline(always)]
fn movdqu<const STRIDE: usize, const OFFSET: usize, const SIZE: usize>(
    schedule: &Schedule<STRIDE, OFFSET, SIZE>,
) -> Table<'_, Unaligned, STRIDE, OFFSET, SIZE> {
    Table { bytes: black_box(&schedule.0), loads: PhantomData }
}

impl<L: Load, const STRIDE: usize, const OFFSET: usize, const SIZE: usize> Source
    for Table<'_, L, STRIDE, OFFSET, SIZE>
{
    #[inline(always)]
    fn subkey(&mut self, s: usize) -> (__m128i, __m128i) {
        let vector = |i: usize| {
            L::load(self.bytes[OFFSET + i * STRIDE..].first_chunk().expect("SIZE holds them all"))
        };
        (vector(2 * s), vector(2 * s + 1))
    }
}

/// Two words at a multiple of 16.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(16))]
struct Pair([u64; 2]);

/// What subkeys are made of on the fly. With each of them the vectors move on by one place.
#[derive(Clone, Debug)]
struct Vectors {
    /// `<k[i], k[i + 2]>`: for A at `i = s`, for B at `i = s + 1`.
    k: [Pair; 5],
    /// `<0, t[i]>` for A.
    t_a: [Pair; 3],
    /// `<t[i], 0>` for B.
    t_b: [Pair; 3],
}

impl Vectors {
    #[inline(never)]
    fn new(k: &[u64; 5], t: [u64; 3]) -> Self {
        Self {
            k: array::from_fn(|i| Pair([k[i], k[(i + 2) % 5]])),
            t_a: array::from_fn(|i| Pair([0, t[i]])),
            t_b: array::from_fn(|i| Pair([t[i], 0])),
        }
    }
}

/// Subkeys on the fly from a few vectors.
struct OnTheFly {
    k: [__m128i; 5],
    t_a: [__m128i; 3],
    t_b: [__m128i; 3],
    /// `<0, s>`, unknown to the compiler as in the rungs on integers.
    numbers: &'static [Pair; 19],
}

impl OnTheFly {
    #[inline(always)]
    fn new(vectors: &Vectors) -> Self {
        static NUMBERS: [Pair; 19] = {
            let mut numbers = [Pair([0, 0]); 19];
            let mut s = 0;
            while s < 19 {
                numbers[s].0[1] = s as u64;
                s += 1;
            }
            numbers
        };
        Self {
            k: vectors.k.map(|k| load(&k)),
            t_a: vectors.t_a.map(|t| load(&t)),
            t_b: vectors.t_b.map(|t| load(&t)),
            numbers: black_box(&NUMBERS),
        }
    }
}

impl Source for OnTheFly {
    #[inline(always)]
    fn subkey(&mut self, s: usize) -> (__m128i, __m128i) {
        let ([k0, k1, k2, k3, k4], [a0, a1, a2], [b0, b1, b2]) = (self.k, self.t_a, self.t_b);
        self.k = [k1, k2, k3, k4, k0];
        (self.t_a, self.t_b) = ([a1, a2, a0], [b1, b2, b0]);
        (add(k0, a1), add(k1, add(b0, load(&self.numbers[s]))))
    }
}

/// How a table is read: the compiler may make a load a part of the addition only if it is aligned.
trait Load {
    fn load(bytes: &[u8; 16]) -> __m128i;
}

/// `movdqa`.
struct Aligned;

impl Load for Aligned {
    #[inline(always)]
    fn load(bytes: &[u8; 16]) -> __m128i {
        debug_assert!(bytes.as_ptr().cast::<Pair>().is_aligned());
        // SAFETY: reads the 16 bytes borrowed here. They lie at a multiple of 16: only `movdqa`
        // makes tables with these loads, and only of `Packed`, whose vectors all do.
        unsafe { _mm_load_si128(bytes.as_ptr().cast()) }
    }
}

/// `movdqu`.
struct Unaligned;

impl Load for Unaligned {
    #[inline(always)]
    fn load(bytes: &[u8; 16]) -> __m128i {
        // SAFETY: reads the 16 bytes borrowed here; the instruction asks for no alignment.
        unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) }
    }
}

/// Functions that the compiler checks to use no instruction beyond SSE2.
macro_rules! sse2 {
    ($($(#[$doc:meta])* fn $name:ident($($argument:ident: $Type:ty),*) -> $Result:ty $body:block)+) => {$(
        $(#[$doc])*
        #[inline(always)]
        fn $name($($argument: $Type),*) -> $Result {
            #[inline]
            #[target_feature(enable = "sse2")]
            fn sse2($($argument: $Type),*) -> $Result $body
            // SAFETY: this module is there only for targets that SSE2 is part of.
            unsafe { sse2($($argument),*) }
        }
    )+};
}

sse2! {
    fn add(a: __m128i, b: __m128i) -> __m128i {
        _mm_add_epi64(a, b)
    }

    fn xor(a: __m128i, b: __m128i) -> __m128i {
        _mm_xor_si128(a, b)
    }

    /// Both lanes, 0 < r < 64.
    fn rotate_left(a: __m128i, r: u32) -> __m128i {
        let left = _mm_sll_epi64(a, _mm_cvtsi32_si128(r.cast_signed()));
        let right = _mm_srl_epi64(a, _mm_cvtsi32_si128((64 - r).cast_signed()));
        _mm_or_si128(left, right)
    }

    /// `<a0, a1>, <b0, b1>` to `<a0, b1>`.
    fn merge(a: __m128i, b: __m128i) -> __m128i {
        let (a, b) = (_mm_castsi128_pd(a), _mm_castsi128_pd(b));
        _mm_castpd_si128(_mm_shuffle_pd::<0b10>(a, b))
    }

    /// `<a0, a1>` to `<a1, a0>`.
    fn swap(a: __m128i) -> __m128i {
        _mm_shuffle_epi32::<0b01_00_11_10>(a)
    }

    fn pair(low: u64, high: u64) -> __m128i {
        _mm_set_epi64x(high.cast_signed(), low.cast_signed())
    }

    fn words(a: __m128i) -> [u64; 2] {
        let mut words = [0; 2];
        // SAFETY: writes the two words borrowed here; the instruction asks for no alignment.
        unsafe { _mm_storeu_si128(words.as_mut_ptr().cast(), a) };
        words
    }

    fn load(pair: &Pair) -> __m128i {
        // SAFETY: reads the pair borrowed here, whose type is aligned to 16.
        unsafe { _mm_load_si128((&raw const *pair).cast()) }
    }
}
