//! The cipher \[Skein 1.3, §3.3.1 and §3.3.2\]: four rounds after each subkey and one subkey more at
//! the end, all written out.
//!
//! What bounds a block, in cycles of a core of the Golden Cove family, and what was measured there
//! (`docs/performance.md` says how). *path*: the chain of operations of one cycle each; a round is two
//! deep, sum beside rotation and then xor, and three deep backward. *ports*: all operations on five
//! integer ports, or the rotations on the two ports that rotate, whichever is more.
//!
//! | `x86_64` | path, encrypt / decrypt | operations | ports | one block | in bulk |
//! |---|---|---|---|---|---|
//! | Threefish-256 | 163 / 235 | 565 | 113 | 220 / 265 | 138 / 154 (3 in flight) |
//! | Threefish-512 | 163 / 235 | 1073 | 215 | 315 / 365 | 310 / 300 (1 / 2 in flight) |
//! | Threefish-1024 | 181 / 261 | 2319 | 464 | 660 / 680 | 640 / 660 |
//!
//! One block of Threefish-256 should take 163. Its 72 rounds alone, written in assembly in each of the
//! 20 orders of their six operations, take 174 to 183, and with subkeys from a table 205 to 214: an
//! operation is bound to a port before it is known when it can run, and sums get in the way of rotations.
//! Threefish-1024 spills: 16 words do not fit into 15 registers.
//!
//! | i686 | rotations (`shld`, one a cycle) | one block, musl / glibc |
//! |---|---|---|
//! | Threefish-256 | 252 | 620 / 490 |
//! | Threefish-512 | 576 | 1000 / 1010 |
//! | Threefish-1024 | 1280 | 3100 / 3570 |
//!
//! There a round of Threefish-256 is five deep (`shld` takes three cycles, add with carry two), and what
//! costs is that 8 halves of words and their temporaries do not fit into 7 registers, or 6 with musl,
//! whose target keeps a frame pointer.

use core::hint::black_box;

use threefish_api::Revision;

use crate::word::Word;

/// The words `v` of one size, under the constants of revision `R`.
///
/// `d` counts rounds.
pub(crate) trait State<R: Revision, W: Word>: Copy {
    const ROUNDS: usize;

    /// One round: MIX each pair `j` by the rotation `[d % 8][j]`, then permute, which only renames
    /// registers.
    fn round(self, d: usize) -> Self;
    /// The inverse of [`Self::round`].
    fn unround(self, d: usize) -> Self;
}

/// What subkeys are made of: the extended key, and the extended tweaks of the blocks in flight.
pub(crate) struct Schedule<'a, K, W> {
    k: &'a K,
    t: [W; 3],
    /// The number of each subkey, which its last word takes. The compiler must not know them: it
    /// would add the word of the key to the block first and the number then, one addition more to
    /// wait for before every fourth round. That costs 8 % of the time of Threefish-256.
    numbers: &'static [u64; 21],
}

impl<'a, K: AsRef<[u64]>, W: Word> Schedule<'a, K, W> {
    #[inline(always)]
    pub(crate) fn new(k: &'a K, t: [W; 3]) -> Self {
        static NUMBERS: [u64; 21] =
            [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20];
        Self { k, t, numbers: black_box(&NUMBERS) }
    }

    /// Word `i` of subkey `s` for blocks of `nw` words. Its sum is off the critical path, where the
    /// block waits for one addition.
    #[inline(always)]
    fn word(&self, nw: usize, s: usize, i: usize) -> W {
        let k = W::splat(self.k.as_ref()[(s + i) % (nw + 1)]);
        match nw - i {
            3 => k.add(self.t[s % 3]),
            2 => k.add(self.t[(s + 1) % 3]),
            1 => k.add(W::splat(self.numbers[s])),
            _ => k,
        }
    }
}

#[inline(always)]
pub(crate) fn encrypt<R: Revision, W: Word, K: AsRef<[u64]>, const NW: usize>(
    mut v: [W; NW],
    schedule: &Schedule<'_, K, W>,
) -> [W; NW]
where
    [W; NW]: State<R, W>,
{
    unroll!(D in 0 4 8 12 16 20 24 28 32 36 40 44 48 52 56 60 64 68 72 76 {
        if D < <[W; NW]>::ROUNDS {
            v = inject(v, schedule, D / 4);
            v = v.round(D).round(D + 1).round(D + 2).round(D + 3);
        }
    });
    inject(v, schedule, <[W; NW]>::ROUNDS / 4)
}

#[inline(always)]
pub(crate) fn decrypt<R: Revision, W: Word, K: AsRef<[u64]>, const NW: usize>(
    v: [W; NW],
    schedule: &Schedule<'_, K, W>,
) -> [W; NW]
where
    [W; NW]: State<R, W>,
{
    let mut v = eject(v, schedule, <[W; NW]>::ROUNDS / 4);
    unroll!(D in 76 72 68 64 60 56 52 48 44 40 36 32 28 24 20 16 12 8 4 0 {
        if D < <[W; NW]>::ROUNDS {
            v = v.unround(D + 3).unround(D + 2).unround(D + 1).unround(D);
            v = eject(v, schedule, D / 4);
        }
    });
    v
}

/// MIX: y0 = x0 + x1; y1 = (x1 <<< r) xor y0.
///
/// Sum and rotation run side by side, so a round is two operations deep.
#[inline(always)]
pub(crate) fn mix<W: Word>(x0: W, x1: W, r: u32) -> (W, W) {
    let y0 = x0.add(x1);
    (y0, x1.rotate_left(r).xor(y0))
}

/// The inverse of [`mix`]: three operations deep.
#[inline(always)]
pub(crate) fn unmix<W: Word>(y0: W, y1: W, r: u32) -> (W, W) {
    let x1 = y0.xor(y1).rotate_right(r);
    (y0.sub(x1), x1)
}

impl<R: Revision, W: Word> State<R, W> for [W; 4] {
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
}

impl<R: Revision, W: Word> State<R, W> for [W; 8] {
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
}

impl<R: Revision, W: Word> State<R, W> for [W; 16] {
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
}

/// Adds subkey `s`.
#[inline(always)]
fn inject<K: AsRef<[u64]>, W: Word, const NW: usize>(
    mut v: [W; NW],
    schedule: &Schedule<'_, K, W>,
    s: usize,
) -> [W; NW] {
    unroll!(I in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 {
        if I < NW {
            v[I] = v[I].add(schedule.word(NW, s, I));
        }
    });
    v
}

/// Subtracts subkey `s`.
#[inline(always)]
fn eject<K: AsRef<[u64]>, W: Word, const NW: usize>(
    mut v: [W; NW],
    schedule: &Schedule<'_, K, W>,
    s: usize,
) -> [W; NW] {
    unroll!(I in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 {
        if I < NW {
            v[I] = v[I].sub(schedule.word(NW, s, I));
        }
    });
    v
}

/// Repeats a block for each value of a constant, written out one after the other.
macro_rules! unroll {
    ($D:ident in $($value:literal)+ $block:block) => {
        $({
            const $D: usize = $value;
            $block
        })+
    };
}
pub(crate) use unroll;
