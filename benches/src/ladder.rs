//! The ladder of 2009, climbed again: Threefish-256 encryption (revision 1.3), one block at a time,
//! as small kernels that differ from one another in one choice each. `docs/ladder.md` tells what
//! came of it.
//!
//! A [`Rung`] is one kernel: a function that is never inlined and takes key, tweak and whatever was
//! prepared from them by reference, as `Material`. So the compiler sees no key set-up beside the
//! rounds, which would let it regroup the additions. The kernels are made of a `Machine`, which
//! says how words are held and where subkeys come from, and of `encrypt`, which says how the
//! rounds are written out.

mod code;
mod integers;
#[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))]
mod registers;
mod step;

use std::array;

use anyhow::{Result, ensure};
use threefish_api::{Revision, Threefish, Tweak, V1_3};

use crate::{
    interleave::{Plan, interleave},
    workload::numbers,
};
pub use step::Step;

/// A kernel, and what sets it apart.
#[derive(Clone, Copy, Debug)]
pub struct Rung {
    /// What it computes with: `integers` of 64 bits or `sse2` registers; or the name of a backend,
    /// whose kernel it is.
    pub unit: &'static str,
    /// How the rounds are written out.
    pub rounds: &'static str,
    /// Where the subkeys come from.
    pub subkeys: &'static str,
    /// Whether a MIX is a function that is called, or inlined.
    pub mix: &'static str,
    kernel: Kernel,
    /// The functions that it calls, whose code is a part of its own; none if they are not known.
    helpers: Option<&'static [fn() -> usize]>,
}

/// Encrypts a block in place under the key and tweak of the material.
type Kernel = fn(&Material, &mut [u64; 4]);

/// Every rung. The first is the reference that the others are compared with.
#[must_use]
pub fn rungs() -> Vec<Rung> {
    let mut rungs = integers::RUNGS.to_vec();
    #[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))]
    rungs.extend(registers::RUNGS);
    rungs.extend(BACKENDS);
    rungs
}

/// The backends as they are, for one block, to see that the ladder is not of another world.
const BACKENDS: &[Rung] = &[
    backend("threefish-scalar", |material, block| {
        material.scalar.encrypt_block(material.tweak, block);
    }),
    backend("threefish-unrolled", |material, block| {
        material.unrolled.encrypt_block(material.tweak, block);
    }),
    #[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))]
    backend("threefish-sse2", |material, block| {
        material.sse2.encrypt_block(material.tweak, block);
    }),
];

const fn backend(name: &'static str, kernel: Kernel) -> Rung {
    Rung { unit: name, rounds: "", subkeys: "", mix: "", kernel, helpers: None }
}

/// A key and a tweak, and all that is made of them before any clock runs.
#[derive(Debug)]
struct Material {
    /// The extended key, k\[0\] to k\[4\].
    k: [u64; 5],
    /// The extended tweak.
    t: [u64; 3],
    tweak: Tweak,
    subkeys: Subkeys,
    #[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))]
    registers: registers::Material,
    scalar: threefish_scalar::Threefish256,
    unrolled: threefish_unrolled::Threefish256,
    #[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))]
    sse2: threefish_sse2::Threefish256,
}

/// The whole key schedule: word `i` of subkey `s` at `[i][s]`, with tweak and number added. In this
/// order no two words of a subkey are neighbours: where they are, the compiler adds them in vector
/// registers on i686 and all else in integer registers, which takes twice the time with 1 round a
/// turn and 1.2 times with 8.
type Subkeys = [[u64; 19]; 4];

impl Material {
    fn new(key: &[u64; 4], tweak: Tweak) -> Self {
        let [k0, k1, k2, k3] = *key;
        let k = [k0, k1, k2, k3, V1_3::PARITY ^ k0 ^ k1 ^ k2 ^ k3];
        let t = tweak.extended();
        let subkeys = subkeys(&k, t);
        Self {
            k,
            t,
            tweak,
            subkeys,
            #[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))]
            registers: registers::Material::new(&k, t, &subkeys),
            scalar: threefish_scalar::Threefish256::new(key),
            unrolled: threefish_unrolled::Threefish256::new(key),
            #[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))]
            sse2: threefish_sse2::Threefish256::new(key),
        }
    }
}

/// The key schedule. Never inlined, as it must not meet the rounds.
#[inline(never)]
fn subkeys(k: &[u64; 5], t: [u64; 3]) -> Subkeys {
    let mut subkeys = [[0; 19]; 4];
    for s in 0..19 {
        let k = |i: usize| k[(s + i) % 5];
        subkeys[0][s] = k(0);
        subkeys[1][s] = k(1).wrapping_add(t[s % 3]);
        subkeys[2][s] = k(2).wrapping_add(t[(s + 1) % 3]);
        subkeys[3][s] = k(3).wrapping_add(s as u64);
    }
    subkeys
}

/// How the words of a block are held, and where subkeys come from.
trait Machine {
    /// The words of a block.
    type Words: Copy;

    fn load(block: &[u64; 4]) -> Self::Words;
    fn store(v: Self::Words, block: &mut [u64; 4]);
    /// Adds subkey `s`. Called for each once, in ascending order.
    fn inject(&mut self, v: Self::Words, s: usize) -> Self::Words;
    /// MIX of both pairs by the rotation counts `r`, and the permutation.
    fn round(v: Self::Words, r: [u32; 2]) -> Self::Words;
}

