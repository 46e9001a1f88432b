//! Interleaved measurement: rounds A B C, B C A, C A B, ..., so that what disturbs the machine for
//! a while disturbs all subjects alike. Ratios are taken within each round, then their median.

use std::{env::consts::ARCH, time::Duration};

use anyhow::Result;
use threefish_api::Words;

use crate::{
    Case, Op, Record, Size, Subject,
    check::check,
    clock::{Elapsed, Moment},
    statistics::{median, median_ratio, spread},
    subject::{NOTHING, THREEFISH_CRATE, YARDSTICK},
    workload::State,
};

/// How much to measure.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Rounds, in each of which every subject is timed once.
    pub rounds: usize,
    /// About how long a subject runs in a round.
    pub sample: Duration,
}

/// Measures all subjects of one size at one case in one direction.
///
/// # Errors
///
/// If a subject computes something else than the crate `threefish`.
pub fn measure<W: Words>(
    subjects: &[Subject<W>],
    (size, op, case): (Size, Op, Case),
    plan: Plan,
) -> Result<Vec<Record>> {
    check(subjects, op, case)?;

    let mut state = State::new(case);
    let mut workloads: Vec<_> =
        subjects.iter().map(|subject| (subject.workload)(op, case)).collect();
    if case.yardstick() != case {
        check(subjects, op, case.yardstick())?;
        // Behind all others, where `records` looks for it.
        let yardstick = subjects.iter().find(|subject| subject.name == YARDSTICK);
        workloads.extend(yardstick.map(|subject| (subject.workload)(op, case.yardstick())));
    }
    let times = interleave(&workloads, &mut state, plan);
    Ok(records(subjects, &times, (size, op, case)))
}

/// Times loops on a state that they share, each for a sample in each round. A loop gets the number
/// of its iterations.
pub fn interleave<S>(loops: &[impl Fn(&mut S, u64)], state: &mut S, plan: Plan) -> Vec<Times> {
    let mut contenders: Vec<_> =
        loops.iter().map(|run| Contender::calibrated(run, plan.sample, state)).collect();
    for round in 0..plan.rounds {
        let count = contenders.len();
        for turn in 0..count {
            contenders[(round + turn) % count].run(state);
        }
    }
    contenders.into_iter().map(|contender| contender.times).collect()
}

/// What one loop took.
#[derive(Clone, Debug, Default)]
pub struct Times {
    /// Nanoseconds an iteration, by round.
    pub ns: Vec<f64>,
    /// Cycles of the time-stamp counter an iteration, by round; empty where there is none.
    pub tsc: Vec<f64>,
}

impl Times {
    /// The other's time over ours: the median of the rounds' ratios.
    #[must_use]
    pub fn speed_up_on(&self, other: &Self) -> f64 {
        median_ratio(&other.ns, &self.ns)
    }
}

/// A loop, how many iterations fill a sample, and its times.
struct Contender<'a, F> {
    run: &'a F,
    iterations: u64,
    times: Times,
}

