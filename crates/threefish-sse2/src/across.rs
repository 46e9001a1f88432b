//! One block across the lanes: two of its words in each register.
//!
//! Even words, the first of a MIX, lie in the registers `e`, odd words in `o`, two words a
//! register, such that a round is a MIX of whole registers: both lanes of `e[i]` meet the same
//! lanes of `o[j]`. The permutation then only says which registers meet in the next round, and now
//! and then the lanes of the odd registers are swapped. After four rounds all words are back.
//!
//! Threefish-256 has a swap in every round in this layout, which was that of 2009. It is faster with
//! each word in a register of its own ([`One`](crate::word::One)): as many operations, but only three
//! of them one after the other.
//!
//! Critical path of a round, 4 operations: shift, or, merge of the two lanes' rotations (which swaps
//! them for free), xor; for decryption 5. In cycles of a core of the Golden Cove family, with all
//! operations on its three vector ports, and as measured there (`docs/performance.md` says how):
//!
//! | encrypt | path | ports | `x86_64` | i686 |
//! |---|---|---|---|---|
//! | Threefish-512 | 307 | 498 | 705 | 710 |
//! | Threefish-1024 | 341 | 1108 | 1250 | 1240 |

use core::{array, marker::PhantomData};

use threefish_api::{Revision, Tweak};

use crate::{
    blocks::{load_pair, store_pair},
    rounds::{State, unroll},
    simd::{
        Pair, add, highs, lows, pair, rotate_left_each, rotate_left_each_and_swap, sub, swap, xor,
    },
};

/// The registers of a block of `4 * E` words.
#[derive(Clone, Copy)]
pub(crate) struct Across<R, const E: usize> {
    e: [Pair; E],
    o: [Pair; E],
    revision: PhantomData<R>,
}

/// Where the words lie and which meet, for a block of `4 * E` words.
pub(crate) trait Layout<const E: usize> {
    /// The words in the lanes of `e[i]`. Those of `o[i]` are each one more.
    const EVEN: [(usize, usize); E];
    /// For each round mod 4: `e[_]` meets `o[_]`, in MIX number low of the round and high.
    const MEETINGS: [[Meeting; E]; 4];
    /// For each round mod 4: whether the lanes of `o` are swapped after it.
    const SWAP: [bool; 4];

    /// The rotation count of MIX `j` in round `d`.
    fn rotation(d: usize, j: usize) -> u32;
}

/// Indices of an even and an odd register, and of the MIX in their low and in their high lanes.
type Meeting = (usize, usize, usize, usize);

impl<R: Revision> Layout<2> for Across<R, 2> {
    const EVEN: [(usize, usize); 2] = [(0, 4), (2, 6)];
    const MEETINGS: [[Meeting; 2]; 4] = [
        [(0, 0, 0, 2), (1, 1, 1, 3)],
        [(1, 0, 0, 2), (0, 1, 3, 1)],
        [(0, 0, 2, 0), (1, 1, 3, 1)],
        [(1, 0, 2, 0), (0, 1, 1, 3)],
    ];
    const SWAP: [bool; 4] = [false, true, false, true];

    #[inline(always)]
    fn rotation(d: usize, j: usize) -> u32 {
        R::ROTATIONS_512[d % 8][j]
    }
}

impl<R: Revision> Layout<4> for Across<R, 4> {
    const EVEN: [(usize, usize); 4] = [(0, 2), (8, 12), (6, 4), (10, 14)];
    const MEETINGS: [[Meeting; 4]; 4] = [
        [(0, 0, 0, 1), (2, 2, 3, 2), (1, 1, 4, 6), (3, 3, 5, 7)],
        [(0, 1, 0, 1), (2, 3, 2, 3), (3, 2, 4, 6), (1, 0, 7, 5)],
        [(0, 2, 0, 1), (2, 0, 3, 2), (1, 3, 6, 4), (3, 1, 7, 5)],
        [(0, 3, 0, 1), (2, 1, 2, 3), (3, 0, 6, 4), (1, 2, 5, 7)],
    ];
    const SWAP: [bool; 4] = [false, false, true, true];

    #[inline(always)]
    fn rotation(d: usize, j: usize) -> u32 {
        R::ROTATIONS_1024[d % 8][j]
    }
}

