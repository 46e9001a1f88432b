//! Two clocks read together.

use std::time::Instant;

/// A moment on the wall clock and, on x86, on the time-stamp counter. The counter ticks at a
/// fixed rate, near the nominal frequency: its cycles are not those of the core.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    instant: Instant,
    tsc: Option<u64>,
}

/// Time between two moments.
#[derive(Clone, Copy, Debug)]
pub struct Elapsed {
    /// Nanoseconds.
    pub ns: f64,
    /// Cycles of the time-stamp counter, where there is one.
    pub tsc: Option<f64>,
}

impl Moment {
    /// This moment.
    #[must_use]
    pub fn now() -> Self {
        Self { instant: Instant::now(), tsc: tsc() }
    }

    /// Time from then until now.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "counts of one sample are far below 2^53")]
    pub fn elapsed(self) -> Elapsed {
        let now = Self::now();
        let tsc = self.tsc.zip(now.tsc).map(|(then, now)| now.wrapping_sub(then) as f64);
        Elapsed { ns: (now.instant - self.instant).as_nanos() as f64, tsc }
    }
}

#[cfg(target_arch = "x86")]
use std::arch::x86::_rdtsc;
#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::_rdtsc;

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
fn tsc() -> Option<u64> {
    // SAFETY: every x86 processor that Rust programs run on has the instruction, and operating
    // systems let programs use it.
    Some(unsafe { _rdtsc() })
}

#[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
fn tsc() -> Option<u64> {
    None
}
