//! Every fact is seen to fail on a few instructions made for it, and to hold beside that.

use std::collections::BTreeMap;

use iced_x86::{IcedError, code_asm::*};
use threefish_conformance::registry;

use super::*;
use crate::asm::{facts::OTHER_PROCESSORS, object::Reference};

const LINUX: &str = "i686-unknown-linux-musl";

type Assembled = Result<(), IcedError>;

/// A function of these instructions, at whose `reference` the linker fills something in.
fn referring(
    bits: u32,
    reference: Option<(u64, Option<usize>, &str)>,
    write: impl FnOnce(&mut CodeAssembler) -> Assembled,
) -> Function {
    let mut assembler = CodeAssembler::new(bits).unwrap();
    write(&mut assembler).unwrap();
    let code = assembler.assemble(0).unwrap();
    let reference = reference
        .map(|(offset, function, name)| (offset, Reference { function, name: name.to_owned() }));
    Function::decode("made_for_a_test", bits, &code, BTreeMap::from_iter(reference))
}

fn function(write: impl FnOnce(&mut CodeAssembler) -> Assembled) -> Function {
    referring(64, None, write)
}

/// The text of a fault that must be there.
#[track_caller]
fn what(fault: Option<Fault>) -> String {
    fault.expect("the fault is not seen").what
}

#[track_caller]
fn holds(fault: Option<Fault>) {
    if let Some(fault) = fault {
        panic!("a fault is seen where none is: {}", fault.what);
    }
}

#[test]
fn instructions_above_the_baseline() {
    let above =
        |write: fn(&mut CodeAssembler) -> Assembled| what(level(LINUX, &[], &function(write)));
    let sse3 = above(|a| a.paddq(xmm0, xmm1).and_then(|()| a.haddpd(xmm2, xmm3)));
    assert!(sse3.starts_with("0x4: haddpd xmm2,xmm3: needs SSE3"), "{sse3}");
    assert!(above(|a| a.movddup(xmm0, xmm1)).contains("SSE3"));
    assert!(above(|a| a.pshufb(xmm0, xmm1)).contains("SSSE3"));
    assert!(above(|a| a.pblendw(xmm0, xmm1, 3)).contains("SSE4_1"));
    assert!(above(|a| a.vaddpd(xmm0, xmm1, xmm2)).contains("AVX"));
    assert!(above(|a| a.vprolq(zmm0, zmm1, 3)).contains("AVX512F"));
    assert!(above(|a| a.rorx(rax, rcx, 7)).contains("BMI2"));
    let mmx = above(|a| a.movdq2q(mm0, xmm0).and_then(|()| a.emms()));
    assert!(mmx.contains("registers of the x87") && mmx.contains("(and 1 more)"), "{mmx}");
    assert!(above(|a| a.db(&[0x0f, 0x0a])).contains("no instruction that is known"));
}

#[test]
fn instructions_of_the_baseline() {
    holds(level(
        LINUX,
        &[],
        &function(|a| {
            a.endbr64()?;
            a.nop_1(dword_ptr(rax))?;
            a.cmove(rax, rcx)?;
            a.bswap(rax)?;
            a.psllq(xmm0, 3)?;
            a.cvtsi2sd(xmm0, eax)?;
            a.shld(rax, rcx, 3)?;
            a.ret()
        }),
    ));
}

