//! `cargo xtask ladder`: what each step of the ladder of 2009 is worth today.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Args;
use comfy_table::{CellAlignment, Table, presets::ASCII_MARKDOWN};
use threefish_benches::ladder::Step;

use crate::{
    bench::{in_starts, to_json},
    target::{Choice, Target},
    workspace::Workspace,
};

/// Measure the steps of the ladder of 2009, each a small kernel of Threefish-256
///
/// Schedule in memory or subkeys on the fly, aligned or unaligned loads, rounds rolled or written
/// out, helpers called or inlined, on integers and on SSE2 registers; and for how many bytes of
/// code. Every kernel is checked against `threefish-scalar` first. Times are medians over several
/// starts of the program, ratios are taken within interleaved rounds. `docs/ladder.md` says more.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// Where to run
    #[arg(long, value_enum, default_value_t = Choice::All)]
    target: Choice,
    /// Some three seconds for each target, instead of half a minute
    #[arg(long)]
    quick: bool,
    /// Blocks that do not depend on one another, instead of each on the one before
    #[arg(long)]
    independent: bool,
    /// One JSON object a line instead of a table
    #[arg(long)]
    json: bool,
}

/// How often the program is started, and what each start measures.
struct Effort {
    starts: usize,
    rounds: usize,
    micros: usize,
}

const SMOKE: Effort = Effort { starts: 1, rounds: 1, micros: 10 };
const QUICK: Effort = Effort { starts: 3, rounds: 41, micros: 500 };
const FULL: Effort = Effort { starts: 11, rounds: 101, micros: 1000 };

pub(crate) fn run(workspace: &Workspace, arguments: &Arguments) -> Result<()> {
    // Everything is built before anything is measured.
    let targets = arguments.target.targets().into_iter();
    let programs = targets.map(|target| build(workspace, target)).collect::<Result<Vec<_>>>()?;

    let effort = if arguments.quick { QUICK } else { FULL };
    let mut measured = Vec::new();
    for (triple, program) in &programs {
        let steps = measure(workspace, triple, program, &effort, arguments.independent)?;
        if arguments.json {
            print!("{}", to_json(&steps)?);
        } else {
            println!("{}", render(triple, &steps));
        }
        measured.push(steps);
    }
    if !arguments.json {
        println!(
            "What a step takes, times the time before, and its bytes:\n\n{}\n",
            worth(&measured)
        );
        println!("{LEGEND}");
    }
    Ok(())
}

/// Runs everything once and shortly, to see that it works.
pub(crate) fn smoke(workspace: &Workspace, target: Target) -> Result<()> {
    let (triple, program) = build(workspace, target)?;
    let steps = measure(workspace, &triple, &program, &SMOKE, false)?;
    println!("{}", render(&triple, &steps));
    Ok(())
}

fn build(workspace: &Workspace, target: Target) -> Result<(String, PathBuf)> {
    target.build(workspace, "threefish-benches", "threefish-ladder")
}

fn measure(
    workspace: &Workspace,
    triple: &str,
    program: &Path,
    Effort { starts, rounds, micros }: &Effort,
    independent: bool,
) -> Result<Vec<Step>> {
    let runs = in_starts(workspace, program, *starts, |start| {
        eprintln!("ladder on {triple}, start {start} of {starts}");
        let plan = [format!("--rounds={rounds}"), format!("--micros={micros}")];
        plan.into_iter().chain(independent.then(|| "--independent".to_owned())).collect()
    });
    let runs = runs.with_context(|| format!("the ladder fails on {triple}"))?;
    Ok(Step::medians(&runs))
}

const LEGEND: &str = "\
Threefish-256, encryption, revision 1.3, one block a call; each block is the result of the one before,
unless --independent. time: over that of the first row, so below 1 is faster; the median of the
ratios within rounds. spread: the middle half of the times, its width over the median, at the worst
start. bytes: of machine code, with that of the functions that a kernel calls. movdqa, movdqu:
aligned, unaligned loads.";

