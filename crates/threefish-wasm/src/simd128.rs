//! The WebAssembly operations that the kernels are written in, on registers of two 64-bit lanes.

use core::arch::wasm32::*;

use threefish_lanes::{Block, InFlight, Job, Lanes, unroll};

/// Proof that this processor has WebAssembly: only [`Lanes::detect`] makes one.
#[derive(Clone, Copy)]
pub(crate) struct Simd128(());

/// Defines methods of the token by functions with the target feature, which the compiler checks to
/// use no instruction beyond it.
macro_rules! simd128 {
    ($(fn $name:ident$(<const $WORDS:ident: usize>)?($($argument:ident: $Type:ty),*) $(-> $Result:ty)? $body:block)+) => {$(
        #[inline(always)]
        fn $name$(<const $WORDS: usize>)?(self, $($argument: $Type),*) $(-> $Result)? {
            #[inline]
            #[target_feature(enable = "simd128")]
            fn simd128$(<const $WORDS: usize>)?($($argument: $Type),*) $(-> $Result)? $body
            simd128($($argument),*)
        }
    )+};
}

impl Lanes<2> for Simd128 {
    type Vector = v128;
    const NEEDS: &'static str = "simd128";

    // What a virtual machine makes of it depends on the processor: 16 registers at least on 64-bit ones.
    const IN_FLIGHT_256: InFlight = InFlight { encrypt: 2, decrypt: 2, keys: 1, few: 2 };
    const IN_FLIGHT_512: InFlight = InFlight { encrypt: 1, decrypt: 1, keys: 1, few: 2 };
    const IN_FLIGHT_1024: InFlight = InFlight { encrypt: 1, decrypt: 1, keys: 1, few: 2 };

    #[inline]
    fn detect() -> Option<Self> {
        // This file is compiled only where the feature is a part of the target.
        Some(Self(()))
    }

    #[inline(always)]
    fn run<J: Job<Self>>(self, job: J) {
        #[inline(never)]
        #[target_feature(enable = "simd128")]
        fn run<J: Job<Simd128>>(lanes: Simd128, job: J) {
            job.run(lanes);
        }
        run(self, job);
    }

    simd128! {
        fn load<const WORDS: usize>(blocks: &[Block<WORDS>; 2]) -> [v128; WORDS] {
            let mut v = [zero(); WORDS];
            unroll!(I in 0 2 4 6 8 10 12 14 {
                if I < WORDS {
                    let (a, b) = (load(&blocks[0], I), load(&blocks[1], I));
                    (v[I], v[I + 1]) = (lows(a, b), highs(a, b));
                }
            });
            v
        }
        fn store<const WORDS: usize>(v: [v128; WORDS], blocks: &mut [Block<WORDS>; 2]) {
            let [a, b] = blocks;
            unroll!(I in 0 2 4 6 8 10 12 14 {
                if I < WORDS {
                    store(lows(v[I], v[I + 1]), a, I);
                    store(highs(v[I], v[I + 1]), b, I);
                }
            });
        }
        fn load_tweaks(tweaks: &[Block<2>; 2]) -> [v128; 2] {
            let (a, b) = (load(&tweaks[0], 0), load(&tweaks[1], 0));
            [lows(a, b), highs(a, b)]
        }
        fn splat(word: u64) -> v128 {
            u64x2_splat(word)
        }
        fn add(a: v128, b: v128) -> v128 {
            i64x2_add(a, b)
        }
        fn sub(a: v128, b: v128) -> v128 {
            i64x2_sub(a, b)
        }
        fn xor(a: v128, b: v128) -> v128 {
            v128_xor(a, b)
        }
        fn rotate_left(a: v128, r: u32) -> v128 {
            if r == 32 {
                return i32x4_shuffle::<1, 0, 3, 2>(a, a);
            }
            v128_or(i64x2_shl(a, r), u64x2_shr(a, 64 - r))
        }
    }
}

#[inline]
#[target_feature(enable = "simd128")]
fn zero() -> v128 {
    u64x2_splat(0)
}

/// `<a0, a1>, <b0, b1>` to `<a0, b0>`.
#[inline]
#[target_feature(enable = "simd128")]
fn lows(a: v128, b: v128) -> v128 {
    i64x2_shuffle::<0, 2>(a, b)
}

/// `<a0, a1>, <b0, b1>` to `<a1, b1>`.
#[inline]
#[target_feature(enable = "simd128")]
fn highs(a: v128, b: v128) -> v128 {
    i64x2_shuffle::<1, 3>(a, b)
}

/// Words `i` and `i + 1`.
#[inline]
#[target_feature(enable = "simd128")]
fn load<const WORDS: usize>(block: &Block<WORDS>, i: usize) -> v128 {
    let words: &[[u8; 8]; 2] = &block.as_chunks().0[i / 2];
    // SAFETY: reads the 16 bytes borrowed here; the instruction asks for no alignment.
    unsafe { v128_load(words.as_ptr().cast()) }
}

/// The inverse of [`load`].
#[inline]
#[target_feature(enable = "simd128")]
fn store<const WORDS: usize>(a: v128, block: &mut Block<WORDS>, i: usize) {
    let words: &mut [[u8; 8]; 2] = &mut block.as_chunks_mut().0[i / 2];
    // SAFETY: writes the 16 bytes borrowed here; the instruction asks for no alignment.
    unsafe { v128_store(words.as_mut_ptr().cast(), a) };
}
