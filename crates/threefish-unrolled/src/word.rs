//! What the rounds compute with: the same word of one or more blocks, whose independent operations
//! fill the processor while each block waits for its own.

use core::hint::black_box;

use threefish_api::Tweak;

/// `[u64; B]`: the same word of `B` blocks, interleaved instruction by instruction.
pub(crate) trait Word: Copy {
    fn add(self, other: Self) -> Self;
    fn sub(self, other: Self) -> Self;
    fn xor(self, other: Self) -> Self;
    fn rotate_left(self, r: u32) -> Self;
    fn rotate_right(self, r: u32) -> Self;
    /// The same key word for each block.
    fn splat(k: u64) -> Self;
    /// The extended tweak of each block.
    fn extend(tweaks: &[Tweak]) -> [Self; 3];
    /// Word `i` of each block.
    fn gather<const NW: usize>(blocks: &[[u64; NW]], i: usize) -> Self;
    /// The inverse of [`Self::gather`].
    fn scatter<const NW: usize>(self, blocks: &mut [[u64; NW]], i: usize);
    /// The same word; on 64-bit processors the compiler knows nothing of it.
    ///
    /// There every word of the result passes through here on its way to memory. Otherwise the
    /// compiler takes the adjacent stores as an invitation to compute the whole cipher in vector registers
    /// wherever AVX-512 is enabled: 2 to 5 times slower.
    fn opaque(self) -> Self;
}

/// Nothing is hidden on 32-bit processors: `black_box` sends the word through memory, where a 64-bit
/// load must wait for two 32-bit stores, a tenth of the time of Threefish-256.
#[inline(always)]
fn opaque(word: u64) -> u64 {
    if cfg!(target_pointer_width = "64") { black_box(word) } else { word }
}

/// Written out by the macro rather than looped over, so that it holds at every optimisation level.
macro_rules! interleave {
    ($blocks:literal: $($b:literal)+) => {
        impl Word for [u64; $blocks] {
            #[inline(always)]
            fn add(self, other: Self) -> Self {
                [$(self[$b].wrapping_add(other[$b])),+]
            }
            #[inline(always)]
            fn sub(self, other: Self) -> Self {
                [$(self[$b].wrapping_sub(other[$b])),+]
            }
            #[inline(always)]
            fn xor(self, other: Self) -> Self {
                [$(self[$b] ^ other[$b]),+]
            }
            #[inline(always)]
            fn rotate_left(self, r: u32) -> Self {
                [$(self[$b].rotate_left(r)),+]
            }
            #[inline(always)]
            fn rotate_right(self, r: u32) -> Self {
                [$(self[$b].rotate_right(r)),+]
            }
            #[inline(always)]
            fn splat(k: u64) -> Self {
                // Not `[k; $blocks]`, which is a loop.
                [$({ let _: usize = $b; k }),+]
            }
            #[inline(always)]
            fn extend(tweaks: &[Tweak]) -> [Self; 3] {
                let t = [$(tweaks[$b].extended()),+];
                [[$(t[$b][0]),+], [$(t[$b][1]),+], [$(t[$b][2]),+]]
            }
            #[inline(always)]
            fn gather<const NW: usize>(blocks: &[[u64; NW]], i: usize) -> Self {
                [$(blocks[$b][i]),+]
            }
            #[inline(always)]
            fn scatter<const NW: usize>(self, blocks: &mut [[u64; NW]], i: usize) {
                $(blocks[$b][i] = self[$b];)+
            }
            #[inline(always)]
            fn opaque(self) -> Self {
                [$(opaque(self[$b])),+]
            }
        }
    };
}

interleave!(1: 0);
interleave!(2: 0 1);
interleave!(3: 0 1 2);
