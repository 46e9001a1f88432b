//! Holds the machine code against the [facts](super::facts) and the [budgets](super::budgets).

use std::fmt;

use anyhow::{Result, bail, ensure};
use iced_x86::{Code, CpuidFeature, Instruction, Mnemonic};

use super::{
    Built,
    budgets::{Budget, Budgets},
    count::Counts,
    facts::{AVX512_PROCESSOR, DETECTION, FACTS, Facts, Jumps, Registers, is_baseline},
    instruction::{
        Base, Flow, Kind, alignment, computes_in_vectors, has_mmx, has_upper_half, has_vector,
        immediate, is_half_of_a_rotation, kind, memory, rotates, text,
    },
    kernels::{self, Call, Shape},
    object::{Function, Object},
};
use crate::target::Target;

/// A fact that does not hold for a function, and what to do.
#[derive(Debug)]
pub(super) struct Fault {
    what: String,
    todo: &'static str,
}

/// Faults by what to do about them, each with its place.
#[derive(Debug, Default)]
pub(super) struct Faults(Vec<(&'static str, Vec<String>)>);

impl Faults {
    pub(super) fn count(&self) -> usize {
        self.0.iter().map(|(_, faults)| faults.len()).sum()
    }

    fn add(&mut self, place: &str, function: &Function, fault: Option<Fault>) {
        let Some(Fault { what, todo }) = fault else { return };
        // With the hash, to tell instances of a generic function apart.
        let symbol = rustc_demangle::demangle(&function.symbol);
        let text = format!("  {place}: {symbol}\n      {what}");
        match self.0.iter_mut().find(|(known, _)| *known == todo) {
            Some((_, faults)) => faults.push(text),
            None => self.0.push((todo, vec![text])),
        }
    }
}

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|(todo, faults)| write!(f, "\n{todo}\n{}", faults.join("\n")))
    }
}

/// Adds all that is wrong with a backend.
pub(super) fn check(built: &Built, budgets: &Budgets, faults: &mut Faults) -> Result<()> {
    let Built { backend, crate_name, target, triple, object } = built;
    let Some(facts) = FACTS.iter().find(|facts| facts.backend == *backend) else {
        bail!(
            "nothing is said about {backend} in xtask/src/asm/facts.rs: add what must hold for it"
        );
    };
    let place = format!("{backend} on {triple}");
    let before = faults.count();
    for function in &object.functions {
        let more = beyond_baseline(facts, crate_name, function);
        faults.add(&place, function, level(triple, more, function));
    }
    if faults.count() > before {
        // All else is said about instructions that are meant to be there.
        return Ok(());
    }

    let mut may_align = Vec::new();
    for call in Call::all() {
        let kernels = call.kernels(crate_name, object)?;
        let place = format!("{place}, {call}, revision {}", call.revision);
        let borrowed = if kernels.is_empty() { call.borrowed(crate_name, object)? } else { vec![] };
        ensure!(
            borrowed == (facts.borrows)(call, *target),
            "{place}: whose kernels do the work is not what xtask/src/asm/facts.rs says: {borrowed:?}"
        );
        let budget = budgets.0.get(triple).map(|budgets| budgets.get(&built.budget_name(call)));
        for kernel in kernels.iter().map(|index| &object.functions[*index]) {
            faults.add(&place, kernel, registers((facts.registers)(*target), kernel));
            faults.add(&place, kernel, jumps(facts.jumps, kernel));
            if let Some(budget) = budget {
                faults.add(&place, kernel, over(budget.copied().unwrap_or_default(), kernel));
            }
        }
        let blocks = (facts.in_flight)(call, *target);
        let functions: Vec<_> = kernels.iter().map(|index| &object.functions[*index]).collect();
        let words = call.size.bytes() / 8;
        if let [largest, ..] = functions[..] {
            faults.add(&place, largest, one_after_the_other(words, blocks, &functions));
        }
        if call.shape == Shape::Bulk && facts.bulk_of_its_own {
            let one = call.for_one().kernels(crate_name, object)?;
            faults.add(&place, &object.functions[kernels[0]], shared(&one, &kernels));
        }
        if facts.aligned_reads.contains(&call.shape) {
            may_align.extend(kernels);
        }
    }
    for (index, function) in object.functions.iter().enumerate() {
        faults.add(&place, function, aligned_pointer(function, may_align.contains(&index)));
        faults.add(&place, function, overaligned_stack(function));
        faults.add(&place, function, upper_halves(function));
    }
    if *target != Target::X86_64 {
        for (index, fault) in misaligned_stack(object) {
            faults.add(&place, &object.functions[index], Some(fault));
        }
    }
    Ok(())
}

