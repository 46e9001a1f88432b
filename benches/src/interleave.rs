//! Interleaved measurement: rounds A B C, B C A, C A B, ..., so that what disturbs the machine for
//! a while disturbs all subjects alike. Ratios are taken within each round, then their median.

use std::{env::consts::ARCH, time::Duration};

use anyhow::Result;
use threefish_api::Words;

use crate::{
    Case, Op, Record, Size, Subject,
    check::check,
    clock::{Elapsed, Moment},
    record::{median, spread},
    subject::{NOTHING, THREEFISH_CRATE, YARDSTICK},
    workload::{State, Workload},
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
    let mut contenders: Vec<_> = subjects
        .iter()
        .map(|subject| Contender::calibrated(subject, op, case, plan.sample, &mut state))
        .collect();
    for round in 0..plan.rounds {
        let count = contenders.len();
        for turn in 0..count {
            contenders[(round + turn) % count].run(&mut state);
        }
    }
    Ok(records(&contenders, (size, op, case)))
}

/// A subject, how often it runs in a sample, and its times.
struct Contender<W> {
    name: &'static str,
    lanes: usize,
    workload: Workload<W>,
    iterations: u64,
    /// Nanoseconds an iteration, by round.
    ns: Vec<f64>,
    /// Cycles of the time-stamp counter an iteration, by round; empty where there is none.
    tsc: Vec<f64>,
}

impl<W: Words> Contender<W> {
    /// Finds the iterations that fill a sample; that warms up, too.
    #[expect(clippy::cast_precision_loss, reason = "iterations are far below 2^53")]
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a float cast")]
    fn calibrated(
        subject: &Subject<W>,
        op: Op,
        case: Case,
        sample: Duration,
        state: &mut State<W>,
    ) -> Self {
        let workload = (subject.workload)(op, case);
        let wanted = sample.as_nanos() as f64;
        let mut iterations = 1;
        loop {
            // The shortest of three: another program may have had the processor for a while.
            let ns = (0..3).map(|_| timed(workload, state, iterations).ns).fold(f64::MAX, f64::min);
            if ns >= wanted / 4.0 {
                let scaled = iterations as f64 * wanted / ns;
                iterations = (scaled.round() as u64).max(1);
                break;
            }
            iterations *= 2;
        }
        let Subject { name, lanes, .. } = *subject;
        Self { name, lanes, workload, iterations, ns: vec![], tsc: vec![] }
    }

    #[expect(clippy::cast_precision_loss, reason = "iterations are far below 2^53")]
    fn run(&mut self, state: &mut State<W>) {
        let Elapsed { ns, tsc } = timed(self.workload, state, self.iterations);
        self.ns.push(ns / self.iterations as f64);
        self.tsc.extend(tsc.map(|tsc| tsc / self.iterations as f64));
    }
}

fn timed<W>(workload: Workload<W>, state: &mut State<W>, iterations: u64) -> Elapsed {
    let start = Moment::now();
    workload(state, iterations);
    start.elapsed()
}

#[expect(clippy::cast_precision_loss, reason = "bytes and lanes are far below 2^53")]
fn records<W>(contenders: &[Contender<W>], (size, op, case): (Size, Op, Case)) -> Vec<Record> {
    let bytes = case.bytes(size) as f64;
    let blocks = bytes / size.bytes() as f64;
    let record = |contender: &Contender<W>| {
        let ns = median(contender.ns.clone());
        let vs_unrolled = speed_up(contenders, YARDSTICK, contender);
        Record {
            target: if cfg!(target_arch = "x86") { "i686" } else { ARCH }.to_owned(),
            triple: env!("TARGET").to_owned(),
            backend: contender.name.to_owned(),
            size,
            op,
            case,
            ns_per_block: ns / blocks,
            tsc_per_byte: (!contender.tsc.is_empty())
                .then(|| median(contender.tsc.clone()) / bytes),
            gb_per_s: bytes / ns,
            vs_unrolled,
            vs_threefish_crate: speed_up(contenders, THREEFISH_CRATE, contender),
            lanes: contender.lanes,
            efficiency: vs_unrolled.map(|ratio| ratio / contender.lanes as f64),
            spread: spread(&contender.ns),
            rounds: contender.ns.len(),
        }
    };
    contenders.iter().map(record).collect()
}

/// The other's time over ours: the median of the rounds' ratios. The harness has none.
fn speed_up<W>(contenders: &[Contender<W>], other: &str, ours: &Contender<W>) -> Option<f64> {
    let other = contenders.iter().find(|contender| contender.name == other)?;
    let ratios = other.ns.iter().zip(&ours.ns).map(|(other, ours)| other / ours);
    (ours.name != NOTHING).then(|| median(ratios.collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contender(name: &'static str, lanes: usize, ns: &[f64]) -> Contender<[u64; 4]> {
        Contender { name, lanes, workload: |_, _| {}, iterations: 1, ns: ns.to_vec(), tsc: vec![] }
    }

    #[test]
    fn ratios_are_taken_within_rounds() {
        let contenders = [
            contender(YARDSTICK, 1, &[40.0, 80.0, 40.0]),
            contender("sse2", 2, &[20.0, 40.0, 10.0]),
            contender(NOTHING, 1, &[1.0, 1.0, 1.0]),
        ];
        let records = records(&contenders, (Size::Bits256, Op::Encrypt, Case::Single));
        assert_eq!(records[1].vs_unrolled, Some(2.0));
        assert_eq!(records[1].efficiency, Some(1.0));
        assert_eq!(records[1].ns_per_block, 20.0);
        assert_eq!(records[1].gb_per_s, 1.6);
        assert_eq!(records[1].vs_threefish_crate, None);
        assert_eq!(records[2].vs_unrolled, None);
    }
}
