//! What a run of the benchmarks found, with all that is needed to compare it.

use serde::{Deserialize, Serialize};

use crate::{Case, Op, Size, statistics::Estimate};

/// A run on one target, as a file of JSON.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Recording {
    /// The version of the format, [`Self::FORMAT`].
    pub format: u32,
    /// When it began, in UTC: `2026-12-06T14:00:00Z`.
    pub date: String,
    /// As `--target` names it: `x86_64`, `i686`.
    pub target: String,
    /// The Rust target that the programs were built for.
    pub triple: String,
    /// Where it ran.
    pub machine: Machine,
    /// How much was measured, and how.
    pub method: Method,
    /// Backends that were left out, each with the reason.
    pub skipped: Vec<(String, String)>,
    /// The results, in the order of reports.
    pub results: Vec<Record>,
}

impl Recording {
    /// The version of the format.
    pub const FORMAT: u32 = 1;
}

/// Facts of a machine on which times depend.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Machine {
    /// The processor's name for itself.
    pub processor: String,
    /// Its maker, family and model, which tell more than the names of virtual processors.
    pub model: String,
    /// Those features of it that backends use.
    pub features: Vec<String>,
    /// Processors that the operating system sees.
    pub processors: usize,
    /// The hypervisor's name, if the machine is virtual.
    pub hypervisor: Option<String>,
    /// The clock of the core while it measured, in GHz: from chains of dependent additions, each
    /// of one cycle.
    pub core_ghz: Option<Estimate>,
    /// The rate of the time-stamp counter, in GHz.
    pub tsc_ghz: Option<f64>,
    /// The governor of the core's frequency, where the system tells.
    pub governor: Option<String>,
    /// The operating system and its kernel.
    pub system: String,
    /// The compiler.
    pub rustc: String,
}

/// How much was measured, and how.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Method {
    /// Starts of each program.
    pub starts: usize,
    /// Rounds of each start, in each of which every backend was timed once.
    pub rounds: usize,
    /// About how long a backend ran in a round, in microseconds.
    pub sample_us: u64,
    /// The core that the programs were bound to, if the system allowed it.
    pub core: Option<usize>,
    /// Why no cycles of the core were counted, if none were.
    pub no_core_cycles: Option<String>,
    /// Whether the run was stopped before its end: then there are fewer starts or results.
    pub interrupted: bool,
}

/// How fast one subject is at one case, size and direction.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// As `--target` names it: `x86_64`, `i686`.
    pub target: String,
    /// The processor that the compiler was told to write for: `default`, `native`, `x86-64-v3`.
    pub flags: String,
    /// The subject's name.
    pub backend: String,
    /// Bits of a block.
    pub size: Size,
    /// The direction.
    pub op: Op,
    /// What was done.
    pub case: Case,
    /// Nanoseconds a block.
    pub ns_per_block: Estimate,
    /// Billions of bytes a second.
    pub gb_per_s: Estimate,
    /// Cycles of the time-stamp counter a byte; none where there is no counter. They are not those
    /// of the core.
    pub tsc_per_byte: Option<Estimate>,
    /// Cycles of the core a byte, as the processor counted them; none where the system lets no
    /// one ask.
    pub core_cycles_per_byte: Option<Estimate>,
    /// Time of `unrolled` over ours; that of its single calls in the case `few`.
    pub vs_unrolled: Option<Estimate>,
    /// Time of the crate `threefish` over ours.
    pub vs_threefish_crate: Option<Estimate>,
    /// Time of the same backend on `x86_64` over ours, on other targets.
    pub vs_x86_64: Option<Estimate>,
    /// Time of the same backend compiled with default flags over ours, with other flags.
    pub vs_default_flags: Option<Estimate>,
    /// Blocks side by side in a register.
    pub lanes: usize,
    /// Bytes of machine code of the kernel that does the work, where it is known.
    pub code_bytes: Option<u64>,
    /// [`Self::vs_threefish_crate`] of each start, for a comparison with another run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub starts: Vec<f64>,
}

impl Record {
    /// What was measured, without the result.
    #[must_use]
    pub fn key(&self) -> (&str, &str, Case, Op, Size, &str) {
        let Self { target, flags, case, op, size, backend, .. } = self;
        (target, flags, *case, *op, *size, backend)
    }

    /// [`Self::vs_unrolled`] over the lanes of a register: 1 is all that lanes can give.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "there are eight lanes at most")]
    pub fn efficiency(&self) -> Option<f64> {
        self.vs_unrolled.map(|ratio| ratio.median / self.lanes as f64)
    }
}
