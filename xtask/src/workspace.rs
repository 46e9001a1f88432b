//! The workspace, and how cargo is called in it.

use std::{
    env,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};
use cargo_metadata::{Artifact, Message, Metadata, MetadataCommand, Package};
use xshell::{Cmd, Shell, cmd};

/// Of xtask: the one that cargo runs, and not the one that was built where two clones share a target
/// directory.
pub(crate) fn package_directory() -> PathBuf {
    env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).to_owned(), PathBuf::from)
}

/// Where everything is, and a shell that stands in the workspace's root.
#[derive(Debug)]
pub(crate) struct Workspace {
    metadata: Metadata,
    pub(crate) shell: Shell,
    /// The target that this toolchain itself runs on, such as `x86_64-unknown-linux-gnu`.
    pub(crate) host: String,
}

impl Workspace {
    pub(crate) fn find() -> Result<Self> {
        let manifest = package_directory().join("Cargo.toml");
        let metadata = MetadataCommand::new()
            .manifest_path(&manifest)
            .no_deps()
            .exec()
            .with_context(|| format!("cargo can't read {}", manifest.display()))?;

        let shell = Shell::new()?;
        shell.change_dir(&metadata.workspace_root);
        let rustc = rustc();
        let version = cmd!(shell, "{rustc} -vV").quiet().read()?;
        let host = version
            .lines()
            .find_map(|line| line.strip_prefix("host: "))
            .with_context(|| format!("`{} -vV` names no host", rustc.display()))?;
        let host = host.to_owned();
        Ok(Self { metadata, shell, host })
    }

    /// A call of the cargo that called us.
    pub(crate) fn cargo(&self) -> Cmd<'_> {
        self.shell.cmd(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
    }

    /// The directory that cargo builds into.
    pub(crate) fn target_directory(&self) -> &Path {
        self.metadata.target_directory.as_std_path()
    }

    /// Crates that go to crates.io.
    pub(crate) fn published(&self) -> Vec<&Package> {
        let packages = self.metadata.workspace_packages().into_iter();
        packages
            .filter(|package| package.publish.as_ref().is_none_or(|to| !to.is_empty()))
            .collect()
    }

    /// Builds a program in release and gives its path.
    pub(crate) fn build(&self, package: &str, program: &str, triple: &str) -> Result<PathBuf> {
        self.artifacts(self.cargo(), package, &["--bin", program], triple)?
            .into_iter()
            .filter_map(|artifact| artifact.executable)
            .next_back()
            .map(PathBuf::from)
            .with_context(|| format!("cargo built {program} for {triple}, but named no program"))
    }

    /// Builds a library in release and gives the path of its `.rlib`.
    pub(crate) fn build_library(&self, package: &str, triple: &str) -> Result<PathBuf> {
        self.build_library_with(self.cargo(), package, triple)
    }

    /// As [`Self::build_library`], for a processor by its name, in a directory of its own.
    pub(crate) fn build_library_for(
        &self,
        processor: &str,
        package: &str,
        triple: &str,
    ) -> Result<PathBuf> {
        let directory = self.target_directory().join(processor);
        let cargo = self
            .cargo()
            .env("RUSTFLAGS", format!("-Ctarget-cpu={processor}"))
            .env("CARGO_TARGET_DIR", directory);
        self.build_library_with(cargo, package, triple)
    }

    fn build_library_with(&self, cargo: Cmd<'_>, package: &str, triple: &str) -> Result<PathBuf> {
        let artifact = self.artifacts(cargo, package, &["--lib"], triple)?.pop();
        let files = artifact.into_iter().flat_map(|artifact| artifact.filenames);
        { files }
            .find(|file| file.extension() == Some("rlib"))
            .map(PathBuf::from)
            .with_context(|| format!("cargo built {package} for {triple}, but named no library"))
    }

    /// What cargo builds in release for a package, its dependencies first.
    fn artifacts(
        &self,
        cargo: Cmd<'_>,
        package: &str,
        what: &[&str],
        triple: &str,
    ) -> Result<Vec<Artifact>> {
        let messages = cargo
            .args(["build", "--release", "--message-format=json-render-diagnostics"])
            .args(["--package", package])
            .args(what)
            .args(self.target_arguments(triple))
            .read()
            .with_context(|| format!("{package} does not build for {triple}"))?;
        let artifact = |message| match message {
            Ok(Message::CompilerArtifact(artifact)) => Some(artifact),
            _ => None,
        };
        Ok(Message::parse_stream(messages.as_bytes()).filter_map(artifact).collect())
    }

    /// `--target`, unless it is the host: so builds for the host are shared with plain cargo's.
    pub(crate) fn target_arguments(&self, triple: &str) -> Vec<String> {
        if triple == self.host { vec![] } else { vec![format!("--target={triple}")] }
    }
}

/// The compiler that cargo uses.
pub(crate) fn rustc() -> PathBuf {
    env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()).into()
}
