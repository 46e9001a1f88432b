//! `cargo xtask bench`: who is how fast where.

#[cfg_attr(not(test), expect(dead_code, reason = "`bench` does not make recordings yet"))]
pub(crate) mod report;

use std::{
    fs,
    io::{IsTerminal, stdout},
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, ensure};
use clap::Args;
use serde::{Serialize, de::DeserializeOwned};
use threefish_benches::{Filter, Record};

use crate::{
    table,
    target::{Choice, Target},
    workspace::Workspace,
};

/// Measure every backend and print who is how fast
///
/// All backends are timed in interleaved rounds, ratios are taken within each round, and medians
/// over several starts of the program, since the placement of code and stack moves times. A copy
/// of the results, one JSON object a line, goes under `target/bench/`.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// Where to run
    #[arg(long, value_enum, default_value_t = Choice::All)]
    target: Choice,
    /// A good minute for each target, instead of some seven
    #[arg(long)]
    quick: bool,
    /// Run criterion's benchmarks afterwards
    #[arg(long, conflicts_with = "json")]
    detail: bool,
    /// One JSON object a line instead of tables
    #[arg(long)]
    json: bool,
    /// One short table in Markdown instead: speed against the crate `threefish`, and ns a block
    #[arg(long, conflicts_with = "json")]
    markdown: bool,
    #[command(flatten)]
    filter: Filter,
}

/// How often the program is started, and what each start measures.
struct Effort {
    starts: usize,
    rounds: usize,
    millis: usize,
}

const QUICK: Effort = Effort { starts: 3, rounds: 41, millis: 1 };
const FULL: Effort = Effort { starts: 5, rounds: 101, millis: 2 };

pub(crate) fn run(workspace: &Workspace, arguments: &Arguments) -> Result<()> {
    // Everything is built before anything is measured.
    let targets = arguments.target.targets().into_iter();
    let programs = targets.map(|target| build(workspace, target)).collect::<Result<Vec<_>>>()?;

    let effort = if arguments.quick { QUICK } else { FULL };
    for (triple, program) in &programs {
        let records = measure(workspace, triple, program, &effort, &arguments.filter)?;
        let lines = to_json(&records)?;
        let copy = keep(workspace, triple, &lines)?;
        if arguments.json {
            print!("{lines}");
        } else if arguments.markdown {
            println!("{}", table::markdown(triple, &records));
        } else {
            println!("{}", table::render(triple, &records, stdout().is_terminal()));
            println!("Results as JSON: {}", copy.display());
        }
    }
    if arguments.detail {
        for (triple, _) in &programs {
            detail(workspace, triple)?;
        }
    } else if !arguments.json && !arguments.markdown {
        println!("Distributions of single benchmarks: cargo bench -p threefish-benches");
    }
    Ok(())
}

/// Runs everything once and shortly, to see that it works.
pub(crate) fn smoke(workspace: &Workspace, target: Target) -> Result<()> {
    let (triple, program) = build(workspace, target)?;
    let lines = workspace.shell.cmd(program).args(["--smoke", "--json"]).read()?;
    let records = from_json::<Record>(&lines)?;
    println!("{}", table::render(&triple, &records, false));
    Ok(())
}

fn build(workspace: &Workspace, target: Target) -> Result<(String, PathBuf)> {
    target.build(workspace, "threefish-benches", "threefish-interleave")
}

fn measure(
    workspace: &Workspace,
    triple: &str,
    program: &Path,
    effort: &Effort,
    filter: &Filter,
) -> Result<Vec<Record>> {
    let Effort { starts, rounds, millis } = effort;
    let runs = in_starts(workspace, program, *starts, |start| {
        let label = format!("--label={triple}, start {start} of {starts}");
        let plan = [format!("--rounds={rounds}"), format!("--millis={millis}")];
        plan.into_iter().chain(["--json".to_owned(), label]).chain(filter.to_arguments()).collect()
    });
    let runs = runs.with_context(|| format!("the benchmarks fail on {triple}"))?;
    Ok(Record::medians(&runs))
}

/// Starts a program so many times, since the placement of code and stack moves times, and reads
/// the results of each start: one JSON object a line.
pub(crate) fn in_starts<T: DeserializeOwned>(
    workspace: &Workspace,
    program: &Path,
    starts: usize,
    arguments: impl Fn(usize) -> Vec<String>,
) -> Result<Vec<Vec<T>>> {
    let run = |start| {
        let lines = workspace.shell.cmd(program).args(arguments(start)).quiet().read()?;
        from_json(&lines)
    };
    (1..=starts).map(run).collect()
}

fn detail(workspace: &Workspace, triple: &str) -> Result<()> {
    let cargo = workspace.cargo().args(["bench", "--package=threefish-benches"]);
    cargo.args(workspace.target_arguments(triple)).run()?;
    Ok(())
}

fn keep(workspace: &Workspace, triple: &str, lines: &str) -> Result<PathBuf> {
    let directory = workspace.target_directory().join("bench");
    let path = directory.join(format!("{triple}.jsonl"));
    fs::create_dir_all(&directory)
        .and_then(|()| fs::write(&path, lines))
        .with_context(|| format!("can't write {}", path.display()))?;
    Ok(path)
}

/// One JSON object a line.
pub(crate) fn to_json<T: Serialize>(records: &[T]) -> Result<String> {
    let lines = records.iter().map(|record| Ok(serde_json::to_string(record)? + "\n"));
    lines.collect()
}

/// The inverse of [`to_json`].
pub(crate) fn from_json<T: DeserializeOwned>(lines: &str) -> Result<Vec<T>> {
    ensure!(!lines.trim().is_empty(), "the benchmarks printed no result");
    let record = |line| {
        serde_json::from_str(line)
            .with_context(|| format!("this result of a benchmark can't be read: {line}"))
    };
    lines.lines().map(record).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_survive_a_round_trip() {
        let lines = include_str!("../tests/records.jsonl");
        let records: Vec<Record> = from_json(lines).unwrap();
        assert_eq!(from_json::<Record>(&to_json(&records).unwrap()).unwrap(), records);
    }

    #[test]
    fn bad_results_are_errors() {
        assert!(from_json::<Record>("\n").unwrap_err().to_string().contains("no result"));
        let error = from_json::<Record>("{\"target\":1}").unwrap_err().to_string();
        assert!(error.contains("{\"target\":1}"), "{error}");
    }
}
