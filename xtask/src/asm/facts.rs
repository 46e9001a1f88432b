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

/// What functions of wide backends may use as well that
/// [run with a token](super::kernels::runs_with_token).
const WITH_AVX2: [CpuidFeature; 2] = [AVX, AVX2];
const WITH_AVX512: [CpuidFeature; 4] = [AVX, AVX2, AVX512F, AVX512VL];

/// And what the functions may use that [detect](super::kernels::detects): `cpuid` and `xgetbv`.
pub(super) const DETECTION: [CpuidFeature; 2] = [CPUID, XSAVE];

/// Rust's target for Macs starts with the first of them that had 64 bits and ran a recent system.
const MAC: [CpuidFeature; 3] = [SSE3, SSSE3, SSE4_1];

pub(super) fn is_baseline(triple: &str, feature: CpuidFeature) -> bool {
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
    /// By no call, and by no jump but the conditional ones backward of so many counted loops, one in
    /// the other, and the one past them where there is nothing to do.
    Loops(usize),
    /// In any way.
    Any,
}

/// A processor with AVX-512, for which the compiler likes to vectorise integer rotations.
pub(super) const AVX512_PROCESSOR: &str = "x86-64-v4";

/// Backends for processors whose code can't be read here.
pub(super) const OTHER_PROCESSORS: [&str; 2] = ["neon", "wasm"];

/// What is true of one backend.
#[derive(Debug)]
pub(super) struct Facts {
    pub(super) backend: &'static str,
    /// It asks which processor it runs on.
    pub(super) detects: bool,
    /// Instructions beyond the baseline, of functions that run with a token.
    pub(super) with_token: &'static [CpuidFeature],
    pub(super) registers: fn(Target) -> Registers,
    pub(super) jumps: Jumps,
    /// It stays in general registers even where users compile it for [`AVX512_PROCESSOR`].
    pub(super) proof_against_avx512: bool,
    /// The backends that do the work of a call, if it has no kernel of its own.
    pub(super) borrows: fn(Call, Target) -> &'static [&'static str],
    /// How many blocks, or groups of them in registers, a call computes at the same time.
    pub(super) in_flight: fn(Call, Target) -> usize,
    /// One block and many blocks have kernels of their own.
    pub(super) bulk_of_its_own: bool,
    /// Kernels of these shapes may rely on the alignment of what a pointer points to and they only
    /// read.
    pub(super) aligned_reads: &'static [Shape],
}

pub(super) const FACTS: [Facts; 6] = [
    Facts {
        backend: "scalar",
        detects: false,
        with_token: &[],
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
        borrows: |_, _| &[],
        in_flight: |_, _| 1,
        bulk_of_its_own: false,
        aligned_reads: &[],
    },
    Facts {
        backend: "unrolled",
        detects: false,
        with_token: &[],
        // 64-bit rotations have no vector instruction before AVX-512: vectorised, it is slower.
        registers: |target| match target {
            Target::X86_64 => Registers::General { but: 0 },
            // A few words of the last subkey are added two at a time, which costs nothing.
            Target::I686 | Target::I686Gnu => Registers::General { but: 8 },
        },
        jumps: Jumps::Loops(1),
        proof_against_avx512: true,
        borrows: |_, _| &[],
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
        detects: false,
        with_token: &[],
        registers: |_| Registers::Vector,
        jumps: Jumps::Loops(1),
        proof_against_avx512: false,
        borrows: |_, _| &[],
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
    Facts {
        backend: "avx2",
        detects: true,
        with_token: &WITH_AVX2,
        registers: |_| Registers::Vector,
        // Over groups of blocks, and over eight rounds.
        jumps: Jumps::Loops(2),
        proof_against_avx512: false,
        borrows: |call, _| match call.shape {
            Shape::One => &["unrolled"],
            Shape::Bulk | Shape::Keys => &[],
        },
        in_flight: |call, target| match (target, call.shape, call.size) {
            (Target::X86_64, Shape::Bulk, Size::Bits256) => 3,
            (Target::X86_64, Shape::Bulk, Size::Bits512) => 2,
            (_, Shape::Bulk, Size::Bits256) => 2,
            _ => 1,
        },
        bulk_of_its_own: true,
        // Tables of subkeys and of tweaks, which the kernels make on their own stack.
        aligned_reads: &[Shape::Bulk, Shape::Keys],
    },
    Facts {
        backend: "avx512",
        detects: true,
        with_token: &WITH_AVX512,
        registers: |_| Registers::Vector,
        jumps: Jumps::Loops(2),
        proof_against_avx512: false,
        // For one block integers are faster where the words fit into their registers.
        borrows: |call, target| match (call.shape, target, call.size) {
            (Shape::One, Target::X86_64, Size::Bits256 | Size::Bits512) => &["unrolled"],
            _ => &[],
        },
        in_flight: |call, target| match (target, call.shape, call.size, call.op) {
            (Target::X86_64, Shape::Bulk, Size::Bits256, _) => 6,
            (Target::X86_64, Shape::Bulk, Size::Bits512, _) => 3,
            (Target::X86_64, Shape::Bulk, Size::Bits1024, Op::Decrypt)
            | (Target::X86_64, Shape::Keys, Size::Bits256 | Size::Bits512, _)
            | (_, Shape::Bulk, Size::Bits256, _) => 2,
            _ => 1,
        },
        bulk_of_its_own: true,
        // As in avx2.
        aligned_reads: &[Shape::Bulk, Shape::Keys],
    },
    Facts {
        backend: "auto",
        detects: true,
        with_token: &[],
        registers: |_| Registers::Either,
        jumps: Jumps::Any,
        proof_against_avx512: false,
        // For many keys the choice is made within the call, so that the compiler sees what is never
        // chosen.
        borrows: |call, target| match (call.shape, target) {
            (Shape::One | Shape::Bulk, _) => &["avx2", "avx512", "sse2", "unrolled"],
            (Shape::Keys, Target::X86_64) => &["avx2", "avx512", "unrolled"],
            (Shape::Keys, Target::I686 | Target::I686Gnu) => &["avx2", "avx512", "sse2"],
        },
        in_flight: |_, _| 1,
        bulk_of_its_own: false,
        aligned_reads: &[],
    },
];
