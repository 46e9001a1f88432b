use crate::{Block, InFlight, Job, Lanes};

/// No lanes: there is no value of this type, and so nothing is ever called.
#[derive(Clone, Copy, Debug)]
pub enum NoLanes {}

impl<const N: usize> Lanes<N> for NoLanes {
    type Vector = Self;
    type Narrow = Self;

    const NEEDS: &'static str = "what does not exist";
    const IN_FLIGHT_256: InFlight = InFlight { encrypt: 1, decrypt: 1, keys: 1, few: usize::MAX };
    const IN_FLIGHT_512: InFlight = <Self as Lanes<N>>::IN_FLIGHT_256;
    const IN_FLIGHT_1024: InFlight = <Self as Lanes<N>>::IN_FLIGHT_256;

    #[inline(always)]
    fn detect() -> Option<Self> {
        None
    }
    #[inline(always)]
    fn narrow(self) -> Option<Self> {
        None
    }
    #[inline(always)]
    fn run<J: Job<Self>>(self, _job: J) {
        match self {}
    }
    #[inline(always)]
    fn load<const WORDS: usize>(self, _blocks: &[Block<WORDS>; N]) -> [Self; WORDS] {
        match self {}
    }
    #[inline(always)]
    fn store<const WORDS: usize>(self, _v: [Self; WORDS], _blocks: &mut [Block<WORDS>; N]) {
        match self {}
    }
    #[inline(always)]
    fn load_tweaks(self, _tweaks: &[Block<2>; N]) -> [Self; 2] {
        match self {}
    }
    #[inline(always)]
    fn splat(self, _word: u64) -> Self {
        self
    }
    #[inline(always)]
    fn add(self, _a: Self, _b: Self) -> Self {
        self
    }
    #[inline(always)]
    fn sub(self, _a: Self, _b: Self) -> Self {
        self
    }
    #[inline(always)]
    fn xor(self, _a: Self, _b: Self) -> Self {
        self
    }
    #[inline(always)]
    fn rotate_left(self, _a: Self, _r: u32) -> Self {
        self
    }
}
