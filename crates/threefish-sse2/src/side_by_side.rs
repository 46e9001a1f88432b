//! Blocks side by side: the same word of two blocks in one register.
//!
//! The rounds are those of the specification, word for word, without a shuffle. `[Pair; 2]` is the
//! same word of four blocks, two registers in flight.

use core::array;

use threefish_api::{Revision, Tweak};

use crate::{
    blocks::{load_pair, store_pair},
    rounds::{State, unroll},
    simd::{self, Pair},
};

/// A word of two blocks, or of four.
pub(crate) trait Word: Copy {
    /// How many blocks.
    const BLOCKS: usize;

    /// The words of as many blocks.
    fn gather<const NW: usize, const BYTES: usize>(blocks: &[[u8; BYTES]]) -> [Self; NW];
    /// The inverse of [`Self::gather`].
    fn scatter<const NW: usize, const BYTES: usize>(v: [Self; NW], blocks: &mut [[u8; BYTES]]);
    /// The extended tweaks of as many blocks.
    fn tweaks(tweaks: &[Tweak]) -> [Self; 3];

    fn add(self, other: Self) -> Self;
    fn sub(self, other: Self) -> Self;
    fn xor(self, other: Self) -> Self;
    fn rotate_left(self, r: u32) -> Self;
    /// Adds a word of the key, the same for all blocks.
    fn add_key(self, k: Pair) -> Self;
    /// Subtracts a word of the key, the same for all blocks.
    fn sub_key(self, k: Pair) -> Self;
}

impl Word for Pair {
    const BLOCKS: usize = 2;

    #[inline(always)]
    fn gather<const NW: usize, const BYTES: usize>(blocks: &[[u8; BYTES]]) -> [Self; NW] {
        array::from_fn(|i| {
            let (a, b) = (load_pair(&blocks[0], i / 2), load_pair(&blocks[1], i / 2));
            if i % 2 == 0 { simd::lows(a, b) } else { simd::highs(a, b) }
        })
    }
    #[inline(always)]
    fn scatter<const NW: usize, const BYTES: usize>(v: [Self; NW], blocks: &mut [[u8; BYTES]]) {
        for i in 0..NW / 2 {
            store_pair(&mut blocks[0], i, simd::lows(v[2 * i], v[2 * i + 1]));
            store_pair(&mut blocks[1], i, simd::highs(v[2 * i], v[2 * i + 1]));
        }
    }
    #[inline(always)]
    fn tweaks(tweaks: &[Tweak]) -> [Self; 3] {
        let (a, b) = (tweaks[0].extended(), tweaks[1].extended());
        array::from_fn(|i| simd::pair(a[i], b[i]))
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        simd::add(self, other)
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        simd::sub(self, other)
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        simd::xor(self, other)
    }
    #[inline(always)]
    fn rotate_left(self, r: u32) -> Self {
        simd::rotate_left(self, r)
    }
    #[inline(always)]
    fn add_key(self, k: Pair) -> Self {
        simd::add(self, k)
    }
    #[inline(always)]
    fn sub_key(self, k: Pair) -> Self {
        simd::sub(self, k)
    }
}

impl Word for [Pair; 2] {
    const BLOCKS: usize = 4;

    #[inline(always)]
    fn gather<const NW: usize, const BYTES: usize>(blocks: &[[u8; BYTES]]) -> [Self; NW] {
        let (a, b): ([_; NW], [_; NW]) = (Pair::gather(&blocks[..2]), Pair::gather(&blocks[2..]));
        array::from_fn(|i| [a[i], b[i]])
    }
    #[inline(always)]
    fn scatter<const NW: usize, const BYTES: usize>(v: [Self; NW], blocks: &mut [[u8; BYTES]]) {
        Pair::scatter(v.map(|[a, _]| a), &mut blocks[..2]);
        Pair::scatter(v.map(|[_, b]| b), &mut blocks[2..]);
    }
    #[inline(always)]
    fn tweaks(tweaks: &[Tweak]) -> [Self; 3] {
        let (a, b) = (Pair::tweaks(&tweaks[..2]), Pair::tweaks(&tweaks[2..]));
        array::from_fn(|i| [a[i], b[i]])
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        [simd::add(self[0], other[0]), simd::add(self[1], other[1])]
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        [simd::sub(self[0], other[0]), simd::sub(self[1], other[1])]
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        [simd::xor(self[0], other[0]), simd::xor(self[1], other[1])]
    }
    #[inline(always)]
    fn rotate_left(self, r: u32) -> Self {
        [simd::rotate_left(self[0], r), simd::rotate_left(self[1], r)]
    }
    #[inline(always)]
    fn add_key(self, k: Pair) -> Self {
        self.add([k, k])
    }
    #[inline(always)]
    fn sub_key(self, k: Pair) -> Self {
        self.sub([k, k])
    }
}

