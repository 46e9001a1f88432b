//! `cargo xtask diff`: every backend against every other, on each target.

use std::{fmt, time::Duration};

use anyhow::{Context, Result, ensure};
use clap::{Args, ValueEnum};

use crate::{
    target::{self, Emulated, Emulator, Target},
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

/// Targets as the command line names them: those of [`target::Choice`], and the emulated ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Choice {
    /// 64-bit x86
    #[value(name = "x86_64")]
    X86_64,
    /// 32-bit x86
    I686,
    /// 32-bit x86 with glibc; needs a 32-bit C library (gcc-multilib)
    #[value(name = "i686-gnu")]
    I686Gnu,
    /// 64-bit ARM; elsewhere under qemu (qemu-user)
    Aarch64,
    /// WebAssembly with SIMD, under Node
    Wasm,
    /// `x86_64`, i686, aarch64 and wasm, those that can run here
    All,
}

impl Choice {
    fn places(self) -> Vec<Place> {
        match self {
            Self::X86_64 => vec![Place::Native(Target::X86_64)],
            Self::I686 => vec![Place::Native(Target::I686)],
            Self::I686Gnu => vec![Place::Native(Target::I686Gnu)],
            Self::Aarch64 => vec![Place::Emulated(Emulated::Aarch64)],
            Self::Wasm => vec![Place::Emulated(Emulated::Wasm)],
            Self::All => {
                [Self::X86_64, Self::I686, Self::Aarch64, Self::Wasm].map(Self::places).concat()
            }
        }
    }
}

/// Where a target's programs run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Native(Target),
    Emulated(Emulated),
}

impl Place {
    /// The Rust target whose programs run here, or why there is none or what to install.
    fn triple(self, host: &str) -> Result<String> {
        match self {
            Self::Native(target) => target.triple(host),
            Self::Emulated(target) => {
                let triple = target.triple(host)?;
                target.emulator(host).map_or(Ok(()), Emulator::find)?;
                Ok(triple)
            }
        }
    }
}

/// The name on the command line.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Native(Target::X86_64) => "x86_64",
            Self::Native(Target::I686) => "i686",
            Self::Native(Target::I686Gnu) => "i686-gnu",
            Self::Emulated(Emulated::Aarch64) => "aarch64",
            Self::Emulated(Emulated::Wasm) => "wasm",
            Self::Emulated(Emulated::OldX86_64) => "old-x86_64",
        })
    }
}

pub(crate) fn run(workspace: &Workspace, arguments: &Arguments) -> Result<()> {
    let mut compared = false;
    for place in arguments.target.places() {
        match place.triple(&workspace.host) {
            Err(reason) if arguments.target == Choice::All => {
                eprintln!("SKIPPED diff on {place}: {reason}");
            }
            triple => {
                compare(workspace, place, &triple?, arguments)?;
                compared = true;
            }
        }
    }
    ensure!(compared, "no target can run here, so nothing was compared");
    Ok(())
}

const PACKAGE: &str = "threefish-conformance";
const PROGRAM: &str = "threefish-diff";

fn compare(workspace: &Workspace, place: Place, triple: &str, arguments: &Arguments) -> Result<()> {
    let command = match place {
        Place::Native(target) => {
            let (_, program) = target.build(workspace, PACKAGE, PROGRAM)?;
            workspace.shell.cmd(program)
        }
        Place::Emulated(_) => {
            target::install(workspace, triple)?;
            workspace.build(PACKAGE, PROGRAM, triple)?;
            // Cargo starts the emulator.
            let cargo = workspace.cargo().args(["run", "--quiet", "--release"]);
            let cargo = cargo.args(["--package", PACKAGE, "--bin", PROGRAM]);
            cargo.args(workspace.target_arguments(triple)).arg("--")
        }
    };
    // On standard error: the first line of a target's output is the check of 2009.
    eprintln!("diff on {triple}");
    let Arguments { cases, seed, time, json, .. } = arguments;
    command
        .args(cases.map(|cases| format!("--cases={cases}")))
        .args(seed.map(|seed| format!("--seed={seed}")))
        .args(time.map(|time| format!("--time={}", time.as_secs())))
        .args(json.then_some("--json"))
        .quiet()
        .run()
        .with_context(|| format!("the backends do not agree on {triple}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_is_native_targets_first_then_emulated_ones() {
        let names =
            |choice: Choice| choice.places().iter().map(Place::to_string).collect::<Vec<_>>();
        assert_eq!(names(Choice::All), ["x86_64", "i686", "aarch64", "wasm"]);
    }

    #[test]
    fn a_place_is_called_as_on_the_command_line() {
        for choice in Choice::value_variants().iter().filter(|choice| **choice != Choice::All) {
            let place = choice.places()[0].to_string();
            assert_eq!(place, choice.to_possible_value().unwrap().get_name());
        }
    }

    /// Asked for by name, a target that can't run is an error.
    #[test]
    fn a_target_that_cannot_run_here_says_why() {
        let host = "x86_64-pc-windows-msvc";
        for choice in [Choice::I686Gnu, Choice::Aarch64, Choice::Wasm] {
            let error = choice.places()[0].triple(host).unwrap_err().to_string();
            assert!(error.contains("use "), "{error}");
        }
    }
}
