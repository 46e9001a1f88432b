//! What a person needs to look into a difference, as Markdown to paste into an issue.

use std::{
    collections::BTreeMap,
    fmt::{self, Write},
    fs,
    path::Path,
};

use anyhow::{Context, Result};
use threefish_conformance::{
    differential::{Case, Difference, Failure, MODEL},
    vectors,
};

use crate::machine::Machine;

/// A failing case, shrunk. Nothing of it tells where on a disk the workspace lies.
pub(crate) struct Report {
    pub(crate) markdown: String,
    /// What finds the case again.
    pub(crate) command: String,
    /// The name of its files, without extension.
    id: String,
    /// Known answers, as a file; none if the case holds no block.
    vectors: Option<String>,
}

impl Report {
    pub(crate) fn new(seed: u64, failure: &Failure, machine: &Machine) -> Self {
        let Failure { index, case, differences } = failure;
        let target = machine.target_choice();
        // The case is the last of these.
        let cases = index + 1;
        let command = format!("cargo xtask diff --target {target} --seed {seed} --cases {cases}");
        let id = format!("regression-{target}-{seed}-{index}");
        let source =
            format!("the model, where another differed: seed {seed}, index {index}; {command}");
        let vectors = case.to_vectors(&id, &source);
        let vectors = (!vectors.is_empty()).then(|| vectors::to_toml(&vectors));
        let mut markdown = String::new();
        let place = Place { seed, index: *index, command: &command };
        // A string takes all.
        let _ = write_markdown(&mut markdown, &place, case, differences, machine);
        Self { markdown, command, id, vectors }
    }

    /// Writes the report, and the case for `cargo test`; returns what to tell about that.
    pub(crate) fn write(&self, directory: &Path) -> Result<String> {
        let write = |extension, text: &str| {
            let path = directory.join(&self.id).with_extension(extension);
            fs::create_dir_all(directory)
                .and_then(|()| fs::write(&path, text))
                .with_context(|| format!("cannot write {}", path.display()))?;
            Ok::<_, anyhow::Error>(path)
        };
        let report = write("md", &self.markdown)?;
        let mut told = format!("this report, for an issue: {}\n", report.display());
        told += &match &self.vectors {
            Some(text) => format!("the case, for `cargo test`: {}", write("toml", text)?.display()),
            None => "the case holds no block, so no known answer is written".to_owned(),
        };
        Ok(told)
    }
}

/// Where the case was found, and how to find it again.
struct Place<'a> {
    seed: u64,
    index: u64,
    command: &'a str,
}

fn write_markdown(
    out: &mut String,
    Place { seed, index, command }: &Place<'_>,
    case: &Case,
    differences: &[Difference],
    machine: &Machine,
) -> fmt::Result {
    writeln!(out, "## Backends differ: {}, revision {}\n", case.size, case.version)?;
    writeln!(out, "Case {index} of seed {seed}. To see it again:\n")?;
    writeln!(out, "```sh\n{command}\n```\n")?;
    writeln!(out, "The smallest case found that still shows it:\n")?;
    writeln!(out, "```text\n{case}\n```\n")?;

    writeln!(out, "What differs in it:\n")?;
    for line in grouped(differences) {
        writeln!(out, "- {line}")?;
    }
    if let Some(first) = differences.first() {
        writeln!(out, "\nThe first of these:\n\n```text\n{first}\n```")?;
    }

    let processor = machine.processor.as_deref().unwrap_or("unknown");
    writeln!(out, "\n| machine | |\n|---|---|")?;
    writeln!(out, "| processor | {processor} |")?;
    writeln!(out, "| features in use | {} |", machine.features.join(", "))?;
    if !machine.missing.is_empty() {
        writeln!(out, "| features missing | {} |", machine.missing.join(", "))?;
    }
    writeln!(out, "| system | {}, {} bits |", machine.system, machine.pointer_bits)?;
    writeln!(out, "| target | {} |", machine.target)?;
    writeln!(out, "| compiler | {} |", machine.rustc)?;
    writeln!(out, "| crates | {} |", machine.version)?;
    Ok(())
}

/// A line for all that differ in the same way, those that differ from the model first.
fn grouped(differences: &[Difference]) -> Vec<String> {
    let operations =
        group(differences.iter().map(|difference| {
            ((&difference.subject, &difference.other), code(&difference.operation))
        }));
    let subjects =
        group(operations.iter().map(|((subject, other), calls)| ((*other, calls), code(subject))));
    let (from_model, crossed): (Vec<_>, Vec<_>) =
        subjects.into_iter().partition(|((other, _), _)| *other == MODEL);
    let crossed = group(
        crossed.into_iter().map(|((other, calls), subjects)| ((subjects, calls), code(other))),
    );

    let list = |names: &[String]| names.join(", ");
    let from_model = from_model.iter().map(|((_, calls), subjects)| {
        format!("{} from the model: {}", list(subjects), list(calls))
    });
    let crossed = crossed.iter().map(|((subjects, calls), others)| {
        let (subjects, others) = (list(subjects), list(others));
        format!("{subjects}, decrypting what {others} encrypted: {}", list(calls))
    });
    from_model.chain(crossed).collect()
}

/// The values of each key.
fn group<K: Ord>(entries: impl Iterator<Item = (K, String)>) -> BTreeMap<K, Vec<String>> {
    let mut groups = BTreeMap::<K, Vec<String>>::new();
    for (key, value) in entries {
        groups.entry(key).or_default().push(value);
    }
    groups
}

fn code(text: &str) -> String {
    format!("`{text}`")
}
