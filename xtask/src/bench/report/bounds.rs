//! What no kernel can beat: the chain of dependent operations in one block, and the ports for all
//! operations of many blocks.
//!
//! In cycles of the core. Memory, moves and the way into lanes and back come on top, so that a
//! kernel at 100 % is not to be expected.

use threefish_api::spec::{
    ROTATIONS_256_V1_3, ROTATIONS_512_V1_3, ROTATIONS_1024_V1_3, ROUNDS_256, ROUNDS_512,
    ROUNDS_1024,
};
use threefish_benches::{
    Case, Op, Size,
    recording::{Machine, Record, Recording},
};

/// The flags that bounds hold for: with others the compiler finds other instructions.
pub(super) const DEFAULT_FLAGS: &str = "default";

/// The least time of a block, and how near a record comes to it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Bound {
    pub(super) ns: f64,
    /// The bound over the measured time: 1 is all that is possible.
    pub(super) reached: f64,
}

/// That of the latency for single blocks, of the ports for 16 KiB in one call; none where the
/// processor, the clock of its core or the kernel is not known well enough.
pub(super) fn bound(machine: &Machine, record: &Record) -> Option<Bound> {
    let cycles = match record.case {
        Case::Single => f64::from(latency(record.size, record.op)),
        Case::Bulk16K => throughput(machine, record)?,
        _ => return None,
    };
    let ns = cycles / machine.core_ghz?.median;
    Some(Bound { ns, reached: ns / record.ns_per_block.median })
}

/// Why a recording has no bounds of latency or of ports, or lacks some.
pub(super) fn missing(recording: &Recording) -> Vec<String> {
    let Recording { target, machine, .. } = recording;
    let mut why = Vec::new();
    if machine.core_ghz.is_none() {
        why.push(format!(
            "{target}: the clock of the core was not measured, so that no bound, which is in \
             cycles of the core, can be compared with a time."
        ));
    }
    if Ports::of(&machine.model).is_none() {
        why.push(format!(
            "{target}: the ports of this processor ({}) are not in our table, so that there is no \
             port bound.",
            machine.model
        ));
    }
    why
}

/// Rounds, words of a block, and rotation counts of eight rounds.
struct Shape {
    rounds: usize,
    words: usize,
    rotations: Vec<u32>,
}

impl Shape {
    fn of(size: Size) -> Self {
        let (rounds, rotations) = match size {
            Size::Bits256 => (ROUNDS_256, ROTATIONS_256_V1_3.concat()),
            Size::Bits512 => (ROUNDS_512, ROTATIONS_512_V1_3.concat()),
            Size::Bits1024 => (ROUNDS_1024, ROTATIONS_1024_V1_3.concat()),
        };
        Self { rounds, words: size.bytes() / 8, rotations }
    }

    /// One before every fourth round, and one at the end.
    fn subkeys(&self) -> usize {
        self.rounds / 4 + 1
    }

    /// The sum over all rotations of all rounds.
    fn sum(&self, of_one: impl Fn(u32) -> usize) -> usize {
        self.rounds / 8 * self.rotations.iter().map(|count| of_one(*count)).sum::<usize>()
    }
}

/// Cycles of one block, if every operation on a word takes one: a round waits for two encrypting
/// (the addition and the rotation side by side, then the xor), for three decrypting (the xor, the
/// rotation, the subtraction), a subkey for one.
///
/// Kernels on halves of words, or in registers whose operations take longer, have longer chains.
fn latency(size: Size, op: Op) -> u32 {
    let shape = Shape::of(size);
    let round = match op {
        Op::Encrypt => 2,
        Op::Decrypt => 3,
    };
    u32::try_from(shape.rounds * round + shape.subkeys()).unwrap_or(u32::MAX)
}

/// How a backend computes many blocks.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kernel {
    /// 64-bit integers.
    Words,
    /// 32-bit integers: a rotation is two `shld`, by 32 a change of names.
    Halves,
    /// 128-bit registers: a rotation is two shifts and an or, by 32 one shuffle.
    Sse2,
    /// 256-bit registers: the same, and one shuffle for each rotation by whole bytes.
    Avx2,
    /// 512-bit registers, which rotate.
    Avx512,
}

