//! Targets whose programs run under an emulator.

use std::process::{Command, Stdio};

use anyhow::{Result, bail, ensure};

/// A processor that this machine need not be: what its programs compute counts, not how fast.
///
/// Cargo itself starts the emulator, the `runner` of `.cargo/config.toml`: so `cargo test --target`
/// and `cargo run --target` work for everyone. Programs for an old x86 processor are those of the
/// host, so that there the environment has to name the runner, `.cargo/runners/old-x86_64.sh`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Emulated {
    /// 64-bit ARM.
    Aarch64,
    /// WebAssembly with SIMD.
    Wasm,
    /// 64-bit x86 of 2008: with SSE4.2, without AVX.
    OldX86_64,
}

/// What runs programs of another processor, and has to be installed.
#[derive(Debug)]
pub(crate) struct Emulator {
    name: &'static str,
    /// Commands of which one succeeds if it is there.
    probes: &'static [&'static [&'static str]],
    /// The package of Debian that has it.
    pub(crate) package: &'static str,
}

const QEMU: Emulator = Emulator {
    name: "qemu for 64-bit ARM",
    probes: &[&["qemu-aarch64", "--version"], &["qemu-aarch64-static", "--version"]],
    package: "qemu-user",
};

const QEMU_X86_64: Emulator = Emulator {
    name: "qemu for 64-bit x86",
    probes: &[&["qemu-x86_64", "--version"], &["qemu-x86_64-static", "--version"]],
    package: "qemu-user",
};

const NODE: Emulator = Emulator {
    name: "Node 18 or later",
    probes: &[&["node", "--eval", "process.exit(parseInt(process.versions.node) < 18 ? 1 : 0)"]],
    package: "nodejs",
};

impl Emulated {
    /// The Rust target whose programs can run on the host, or why there is none.
    pub(crate) fn triple(self, host: &str) -> Result<String> {
        match self {
            Self::Aarch64 if is_aarch64(host) => Ok(host.to_owned()),
            Self::Aarch64 if host.contains("linux") => Ok("aarch64-unknown-linux-musl".to_owned()),
            Self::Aarch64 => bail!("qemu runs single programs on Linux only; use Linux"),
            Self::Wasm if host.contains("windows") => {
                bail!("Windows can't start the script .cargo/runners/wasm.mjs; use Linux or macOS")
            }
            Self::Wasm => Ok("wasm32-wasip1".to_owned()),
            Self::OldX86_64 if host.starts_with("x86_64-") && host.contains("linux") => {
                Ok(host.to_owned())
            }
            Self::OldX86_64 => bail!("an old x86 runs under qemu on x86_64 Linux only; use that"),
        }
    }

    /// What runs its programs, unless the host does.
    pub(crate) fn emulator(self, host: &str) -> Option<&'static Emulator> {
        match self {
            Self::Aarch64 if is_aarch64(host) => None,
            Self::Aarch64 => Some(&QEMU),
            Self::Wasm => Some(&NODE),
            Self::OldX86_64 => Some(&QEMU_X86_64),
        }
    }
}

fn is_aarch64(host: &str) -> bool {
    host.starts_with("aarch64-")
}

impl Emulator {
    /// Whether it is there, or else what to install.
    pub(crate) fn find(&self) -> Result<()> {
        let succeeds = |probe: &&[&str]| {
            let mut command = Command::new(probe[0]);
            command.args(&probe[1..]).stdin(Stdio::null());
            command.output().is_ok_and(|output| output.status.success())
        };
        let Self { name, probes, package } = self;
        let found = probes.iter().any(succeeds);
        ensure!(found, "{name} is not installed here (Debian: `apt install {package}`)");
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_host_has_its_targets_and_emulators() {
        for (target, host, triple, package) in [
            (
                Emulated::Aarch64,
                "x86_64-unknown-linux-gnu",
                "aarch64-unknown-linux-musl",
                Some("qemu-user"),
            ),
            (Emulated::Aarch64, "aarch64-unknown-linux-gnu", "aarch64-unknown-linux-gnu", None),
            (Emulated::Aarch64, "aarch64-apple-darwin", "aarch64-apple-darwin", None),
            (Emulated::Wasm, "aarch64-apple-darwin", "wasm32-wasip1", Some("nodejs")),
            (
                Emulated::OldX86_64,
                "x86_64-unknown-linux-gnu",
                "x86_64-unknown-linux-gnu",
                Some("qemu-user"),
            ),
        ] {
            assert_eq!(target.triple(host).unwrap(), triple, "{target:?} on {host}");
            let emulator = target.emulator(host);
            assert_eq!(emulator.map(|emulator| emulator.package), package, "{target:?} on {host}");
        }
    }

    #[test]
    fn hosts_that_cannot_say_so() {
        let windows = "x86_64-pc-windows-msvc";
        let error = Emulated::Aarch64.triple(windows).unwrap_err().to_string();
        assert!(error.contains("use Linux"), "{error}");
        let error = Emulated::Wasm.triple(windows).unwrap_err().to_string();
        assert!(error.contains("use Linux or macOS"), "{error}");
        for host in [windows, "aarch64-unknown-linux-gnu"] {
            let error = Emulated::OldX86_64.triple(host).unwrap_err().to_string();
            assert!(error.contains("x86_64 Linux"), "{error}");
        }
    }

    #[test]
    fn an_emulator_is_there_if_one_of_its_commands_is() {
        let missing: &[&str] = &["emulator-that-is-missing"];
        let fails: &[&str] = &["cargo", "no-such-command"];
        let works: &[&str] = &["cargo", "--version"];
        let find = |probes: &'static [&'static [&'static str]]| {
            Emulator { name: "Its name", probes, package: "its-package" }.find()
        };
        find(Box::leak(Box::new([missing, works]))).unwrap();
        let error = find(Box::leak(Box::new([missing, fails]))).unwrap_err().to_string();
        assert!(error.contains("Its name") && error.contains("apt install its-package"), "{error}");
    }
}
