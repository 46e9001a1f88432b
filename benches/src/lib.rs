//! How fast each backend is, beside the crate `threefish` of crates.io.
//!
//! | module | what it holds |
//! |---|---|
//! | [`choice`] | what can be measured: [`Case`], [`Op`], [`Size`]; the command line's filters |
//! | [`subject`] | who is measured: every backend, the peer, and `nothing` (the harness itself) |
//! | [`cipher`] | what the loops need of a cipher, and how each subject offers it |
//! | [`workload`] | the measured loops |
//! | [`check`] | that all subjects compute the same before any is timed |
//! | [`interleave`] | rounds A B C, B C A, ...: times and the ratios within each round |
//! | [`record`] | one result, as a line of JSON |
//! | [`recording`] | what a run found, as a file of JSON |
//! | [`statistics`] | medians, and how far they can be trusted |
//! | [`ladder`] | small kernels that differ in one choice each, and what each is worth |
//!
//! Three programs measure: `threefish-interleave`, which `cargo xtask bench` runs, gives ratios that
//! repeat on a noisy machine; `threefish-ladder` does the same for the ladder; `cargo bench -p
//! threefish-benches` gives criterion's detail.

pub mod check;
pub mod choice;
pub mod cipher;
pub mod clock;
pub mod interleave;
pub mod ladder;
pub mod record;
pub mod recording;
pub mod statistics;
pub mod subject;
pub mod workload;

pub use choice::{Case, Filter, Op, Size};
pub use interleave::Plan;
pub use record::Record;
pub use subject::Subject;
