//! Who is measured.

use threefish_api::Threefish;

use crate::{
    Case, Op,
    cipher::{self, Cipher, CounterMode},
    workload::{Workload, workload},
};

/// The name of the crates.io crate `threefish` among the subjects.
pub const THREEFISH_CRATE: &str = "threefish-crate";
/// The name of the subject that does nothing: the harness's own cost.
pub const NOTHING: &str = "nothing";
/// The backend that others are compared with.
pub const YARDSTICK: &str = "unrolled";

/// A cipher of one size, to be measured.
#[derive(Clone, Copy, Debug)]
pub struct Subject<W> {
    /// The backend's name, [`THREEFISH_CRATE`] or [`NOTHING`].
    pub name: &'static str,
    /// Blocks side by side in a register.
    pub lanes: usize,
    /// The loop for a case and a direction.
    pub workload: fn(Op, Case) -> Workload<W>,
}

impl<W: CounterMode> Subject<W> {
    fn new<C: Cipher<Words = W>>(name: &'static str, lanes: usize) -> Self {
        Self { name, lanes, workload: workload::<C> }
    }

    fn backend<T: Threefish<Words = W>>() -> Self {
        Self::new::<T>(T::BACKEND, T::LANES)
    }
}

/// All subjects of each size, and who can't be measured here.
#[derive(Debug)]
pub struct Subjects {
    /// Threefish-256.
    pub bits_256: Vec<Subject<[u64; 4]>>,
    /// Threefish-512.
    pub bits_512: Vec<Subject<[u64; 8]>>,
    /// Threefish-1024.
    pub bits_1024: Vec<Subject<[u64; 16]>>,
    /// Backends left out, each with the reason.
    pub skipped: Vec<(&'static str, String)>,
}

impl Subjects {
    /// The backends that run here, the peer, and `nothing` last.
    #[must_use]
    pub fn all() -> Self {
        let mut all = Self::backends();
        all.bits_256.push(Subject::new::<cipher::Threefish256>(THREEFISH_CRATE, 1));
        all.bits_256.push(Subject::new::<cipher::Nothing<_>>(NOTHING, 1));
        all.bits_512.push(Subject::new::<cipher::Threefish512>(THREEFISH_CRATE, 1));
        all.bits_512.push(Subject::new::<cipher::Nothing<_>>(NOTHING, 1));
        all.bits_1024.push(Subject::new::<cipher::Threefish1024>(THREEFISH_CRATE, 1));
        all.bits_1024.push(Subject::new::<cipher::Nothing<_>>(NOTHING, 1));
        all
    }

    fn backends() -> Self {
        let mut subjects =
            Self { bits_256: vec![], bits_512: vec![], bits_1024: vec![], skipped: vec![] };
        macro_rules! add {
            (#[cfg($($condition:tt)*)] $backend:ident) => {
                #[cfg($($condition)*)]
                if <$backend::Threefish256 as Threefish>::is_supported() {
                    subjects.bits_256.push(Subject::backend::<$backend::Threefish256>());
                    subjects.bits_512.push(Subject::backend::<$backend::Threefish512>());
                    subjects.bits_1024.push(Subject::backend::<$backend::Threefish1024>());
                } else {
                    let needs = <$backend::Threefish256 as Threefish>::NEEDS;
                    let reason = format!("this processor lacks {needs}");
                    subjects.skipped.push((name(stringify!($backend)), reason));
                }
                #[cfg(not($($condition)*))]
                subjects.skipped.push((name(stringify!($backend)), "not there on this target".to_owned()));
            };
        }
        threefish_conformance::for_each_backend!(add);
        subjects
    }
}

/// The names of all subjects, of those too that are not there on this target.
#[must_use]
pub fn names() -> Vec<&'static str> {
    let mut names = Vec::new();
    macro_rules! add {
        (#[cfg($($condition:tt)*)] $backend:ident) => {
            names.push(name(stringify!($backend)));
        };
    }
    threefish_conformance::for_each_backend!(add);
    names.extend([THREEFISH_CRATE, NOTHING]);
    names
}

/// A backend's name from that of its crate.
fn name(package: &'static str) -> &'static str {
    package.strip_prefix("threefish_").unwrap_or(package)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_subject_has_a_known_name_and_is_there_in_all_sizes() {
        let subjects = Subjects::all();
        let of_256: Vec<_> = subjects.bits_256.iter().map(|subject| subject.name).collect();
        let of_512: Vec<_> = subjects.bits_512.iter().map(|subject| subject.name).collect();
        let of_1024: Vec<_> = subjects.bits_1024.iter().map(|subject| subject.name).collect();
        assert_eq!(of_256, of_512);
        assert_eq!(of_256, of_1024);

        let skipped = subjects.skipped.iter().map(|(name, _)| *name);
        let mut here: Vec<_> = of_256.into_iter().chain(skipped).collect();
        let mut known = names();
        here.sort_unstable();
        known.sort_unstable();
        assert_eq!(here, known);
        assert!(known.contains(&YARDSTICK));
    }
}