impl<'a, F> Contender<'a, F> {
    /// Finds the iterations that fill a sample; that warms up, too.
    #[expect(clippy::cast_precision_loss, reason = "iterations are far below 2^53")]
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a float cast")]
    fn calibrated<S>(run: &'a F, sample: Duration, state: &mut S) -> Self
    where
        F: Fn(&mut S, u64),
    {
        let wanted = sample.as_nanos() as f64;
        let mut iterations = 1;
        loop {
            // The shortest of three: another program may have had the processor for a while.
            let ns = (0..3).map(|_| timed(run, state, iterations).ns).fold(f64::MAX, f64::min);
            if ns >= wanted / 4.0 {
                let scaled = iterations as f64 * wanted / ns;
                iterations = (scaled.round() as u64).max(1);
                break;
            }
            iterations *= 2;
        }
        Self { run, iterations, times: Times::default() }
    }

    #[expect(clippy::cast_precision_loss, reason = "iterations are far below 2^53")]
    fn run<S>(&mut self, state: &mut S)
    where
        F: Fn(&mut S, u64),
    {
        let Elapsed { ns, tsc } = timed(self.run, state, self.iterations);
        self.times.ns.push(ns / self.iterations as f64);
        self.times.tsc.extend(tsc.map(|tsc| tsc / self.iterations as f64));
    }
}

fn timed<S>(run: &impl Fn(&mut S, u64), state: &mut S, iterations: u64) -> Elapsed {
    let start = Moment::now();
    run(state, iterations);
    start.elapsed()
}

/// The results of all subjects from their times, behind which those of the yardstick stand where they
/// are not among them.
#[expect(clippy::cast_precision_loss, reason = "bytes and lanes are far below 2^53")]
fn records<W>(
    subjects: &[Subject<W>],
    times: &[Times],
    (size, op, case): (Size, Op, Case),
) -> Vec<Record> {
    let bytes = case.bytes(size) as f64;
    let blocks = bytes / size.bytes() as f64;
    let of = |name: &str| {
        let subject = subjects.iter().position(|subject| subject.name == name)?;
        times.get(subject)
    };
    let yardstick = times.get(subjects.len()).or_else(|| of(YARDSTICK));
    // The harness has no speed.
    let speed_up = |other: Option<&Times>, name: &str, ours: &Times| {
        other.filter(|_| name != NOTHING).map(|other| ours.speed_up_on(other))
    };
    let record = |(subject, times): (&Subject<W>, &Times)| {
        let ns = median(times.ns.clone());
        let vs_unrolled = speed_up(yardstick, subject.name, times);
        Record {
            target: target(),
            triple: env!("TARGET").to_owned(),
            backend: subject.name.to_owned(),
            size,
            op,
            case,
            ns_per_block: ns / blocks,
            tsc_per_byte: (!times.tsc.is_empty()).then(|| median(times.tsc.clone()) / bytes),
            gb_per_s: bytes / ns,
            vs_unrolled,
            vs_threefish_crate: speed_up(of(THREEFISH_CRATE), subject.name, times),
            vs_threefish_crate_range: None,
            lanes: subject.lanes,
            efficiency: vs_unrolled.map(|ratio| ratio / subject.lanes as f64),
            spread: spread(&times.ns),
            rounds: times.ns.len(),
        }
    };
    subjects.iter().zip(times).map(record).collect()
}

/// The processor that this program was built for, as `--target` names it.
pub(crate) fn target() -> String {
    if cfg!(target_arch = "x86") { "i686" } else { ARCH }.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_are_taken_within_rounds() {
        let subject = |name, lanes| Subject::<[u64; 4]> { name, lanes, workload: |_, _| |_, _| {} };
        let subjects = [subject(YARDSTICK, 1), subject("sse2", 2), subject(NOTHING, 1)];
        let times = [[40.0, 80.0, 40.0], [20.0, 40.0, 10.0], [1.0, 1.0, 1.0]]
            .map(|ns| Times { ns: ns.to_vec(), tsc: vec![] });
        let records = records(&subjects, &times, (Size::Bits256, Op::Encrypt, Case::Single));
        assert_eq!(records[1].vs_unrolled, Some(2.0));
        assert_eq!(records[1].efficiency, Some(1.0));
        assert_eq!(records[1].ns_per_block, 20.0);
        assert_eq!(records[1].gb_per_s, 1.6);
        assert_eq!(records[1].vs_threefish_crate, None);
        assert_eq!(records[2].vs_unrolled, None);
    }

    #[test]
    fn a_yardstick_of_its_own_stands_behind_the_subjects() {
        let subject = |name| Subject::<[u64; 4]> { name, lanes: 1, workload: |_, _| |_, _| {} };
        let times = [50.0, 20.0, 40.0].map(|ns| Times { ns: vec![ns], tsc: vec![] });
        let what = (Size::Bits256, Op::Encrypt, Case::Few);
        let records = records(&[subject(YARDSTICK), subject("sse2")], &times, what);
        let ratios: Vec<_> = records.iter().map(|record| record.vs_unrolled).collect();
        assert_eq!(ratios, [Some(0.8), Some(2.0)]);
    }

    #[test]
    fn each_loop_runs_once_a_round() {
        let plan = Plan { rounds: 3, sample: Duration::from_nanos(1) };
        let spin = |counter: &mut u64, iterations: u64| {
            for _ in 0..iterations {
                *counter = std::hint::black_box(*counter + 1);
            }
        };
        let mut counter = 0;
        let times = interleave(&[spin, spin], &mut counter, plan);
        assert_eq!(times.iter().map(|times| times.ns.len()).collect::<Vec<_>>(), [3, 3]);
        assert!(counter > 0);
    }
}
