//! From blocks one behind the other to the same word of each in a register, and back.
//!
//! Word w of block b lies at the place whose number has the bits of b and then those of w, and a
//! register is eight places: its number the high bits, the lane the low three. A step exchanges one bit of
//! the register's number for one of the lane's, between two registers, until the lane is b and the register is w.

#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

use threefish_lanes::{Block, unroll};

/// Lane j of register i to lane i of register j, for eight registers `$i`: each step exchanges a bit of i for
/// the same of j.
macro_rules! transpose {
    ($v:ident; $a:literal $b:literal $c:literal $d:literal $e:literal $f:literal $g:literal $h:literal) => {
        transpose!(@ $v; [0, 8, 2, 10, 4, 12, 6, 14], [1, 9, 3, 11, 5, 13, 7, 15]; $a $b, $c $d, $e $f, $g $h);
        transpose!(@ $v; [0, 1, 8, 9, 4, 5, 12, 13], [2, 3, 10, 11, 6, 7, 14, 15]; $a $c, $b $d, $e $g, $f $h);
        transpose!(@ $v; [0, 1, 2, 3, 8, 9, 10, 11], [4, 5, 6, 7, 12, 13, 14, 15]; $a $e, $b $f, $c $g, $d $h);
    };
    (@ $v:ident; $low:expr, $high:expr; $($i:literal $j:literal),+) => {
        $(($v[$i], $v[$j]) = (pick($v[$i], $v[$j], $low), pick($v[$i], $v[$j], $high));)+
    };
}

/// Word `i` of each block, in register `i`.
#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
pub(crate) fn load<const WORDS: usize>(blocks: &[Block<WORDS>; 8]) -> [__m512i; WORDS] {
    let (registers, _) = blocks.as_flattened().as_flattened().as_chunks();
    let mut v = [_mm512_setzero_si512(); WORDS];
    unroll!(I in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 {
        if I < WORDS {
            v[place(WORDS, I)] = load_register(&registers[I]);
        }
    });
    match WORDS {
        4 => {
            // b2 b1 | b0 w1 w0, to w0 b1 | b0 w1 b2, to w1 w0 | b2 b1 b0.
            (v[0], v[2]) = (_mm512_unpacklo_epi64(v[0], v[2]), _mm512_unpackhi_epi64(v[0], v[2]));
            (v[1], v[3]) = (_mm512_unpacklo_epi64(v[1], v[3]), _mm512_unpackhi_epi64(v[1], v[3]));
            (v[0], v[2], v[1], v[3]) = (
                pick(v[0], v[1], LOW),
                pick(v[0], v[1], HIGH),
                pick(v[2], v[3], LOW),
                pick(v[2], v[3], HIGH),
            );
        }
        8 => {
            transpose!(v; 0 1 2 3 4 5 6 7);
        }
        _ => {
            transpose!(v; 0 1 2 3 4 5 6 7);
            transpose!(v; 8 9 10 11 12 13 14 15);
        }
    }
    v
}

/// The inverse of [`load`].
#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
pub(crate) fn store<const WORDS: usize>(mut v: [__m512i; WORDS], blocks: &mut [Block<WORDS>; 8]) {
    match WORDS {
        4 => {
            (v[0], v[1], v[2], v[3]) = (
                pick(v[0], v[2], LOW),
                pick(v[0], v[2], HIGH),
                pick(v[1], v[3], LOW),
                pick(v[1], v[3], HIGH),
            );
            (v[0], v[2]) = (_mm512_unpacklo_epi64(v[0], v[2]), _mm512_unpackhi_epi64(v[0], v[2]));
            (v[1], v[3]) = (_mm512_unpacklo_epi64(v[1], v[3]), _mm512_unpackhi_epi64(v[1], v[3]));
        }
        8 => {
            transpose!(v; 0 1 2 3 4 5 6 7);
        }
        _ => {
            transpose!(v; 0 1 2 3 4 5 6 7);
            transpose!(v; 8 9 10 11 12 13 14 15);
        }
    }
    let (registers, _) = blocks.as_flattened_mut().as_flattened_mut().as_chunks_mut();
    unroll!(I in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 {
        if I < WORDS {
            store_register(v[place(WORDS, I)], &mut registers[I]);
        }
    });
}

/// Where register `i` of the blocks goes, before they are transposed eight by eight.
const fn place(words: usize, i: usize) -> usize {
    if words == 16 { i / 2 + i % 2 * 8 } else { i }
}

/// From x1 .. | b0 x0 b2, of which register and lane are the two that [`pick`] has.
const LOW: [i64; 8] = [0, 4, 8, 12, 1, 5, 9, 13];
const HIGH: [i64; 8] = [2, 6, 10, 14, 3, 7, 11, 15];

/// The two words of each tweak.
#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
pub(crate) fn load_tweaks(tweaks: &[Block<2>; 8]) -> [__m512i; 2] {
    let (registers, _) = tweaks.as_flattened().as_flattened().as_chunks();
    let (a, b) = (load_register(&registers[0]), load_register(&registers[1]));
    [pick(a, b, [0, 2, 4, 6, 8, 10, 12, 14]), pick(a, b, [1, 3, 5, 7, 9, 11, 13, 15])]
}

/// Lanes of `a`, numbered from 0, and of `b`, from 8.
#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
fn pick(a: __m512i, b: __m512i, lanes: [i64; 8]) -> __m512i {
    let [i, j, k, l, m, n, o, p] = lanes;
    _mm512_permutex2var_epi64(a, _mm512_setr_epi64(i, j, k, l, m, n, o, p), b)
}

#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
fn load_register(bytes: &[u8; 64]) -> __m512i {
    // SAFETY: reads the 64 bytes borrowed here; the instruction asks for no alignment.
    unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
fn store_register(a: __m512i, bytes: &mut [u8; 64]) {
    // SAFETY: writes the 64 bytes borrowed here; the instruction asks for no alignment.
    unsafe { _mm512_storeu_si512(bytes.as_mut_ptr().cast(), a) }
}
