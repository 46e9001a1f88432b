//! `cargo xtask asm`: what the compiler made of each kernel.
//!
//! | module | what it holds |
//! |---|---|
//! | [`object`] | the functions of a compiled crate, and which refer to which |
//! | [`instruction`] | what one instruction does |
//! | [`kernels`] | from the functions that users' calls end in to those that do the work |
//! | [`count`] | a function in numbers |
//! | [`facts`] | what must hold of each backend |
//! | [`budgets`] | how large a kernel may be |
//! | [`check`](mod@check) | holds the code against both |

mod budgets;
mod check;
mod count;
mod facts;
mod instruction;
mod kernels;
mod object;

use std::{collections::BTreeMap, fs, path::Path};

use anyhow::{Context, Result, ensure};
use clap::{Args, Subcommand, builder::PossibleValuesParser};
use comfy_table::{CellAlignment, Table, presets::UTF8_FULL_CONDENSED};
use serde::Serialize;
use threefish_benches::{Op, Size};
use threefish_conformance::registry;

use crate::{
    target::{self, Choice, Target},
    workspace::{Workspace, package_directory},
};
use budgets::{Budget, Budgets};
use check::Faults;
use count::Counts;
use facts::{AVX512_PROCESSOR, FACTS, OTHER_PROCESSORS};
use instruction::{Base, Kind};
use kernels::{Call, Revision};
use object::Object;

/// Show what the compiler made of each kernel, or check it
#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    action: Option<Action>,
    /// For which processor
    #[arg(long, value_enum, default_value_t = Choice::All)]
    target: Choice,
    /// Only these backends
    #[arg(long, value_delimiter = ',', value_parser = PossibleValuesParser::new(names()))]
    backend: Vec<String>,
    /// Only these block sizes, in bits
    #[arg(long, value_delimiter = ',')]
    size: Vec<Size>,
    /// Only this direction
    #[arg(long, value_delimiter = ',')]
    op: Vec<Op>,
    /// Which revision; 1.2 runs the code of 1.3, but for many keys
    #[arg(long, value_enum, default_value_t = Revision::V1_3)]
    revision: Revision,
    /// One JSON object a line, which has more than the tables
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Check that the code is what it must be: instruction sets, registers, jumps, alignment, size
    Check {
        /// For which processor
        #[arg(long, value_enum, default_value_t = Choice::All)]
        target: Choice,
        /// Take what there is now as the measure for sizes and use of the stack
        #[arg(long)]
        write_budgets: bool,
    },
}

fn names() -> Vec<&'static str> {
    backends().iter().map(|backend| backend.name).collect()
}

fn backends() -> Vec<registry::Backend> {
    let mut backends = registry::backends();
    backends.retain(|backend| !OTHER_PROCESSORS.contains(&backend.name));
    backends
}

pub(crate) fn run(workspace: &Workspace, arguments: &Arguments) -> Result<()> {
    match arguments.action {
        Some(Action::Check { target, write_budgets }) => check(workspace, target, write_budgets),
        None => show(workspace, arguments),
    }
}

/// A backend's machine code.
struct Built {
    backend: &'static str,
    crate_name: &'static str,
    target: Target,
    triple: String,
    object: Object,
}

impl Built {
    fn budget_name(&self, call: Call) -> String {
        format!("{} {call}", self.backend)
    }
}

/// Builds the backends for the targets. Nothing is linked or run, but a target that is foreign to
/// this machine is skipped, as everywhere.
fn build(workspace: &Workspace, choice: Choice, backends: &[String]) -> Result<Vec<Built>> {
    let mut all = Vec::new();
    for target in choice.targets() {
        let triple = match target.triple(&workspace.host) {
            Ok(triple) => triple,
            Err(reason) => {
                eprintln!("SKIPPED asm on {target:?}: {reason}");
                continue;
            }
        };
        target::install(workspace, &triple)?;
        for backend in self::backends() {
            let (name, crate_name) = (backend.name, backend.crate_name);
            if backends.is_empty() || backends.iter().any(|wanted| wanted == name) {
                let rlib = workspace.build_library(&crate_name.replace('_', "-"), &triple)?;
                let object = read(&rlib)
                    .with_context(|| format!("can't read the code in {}", rlib.display()))?;
                let triple = triple.clone();
                all.push(Built { backend: name, crate_name, target, triple, object });
            }
        }
    }
    ensure!(!all.is_empty(), "nothing of what was asked for can be built here");
    Ok(all)
}

fn read(rlib: &Path) -> Result<Object> {
    Object::of_rlib(&fs::read(rlib)?)
}

/// One kernel of one call, or who has it.
#[derive(Serialize)]
struct Record<'a> {
    target: &'a str,
    backend: &'a str,
    #[serde(flatten)]
    call: Call,
    /// The backends that do the work, if it is not this one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    by: Vec<String>,
    #[serde(flatten)]
    code: Option<Code<'a>>,
}

#[derive(Serialize)]
struct Code<'a> {
    kernel: String,
    symbol: &'a str,
    #[serde(flatten)]
    counts: Counts,
}

