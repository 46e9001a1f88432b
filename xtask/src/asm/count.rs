//! A function's instructions in numbers.

use std::collections::{BTreeMap, BTreeSet};

use iced_x86::{Instruction, InstructionInfoFactory, Mnemonic, Register};
use serde::Serialize;

use super::{
    instruction::{Base, Flow, Kind, alignment, immediate, is_wide, kind, memory},
    object::Function,
};

#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Counts {
    pub(crate) bytes: u64,
    pub(crate) instructions: usize,
    pub(crate) kinds: BTreeMap<Kind, usize>,
    /// Instructions that read from the stack, arguments included, but without `pop`.
    pub(crate) stack_reads: usize,
    /// The same for writing, without `push`.
    pub(crate) stack_writes: usize,
    /// Bytes of the stack at its deepest before the first call or loop, without what realignment
    /// adds.
    pub(crate) frame: i64,
    pub(crate) realigns: Option<usize>,
    /// Moves of 16 bytes or more between vector registers and memory, by what the address starts
    /// from: those that fault at addresses that are not aligned, and others.
    pub(crate) aligned_moves: BTreeMap<Base, usize>,
    pub(crate) unaligned_moves: BTreeMap<Base, usize>,
    /// The same of arithmetic on so much memory.
    pub(crate) aligned_operands: BTreeMap<Base, usize>,
    pub(crate) unaligned_operands: BTreeMap<Base, usize>,
    pub(crate) vector_registers: usize,
    pub(crate) general_registers: usize,
    pub(crate) calls: Vec<String>,
    pub(crate) branches: usize,
    pub(crate) loops: usize,
    /// Instruction sets.
    pub(crate) features: BTreeSet<String>,
}

impl Counts {
    pub(crate) fn of(function: &Function) -> Self {
        let mut counts = Self {
            bytes: function.bytes(),
            instructions: function.instructions.len(),
            frame: frame(function),
            realigns: function.realigns(),
            ..Self::default()
        };
        let mut registers = BTreeSet::new();
        let mut factory = InstructionInfoFactory::new();
        for instruction in &function.instructions {
            *counts.kinds.entry(kind(instruction)).or_default() += 1;
            counts.count_memory(function, instruction);
            match function.flow(instruction) {
                Flow::Call(name) => counts.calls.push(name),
                Flow::Branch => counts.branches += 1,
                Flow::Loop => counts.loops += 1,
                Flow::On | Flow::Return => {}
            }
            // `vzeroupper` names all registers.
            if instruction.mnemonic() != Mnemonic::Vzeroupper {
                let used = factory.info(instruction).used_registers().iter();
                registers.extend(used.map(|used| used.register().full_register()));
            }
            let features = instruction.cpuid_features().iter();
            counts.features.extend(features.map(|feature| format!("{feature:?}")));
        }
        let count = |is: fn(Register) -> bool| registers.iter().filter(|r| is(**r)).count();
        counts.vector_registers = count(Register::is_vector_register);
        counts.general_registers = count(|r| r.is_gpr() && r != Register::RSP);
        counts
    }

    fn count_memory(&mut self, function: &Function, instruction: &Instruction) {
        let Some(access) = memory(instruction) else { return };
        let base = function.base(instruction);
        if base == Base::Stack {
            self.stack_reads += usize::from(access.reads);
            self.stack_writes += usize::from(access.writes);
        }
        if !is_wide(instruction) {
            return;
        }
        let moves = matches!(kind(instruction), Kind::Load | Kind::Store);
        let by_base = match (moves, alignment(instruction).is_some()) {
            (true, true) => &mut self.aligned_moves,
            (true, false) => &mut self.unaligned_moves,
            (false, true) => &mut self.aligned_operands,
            (false, false) => &mut self.unaligned_operands,
        };
        *by_base.entry(base).or_default() += 1;
    }

    pub(crate) fn kind(&self, kind: Kind) -> usize {
        self.kinds.get(&kind).copied().unwrap_or(0)
    }

    /// What registers could not hold, and what only memory has.
    pub(crate) fn stack(&self) -> usize {
        self.stack_reads + self.stack_writes
    }
}

/// The deepest that the stack gets before the first call or loop. A function that may have nothing
/// to do makes room only behind the branch that says so.
fn frame(function: &Function) -> i64 {
    let before = |i: &&Instruction| !matches!(function.flow(i), Flow::Call(_) | Flow::Loop);
    let rooms = function.instructions.iter().take_while(before).scan(0, |depth, instruction| {
        *depth += room(instruction);
        Some(*depth)
    });
    rooms.max().unwrap_or(0)
}

/// By how many bytes an instruction deepens the stack.
fn room(instruction: &Instruction) -> i64 {
    let of_the_stack = instruction.op_register(0).full_register() == Register::RSP;
    match instruction.mnemonic() {
        Mnemonic::Push | Mnemonic::Pop => -i64::from(instruction.stack_pointer_increment()),
        Mnemonic::Sub if of_the_stack => immediate(instruction),
        Mnemonic::Add if of_the_stack => -immediate(instruction),
        _ => 0,
    }
}