#[test]
fn instructions_of_wide_backends() {
    let [.., avx2, avx512, _] = &FACTS;
    let above = |facts: &Facts, write: fn(&mut CodeAssembler) -> Assembled| {
        what(level(LINUX, facts.with_token, &function(write)))
    };
    assert!(above(avx2, |a| a.vprolq(ymm0, ymm1, 3)).contains("AVX512VL"));
    assert!(above(avx2, |a| a.vprolq(zmm0, zmm1, 3)).contains("AVX512F"));
    assert!(above(avx2, |a| a.vfmadd132pd(ymm0, ymm1, ymm2)).contains("FMA"));
    assert!(above(avx2, |a| a.rorx(rax, rcx, 7)).contains("BMI2"));
    assert!(above(avx512, |a| a.vpmullq(zmm0, zmm1, zmm2)).contains("AVX512DQ"));
    assert!(above(avx512, |a| a.vpshufb(zmm0, zmm1, zmm2)).contains("AVX512BW"));
    assert!(above(avx512, |a| a.vpermb(zmm0, zmm1, zmm2)).contains("AVX512_VBMI"));

    let two = function(|a| {
        a.vpaddq(ymm0, ymm1, ymm2)?;
        a.vpshufb(ymm0, ymm1, ymm2)?;
        a.vmovups(xmm0, xmmword_ptr(rsi))?;
        a.vzeroupper()
    });
    holds(level(LINUX, avx2.with_token, &two));
    holds(level(LINUX, avx512.with_token, &two));
    let more = function(|a| {
        a.vprolq(zmm0, zmm1, 3)?;
        a.vprolvq(xmm0, xmm1, xmm2)?;
        a.vpternlogq(ymm0, ymm1, ymm2, 0x96)
    });
    holds(level(LINUX, avx512.with_token, &more));
    what(level(LINUX, &DETECTION, &two));
    holds(level(LINUX, &DETECTION, &function(|a| a.cpuid().and_then(|()| a.xgetbv()))));
    what(level(LINUX, avx512.with_token, &function(|a| a.cpuid())));
}

#[test]
fn only_what_has_a_token_goes_beyond_the_baseline() {
    let [.., sse2, avx2, _, _] = &FACTS;
    let beyond = |facts, symbol: &str| {
        let mut function = function(|a| a.ret());
        function.symbol = symbol.to_owned();
        beyond_baseline(facts, "threefish_avx2", &function)
    };
    let kernel = "<threefish_avx2::avx2::Avx2 as threefish_lanes::lanes::Lanes<4>>::run::run";
    let detection = "threefish_avx2::avx2::avx2::init_get::init_inner";
    assert_eq!(beyond(avx2, kernel), avx2.with_token);
    assert_eq!(beyond(avx2, detection), DETECTION);
    assert_eq!(beyond(avx2, "threefish_avx2::threefish_256::v1_3::encrypt_blocks"), []);
    assert_eq!(beyond(sse2, kernel), []);
    assert_eq!(beyond(sse2, detection), []);
}

#[test]
fn macs_have_more() {
    holds(level("x86_64-apple-darwin", &[], &function(|a| a.pshufb(xmm0, xmm1))));
    what(level("x86_64-apple-darwin", &[], &function(|a| a.vzeroupper())));
}

#[test]
fn vectorised_integers() {
    let vectorised = |write: fn(&mut CodeAssembler) -> Assembled| {
        what(registers(Registers::General { but: 0 }, &function(write)))
    };
    let add = vectorised(|a| a.add(rax, rcx).and_then(|()| a.paddq(xmm0, xmm1)));
    assert!(add.starts_with("0x3: paddq xmm0,xmm1: computes in vector registers"), "{add}");
    vectorised(|a| a.pxor(xmm0, xmm1));
    vectorised(|a| a.xorps(xmm0, xmmword_ptr(rsi)));
    vectorised(|a| a.psllq(xmm0, 3));
    vectorised(|a| a.vpaddq(ymm0, ymm1, ymm2));
    // Nobody has listed this one.
    vectorised(|a| a.pmuludq(xmm0, xmm1));

    let copies = function(|a| {
        a.movups(xmm0, xmmword_ptr(rsi))?;
        a.movaps(xmm1, xmm0)?;
        a.movq(xmm2, rax)?;
        a.movsd_2(qword_ptr(rdi), xmm2)?;
        a.xorps(xmm0, xmm0)?;
        a.movlhps(xmm0, xmm1)?;
        a.rol(rax, 3)
    });
    holds(registers(Registers::General { but: 0 }, &copies));
    let two = function(|a| a.paddq(xmm0, xmm1).and_then(|()| a.paddq(xmm0, xmm1)));
    holds(registers(Registers::General { but: 2 }, &two));
    let more = what(registers(Registers::General { but: 1 }, &two));
    assert!(more.contains("(and 1 more)"), "{more}");
    holds(registers(Registers::Either, &function(|a| a.paddq(xmm0, xmm1))));
}

