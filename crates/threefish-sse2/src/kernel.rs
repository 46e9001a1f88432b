//! From keys, tweaks and blocks in memory to the registers of a kernel and back.

use core::{array, hint::black_box, slice};

use cfg_if::cfg_if;
use threefish_api::{Revision, Tweak, Words, backend::Kernel};

use crate::{
    across::Across,
    blocks::as_bytes,
    rounds::{State, decrypt, encrypt},
    simd::Pair,
    word::{One, Word},
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

/// Implements the kernel for blocks of `$nw` words and `$bytes` bytes: `$One` for one block; in bulk
/// groups of so many blocks, the largest first.
macro_rules! kernel {
    ($nw:literal, $bytes:literal, one $One:ty, groups $($blocks:literal $Group:ty),+) => {
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

            kernel!(@ $nw, $bytes, $One, ($($blocks $Group),+), encrypt, encrypt_block, encrypt_blocks, encrypt_blocks_bytes);
            kernel!(@ $nw, $bytes, $One, ($($blocks $Group),+), decrypt, decrypt_block, decrypt_blocks, decrypt_blocks_bytes);
        }
    };
    (@ $nw:literal, $bytes:literal, $One:ty, ($($b:literal $Group:ty),+), $cipher:ident, $block:ident, $blocks:ident, $blocks_bytes:ident) => {
        #[inline(never)]
        fn $block<R: Revision>(&self, tweak: Tweak, block: &mut [u64; $nw]) {
            for block in as_bytes(slice::from_mut(block)) {
                $cipher::<R, $One, _, _>(&self.0, &[tweak], array::from_mut(block));
            }
        }

        #[inline(always)]
        fn $blocks<R: Revision>(&self, tweaks: &[Tweak], blocks: &mut [[u64; $nw]]) {
            self.$blocks_bytes::<R>(tweaks, as_bytes(blocks));
        }

        #[inline(never)]
        fn $blocks_bytes<R: Revision>(&self, tweaks: &[Tweak], blocks: &mut [[u8; $bytes]]) {
            #[inline(never)]
            fn in_groups<R, V, const BLOCKS: usize>(
                k: &[Pair; $nw + 1],
                tweaks: &[[Tweak; BLOCKS]],
                blocks: &mut [[[u8; $bytes]; BLOCKS]],
            ) where
                R: Revision,
                V: State<R, $bytes, BLOCKS, Key = Pair>,
            {
                for (tweaks, blocks) in tweaks.iter().zip(blocks) {
                    // Hidden in every turn. Otherwise the compiler loads the whole key before the
                    // loop, has no registers for it, and spills.
                    let k: &[Pair; $nw + 1] = black_box(k);
                    $cipher::<R, V, _, _>(k, tweaks, blocks);
                }
            }

            let k = self.0.map(Pair::splat);
            $(
                let (groups, blocks) = blocks.as_chunks_mut();
                let (tweak_groups, tweaks) = tweaks.as_chunks();
                in_groups::<R, [$Group; $nw], $b>(&k, tweak_groups, groups);
            )+
            for (block, tweak) in blocks.iter_mut().zip(tweaks) {
                let mut words = Words::from_bytes(block);
                self.$block::<R>(*tweak, &mut words);
                *block = words.to_bytes();
            }
        }
    };
}

cfg_if! {
    if #[cfg(target_arch = "x86_64")] {
        kernel!(4, 32, one [One; 4], groups 6 [Pair; 3], 2 Pair);
    } else {
        kernel!(4, 32, one [One; 4], groups 4 [Pair; 2], 2 Pair);
    }
}
kernel!(8, 64, one Across<R, 2>, groups 2 Pair);
kernel!(16, 128, one Across<R, 4>, groups 2 Pair);
