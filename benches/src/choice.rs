//! What can be measured, and the choice of it on the command line.

use std::fmt;

use clap::{Args, ValueEnum, builder::PossibleValuesParser};
use serde::{Deserialize, Serialize};
use threefish_api::Words;

use crate::subject;

/// What a measurement does, apart from size and direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Case {
    /// One block at a time, each the result of the one before: latency
    Single,
    /// Batches of 4 blocks of 256 bits, 3 of 512 or 2 of 1024, by a call for each block: throughput
    FewSingle,
    /// The same batches by one call each
    Few,
    /// 16 KiB of blocks by one call, one tweak for all
    #[value(name = "bulk-16k")]
    #[serde(rename = "bulk-16k")]
    Bulk16K,
    /// 1 MiB of blocks by one call, one tweak for all
    #[value(name = "bulk-1m")]
    #[serde(rename = "bulk-1m")]
    Bulk1M,
    /// 16 KiB of blocks by one call, a new tweak for every block
    Retweak,
    /// A new key and a new tweak for every block, the key being the result of the block before
    Rekey,
    /// 16 KiB of blocks by one call, each under a key and a tweak of its own
    Keys,
    /// 1 MiB in counter mode of the crate `ctr`, whose other direction is the same
    #[value(name = "ctr-1m")]
    #[serde(rename = "ctr-1m")]
    Ctr1M,
}

impl Case {
    /// Bytes that one iteration works on, for blocks of `size`.
    #[must_use]
    pub fn bytes(self, size: Size) -> usize {
        match self {
            Self::Single | Self::Rekey => size.bytes(),
            Self::Bulk16K | Self::Retweak | Self::Keys => 16 << 10,
            Self::Bulk1M | Self::Ctr1M => 1 << 20,
            // Many batches, so that none waits for the result of the one before.
            Self::FewSingle | Self::Few => 64 * size.few() * size.bytes(),
        }
    }

    /// The case in which `unrolled` is what all are compared with. It differs where the question
    /// is whether a bulk call beats single calls.
    #[must_use]
    pub fn yardstick(self) -> Self {
        if self == Self::Few { Self::FewSingle } else { self }
    }
}

/// The direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Op {
    /// Plaintext to ciphertext
    Encrypt,
    /// Ciphertext to plaintext
    Decrypt,
}

/// The size of block and key, in bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum, Serialize, Deserialize)]
#[serde(into = "u16", try_from = "u16")]
pub enum Size {
    /// Threefish-256
    #[value(name = "256")]
    Bits256 = 256,
    /// Threefish-512
    #[value(name = "512")]
    Bits512 = 512,
    /// Threefish-1024
    #[value(name = "1024")]
    Bits1024 = 1024,
}

impl Size {
    /// That of a block of words.
    #[must_use]
    pub fn of<W: Words>() -> Self {
        match W::BYTES {
            32 => Self::Bits256,
            64 => Self::Bits512,
            _ => Self::Bits1024,
        }
    }

    /// Bytes in a block.
    #[must_use]
    pub fn bytes(self) -> usize {
        usize::from(u16::from(self)) / 8
    }

    /// Blocks in a small batch.
    #[must_use]
    pub fn few(self) -> usize {
        match self {
            Self::Bits256 => 4,
            Self::Bits512 => 3,
            Self::Bits1024 => 2,
        }
    }
}

impl From<Size> for u16 {
    fn from(size: Size) -> Self {
        size as Self
    }
}

impl TryFrom<u16> for Size {
    type Error = String;

    fn try_from(bits: u16) -> Result<Self, String> {
        let found = Self::value_variants().iter().find(|size| u16::from(**size) == bits);
        found.copied().ok_or_else(|| format!("Threefish has no blocks of {bits} bits"))
    }
}

macro_rules! display_as_on_the_command_line {
    ($($Type:ty)*) => {$(
        impl fmt::Display for $Type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.to_possible_value().as_ref().map_or("", |value| value.get_name()))
            }
        }
    )*};
}

display_as_on_the_command_line!(Case Op Size);