#[test]
fn rounds_that_are_not_in_vectors() {
    let mixed = |general: usize| {
        function(|a| {
            (0..general).try_for_each(|_| a.xor(rax, rcx))?;
            a.paddq(xmm0, xmm1)?;
            a.psrlq(xmm0, 3)
        })
    };
    holds(registers(Registers::Vector, &mixed(1)));
    let some = what(registers(Registers::Vector, &mixed(2)));
    assert!(some.contains("2 instructions compute in vector registers, 2 in others"), "{some}");
}

#[test]
fn calls_and_branches() {
    let leaves = |function: &Function| {
        holds(jumps(Jumps::Any, function));
        what(jumps(Jumps::Loops(1), function))
    };
    let memcpy = Some((1, None, "memcpy"));
    let call = leaves(&referring(64, memcpy, |a| a.call(0x5)));
    assert!(call.contains("calls memcpy"), "{call}");
    let tail = leaves(&referring(32, memcpy, |a| a.db(&[0xe9, 0xfc, 0xff, 0xff, 0xff])));
    assert!(tail.contains("calls memcpy"), "{tail}");
    // As x86_64 calls what is in another crate.
    let indirect =
        leaves(&referring(64, Some((2, None, "memset")), |a| a.db(&[0xff, 0x15, 0, 0, 0, 0])));
    assert!(indirect.contains("calls memset"), "{indirect}");
    assert!(leaves(&function(|a| a.call(rax))).contains("leaves the kernel"));
    assert!(leaves(&function(|a| a.ud2())).contains("leaves the kernel"));

    let forward = leaves(&function(|a| {
        let mut end = a.create_label();
        a.je(end)?;
        a.add(rax, rcx)?;
        a.set_label(&mut end)?;
        a.ret()
    }));
    assert!(forward.contains("0x0: je 0x5: branches"), "{forward}");
    let always = |a: &mut CodeAssembler| {
        let mut start = a.create_label();
        a.set_label(&mut start)?;
        a.add(rax, rcx)?;
        a.jmp(start)
    };
    assert!(leaves(&function(always)).contains("jmp 0x0: branches"));
    // Out of the middle of a loop.
    leaves(&function(|a| {
        let (mut start, mut end) = (a.create_label(), a.create_label());
        a.set_label(&mut start)?;
        a.je(end)?;
        a.dec(edx)?;
        a.jne(start)?;
        a.set_label(&mut end)?;
        a.ret()
    }));
}

#[test]
fn past_a_loop_that_has_nothing_to_do() {
    holds(jumps(
        Jumps::Loops(1),
        &function(|a| {
            let (mut start, mut end) = (a.create_label(), a.create_label());
            a.test(edx, edx)?;
            a.je(end)?;
            a.set_label(&mut start)?;
            a.dec(edx)?;
            a.jne(start)?;
            a.set_label(&mut end)?;
            a.ret()
        }),
    ));
}

#[test]
fn one_loop_in_another() {
    let nested = function(|a| {
        let (mut outer, mut inner, mut end) =
            (a.create_label(), a.create_label(), a.create_label());
        a.test(edx, edx)?;
        a.je(end)?;
        a.set_label(&mut outer)?;
        a.mov(ecx, 9)?;
        a.set_label(&mut inner)?;
        a.dec(ecx)?;
        a.jne(inner)?;
        a.dec(edx)?;
        a.jne(outer)?;
        a.set_label(&mut end)?;
        a.ret()
    });
    holds(jumps(Jumps::Loops(2), &nested));
    let more = what(jumps(Jumps::Loops(1), &nested));
    assert!(more.contains("has 2 loops, and may have 1"), "{more}");
}

