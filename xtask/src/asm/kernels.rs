//! From the functions that users' calls end in to those that do the work. Names of private
//! functions are not known here: what has the cipher's arithmetic is a kernel.

use std::{collections::BTreeSet, fmt};

use anyhow::{Result, ensure};
use clap::ValueEnum;
use serde::Serialize;
use threefish_benches::{Op, Size};

use super::{
    instruction::{rotates, xors},
    object::{Function, Object},
};

/// How many blocks a call takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Shape {
    One,
    Bulk,
    /// Many blocks, each under a key of its own.
    Keys,
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::One => "one",
            Self::Bulk => "bulk",
            Self::Keys => "keys",
        })
    }
}

/// A revision. Only calls for many keys have code of their own in 1.2: the others run that of 1.3.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum, Serialize)]
pub(crate) enum Revision {
    #[value(name = "1.1")]
    #[serde(rename = "1.1")]
    V1_1,
    #[value(name = "1.2")]
    #[serde(rename = "1.2")]
    V1_2,
    #[value(name = "1.3")]
    #[serde(rename = "1.3")]
    V1_3,
}

impl Revision {
    fn module(self) -> &'static str {
        match self {
            Self::V1_1 => "v1_1",
            Self::V1_2 => "v1_2",
            Self::V1_3 => "v1_3",
        }
    }
}

impl fmt::Display for Revision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::V1_1 => "1.1",
            Self::V1_2 => "1.2",
            Self::V1_3 => "1.3",
        })
    }
}

/// What is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub(crate) struct Call {
    pub(crate) size: Size,
    pub(crate) op: Op,
    pub(crate) shape: Shape,
    pub(crate) revision: Revision,
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { size, op, shape, .. } = self;
        f.pad(&format!("{size} {op} {shape}"))
    }
}

impl Call {
    pub(crate) fn all() -> Vec<Self> {
        let mut calls = Vec::new();
        for size in Size::value_variants() {
            for op in Op::value_variants() {
                for shape in [Shape::One, Shape::Bulk, Shape::Keys] {
                    for revision in Revision::value_variants() {
                        if *revision != Revision::V1_2 || shape == Shape::Keys {
                            calls.push(Self { size: *size, op: *op, shape, revision: *revision });
                        }
                    }
                }
            }
        }
        calls
    }

    /// The same for one block.
    pub(crate) fn for_one(self) -> Self {
        let revision = match self.revision {
            Revision::V1_2 => Revision::V1_3,
            own => own,
        };
        Self { shape: Shape::One, revision, ..self }
    }

    /// The function for words that `threefish_api::backend!` stamps.
    fn entry(self, crate_name: &str) -> String {
        let Self { size, op, shape, revision } = self;
        let what = match shape {
            Shape::One => "block",
            Shape::Bulk => "blocks",
            Shape::Keys => "keys",
        };
        format!("{crate_name}::threefish_{size}::{}::{op}_{what}", revision.module())
    }

    /// The function for words and, if there is one, for bytes.
    fn entries(self, crate_name: &str, object: &Object) -> Result<Vec<usize>> {
        let words = self.entry(crate_name);
        let bytes = format!("{words}_bytes");
        let entries = find(object, |function| [&words, &bytes].contains(&&function.name()));
        ensure!(
            entries.len() == if self.shape == Shape::Keys { 1 } else { 2 },
            "{crate_name} was built, but has no functions for {self}: the crate is empty on this \
             target, or the names that threefish_api::backend! gives have changed"
        );
        Ok(entries)
    }

    /// The kernels that do the work, the largest first; none if other backends
    /// [do it](Self::borrowed).
    /// The remainder of a call for many blocks may be done by the kernels for one block: they are
    /// left out if there are others.
    pub(crate) fn kernels(self, crate_name: &str, object: &Object) -> Result<Vec<usize>> {
        let entries = self.entries(crate_name, object)?;
        let mut kernels = object.reached(&entries, |_| false);
        kernels.retain(|index| is_kernel(&object.functions[*index]));
        ensure!(
            !kernels.is_empty() || !self.borrowed(crate_name, object)?.is_empty(),
            "nothing that {crate_name} calls for {self} looks like a cipher; kernels are recognised by \
             instructions that rotate and xor (see is_kernel in xtask)"
        );
        if self.shape != Shape::One {
            let one = self.for_one().kernels(crate_name, object)?;
            if kernels.iter().any(|kernel| !one.contains(kernel)) {
                kernels.retain(|kernel| !one.contains(kernel));
            }
        }
        kernels.sort_by_key(|index| std::cmp::Reverse(object.functions[*index].bytes()));
        Ok(kernels)
    }

