//! The rounds of the specification, word for word, without a shuffle: on the words of one block,
//! each in a register of its own, or of blocks side by side.
//!
//! What bounds it, in cycles a block of a core of the Golden Cove family, and what was measured there
//! (`docs/performance.md` says how). *path*: a round is three operations deep, shift, or, xor, and four
//! backward. *ports*: all operations on the three vector ports; a MIX is five, and a copy that the
//! processor renames away. Shifts have two of the ports.
//!
//! | encrypt | path | ports | `x86_64` | i686 |
//! |---|---|---|---|---|
//! | 256, one block | 235 | 272 | 420 | 420 |
//! | 256, two or three pairs in flight | | 136 | 153 (3) | 175 (2) |
//! | 512, one pair | 118 | 275 | 330 | 345 |
//! | 1024, one pair | 130 | 600 | 645 | 700 |
//!
//! One block of 256 bits waits longer than either bound, since operations are bound to ports before it
//! is known when they can run: a chain of bare rounds, measured alone, takes 4.9 cycles a round.

use threefish_api::{Revision, Tweak};

use crate::{
    rounds::{State, unroll},
    word::Word,
};

/// MIX: y0 = x0 + x1; y1 = (x1 <<< r) xor y0.
#[inline(always)]
fn mix<W: Word<BLOCKS>, const BLOCKS: usize>(x0: W, x1: W, r: u32) -> (W, W) {
    let y0 = x0.add(x1);
    (y0, x1.rotate_left(r).xor(y0).in_order())
}

/// The inverse of [`mix`].
#[inline(always)]
fn unmix<W: Word<BLOCKS>, const BLOCKS: usize>(y0: W, y1: W, r: u32) -> (W, W) {
    let x1 = y0.xor(y1).rotate_left(64 - r).in_order();
    (y0.sub(x1), x1)
}

/// What is the same for all sizes but for the block's bytes.
macro_rules! in_words {
    ($bytes:literal) => {
        #[inline(always)]
        fn load(blocks: &[[u8; $bytes]; BLOCKS]) -> Self {
            W::gather(blocks)
        }

        #[inline(always)]
        fn store(self, blocks: &mut [[u8; $bytes]; BLOCKS]) {
            W::scatter(self, blocks);
        }

        #[inline(always)]
        fn tweaks(tweaks: &[Tweak; BLOCKS]) -> [W; 3] {
            W::tweaks(tweaks)
        }

        #[inline(always)]
        fn inject(self, k: &[W::Key], t: &[W; 3], s: usize) -> Self {
            inject(self, k, t, s)
        }

        #[inline(always)]
        fn eject(self, k: &[W::Key], t: &[W; 3], s: usize) -> Self {
            eject(self, k, t, s)
        }
    };
}

impl<R: Revision, W: Word<BLOCKS>, const BLOCKS: usize> State<R, 32, BLOCKS> for [W; 4] {
    type Key = W::Key;
    type Tweak = W;

    const ROUNDS: usize = 72;

    #[inline(always)]
    fn round(self, d: usize) -> Self {
        let (v, r) = (self, R::ROTATIONS_256[d % 8]);
        let (f0, f1) = mix(v[0], v[1], r[0]);
        let (f2, f3) = mix(v[2], v[3], r[1]);
        [f0, f3, f2, f1]
    }

    #[inline(always)]
    fn unround(self, d: usize) -> Self {
        let (v, r) = (self, R::ROTATIONS_256[d % 8]);
        let [f0, f3, f2, f1] = v;
        let (x0, x1) = unmix(f0, f1, r[0]);
        let (x2, x3) = unmix(f2, f3, r[1]);
        [x0, x1, x2, x3]
    }

    in_words!(32);
}

impl<R: Revision, W: Word<BLOCKS>, const BLOCKS: usize> State<R, 64, BLOCKS> for [W; 8] {
    type Key = W::Key;
    type Tweak = W;

    const ROUNDS: usize = 72;

    #[inline(always)]
    fn round(self, d: usize) -> Self {
        let (v, r) = (self, R::ROTATIONS_512[d % 8]);
        let (f0, f1) = mix(v[0], v[1], r[0]);
        let (f2, f3) = mix(v[2], v[3], r[1]);
        let (f4, f5) = mix(v[4], v[5], r[2]);
        let (f6, f7) = mix(v[6], v[7], r[3]);
        [f2, f1, f4, f7, f6, f5, f0, f3]
    }

