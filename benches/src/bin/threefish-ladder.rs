//! Measures the rungs of the ladder of 2009. `cargo xtask ladder` builds and runs it.

use std::{
    io::{Write, stdout},
    time::Duration,
};

use anyhow::Result;
use clap::Parser;
use threefish_benches::{Plan, ladder};

/// Measure the steps of the ladder of 2009 in interleaved rounds, one JSON object a line
#[derive(Debug, Parser)]
#[command(version)]
struct Arguments {
    /// Rounds, in each of which every rung is timed once
    #[arg(long, default_value_t = 51, value_parser = clap::value_parser!(u16).range(1..))]
    rounds: u16,
    /// About how many microseconds a rung runs in a round
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    micros: u64,
    /// Blocks in turn that do not depend on one another, instead of each on the one before
    #[arg(long)]
    independent: bool,
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let sample = Duration::from_micros(arguments.micros);
    let plan = Plan { rounds: arguments.rounds.into(), sample };
    let measure = if arguments.independent { ladder::measure::<16> } else { ladder::measure::<1> };
    for step in measure(plan)? {
        writeln!(stdout(), "{}", serde_json::to_string(&step)?)?;
    }
    Ok(())
}