#[test]
fn loops_and_the_way_to_ones_own_address() {
    holds(jumps(
        Jumps::Loops(1),
        &referring(32, None, |a| {
            // call to the next instruction; pop ebx
            a.db(&[0xe8, 0, 0, 0, 0, 0x5b])?;
            let mut start = a.create_label();
            a.set_label(&mut start)?;
            a.add(eax, ecx)?;
            a.dec(edx)?;
            a.jne(start)?;
            a.ret()
        }),
    ));
}

#[test]
fn aligned_accesses_through_pointers() {
    let faulty =
        |write: fn(&mut CodeAssembler) -> Assembled| what(aligned_pointer(&function(write), false));
    let load = faulty(|a| a.movaps(xmm0, xmmword_ptr(rdi + 16)));
    assert!(load.starts_with("0x0: movaps xmm0,[rdi+0x10]: needs an aligned address"), "{load}");
    faulty(|a| a.movdqa(xmmword_ptr(rsi), xmm0));
    faulty(|a| a.paddq(xmm0, xmmword_ptr(rdi)));
    // No frame pointer here: rbp is a register as any.
    faulty(|a| a.movaps(xmm0, xmmword_ptr(rbp)));

    faulty(|a| a.vmovdqa(ymm0, ymmword_ptr(rdi)));
    faulty(|a| a.vmovdqa64(zmmword_ptr(rdi), zmm0));
    faulty(|a| a.vmovaps(xmm0, xmmword_ptr(rdi)));

    let own = |write: fn(&mut CodeAssembler) -> Assembled| aligned_pointer(&function(write), true);
    holds(own(|a| a.paddq(xmm0, xmmword_ptr(rdi))));
    what(own(|a| a.movaps(xmmword_ptr(rdi), xmm0)));

    let unaligned = function(|a| {
        a.push(rbp)?;
        a.mov(rbp, rsp)?;
        a.movaps(xmm0, xmmword_ptr(rbp - 32))?;
        a.movaps(xmm0, xmmword_ptr(rsp + rax))?;
        a.pxor(xmm0, xmmword_ptr(0x1234))?;
        a.movups(xmm0, xmmword_ptr(rdi))?;
        a.movdqu(xmmword_ptr(rdi), xmm0)?;
        a.movhps(xmm0, qword_ptr(rdi))?;
        a.add(rax, qword_ptr(rdi))?;
        // Arithmetic of AVX takes any address.
        a.vpaddq(ymm0, ymm1, ymmword_ptr(rdi))?;
        a.vpaddq(zmm0, zmm1, qword_bcst(rdi))?;
        a.vmovdqu64(zmm0, zmmword_ptr(rdi))?;
        a.vmovups(ymmword_ptr(rdi), ymm0)
    });
    holds(aligned_pointer(&unaligned, false));
    // A constant of 32-bit code: the linker fills in its place behind the register.
    let constant = |a: &mut CodeAssembler| a.movaps(xmm0, xmmword_ptr(ebx + 0x1234));
    holds(aligned_pointer(&referring(32, Some((3, None, ".LCPI0_0")), constant), false));
    what(aligned_pointer(&referring(32, None, constant), false));
}