    /// The backends whose function for the same call this one calls.
    pub(crate) fn borrowed(self, crate_name: &str, object: &Object) -> Result<Vec<String>> {
        let same = self.entry("");
        let reached = object.reached(&self.entries(crate_name, object)?, |_| false);
        let foreign = reached.iter().flat_map(|index| object.functions[*index].foreign());
        let backend =
            |name: &str| Some(name.strip_suffix(&same)?.strip_prefix("threefish_")?.to_owned());
        let backends: BTreeSet<_> = foreign.filter_map(backend).collect();
        Ok(backends.into_iter().collect())
    }
}

/// Whether a function of a wide backend runs only with a token of detection, and so may be compiled
/// with the target feature: `<Avx2 as Lanes<4>>::run::run`, which nothing but the method around it can
/// call, and the like. What such a function calls rather than inlines is not among them.
pub(crate) fn runs_with_token(crate_name: &str, function: &Function) -> bool {
    let name = function.name();
    let method = name
        .strip_prefix(&format!("<{crate_name}::"))
        .and_then(|name| name.split_once(" as threefish_lanes::lanes::Lanes<"))
        .and_then(|(_, name)| name.split_once(">>::"));
    let Some((_, path)) = method else { return false };
    let path = path.split_once("::<").map_or(path, |(path, _arguments)| path);
    ["run::run", "encrypt_one::run", "decrypt_one::run"].contains(&path)
}

/// Whether a function asks which processor this is: what the crate `cpufeatures` does once.
pub(crate) fn detects(function: &Function) -> bool {
    let name = function.name();
    name.ends_with("::init_get::init_inner") || name == "core::core_arch::x86::xsave::_xgetbv"
}

/// All functions that users' code calls, and `new`.
pub(crate) fn entries(object: &Object) -> Vec<usize> {
    find(object, |function| {
        let name = function.name();
        let path: Vec<_> = name.split("::").collect();
        matches!(path[..], [_, size, revision, _]
            if size.starts_with("threefish_") && revision.starts_with('v'))
    })
}

fn find(object: &Object, is: impl Fn(&Function) -> bool) -> Vec<usize> {
    let functions = object.functions.iter().enumerate();
    functions.filter(|(_, function)| is(function)).map(|(index, _)| index).collect()
}

