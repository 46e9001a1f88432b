//! The steps of `ci`, cheap ones first.

use std::{
    collections::BTreeSet,
    process::{Command, Stdio},
};

use anyhow::{Context, Result, ensure};
use xshell::{Cmd, Shell, cmd};

use super::{Outcome, Step};
use crate::{
    asm, bench, diff, ladder,
    target::{self, Choice, Emulated, Target},
    vectors,
    workspace::Workspace,
};

pub(super) const STEPS: &[Step] = &[
    Step { name: "fmt", what: "the code is formatted", run: fmt },
    Step { name: "clippy", what: "no warnings on this machine", run: clippy },
    Step { name: "clippy-i686", what: "no warnings in published crates on i686", run: clippy_i686 },
    Step {
        name: "clippy-aarch64",
        what: "no warnings in published crates on aarch64",
        run: clippy_aarch64,
    },
    Step {
        name: "clippy-wasm",
        what: "no warnings in published crates on wasm with SIMD",
        run: clippy_wasm,
    },
    Step { name: "docs", what: "no warnings in the documentation", run: docs },
    Step { name: "test-x86_64", what: "all tests on x86_64", run: test_x86_64 },
    Step { name: "test-features", what: "backends with all features", run: test_features },
    Step { name: "test-i686", what: "tests on i686, run natively", run: test_i686 },
    Step {
        name: "test-aarch64",
        what: "tests of the crates on aarch64, under qemu",
        run: test_aarch64,
    },
    Step { name: "test-wasm", what: "tests of the crates on wasm, under Node", run: test_wasm },
    Step {
        name: "test-old-x86_64",
        what: "wide backends on an x86_64 without AVX, under qemu",
        run: test_old_x86_64,
    },
    Step { name: "vectors", what: "every backend meets every known answer", run: check_vectors },
    Step { name: "diff-x86_64", what: "all backends agree on x86_64", run: diff_x86_64 },
    Step { name: "diff-i686", what: "all backends agree on i686", run: diff_i686 },
    Step {
        name: "diff-aarch64",
        what: "all backends agree on aarch64, under qemu",
        run: diff_aarch64,
    },
    Step { name: "diff-wasm", what: "all backends agree on wasm, under Node", run: diff_wasm },
    Step {
        name: "asm-x86_64",
        what: "the machine code is as it must be on x86_64",
        run: asm_x86_64,
    },
    Step { name: "asm-i686", what: "the machine code is as it must be on i686", run: asm_i686 },
    Step { name: "no-std", what: "published crates on thumbv7em, bare metal", run: no_std },
    Step { name: "wasm", what: "published crates on wasm32", run: wasm },
    Step { name: "no-sse2", what: "published crates on i586, without SSE2", run: no_sse2 },
    Step { name: "bench-x86_64", what: "the benchmarks run on x86_64", run: bench_x86_64 },
    Step { name: "bench-i686", what: "the benchmarks run on i686", run: bench_i686 },
    Step { name: "report", what: "a browser shows the report of a run", run: report },
    Step { name: "ladder-x86_64", what: "every rung is right on x86_64", run: ladder_x86_64 },
    Step { name: "ladder-i686", what: "every rung is right on i686", run: ladder_i686 },
    Step { name: "criterion", what: "criterion's benchmarks run", run: criterion },
    Step {
        name: "package",
        what: "published crates pack and build from the package",
        run: package,
    },
    Step { name: "msrv", what: "the minimum Rust version compiles everything", run: msrv },
];

/// Adds a component of the toolchain through rustup, if it is not there.
fn component(workspace: &Workspace, name: &str) -> Result<()> {
    let tool = name.trim_start_matches("rust");
    if workspace.cargo().args([tool, "--version"]).quiet().ignore_stderr().read().is_err() {
        cmd!(workspace.shell, "rustup component add {name}").run().with_context(|| {
            format!("`cargo {tool}` is missing, and rustup can't add it: install it yourself")
        })?;
    }
    Ok(())
}

fn passed(command: &Cmd<'_>) -> Result<Outcome> {
    command.run()?;
    Ok(Outcome::Passed)
}

/// `--package` for each published crate.
fn published(workspace: &Workspace) -> Vec<String> {
    let published = workspace.published();
    published.iter().map(|package| format!("--package={}", package.name)).collect()
}

/// Runs the step for a target whose programs run here; skips it where there is none.
fn natively(
    workspace: &Workspace,
    target: Target,
    step: impl FnOnce(&str) -> Result<()>,
) -> Result<Outcome> {
    match target.triple(&workspace.host) {
        Err(reason) => Ok(Outcome::Skipped(reason.to_string())),
        Ok(triple) => {
            target::install(workspace, &triple)?;
            step(&triple)?;
            Ok(Outcome::Passed)
        }
    }
}