/// MIX: y0 = x0 + x1; y1 = (x1 <<< r) xor y0.
#[inline(always)]
fn mix<W: Word>(x0: W, x1: W, r: u32) -> (W, W) {
    let y0 = x0.add(x1);
    (y0, x1.rotate_left(r).xor(y0))
}

/// The inverse of [`mix`].
#[inline(always)]
fn unmix<W: Word>(y0: W, y1: W, r: u32) -> (W, W) {
    let x1 = y0.xor(y1).rotate_left(64 - r);
    (y0.sub(x1), x1)
}

impl<R: Revision, W: Word> State<R> for [W; 4] {
    type Key = Pair;
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

    #[inline(always)]
    fn inject(self, k: &[Pair], t: &[W; 3], s: usize) -> Self {
        inject(self, k, t, s)
    }

    #[inline(always)]
    fn eject(self, k: &[Pair], t: &[W; 3], s: usize) -> Self {
        eject(self, k, t, s)
    }
}

impl<R: Revision, W: Word> State<R> for [W; 8] {
    type Key = Pair;
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

    #[inline(always)]
    fn inject(self, k: &[Pair], t: &[W; 3], s: usize) -> Self {
        inject(self, k, t, s)
    }

    #[inline(always)]
    fn eject(self, k: &[Pair], t: &[W; 3], s: usize) -> Self {
        eject(self, k, t, s)
    }
}

impl<R: Revision, W: Word> State<R> for [W; 16] {
    type Key = Pair;
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

    #[inline(always)]
    fn inject(self, k: &[Pair], t: &[W; 3], s: usize) -> Self {
        inject(self, k, t, s)
    }

    #[inline(always)]
    fn eject(self, k: &[Pair], t: &[W; 3], s: usize) -> Self {
        eject(self, k, t, s)
    }
}

/// Adds subkey `s`: word i is k[(s + i) mod (Nw + 1)], the last three with tweak and `s` besides.
#[inline(always)]
fn inject<W: Word, const NW: usize>(mut v: [W; NW], k: &[Pair], t: &[W; 3], s: usize) -> [W; NW] {
    v[NW - 3] = v[NW - 3].add(t[s % 3]);
    v[NW - 2] = v[NW - 2].add(t[(s + 1) % 3]);
    v[NW - 1] = v[NW - 1].add_key(splat(s as u64));
    unroll!(I in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 {
        if I < NW {
            v[I] = v[I].add_key(k[(s + I) % (NW + 1)]);
        }
    });
    v
}

/// The inverse of [`inject`].
#[inline(always)]
fn eject<W: Word, const NW: usize>(mut v: [W; NW], k: &[Pair], t: &[W; 3], s: usize) -> [W; NW] {
    v[NW - 3] = v[NW - 3].sub(t[s % 3]);
    v[NW - 2] = v[NW - 2].sub(t[(s + 1) % 3]);
    v[NW - 1] = v[NW - 1].sub_key(splat(s as u64));
    unroll!(I in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 {
        if I < NW {
            v[I] = v[I].sub_key(k[(s + I) % (NW + 1)]);
        }
    });
    v
}

/// The same word in both lanes.
#[inline(always)]
fn splat(word: u64) -> Pair {
    simd::pair(word, word)
}

/// The words of the extended key, each in both lanes.
#[inline(always)]
pub(crate) fn splat_key<const EXTENDED: usize>(k: &[u64; EXTENDED]) -> [Pair; EXTENDED] {
    k.map(splat)
}