impl Kernel {
    /// None for code that is not ours, for `auto`, which has none of its own, and for what the
    /// compiler makes of `scalar` on i686: vectors and integers mixed.
    fn of(record: &Record) -> Option<Self> {
        let is_64_bit = record.target == "x86_64";
        match &*record.backend {
            _ if record.flags != DEFAULT_FLAGS => None,
            "scalar" | "unrolled" if is_64_bit => Some(Self::Words),
            "unrolled" => Some(Self::Halves),
            "sse2" => Some(Self::Sse2),
            "avx2" => Some(Self::Avx2),
            "avx512" => Some(Self::Avx512),
            _ => None,
        }
    }

    /// Words side by side in a register.
    fn lanes(self) -> usize {
        match self {
            Self::Words | Self::Halves => 1,
            Self::Sse2 => 2,
            Self::Avx2 => 4,
            Self::Avx512 => 8,
        }
    }

    /// Operations of a rotation, and those of them that only some ports do.
    fn rotation(self, count: u32) -> (usize, usize) {
        match self {
            Self::Words | Self::Avx512 => (1, 1),
            Self::Halves if count == 32 => (0, 0),
            Self::Halves => (2, 2),
            Self::Sse2 if count == 32 => (1, 0),
            Self::Avx2 if count.is_multiple_of(8) => (1, 0),
            Self::Sse2 | Self::Avx2 => (3, 2),
        }
    }

    /// Additions of a subkey beyond one a word: the tweak's two words, and the number of the
    /// subkey where no table holds its sum with the key.
    fn additions(self) -> usize {
        match self {
            Self::Words | Self::Halves | Self::Sse2 => 3,
            Self::Avx2 | Self::Avx512 => 2,
        }
    }
}

/// How many operations of a kind begin in a cycle: any, and rotations or shifts.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Rate {
    all: f64,
    shifts: f64,
}

/// What a core can begin in a cycle.
#[derive(Debug, PartialEq)]
struct Ports {
    words: Rate,
    /// `shld`, where it is not a small program of its own.
    double_shifts: Option<f64>,
    /// Registers of 128 and of 256 bits.
    narrow: Rate,
    /// Registers of 512 bits.
    wide: Rate,
}

/// Sapphire Rapids, Emerald Rapids and Granite Rapids: a 512-bit operation takes two of the three
/// vector ports together, or the third. Intel's optimization manual, "Golden Cove".
const GOLDEN_COVE: Ports = Ports {
    words: Rate { all: 5.0, shifts: 2.0 },
    double_shifts: Some(1.0),
    narrow: Rate { all: 3.0, shifts: 2.0 },
    wide: Rate { all: 2.0, shifts: 1.0 },
};

/// A 512-bit operation takes its pipe for two cycles. AMD's optimization guide for family 19h.
const ZEN_4: Ports = Ports {
    words: Rate { all: 4.0, shifts: 2.0 },
    double_shifts: None,
    narrow: Rate { all: 4.0, shifts: 2.0 },
    wide: Rate { all: 2.0, shifts: 1.0 },
};

/// Those of servers and desktops, with pipes of 512 bits. AMD's optimization guide for family 1Ah.
const ZEN_5: Ports = Ports {
    words: Rate { all: 6.0, shifts: 3.0 },
    double_shifts: None,
    narrow: Rate { all: 4.0, shifts: 2.0 },
    wide: Rate { all: 4.0, shifts: 2.0 },
};

impl Ports {
    /// From a processor's maker, family and model.
    fn of(model: &str) -> Option<&'static Self> {
        let (family, number) = (number_after(model, "family")?, number_after(model, "model")?);
        let (intel, amd) = (model.contains("Intel"), model.contains("AMD"));
        match (family, number) {
            (6, 143 | 173 | 207) if intel => Some(&GOLDEN_COVE),
            (25, 16..=31 | 96..=127 | 160..=175) if amd => Some(&ZEN_4),
            (26, 0..=31 | 68) if amd => Some(&ZEN_5),
            _ => None,
        }
    }
}

/// The number behind a word.
fn number_after(text: &str, word: &str) -> Option<u32> {
    let (_, rest) = text.split_once(word)?;
    let digits = rest.trim_start_matches([' ', ':', '=']);
    let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
    digits[..end].parse().ok()
}

