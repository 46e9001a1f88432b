//! The cipher \[Skein 1.3, §3.3.1 and §3.3.2\] on `G` groups of `N` blocks, all in flight at the same
//! time: eight rounds and two subkeys a turn of a loop, after which the rotations begin anew and
//! every word is back in its place.

use core::hint::black_box;

use threefish_api::{Revision, spec};

use crate::{Block, Lanes, subkeys::Subkeys, unroll};

/// Encrypts blocks in place.
#[inline(always)]
pub(crate) fn encrypt<R, L, S, const N: usize, const NW: usize, const G: usize>(
    lanes: L,
    subkeys: &S,
    tweaks: &[[Block<2>; N]; G],
    blocks: &mut [[Block<NW>; N]; G],
) where
    R: Revision,
    L: Lanes<N>,
    S: Subkeys<L, N, G>,
{
    let t = extended(lanes, tweaks);
    // Behind references that only rotate: a table in memory, since registers are for the blocks.
    let [mut t0, mut t1, mut t2] = black_box(&t).each_ref();
    let mut v = State::load(lanes, blocks);
    for turn in 0..rounds(NW) / 8 {
        v = v.inject(subkeys, t0, t1, 2 * turn);
        v = v.round::<R>(0).round::<R>(1).round::<R>(2).round::<R>(3);
        v = v.inject(subkeys, t1, t2, 2 * turn + 1);
        v = v.round::<R>(4).round::<R>(5).round::<R>(6).round::<R>(7);
        (t0, t1, t2) = (t2, t0, t1);
    }
    v.inject(subkeys, t0, t1, rounds(NW) / 4).store(blocks);
}

/// Decrypts blocks in place.
#[inline(always)]
pub(crate) fn decrypt<R, L, S, const N: usize, const NW: usize, const G: usize>(
    lanes: L,
    subkeys: &S,
    tweaks: &[[Block<2>; N]; G],
    blocks: &mut [[Block<NW>; N]; G],
) where
    R: Revision,
    L: Lanes<N>,
    S: Subkeys<L, N, G>,
{
    let t = extended(lanes, tweaks);
    let t = black_box(&t);
    let s = rounds(NW) / 4;
    let [mut t0, mut t1, mut t2] = [&t[s % 3], &t[(s + 1) % 3], &t[(s + 2) % 3]];
    let mut v = State::load(lanes, blocks).eject(subkeys, t0, t1, s);
    for turn in (0..rounds(NW) / 8).rev() {
        (t0, t1, t2) = (t1, t2, t0);
        v = v.unround::<R>(7).unround::<R>(6).unround::<R>(5).unround::<R>(4);
        v = v.eject(subkeys, t1, t2, 2 * turn + 1);
        v = v.unround::<R>(3).unround::<R>(2).unround::<R>(1).unround::<R>(0);
        v = v.eject(subkeys, t0, t1, 2 * turn);
    }
    v.store(blocks);
}

/// Rounds of the cipher with blocks of `nw` words (Nr).
const fn rounds(nw: usize) -> usize {
    match nw {
        4 => spec::ROUNDS_256,
        8 => spec::ROUNDS_512,
        _ => spec::ROUNDS_1024,
    }
}

/// The rotation of MIX `j` in round `d`, for blocks of `nw` words.
#[inline(always)]
const fn rotation<R: Revision>(nw: usize, d: usize, j: usize) -> u32 {
    match nw {
        4 => R::ROTATIONS_256[d][j],
        8 => R::ROTATIONS_512[d][j],
        _ => R::ROTATIONS_1024[d][j],
    }
}

/// The word that the permutation sends to place `i`, for blocks of `nw` words.
#[inline(always)]
const fn permutation(nw: usize, i: usize) -> usize {
    match nw {
        4 => spec::PERMUTATION_256[i],
        8 => spec::PERMUTATION_512[i],
        _ => spec::PERMUTATION_1024[i],
    }
}

/// The extended tweaks of all blocks.
#[inline(always)]
fn extended<L: Lanes<N>, const N: usize, const G: usize>(
    lanes: L,
    tweaks: &[[Block<2>; N]; G],
) -> [[L::Vector; G]; 3] {
    let mut t = [[lanes.splat(0); G]; 3];
    unroll!(I in 0 1 2 3 4 5 {
        if I < G {
            let [t0, t1] = lanes.load_tweaks(&tweaks[I]);
            (t[0][I], t[1][I], t[2][I]) = (t0, t1, lanes.xor(t0, t1));
        }
    });
    t
}

/// Word `i` of all blocks, in element `i`.
#[inline(always)]
pub(crate) fn words<L: Lanes<N>, const N: usize, const NW: usize, const G: usize>(
    lanes: L,
    blocks: &[[Block<NW>; N]; G],
) -> [[L::Vector; G]; NW] {
    let mut v = [[lanes.splat(0); G]; NW];
    unroll!(I in 0 1 2 3 4 5 {
        if I < G {
            let group = lanes.load(&blocks[I]);
            unroll!(W in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 {
                if W < NW {
                    v[W][I] = group[W];
                }
            });
        }
    });
    v
}

