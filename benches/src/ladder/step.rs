use serde::{Deserialize, Serialize};

use super::Rung;
use crate::{
    interleave::{Times, target},
    statistics::{median, spread},
};

/// How fast one rung is, as a line of JSON.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// The processor that the program was built for, as `--target` names it.
    pub target: String,
    /// The Rust target that the program was built for.
    pub triple: String,
    /// See [`Rung::unit`].
    pub unit: String,
    /// See [`Rung::rounds`].
    pub rounds: String,
    /// See [`Rung::subkeys`].
    pub subkeys: String,
    /// See [`Rung::mix`].
    pub mix: String,
    /// Nanoseconds a block.
    pub ns_per_block: f64,
    /// Our time over that of the reference, the first rung.
    pub vs_reference: f64,
    /// The middle half of the times: its width over the median.
    pub spread: f64,
    /// Bytes of code with those of the functions that it calls, where the program tells.
    pub bytes: Option<u64>,
}

impl Step {
    pub(super) fn new(rung: &Rung, ours: &Times, reference: &Times, bytes: Option<u64>) -> Self {
        Self {
            target: target(),
            triple: env!("TARGET").to_owned(),
            unit: rung.unit.to_owned(),
            rounds: rung.rounds.to_owned(),
            subkeys: rung.subkeys.to_owned(),
            mix: rung.mix.to_owned(),
            ns_per_block: median(ours.ns.clone()),
            vs_reference: reference.speed_up_on(ours),
            spread: spread(&ours.ns),
            bytes,
        }
    }

    /// Medians over several runs of one program; the spread is the widest.
    #[must_use]
    pub fn medians(runs: &[Vec<Self>]) -> Vec<Self> {
        let Some(first) = runs.first() else { return vec![] };
        let merge = |(i, step): (usize, &Self)| {
            let over = |value: fn(&Self) -> f64| runs.iter().map(|run| value(&run[i])).collect();
            Self {
                ns_per_block: median(over(|step| step.ns_per_block)),
                vs_reference: median(over(|step| step.vs_reference)),
                spread: over(|step| step.spread).into_iter().fold(0.0, f64::max),
                ..step.clone()
            }
        };
        first.iter().enumerate().map(merge).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ladder::rungs;

    #[test]
    fn ratios_within_rounds_and_medians_over_runs() {
        let times = |ns: &[f64]| Times { ns: ns.to_vec(), tsc: vec![] };
        let run = |ns: &[f64]| {
            vec![Step::new(&rungs()[1], &times(ns), &times(&[10.0, 20.0, 10.0]), Some(7))]
        };
        let first = run(&[20.0, 40.0, 20.0]);
        assert_eq!((first[0].ns_per_block, first[0].vs_reference), (20.0, 2.0));

        let merged = Step::medians(&[first, run(&[30.0; 3]), run(&[50.0; 3])]);
        assert_eq!((merged[0].ns_per_block, merged[0].vs_reference), (30.0, 3.0));
        assert_eq!((merged[0].spread, merged[0].bytes), (0.5, Some(7)));
    }
}
