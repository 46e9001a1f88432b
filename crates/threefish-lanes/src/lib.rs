//! What the wide Threefish backends share: the rounds on blocks side by side, the same word of each
//! block in a lane of a register.
//!
//! Not for users of the cipher: take `threefish-auto`, or a backend. A backend for a kind of
//! registers writes the few operations of [`Lanes`] for them; [`Wide`] makes kernels of
//! those and of the integer code of `threefish-unrolled`.
//!
//! # What keeps a processor from instructions that it lacks
//!
//! The type that implements [`Lanes`] is a *token*: a value of it proves that this processor has the
//! instructions, since only its [`detect`](Lanes::detect) makes one. Every operation takes the token, so none can run
//! without the proof. A cipher is made with the token or, where there is none, without, and is then
//! computed by integer code.
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

// Words are loaded as they lie in memory, little-endian.
cfg_if::cfg_if! {
    if #[cfg(target_endian = "little")] {
        mod job;
        mod lanes;
        mod memory;
        mod no_lanes;
        mod rounds;
        mod subkeys;
        mod wide;

        pub use job::Job;
        pub use lanes::{InFlight, Lanes};
        pub use memory::Block;
        pub use no_lanes::NoLanes;
        pub use wide::Wide;
    }
}

/// Repeats a block for each value of a constant, written out one after the other, at every level
/// of optimisation.
#[doc(hidden)]
#[macro_export]
macro_rules! unroll {
    ($I:ident in $($value:literal)+ $block:block) => {
        $({
            const $I: usize = $value;
            $block
        })+
    };
}