impl<R: Revision, const E: usize, const BYTES: usize> State<R, BYTES, 1> for Across<R, E>
where
    Self: Layout<E>,
{
    type Key = u64;
    type Tweak = u64;

    const ROUNDS: usize = if E == 4 { 80 } else { 72 };

    #[inline(always)]
    fn load([block]: &[[u8; BYTES]; 1]) -> Self {
        let pairs = |i: usize| {
            let (low, high) = Self::EVEN[i];
            (load_pair(block, low / 2), load_pair(block, high / 2))
        };
        let e = array::from_fn(|i| lows(pairs(i).0, pairs(i).1));
        let o = array::from_fn(|i| highs(pairs(i).0, pairs(i).1));
        Self { e, o, revision: PhantomData }
    }

    #[inline(always)]
    fn store(self, [block]: &mut [[u8; BYTES]; 1]) {
        unroll!(I in 0 1 2 3 {
            if I < E {
                let (low, high) = Self::EVEN[I];
                store_pair(block, low / 2, lows(self.e[I], self.o[I]));
                store_pair(block, high / 2, highs(self.e[I], self.o[I]));
            }
        });
    }

    #[inline(always)]
    fn tweaks([tweak]: &[Tweak; 1]) -> [u64; 3] {
        tweak.extended()
    }

    #[inline(always)]
    fn round(mut self, d: usize) -> Self {
        unroll!(I in 0 1 2 3 {
            if I < E {
                let (e, o, low, high) = Self::MEETINGS[d % 4][I];
                let (low, high) = (Self::rotation(d, low), Self::rotation(d, high));
                let (x0, x1) = (self.e[e], self.o[o]);
                let y0 = add(x0, x1);
                let y1 = if Self::SWAP[d % 4] {
                    // swap((x1 <<< r) ^ y0), with the swap of y0 off the critical path.
                    xor(rotate_left_each_and_swap(x1, low, high), swap(y0))
                } else {
                    xor(rotate_left_each(x1, low, high), y0)
                };
                (self.e[e], self.o[o]) = (y0, y1);
            }
        });
        self
    }

    #[inline(always)]
    fn unround(mut self, d: usize) -> Self {
        unroll!(I in 0 1 2 3 {
            if I < E {
                let (e, o, low, high) = Self::MEETINGS[d % 4][I];
                let (low, high) = (Self::rotation(d, low), Self::rotation(d, high));
                let (y0, y1) = (self.e[e], self.o[o]);
                let y1 = if Self::SWAP[d % 4] { swap(y1) } else { y1 };
                let x1 = rotate_left_each(xor(y0, y1), 64 - low, 64 - high);
                (self.e[e], self.o[o]) = (sub(y0, x1), x1);
            }
        });
        self
    }

    #[inline(always)]
    fn inject(mut self, k: &[u64], t: &[u64; 3], s: usize) -> Self {
        unroll!(I in 0 1 2 3 {
            if I < E {
                let (low, high) = Self::EVEN[I];
                self.e[I] = add(self.e[I], subkey(k, t, s, low, high));
                self.o[I] = add(self.o[I], subkey(k, t, s, low + 1, high + 1));
            }
        });
        self
    }

    #[inline(always)]
    fn eject(mut self, k: &[u64], t: &[u64; 3], s: usize) -> Self {
        unroll!(I in 0 1 2 3 {
            if I < E {
                let (low, high) = Self::EVEN[I];
                self.e[I] = sub(self.e[I], subkey(k, t, s, low, high));
                self.o[I] = sub(self.o[I], subkey(k, t, s, low + 1, high + 1));
            }
        });
        self
    }
}

/// Words `low` and `high` of subkey `s`. Key and tweak are added in lanes: an integer sum would take
/// two instructions on i686.
#[inline(always)]
fn subkey(k: &[u64], t: &[u64; 3], s: usize, low: usize, high: usize) -> Pair {
    let nw = k.len() - 1;
    let k = |i: usize| k[(s + i) % (nw + 1)];
    let extra = |i: usize| match nw - i {
        3 => t[s % 3],
        2 => t[(s + 1) % 3],
        1 => s as u64,
        _ => 0,
    };
    add(pair(k(low), k(high)), pair(extra(low), extra(high)))
}
