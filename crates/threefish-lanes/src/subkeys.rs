//! Subkeys without their tweaks: word i of subkey s is k[(s + i) mod (Nw + 1)], and s is added to the
//! last word.
//!
//! Written out once, k[0], k[1], .. k[Nw], k[0], .., so that subkey s is the window of Nw words from
//! s on, and the loop over rounds needs no remainders.

use core::array;

use crate::{Lanes, unroll};

/// The words of subkeys, for `G` groups of `N` blocks.
pub(crate) trait Subkeys<L: Lanes<N>, const N: usize, const G: usize> {
    /// Word `i` of subkey `s`, `s` not added.
    fn word(&self, lanes: L, s: usize, i: usize) -> [L::Vector; G];
    /// Word `nw - 1` of subkey `s`, `s` added.
    fn last(&self, lanes: L, s: usize, nw: usize) -> [L::Vector; G];
}

/// Subkeys for any number of groups in flight.
pub(crate) trait AnySubkeys<L: Lanes<N>, const N: usize>:
    Subkeys<L, N, 1> + Subkeys<L, N, 2> + Subkeys<L, N, 3> + Subkeys<L, N, 4> + Subkeys<L, N, 6>
{
}

/// The subkeys of one key for all blocks. `WINDOWS` = Nw + `SUBKEYS` - 1.
#[repr(align(64))]
pub(crate) struct KeyOfAll<const WINDOWS: usize, const SUBKEYS: usize> {
    words: [u64; WINDOWS],
    /// By integer sums, since vector ports have enough to do.
    last: [u64; SUBKEYS],
}

impl<const WINDOWS: usize, const SUBKEYS: usize> KeyOfAll<WINDOWS, SUBKEYS> {
    /// From the extended key.
    #[inline(always)]
    pub(crate) fn new<const EXTENDED: usize>(k: &[u64; EXTENDED]) -> Self {
        const { assert!(WINDOWS == EXTENDED + SUBKEYS - 2) }
        let (mut words, mut last) = ([0; WINDOWS], [0; SUBKEYS]);
        unroll!(I in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29
            30 31 32 33 34 35 {
            if I < WINDOWS {
                words[I] = k[I % EXTENDED];
            }
        });
        unroll!(S in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 {
            if S < SUBKEYS {
                last[S] = k[(S + EXTENDED - 2) % EXTENDED].wrapping_add(S as u64);
            }
        });
        Self { words, last }
    }
}

impl<L: Lanes<N>, const N: usize, const G: usize, const WINDOWS: usize, const SUBKEYS: usize>
    Subkeys<L, N, G> for KeyOfAll<WINDOWS, SUBKEYS>
{
    #[inline(always)]
    fn word(&self, lanes: L, s: usize, i: usize) -> [L::Vector; G] {
        of_all(lanes.splat(self.words[s + i]))
    }
    #[inline(always)]
    fn last(&self, lanes: L, s: usize, _nw: usize) -> [L::Vector; G] {
        of_all(lanes.splat(self.last[s]))
    }
}

impl<L: Lanes<N>, const N: usize, const WINDOWS: usize, const SUBKEYS: usize> AnySubkeys<L, N>
    for KeyOfAll<WINDOWS, SUBKEYS>
{
}

/// The same for all groups. `[k; G]` is a loop.
#[inline(always)]
fn of_all<V: Copy, const G: usize>(k: V) -> [V; G] {
    array::from_fn(|_| k)
}

/// The subkeys of a key for each block.
#[repr(align(64))]
pub(crate) struct KeyOfEach<V, const G: usize, const WINDOWS: usize>([[V; G]; WINDOWS]);

/// The number of each subkey.
static NUMBERS: [u64; 21] =
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20];

impl<V: Copy, const G: usize, const WINDOWS: usize> KeyOfEach<V, G, WINDOWS> {
    /// From the words of the keys and the parity word of a key of zeros.
    #[inline(always)]
    pub(crate) fn new<L: Lanes<N, Vector = V>, const N: usize, const NW: usize>(
        lanes: L,
        keys: [[V; G]; NW],
        parity: u64,
    ) -> Self {
        let mut k_nw: [V; G] = of_all(lanes.splat(parity));
        unroll!(W in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 {
            if W < NW {
                unroll!(I in 0 1 2 3 4 5 {
                    if I < G {
                        k_nw[I] = lanes.xor(k_nw[I], keys[W][I]);
                    }
                });
            }
        });
        let mut words = [k_nw; WINDOWS];
        unroll!(I in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29
            30 31 32 33 34 35 {
            if I < WINDOWS && I % (NW + 1) < NW {
                words[I] = keys[I % (NW + 1)];
            }
        });
        Self(words)
    }
}

impl<L: Lanes<N>, const N: usize, const G: usize, const WINDOWS: usize> Subkeys<L, N, G>
    for KeyOfEach<L::Vector, G, WINDOWS>
{
    #[inline(always)]
    fn word(&self, _lanes: L, s: usize, i: usize) -> [L::Vector; G] {
        self.0[s + i]
    }
    #[inline(always)]
    fn last(&self, lanes: L, s: usize, nw: usize) -> [L::Vector; G] {
        let mut word = self.0[s + nw - 1];
        let number = lanes.splat(NUMBERS[s]);
        unroll!(I in 0 1 2 3 4 5 {
            if I < G {
                word[I] = lanes.add(word[I], number);
            }
        });
        word
    }
}
