//! What a difference between backends may depend on, and a report so has to tell.

use serde::Serialize;
use threefish_conformance::{Size, Version, registry};

/// The machine, and what the program was built for and by.
#[derive(Debug, Serialize)]
pub(crate) struct Machine {
    /// The processor's name for itself, where it has one.
    pub(crate) processor: Option<String>,
    /// Those features of it that backends use.
    pub(crate) features: Vec<&'static str>,
    /// What it lacks that backends of its target would use.
    pub(crate) missing: Vec<&'static str>,
    /// The operating system.
    pub(crate) system: &'static str,
    pub(crate) pointer_bits: u32,
    /// The Rust target.
    pub(crate) target: &'static str,
    pub(crate) rustc: &'static str,
    /// The version of all crates of the workspace.
    pub(crate) version: &'static str,
}

impl Machine {
    pub(crate) fn here() -> Self {
        let (features, missing) = features();
        Self {
            processor: processor(),
            features,
            missing,
            // WebAssembly names none.
            system: Some(std::env::consts::OS).filter(|os| !os.is_empty()).unwrap_or("none"),
            pointer_bits: usize::BITS,
            target: env!("TARGET"),
            rustc: env!("RUSTC_VERSION"),
            version: env!("CARGO_PKG_VERSION"),
        }
    }

    /// The target as `cargo xtask diff --target` names it.
    pub(crate) fn target_choice(&self) -> &'static str {
        match self.target.split('-').next() {
            Some("x86_64") => "x86_64",
            Some("aarch64") => "aarch64",
            Some("wasm32") => "wasm",
            Some("i686") if self.target.ends_with("linux-gnu") => "i686-gnu",
            Some("i686") => "i686",
            _ => "all",
        }
    }
}

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
fn processor() -> Option<String> {
    let brand = raw_cpuid::CpuId::new().get_processor_brand_string()?;
    Some(brand.as_str().trim().to_owned())
}

#[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
fn processor() -> Option<String> {
    None
}

/// What there is: that every processor of the target has, and that backends look for when the
/// program runs. Then, what these miss.
fn features() -> (Vec<&'static str>, Vec<&'static str>) {
    let baseline = [
        (cfg!(target_feature = "sse2"), "SSE2"),
        (cfg!(target_feature = "neon"), "NEON"),
        (cfg!(target_feature = "simd128"), "simd128"),
    ];
    let mut features: Vec<_> =
        baseline.into_iter().filter_map(|(there, name)| there.then_some(name)).collect();
    let mut missing = Vec::new();
    for backend in registry::backends().iter().filter(|backend| !backend.needs.is_empty()) {
        let runs = backend.subject(Size::Bits256, Version::V1_3).is_some();
        let list = if runs { &mut features } else { &mut missing };
        if !list.contains(&backend.needs) {
            list.push(backend.needs);
        }
    }
    (features, missing)
}