/// Adds kernels that the compiler vectorised where it has AVX-512 to do so.
pub(super) fn check_under_avx512(built: &Built, faults: &mut Faults) -> Result<()> {
    let Built { backend, crate_name, object, .. } = built;
    for call in Call::all() {
        let place = format!("{backend} for {AVX512_PROCESSOR}, {call}, revision {}", call.revision);
        for index in call.kernels(crate_name, object)? {
            let kernel = &object.functions[index];
            faults.add(&place, kernel, registers(Registers::General { but: 0 }, kernel));
        }
    }
    Ok(())
}

/// A fault if more than `but` instructions offend: it shows the first one.
fn offends(
    function: &Function,
    but: usize,
    mut what: impl FnMut(&Instruction) -> Option<String>,
    todo: &'static str,
) -> Option<Fault> {
    let mut all = function.instructions.iter().filter_map(|i| Some((i, what(i)?)));
    let (first, what) = all.next()?;
    let more = match all.count() {
        more if more < but => return None,
        0 => String::new(),
        more => format!(" (and {more} more)"),
    };
    Some(Fault { what: format!("{:#x}: {}: {what}{more}", first.ip(), text(first)), todo })
}

fn beyond_baseline(
    facts: &Facts,
    crate_name: &str,
    function: &Function,
) -> &'static [CpuidFeature] {
    match function {
        _ if kernels::runs_with_token(crate_name, function) => facts.with_token,
        _ if kernels::detects(function) && facts.detects => &DETECTION,
        _ => &[],
    }
}

/// `more`: what it may use beyond the baseline.
fn level(triple: &str, more: &[CpuidFeature], function: &Function) -> Option<Fault> {
    let allows = |feature| is_baseline(triple, feature) || more.contains(&feature);
    let what = |instruction: &Instruction| {
        if instruction.code() == Code::INVALID {
            return Some("is no instruction that is known".to_owned());
        }
        if has_mmx(instruction) {
            return Some("uses registers of the x87, which it would have to give back".to_owned());
        }
        let mut features = instruction.cpuid_features().iter();
        let above = features.find(|feature| !allows(**feature))?;
        Some(format!("needs {above:?}, which not every processor has that gets here"))
    };
    offends(
        function,
        0,
        what,
        "Use no intrinsic or target feature beyond SSE2, in a wide backend none but its own, behind the \
         token and inlined into `run`; and build without RUSTFLAGS that add some:",
    )
}

fn registers(registers: Registers, function: &Function) -> Option<Fault> {
    match registers {
        Registers::Either => None,
        Registers::General { but } => offends(
            function,
            but,
            |i| computes_in_vectors(i).then(|| "computes in vector registers".to_owned()),
            "The compiler vectorised integer code, which is slower: hide the pattern from it \
             (see `opaque` in threefish-unrolled):",
        ),
        Registers::Vector => {
            let computes =
                |i: &&Instruction| matches!(kind(i), Kind::AddSub | Kind::Logic | Kind::Shift);
            let all = function.instructions.iter().filter(computes);
            let (vector, general): (Vec<&_>, Vec<&_>) = all.partition(|i| has_vector(i));
            (vector.len() <= general.len()).then(|| Fault {
                what: format!(
                    "{} instructions compute in vector registers, {} in others",
                    vector.len(),
                    general.len()
                ),
                todo: "The rounds must be computed in vector registers: look for words that are \
                       taken out of them:",
            })
        }
    }
}

