//! `cargo xtask ci`: everything that must hold before a change lands.

mod steps;

use std::{
    collections::HashSet,
    time::{Duration, Instant},
};

use anyhow::{Result, ensure};
use clap::{Args, builder::PossibleValuesParser};
use comfy_table::{Table, presets::UTF8_FULL_CONDENSED};

use crate::workspace::Workspace;
use steps::STEPS;

/// Check everything that must hold before a change lands
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// Only say what would be checked
    #[arg(long)]
    list: bool,
    /// Only these steps
    #[arg(long, num_args = 1.., value_delimiter = ',', value_name = "STEP",
          value_parser = PossibleValuesParser::new(STEPS.iter().map(|step| step.name)))]
    only: Vec<String>,
    /// Stop at the first failure
    #[arg(long)]
    fail_fast: bool,
}

/// One thing that must hold.
struct Step {
    name: &'static str,
    what: &'static str,
    run: fn(&Workspace) -> Result<Outcome>,
}

/// What came of a step that did not fail.
enum Outcome {
    Passed,
    /// It can't run here, for this reason.
    Skipped(String),
}

pub(crate) fn run(workspace: &Workspace, arguments: &Arguments) -> Result<()> {
    let only: HashSet<_> = arguments.only.iter().map(String::as_str).collect();
    let steps = STEPS.iter().filter(|step| only.is_empty() || only.contains(step.name));
    if arguments.list {
        for Step { name, what, .. } in steps {
            println!("{name:<16} {what}");
        }
        return Ok(());
    }

    let mut reports = Vec::new();
    for step in steps {
        let report = Report::of(step, workspace);
        let stop = arguments.fail_fast && report.failed();
        reports.push(report);
        if stop {
            break;
        }
    }
    println!("{}", summary(&reports));
    let failed: Vec<_> =
        reports.iter().filter(|report| report.failed()).map(|report| report.name).collect();
    ensure!(failed.is_empty(), "failed: {0}. Again: cargo xtask ci --only {0}", failed.join(","));
    Ok(())
}

/// A step that has run.
struct Report {
    name: &'static str,
    result: Result<Outcome>,
    time: Duration,
}

impl Report {
    fn of(step: &Step, workspace: &Workspace) -> Self {
        // To the same stream as cargo's own messages, so that they stay in order.
        eprintln!("\n=== {}: {}", step.name, step.what);
        let start = Instant::now();
        let result = (step.run)(workspace);
        let report = Self { name: step.name, result, time: start.elapsed() };
        eprintln!("=== {}: {}", report.name, report.text());
        report
    }

    fn failed(&self) -> bool {
        self.result.is_err()
    }

    fn text(&self) -> String {
        match &self.result {
            Ok(Outcome::Passed) => "passed".to_owned(),
            Ok(Outcome::Skipped(reason)) => format!("SKIPPED: {reason}"),
            Err(error) => format!("FAILED: {error:#}"),
        }
    }
}

/// A row for each step, then the count.
fn summary(reports: &[Report]) -> String {
    let mut table = Table::new();
    table.load_style(UTF8_FULL_CONDENSED).set_header(["step", "seconds", "result"]);
    for report in reports {
        // The whole of it stands below the step's output.
        let text = report.text();
        let first_line: String = text.lines().next().unwrap_or_default().chars().take(72).collect();
        let seconds = format!("{:.1}", report.time.as_secs_f64());
        table.add_row([report.name, &seconds, &first_line]);
    }
    let count = |is: fn(&Result<Outcome>) -> bool| {
        reports.iter().filter(|report| is(&report.result)).count()
    };
    let passed = count(|result| matches!(result, Ok(Outcome::Passed)));
    let failed = count(Result::is_err);
    let skipped = count(|result| matches!(result, Ok(Outcome::Skipped(_))));
    format!("{table}\n{passed} passed, {failed} failed, {skipped} skipped")
}

#[cfg(test)]
mod tests {
    use anyhow::anyhow;

    use super::*;

    #[test]
    fn the_last_line_counts() {
        let report = |name, result| Report { name, result, time: Duration::from_millis(1250) };
        let reports = [
            report("one", Ok(Outcome::Passed)),
            report("two", Err(anyhow!("why").context("what"))),
            report("three", Ok(Outcome::Skipped("no such thing here".to_owned()))),
        ];
        let summary = summary(&reports);
        assert_eq!(summary.lines().last(), Some("1 passed, 1 failed, 1 skipped"));
        assert!(summary.contains("FAILED: what: why"), "{summary}");
        assert!(summary.contains("SKIPPED: no such thing here"), "{summary}");
    }

    #[test]
    fn steps_have_names_of_their_own() {
        let names: HashSet<_> = STEPS.iter().map(|step| step.name).collect();
        assert_eq!(names.len(), STEPS.len());
    }
}
