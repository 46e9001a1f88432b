//! From keys, tweaks and blocks in memory to the words that the rounds compute with, and back.

use core::{array, hint::black_box};

use cfg_if::cfg_if;
use threefish_api::{Revision, Tweak, backend::Kernel};

use crate::{
    rounds::{Schedule, decrypt, encrypt, unroll},
    word::Word,
};

/// The words k\[0\] to k\[Nw\] of the specification: the key and its parity word. Secret.
///
/// `EXTENDED` is Nw + 1.
#[derive(Clone)]
pub(crate) struct Key<const EXTENDED: usize>([u64; EXTENDED]);

pub(crate) type Key256 = Key<5>;
pub(crate) type Key512 = Key<9>;
pub(crate) type Key1024 = Key<17>;

impl<const EXTENDED: usize> Key<EXTENDED> {
    #[inline(always)]
    fn extend(key: &[u64], parity: u64) -> Self {
        let mut k = [0; EXTENDED];
        k[EXTENDED - 1] = parity;
        for (i, word) in key.iter().enumerate() {
            k[i] = *word;
            k[EXTENDED - 1] ^= *word;
        }
        Self(k)
    }

    pub(crate) fn words(&self) -> &[u64; EXTENDED] {
        &self.0
    }
}

/// Implements the kernel for `$nw` words, with so many blocks in flight in bulk, encrypting and
/// decrypting.
macro_rules! kernel {
    ($nw:literal: encrypt $encrypt:literal, decrypt $decrypt:literal) => {
        impl Kernel for Key<{ $nw + 1 }> {
            type Words = [u64; $nw];
            const LANES: usize = 1;

            #[inline(always)]
            fn new<R: Revision>(key: &[u64; $nw]) -> Self {
                Self::extend(key, R::PARITY)
            }

            fn secrets(&mut self) -> &mut [u64] {
                &mut self.0
            }

            kernel!(@ $nw, encrypt, encrypt_block, encrypt_blocks, $encrypt);
            kernel!(@ $nw, decrypt, decrypt_block, decrypt_blocks, $decrypt);
        }
    };
    (@ $nw:literal, $cipher:ident, $block:ident, $blocks:ident, $in_flight:literal) => {
        #[inline(never)]
        fn $block<R: Revision>(&self, tweak: Tweak, block: &mut [u64; $nw]) {
            let v = transpose::<[u64; 1], _>(array::from_ref(block));
            let schedule = Schedule::new(&self.0, Word::extend(&[tweak]));
            store($cipher::<R, _, _, _>(v, &schedule), array::from_mut(block));
        }

        #[inline(always)]
        fn $blocks<R: Revision>(&self, tweaks: &[Tweak], blocks: &mut [[u64; $nw]]) {
            const IN_FLIGHT: usize = $in_flight;

            /// The loop and nothing else, for the sake of LLVM. Its scheduler interleaves the blocks
            /// of a group only in a loop of a single basic block, where it asks whether the
            /// processor can overlap turns by itself; in straight-line code it computes one block
            /// after the other, whatever the order of the source. An inner loop over an array, which
            /// opt-level s does not unroll, undoes it.
            ///
            /// Each turn hides where its data comes from. Otherwise the compiler follows the loop's
            /// counter through all rounds, and takes a minute instead of a second.
            #[inline(never)]
            fn in_groups<R: Revision>(
                k: &[u64; $nw + 1],
                tweaks: &[[Tweak; IN_FLIGHT]],
                blocks: &mut [[[u64; $nw]; IN_FLIGHT]],
            ) {
                for (tweaks, blocks) in tweaks.iter().zip(blocks) {
                    let (k, tweaks, blocks) = (black_box(k), black_box(tweaks), black_box(blocks));
                    let v = transpose::<[u64; IN_FLIGHT], _>(blocks);
                    let schedule = Schedule::new(k, Word::extend(tweaks));
                    store($cipher::<R, _, _, _>(v, &schedule), blocks);
                }
            }

            let (mut rest, mut rest_tweaks) = (blocks, tweaks);
            if IN_FLIGHT > 1 {
                let (groups, blocks) = rest.as_chunks_mut();
                let (tweak_groups, tweaks) = rest_tweaks.as_chunks();
                in_groups::<R>(&self.0, tweak_groups, groups);
                (rest, rest_tweaks) = (blocks, tweaks);
            }
            for (block, tweak) in rest.iter_mut().zip(rest_tweaks) {
                self.$block::<R>(*tweak, block);
            }
        }
    };
}

cfg_if! {
    if #[cfg(target_pointer_width = "64")] {
        // Time of one at a time / of so many, Golden Cove family: 256 encrypting 1.5 for two and 1.6
        // for three, decrypting 1.7 for either; 512 decrypting 1.16 for two, but encrypting 0.74.
        kernel!(4: encrypt 3, decrypt 3);
        kernel!(8: encrypt 1, decrypt 2);
        kernel!(16: encrypt 1, decrypt 1);
    } else {
        // 32-bit processors have too few registers for even one block.
        kernel!(4: encrypt 1, decrypt 1);
        kernel!(8: encrypt 1, decrypt 1);
        kernel!(16: encrypt 1, decrypt 1);
    }
}

/// Word i of each block, in element i.
#[inline(always)]
fn transpose<W: Word, const NW: usize>(blocks: &[[u64; NW]]) -> [W; NW] {
    let mut v = [W::splat(0); NW];
    unroll!(I in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 {
        if I < NW {
            v[I] = W::gather(blocks, I);
        }
    });
    v
}

/// The inverse of [`transpose`].
#[inline(always)]
fn store<W: Word, const NW: usize>(v: [W; NW], blocks: &mut [[u64; NW]]) {
    unroll!(I in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 {
        if I < NW {
            v[I].opaque().scatter(blocks, I);
        }
    });
}