/// The backends that must be there on an emulated target: one that is skipped is a failure.
fn backends_of(target: Emulated) -> &'static str {
    match target {
        Emulated::Aarch64 => "scalar,unrolled,neon,auto",
        Emulated::Wasm => "scalar,unrolled,wasm,auto",
        Emulated::OldX86_64 => "scalar,unrolled,sse2,auto",
    }
}

/// Runs the step for a target whose programs run under an emulator, which is installed if it can
/// be; skips it where there is none.
fn emulated(
    workspace: &Workspace,
    target: Emulated,
    step: impl FnOnce(&str) -> Result<()>,
) -> Result<Outcome> {
    let host = &workspace.host;
    let triple = match target.triple(host) {
        Err(reason) => return Ok(Outcome::Skipped(reason.to_string())),
        Ok(triple) => triple,
    };
    if let Some(emulator) = target.emulator(host)
        && let Err(reason) = emulator.find().or_else(|missing| {
            install_package(&workspace.shell, emulator.package).with_context(|| missing)?;
            emulator.find().context("its package is installed, but does not help")
        })
    {
        return Ok(Outcome::Skipped(format!("{reason:#}")));
    }
    target::install(workspace, &triple)?;
    let _required = workspace.shell.push_env(REQUIRE_BACKENDS, backends_of(target));
    step(&triple)?;
    Ok(Outcome::Passed)
}

/// Installs a package, as root on Debian and what comes from it.
fn install_package(shell: &Shell, package: &str) -> Result<()> {
    let root = cmd!(shell, "id -u").quiet().read().is_ok_and(|user| user == "0");
    ensure!(root, "only root can install it");
    let apt = |arguments: &[&str]| {
        let apt = cmd!(shell, "apt-get --yes --no-install-recommends").args(arguments);
        apt.env("DEBIAN_FRONTEND", "noninteractive").run()
    };
    // A fresh machine knows no packages before an update; one without network may have the package.
    apt(&["install", package]).or_else(|_| {
        apt(&["update"])?;
        apt(&["install", package])
    })?;
    Ok(())
}

fn fmt(workspace: &Workspace) -> Result<Outcome> {
    component(workspace, "rustfmt")?;
    passed(&workspace.cargo().args(["fmt", "--all", "--check"]))
}

fn clippy(workspace: &Workspace) -> Result<Outcome> {
    component(workspace, "clippy")?;
    let clippy = ["clippy", "--workspace", "--all-targets", "--", "-Dwarnings"];
    passed(&workspace.cargo().args(clippy))
}

fn clippy_i686(workspace: &Workspace) -> Result<Outcome> {
    clippy_for(workspace, "i686-unknown-linux-musl")
}

fn clippy_aarch64(workspace: &Workspace) -> Result<Outcome> {
    clippy_for(workspace, "aarch64-unknown-linux-musl")
}

fn clippy_wasm(workspace: &Workspace) -> Result<Outcome> {
    clippy_for(workspace, "wasm32-wasip1")
}

/// Nothing is linked or run, so that any machine can do it.
fn clippy_for(workspace: &Workspace, triple: &str) -> Result<Outcome> {
    component(workspace, "clippy")?;
    target::install(workspace, triple)?;
    let clippy = workspace.cargo().args(["clippy", "--all-features", "--target", triple]);
    passed(&clippy.args(published(workspace)).args(["--", "-Dwarnings"]))
}

fn docs(workspace: &Workspace) -> Result<Outcome> {
    let doc = workspace.cargo().args(["doc", "--workspace", "--no-deps"]);
    passed(&doc.env("RUSTDOCFLAGS", "-Dwarnings"))
}

fn test_x86_64(workspace: &Workspace) -> Result<Outcome> {
    natively(workspace, Target::X86_64, |_| {
        Ok(require_backends(workspace.cargo().args(["test", "--workspace"])).run()?)
    })
}

fn test_features(workspace: &Workspace) -> Result<Outcome> {
    let test = workspace.cargo().args(["test", "--all-features"]);
    passed(&test.args(published(workspace)))
}

/// Without xtask, which is built for the machine that it runs on.
fn test_i686(workspace: &Workspace) -> Result<Outcome> {
    natively(workspace, Target::I686, |triple| {
        let test = workspace.cargo().args(["test", "--workspace", "--target", triple]);
        Ok(require_backends(test.arg("--exclude=xtask")).run()?)
    })
}

