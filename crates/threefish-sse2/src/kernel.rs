//! From keys, tweaks and blocks in memory to the registers of a kernel and back.

use core::slice;

use threefish_api::{Revision, Tweak, Words, backend::Kernel};

use crate::{
    across::Across,
    blocks::as_bytes,
    rounds::{decrypt, encrypt},
    side_by_side::{Word, splat_key},
    simd::Pair,
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
}

/// Implements the kernel for blocks of `$nw` words and `$bytes` bytes in `$e` even registers across
/// the lanes; bulk kernels work on the words `$Word`, the widest first.
///
/// The straight lines are functions of their own, outside of the loop over blocks: the call costs
/// nothing beside them, and the compiler takes a quarter of the time.
macro_rules! kernel {
    ($nw:literal, $bytes:literal, $e:literal, $Words:tt) => {
        impl Kernel for Key<{ $nw + 1 }> {
            type Words = [u64; $nw];
            const LANES: usize = 2;

            #[inline(always)]
            fn new<R: Revision>(key: &[u64; $nw]) -> Self {
                Self::extend(key, R::PARITY)
            }

            fn secrets(&mut self) -> &mut [u64] {
                &mut self.0
            }

            kernel!(@ $nw, $bytes, $e, $Words, encrypt, encrypt_block, encrypt_blocks, encrypt_blocks_bytes);
            kernel!(@ $nw, $bytes, $e, $Words, decrypt, decrypt_block, decrypt_blocks, decrypt_blocks_bytes);
        }
    };
    (@ $nw:literal, $bytes:literal, $e:literal, ($($Word:ty),+), $cipher:ident, $block:ident, $blocks:ident, $blocks_bytes:ident) => {
        #[inline(never)]
        fn $block<R: Revision>(&self, tweak: Tweak, block: &mut [u64; $nw]) {
            for block in as_bytes(slice::from_mut(block)) {
                $cipher(Across::<R, $e>::load(block), &self.0, &tweak.extended()).store(block);
            }
        }

        #[inline(always)]
        fn $blocks<R: Revision>(&self, tweaks: &[Tweak], blocks: &mut [[u64; $nw]]) {
            self.$blocks_bytes::<R>(tweaks, as_bytes(blocks));
        }

        #[inline(never)]
        fn $blocks_bytes<R: Revision>(&self, tweaks: &[Tweak], blocks: &mut [[u8; $bytes]]) {
            #[inline(never)]
            fn side_by_side<R: Revision, W: Word>(
                k: &[Pair; $nw + 1],
                tweaks: &[Tweak],
                blocks: &mut [[u8; $bytes]],
            ) {
                let v: [W; $nw] = W::gather(blocks);
                W::scatter($cipher::<R, _>(v, k, &W::tweaks(tweaks)), blocks);
            }

            let k = splat_key(&self.0);
            $(
                let mut groups = blocks.chunks_exact_mut(<$Word>::BLOCKS);
                let mut tweak_groups = tweaks.chunks_exact(<$Word>::BLOCKS);
                for (blocks, tweaks) in groups.by_ref().zip(tweak_groups.by_ref()) {
                    side_by_side::<R, $Word>(&k, tweaks, blocks);
                }
                let (blocks, tweaks) = (groups.into_remainder(), tweak_groups.remainder());
            )+
            for (block, tweak) in blocks.iter_mut().zip(tweaks) {
                let mut words = Words::from_bytes(block);
                self.$block::<R>(*tweak, &mut words);
                *block = words.to_bytes();
            }
        }
    };
}

kernel!(4, 32, 1, ([Pair; 2], Pair));
kernel!(8, 64, 2, (Pair));
kernel!(16, 128, 4, (Pair));
