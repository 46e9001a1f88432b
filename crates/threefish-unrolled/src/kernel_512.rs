//! Threefish-512: 8 words `v`, 72 rounds, a subkey before every fourth round and one at the end.
//!
//! Critical path as for Threefish-256; the operations of one block fill the processor.

use threefish_api::{Revision, Tweak, backend::Kernel};

use crate::{
    blocks::{gather, gather_tweaks, scatter, store},
    key::Key512,
    rounds::{State, decrypt, encrypt, mix, unmix},
    word::Word,
};

/// Blocks in flight in bulk.
const DECRYPT_TOGETHER: usize = if cfg!(target_pointer_width = "64") { 2 } else { 1 };

impl Kernel for Key512 {
    type Words = [u64; 8];
    const LANES: usize = 1;

    #[inline(always)]
    fn new<R: Revision>(key: &[u64; 8]) -> Self {
        Self::extend(key, R::PARITY)
    }

    #[inline(always)]
    fn encrypt_block<R: Revision>(&self, tweak: Tweak, block: &mut [u64; 8]) {
        store(encrypt::<R, _, _>(*block, &self.0, &tweak.extended()), block);
    }

    #[inline(always)]
    fn decrypt_block<R: Revision>(&self, tweak: Tweak, block: &mut [u64; 8]) {
        store(decrypt::<R, _, _>(*block, &self.0, &tweak.extended()), block);
    }

    #[inline(always)]
    fn decrypt_blocks<R: Revision>(&self, tweaks: &[Tweak], blocks: &mut [[u64; 8]]) {
        let (groups, rest) = blocks.as_chunks_mut::<DECRYPT_TOGETHER>();
        let (tweak_groups, rest_tweaks) = tweaks.as_chunks::<DECRYPT_TOGETHER>();
        for (blocks, tweaks) in groups.iter_mut().zip(tweak_groups) {
            scatter(decrypt::<R, _, _>(gather(blocks), &self.0, &gather_tweaks(tweaks)), blocks);
        }
        for (block, tweak) in rest.iter_mut().zip(rest_tweaks) {
            self.decrypt_block::<R>(*tweak, block);
        }
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

    #[inline(always)]
    fn inject(self, k: &[u64], t: &[W; 3], s: usize) -> Self {
        let v = self;
        let k = |i: usize| W::splat(k[(s + i) % 9]);
        [
            v[0].add(k(0)),
            v[1].add(k(1)),
            v[2].add(k(2)),
            v[3].add(k(3)),
            v[4].add(k(4)),
            v[5].add(k(5).add(t[s % 3])),
            v[6].add(k(6).add(t[(s + 1) % 3])),
            v[7].add(k(7).add(W::splat(s as u64))),
        ]
    }

    #[inline(always)]
    fn eject(self, k: &[u64], t: &[W; 3], s: usize) -> Self {
        let v = self;
        let k = |i: usize| W::splat(k[(s + i) % 9]);
        [
            v[0].sub(k(0)),
            v[1].sub(k(1)),
            v[2].sub(k(2)),
            v[3].sub(k(3)),
            v[4].sub(k(4)),
            v[5].sub(k(5).add(t[s % 3])),
            v[6].sub(k(6).add(t[(s + 1) % 3])),
            v[7].sub(k(7).add(W::splat(s as u64))),
        ]
    }
}
