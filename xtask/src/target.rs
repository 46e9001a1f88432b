//! The targets that programs are built for and run on: [`Target`] natively, [`Emulated`] under an
//! emulator.
//!
//! 32-bit programs on Linux are built for `i686-unknown-linux-musl`: its C library comes with the
//! Rust target and its linker with the toolchain (`.cargo/config.toml`), so neither root nor a
//! package manager is needed. An environment variable `RUSTFLAGS`, which replaces the flags of that
//! file, does no harm: a static musl target links its own C library anyway, and the
//! linker is not among the flags. Whoever has a 32-bit glibc can ask for `i686-gnu`.

mod emulated;

use std::{
    path::Path,
    process::{Command, Stdio},
};

use anyhow::{Context, Result, bail, ensure};
use clap::ValueEnum;
use xshell::cmd;

use crate::workspace::{Workspace, rustc};
pub(crate) use emulated::{Emulated, Emulator};

/// A processor whose programs run natively, so that it makes sense to time them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    X86_64,
    I686,
    /// With the system's own C library, which must be there in 32 bits, and one register more than
    /// the target with musl, which keeps a frame pointer.
    I686Gnu,
}

/// Targets as the command line names them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Choice {
    /// 64-bit x86
    #[value(name = "x86_64")]
    X86_64,
    /// 32-bit x86
    I686,
    /// 32-bit x86 with glibc, which has one register more; needs a 32-bit C library (gcc-multilib)
    #[value(name = "i686-gnu")]
    I686Gnu,
    /// `x86_64` and i686
    All,
}

impl Choice {
    pub(crate) fn targets(self) -> Vec<Target> {
        match self {
            Self::X86_64 => vec![Target::X86_64],
            Self::I686 => vec![Target::I686],
            Self::I686Gnu => vec![Target::I686Gnu],
            Self::All => vec![Target::X86_64, Target::I686],
        }
    }
}

impl Target {
    /// The Rust target whose programs run natively on the host, or why there is none.
    pub(crate) fn triple(self, host: &str) -> Result<String> {
        let (arch, system) = host.split_once('-').unwrap_or((host, ""));
        let is_x86 = arch == "x86_64" || arch == "i686";
        match self {
            Self::X86_64 if arch == "x86_64" => Ok(host.to_owned()),
            Self::I686Gnu if is_x86 && system == "unknown-linux-gnu" => {
                Ok("i686-unknown-linux-gnu".to_owned())
            }
            Self::I686Gnu => bail!("i686-gnu runs on x86 Linux with glibc only; use i686"),
            Self::I686 if system.contains("apple") => {
                bail!("macOS can't run 32-bit programs; use Linux or Windows")
            }
            Self::I686 if is_x86 && system.contains("linux") => {
                Ok("i686-unknown-linux-musl".to_owned())
            }
            Self::I686 if is_x86 && system.contains("windows") => Ok(format!("i686-{system}")),
            Self::X86_64 | Self::I686 => bail!(
                "this machine ({host}) can't run {} programs natively, and times or tests under \
                 emulation would say little; use x86 Linux",
                if self == Self::I686 { "32-bit x86" } else { "x86_64" },
            ),
        }
    }

    /// Builds a program that runs here: adds the Rust target when it is missing, and sees that
    /// the machine can run the result. Gives the Rust target, too.
    pub(crate) fn build(
        self,
        workspace: &Workspace,
        package: &str,
        program: &str,
    ) -> Result<(String, std::path::PathBuf)> {
        let triple = self.triple(&workspace.host)?;
        install(workspace, &triple)?;
        let path = workspace.build(package, program, &triple).with_context(|| match self {
            Self::I686Gnu => {
                "if the linker finds no 32-bit C library, install one (Debian: `apt install \
                 gcc-multilib`), or use `--target i686`, which needs none"
            }
            Self::X86_64 | Self::I686 => "see what the compiler says above",
        })?;
        try_out(&path, &triple)?;
        Ok((triple, path))
    }
}

/// Adds a Rust target through rustup, if its standard library is not there.
pub(crate) fn install(workspace: &Workspace, triple: &str) -> Result<()> {
    install_with("rustup", workspace, triple)
}

fn install_with(rustup: &str, workspace: &Workspace, triple: &str) -> Result<()> {
    let shell = &workspace.shell;
    let rustc = rustc();
    let directory = cmd!(shell, "{rustc} --print target-libdir --target {triple}")
        .quiet()
        .ignore_stderr()
        .read()
        .with_context(|| format!("this compiler does not know the target {triple}"))?;
    if Path::new(&directory).exists() {
        return Ok(());
    }
    cmd!(shell, "{rustup} target add {triple}").run().with_context(|| {
        format!(
            "the Rust target {triple} is not installed ({directory} does not exist), and \
             `{rustup} target add {triple}` failed. With rustup (https://rustup.rs) run that \
             command yourself and look at what it says; without, install the standard library of \
             this target from where your Rust came from"
        )
    })
}

