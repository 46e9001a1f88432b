//! One result, as a line of JSON.

use serde::{Deserialize, Serialize};

use crate::{Case, Op, Size, statistics::median};

/// How fast one subject is at one case, size and direction.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The processor that the program was built for, as `--target` names it.
    pub target: String,
    /// The Rust target that the program was built for.
    pub triple: String,
    /// The subject's name.
    pub backend: String,
    /// Bits of a block.
    pub size: Size,
    /// The direction.
    pub op: Op,
    /// What was done.
    pub case: Case,
    /// Nanoseconds a block.
    pub ns_per_block: f64,
    /// Cycles of the time-stamp counter a byte; none where there is no counter.
    pub tsc_per_byte: Option<f64>,
    /// Billions of bytes a second.
    pub gb_per_s: f64,
    /// Time of `unrolled` over ours; that of its single calls in the case `few`.
    pub vs_unrolled: Option<f64>,
    /// Time of the crate `threefish` over ours.
    pub vs_threefish_crate: Option<f64>,
    /// The least and the greatest of [`Self::vs_threefish_crate`] among starts of the program.
    #[serde(default)]
    pub vs_threefish_crate_range: Option<(f64, f64)>,
    /// Blocks side by side in a register.
    pub lanes: usize,
    /// `vs_unrolled` over `lanes`.
    pub efficiency: Option<f64>,
    /// The middle half of the rounds' times: its width over the median.
    pub spread: f64,
    /// Rounds that medians are taken over.
    pub rounds: usize,
}

impl Record {
    /// What was measured, without the result: equal for records that can be merged.
    #[must_use]
    pub fn key(&self) -> (&str, Size, Op, Case, &str) {
        (&self.triple, self.size, self.op, self.case, &self.backend)
    }

    /// Medians over several runs of the program, each of which gave records in the same order.
    /// The rounds are added up, and the spread is the widest.
    #[must_use]
    pub fn medians(runs: &[Vec<Self>]) -> Vec<Self> {
        let Some(first) = runs.first() else { return vec![] };
        let same = |record: &Self| -> Vec<Self> {
            let all = runs.iter().flatten();
            all.filter(|other| other.key() == record.key()).cloned().collect()
        };
        first.iter().map(|record| Self::merge(record, &same(record))).collect()
    }

    fn merge(first: &Self, same: &[Self]) -> Self {
        let over = |value: fn(&Self) -> f64| median(same.iter().map(value).collect());
        let over_some = |value: fn(&Self) -> Option<f64>| {
            let values: Vec<f64> = same.iter().filter_map(value).collect();
            (!values.is_empty()).then(|| median(values))
        };
        let ratios = || same.iter().filter_map(|record| record.vs_threefish_crate);
        let range = ratios().reduce(f64::min).zip(ratios().reduce(f64::max));
        Self {
            ns_per_block: over(|record| record.ns_per_block),
            tsc_per_byte: over_some(|record| record.tsc_per_byte),
            gb_per_s: over(|record| record.gb_per_s),
            vs_unrolled: over_some(|record| record.vs_unrolled),
            vs_threefish_crate: over_some(|record| record.vs_threefish_crate),
            vs_threefish_crate_range: range,
            efficiency: over_some(|record| record.efficiency),
            spread: same.iter().map(|record| record.spread).fold(0.0, f64::max),
            rounds: same.iter().map(|record| record.rounds).sum(),
            ..first.clone()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_over_runs() {
        let line = r#"{"target":"t","triple":"t-u-v","backend":"sse2","size":256,"op":"encrypt","case":"bulk-16k",
            "ns_per_block":50.0,"tsc_per_byte":null,"gb_per_s":0.64,"vs_unrolled":2.5,
            "vs_threefish_crate":4.0,"lanes":2,"efficiency":1.25,"spread":0.01,"rounds":5}"#;
        let record: Record = serde_json::from_str(line).unwrap();
        let run = |ns| vec![Record { ns_per_block: ns, spread: ns / 1000.0, ..record.clone() }];
        let merged = Record::medians(&[run(60.0), run(40.0), run(50.0)]);
        let range = Some((4.0, 4.0));
        let expected =
            Record { rounds: 15, spread: 0.06, vs_threefish_crate_range: range, ..record };
        assert_eq!(merged, [expected]);
    }
}
