//! Measures all backends in interleaved rounds. `cargo xtask bench` builds and runs it.

use std::{
    io::{Write, stdout},
    time::Duration,
};

use anyhow::Result;
use clap::Parser;
use indicatif::{ProgressBar, ProgressStyle};
use threefish_api::Words;
use threefish_benches::{
    Case, Filter, Op, Plan, Record, Size, Subject,
    interleave::measure,
    subject::{NOTHING, Subjects},
};

/// Measure all backends in interleaved rounds
#[derive(Debug, Parser)]
#[command(version)]
struct Arguments {
    /// Rounds, in each of which every backend is timed once
    #[arg(long, default_value_t = 51, value_parser = clap::value_parser!(u16).range(1..))]
    rounds: u16,
    /// About how many milliseconds a backend runs in a round: short enough that most rounds are
    /// not interrupted by other programs
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    millis: u64,
    /// One JSON object a line
    #[arg(long)]
    json: bool,
    /// Only see that everything works: one short round
    #[arg(long)]
    smoke: bool,
    /// What the progress bar says
    #[arg(long, default_value = "measuring", hide = true)]
    label: String,
    #[command(flatten)]
    filter: Filter,
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let subjects = Subjects::all();
    for (name, reason) in &subjects.skipped {
        if arguments.filter.wants_backend(name) {
            eprintln!("SKIPPED {name}: {reason}");
        }
    }

    let bar = progress_bar(&arguments);
    for size in arguments.filter.sizes() {
        for (case, op) in arguments.filter.groups() {
            bar.set_message(format!("{size} {op} {case}"));
            let what = (size, op, case);
            match size {
                Size::Bits256 => report(&arguments, &subjects.bits_256, what)?,
                Size::Bits512 => report(&arguments, &subjects.bits_512, what)?,
                Size::Bits1024 => report(&arguments, &subjects.bits_1024, what)?,
            }
            bar.inc(1);
        }
    }
    bar.finish_and_clear();
    Ok(())
}

/// A bar on standard error: indicatif shows none where that is no terminal.
fn progress_bar(arguments: &Arguments) -> ProgressBar {
    let groups = arguments.filter.sizes().len() * arguments.filter.groups().len();
    let style = ProgressStyle::with_template("{prefix} [{bar:30}] {pos}/{len} {msg} (ETA {eta})");
    let bar = ProgressBar::new(groups as u64).with_prefix(arguments.label.clone());
    match style {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

fn report<W: Words>(
    arguments: &Arguments,
    subjects: &[Subject<W>],
    what: (Size, Op, Case),
) -> Result<()> {
    let plan = if arguments.smoke {
        Plan { rounds: 1, sample: Duration::from_micros(100) }
    } else {
        Plan { rounds: arguments.rounds.into(), sample: Duration::from_millis(arguments.millis) }
    };
    for record in measure(subjects, what, plan)? {
        // The harness's own cost belongs to every choice of backends.
        if arguments.filter.wants_backend(&record.backend) || record.backend == NOTHING {
            let line = if arguments.json { serde_json::to_string(&record)? } else { text(&record) };
            writeln!(stdout(), "{line}")?;
        }
    }
    Ok(())
}

fn text(record: &Record) -> String {
    let Record { size, op, case, backend, ns_per_block, gb_per_s, .. } = record;
    let ratio = record.vs_unrolled.map(|ratio| format!(", {ratio:.2} x unrolled"));
    let ratio = ratio.unwrap_or_default();
    format!(
        "{size:>4} {op} {case:<10} {backend:<15} {ns_per_block:>8.2} ns/block {gb_per_s:>7.3} GB/s\
         {ratio}"
    )
}