#[test]
fn blocks_in_flight() {
    let rounds = |order: [i32; 4]| {
        function(move |a| order.into_iter().try_for_each(|count| a.rol(rax, count)))
    };
    let two = |order| one_after_the_other(4, 2, &[&rounds(order)]);
    holds(two([14, 14, 16, 16]));
    // The second block comes behind all of the first one.
    let sequential = function(|a| (0..2).try_for_each(|_| (1..17).try_for_each(|i| a.rol(rax, i))));
    let fault = what(one_after_the_other(4, 2, &[&sequential]));
    assert!(fault.contains("1 of 2 blocks"), "{fault}");
    // Of several kernels the largest decides.
    holds(one_after_the_other(4, 2, &[&sequential, &rounds([1, 1, 2, 2])]));
    holds(one_after_the_other(4, 1, &[&sequential]));

    // The rotations of a round may be the same, here of the first.
    let alike = function(|a| [32, 32, 7, 9].into_iter().try_for_each(|count| a.rol(rax, count)));
    what(one_after_the_other(4, 2, &[&alike]));

    // In vectors each rotation is two shifts before AVX-512.
    let shifts = |blocks: usize| {
        function(move |a| {
            (0..blocks).try_for_each(|_| a.psllq(xmm0, 14).and_then(|()| a.psrlq(xmm1, 50)))
        })
    };
    holds(one_after_the_other(4, 2, &[&shifts(2)]));
    what(one_after_the_other(4, 2, &[&shifts(1)]));
    let shifts = |blocks: usize| {
        function(move |a| {
            (0..blocks).try_for_each(|_| a.vpsllq(ymm0, ymm1, 14))?;
            (0..blocks).try_for_each(|_| a.vpsrlq(ymm1, ymm2, 50))
        })
    };
    holds(one_after_the_other(4, 3, &[&shifts(3)]));
    what(one_after_the_other(4, 3, &[&shifts(2)]));
    let rotations = |blocks: usize| {
        let mut counts = [14, 16, 52, 57, 23, 40, 5, 37].into_iter();
        function(move |a| {
            counts.try_for_each(|r| (0..blocks).try_for_each(|_| a.vprolq(zmm0, zmm1, r)))
        })
    };
    holds(one_after_the_other(4, 6, &[&rotations(6)]));
    what(one_after_the_other(4, 6, &[&rotations(5)]));
}

#[test]
fn more_than_the_budget() {
    let function = function(|a| a.mov(rax, qword_ptr(rsp + 8)));
    holds(over(Budget { bytes: 5, stack: 1 }, &function));
    let large = what(over(Budget { bytes: 4, stack: 1 }, &function));
    assert!(large.contains("5 bytes (budget 4), 1 reads and writes"), "{large}");
    what(over(Budget { bytes: 5, stack: 0 }, &function));
    let suggested = Budget::of(&Counts::of(&function));
    assert_eq!(suggested, Budget { bytes: 5, stack: 5 });
}

#[test]
fn one_kernel_for_two_purposes() {
    holds(shared(&[1, 2], &[3]));
    what(shared(&[1, 2], &[3, 2]));
}

/// An entry that calls a kernel, which spills; each may align its stack.
fn spilling(entry_aligns: bool, kernel_aligns: bool) -> Object {
    let prologue = |a: &mut CodeAssembler, aligns: bool| {
        a.push(ebp)?;
        a.mov(ebp, esp)?;
        if aligns {
            a.and(esp, -16)?;
        }
        a.sub(esp, 256)
    };
    let call = if entry_aligns { 13 } else { 10 };
    let mut entry = referring(32, Some((call, Some(1), "kernel")), |a| {
        prologue(a, entry_aligns)?;
        a.call(0)
    });
    entry.symbol = "threefish_x::threefish_256::v1_3::encrypt_block".to_owned();
    let kernel = referring(32, None, |a| {
        prologue(a, kernel_aligns)?;
        a.movaps(xmmword_ptr(esp + 16), xmm0)
    });
    Object { functions: vec![entry, kernel] }
}

