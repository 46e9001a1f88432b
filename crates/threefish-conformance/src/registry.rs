//! The one list of backends. Whatever works on all of them is built on
//! [`for_each_backend!`](crate::for_each_backend!), so a new backend is one line here (and a
//! dependency in `Cargo.toml`); a test holds the list against the crates of the workspace.

use std::env;

use threefish_api::{Threefish, revision::Version};

use crate::{Size, oracle, subject::Subject};

/// Calls `callback!(#[cfg(CONDITION)] threefish_NAME);` for the crate of each backend, as items or
/// as statements. Where the condition does not hold, that crate is empty.
///
/// ```
/// macro_rules! print {
///     (#[cfg($($condition:tt)*)] $backend:ident) => {
///         #[cfg($($condition)*)]
///         println!("{}", stringify!($backend));
///     };
/// }
/// threefish_conformance::for_each_backend!(print);
/// ```
#[macro_export]
macro_rules! for_each_backend {
    ($callback:ident) => {
        $callback!(
            #[cfg(all())]
            threefish_scalar
        );
        $callback!(
            #[cfg(all())]
            threefish_unrolled
        );
        $callback!(
            #[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))]
            threefish_sse2
        );
        $callback!(
            #[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))]
            threefish_avx2
        );
        $callback!(
            #[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))]
            threefish_avx512
        );
        $callback!(
            #[cfg(all(
                target_arch = "aarch64",
                target_feature = "neon",
                target_endian = "little"
            ))]
            threefish_neon
        );
        $callback!(
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            threefish_wasm
        );
        $callback!(
            #[cfg(all())]
            threefish_auto
        );
    };
}

/// The crates of all backends, so that what is built on [`for_each_backend!`](crate::for_each_backend!)
/// needs no dependency of its own on each.
///
/// ```
/// macro_rules! print {
///     (#[cfg($($condition:tt)*)] $backend:ident) => {
///         #[cfg($($condition)*)]
///         println!("{:?}", threefish_conformance::registry::crates::$backend::Threefish256::new(&[0; 4]));
///     };
/// }
/// threefish_conformance::for_each_backend!(print);
/// ```
pub mod crates {
    macro_rules! export {
        (#[$condition:meta] $backend:ident) => {
            #[$condition]
            pub use $backend;
        };
    }
    for_each_backend!(export);
}

/// A backend of the registry, present here or not.
#[derive(Clone, Debug)]
pub struct Backend {
    /// As in reports, such as `"sse2"`.
    pub name: &'static str,
    /// As in `use`, such as `"threefish_sse2"`.
    pub crate_name: &'static str,
    /// What its kernels need of the processor that not every one of the target has; empty if
    /// nothing, or if it is not built.
    pub needs: &'static str,
    status: Status,
}

#[derive(Clone, Debug)]
enum Status {
    Present(SubjectOf),
    Skipped(String),
}

type SubjectOf = fn(Size, Version) -> Subject;

impl Backend {
    /// The backend for a size and revision, if its own kernels run here.
    #[must_use]
    pub fn subject(&self, size: Size, version: Version) -> Option<Subject> {
        match &self.status {
            Status::Present(subject) => Some(subject(size, version)),
            Status::Skipped(_) => None,
        }
    }

    /// Why the backend is skipped, unless its own kernels run here.
    #[must_use]
    pub fn skipped(&self) -> Option<&str> {
        match &self.status {
            Status::Present(_) => None,
            Status::Skipped(reason) => Some(reason),
        }
    }

    fn new(
        crate_name: &'static str,
        needs: &'static str,
        present: Option<(Result<(), String>, SubjectOf)>,
        condition: &str,
    ) -> Self {
        let status = match present {
            Some((Ok(()), subject)) => Status::Present(subject),
            Some((Err(reason), _)) => Status::Skipped(reason),
            None => Status::Skipped(format!(
                "not built for this target, which lacks {}",
                condition.split_whitespace().collect::<Vec<_>>().join(" ")
            )),
        };
        let name = crate_name.strip_prefix("threefish_").unwrap_or(crate_name);
        Self { name, crate_name, needs, status }
    }
}

