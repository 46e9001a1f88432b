//! Threefish-256: 4 words `v`, 72 rounds, a subkey before every fourth round and one at the end.
//!
//! Critical path of one block, in operations of one cycle each: 72 rounds of 2 and 19 subkeys, 163;
//! for decryption, whose rounds are 3 deep, 235. That leaves half the processor idle, so that in
//! bulk two blocks are interleaved.

use threefish_api::{Revision, Tweak, backend::Kernel};

use crate::{
    blocks::{gather, gather_tweaks, scatter, store},
    key::Key256,
    rounds::{State, decrypt, encrypt, mix, unmix},
    word::Word,
};

/// Blocks in flight in bulk.
const ENCRYPT_TOGETHER: usize = if cfg!(target_pointer_width = "64") { 2 } else { 1 };
/// Blocks in flight in bulk.
const DECRYPT_TOGETHER: usize = if cfg!(target_pointer_width = "64") { 3 } else { 1 };

impl Kernel for Key256 {
    type Words = [u64; 4];
    const LANES: usize = 1;

    #[inline(always)]
    fn new<R: Revision>(key: &[u64; 4]) -> Self {
        Self::extend(key, R::PARITY)
    }

    #[inline(always)]
    fn encrypt_block<R: Revision>(&self, tweak: Tweak, block: &mut [u64; 4]) {
        store(encrypt::<R, _, _>(*block, &self.0, &tweak.extended()), block);
    }

    #[inline(always)]
    fn decrypt_block<R: Revision>(&self, tweak: Tweak, block: &mut [u64; 4]) {
        store(decrypt::<R, _, _>(*block, &self.0, &tweak.extended()), block);
    }

    #[inline(always)]
    fn encrypt_blocks<R: Revision>(&self, tweaks: &[Tweak], blocks: &mut [[u64; 4]]) {
        let (groups, rest) = blocks.as_chunks_mut::<ENCRYPT_TOGETHER>();
        let (tweak_groups, rest_tweaks) = tweaks.as_chunks::<ENCRYPT_TOGETHER>();
        for (blocks, tweaks) in groups.iter_mut().zip(tweak_groups) {
            scatter(encrypt::<R, _, _>(gather(blocks), &self.0, &gather_tweaks(tweaks)), blocks);
        }
        for (block, tweak) in rest.iter_mut().zip(rest_tweaks) {
            self.encrypt_block::<R>(*tweak, block);
        }
    }

    #[inline(always)]
    fn decrypt_blocks<R: Revision>(&self, tweaks: &[Tweak], blocks: &mut [[u64; 4]]) {
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

    #[inline(always)]
    fn inject(self, k: &[u64], t: &[W; 3], s: usize) -> Self {
        let v = self;
        let k = |i: usize| W::splat(k[(s + i) % 5]);
        [
            v[0].add(k(0)),
            v[1].add(k(1).add(t[s % 3])),
            v[2].add(k(2).add(t[(s + 1) % 3])),
            v[3].add(k(3).add(W::splat(s as u64))),
        ]
    }

    #[inline(always)]
    fn eject(self, k: &[u64], t: &[W; 3], s: usize) -> Self {
        let v = self;
        let k = |i: usize| W::splat(k[(s + i) % 5]);
        [
            v[0].sub(k(0)),
            v[1].sub(k(1).add(t[s % 3])),
            v[2].sub(k(2).add(t[(s + 1) % 3])),
            v[3].sub(k(3).add(W::splat(s as u64))),
        ]
    }
}