/// The rungs before and behind a step: rounds, subkeys, MIX.
type Look = [&'static str; 3];

/// Steps from rung to rung, each of which changes one thing.
const STEPS: &[(&str, Look, Look)] = &[
    ("integers", ["1 a turn", "table", "inlined"], ["8 a turn", "table", "inlined"]),
    ("integers", ["8 a turn", "table", "inlined"], ["unrolled", "table", "inlined"]),
    ("integers", ["1 a turn", "on the fly", "inlined"], ["8 a turn", "on the fly", "inlined"]),
    ("integers", ["8 a turn", "on the fly", "inlined"], ["unrolled", "on the fly", "inlined"]),
    ("integers", ["unrolled", "on the fly", "called"], ["unrolled", "on the fly", "inlined"]),
    ("integers", ["unrolled", "table", "inlined"], ["unrolled", "on the fly", "inlined"]),
    (
        "integers",
        ["unrolled", "table made in the call", "inlined"],
        ["unrolled", "on the fly", "inlined"],
    ),
    ("sse2", ["1 a turn", "table, movdqa", "inlined"], ["8 a turn", "table, movdqa", "inlined"]),
    ("sse2", ["8 a turn", "table, movdqa", "inlined"], ["unrolled", "table, movdqa", "inlined"]),
    ("sse2", ["1 a turn", "on the fly", "inlined"], ["8 a turn", "on the fly", "inlined"]),
    ("sse2", ["8 a turn", "on the fly", "inlined"], ["unrolled", "on the fly", "inlined"]),
    ("sse2", ["unrolled", "table, movdqu", "called"], ["unrolled", "table, movdqu", "inlined"]),
    ("sse2", ["unrolled", "table, movdqu", "inlined"], ["unrolled", "table, movdqa", "inlined"]),
    (
        "sse2",
        ["unrolled", "table, movdqu, all across cache lines", "inlined"],
        ["unrolled", "table, movdqu", "inlined"],
    ),
    ("sse2", ["unrolled", "table, movdqa", "inlined"], ["unrolled", "on the fly", "inlined"]),
    (
        "sse2",
        ["unrolled", "table made in the call, movdqa", "inlined"],
        ["unrolled", "on the fly, vectors made in the call", "inlined"],
    ),
];

/// A row for each step with the measurements of each target side by side, in Markdown.
fn worth(measured: &[Vec<Step>]) -> Table {
    let mut table = Table::new();
    let targets = measured.iter().filter_map(|steps| Some(steps.first()?.target.clone()));
    let columns = targets.flat_map(|target| [target, "bytes".to_owned()]);
    let heads = ["unit", "from", "to"].map(str::to_owned).into_iter();
    table.load_style(ASCII_MARKDOWN).set_header(heads.chain(columns));
    for (unit, from, to) in STEPS {
        let find = |steps: &[Step], look: &Look| {
            let of = |step: &&Step| step.unit == *unit && is(step, look);
            steps.iter().find(of).cloned()
        };
        let cells = measured.iter().flat_map(|steps| {
            let (Some(from), Some(to)) = (find(steps, from), find(steps, to)) else {
                return ["-".to_owned(), "-".to_owned()];
            };
            let bytes = [&from, &to]
                .map(|step| step.bytes.map_or("-".to_owned(), |bytes| bytes.to_string()));
            [format!("{:.2}", to.vs_reference / from.vs_reference), bytes.join(" to ")]
        });
        let heads = [(*unit).to_owned(), from.join("; "), to.join("; ")];
        table.add_row(heads.into_iter().chain(cells));
    }
    table
}

fn is(step: &Step, look: &Look) -> bool {
    [&step.rounds, &step.subkeys, &step.mix] == look.each_ref()
}

/// A table in Markdown, for documents.
fn render(triple: &str, steps: &[Step]) -> String {
    let mut table = Table::new();
    table
        .load_style(ASCII_MARKDOWN)
        .set_header(["unit", "rounds", "subkeys", "MIX", "ns/block", "time", "spread", "bytes"]);
    for step in steps {
        table.add_row([
            step.unit.clone(),
            step.rounds.clone(),
            step.subkeys.clone(),
            step.mix.clone(),
            format!("{:.1}", step.ns_per_block),
            format!("{:.2}", step.vs_reference),
            format!("{:.2}", step.spread),
            step.bytes.map_or("-".to_owned(), |bytes| bytes.to_string()),
        ]);
    }
    for column in table.column_iter_mut().skip(4) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    format!("The ladder on {triple}:\n\n{table}\n")
}

#[cfg(test)]
mod tests {
    use threefish_benches::ladder::rungs;

    use super::*;

    fn step(unit: &str, look: &Look) -> Step {
        Step {
            target: "i686".to_owned(),
            triple: "t-u-v".to_owned(),
            unit: unit.to_owned(),
            rounds: look[0].to_owned(),
            subkeys: look[1].to_owned(),
            mix: look[2].to_owned(),
            ns_per_block: 123.45,
            vs_reference: 0.5,
            spread: 0.012,
            bytes: None,
        }
    }

    #[test]
    fn every_step_is_from_a_rung_to_a_rung() {
        for (unit, from, to) in STEPS {
            let there = |look: &Look| {
                let mut rungs = rungs().into_iter().filter(|rung| rung.unit == *unit);
                rungs.any(|rung| [rung.rounds, rung.subkeys, rung.mix] == *look)
            };
            assert!(there(from) && there(to), "{unit}: {from:?} to {to:?}");
        }
    }

    #[test]
    fn what_a_step_is_worth() {
        let (unit, from, to) = STEPS[0];
        let to = Step { vs_reference: 0.25, bytes: Some(7), ..step(unit, &to) };
        let table = worth(&[vec![step(unit, &from), to]]).to_string();
        let row = table.lines().nth(2).unwrap();
        assert!(row.contains("0.50") && row.contains("- to 7"), "{table}");
        assert!(table.lines().nth(3).unwrap().ends_with("| -    | -      |"), "{table}");
    }

    #[test]
    fn a_table_for_documents() {
        let rendered = render("t-u-v", &[step("sse2", &["8 a turn", "on the fly", "inlined"])]);
        let last = rendered.lines().last().unwrap();
        let cells: Vec<_> = last.split('|').map(str::trim).collect();
        let expected = ["", "sse2", "8 a turn", "on the fly", "inlined", "123.5", "0.50", "0.01"];
        assert_eq!(cells, [&expected[..], &["-", ""]].concat());
    }
}