fn jumps(jumps: Jumps, function: &Function) -> Option<Fault> {
    let Jumps::Loops(most) = jumps else { return None };
    let calls = |instruction: &Instruction| match function.flow(instruction) {
        Flow::Call(name) if name.is_empty() => Some("leaves the kernel".to_owned()),
        Flow::Call(name) => Some(format!("calls {name}")),
        _ => None,
    };
    // From the start of the first loop to the end of the last.
    let loops = || function.instructions.iter().filter(|i| function.flow(i) == Flow::Loop);
    let start = loops().map(Instruction::near_branch_target).min();
    let end = loops().map(Instruction::ip).max();
    let skips_all = |instruction: &Instruction| {
        let (from, to) = (instruction.ip(), instruction.near_branch_target());
        start.zip(end).is_some_and(|(start, end)| from < start && end < to)
    };
    let branches = |instruction: &Instruction| {
        let what = "branches, neither back to the start of a loop nor past all of it";
        let branches = function.flow(instruction) == Flow::Branch && !skips_all(instruction);
        branches.then(|| what.to_owned())
    };
    let todo = "A kernel is a straight line, or counted loops around one: give it arrays, whose \
                lengths the compiler knows, instead of slices, and inline what it calls:";
    let count = loops().count();
    let too_many = || {
        let what = format!("has {count} loops, and may have {most}");
        (count > most).then_some(Fault { what, todo })
    };
    // What is called says why there are branches.
    offends(function, 0, calls, todo)
        .or_else(|| offends(function, 0, branches, todo))
        .or_else(too_many)
}

/// `may_read`: data of the crate's own, which it never writes.
fn aligned_pointer(function: &Function, may_read: bool) -> Option<Fault> {
    let what = |instruction: &Instruction| {
        let reads = memory(instruction).is_some_and(|access| !access.writes);
        let excused = may_read && reads;
        let needs = alignment(instruction).is_some() && !excused;
        (needs && function.base(instruction) == Base::Pointer)
            .then(|| "needs an aligned address, and takes it from a pointer".to_owned())
    };
    offends(
        function,
        0,
        what,
        "Users' data may be at any address: load it unaligned. If it is the crate's own, of a type \
         that is aligned, say so in xtask/src/asm/facts.rs:",
    )
}

/// A fault unless one of the kernels computes `blocks` blocks, or groups of them, at the same time:
/// each rotation of its first two rounds must come once for each before four rounds of all have
/// passed. It comes again after eight rounds of one.
fn one_after_the_other(words: usize, blocks: usize, kernels: &[&Function]) -> Option<Fault> {
    let at_a_time = |kernel: &&Function| {
        let rotations = || kernel.instructions.iter().filter(|i| rotates(i));
        // In vectors a rotation is two shifts before AVX-512.
        let shifts = if rotations().any(is_half_of_a_rotation) { 2 } else { 1 };
        let round = words / 2 * blocks * shifts;
        let four = rotations().map(|i| (i.mnemonic(), immediate(i))).take(4 * round);
        let four: Vec<_> = four.collect();
        let times = |one| four.iter().filter(|other| *other == one).count();
        four.iter().take(2 * round).map(times).min().unwrap_or(0)
    };
    let most = kernels.iter().map(at_a_time).max().unwrap_or(0);
    (most < blocks).then(|| Fault {
        what: format!("computes {most} of {blocks} blocks at the same time"),
        todo: "The compiler put blocks one behind the other: see `in_groups` in threefish-unrolled, \
               `in_order` in threefish-sse2, `IN_FLIGHT_256` in the wide backends:",
    })
}

