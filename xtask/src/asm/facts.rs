//! What must be true of the machine code, in one place. [`check`](mod@super::check) holds it.

use iced_x86::CpuidFeature::{self, *};

use threefish_benches::{Op, Size};

use super::kernels::{Call, Shape};
use crate::target::Target;

/// What every function of every backend may use: what a processor of `x86_64` or `i686` has for
/// sure. It has MMX as well, but the registers of that are the x87's, and nothing here wants them.
#[rustfmt::skip]
const BASELINE: [CpuidFeature; 12] = [
    INTEL8086, INTEL186, INTEL286, INTEL386, INTEL486, X64, CMOV, FPU, SSE, SSE2,
    // Both do nothing on processors that don't know them.
    MULTIBYTENOP, CET_IBT,
];

/// Rust's target for Macs starts with the first of them that had 64 bits and ran a recent system.
const MAC: [CpuidFeature; 3] = [SSE3, SSSE3, SSE4_1];

pub(super) fn allows(triple: &str, feature: CpuidFeature) -> bool {
    BASELINE.contains(&feature) || (triple.contains("apple") && MAC.contains(&feature))
}

/// Which registers a kernel computes in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Registers {
    /// Vector registers only copy, but for so many instructions.
    General { but: usize },
    /// More is computed in vector registers than in others.
    Vector,
    /// As the compiler likes.
    Either,
}

/// How a kernel may leave the straight line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Jumps {
    /// By no call, and by no jump but the conditional one backward of a counted loop, and the one
    /// past it where there is nothing to do.
    Loops,
    /// In any way.
    Any,
}

/// A processor with AVX-512, for which the compiler likes to vectorise integer rotations.
pub(super) const AVX512: &str = "x86-64-v4";

/// What is true of one backend.
#[derive(Debug)]
pub(super) struct Facts {
    pub(super) backend: &'static str,
    pub(super) registers: fn(Target) -> Registers,
    pub(super) jumps: Jumps,
    /// It stays in general registers even where users compile it for [`AVX512`].
    pub(super) proof_against_avx512: bool,
    /// How many blocks, or pairs of them in registers, a call computes at the same time.
    pub(super) in_flight: fn(Call, Target) -> usize,
    /// One block and many blocks have kernels of their own.
    pub(super) bulk_of_its_own: bool,
    /// Kernels of these shapes may rely on the alignment of what a pointer points to and they only
    /// read.
    pub(super) aligned_reads: &'static [Shape],
}

pub(super) const FACTS: [Facts; 3] = [
    Facts {
        backend: "scalar",
        // It is there to be read. On 32-bit processors the compiler makes vectors of parts of a
        // round, and nothing is done against that.
        registers: |target| match target {
            Target::X86_64 => Registers::General { but: 0 },
            Target::I686 | Target::I686Gnu => Registers::Either,
        },
        // Whether a round adds a subkey is a branch (on the number of the round), and kernels are
        // inlined into functions that copy blocks of bytes by calls of `memcpy`.
        jumps: Jumps::Any,
        proof_against_avx512: false,
        in_flight: |_, _| 1,
        bulk_of_its_own: false,
        aligned_reads: &[],
    },
    Facts {
        backend: "unrolled",
        // 64-bit rotations have no vector instruction before AVX-512: vectorised, it is slower.
        registers: |target| match target {
            Target::X86_64 => Registers::General { but: 0 },
            // A few words of the last subkey are added two at a time, which costs nothing.
            Target::I686 | Target::I686Gnu => Registers::General { but: 8 },
        },
        jumps: Jumps::Loops,
        proof_against_avx512: true,
        in_flight: |call, target| match (target, call.shape, call.size, call.op) {
            (Target::X86_64, Shape::Bulk, Size::Bits256, _) => 3,
            (Target::X86_64, Shape::Bulk, Size::Bits512, Op::Decrypt) => 2,
            _ => 1,
        },
        bulk_of_its_own: false,
        aligned_reads: &[],
    },
    Facts {
        backend: "sse2",
        registers: |_| Registers::Vector,
        jumps: Jumps::Loops,
        proof_against_avx512: false,
        in_flight: |call, target| match (target, call.shape, call.size) {
            (Target::X86_64, Shape::Bulk, Size::Bits256) => 3,
            (_, Shape::Bulk, Size::Bits256) => 2,
            _ => 1,
        },
        bulk_of_its_own: true,
        // Bulk kernels get the key as a table of registers, which the crate itself makes, of a type
        // that is aligned. Blocks, keys and tweaks of the caller are not.
        aligned_reads: &[Shape::Bulk],
    },
];
