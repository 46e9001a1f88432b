//! The registry of backends against the crates of the workspace.

use std::{collections::BTreeSet, fs, path::Path};

use serde::Deserialize;
use threefish_conformance::registry;

/// Crates that hold no cipher of their own.
const NO_BACKENDS: [&str; 4] =
    ["threefish-api", "threefish-conformance", "threefish-lanes", "threefish-rustcrypto"];

#[derive(Deserialize)]
struct Manifest {
    package: Package,
}

#[derive(Deserialize)]
struct Package {
    name: String,
}

#[test]
fn the_registry_lists_every_backend_of_the_workspace() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let packages: BTreeSet<_> = fs::read_dir(crates)
        .expect("the directory `crates` of the workspace")
        .filter_map(|entry| fs::read_to_string(entry.ok()?.path().join("Cargo.toml")).ok())
        .map(|text| toml::from_str::<Manifest>(&text).expect("a manifest").package.name)
        .filter(|name| name.starts_with("threefish-") && !NO_BACKENDS.contains(&name.as_str()))
        .collect();
    let registered: BTreeSet<_> =
        registry::backends().iter().map(|backend| format!("threefish-{}", backend.name)).collect();
    assert_eq!(registered, packages, "registry (left) and crates of the workspace (right)");
}

#[test]
fn skipped_backends_give_no_subject_and_a_reason() {
    for backend in registry::backends() {
        let subject = backend
            .subject(threefish_conformance::Size::Bits256, threefish_conformance::Version::V1_3);
        assert_eq!(subject.is_none(), backend.skipped().is_some(), "{backend:?}");
        if let Some(reason) = backend.skipped() {
            println!("SKIPPED {}: {reason}", backend.name);
        }
    }
}

/// With `REQUIRE_BACKENDS` set, this fails where one of them cannot run.
#[test]
fn required_backends_run_here() {
    for line in registry::skipped().unwrap_or_else(|error| panic!("{error}")) {
        println!("{line}");
    }
}
