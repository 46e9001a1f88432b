//! The program `threefish-diff`, from outside. WASI can't start programs.
#![cfg(not(target_family = "wasm"))]

use std::{
    fs,
    path::Path,
    process::{Command, Output},
};

use tempfile::TempDir;

/// Under what runs the tests too, if that is an emulator: the kernel knows nothing of it.
fn diff() -> Command {
    let program = env!("CARGO_BIN_EXE_threefish-diff");
    let runner = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.cargo/runners/aarch64.sh");
    if cfg!(target_arch = "aarch64") && runner.exists() {
        let mut command = Command::new(runner);
        command.arg(program);
        command
    } else {
        Command::new(program)
    }
}

/// With a backend that has a mistake, if `arguments` say so; and where it writes the report.
fn run(arguments: &[&str]) -> (Output, TempDir) {
    let directory = tempfile::tempdir().expect("a directory");
    let output = diff()
        .args(["--seed", "1"])
        .args(arguments)
        .arg("--regressions")
        .arg(directory.path())
        .output()
        .expect("the program starts");
    (output, directory)
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("text")
}

fn json(output: &Output) -> serde_json::Value {
    serde_json::from_slice(&output.stdout).expect("one object")
}

/// The cells of a row of the table, which begins with a name.
fn row<'a>(text: &'a str, name: &str) -> Vec<&'a str> {
    let row = text.lines().find_map(|line| line.trim_start().strip_prefix(name)?.strip_prefix(' '));
    row.unwrap_or_else(|| panic!("no {name} in\n{text}")).split_whitespace().collect()
}

#[test]
fn each_pair_has_a_number_and_nothing_is_written() {
    let (output, directory) = run(&["--cases", "9"]);
    let (told, progress) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(0), "{told}{progress}");
    // 16 calls and 2 with many keys; three decryptions of what the other encrypted, each way.
    assert_eq!(row(&told, "scalar"), ["162"]);
    assert_eq!(row(&told, "unrolled"), ["162", "54"]);
    // Of the cases of revision 1.3 alone, with 4 calls; 3 decryptions one way, 1 the other.
    assert_eq!(row(&told, "crate threefish")[..3], ["12", "12", "12"]);
    assert!(told.ends_with("All agree.\n"), "{told}");
    assert_eq!(progress, "");
    assert_eq!(fs::read_dir(directory.path()).expect("there").count(), 0);
}

/// The same numbers as JSON, and they sum up.
#[test]
fn json_counts_each_pair() {
    let (output, _) = run(&["--cases", "9", "--json"]);
    assert_eq!(output.status.code(), Some(0));
    let json = json(&output);
    let pairs = json["pairs"].as_array().expect("a list");
    let agreed = |a, b| {
        let pair = pairs.iter().find(|pair| pair["pair"] == serde_json::json!([a, b]));
        pair.expect("compared")["agreed"].clone()
    };
    assert_eq!(agreed("model", "unrolled"), 162);
    assert_eq!(agreed("scalar", "unrolled"), 54);
    let sum: u64 = pairs.iter().filter_map(|pair| pair["agreed"].as_u64()).sum();
    assert_eq!(json["comparisons"], sum);
    assert_eq!(json["interrupted"], false);
    assert!(json["failure"].is_null());
}

#[test]
fn a_broken_backend_differs_from_all_and_no_other_does() {
    let (output, directory) = run(&["--cases", "100", "--broken"]);
    let told = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{told}");
    // Case 0 fails, which is none of revision 1.3: the crate threefish had no turn, or agreed.
    let broken = row(&told, "broken");
    let (with_crate, with_others) = broken.split_last().expect("a row");
    assert!(with_others.len() >= 4 && with_others.iter().all(|cell| *cell == "DIFFER"), "{told}");
    assert!(["-", "DIFFER"].contains(with_crate), "{told}");
    for name in ["scalar", "unrolled", "auto", "crate threefish"] {
        assert!(!row(&told, name).contains(&"DIFFER"), "{told}");
    }
    assert!(told.contains("\nThey DIFFER.\n"), "{told}");

    let written = fs::read_dir(directory.path()).expect("there");
    let written: Vec<_> = written.map(|entry| entry.expect("readable").path()).collect();
    assert_eq!(written.len(), 2, "{written:?}");
    for path in written {
        let content = fs::read_to_string(&path).expect("text");
        if path.extension().is_some_and(|extension| extension == "md") {
            assert!(told.ends_with(&format!("{content}\n")), "{content}");
            holds_what_an_issue_needs(&content);
        } else {
            let vectors = threefish_conformance::vectors::parse("file", &content);
            assert_eq!(vectors.expect("known answers").len(), 2);
        }
    }
}

/// The smallest case is one block of zeros.
fn holds_what_an_issue_needs(report: &str) {
    let zeros = "0".repeat(64);
    for part in [
        "## Backends differ: Threefish-256, revision 1.1\n",
        " --seed 1 --cases 1\n",
        "blocks: 1, at an address of 0 mod 16\n",
        &format!("  key {zeros}\n  block 0 {zeros}\n"),
        "- `broken` from the model: `encrypt_block`, `decrypt_block`, `encrypt_keys`",
        "decrypting what `broken` encrypted: ",
        "\nbroken: encrypt_block: block 0 differs\n  expected e39756f9",
        "\n| processor | ",
        "| compiler | rustc 1.",
    ] {
        assert!(report.contains(part), "no {part:?} in\n{report}");
    }
    let bits = format!(", {} bits |", usize::BITS);
    assert!(report.contains(&bits), "{report}");
    let home = env!("CARGO_MANIFEST_DIR");
    assert!(!report.contains(home), "{report}");
}

#[test]
fn json_has_the_report_and_standard_error_too() {
    let (output, _directory) = run(&["--cases", "100", "--broken", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let json = json(&output);
    assert_eq!(json["agree"], false);
    let failure = &json["failure"];
    let report = failure["report"].as_str().expect("a text");
    holds_what_an_issue_needs(report);
    assert!(text(&output.stderr).contains(report));
    assert_eq!(failure["differences"][0]["subject"], "broken");
    assert!(failure["repeat"].as_str().is_some_and(|command| report.contains(command)));
}

#[test]
fn other_trouble_is_told_apart() {
    let output = diff().env("REQUIRE_BACKENDS", "sse9").output().expect("the program starts");
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("sse9"));
}

/// Where the program runs by itself: an emulator has signals of its own.
#[cfg(all(unix, any(target_arch = "x86", target_arch = "x86_64")))]
#[test]
fn ctrl_c_keeps_what_was_done() {
    use std::{
        io::{BufRead, BufReader, Read},
        process::Stdio,
    };

    let mut child =
        diff().args(["--time", "60s"]).stdout(Stdio::piped()).spawn().expect("the program starts");
    let mut output = BufReader::new(child.stdout.take().expect("piped"));
    // It listens before it tells anything.
    let mut told = String::new();
    output.read_line(&mut told).expect("a line");
    assert!(told.starts_with("2009 check: "), "{told}");
    let kill = format!("kill -INT {}", child.id());
    assert!(Command::new("sh").args(["-c", &kill]).status().expect("a shell").success());

    output.read_to_string(&mut told).expect("text");
    assert_eq!(child.wait().expect("it ends").code(), Some(130), "{told}");
    assert!(told.contains(" cases, ") && row(&told, "unrolled").len() == 2, "{told}");
    assert!(told.ends_with("Until it was interrupted, all agreed.\n"), "{told}");
}