/// Whether the backend's own kernels run here; the error says what is missing.
fn supported<T: Threefish>() -> Result<(), String> {
    if T::is_supported() { Ok(()) } else { Err(unsupported::<T>()) }
}

/// Why a backend that is built is skipped.
pub(crate) fn unsupported<T: Threefish>() -> String {
    format!("this processor lacks {}", T::NEEDS)
}

/// Every backend, in the order of the registry.
#[must_use]
pub fn backends() -> Vec<Backend> {
    let mut backends = Vec::new();
    macro_rules! push {
        (#[cfg($($condition:tt)*)] $backend:ident) => {
            #[cfg($($condition)*)]
            backends.push(Backend::new(
                stringify!($backend),
                $backend::Threefish256::<threefish_api::V1_3>::NEEDS,
                Some((
                    supported::<$backend::Threefish256>(),
                    |size, version| subject_of!($backend, size, version),
                )),
                "",
            ));
            #[cfg(not($($condition)*))]
            backends.push(Backend::new(
                stringify!($backend),
                "",
                None,
                stringify!($($condition)*),
            ));
        };
    }
    for_each_backend!(push);
    backends
}

macro_rules! subject_of {
    ($backend:ident, $size:expr, $version:expr) => {
        match $size {
            Size::Bits256 => subject_of!(@ $backend, Threefish256, $version),
            Size::Bits512 => subject_of!(@ $backend, Threefish512, $version),
            Size::Bits1024 => subject_of!(@ $backend, Threefish1024, $version),
        }
    };
    (@ $backend:ident, $Cipher:ident, $version:expr) => {
        match $version {
            Version::V1_1 => Subject::of::<$backend::$Cipher<threefish_api::V1_1>>(),
            Version::V1_2 => Subject::of::<$backend::$Cipher<threefish_api::V1_2>>(),
            Version::V1_3 => Subject::of::<$backend::$Cipher<threefish_api::V1_3>>(),
        }
    };
}
use subject_of;

/// All that must agree with the model: the backends that run here, and for revision 1.3 the crate
/// `threefish` of crates.io.
#[must_use]
pub fn subjects(size: Size, version: Version) -> Vec<Subject> {
    let mut subjects: Vec<_> =
        backends().iter().filter_map(|backend| backend.subject(size, version)).collect();
    if version == Version::V1_3 {
        subjects.push(oracle::published_crate(size));
    }
    subjects
}

/// The model as a subject.
#[must_use]
pub fn model(size: Size, version: Version) -> Subject {
    oracle::model(size, version)
}

/// `Ok` with a line `SKIPPED name: reason` for each backend that does not run here.
///
/// # Errors
///
/// A message if `REQUIRE_BACKENDS` lists one of these, or a name that no backend has.
pub fn skipped() -> Result<Vec<String>, String> {
    let backends = backends();
    for name in required() {
        if !backends.iter().any(|backend| backend.name == name) {
            let names: Vec<_> = backends.iter().map(|backend| backend.name).collect();
            let names = names.join(", ");
            return Err(format!("REQUIRE_BACKENDS lists {name:?}, but backends are {names}"));
        }
    }
    backends.iter().filter_map(|backend| Some(skip(backend.name, backend.skipped()?))).collect()
}

/// The line `SKIPPED name: reason`.
///
/// # Errors
///
/// A message if `REQUIRE_BACKENDS` lists the backend.
pub fn skip(name: &str, reason: &str) -> Result<String, String> {
    if required().iter().any(|required| required == name) {
        Err(format!("REQUIRE_BACKENDS lists {name}, but it cannot run: {reason}"))
    } else {
        Ok(format!("SKIPPED {name}: {reason}"))
    }
}

/// The names that the environment variable `REQUIRE_BACKENDS` lists, between commas.
fn required() -> Vec<String> {
    let list = env::var("REQUIRE_BACKENDS").unwrap_or_default();
    list.split(',').map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned).collect()
}