/// Runs a program for its help alone, to see that programs of this target run here at all.
fn try_out(program: &Path, triple: &str) -> Result<()> {
    let status = Command::new(program)
        .arg("--help")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .with_context(|| {
            format!(
                "{triple} was built, but this machine can't run it (tried `{} --help`). If it \
                 is a 32-bit program, the kernel lacks 32-bit support (CONFIG_IA32_EMULATION, or \
                 `ia32_emulation=0` at boot) or a sandbox forbids it: use another machine, or \
                 choose `--target x86_64`",
                program.display()
            )
        })?;
    ensure!(
        status.success(),
        "{triple} was built, but `{} --help` ended with {status}",
        program.display()
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn triple(target: Target, host: &str) -> Result<String, String> {
        target.triple(host).map_err(|error| error.to_string())
    }

    #[test]
    fn each_host_has_its_native_targets() {
        let linux = "x86_64-unknown-linux-gnu";
        assert_eq!(triple(Target::X86_64, linux).unwrap(), linux);
        assert_eq!(triple(Target::I686, linux).unwrap(), "i686-unknown-linux-musl");
        assert_eq!(triple(Target::I686Gnu, linux).unwrap(), "i686-unknown-linux-gnu");
        let windows = "x86_64-pc-windows-msvc";
        assert_eq!(triple(Target::X86_64, windows).unwrap(), windows);
        assert_eq!(triple(Target::I686, windows).unwrap(), "i686-pc-windows-msvc");
        assert_eq!(
            triple(Target::I686, "i686-unknown-linux-gnu").unwrap(),
            "i686-unknown-linux-musl"
        );
    }

    #[test]
    fn hosts_that_cannot_say_so() {
        let mac = triple(Target::I686, "x86_64-apple-darwin").unwrap_err();
        assert!(mac.contains("macOS can't run 32-bit programs"), "{mac}");
        let glibc = triple(Target::I686Gnu, "x86_64-pc-windows-msvc").unwrap_err();
        assert!(glibc.contains("use i686"), "{glibc}");
        let arm = triple(Target::X86_64, "aarch64-unknown-linux-gnu").unwrap_err();
        assert!(arm.contains("aarch64-unknown-linux-gnu"), "{arm}");
        let old = triple(Target::X86_64, "i686-unknown-linux-gnu").unwrap_err();
        assert!(old.contains("x86_64 programs"), "{old}");
    }

    #[test]
    fn all_is_both() {
        assert_eq!(Choice::All.targets(), [Target::X86_64, Target::I686]);
        assert_eq!(Choice::I686.targets(), [Target::I686]);
        assert_eq!(Choice::I686Gnu.targets(), [Target::I686Gnu]);
    }

    #[test]
    fn missing_rustup_says_what_was_tried_and_what_to_do() {
        let workspace = Workspace::find().unwrap();
        // A target that nobody has installed here, and a rustup that nobody has.
        let triple = "powerpc-unknown-linux-musl";
        let error = install_with("rustup-that-is-missing", &workspace, triple).unwrap_err();
        let error = format!("{error:#}");
        assert!(error.contains("`rustup-that-is-missing target add powerpc"), "{error}");
        assert!(error.contains("https://rustup.rs"), "{error}");
        assert!(error.contains("command not found"), "{error}");
    }

    #[test]
    fn an_unknown_triple_is_named() {
        let workspace = Workspace::find().unwrap();
        let error = install(&workspace, "vax-dec-ultrix").unwrap_err().to_string();
        assert!(error.contains("does not know the target vax-dec-ultrix"), "{error}");
    }

    #[cfg(unix)]
    #[test]
    fn a_program_that_the_kernel_refuses() {
        use std::{fs, os::unix::fs::PermissionsExt};

        // What a kernel without 32-bit support sees in a 32-bit program: a format it does not know.
        let directory = xshell::Shell::new().unwrap().create_temp_dir().unwrap();
        let program = directory.path().join("program");
        fs::write(&program, b"\x7fELF of no machine").unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        let error = try_out(&program, "i686-unknown-linux-musl").unwrap_err();
        assert!(error.to_string().contains("CONFIG_IA32_EMULATION"), "{error:#}");
    }
}
