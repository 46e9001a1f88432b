//! Rungs on 64-bit integers.

use std::{hint::black_box, marker::PhantomData};

use super::{Machine, Material, Subkeys, define_rungs, subkeys};

define_rungs! { "integers", material:
    reference[72, "on the fly", "inlined"] = with_inlined_mix(OnTheFly::new(material));
    called[72, "on the fly", "called", + CALLED] = with_called_mix(OnTheFly::new(material));
    eight[8, "on the fly", "inlined"] = with_inlined_mix(OnTheFly::new(material));
    rolled[1, "on the fly", "inlined"] = with_inlined_mix(OnTheFly::new(material));
    table[72, "table", "inlined"] = with_inlined_mix(Table(&material.subkeys));
    table_made[72, "table made in the call", "inlined", + SUBKEYS] =
        with_inlined_mix(Table(&subkeys(&material.k, material.t)));
    table_called[72, "table", "called", + CALLED] = with_called_mix(Table(&material.subkeys));
    table_eight[8, "table", "inlined"] = with_inlined_mix(Table(&material.subkeys));
    table_rolled[1, "table", "inlined"] = with_inlined_mix(Table(&material.subkeys));
}

const CALLED: fn(u64, u64, u32) -> (u64, u64) = Called::mix;
const SUBKEYS: fn(&[u64; 5], [u64; 3]) -> Subkeys = subkeys;

/// Four words, subkeys from `S`, MIX by `M`.
struct Integers<S, M>(S, PhantomData<M>);

#[inline(always)]
fn with_inlined_mix<S: Source>(subkeys: S) -> Integers<S, Inlined> {
    Integers(subkeys, PhantomData)
}

#[inline(always)]
fn with_called_mix<S: Source>(subkeys: S) -> Integers<S, Called> {
    Integers(subkeys, PhantomData)
}

impl<S: Source, M: Mix> Machine for Integers<S, M> {
    type Words = [u64; 4];

    #[inline(always)]
    fn load(block: &[u64; 4]) -> [u64; 4] {
        *block
    }

    /// Each word by itself: adjacent stores would have the compiler try vector registers.
    #[inline(always)]
    fn store(v: [u64; 4], block: &mut [u64; 4]) {
        // As `threefish-unrolled` does, and for its reasons.
        *block = if cfg!(target_pointer_width = "64") { v.map(black_box) } else { v };
    }

    #[inline(always)]
    fn inject(&mut self, v: [u64; 4], s: usize) -> [u64; 4] {
        let subkey = self.0.subkey(s);
        [
            v[0].wrapping_add(subkey[0]),
            v[1].wrapping_add(subkey[1]),
            v[2].wrapping_add(subkey[2]),
            v[3].wrapping_add(subkey[3]),
        ]
    }

    #[inline(always)]
    fn round(v: [u64; 4], r: [u32; 2]) -> [u64; 4] {
        let (f0, f1) = M::mix(v[0], v[1], r[0]);
        let (f2, f3) = M::mix(v[2], v[3], r[1]);
        [f0, f3, f2, f1]
    }
}

trait Mix {
    /// y0 = x0 + x1; y1 = (x1 <<< r) xor y0.
    fn mix(x0: u64, x1: u64, r: u32) -> (u64, u64);
}

struct Inlined;

impl Mix for Inlined {
    #[inline(always)]
    fn mix(x0: u64, x1: u64, r: u32) -> (u64, u64) {
        let y0 = x0.wrapping_add(x1);
        (y0, x1.rotate_left(r) ^ y0)
    }
}

struct Called;

impl Mix for Called {
    #[inline(never)]
    fn mix(x0: u64, x1: u64, r: u32) -> (u64, u64) {
        Inlined::mix(x0, x1, r)
    }
}

/// Where subkeys come from.
trait Source {
    /// Subkey `s`; asked for each once, in ascending order.
    fn subkey(&mut self, s: usize) -> [u64; 4];
}

/// Made before.
struct Table<'a>(&'a Subkeys);

impl Source for Table<'_> {
    #[inline(always)]
    fn subkey(&mut self, s: usize) -> [u64; 4] {
        [self.0[0][s], self.0[1][s], self.0[2][s], self.0[3][s]]
    }
}

/// The words of key and tweak, which move on by one place with each subkey: written out, they only
/// change names.
struct OnTheFly {
    k: [u64; 5],
    t: [u64; 3],
    /// 0 to 18. As in `threefish-unrolled`, the compiler must not know them, or it regroups the sum.
    numbers: &'static [u64; 19],
}

impl OnTheFly {
    #[inline(always)]
    fn new(material: &Material) -> Self {
        static NUMBERS: [u64; 19] =
            [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18];
        Self { k: material.k, t: material.t, numbers: black_box(&NUMBERS) }
    }
}

impl Source for OnTheFly {
    #[inline(always)]
    fn subkey(&mut self, s: usize) -> [u64; 4] {
        let ([k0, k1, k2, k3, k4], [t0, t1, t2]) = (self.k, self.t);
        (self.k, self.t) = ([k1, k2, k3, k4, k0], [t1, t2, t0]);
        [k0, k1.wrapping_add(t0), k2.wrapping_add(t1), k3.wrapping_add(self.numbers[s])]
    }
}
