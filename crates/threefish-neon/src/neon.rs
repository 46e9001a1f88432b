//! The NEON operations that the kernels are written in, on registers of two 64-bit lanes.

use core::arch::aarch64::*;

use threefish_lanes::{Block, InFlight, Job, Lanes, NoLanes, unroll};

/// Proof that this processor has NEON: only [`Lanes::detect`] makes one.
#[derive(Clone, Copy)]
pub(crate) struct Neon(());

/// Defines methods of the token by functions with the target feature, which the compiler checks to
/// use no instruction beyond it.
macro_rules! neon {
    ($(fn $name:ident$(<const $WORDS:ident: usize>)?($($argument:ident: $Type:ty),*) $(-> $Result:ty)? $body:block)+) => {$(
        #[inline(always)]
        fn $name$(<const $WORDS: usize>)?(self, $($argument: $Type),*) $(-> $Result)? {
            #[inline]
            #[target_feature(enable = "neon")]
            fn neon$(<const $WORDS: usize>)?($($argument: $Type),*) $(-> $Result)? $body
            // SAFETY: the token proves that this processor has NEON.
            unsafe { neon($($argument),*) }
        }
    )+};
}

impl Lanes<2> for Neon {
    type Vector = uint64x2_t;
    type Narrow = NoLanes;
    const NEEDS: &'static str = "NEON";

    // So many as fit into 32 registers with a temporary for each, but 1024 bits; not measured.
    const IN_FLIGHT_256: InFlight = InFlight { encrypt: 3, decrypt: 3, keys: 1, few: 2 };
    const IN_FLIGHT_512: InFlight = InFlight { encrypt: 2, decrypt: 2, keys: 1, few: 2 };
    const IN_FLIGHT_1024: InFlight = InFlight { encrypt: 1, decrypt: 1, keys: 1, few: 2 };

    #[inline]
    fn detect() -> Option<Self> {
        // This file is compiled only where the feature is a part of the target.
        Some(Self(()))
    }

    #[inline(always)]
    fn narrow(self) -> Option<NoLanes> {
        None
    }

    #[inline(always)]
    fn run<J: Job<Self>>(self, job: J) {
        #[inline(never)]
        #[target_feature(enable = "neon")]
        fn run<J: Job<Neon>>(lanes: Neon, job: J) {
            job.run(lanes);
        }
        // SAFETY: the token proves that this processor has NEON.
        unsafe { run(self, job) }
    }

    neon! {
        fn load<const WORDS: usize>(blocks: &[Block<WORDS>; 2]) -> [uint64x2_t; WORDS] {
            let mut v = [zero(); WORDS];
            unroll!(I in 0 2 4 6 8 10 12 14 {
                if I < WORDS {
                    let (a, b) = (load(&blocks[0], I), load(&blocks[1], I));
                    (v[I], v[I + 1]) = (lows(a, b), highs(a, b));
                }
            });
            v
        }
        fn store<const WORDS: usize>(v: [uint64x2_t; WORDS], blocks: &mut [Block<WORDS>; 2]) {
            let [a, b] = blocks;
            unroll!(I in 0 2 4 6 8 10 12 14 {
                if I < WORDS {
                    store(lows(v[I], v[I + 1]), a, I);
                    store(highs(v[I], v[I + 1]), b, I);
                }
            });
        }
        fn load_tweaks(tweaks: &[Block<2>; 2]) -> [uint64x2_t; 2] {
            let (a, b) = (load(&tweaks[0], 0), load(&tweaks[1], 0));
            [lows(a, b), highs(a, b)]
        }
        fn splat(word: u64) -> uint64x2_t {
            vdupq_n_u64(word)
        }
        fn add(a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
            vaddq_u64(a, b)
        }
        fn sub(a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
            vsubq_u64(a, b)
        }
        fn xor(a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
            veorq_u64(a, b)
        }
        fn rotate_left(a: uint64x2_t, r: u32) -> uint64x2_t {
            if r == 32 {
                return vreinterpretq_u64_u32(vrev64q_u32(vreinterpretq_u32_u64(a)));
            }
            // Negative counts shift to the right. Constant ones become part of the instruction.
            let left = i64::from(r);
            vorrq_u64(vshlq_u64(a, vdupq_n_s64(left)), vshlq_u64(a, vdupq_n_s64(left - 64)))
        }
    }
}

#[inline]
#[target_feature(enable = "neon")]
fn zero() -> uint64x2_t {
    vdupq_n_u64(0)
}

/// `<a0, a1>, <b0, b1>` to `<a0, b0>`.
#[inline]
#[target_feature(enable = "neon")]
fn lows(a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
    vzip1q_u64(a, b)
}

/// `<a0, a1>, <b0, b1>` to `<a1, b1>`.
#[inline]
#[target_feature(enable = "neon")]
fn highs(a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
    vzip2q_u64(a, b)
}

/// Words `i` and `i + 1`.
#[inline]
#[target_feature(enable = "neon")]
fn load<const WORDS: usize>(block: &Block<WORDS>, i: usize) -> uint64x2_t {
    let words: &[[u8; 8]; 2] = &block.as_chunks().0[i / 2];
    // SAFETY: reads the 16 bytes borrowed here; the instruction asks for no alignment.
    vreinterpretq_u64_u8(unsafe { vld1q_u8(words.as_ptr().cast()) })
}

/// The inverse of [`load`].
#[inline]
#[target_feature(enable = "neon")]
fn store<const WORDS: usize>(a: uint64x2_t, block: &mut Block<WORDS>, i: usize) {
    let words: &mut [[u8; 8]; 2] = &mut block.as_chunks_mut().0[i / 2];
    let bytes = vreinterpretq_u8_u64(a);
    // SAFETY: writes the 16 bytes borrowed here; the instruction asks for no alignment.
    unsafe { vst1q_u8(words.as_mut_ptr().cast(), bytes) };
}
