use threefish_api::{Revision, Tweak};

use crate::{Block, Job};

/// Registers of `N` 64-bit lanes, and what the rounds do with them.
///
/// The implementor is a token whose existence proves that this processor has the instructions. Its
/// operations are `#[inline(always)]` and called only by a [`Job`], within [`run`](Self::run), which
/// has the target feature enabled: elsewhere each of them would be a call.
pub trait Lanes<const N: usize>: Copy + Send + Sync {
    /// A register: the same word of `N` blocks, that of block `i` in lane `i`.
    type Vector: Copy;

    /// The token of registers of four lanes, by which up to four blocks are done sooner; if there is none,
    /// [`NoLanes`](crate::NoLanes).
    type Narrow: Lanes<4>;

    /// What [`detect`](Self::detect) looks for, for reports: `"AVX2"`, for instance.
    const NEEDS: &'static str;

    /// For blocks of 256 bits.
    const IN_FLIGHT_256: InFlight;
    /// For blocks of 512 bits.
    const IN_FLIGHT_512: InFlight;
    /// For blocks of 1024 bits.
    const IN_FLIGHT_1024: InFlight;

    /// The token, if this processor has the instructions.
    fn detect() -> Option<Self>;

    /// The token of narrower registers.
    fn narrow(self) -> Option<Self::Narrow>;

    /// Runs a job, compiled with the target feature.
    fn run<J: Job<Self>>(self, job: J);

    /// Word `i` of `N` blocks, of 4, 8 or 16 words, in vector `i`.
    fn load<const WORDS: usize>(self, blocks: &[Block<WORDS>; N]) -> [Self::Vector; WORDS];
    /// The inverse of [`Self::load`].
    fn store<const WORDS: usize>(self, v: [Self::Vector; WORDS], blocks: &mut [Block<WORDS>; N]);
    /// The words of `N` tweaks.
    fn load_tweaks(self, tweaks: &[Block<2>; N]) -> [Self::Vector; 2];
    /// The same word in all lanes.
    fn splat(self, word: u64) -> Self::Vector;

    /// Sums lane by lane, modulo 2^64.
    fn add(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// Differences lane by lane, modulo 2^64.
    fn sub(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// Exclusive or.
    fn xor(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// All lanes rotated left by `r`, 0 < r < 64, a constant where it is called.
    fn rotate_left(self, a: Self::Vector, r: u32) -> Self::Vector;

    /// Encrypts one block under the extended key `k`, if that is faster than by integers; false if not.
    #[inline(always)]
    fn encrypt_one<R: Revision, const WORDS: usize>(
        self,
        k: &[u64],
        tweak: Tweak,
        block: &mut Block<WORDS>,
    ) -> bool {
        let _ = (k, tweak, block);
        false
    }

    /// Decrypts one block under the extended key `k`, if that is faster than by integers; false if not.
    #[inline(always)]
    fn decrypt_one<R: Revision, const WORDS: usize>(
        self,
        k: &[u64],
        tweak: Tweak,
        block: &mut Block<WORDS>,
    ) -> bool {
        let _ = (k, tweak, block);
        false
    }
}

/// How many groups of `N` blocks are computed at the same time, so that their operations fill the
/// processor while each waits for its own: 1, 2, 3, 4 or 6.
#[derive(Clone, Copy, Debug)]
pub struct InFlight {
    /// Encrypting.
    pub encrypt: usize,
    /// Decrypting.
    pub decrypt: usize,
    /// With a key for each block.
    pub keys: usize,
    /// From how many blocks on, under one key, a group that is not full is faster than one block after
    /// the other.
    pub few: usize,
}
