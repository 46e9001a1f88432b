//! `threefish-diff`: random cases on which every backend must agree with the plain model, with
//! every other backend, and for revision 1.3 with the crate `threefish` of crates.io.
//!
//! Built and run for each target by `cargo xtask diff`. Exit status 0 only if all agree.

use std::{
    env::consts::{ARCH, OS},
    fs,
    hash::{BuildHasher, RandomState},
    io::{self, IsTerminal},
    path::{Path, PathBuf},
    process::ExitCode,
    time::Duration,
};

use anyhow::{Context, Result, bail};
use clap::Parser;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;
use threefish_conformance::{
    Size, Version,
    differential::{Campaign, Failure, Outcome},
    registry,
    subject::{Call, Direction, Form, Operation, Subject},
    to_words, vectors,
};

/// Compares every Threefish backend with every other on random cases.
#[derive(Debug, Parser)]
#[command(version)]
struct Arguments {
    /// How many cases to do [default: 10000, or without end if --time is given]
    #[arg(long)]
    cases: Option<u64>,
    /// What the cases follow from [default: random]
    #[arg(long)]
    seed: Option<u64>,
    /// Stop after so many seconds
    #[arg(long, value_name = "SECONDS")]
    time: Option<u64>,
    /// Print one JSON object instead
    #[arg(long)]
    json: bool,
    /// Where a failing case is written, as known answers
    #[arg(long, value_name = "DIR", default_value = "vectors/regressions")]
    regressions: PathBuf,
}

