//! `cargo xtask diff`: every backend against every other, on each target.

use std::time::Duration;

use anyhow::{Context, Result};
use clap::Args;

use crate::{
    target::{Choice, Target},
    workspace::Workspace,
};

/// Compare every backend with every other on random cases
#[derive(Args, Clone, Debug)]
pub(crate) struct Arguments {
    /// Where to run
    #[arg(long, value_enum, default_value_t = Choice::All)]
    pub(crate) target: Choice,
    /// How many random cases on each target [default: 10000, or without end if --time is given]
    #[arg(long)]
    pub(crate) cases: Option<u64>,
    /// What the cases follow from: the same seed gives the same cases [default: random]
    #[arg(long)]
    pub(crate) seed: Option<u64>,
    /// Stop after so long on each target, such as 60s or 10m
    #[arg(long, value_parser = humantime::parse_duration)]
    pub(crate) time: Option<Duration>,
    /// One JSON object a line
    #[arg(long)]
    pub(crate) json: bool,
}

pub(crate) fn run(workspace: &Workspace, arguments: &Arguments) -> Result<()> {
    for target in arguments.target.targets() {
        compare(workspace, target, arguments)?;
    }
    Ok(())
}

fn compare(workspace: &Workspace, target: Target, arguments: &Arguments) -> Result<()> {
    let (triple, program) = target.build(workspace, "threefish-conformance", "threefish-diff")?;
    // On standard error: the first line of a target's output is the check of 2009.
    eprintln!("diff on {triple}");
    let Arguments { cases, seed, time, json, .. } = arguments;
    workspace
        .shell
        .cmd(program)
        .args(cases.map(|cases| format!("--cases={cases}")))
        .args(seed.map(|seed| format!("--seed={seed}")))
        .args(time.map(|time| format!("--time={}", time.as_secs())))
        .args(json.then_some("--json"))
        .quiet()
        .run()
        .with_context(|| format!("the backends do not agree on {triple}"))
}
