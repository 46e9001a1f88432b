//! From keys, tweaks and blocks in memory to the words that the rounds compute with, and back.

use core::array;

use threefish_api::{Revision, Tweak, backend::Kernel};

use crate::{
    rounds::{decrypt, encrypt, unroll},
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
}

#[cfg(feature = "zeroize")]
impl<const EXTENDED: usize> zeroize::Zeroize for Key<EXTENDED> {
    fn zeroize(&mut self) {
        self.0.zeroize();
    }
}

/// Implements the kernel for `$nw` words, with so many blocks in flight in bulk, encrypting and
/// decrypting.
macro_rules! kernel {
    ($nw:literal, encrypt $encrypt:expr, decrypt $decrypt:expr) => {
        impl Kernel for Key<{ $nw + 1 }> {
            type Words = [u64; $nw];
            const LANES: usize = 1;

            #[inline(always)]
            fn new<R: Revision>(key: &[u64; $nw]) -> Self {
                Self::extend(key, R::PARITY)
            }

            kernel!(@ $nw, encrypt, encrypt_block, encrypt_blocks, $encrypt);
            kernel!(@ $nw, decrypt, decrypt_block, decrypt_blocks, $decrypt);
        }
    };
    (@ $nw:literal, $cipher:ident, $block:ident, $blocks:ident, $in_flight:expr) => {
        #[inline(always)]
        fn $block<R: Revision>(&self, tweak: Tweak, block: &mut [u64; $nw]) {
            let v = transpose::<[u64; 1], _>(array::from_ref(block));
            let t = transpose(&[tweak.extended()]);
            store($cipher::<R, _, _>(v, &self.0, &t), array::from_mut(block));
        }

        #[inline(always)]
        fn $blocks<R: Revision>(&self, tweaks: &[Tweak], blocks: &mut [[u64; $nw]]) {
            let (groups, blocks) = blocks.as_chunks_mut::<{ $in_flight }>();
            let (tweak_groups, tweaks) = tweaks.as_chunks::<{ $in_flight }>();
            for (blocks, tweaks) in groups.iter_mut().zip(tweak_groups) {
                let v = transpose::<[u64; $in_flight], _>(blocks);
                let t = transpose(&tweaks.map(Tweak::extended));
                store($cipher::<R, _, _>(v, &self.0, &t), blocks);
            }
            for (block, tweak) in blocks.iter_mut().zip(tweaks) {
                self.$block::<R>(*tweak, block);
            }
        }
    };
}

// More of them gain nothing on 64-bit processors, and lose on 32-bit ones, which have too few
// registers for even one block. Measured on a Xeon of the Golden Cove family, ns a block:
//
// | in flight   |  1 |   2 |  3 |
// |-------------|----|-----|----|
// | 256 encrypt | 65 |  50 | 51 |
// | 256 decrypt | 79 |  64 | 54 |
// | 512 encrypt | 99 |  99 |    |
// | 512 decrypt | 125 | 104 |   |
const WIDE: bool = cfg!(target_pointer_width = "64");
kernel!(4, encrypt if WIDE { 2 } else { 1 }, decrypt if WIDE { 3 } else { 1 });
kernel!(8, encrypt 1, decrypt if WIDE { 2 } else { 1 });
kernel!(16, encrypt 1, decrypt 1);

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