fn main() -> Result<ExitCode> {
    let arguments = Arguments::parse();
    let origin = Origin2009::check()?;
    if !arguments.json {
        println!("{}", origin.line);
    }
    let skipped = registry::skipped().map_err(anyhow::Error::msg)?;
    let seed = arguments.seed.unwrap_or_else(random_seed);
    let campaign = Campaign {
        seed,
        cases: arguments.cases.unwrap_or(if arguments.time.is_some() { u64::MAX } else { 10_000 }),
        time: arguments.time.map(Duration::from_secs),
    };

    let bar = progress_bar(&campaign);
    let outcome = campaign.run(registry::subjects, |done| bar.set_position(done));
    bar.finish_and_clear();

    if arguments.json {
        println!("{}", as_json(&origin, seed, &skipped, &outcome));
    } else {
        print_summary(seed, &skipped, &outcome);
    }
    if let Some(failure) = &outcome.failure {
        report(&arguments.regressions, seed, failure)?;
    }
    let all_agree = origin.good && outcome.failure.is_none();
    Ok(if all_agree { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The check of 2009: two implementations encrypt the block 0, 1, 2, 3 with Threefish-256 of
/// revision 1.1, then each decrypts the other's ciphertext.
struct Origin2009 {
    line: String,
    good: bool,
}

impl Origin2009 {
    fn check() -> Result<Self> {
        let vectors = vectors::shipped()?;
        let vector = vectors
            .iter()
            .find(|vector| vector.id == "origin-2009-1.1")
            .context("the shipped vectors lack origin-2009-1.1")?;
        let [first, second] = Self::rivals()?;
        let run = |subject: &Subject, direction, block: &[u8]| {
            let mut block = block.to_vec();
            let operation = Operation::new(direction, Form::Words, Call::Block);
            subject.cipher(&vector.key).run(operation, &[vector.tweak], &mut block);
            block
        };
        let ciphertexts = [&first, &second].map(|s| run(s, Direction::Encrypt, &vector.plaintext));
        let plaintexts = [
            run(&first, Direction::Decrypt, &ciphertexts[1]),
            run(&second, Direction::Decrypt, &ciphertexts[0]),
        ];
        let encrypted = ciphertexts.iter().all(|block| *block == vector.ciphertext);
        let decrypted = plaintexts.iter().all(|block| *block == vector.plaintext);
        let line = format!(
            "2009 check: {} {}, {} {}: {}  Cross Decrypt: {} {}, {} {}: {}",
            first.name,
            in_words(&ciphertexts[0]),
            second.name,
            in_words(&ciphertexts[1]),
            verdict(encrypted),
            first.name,
            in_words(&plaintexts[0]),
            second.name,
            in_words(&plaintexts[1]),
            verdict(decrypted),
        );
        Ok(Self { line, good: encrypted && decrypted })
    }

    /// Unrolled and SSE2, as in 2009; where SSE2 is absent, scalar stands in.
    fn rivals() -> Result<[Subject; 2]> {
        let backends = registry::backends();
        let subject = |name| {
            let backend = backends.iter().find(|backend| backend.name == name)?;
            backend.subject(Size::Bits256, Version::V1_1)
        };
        match (subject("unrolled"), subject("sse2").or_else(|| subject("scalar"))) {
            (Some(first), Some(second)) => Ok([first, second]),
            _ => bail!("the registry lacks unrolled, or both sse2 and scalar"),
        }
    }
}

fn verdict(good: bool) -> &'static str {
    if good { "Good!" } else { "BAD!" }
}

/// A block of bytes as words in hex; small ones short, as the block of 2009 is.
fn in_words(block: &[u8]) -> String {
    let words = to_words(block);
    let short = words.iter().all(|word| *word < 10);
    let word = |word: &u64| if short { word.to_string() } else { format!("{word:016X}") };
    words.iter().map(word).collect::<Vec<_>>().join(" ")
}

/// From the standard library's keys of hash tables, which the system's randomness seeds.
fn random_seed() -> u64 {
    RandomState::new().hash_one(0)
}

/// A bar on standard error if that is a terminal.
fn progress_bar(campaign: &Campaign) -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let (bar, template) = if campaign.cases == u64::MAX {
        (ProgressBar::no_length(), "{spinner} {pos} cases, {per_sec}, {elapsed}")
    } else {
        (ProgressBar::new(campaign.cases), "{wide_bar} {pos}/{len} cases, {per_sec}, {eta} left")
    };
    bar.with_style(ProgressStyle::with_template(template).unwrap_or(ProgressStyle::default_bar()))
}

fn target() -> String {
    let features = if cfg!(target_feature = "sse2") {
        ", SSE2"
    } else if cfg!(target_feature = "neon") {
        ", NEON"
    } else if cfg!(target_feature = "simd128") {
        ", simd128"
    } else {
        ""
    };
    // WebAssembly has no system.
    let system = Some(OS).filter(|os| !os.is_empty()).map(|os| format!("-{os}"));
    format!("{ARCH}{}, {} bits{features}", system.unwrap_or_default(), usize::BITS)
}

/// The names of all that are compared.
fn compared() -> Vec<String> {
    let subjects = registry::subjects(Size::Bits256, Version::V1_3);
    subjects.into_iter().map(|subject| subject.name).chain(["model".to_owned()]).collect()
}

fn print_summary(seed: u64, skipped: &[String], outcome: &Outcome) {
    println!("target: {}", target());
    println!("compared: {} (the crate threefish: revision 1.3 alone)", compared().join(", "));
    for line in skipped {
        println!("{line}");
    }
    println!("seed: {seed}");
    println!("{:<16}{:>12}{:>12}{:>12}", "cases", "1.1", "1.2", "1.3");
    for size in Size::ALL {
        let counts = Version::ALL
            .map(|version| outcome.cases.get(&(size, version)).copied().unwrap_or_default());
        let [v1_1, v1_2, v1_3] = counts;
        println!("{:<16}{v1_1:>12}{v1_2:>12}{v1_3:>12}", size.to_string());
    }
    let seconds = outcome.elapsed.as_secs_f64();
    println!(
        "{} cases, {} comparisons in {seconds:.1} s: {:.0} cases/s",
        cases(outcome),
        outcome.comparisons,
        per_second(outcome),
    );
    println!("{}", if outcome.failure.is_none() { "All agree." } else { "They DIFFER." });
}

fn as_json(
    origin: &Origin2009,
    seed: u64,
    skipped: &[String],
    outcome: &Outcome,
) -> serde_json::Value {
    let by_kind: Vec<_> = outcome
        .cases
        .iter()
        .map(|((size, version), cases)| {
            json!({ "size": size.bits(), "revision": version.to_string(), "cases": cases })
        })
        .collect();
    let failure = outcome.failure.as_ref().map(|failure| {
        json!({
            "index": failure.index,
            "subject": failure.difference.subject,
            "operation": failure.difference.operation,
            "difference": failure.difference.to_string(),
            "case": failure.case.to_string(),
        })
    });
    json!({
        "origin_2009": origin.line,
        "origin_2009_good": origin.good,
        "arch": ARCH,
        "pointer_bits": usize::BITS,
        "compared": compared(),
        "skipped": skipped,
        "seed": seed,
        "cases": cases(outcome),
        "cases_by_kind": by_kind,
        "comparisons": outcome.comparisons,
        "seconds": outcome.elapsed.as_secs_f64(),
        "cases_per_second": per_second(outcome),
        "agree": outcome.failure.is_none(),
        "failure": failure,
    })
}

fn cases(outcome: &Outcome) -> u64 {
    outcome.cases.values().sum()
}

#[expect(clippy::cast_precision_loss, reason = "a rate for people")]
fn per_second(outcome: &Outcome) -> f64 {
    cases(outcome) as f64 / outcome.elapsed.as_secs_f64().max(1e-9)
}

/// Tells the smallest failing case and how to see it again, and writes it down for `cargo test`.
fn report(directory: &Path, seed: u64, failure: &Failure) -> Result<()> {
    let Failure { index, case, difference } = failure;
    let cases = index + 1;
    let target = match ARCH {
        "x86" => "i686",
        "wasm32" => "wasm",
        arch => arch,
    };
    let command = format!("cargo xtask diff --target {target} --seed {seed} --cases {cases}");
    eprintln!("{difference}");
    eprintln!("the smallest case that shows it, of seed {seed}, index {index}:");
    eprintln!("{case}");
    eprintln!("to repeat: {command}");

    let id = format!("regression-{target}-{seed}-{index}");
    let source =
        format!("the model, where another differed: seed {seed}, index {index}; {command}");
    let vectors = case.to_vectors(&id, &source);
    if vectors.is_empty() {
        eprintln!("the case holds no block, so no known answer is written");
        return Ok(());
    }
    let path = directory.join(format!("{id}.toml"));
    fs::create_dir_all(directory)
        .and_then(|()| fs::write(&path, vectors::to_toml(&vectors)))
        .with_context(|| format!("cannot write the failing case to {}", path.display()))?;
    eprintln!("written to {}", path.display());
    Ok(())
}