fn show(workspace: &Workspace, arguments: &Arguments) -> Result<()> {
    let Arguments { size, op, revision, json, .. } = arguments;
    let wanted = |call: &Call| {
        call.revision == *revision
            && (size.is_empty() || size.contains(&call.size))
            && (op.is_empty() || op.contains(&call.op))
    };
    let built = build(workspace, arguments.target, &arguments.backend)?;
    let mut records = Vec::new();
    for Built { backend, crate_name, triple, object, .. } in &built {
        for call in Call::all().into_iter().filter(wanted) {
            let kernels = call.kernels(crate_name, object)?;
            if kernels.is_empty() {
                let by = call.borrowed(crate_name, object)?;
                records.push(Record { target: triple, backend, call, by, code: None });
            }
            for index in kernels {
                let function = &object.functions[index];
                let (kernel, symbol) = (function.name(), &*function.symbol);
                let code = Some(Code { kernel, symbol, counts: Counts::of(function) });
                records.push(Record { target: triple, backend, call, by: vec![], code });
            }
        }
    }
    if *json {
        for record in &records {
            println!("{}", serde_json::to_string(record)?);
        }
        return Ok(());
    }
    for records in records.chunk_by(|a, b| a.target == b.target) {
        println!("Kernels of revision {revision} on {}\n{}", records[0].target, table(records));
    }
    println!("{LEGEND}");
    Ok(())
}

const LEGEND: &str = "\
A row for each kernel. add to store: instructions by kind; move: between registers, or of a constant;
load and store: moves only. stack: reads+writes of it without push and pop. frame: its bytes; a: the
function aligns it. vmem: moves of whole vectors from and to memory, those that fault at addresses that
are not aligned, and others. vops: the same of arithmetic on memory. regs: vector+general. jumps:
calls+branches+loops. by: other backends do the work. --json has more.";

const KINDS: [(&str, Kind); 7] = [
    ("add", Kind::AddSub),
    ("logic", Kind::Logic),
    ("shift", Kind::Shift),
    ("shuf", Kind::Shuffle),
    ("move", Kind::Move),
    ("load", Kind::Load),
    ("store", Kind::Store),
];

/// The records of one target.
fn table(records: &[Record<'_>]) -> Table {
    let mut table = Table::new();
    table.load_style(UTF8_FULL_CONDENSED).force_no_tty();
    let kinds = KINDS.map(|(name, _)| name);
    let (first, last) = (["kernel", "bytes", "instr"], ["stack", "frame", "vmem", "vops"]);
    table.set_header([&first[..], &kinds, &last, &["regs", "jumps"]].concat());
    let mut last = None;
    for record in records {
        let Record { backend, call, by, code, .. } = record;
        let name = format!("{backend} {call}");
        let Some(Code { symbol, counts, .. }) = code else {
            table.add_row([format!("{name} by {}", by.join(", "))]);
            continue;
        };
        if last.replace(symbol) == Some(symbol) {
            table.add_row([name, "as one".to_owned()]);
            continue;
        }
        let sum = |by_base: &BTreeMap<Base, usize>| by_base.values().sum::<usize>();
        let mut row = vec![name, counts.bytes.to_string(), counts.instructions.to_string()];
        row.extend(KINDS.map(|(_, kind)| counts.kind(kind).to_string()));
        row.extend([
            format!("{}+{}", counts.stack_reads, counts.stack_writes),
            format!("{}{}", counts.frame, if counts.realigns.is_some() { "a" } else { "" }),
            format!("{}+{}", sum(&counts.aligned_moves), sum(&counts.unaligned_moves)),
            format!("{}+{}", sum(&counts.aligned_operands), sum(&counts.unaligned_operands)),
            format!("{}+{}", counts.vector_registers, counts.general_registers),
            format!("{}+{}+{}", counts.calls.len(), counts.branches, counts.loops),
        ]);
        table.add_row(row);
    }
    for (i, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, 0));
        if i > 0 {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

/// Checks the code of every backend on these targets.
pub(crate) fn check(workspace: &Workspace, choice: Choice, write_budgets: bool) -> Result<()> {
    let mut budgets = Budgets::shipped()?;
    let all = build(workspace, choice, &[])?;
    if write_budgets {
        for built in &all {
            budgets.0.remove(&built.triple);
        }
        for built in &all {
            measure(built, &mut budgets)?;
        }
        let path = package_directory().join("asm-budgets.toml");
        fs::write(&path, budgets.to_toml())
            .with_context(|| format!("can't write {}", path.display()))?;
    }
    let mut faults = Faults::default();
    for built in &all {
        if !budgets.0.contains_key(&built.triple) {
            eprintln!("SKIPPED sizes of {}: no budgets for {}", built.backend, built.triple);
        }
        let before = faults.count();
        check::check(built, &budgets, &mut faults)?;
        let Built { backend, triple, object: Object { functions }, .. } = built;
        let wrong = faults.count() - before;
        println!("{backend} on {triple}: {} functions, {wrong} faults", functions.len());
    }
    for Built { backend, crate_name, target, triple, .. } in &all {
        let proof =
            FACTS.iter().any(|facts| facts.backend == *backend && facts.proof_against_avx512);
        if *target != Target::X86_64 || !proof {
            continue;
        }
        let rlib =
            workspace.build_library_for(AVX512_PROCESSOR, &crate_name.replace('_', "-"), triple)?;
        let (object, triple) = (read(&rlib)?, triple.clone());
        let built = Built { backend, crate_name, target: *target, triple, object };
        let before = faults.count();
        check::check_under_avx512(&built, &mut faults)?;
        println!("{backend} compiled for {AVX512_PROCESSOR}: {} faults", faults.count() - before);
    }
    ensure!(faults.count() == 0, "the machine code is not what it must be{faults}");
    Ok(())
}

fn measure(built: &Built, budgets: &mut Budgets) -> Result<()> {
    let budgets = budgets.0.entry(built.triple.clone()).or_default();
    for call in Call::all() {
        for index in call.kernels(built.crate_name, &built.object)? {
            let budget: &mut Budget = budgets.entry(built.budget_name(call)).or_default();
            *budget = budget.or_more(Budget::of(&Counts::of(&built.object.functions[index])));
        }
    }
    Ok(())
}
