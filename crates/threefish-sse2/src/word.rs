//! What the rounds of the specification compute with: the same word of one block, or of several.
//!
//! | type | blocks | where |
//! |---|---|---|
//! | [`One`] | 1 | the low half of a register |
//! | [`Pair`] | 2 | side by side in the halves of a register |
//! | `[Pair; 2]`, `[Pair; 3]` | 4, 6 | in so many registers, whose operations fill the processor while each waits for its own |

use core::array;

use threefish_api::Tweak;

use crate::{
    blocks::{load_pair, load_word, store_pair},
    simd::{self, Pair},
};

/// A word of `BLOCKS` blocks.
pub(crate) trait Word<const BLOCKS: usize>: Copy {
    /// What a word of the key comes as, which is the same for all blocks.
    type Key: Copy;

    /// The words of the blocks.
    fn gather<const NW: usize, const BYTES: usize>(blocks: &[[u8; BYTES]; BLOCKS]) -> [Self; NW];
    /// The inverse of [`Self::gather`].
    fn scatter<const NW: usize, const BYTES: usize>(
        v: [Self; NW],
        blocks: &mut [[u8; BYTES]; BLOCKS],
    );
    /// The extended tweaks of the blocks.
    fn tweaks(tweaks: &[Tweak; BLOCKS]) -> [Self; 3];
    /// The same number for all blocks.
    fn splat(number: u64) -> Self;

    fn add(self, other: Self) -> Self;
    fn sub(self, other: Self) -> Self;
    fn xor(self, other: Self) -> Self;
    fn rotate_left(self, r: u32) -> Self;
    fn add_key(self, k: Self::Key) -> Self;
    fn sub_key(self, k: Self::Key) -> Self;

    /// The same word, computed where the source says so, where that is faster than the order that
    /// the compiler chooses.
    #[inline(always)]
    fn in_order(self) -> Self {
        self
    }
}

/// A word in the low half of a register. In the high half is nothing of interest.
#[derive(Clone, Copy)]
pub(crate) struct One(Pair);

impl Word<1> for One {
    type Key = u64;

    #[inline(always)]
    fn gather<const NW: usize, const BYTES: usize>([block]: &[[u8; BYTES]; 1]) -> [Self; NW] {
        array::from_fn(|i| Self(load_word(block, i)))
    }
    #[inline(always)]
    fn scatter<const NW: usize, const BYTES: usize>(v: [Self; NW], [block]: &mut [[u8; BYTES]; 1]) {
        for i in 0..NW / 2 {
            store_pair(block, i, simd::lows(v[2 * i].0, v[2 * i + 1].0));
        }
    }
    #[inline(always)]
    fn tweaks([tweak]: &[Tweak; 1]) -> [Self; 3] {
        tweak.extended().map(Self::splat)
    }
    #[inline(always)]
    fn splat(number: u64) -> Self {
        Self(simd::low(number))
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(simd::add(self.0, other.0))
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(simd::sub(self.0, other.0))
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Self(simd::xor(self.0, other.0))
    }
    #[inline(always)]
    fn rotate_left(self, r: u32) -> Self {
        Self(simd::rotate_left(self.0, r))
    }
    #[inline(always)]
    fn add_key(self, k: u64) -> Self {
        self.add(Self::splat(k))
    }
    #[inline(always)]
    fn sub_key(self, k: u64) -> Self {
        self.sub(Self::splat(k))
    }
}

impl Word<2> for Pair {
    type Key = Pair;

    #[inline(always)]
    fn gather<const NW: usize, const BYTES: usize>([a, b]: &[[u8; BYTES]; 2]) -> [Self; NW] {
        array::from_fn(|i| {
            let (a, b) = (load_pair(a, i / 2), load_pair(b, i / 2));
            if i % 2 == 0 { simd::lows(a, b) } else { simd::highs(a, b) }
        })
    }
    #[inline(always)]
    fn scatter<const NW: usize, const BYTES: usize>(v: [Self; NW], [a, b]: &mut [[u8; BYTES]; 2]) {
        for i in 0..NW / 2 {
            store_pair(a, i, simd::lows(v[2 * i], v[2 * i + 1]));
            store_pair(b, i, simd::highs(v[2 * i], v[2 * i + 1]));
        }
    }
    #[inline(always)]
    fn tweaks([a, b]: &[Tweak; 2]) -> [Self; 3] {
        let (a, b) = (a.extended(), b.extended());
        array::from_fn(|i| simd::pair(a[i], b[i]))
    }
    #[inline(always)]
    fn splat(number: u64) -> Self {
        simd::pair(number, number)
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
        self.add(k)
    }
    #[inline(always)]
    fn sub_key(self, k: Pair) -> Self {
        self.sub(k)
    }
}

/// Written out by the macro rather than looped over, so that it holds at every optimisation level.
macro_rules! in_flight {
    // `[k; 3]` would be a loop.
    (@ $k:ident for $($p:literal)+) => {
        [$({ let _: usize = $p; $k }),+]
    };
    ($pairs:literal: $($p:literal)+) => {
        impl Word<{ 2 * $pairs }> for [Pair; $pairs] {
            type Key = Pair;

            #[inline(always)]
            fn gather<const NW: usize, const BYTES: usize>(
                blocks: &[[u8; BYTES]; 2 * $pairs],
            ) -> [Self; NW] {
                let (pairs, _) = blocks.as_chunks();
                let pairs: [[Pair; NW]; $pairs] = [$(Pair::gather(&pairs[$p])),+];
                array::from_fn(|i| [$(pairs[$p][i]),+])
            }
            #[inline(always)]
            fn scatter<const NW: usize, const BYTES: usize>(
                v: [Self; NW],
                blocks: &mut [[u8; BYTES]; 2 * $pairs],
            ) {
                let (pairs, _) = blocks.as_chunks_mut();
                $(Pair::scatter(v.map(|word| word[$p]), &mut pairs[$p]);)+
            }
            #[inline(always)]
            fn tweaks(tweaks: &[Tweak; 2 * $pairs]) -> [Self; 3] {
                let (pairs, _) = tweaks.as_chunks();
                let pairs = [$(Pair::tweaks(&pairs[$p])),+];
                array::from_fn(|i| [$(pairs[$p][i]),+])
            }
            #[inline(always)]
            fn splat(number: u64) -> Self {
                let number = Pair::splat(number);
                in_flight!(@ number for $($p)+)
            }
            #[inline(always)]
            fn add(self, other: Self) -> Self {
                [$(self[$p].add(other[$p])),+]
            }
            #[inline(always)]
            fn sub(self, other: Self) -> Self {
                [$(self[$p].sub(other[$p])),+]
            }
            #[inline(always)]
            fn xor(self, other: Self) -> Self {
                [$(self[$p].xor(other[$p])),+]
            }
            #[inline(always)]
            fn rotate_left(self, r: u32) -> Self {
                [$(self[$p].rotate_left(r)),+]
            }
            #[inline(always)]
            fn add_key(self, k: Pair) -> Self {
                self.add(in_flight!(@ k for $($p)+))
            }
            #[inline(always)]
            fn sub_key(self, k: Pair) -> Self {
                self.sub(in_flight!(@ k for $($p)+))
            }
            /// Left to itself the compiler computes one pair after the other.
            #[inline(always)]
            fn in_order(self) -> Self {
                [$(simd::in_order(self[$p])),+]
            }
        }
    };
}

in_flight!(2: 0 1);
in_flight!(3: 0 1 2);