/// Encrypts with so many rounds written out: 1 (their counts from a table), 8 or all 72.
#[inline(always)]
fn encrypt<const WRITTEN_OUT: usize, M: Machine>(mut machine: M, block: &mut [u64; 4]) {
    let mut v = M::load(block);
    match WRITTEN_OUT {
        1 => {
            for d in 0..72 {
                if d % 4 == 0 {
                    v = machine.inject(v, d / 4);
                }
                v = M::round(v, V1_3::ROTATIONS_256[d % 8]);
            }
        }
        8 => {
            for turn in 0..9 {
                v = eight_rounds(&mut machine, v, turn);
            }
        }
        72 => {
            v = eight_rounds(&mut machine, v, 0);
            v = eight_rounds(&mut machine, v, 1);
            v = eight_rounds(&mut machine, v, 2);
            v = eight_rounds(&mut machine, v, 3);
            v = eight_rounds(&mut machine, v, 4);
            v = eight_rounds(&mut machine, v, 5);
            v = eight_rounds(&mut machine, v, 6);
            v = eight_rounds(&mut machine, v, 7);
            v = eight_rounds(&mut machine, v, 8);
        }
        _ => unreachable!("no rung has so many rounds written out"),
    }
    M::store(machine.inject(v, 18), block);
}

#[inline(always)]
fn eight_rounds<M: Machine>(machine: &mut M, v: M::Words, turn: usize) -> M::Words {
    let r = &V1_3::ROTATIONS_256;
    let v = machine.inject(v, 2 * turn);
    let v = M::round(M::round(M::round(M::round(v, r[0]), r[1]), r[2]), r[3]);
    let v = machine.inject(v, 2 * turn + 1);
    M::round(M::round(M::round(M::round(v, r[4]), r[5]), r[6]), r[7])
}

/// Defines the kernels of a unit and lists them: for each its name, the rounds written out, where
/// the subkeys come from, whether MIX is inlined or called, the functions that it calls, and the
/// machine that it is made of.
macro_rules! define_rungs {
    ($unit:literal, $material:ident:
     $($name:ident[$rounds:literal, $subkeys:literal, $mix:literal $(, + $helper:expr)*] = $machine:expr;)+) => {
        $(
            #[inline(never)]
            fn $name($material: &$crate::ladder::Material, block: &mut [u64; 4]) {
                $crate::ladder::encrypt::<$rounds, _>($machine, block);
            }
        )+

        pub(super) const RUNGS: &[$crate::ladder::Rung] = &[$($crate::ladder::Rung {
            unit: $unit,
            rounds: match $rounds {
                1 => "1 a turn",
                8 => "8 a turn",
                _ => "unrolled",
            },
            subkeys: $subkeys,
            mix: $mix,
            kernel: $name,
            helpers: Some(&[$(|| $helper as usize),*]),
        }),+];
    };
}
use define_rungs;

/// Measures every rung, in rounds in each of which every one is timed once, on so many blocks in
/// turn: with one, each is the result of the one before; with more, calls are independent and the
/// processor can overlap them.
///
/// # Errors
///
/// If a rung computes something else than `threefish-scalar`, or the program can't be read, which
/// tells the bytes of code.
pub fn measure<const BLOCKS: usize>(plan: Plan) -> Result<Vec<Step>> {
    let rungs = rungs();
    check(&rungs)?;
    let bytes = code::bytes(&rungs)?;

    let mut random = numbers();
    let mut words = || array::from_fn(|_| random());
    let material = Material::new(&words(), Tweak::new(7, 15));
    let mut state = (material, array::from_fn(|_| words()));
    let loops: Vec<_> = rungs.iter().map(|rung| in_turn::<BLOCKS>(rung.kernel)).collect();
    let times = interleave(&loops, &mut state, plan);

    let steps = rungs.iter().zip(&times).zip(bytes);
    Ok(steps.map(|((rung, ours), bytes)| Step::new(rung, ours, &times[0], bytes)).collect())
}

fn in_turn<const BLOCKS: usize>(
    kernel: Kernel,
) -> impl Fn(&mut (Material, [[u64; 4]; BLOCKS]), u64) {
    move |(material, blocks), iterations| {
        for (i, _) in (0..iterations).enumerate() {
            kernel(material, &mut blocks[i % BLOCKS]);
        }
    }
}

/// Compares each rung with `threefish-scalar` on random keys, tweaks and blocks.
///
/// # Errors
///
/// Names the first rung that differs.
pub fn check(rungs: &[Rung]) -> Result<()> {
    let mut random = numbers();
    for _ in 0..100 {
        let mut words = || array::from_fn(|_| random());
        let (key, plaintext) = (words(), words());
        let tweak = Tweak::new(random(), random());
        let mut expected = plaintext;
        threefish_scalar::Threefish256::new(&key).encrypt_block(tweak, &mut expected);

        let material = Material::new(&key, tweak);
        for rung in rungs {
            let mut block = plaintext;
            (rung.kernel)(&material, &mut block);
            ensure!(block == expected, "{rung:?} computes something else than threefish-scalar");
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_rung_equals_scalar() {
        check(&rungs()).unwrap();
    }

    #[test]
    fn a_wrong_rung_is_named() {
        let wrong = Rung { subkeys: "forgotten", kernel: |_, _| {}, ..rungs()[0] };
        let error = check(&[rungs()[0], wrong]).unwrap_err().to_string();
        assert!(error.contains("forgotten"), "{error}");
    }

    #[test]
    fn no_two_rungs_look_alike() {
        let rungs = rungs();
        let looks = rungs.iter().map(|rung| (rung.unit, rung.rounds, rung.subkeys, rung.mix));
        assert_eq!(looks.collect::<HashSet<_>>().len(), rungs.len());
    }
}