#[test]
fn stacks_that_are_to_be_aligned_to_more_than_16() {
    let stores = |aligned_to: i32, write: fn(&mut CodeAssembler) -> Assembled| {
        overaligned_stack(&function(|a| {
            a.and(rsp, -aligned_to)?;
            write(a)
        }))
    };
    let zmm = |a: &mut CodeAssembler| a.vmovdqa64(zmmword_ptr(rsp + 64), zmm0);
    let ymm = |a: &mut CodeAssembler| a.vmovaps(ymm0, ymmword_ptr(rsp));
    let less = what(stores(32, zmm));
    assert!(less.contains("needs a stack aligned to 64"), "{less}");
    holds(stores(64, zmm));
    what(stores(16, ymm));
    holds(stores(32, ymm));
    what(overaligned_stack(&function(ymm)));
    holds(overaligned_stack(&function(|a| a.vmovups(ymm0, ymmword_ptr(rsp)))));
}

#[test]
fn stacks_that_are_aligned_behind_a_branch() {
    let branches = |to_its_end: bool| {
        function(|a| {
            let mut end = a.create_label();
            a.je(end)?;
            a.and(rsp, -64)?;
            a.vmovdqa64(zmm0, zmmword_ptr(rsp))?;
            if !to_its_end {
                a.set_label(&mut end)?;
                a.vmovdqa64(zmm1, zmmword_ptr(rsp))?;
                return a.ret();
            }
            a.set_label(&mut end)?;
            a.vzeroupper()?;
            a.ret()
        })
    };
    holds(overaligned_stack(&branches(true)));
    what(overaligned_stack(&branches(false)));
}

#[test]
fn upper_halves_that_are_left_in_use() {
    let faulty = |write: fn(&mut CodeAssembler) -> Assembled| what(upper_halves(&function(write)));
    let returns = faulty(|a| a.vpxor(ymm0, ymm0, ymm0).and_then(|()| a.ret()));
    assert!(returns.contains("ret: leaves upper halves"), "{returns}");
    faulty(|a| a.vprolq(zmm0, zmm1, 3).and_then(|()| a.call(rax)));
    // Again after they were cleared.
    faulty(|a| {
        a.vzeroupper()?;
        a.vmovdqu(ymm0, ymmword_ptr(rdi))?;
        a.ret()
    });
    faulty(|a| {
        let mut end = a.create_label();
        a.vmovdqu(ymm0, ymmword_ptr(rdi))?;
        a.je(end)?;
        a.vzeroupper()?;
        a.set_label(&mut end)?;
        a.ret()
    });

    let clears = function(|a| {
        let mut start = a.create_label();
        a.set_label(&mut start)?;
        a.vpaddq(ymm0, ymm1, ymm2)?;
        a.dec(ecx)?;
        a.jne(start)?;
        a.vzeroupper()?;
        a.pop(rbx)?;
        a.ret()
    });
    holds(upper_halves(&clears));
    holds(upper_halves(&function(|a| a.vpaddq(xmm0, xmm1, xmm2).and_then(|()| a.ret()))));
}

#[test]
fn stacks_that_nobody_aligns() {
    let faults = misaligned_stack(&spilling(false, false));
    let [(1, fault)] = &faults[..] else { panic!("{faults:?}") };
    assert!(fault.what.contains("movaps [esp+0x10],xmm0: needs an aligned stack"), "{fault:?}");
    assert!(fault.what.contains("256::v1_3::encrypt_block does not align it"), "{fault:?}");
    assert!(misaligned_stack(&spilling(true, false)).is_empty());
    assert!(misaligned_stack(&spilling(false, true)).is_empty());

    // A second way to the kernel.
    let mut object = spilling(true, false);
    object.functions.push(spilling(false, false).functions.swap_remove(0));
    assert_eq!(misaligned_stack(&object).len(), 1);
    // No way at all.
    let mut object = spilling(true, false);
    object.functions[0] = referring(32, None, |a| a.ret());
    assert_eq!(misaligned_stack(&object).len(), 1);
    // Another name for the kernel.
    let mut object = spilling(true, false);
    object.functions.push(spilling(true, false).functions.swap_remove(1));
    assert!(misaligned_stack(&object).is_empty());
}

