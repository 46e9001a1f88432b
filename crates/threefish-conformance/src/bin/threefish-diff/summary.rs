//! What came of a campaign, for people and as JSON.

use comfy_table::{CellAlignment, LineStyle, Table, TableStyle};
use indicatif::HumanCount;
use serde_json::{Value, json};
use threefish_conformance::{
    Size, Version,
    differential::{Difference, MODEL, Outcome, Pair, Tally},
};

use crate::{machine::Machine, origin::Origin2009, report::Report};

pub(crate) struct Summary<'a> {
    pub(crate) origin: &'a Origin2009,
    pub(crate) machine: &'a Machine,
    /// All that are compared, the model first.
    pub(crate) names: &'a [String],
    pub(crate) skipped: &'a [String],
    pub(crate) seed: u64,
    pub(crate) outcome: &'a Outcome,
    pub(crate) report: Option<&'a Report>,
}

const LEGEND: &str = "\
Each number counts results on which the two agreed. In the column model: what each call gave, and
what the model gives. Else: blocks that one decrypted after the other had encrypted them. The crate
threefish has revision 1.3 alone.";

impl Summary<'_> {
    pub(crate) fn print(&self) {
        let Machine { target, pointer_bits, features, .. } = self.machine;
        let Outcome { cases, elapsed, .. } = self.outcome;
        println!("target: {target}, {pointer_bits} bits, {}", features.join(", "));
        for line in self.skipped {
            println!("{line}");
        }
        println!("seed: {}", self.seed);
        println!("{:<16}{:>12}{:>12}{:>12}", "cases", "1.1", "1.2", "1.3");
        for size in Size::ALL {
            let [v1_1, v1_2, v1_3] = Version::ALL.map(|version| {
                HumanCount(cases.get(&(size, version)).copied().unwrap_or_default()).to_string()
            });
            println!("{:<16}{v1_1:>12}{v1_2:>12}{v1_3:>12}", size.to_string());
        }
        println!("\n{}\n\n{LEGEND}\n", self.table().trim_fmt());
        println!(
            "{} cases, {} comparisons in {:.1} s: {:.0} cases/s",
            HumanCount(self.cases()),
            HumanCount(self.outcome.comparisons()),
            elapsed.as_secs_f64(),
            self.per_second(),
        );
        println!("{}", self.verdict());
    }

    fn verdict(&self) -> &'static str {
        match self.outcome {
            Outcome { failure: Some(_), .. } => "They DIFFER.",
            _ if !self.origin.good => "They DIFFER in the check of 2009.",
            Outcome { interrupted: true, .. } => "Until it was interrupted, all agreed.",
            _ => "All agree.",
        }
    }

    /// Each with each that stands before it.
    fn table(&self) -> Table {
        let columns = self.names.len() - 1;
        let mut table = Table::new();
        // As narrow and as low as can be, with a line below the heads.
        let line = LineStyle::none().fill('─').junction('─');
        table.load_style(TableStyle::new().header_separator(line));
        // Names of two words in two lines, so that a terminal of 80 columns is wide enough.
        let heads = self.names[..columns].iter().map(|name| name.replace(' ', "\n"));
        table.set_header([String::new()].into_iter().chain(heads));
        for (i, name) in self.names.iter().enumerate().skip(1) {
            let cells = self.names[..i].iter().map(|other| self.cell(name, other));
            table.add_row([name.clone()].into_iter().chain(cells));
        }
        for column in table.column_iter_mut().skip(1) {
            column.set_cell_alignment(CellAlignment::Right);
        }
        table
    }

    fn cell(&self, name: &str, other: &str) -> String {
        match self.outcome.pairs.get(&Pair::new(name.to_owned(), other.to_owned())) {
            None => "-".to_owned(),
            Some(Tally { differed: 1.., .. }) => "DIFFER".to_owned(),
            Some(Tally { agreed, .. }) => compact(*agreed),
        }
    }

    pub(crate) fn as_json(&self) -> Value {
        let Self { origin, machine, names, skipped, seed, outcome, .. } = self;
        let by_kind: Vec<_> = outcome
            .cases
            .iter()
            .map(|((size, version), cases)| {
                json!({ "size": size.bits(), "revision": version.to_string(), "cases": cases })
            })
            .collect();
        let pairs: Vec<_> = outcome
            .pairs
            .iter()
            .map(|(pair, Tally { agreed, differed })| {
                json!({ "pair": pair.names(), "agreed": agreed, "differed": differed })
            })
            .collect();
        let failure = outcome.failure.as_ref().map(|failure| {
            json!({
                "index": failure.index,
                "case": failure.case.to_string(),
                "differences": failure.differences.iter().map(difference).collect::<Vec<_>>(),
                "report": self.report.map(|report| &report.markdown),
                "repeat": self.report.map(|report| &report.command),
            })
        });
        json!({
            "origin_2009": origin.line,
            "origin_2009_good": origin.good,
            "machine": machine,
            "compared": names,
            "skipped": skipped,
            "seed": seed,
            "cases": self.cases(),
            "cases_by_kind": by_kind,
            "pairs": pairs,
            "comparisons": outcome.comparisons(),
            "seconds": outcome.elapsed.as_secs_f64(),
            "cases_per_second": self.per_second(),
            "interrupted": outcome.interrupted,
            "agree": outcome.failure.is_none(),
            "failure": failure,
        })
    }

    fn cases(&self) -> u64 {
        self.outcome.cases.values().sum()
    }

    #[expect(clippy::cast_precision_loss, reason = "a rate for people")]
    fn per_second(&self) -> f64 {
        self.cases() as f64 / self.outcome.elapsed.as_secs_f64().max(1e-9)
    }
}

/// The subject that gave another result, and whose result that was to be.
fn difference(difference: &Difference) -> Value {
    let other = Some(&difference.other).filter(|other| *other != MODEL);
    json!({
        "subject": difference.subject,
        "operation": difference.operation,
        "encrypted_by": other,
        "difference": difference.to_string(),
    })
}

/// In a few columns: `12,345`, `12.3 M`.
fn compact(count: u64) -> String {
    match count {
        0..1_000_000 => HumanCount(count).to_string(),
        _ => format!("{}.{} M", HumanCount(count / 1_000_000), count / 100_000 % 10),
    }
}
