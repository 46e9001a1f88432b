//! `cargo xtask ladder`: what each step of the ladder of 2009 is worth today.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Args;
use comfy_table::{CellAlignment, Table, presets::ASCII_MARKDOWN};
use threefish_benches::ladder::Step;

use crate::{
    bench::{from_json, to_json},
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
    for (triple, program) in &programs {
        let steps = measure(workspace, triple, program, &effort, arguments.independent)?;
        if arguments.json {
            print!("{}", to_json(&steps)?);
        } else {
            println!("{}", render(triple, &steps));
        }
    }
    if !arguments.json {
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
    let mut runs = Vec::new();
    for start in 1..=*starts {
        eprintln!("ladder on {triple}, start {start} of {starts}");
        let lines = workspace
            .shell
            .cmd(program)
            .args([format!("--rounds={rounds}"), format!("--micros={micros}")])
            .args(independent.then_some("--independent"))
            .quiet()
            .read()
            .with_context(|| format!("the ladder fails on {triple}"))?;
        runs.push(from_json(&lines)?);
    }
    Ok(Step::medians(&runs))
}

const LEGEND: &str = "\
Threefish-256, encryption, revision 1.3, one block a call; each block is the result of the one before,
unless --independent. time: over that of the first row, so below 1 is faster; the median of the
ratios within rounds. spread: the middle half of the times, its width over the median, at the worst
start. bytes: of machine code, with that of the functions that a kernel calls. movdqa, movdqu:
aligned, unaligned loads.";

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
    use super::*;

    #[test]
    fn a_table_for_documents() {
        let step = Step {
            target: "i686".to_owned(),
            triple: "t-u-v".to_owned(),
            unit: "sse2".to_owned(),
            rounds: "8 a turn".to_owned(),
            subkeys: "on the fly".to_owned(),
            mix: "inlined".to_owned(),
            ns_per_block: 123.45,
            vs_reference: 0.5,
            spread: 0.012,
            bytes: None,
        };
        let rendered = render("t-u-v", &[step]);
        let last = rendered.lines().last().unwrap();
        let cells: Vec<_> = last.split('|').map(str::trim).collect();
        let expected = ["", "sse2", "8 a turn", "on the fly", "inlined", "123.5", "0.50", "0.01"];
        assert_eq!(cells, [&expected[..], &["-", ""]].concat());
    }
}
