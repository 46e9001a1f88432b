//! `cargo xtask COMMAND`: one command for each thing that a person wants to do here.
//!
//! Each command is a module. [`target`] knows the targets that programs are built for and run on,
//! [`workspace`] how to call cargo.

mod asm;
mod bench;
mod ci;
mod diff;
mod ladder;
mod table;
mod target;
mod vectors;
mod workspace;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use threefish_conformance::interrupt;

use workspace::Workspace;

/// Check, compare and measure the Threefish backends
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Diff(diff::Arguments),
    Bench(bench::Arguments),
    Asm(asm::Arguments),
    Ladder(ladder::Arguments),
    Vectors(vectors::Arguments),
    Ci(ci::Arguments),
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let result = Workspace::find().and_then(|workspace| match arguments.command {
        Command::Diff(arguments) => diff::run(&workspace, &arguments),
        Command::Bench(arguments) => bench::run(&workspace, &arguments),
        Command::Asm(arguments) => asm::run(&workspace, &arguments),
        Command::Ladder(arguments) => ladder::run(&workspace, &arguments),
        Command::Vectors(arguments) => vectors::run(&arguments),
        Command::Ci(arguments) => ci::run(&workspace, &arguments),
    });
    match result {
        Ok(()) => ExitCode::SUCCESS,
        // That is all a person wants to hear.
        Err(error) if error.is::<diff::Interrupted>() => ExitCode::from(interrupt::STATUS),
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    fn error(arguments: &[&str]) -> String {
        let arguments = ["cargo xtask"].iter().chain(arguments);
        Arguments::try_parse_from(arguments).unwrap_err().to_string()
    }

    #[test]
    fn the_command_line_is_sound() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn bad_arguments_are_answered_with_the_good_ones() {
        let unknown = error(&["bench", "--target", "sparc"]);
        assert!(
            unknown.contains("sparc") && unknown.contains("x86_64, i686, i686-gnu, all"),
            "{unknown}"
        );
        // Times under an emulator would say nothing.
        let emulated = error(&["bench", "--target", "wasm"]);
        assert!(emulated.contains("x86_64, i686, i686-gnu, all"), "{emulated}");
        let unknown = error(&["diff", "--target", "sparc"]);
        assert!(unknown.contains("x86_64, i686, i686-gnu, aarch64, wasm, all"), "{unknown}");
        let unknown = error(&["bench", "--backend", "sse9"]);
        assert!(unknown.contains("sse9") && unknown.contains("unrolled"), "{unknown}");
        let unknown = error(&["bench", "--size", "128"]);
        assert!(unknown.contains("128") && unknown.contains("256, 512, 1024"), "{unknown}");
        let unknown = error(&["asm", "--backend", "sse9"]);
        assert!(unknown.contains("sse9") && unknown.contains("unrolled"), "{unknown}");
        let unknown = error(&["asm", "check", "--target", "sparc"]);
        assert!(
            unknown.contains("sparc") && unknown.contains("x86_64, i686, i686-gnu, all"),
            "{unknown}"
        );
        let unknown = error(&["ci", "--only", "tests"]);
        assert!(unknown.contains("test-x86_64"), "{unknown}");
        assert!(error(&["diff", "--cases", "many"]).contains("many"));
    }
}