    #[inline(always)]
    fn unround(self, d: usize) -> Self {
        let (v, r) = (self, R::ROTATIONS_512[d % 8]);
        let [f2, f1, f4, f7, f6, f5, f0, f3] = v;
        let (x0, x1) = unmix(f0, f1, r[0]);
        let (x2, x3) = unmix(f2, f3, r[1]);
        let (x4, x5) = unmix(f4, f5, r[2]);
        let (x6, x7) = unmix(f6, f7, r[3]);
        [x0, x1, x2, x3, x4, x5, x6, x7]
    }

    in_words!(64);
}

impl<R: Revision, W: Word<BLOCKS>, const BLOCKS: usize> State<R, 128, BLOCKS> for [W; 16] {
    type Key = W::Key;
    type Tweak = W;

    const ROUNDS: usize = 80;

    #[inline(always)]
    fn round(self, d: usize) -> Self {
        let (v, r) = (self, R::ROTATIONS_1024[d % 8]);
        let (f0, f1) = mix(v[0], v[1], r[0]);
        let (f2, f3) = mix(v[2], v[3], r[1]);
        let (f4, f5) = mix(v[4], v[5], r[2]);
        let (f6, f7) = mix(v[6], v[7], r[3]);
        let (f8, f9) = mix(v[8], v[9], r[4]);
        let (f10, f11) = mix(v[10], v[11], r[5]);
        let (f12, f13) = mix(v[12], v[13], r[6]);
        let (f14, f15) = mix(v[14], v[15], r[7]);
        [f0, f9, f2, f13, f6, f11, f4, f15, f10, f7, f12, f3, f14, f5, f8, f1]
    }

    #[inline(always)]
    fn unround(self, d: usize) -> Self {
        let (v, r) = (self, R::ROTATIONS_1024[d % 8]);
        let [f0, f9, f2, f13, f6, f11, f4, f15, f10, f7, f12, f3, f14, f5, f8, f1] = v;
        let (x0, x1) = unmix(f0, f1, r[0]);
        let (x2, x3) = unmix(f2, f3, r[1]);
        let (x4, x5) = unmix(f4, f5, r[2]);
        let (x6, x7) = unmix(f6, f7, r[3]);
        let (x8, x9) = unmix(f8, f9, r[4]);
        let (x10, x11) = unmix(f10, f11, r[5]);
        let (x12, x13) = unmix(f12, f13, r[6]);
        let (x14, x15) = unmix(f14, f15, r[7]);
        [x0, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13, x14, x15]
    }

    in_words!(128);
}

/// Adds subkey `s`: word i is k[(s + i) mod (Nw + 1)], the last three with tweak and `s` besides.
#[inline(always)]
fn inject<W: Word<BLOCKS>, const NW: usize, const BLOCKS: usize>(
    mut v: [W; NW],
    k: &[W::Key],
    t: &[W; 3],
    s: usize,
) -> [W; NW] {
    v[NW - 3] = v[NW - 3].add(t[s % 3]);
    v[NW - 2] = v[NW - 2].add(t[(s + 1) % 3]);
    v[NW - 1] = v[NW - 1].add(W::splat(s as u64));
    unroll!(I in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 {
        if I < NW {
            v[I] = v[I].add_key(k[(s + I) % (NW + 1)]);
        }
    });
    v
}

/// The inverse of [`inject`].
#[inline(always)]
fn eject<W: Word<BLOCKS>, const NW: usize, const BLOCKS: usize>(
    mut v: [W; NW],
    k: &[W::Key],
    t: &[W; 3],
    s: usize,
) -> [W; NW] {
    v[NW - 3] = v[NW - 3].sub(t[s % 3]);
    v[NW - 2] = v[NW - 2].sub(t[(s + 1) % 3]);
    v[NW - 1] = v[NW - 1].sub(W::splat(s as u64));
    unroll!(I in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 {
        if I < NW {
            v[I] = v[I].sub_key(k[(s + I) % (NW + 1)]);
        }
    });
    v
}
