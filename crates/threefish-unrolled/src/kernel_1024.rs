//! Threefish-1024: 16 words `v`, 80 rounds, a subkey before every fourth round and one at the end.
//!
//! Bound by its operations: 80 rounds of 24 and 21 subkeys of 16.

use threefish_api::{Revision, Tweak, backend::Kernel};

use crate::{
    blocks::store,
    key::Key1024,
    rounds::{State, decrypt, encrypt, mix, unmix},
    word::Word,
};

impl Kernel for Key1024 {
    type Words = [u64; 16];
    const LANES: usize = 1;

    #[inline(always)]
    fn new<R: Revision>(key: &[u64; 16]) -> Self {
        Self::extend(key, R::PARITY)
    }

    #[inline(always)]
    fn encrypt_block<R: Revision>(&self, tweak: Tweak, block: &mut [u64; 16]) {
        store(encrypt::<R, _, _>(*block, &self.0, &tweak.extended()), block);
    }

    #[inline(always)]
    fn decrypt_block<R: Revision>(&self, tweak: Tweak, block: &mut [u64; 16]) {
        store(decrypt::<R, _, _>(*block, &self.0, &tweak.extended()), block);
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

    #[inline(always)]
    fn inject(self, k: &[u64], t: &[W; 3], s: usize) -> Self {
        let v = self;
        let k = |i: usize| W::splat(k[(s + i) % 17]);
        [
            v[0].add(k(0)),
            v[1].add(k(1)),
            v[2].add(k(2)),
            v[3].add(k(3)),
            v[4].add(k(4)),
            v[5].add(k(5)),
            v[6].add(k(6)),
            v[7].add(k(7)),
            v[8].add(k(8)),
            v[9].add(k(9)),
            v[10].add(k(10)),
            v[11].add(k(11)),
            v[12].add(k(12)),
            v[13].add(k(13).add(t[s % 3])),
            v[14].add(k(14).add(t[(s + 1) % 3])),
            v[15].add(k(15).add(W::splat(s as u64))),
        ]
    }

    #[inline(always)]
    fn eject(self, k: &[u64], t: &[W; 3], s: usize) -> Self {
        let v = self;
        let k = |i: usize| W::splat(k[(s + i) % 17]);
        [
            v[0].sub(k(0)),
            v[1].sub(k(1)),
            v[2].sub(k(2)),
            v[3].sub(k(3)),
            v[4].sub(k(4)),
            v[5].sub(k(5)),
            v[6].sub(k(6)),
            v[7].sub(k(7)),
            v[8].sub(k(8)),
            v[9].sub(k(9)),
            v[10].sub(k(10)),
            v[11].sub(k(11)),
            v[12].sub(k(12)),
            v[13].sub(k(13).add(t[s % 3])),
            v[14].sub(k(14).add(t[(s + 1) % 3])),
            v[15].sub(k(15).add(W::splat(s as u64))),
        ]
    }
}
