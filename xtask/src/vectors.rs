//! `cargo xtask vectors`: the known answers, looked at and checked.

use std::{collections::BTreeMap, fs, path::PathBuf};

use anyhow::{Context, Result, bail, ensure};
use clap::{Args, Subcommand};
use comfy_table::{Table, presets::UTF8_FULL_CONDENSED};
use threefish_conformance::{
    registry,
    subject::{Call, Direction, Form, Operation, Subject},
    vectors::{self, Vector},
};

/// Check every backend against the known answers, or show them
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Check every backend against every known answer
    Check {
        /// TOML files in the format of `vectors/README.md` [default: all of `vectors/`]
        paths: Vec<PathBuf>,
    },
    /// Show one known answer, or list them all
    Show {
        /// The id of a known answer
        id: Option<String>,
    },
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    match &arguments.action {
        Action::Check { paths } => check(paths),
        Action::Show { id: Some(id) } => show(id),
        Action::Show { id: None } => list(),
    }
}

/// Checks the files, or all of `vectors/`, and prints a row for each file.
pub(crate) fn check(paths: &[PathBuf]) -> Result<()> {
    for line in registry::skipped().map_err(anyhow::Error::msg)? {
        eprintln!("{line}");
    }
    let vectors = read(paths)?;
    let mut files = BTreeMap::<&str, Tally>::new();
    for vector in &vectors {
        let tally = files.entry(&vector.file).or_default();
        tally.vectors += 1;
        let mut subjects = registry::subjects(vector.size, vector.version);
        subjects.push(registry::model(vector.size, vector.version));
        for subject in subjects {
            match disagreement(vector, &subject) {
                None => tally.agree += 1,
                Some(what) => tally.wrong.push(what),
            }
        }
    }

    let mut table = Table::new();
    table.load_style(UTF8_FULL_CONDENSED);
    table.set_header(["file", "vectors", "checks that agree", "that do not"]);
    for (file, Tally { vectors, agree, wrong }) in &files {
        table.add_row([*file, &vectors.to_string(), &agree.to_string(), &wrong.len().to_string()]);
    }
    println!("{table}");

    let wrong: Vec<_> = files.into_values().flat_map(|tally| tally.wrong).collect();
    ensure!(wrong.is_empty(), "known answers are not met:\n{}", wrong.join("\n"));
    Ok(())
}

/// What checks of the vectors of one file came to. A check is one vector on one backend.
#[derive(Default)]
struct Tally {
    vectors: usize,
    agree: usize,
    wrong: Vec<String>,
}

fn read(paths: &[PathBuf]) -> Result<Vec<Vector>> {
    if paths.is_empty() {
        return Ok(vectors::all()?);
    }
    let mut read = Vec::new();
    for path in paths {
        let text =
            fs::read_to_string(path).with_context(|| format!("can't read {}", path.display()))?;
        read.extend(vectors::parse(&path.display().to_string(), &text)?);
    }
    Ok(read)
}

/// What a subject makes of a vector, if that is wrong: every call for one and for many blocks of
/// words and bytes must encrypt and decrypt it.
fn disagreement(vector: &Vector, subject: &Subject) -> Option<String> {
    let cipher = subject.cipher(&vector.key);
    let forms = [Form::Words, Form::Bytes];
    let calls = [Call::Block, Call::Blocks];
    let ways = forms.iter().flat_map(|form| calls.iter().map(move |call| (*form, *call)));
    for (form, call) in ways {
        for direction in [Direction::Encrypt, Direction::Decrypt] {
            let (from, to) = match direction {
                Direction::Encrypt => (&vector.plaintext, &vector.ciphertext),
                Direction::Decrypt => (&vector.ciphertext, &vector.plaintext),
            };
            let operation = Operation::new(direction, form, call);
            if !cipher.operations().contains(&operation) {
                continue;
            }
            let mut block = from.clone();
            cipher.run(operation, &[vector.tweak], &mut block);
            if block != *to {
                return Some(format!(
                    "{}, vector {:?}: {} of {} gives\n  {}\ninstead of\n  {}",
                    vector.file,
                    vector.id,
                    operation,
                    subject.name,
                    hex::encode(block),
                    hex::encode(to),
                ));
            }
        }
    }
    None
}

fn show(id: &str) -> Result<()> {
    let vectors = vectors::all()?;
    let Some(vector) = vectors.iter().find(|vector| vector.id == id) else {
        bail!("no known answer has the id {id:?}; `cargo xtask vectors show` lists all");
    };
    print!("# {}\n{}", vector.file, vectors::to_toml(std::slice::from_ref(vector)));
    Ok(())
}

fn list() -> Result<()> {
    let mut table = Table::new();
    table.load_style(UTF8_FULL_CONDENSED);
    table.set_header(["id", "size", "revision", "file"]);
    for Vector { id, size, version, file, .. } in vectors::all()? {
        table.add_row([id, size.bits().to_string(), version.to_string(), file]);
    }
    println!("{table}");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_answers_are_met() {
        check(&[]).unwrap();
    }

    #[test]
    fn a_wrong_answer_is_named() {
        let shipped = vectors::shipped().unwrap();
        let mut vector = shipped[0].clone();
        vector.ciphertext[0] ^= 1;
        let directory = xshell::Shell::new().unwrap().create_temp_dir().unwrap();
        let path = directory.path().join("wrong.toml");
        fs::write(&path, vectors::to_toml(std::slice::from_ref(&vector))).unwrap();

        let error = check(&[path]).unwrap_err().to_string();
        assert!(error.contains(&vector.id) && error.contains("unrolled"), "{error}");
    }

    #[test]
    fn what_is_not_there_is_named() {
        let error = format!("{:#}", check(&["no-such.toml".into()]).unwrap_err());
        assert!(error.contains("can't read no-such.toml"), "{error}");
        let error = show("no-such-id").unwrap_err().to_string();
        assert!(error.contains("no-such-id"), "{error}");
    }
}