/// On x86 every backend has to be there that the processor can run: one that is skipped is a failure.
fn require_backends(test: Cmd<'_>) -> Cmd<'_> {
    let mut backends = vec!["scalar", "unrolled", "sse2", "auto"];
    // The standard library looks, since the backends' own detection is under test.
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    {
        backends.extend(is_x86_feature_detected!("avx2").then_some("avx2"));
        let avx512 = is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vl");
        backends.extend(avx512.then_some("avx512"));
    }
    test.env(REQUIRE_BACKENDS, backends.join(","))
}

const REQUIRE_BACKENDS: &str = "REQUIRE_BACKENDS";

fn test_aarch64(workspace: &Workspace) -> Result<Outcome> {
    test_emulated(workspace, Emulated::Aarch64)
}

fn test_wasm(workspace: &Workspace) -> Result<Outcome> {
    test_emulated(workspace, Emulated::Wasm)
}

/// Without xtask, as on i686, and without the benchmarks, which have nothing to measure there.
fn test_emulated(workspace: &Workspace, target: Emulated) -> Result<Outcome> {
    emulated(workspace, target, |triple| {
        let test = workspace.cargo().args(["test", "--workspace"]);
        let test = test.args(["--exclude=xtask", "--exclude=threefish-benches"]);
        Ok(test.args(workspace.target_arguments(triple)).run()?)
    })
}

/// What each package's tests must print on an x86 processor without AVX: that the wide backends do not
/// run there, and that `auto` chose and passed.
const ON_OLD_X86_64: &[(&str, &[&str])] = &[
    ("threefish-avx2", &["SKIPPED avx2: "]),
    ("threefish-avx512", &["SKIPPED avx512: "]),
    (
        "threefish-auto",
        &[
            "test the_fastest_that_runs_is_chosen ... ok",
            "test threefish_1024::v1_3::equals_the_model ... ok",
        ],
    ),
];

/// The programs are those for the host: cargo builds nothing anew for another runner.
fn test_old_x86_64(workspace: &Workspace) -> Result<Outcome> {
    emulated(workspace, Emulated::OldX86_64, |triple| {
        let runner =
            format!("CARGO_TARGET_{}_RUNNER", triple.to_uppercase().replace(['-', '.'], "_"));
        let _runner = workspace.shell.push_env(runner, ".cargo/runners/old-x86_64.sh");
        for (package, expected) in ON_OLD_X86_64 {
            let test = workspace.cargo().args(["test", "--package", package, "--tests"]);
            let test = test.args(["--", "--show-output"]);
            let output = Command::from(test).stderr(Stdio::inherit()).output()?;
            let text = String::from_utf8_lossy(&output.stdout);
            ensure!(output.status.success(), "tests of {package} fail without AVX:\n{text}");
            ensure_lines(&text, expected).with_context(|| format!("tests of {package}"))?;
            let skipped: BTreeSet<_> =
                text.lines().filter(|line| line.starts_with("SKIPPED ")).collect();
            let results = text.lines().filter(|line| line.starts_with("test result: "));
            for line in skipped.into_iter().chain(results) {
                eprintln!("{package}: {line}");
            }
        }
        Ok(())
    })
}

/// That for each expected beginning there is a line.
fn ensure_lines(text: &str, expected: &[&str]) -> Result<()> {
    for start in expected {
        let found = text.lines().any(|line| line.starts_with(start));
        ensure!(found, "no line begins with {start:?}: these tests did not run:\n{text}");
    }
    Ok(())
}

fn check_vectors(_: &Workspace) -> Result<Outcome> {
    vectors::check(&[])?;
    Ok(Outcome::Passed)
}

fn diff_x86_64(workspace: &Workspace) -> Result<Outcome> {
    natively(workspace, Target::X86_64, |_| diff_on(workspace, diff::Choice::X86_64, 20_000))
}

fn diff_i686(workspace: &Workspace) -> Result<Outcome> {
    natively(workspace, Target::I686, |_| diff_on(workspace, diff::Choice::I686, 20_000))
}

fn diff_aarch64(workspace: &Workspace) -> Result<Outcome> {
    let step = |_: &str| diff_on(workspace, diff::Choice::Aarch64, 10_000);
    emulated(workspace, Emulated::Aarch64, step)
}

fn diff_wasm(workspace: &Workspace) -> Result<Outcome> {
    emulated(workspace, Emulated::Wasm, |_| diff_on(workspace, diff::Choice::Wasm, 10_000))
}

fn diff_on(workspace: &Workspace, target: diff::Choice, cases: u64) -> Result<()> {
    let (cases, seed) = (Some(cases), Some(1));
    diff::check(workspace, &diff::Arguments { target, cases, seed, time: None, json: false })
}

fn asm_x86_64(workspace: &Workspace) -> Result<Outcome> {
    natively(workspace, Target::X86_64, |_| asm::check(workspace, Choice::X86_64, false))
}

fn asm_i686(workspace: &Workspace) -> Result<Outcome> {
    natively(workspace, Target::I686, |_| asm::check(workspace, Choice::I686, false))
}

/// Features of published crates that say in their manifest that they need `std`.
const NEED_STD: [&str; 2] = ["override", "rayon"];

/// With all other features: those are `no_std`, too.
fn no_std(workspace: &Workspace) -> Result<Outcome> {
    let features = workspace.published().into_iter().flat_map(|package| {
        let features = package.features.keys();
        let no_std = features.filter(|feature| !NEED_STD.contains(&feature.as_str()));
        no_std.map(|feature| format!("--features={}/{feature}", package.name))
    });
    build_for(workspace, "thumbv7em-none-eabihf", features)
}

fn wasm(workspace: &Workspace) -> Result<Outcome> {
    build_for(workspace, "wasm32-unknown-unknown", [])
}

fn no_sse2(workspace: &Workspace) -> Result<Outcome> {
    build_for(workspace, "i586-unknown-linux-gnu", [])
}

fn build_for(
    workspace: &Workspace,
    triple: &str,
    arguments: impl IntoIterator<Item = String>,
) -> Result<Outcome> {
    target::install(workspace, triple)?;
    let build = workspace.cargo().args(["build", "--target", triple]).args(arguments);
    passed(&build.args(published(workspace)))
}

fn bench_x86_64(workspace: &Workspace) -> Result<Outcome> {
    natively(workspace, Target::X86_64, |_| bench::smoke(workspace, Target::X86_64))
}

fn bench_i686(workspace: &Workspace) -> Result<Outcome> {
    natively(workspace, Target::I686, |_| bench::smoke(workspace, Target::I686))
}

/// The test of the report that opens it, where there is a browser or can be one.
fn report(workspace: &Workspace) -> Result<Outcome> {
    if bench::report::browser().is_none()
        && let Err(reason) = install_package(&workspace.shell, "chromium")
    {
        let reason =
            reason.context("no chromium is installed here (Debian: `apt install chromium`)");
        return Ok(Outcome::Skipped(format!("{reason:#}")));
    }
    let test = workspace.cargo().args(["test", "--package=xtask", "report_in_a_browser"]);
    let test = test.env(bench::report::REQUIRE_BROWSER, "1");
    let output = Command::from(test).stderr(Stdio::inherit()).output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    ensure!(output.status.success(), "a browser does not take the report:\n{text}");
    ensure_lines(&text, &["test bench::report::browser::report_in_a_browser ... ok"])?;
    Ok(Outcome::Passed)
}

fn ladder_x86_64(workspace: &Workspace) -> Result<Outcome> {
    natively(workspace, Target::X86_64, |_| ladder::smoke(workspace, Target::X86_64))
}

fn ladder_i686(workspace: &Workspace) -> Result<Outcome> {
    natively(workspace, Target::I686, |_| ladder::smoke(workspace, Target::I686))
}

fn criterion(workspace: &Workspace) -> Result<Outcome> {
    let bench = ["bench", "--package=threefish-benches", "--", "--test"];
    passed(&workspace.cargo().args(bench))
}

/// Without the network: what the crates need has been fetched by the steps before.
///
/// In a directory of its own each time: cargo keeps the sources of packages that it verified by the
/// directory's path and the version, and would verify a changed backend against the api of the last
/// time.
fn package(workspace: &Workspace) -> Result<Outcome> {
    let directory = workspace.shell.create_temp_dir()?;
    let package = workspace
        .cargo()
        .args(["package", "--offline", "--allow-dirty"])
        .arg("--target-dir")
        .arg(directory.path());
    passed(&package.args(published(workspace)))
}

fn msrv(workspace: &Workspace) -> Result<Outcome> {
    let shell = &workspace.shell;
    let version = workspace
        .published()
        .iter()
        .find_map(|package| package.rust_version.clone())
        .context("no published crate states its minimum Rust version")?;
    let (major, minor) = (version.major, version.minor);
    let Ok(toolchains) = cmd!(shell, "rustup toolchain list").quiet().read() else {
        return Ok(Outcome::Skipped(format!("no rustup to ask for Rust {major}.{minor}")));
    };
    let prefixes = [format!("{major}.{minor}-"), format!("{major}.{minor}.")];
    let names = toolchains.lines().filter_map(|line| line.split_whitespace().next());
    match { names }.find(|name| prefixes.iter().any(|prefix| name.starts_with(prefix))) {
        Some(name) => {
            passed(&cmd!(shell, "rustup run {name} cargo check --workspace --all-targets"))
        }
        None => Ok(Outcome::Skipped(format!(
            "Rust {major}.{minor} is not installed (rustup toolchain install {major}.{minor})"
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_that_did_not_run_are_missed() {
        let text = "running 2 tests\ntest one ... ok\nSKIPPED avx2: why\n";
        ensure_lines(text, &["test one ... ok", "SKIPPED avx2: "]).unwrap();
        let error = ensure_lines(text, &["test one ... ok", "test two ... ok"]).unwrap_err();
        assert!(error.to_string().contains("\"test two ... ok\""), "{error}");
    }
}