/// A round of the smallest size has two rotations and two xors, and no other code here has both.
fn is_kernel(function: &Function) -> bool {
    let instructions = || function.instructions.iter();
    instructions().filter(|i| rotates(i)).count() >= 2
        && instructions().filter(|i| xors(i)).count() >= 2
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::asm::object::Reference;

    /// Rotates and xors twice: `rol eax, 3; xor eax, ecx` and again.
    const ROUND: [u8; 10] = [0xc1, 0xc0, 3, 0x31, 0xc8, 0xc1, 0xc0, 3, 0x31, 0xc8];

    fn function(symbol: &str, code: &[u8], refers_to: &[usize]) -> Function {
        let reference = |function: &usize| Reference { function: Some(*function), name: "".into() };
        let references = refers_to.iter().map(reference);
        Function::decode(symbol, 64, code, BTreeMap::from_iter((0..).zip(references)))
    }

    fn entry(name: &str, refers_to: &[usize]) -> Function {
        function(&format!("threefish_x::threefish_512::v1_3::{name}"), &[0xc3], refers_to)
    }

    #[test]
    fn kernels_are_found_behind_their_entries() {
        let twice = [ROUND, ROUND].concat();
        let mut object = Object {
            functions: vec![
                function("any_name", &ROUND, &[]),
                function("any_other", &twice, &[]),
                function("between", &[0xc3], &[0, 1]),
                entry("encrypt_block", &[0]),
                entry("encrypt_block_bytes", &[3]),
                entry("encrypt_blocks", &[2]),
                entry("encrypt_blocks_bytes", &[2]),
                function("threefish_x::threefish_512::v1_2::encrypt_keys", &[0xc3], &[0, 1]),
            ],
        };
        let (size, op, revision) = (Size::Bits512, Op::Encrypt, Revision::V1_3);
        let one = Call { size, op, shape: Shape::One, revision };
        let bulk = Call { shape: Shape::Bulk, ..one };
        let keys = Call { shape: Shape::Keys, revision: Revision::V1_2, ..one };
        assert_eq!(one.kernels("threefish_x", &object).unwrap(), [0]);
        assert_eq!(bulk.kernels("threefish_x", &object).unwrap(), [1]);
        assert_eq!(keys.kernels("threefish_x", &object).unwrap(), [1]);
        assert_eq!(entries(&object), [3, 4, 5, 6, 7]);

        object.functions[2] = function("between", &[0xc3], &[0]);
        assert_eq!(bulk.kernels("threefish_x", &object).unwrap(), [0]);

        let error = Call { op: Op::Decrypt, ..one }.kernels("threefish_x", &object).unwrap_err();
        assert!(error.to_string().contains("no functions for 512 decrypt one"), "{error}");
        object.functions[0] = function("any_name", &ROUND[..5], &[]);
        let error = one.kernels("threefish_x", &object).unwrap_err().to_string();
        assert!(error.contains("looks like a cipher"), "{error}");
    }

    #[test]
    fn kernels_that_are_borrowed() {
        let call = |name: &str, to: &str| {
            let reference = Reference { function: None, name: to.to_owned() };
            let symbol = format!("threefish_x::threefish_512::v1_3::{name}");
            Function::decode(&symbol, 64, &[0xc3], BTreeMap::from([(0, reference)]))
        };
        let integers = "threefish_unrolled::threefish_512::v1_3::encrypt_block";
        let mut object = Object {
            functions: vec![
                call("encrypt_block", integers),
                call("encrypt_block_bytes", "threefish_unrolled::any"),
                entry("encrypt_blocks", &[0, 4]),
                entry("encrypt_blocks_bytes", &[1, 4]),
                function("any_name", &ROUND, &[]),
            ],
        };
        let (size, op, revision) = (Size::Bits512, Op::Encrypt, Revision::V1_3);
        let one = Call { size, op, shape: Shape::One, revision };
        assert!(one.kernels("threefish_x", &object).unwrap().is_empty());
        assert_eq!(one.borrowed("threefish_x", &object).unwrap(), ["unrolled"]);
        let bulk = Call { shape: Shape::Bulk, ..one };
        assert_eq!(bulk.kernels("threefish_x", &object).unwrap(), [4]);
        assert!(bulk.borrowed("threefish_x", &object).unwrap().is_empty());

        object.functions[0] = call("encrypt_block", "memcpy");
        assert!(one.kernels("threefish_x", &object).is_err());
    }

    #[test]
    fn what_runs_with_a_token() {
        let with_token =
            |symbol: &str| runs_with_token("threefish_x", &function(symbol, &[0xc3], &[]));
        for method in ["run::run", "encrypt_one::run", "decrypt_one::run"] {
            let token = "<threefish_x::x::X as threefish_lanes::lanes::Lanes<4_usize>>";
            assert!(with_token(&format!("{token}::{method}")));
            // With its arguments, as the newer scheme of symbols has it.
            assert!(with_token(&format!("{token}::{method}::<threefish_lanes::job::Job<_, 3>>")));
            assert!(!with_token(&format!("{token}::{method}::{{closure#0}}")));
        }
        for symbol in [
            "threefish_x::threefish_512::v1_3::encrypt_blocks",
            "threefish_x::threefish_512::v1_3::new",
            "threefish_x::x::transpose",
            "threefish_x::x::run::run",
            "<threefish_x::x::X as threefish_lanes::lanes::Lanes<4_usize>>::detect",
            "<threefish_x::x::X as threefish_lanes::lanes::Lanes<4_usize>>::run",
            "<threefish_y::x::X as threefish_lanes::lanes::Lanes<4_usize>>::run::run",
            "<threefish_x::x::X as core::clone::Clone>::run::run",
        ] {
            assert!(!with_token(symbol), "{symbol}");
        }
    }
}