/// Which measurements to make. An empty list means all.
#[derive(Args, Clone, Debug, Default)]
pub struct Filter {
    /// Only these backends; ratios to the others are still measured
    #[arg(long, value_delimiter = ',', value_parser = PossibleValuesParser::new(subject::names()))]
    pub backend: Vec<String>,
    /// Only these block sizes, in bits
    #[arg(long, value_delimiter = ',')]
    pub size: Vec<Size>,
    /// Only this direction
    #[arg(long, value_delimiter = ',')]
    pub op: Vec<Op>,
    /// Only these cases
    #[arg(long, value_delimiter = ',')]
    pub case: Vec<Case>,
}

impl Filter {
    /// The same choice as command-line arguments.
    #[must_use]
    pub fn to_arguments(&self) -> Vec<String> {
        let backends = self.backend.iter().map(|name| format!("--backend={name}"));
        let sizes = self.size.iter().map(|size| format!("--size={size}"));
        let ops = self.op.iter().map(|op| format!("--op={op}"));
        let cases = self.case.iter().map(|case| format!("--case={case}"));
        backends.chain(sizes).chain(ops).chain(cases).collect()
    }

    /// Whether results of this subject are wanted.
    #[must_use]
    pub fn wants_backend(&self, name: &str) -> bool {
        self.backend.is_empty() || self.backend.iter().any(|wanted| wanted == name)
    }

    /// The sizes to measure, in ascending order.
    #[must_use]
    pub fn sizes(&self) -> Vec<Size> {
        chosen(&self.size)
    }

    /// Case and direction of each group of measurements, in the order of reports. A case whose
    /// directions are the same counts as encryption.
    #[must_use]
    pub fn groups(&self) -> Vec<(Case, Op)> {
        let ops = chosen(&self.op);
        chosen(&self.case)
            .into_iter()
            .flat_map(|case| ops.iter().map(move |op| (case, *op)))
            .filter(|group| *group != (Case::Ctr1M, Op::Decrypt))
            .collect()
    }
}

/// Those of all values that are in the list; all if it is empty.
fn chosen<T: ValueEnum + PartialEq + Copy>(list: &[T]) -> Vec<T> {
    let all = T::value_variants().iter().copied();
    all.filter(|value| list.is_empty() || list.contains(value)).collect()
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Debug, Parser)]
    struct Cli {
        #[command(flatten)]
        filter: Filter,
    }

    fn parse(arguments: &[&str]) -> Result<Filter, String> {
        let arguments = ["program"].iter().chain(arguments);
        Cli::try_parse_from(arguments).map(|cli| cli.filter).map_err(|error| error.to_string())
    }

    #[test]
    fn arguments_survive_a_round_trip() {
        let filter =
            parse(&["--size", "512,1024", "--op=decrypt", "--case", "bulk-1m,rekey"]).unwrap();
        assert_eq!(filter.sizes(), [Size::Bits512, Size::Bits1024]);
        assert_eq!(filter.groups(), [(Case::Bulk1M, Op::Decrypt), (Case::Rekey, Op::Decrypt)]);

        let arguments = filter.to_arguments();
        let again = parse(&arguments.iter().map(String::as_str).collect::<Vec<_>>()).unwrap();
        assert_eq!(again.to_arguments(), arguments);
    }

    #[test]
    fn nothing_chosen_is_everything() {
        let filter = Filter::default();
        assert_eq!(filter.sizes().len(), 3);
        assert_eq!(filter.groups().len(), 17);
        assert!(filter.wants_backend("scalar"));
    }

    #[test]
    fn a_wrong_name_is_answered_with_the_right_ones() {
        let error = parse(&["--backend", "sse9"]).unwrap_err();
        assert!(error.contains("sse9") && error.contains("unrolled"), "{error}");
        let error = parse(&["--size", "128"]).unwrap_err();
        assert!(error.contains("128") && error.contains("256, 512, 1024"), "{error}");
        let error = parse(&["--case", "bulk"]).unwrap_err();
        assert!(error.contains("bulk-16k"), "{error}");
    }
}
