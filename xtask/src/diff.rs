//! `cargo xtask diff`: every backend against every other, on each target.

use std::{
    fmt,
    process::{Command, ExitStatus},
    time::Duration,
};

use anyhow::{Context, Result, bail, ensure};
use clap::{Args, ValueEnum};
use threefish_conformance::interrupt;
use xshell::Cmd;

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
    /// One JSON object for each target, on a line
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

/// Ctrl-C ended it. What was compared until then was told.
#[derive(Debug)]
pub(crate) struct Interrupted;

impl fmt::Display for Interrupted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("interrupted")
    }
}

impl std::error::Error for Interrupted {}

/// As a command of its own, which outlives Ctrl-C: the terminal sends it to the program below as
/// well, which then tells what it has.
pub(crate) fn run(workspace: &Workspace, arguments: &Arguments) -> Result<()> {
    interrupt::listen()?;
    check(workspace, arguments)
}

pub(crate) fn check(workspace: &Workspace, arguments: &Arguments) -> Result<()> {
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
    let command = match build(workspace, place, triple) {
        // Cargo was interrupted, too.
        Err(_) if interrupt::pressed() => bail!(Interrupted),
        command => command?,
    };
    // On standard error: the first line of a target's output is the check of 2009.
    eprintln!("diff on {triple}");
    let Arguments { cases, seed, time, json, .. } = arguments;
    let command = command
        .args(cases.map(|cases| format!("--cases={cases}")))
        .args(seed.map(|seed| format!("--seed={seed}")))
        .args(time.map(|time| format!("--time={}", humantime::format_duration(time))))
        .args(json.then_some("--json"));
    let status = Command::from(command)
        .status()
        .with_context(|| format!("{PROGRAM} for {triple} does not start"))?;
    judge(status, interrupt::pressed(), triple)
}

/// What the end of the program means, where Ctrl-C was pressed or not. A difference counts even so.
fn judge(status: ExitStatus, pressed: bool, triple: &str) -> Result<()> {
    match status.code() {
        Some(1) => bail!("the backends do not agree on {triple}"),
        Some(code) if pressed || code == i32::from(interrupt::STATUS) => bail!(Interrupted),
        // By the signal itself, before it listened.
        None if pressed => bail!(Interrupted),
        Some(0) => Ok(()),
        _ => bail!("{PROGRAM} for {triple} ended with {status}"),
    }
}

/// The program, and what starts it.
fn build<'a>(workspace: &'a Workspace, place: Place, triple: &str) -> Result<Cmd<'a>> {
    Ok(match place {
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
    })
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

    #[cfg(unix)]
    #[test]
    fn ctrl_c_is_told_from_a_difference_and_from_other_trouble() {
        use std::os::unix::process::ExitStatusExt;

        let judge = |raw, pressed| judge(ExitStatus::from_raw(raw), pressed, "vax");
        let code = |code: i32| code << 8;
        assert!(judge(code(0), false).is_ok());
        for (raw, pressed) in [(code(130), false), (code(130), true), (code(0), true), (2, true)] {
            assert!(judge(raw, pressed).unwrap_err().is::<Interrupted>(), "{raw}, {pressed}");
        }
        for (raw, pressed, message) in [
            (code(1), false, "do not agree on vax"),
            (code(1), true, "do not agree on vax"),
            (code(2), false, "ended with exit status: 2"),
            (11, false, "signal: 11"),
        ] {
            let error = judge(raw, pressed).unwrap_err().to_string();
            assert!(error.contains(message), "{error}");
        }
    }
}