/// The words of the blocks of `G` groups.
#[derive(Clone, Copy)]
struct State<L: Lanes<N>, const N: usize, const NW: usize, const G: usize> {
    lanes: L,
    v: [[L::Vector; G]; NW],
}

impl<L: Lanes<N>, const N: usize, const NW: usize, const G: usize> State<L, N, NW, G> {
    #[inline(always)]
    fn load(lanes: L, blocks: &[[Block<NW>; N]; G]) -> Self {
        Self { lanes, v: words(lanes, blocks) }
    }

    #[inline(always)]
    fn store(self, blocks: &mut [[Block<NW>; N]; G]) {
        unroll!(I in 0 1 2 3 4 5 {
            if I < G {
                let mut group = [self.v[0][I]; NW];
                unroll!(W in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 {
                    if W < NW {
                        group[W] = self.v[W][I];
                    }
                });
                self.lanes.store(group, &mut blocks[I]);
            }
        });
    }

    /// Round `D` mod 8: MIX each pair of words, then permute, which only renames registers.
    #[inline(always)]
    fn round<R: Revision>(self, d: usize) -> Self {
        let Self { lanes, v: x } = self;
        let mut y = x;
        unroll!(J in 0 1 2 3 4 5 6 7 {
            if J < NW / 2 {
                let r = rotation::<R>(NW, d, J);
                unroll!(I in 0 1 2 3 4 5 {
                    if I < G {
                        // MIX: y0 = x0 + x1; y1 = (x1 <<< r) xor y0.
                        let (x0, x1) = (x[2 * J][I], x[2 * J + 1][I]);
                        let y0 = lanes.add(x0, x1);
                        let y1 = lanes.xor(lanes.rotate_left(x1, r), y0);
                        (y[2 * J][I], y[2 * J + 1][I]) = (y0, y1);
                    }
                });
            }
        });
        let mut v = y;
        unroll!(W in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 {
            if W < NW {
                v[W] = y[permutation(NW, W)];
            }
        });
        Self { lanes, v }
    }

    /// The inverse of [`Self::round`].
    #[inline(always)]
    fn unround<R: Revision>(self, d: usize) -> Self {
        let Self { lanes, v } = self;
        let mut y = v;
        unroll!(W in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 {
            if W < NW {
                y[permutation(NW, W)] = v[W];
            }
        });
        let mut x = y;
        unroll!(J in 0 1 2 3 4 5 6 7 {
            if J < NW / 2 {
                let r = rotation::<R>(NW, d, J);
                unroll!(I in 0 1 2 3 4 5 {
                    if I < G {
                        let (y0, y1) = (y[2 * J][I], y[2 * J + 1][I]);
                        let x1 = lanes.rotate_left(lanes.xor(y0, y1), 64 - r);
                        (x[2 * J][I], x[2 * J + 1][I]) = (lanes.sub(y0, x1), x1);
                    }
                });
            }
        });
        Self { lanes, v: x }
    }

    /// Adds subkey `s`, with the words `t0` = t\[s mod 3\] and `t1` = t\[(s + 1) mod 3\] of the tweaks.
    #[inline(always)]
    fn inject<S: Subkeys<L, N, G>>(
        self,
        subkeys: &S,
        t0: &[L::Vector; G],
        t1: &[L::Vector; G],
        s: usize,
    ) -> Self {
        let Self { lanes, mut v } = self;
        unroll!(W in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 {
            if W < NW {
                let k = subkey(lanes, subkeys, s, W, NW);
                unroll!(I in 0 1 2 3 4 5 {
                    if I < G {
                        v[W][I] = lanes.add(v[W][I], k[I]);
                    }
                });
            }
        });
        unroll!(I in 0 1 2 3 4 5 {
            if I < G {
                v[NW - 3][I] = lanes.add(v[NW - 3][I], t0[I]);
                v[NW - 2][I] = lanes.add(v[NW - 2][I], t1[I]);
            }
        });
        Self { lanes, v }
    }

    /// The inverse of [`Self::inject`].
    #[inline(always)]
    fn eject<S: Subkeys<L, N, G>>(
        self,
        subkeys: &S,
        t0: &[L::Vector; G],
        t1: &[L::Vector; G],
        s: usize,
    ) -> Self {
        let Self { lanes, mut v } = self;
        unroll!(I in 0 1 2 3 4 5 {
            if I < G {
                v[NW - 3][I] = lanes.sub(v[NW - 3][I], t0[I]);
                v[NW - 2][I] = lanes.sub(v[NW - 2][I], t1[I]);
            }
        });
        unroll!(W in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 {
            if W < NW {
                let k = subkey(lanes, subkeys, s, W, NW);
                unroll!(I in 0 1 2 3 4 5 {
                    if I < G {
                        v[W][I] = lanes.sub(v[W][I], k[I]);
                    }
                });
            }
        });
        Self { lanes, v }
    }
}

/// Word `i` of subkey `s` without the tweak.
#[inline(always)]
fn subkey<L: Lanes<N>, S: Subkeys<L, N, G>, const N: usize, const G: usize>(
    lanes: L,
    subkeys: &S,
    s: usize,
    i: usize,
    nw: usize,
) -> [L::Vector; G] {
    if i == nw - 1 { subkeys.last(lanes, s, nw) } else { subkeys.word(lanes, s, i) }
}
