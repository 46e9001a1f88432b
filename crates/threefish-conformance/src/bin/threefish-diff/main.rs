//! `threefish-diff`: random cases on which every backend must agree with the plain model, with
//! every other backend, and for revision 1.3 with the crate `threefish` of crates.io.
//!
//! Built and run for each target by `cargo xtask diff`. The exit status is 0 if all agree, 1 if not, 2
//! if something else is wrong, and 130 if Ctrl-C ended it before.

mod machine;
mod origin;
mod progress;
mod report;
mod summary;

use std::{
    hash::{BuildHasher, RandomState},
    ops::ControlFlow,
    path::PathBuf,
    process::ExitCode,
    time::Duration,
};

use anyhow::Result;
use clap::Parser;
use threefish_conformance::{
    Size, Version,
    differential::{Campaign, MODEL},
    interrupt,
    model::Model,
    registry,
    subject::Subject,
    to_words,
};

use crate::{
    machine::Machine, origin::Origin2009, progress::Progress, report::Report, summary::Summary,
};

/// Compares every Threefish backend with every other on random cases.
#[derive(Debug, Parser)]
#[command(version)]
struct Arguments {
    /// How many cases to do [default: 10000, or without end if --time is given]
    #[arg(long)]
    cases: Option<u64>,
    /// What the cases follow from [default: random]
    #[arg(long)]
    seed: Option<u64>,
    /// Stop after so long, such as 60s or 10m
    #[arg(long, value_parser = humantime::parse_duration)]
    time: Option<Duration>,
    /// Print one JSON object instead
    #[arg(long)]
    json: bool,
    /// Where a failing case is written, as known answers and as a report
    #[arg(long, value_name = "DIR", default_value = "vectors/regressions")]
    regressions: PathBuf,
    /// Compare a backend with a mistake, too, for tests of this program
    #[arg(long, hide = true)]
    broken: bool,
}

fn main() -> ExitCode {
    run(&Arguments::parse()).unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::from(2)
    })
}

fn run(arguments: &Arguments) -> Result<ExitCode> {
    interrupt::listen()?;
    let origin = Origin2009::check()?;
    if !arguments.json {
        println!("{}", origin.line);
    }
    let skipped = registry::skipped().map_err(anyhow::Error::msg)?;
    let seed = arguments.seed.unwrap_or_else(random_seed);
    let campaign = Campaign {
        seed,
        cases: arguments.cases.unwrap_or(if arguments.time.is_some() { u64::MAX } else { 10_000 }),
        time: arguments.time,
    };
    let subjects = |size, version| {
        let mut subjects = registry::subjects(size, version);
        subjects.extend(arguments.broken.then(|| broken(size, version)));
        subjects
    };

    let progress = Progress::new(&campaign);
    let outcome = campaign.run(subjects, |done| {
        progress.update(done);
        if interrupt::pressed() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    progress.finish();

    let machine = Machine::here();
    let report = outcome.failure.as_ref().map(|failure| Report::new(seed, failure, &machine));
    // That of revision 1.3 are all there are.
    let subjects = subjects(Size::Bits256, Version::V1_3).into_iter().map(|subject| subject.name);
    let names: Vec<_> = [MODEL.to_owned()].into_iter().chain(subjects).collect();
    let summary = Summary {
        origin: &origin,
        machine: &machine,
        names: &names,
        skipped: &skipped,
        seed,
        outcome: &outcome,
        report: report.as_ref(),
    };
    if arguments.json {
        println!("{}", summary.as_json());
    } else {
        summary.print();
    }
    if let Some(report) = &report {
        if arguments.json {
            eprintln!("\n{}", report.markdown);
        } else {
            println!("\n{}", report.markdown);
        }
        // That they differ is the news all the same.
        match report.write(&arguments.regressions) {
            Ok(told) => eprintln!("{told}"),
            Err(error) => eprintln!("error: {error:#}"),
        }
    }

    Ok(if outcome.failure.is_some() || !origin.good {
        ExitCode::FAILURE
    } else if outcome.interrupted {
        ExitCode::from(interrupt::STATUS)
    } else {
        ExitCode::SUCCESS
    })
}

/// From the standard library's keys of hash tables, which the system's randomness seeds.
fn random_seed() -> u64 {
    RandomState::new().hash_one(0)
}

/// The model with one wrong rotation count, both ways: it still decrypts what it encrypts.
fn broken(size: Size, version: Version) -> Subject {
    Subject::new("broken", size, version, move |key| {
        Box::new(Model::new(size, version, &to_words(key)).with_wrong_rotation(7, 1))
    })
}