/// Cycles a block that the ports take for all operations of many blocks: each MIX is an addition,
/// a rotation and an xor, and each subkey is added.
fn throughput(machine: &Machine, record: &Record) -> Option<f64> {
    let (kernel, ports) = (Kernel::of(record)?, Ports::of(&machine.model)?);
    let shape = Shape::of(record.size);
    let shifts = as_f64(shape.sum(|count| kernel.rotation(count).1));
    let additions = shape.subkeys() * (shape.words + kernel.additions());
    let all = as_f64(shape.sum(|count| 2 + kernel.rotation(count).0) + additions);
    let rate = match kernel {
        Kernel::Words => ports.words,
        // The additions with carry and the xors find ports beside these.
        Kernel::Halves => return Some(shifts / ports.double_shifts?),
        Kernel::Sse2 | Kernel::Avx2 => ports.narrow,
        Kernel::Avx512 => ports.wide,
    };
    Some((all / rate.all).max(shifts / rate.shifts) / as_f64(kernel.lanes()))
}

#[expect(clippy::cast_precision_loss, reason = "there are thousands of operations at most")]
fn as_f64(count: usize) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::{super::tests::recordings, *};

    const SIZES: [Size; 3] = [Size::Bits256, Size::Bits512, Size::Bits1024];

    #[test]
    fn chains_of_one_block() {
        assert_eq!(SIZES.map(|size| latency(size, Op::Encrypt)), [163, 163, 181]);
        assert_eq!(SIZES.map(|size| latency(size, Op::Decrypt)), [235, 235, 261]);
    }

    #[test]
    fn ports_of_many_blocks_on_golden_cove() {
        let [x86_64, i686] = recordings();
        let cycles = |recording: &Recording, backend: &str| {
            let mut bulk = recording.results.iter().filter(|record| {
                (&*record.backend, record.case, record.op) == (backend, Case::Bulk16K, Op::Encrypt)
            });
            SIZES.map(|size| {
                let record = bulk.find(|record| record.size == size).unwrap();
                throughput(&recording.machine, record).map(|cycles| cycles.round())
            })
        };
        assert_eq!(cycles(&x86_64, "unrolled"), [113.0, 215.0, 464.0].map(Some));
        assert_eq!(cycles(&x86_64, "sse2"), [136.0, 275.0, 600.0].map(Some));
        assert_eq!(cycles(&i686, "sse2"), [136.0, 275.0, 600.0].map(Some));
        assert_eq!(cycles(&i686, "unrolled"), [252.0, 576.0, 1280.0].map(Some));
        // Of eight blocks: 273, 527 and 1149.
        assert_eq!(cycles(&x86_64, "avx512"), [34.0, 66.0, 144.0].map(Some));
        assert_eq!(cycles(&i686, "scalar"), [None; 3]);
        assert_eq!(cycles(&x86_64, "auto"), [None; 3]);
        assert_eq!(cycles(&x86_64, "threefish-crate"), [None; 3]);
    }

    #[test]
    fn processors() {
        assert_eq!(Ports::of("GenuineIntel, family 6, model 207"), Some(&GOLDEN_COVE));
        assert_eq!(Ports::of("GenuineIntel, family 6, model 85"), None);
        assert_eq!(Ports::of("AuthenticAMD family 25 model 97 stepping 2"), Some(&ZEN_4));
        assert_eq!(Ports::of("AuthenticAMD, family 25, model 1"), None, "Zen 3");
        assert_eq!(Ports::of("AuthenticAMD, family: 26, model: 2"), Some(&ZEN_5));
        assert_eq!(Ports::of("AuthenticAMD, family 6, model 207"), None);
        assert_eq!(Ports::of("unknown"), None);
    }

    #[test]
    fn cycles_become_time_by_the_clock_of_the_core_alone() {
        let [mut recording, _] = recordings();
        let record = recording.results[0].clone();
        let Bound { ns, reached } = bound(&recording.machine, &record).unwrap();
        assert!((ns - 163.0 / 3.07).abs() < 1e-9);
        assert!((reached - ns / record.ns_per_block.median).abs() < 1e-9);
        assert!(missing(&recording).is_empty());

        recording.machine.core_ghz = None;
        assert_eq!(bound(&recording.machine, &record), None);
        recording.machine.model = "a < b".to_owned();
        assert_eq!(missing(&recording).len(), 2);
    }

    #[test]
    fn other_flags_have_no_port_bound() {
        let [recording, _] = recordings();
        let mut record = recording.results.last().unwrap().clone();
        record.backend = "sse2".to_owned();
        assert!(bound(&recording.machine, &record).is_some());
        record.flags = "native".to_owned();
        assert_eq!(bound(&recording.machine, &record), None);
    }
}
