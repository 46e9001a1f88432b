//! How large a kernel may be and how often it may use the stack: `asm-budgets.toml`, which
//! `cargo xtask asm check --write-budgets` writes.

use std::{collections::BTreeMap, fmt::Write as _};

use anyhow::{Context, Result};
use serde::Deserialize;

use super::count::Counts;

/// The most that is accepted of one kernel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Budget {
    pub(crate) bytes: u64,
    /// Reads and writes.
    pub(crate) stack: usize,
}

impl Budget {
    /// What was measured and a bit, so that another version of the compiler does not fail at once.
    pub(crate) fn of(counts: &Counts) -> Self {
        Self { bytes: counts.bytes * 23 / 20, stack: counts.stack() * 23 / 20 + 4 }
    }

    pub(crate) fn or_more(self, other: Self) -> Self {
        Self { bytes: self.bytes.max(other.bytes), stack: self.stack.max(other.stack) }
    }
}

/// By Rust target, then by backend and call, such as `sse2 256 encrypt bulk`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub(crate) struct Budgets(pub(crate) BTreeMap<String, BTreeMap<String, Budget>>);

const HEAD: &str = "\
# The most bytes of code, and reads and writes of the stack, of each kernel: 1.15 times of what the
# compiler made when this was written. Written by `cargo xtask asm check --write-budgets`; look at
# the difference before it is committed.
";

impl Budgets {
    pub(crate) fn shipped() -> Result<Self> {
        toml::from_str(include_str!("../../asm-budgets.toml"))
            .context("xtask/asm-budgets.toml can't be read; git has the last good one")
    }

    pub(crate) fn to_toml(&self) -> String {
        let mut text = HEAD.to_owned();
        for (triple, budgets) in &self.0 {
            let _ = write!(text, "\n[{triple}]\n");
            for (name, Budget { bytes, stack }) in budgets {
                let _ = writeln!(text, "{name:?} = {{ bytes = {bytes}, stack = {stack} }}");
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_can_be_read() {
        let shipped = Budgets::shipped().unwrap();
        assert!(!shipped.0.is_empty());
        assert_eq!(toml::from_str::<Budgets>(&shipped.to_toml()).unwrap(), shipped);
        assert_eq!(shipped.to_toml(), include_str!("../../asm-budgets.toml"));
    }
}