#[test]
fn counted() {
    let counts = Counts::of(&function(|a| {
        a.push(rbx)?;
        a.sub(rsp, 24)?;
        a.mov(qword_ptr(rsp + 8), rbx)?;
        a.add(rbx, qword_ptr(rsp))?;
        a.add(qword_ptr(rsp), rbx)?;
        a.lea(rax, qword_ptr(rsp + 8))?;
        a.paddq(xmm0, xmmword_ptr(rsp))?;
        a.movdqu(xmm1, xmmword_ptr(rdi))?;
        a.shufps(xmm1, xmm0, 3)?;
        a.rol(rbx, 3)?;
        a.mov(rcx, rbx)?;
        a.pop(rbx)?;
        a.ret()
    }));
    let kinds = Kind::ALL.map(|kind| counts.kind(kind));
    assert_eq!(kinds, [5, 0, 1, 1, 1, 2, 2, 1], "{counts:?}");
    assert_eq!(kinds.iter().sum::<usize>(), counts.instructions);
    assert_eq!((counts.stack_reads, counts.stack_writes, counts.frame), (3, 2, 32));
    assert_eq!(counts.aligned_operands, BTreeMap::from([(Base::Stack, 1)]));
    assert_eq!(counts.unaligned_moves, BTreeMap::from([(Base::Pointer, 1)]));
    assert_eq!((counts.vector_registers, counts.general_registers), (2, 4));
    assert_eq!((counts.realigns, counts.calls.len(), counts.loops), (None, 0, 0));
}

#[test]
fn counted_in_wide_registers() {
    let counts = Counts::of(&function(|a| {
        a.and(rsp, -64)?;
        a.vmovdqa64(zmmword_ptr(rsp), zmm0)?;
        a.vpaddq(zmm0, zmm1, zmmword_ptr(rsp))?;
        a.vpaddq(ymm0, ymm1, ymmword_ptr(rdi))?;
        a.vpaddq(zmm0, zmm1, qword_bcst(rdi))?;
        a.vpternlogq(zmm0, zmm1, zmm17, 0x96)?;
        a.vprolq(zmm0, zmm1, 3)?;
        a.vpsllq(ymm0, ymm1, 3)?;
        a.vpshufb(ymm0, ymm1, ymm2)?;
        a.vpermt2q(zmm0, zmm1, zmm2)?;
        a.vpbroadcastq(ymm0, xmm1)?;
        a.vpbroadcastq(ymm0, qword_ptr(rdi))?;
        a.vmovdqa(ymm0, ymm1)?;
        a.vmovdqu64(zmmword_ptr(rdi), zmm2)?;
        a.vzeroupper()
    }));
    let kinds = Kind::ALL.map(|kind| counts.kind(kind));
    assert_eq!(kinds, [3, 2, 2, 3, 1, 1, 2, 1], "{counts:?}");
    assert_eq!((counts.stack_reads, counts.stack_writes), (1, 1));
    assert_eq!(counts.aligned_moves, BTreeMap::from([(Base::Stack, 1)]));
    assert_eq!(counts.unaligned_moves, BTreeMap::from([(Base::Pointer, 1)]));
    assert_eq!(counts.aligned_operands, BTreeMap::new());
    assert_eq!(counts.unaligned_operands, BTreeMap::from([(Base::Stack, 1), (Base::Pointer, 1)]));
    assert_eq!((counts.vector_registers, counts.realigns), (4, Some(64)));
}

#[test]
fn every_backend_has_its_facts() {
    let facts = FACTS.map(|facts| facts.backend);
    let mut backends: Vec<_> = registry::backends().iter().map(|backend| backend.name).collect();
    backends.retain(|backend| !OTHER_PROCESSORS.contains(backend));
    assert_eq!(facts[..], backends);
}
