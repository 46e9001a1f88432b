//! What every Threefish backend must do, as tests that one line stamps onto a backend.
//!
//! | module | what it holds |
//! |---|---|
//! | [`model`] | Threefish as plainly as can be, with its own copy of all tables |
//! | [`vectors`] | known answers: the files of the directory `vectors`, loaded and checked |
//! | [`registry`] | the one list of backends: [`for_each_backend!`], [`registry::backends`] |
//! | [`subject`] | one object-safe trait over whatever encrypts: backends, the model, other crates |
//! | [`mod@suite`] | [`suite!`]: the tests, stamped for each size and revision |
//! | [`differential`] | random cases, on which all must agree; the smallest on which they do not |
//! | [`interrupt`] | Ctrl-C, for the programs of the workspace |
//!
//! # A new backend
//!
//! One line in [`for_each_backend!`], a dependency here, and in the backend's `tests/`:
//!
//! ```ignore
//! threefish_conformance::suite!(threefish_sse2);
//! ```
//!
//! # What cannot run here
//!
//! A backend that is not built for this target, or whose kernels need a processor feature that is
//! missing, is `SKIPPED` by name. If the environment variable `REQUIRE_BACKENDS` lists it
//! (`REQUIRE_BACKENDS=sse2,unrolled`), skipping is a failure.

pub mod differential;
pub mod interrupt;
pub mod model;
pub mod registry;
pub mod subject;

pub mod suite;
pub mod vectors;

mod buffer;
mod oracle;
mod size;

pub use size::{Size, to_bytes, to_words};
pub use threefish_api::{Tweak, revision::Version};

/// The examples of the project's front page.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
#[derive(Debug)]
pub struct Readme;