fn over(budget: Budget, function: &Function) -> Option<Fault> {
    let counts = Counts::of(function);
    let (bytes, stack) = (counts.bytes, counts.stack());
    (bytes > budget.bytes || stack > budget.stack).then(|| Fault {
        what: format!(
            "{bytes} bytes (budget {}), {stack} reads and writes of the stack (budget {})",
            budget.bytes, budget.stack
        ),
        todo: "If it is faster like this, or new: cargo xtask asm check --write-budgets:",
    })
}

fn shared(one: &[usize], bulk: &[usize]) -> Option<Fault> {
    bulk.iter().any(|kernel| one.contains(kernel)).then(|| Fault {
        what: "is the kernel for one block as well as for many".to_owned(),
        todo: "Bulk calls must have a kernel of their own, with blocks side by side:",
    })
}

/// Where more is asked of the stack than any caller promises, the function must see to it itself.
fn overaligned_stack(function: &Function) -> Option<Fault> {
    let aligned = function.realigns().unwrap_or(0);
    let what = |instruction: &Instruction| {
        let needed = alignment(instruction).filter(|needed| *needed > 16)?;
        let lacks = function.base(instruction) == Base::Stack && aligned < needed;
        lacks.then(|| {
            format!("needs a stack aligned to {needed}, which the function does not see to")
        })
    };
    let todo = "The compiler takes for granted what it does not do, or this tool does not see it \
                (see `realigns` in xtask):";
    offends(function, 0, what, todo)
}

/// After AVX code that leaves something in the upper halves of registers, SSE code is slow.
fn upper_halves(function: &Function) -> Option<Fault> {
    let mut used = false;
    let what = |instruction: &Instruction| {
        let uses = has_upper_half(instruction);
        used = (used || uses) && instruction.mnemonic() != Mnemonic::Vzeroupper;
        // Loops stay within.
        let leaves =
            matches!(function.flow(instruction), Flow::Branch | Flow::Call(_) | Flow::Return);
        (used && leaves).then(|| "leaves upper halves of vector registers in use".to_owned())
    };
    let todo = "Code with 256 or 512 bits must end with `vzeroupper`, as the compiler ends functions \
                that neither take nor return such vectors:";
    offends(function, 0, what, todo)
}

/// Functions that need an aligned stack which nobody gives them. 32-bit callers keep the stack
/// aligned to 4 bytes only where they were compiled by old compilers or for Windows.
fn misaligned_stack(object: &Object) -> Vec<(usize, Fault)> {
    let realigns = |function: &Function| function.realigns().is_some_and(|to| to >= 16);
    let mut entries = kernels::entries(object);
    // What no entry reaches must care for itself, unless it is another name for what one reaches: so
    // the compiler merges functions that are the same.
    let code = |index: usize| &object.functions[index].instructions;
    let reached = object.reached(&entries, |_| false);
    let unreached = |index: &usize| reached.iter().all(|other| code(*other) != code(*index));
    entries.extend((0..object.functions.len()).filter(unreached));

    let mut faults = Vec::<(usize, Fault)>::new();
    for entry in entries {
        for index in object.reached(&[entry], realigns) {
            let function = &object.functions[index];
            let what = |instruction: &Instruction| {
                let needs = alignment(instruction).is_some();
                (needs && function.base(instruction) == Base::Stack).then(|| {
                    let entry = object.functions[entry].name();
                    format!("needs an aligned stack, and {entry} does not align it")
                })
            };
            let todo = "32-bit callers may have a stack that is aligned to 4 bytes: the entry \
                        must realign it (see threefish-api/src/stamp.rs):";
            if !faults.iter().any(|(known, _)| *known == index) {
                faults.extend(offends(function, 0, what, todo).map(|fault| (index, fault)));
            }
        }
    }
    faults
}

#[cfg(test)]
mod tests;
