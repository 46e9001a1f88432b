//! What one instruction does, in the few terms that matter for a cipher.

use iced_x86::{
    EncodingKind, FlowControl, Formatter as _, Instruction, InstructionInfoFactory, IntelFormatter,
    Mnemonic, OpAccess, OpKind, Register,
};
use serde::Serialize;

use super::object::Function;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Kind {
    /// Also `lea`, which compilers add with.
    AddSub,
    Logic,
    /// And rotate.
    Shift,
    Shuffle,
    /// From register to register, or of a constant into one.
    Move,
    Load,
    Store,
    Other,
}

impl Kind {
    #[cfg(test)]
    pub(crate) const ALL: [Self; 8] = [
        Self::AddSub,
        Self::Logic,
        Self::Shift,
        Self::Shuffle,
        Self::Move,
        Self::Load,
        Self::Store,
        Self::Other,
    ];
}

pub(crate) fn kind(instruction: &Instruction) -> Kind {
    use Mnemonic::*;
    match instruction.mnemonic() {
        Add | Adc | Sub | Sbb | Inc | Dec | Neg | Lea | Paddb | Paddw | Paddd | Paddq | Psubb
        | Psubw | Psubd | Psubq | Vpaddb | Vpaddw | Vpaddd | Vpaddq | Vpsubb | Vpsubw | Vpsubd
        | Vpsubq => Kind::AddSub,
        And | Or | Xor | Not | Pand | Pandn | Por | Pxor | Andps | Andnps | Orps | Xorps
        | Andpd | Andnpd | Orpd | Xorpd | Vpand | Vpandd | Vpandq | Vpandn | Vpandnd | Vpandnq
        | Vpor | Vpord | Vporq | Vpxor | Vpxord | Vpxorq | Vpternlogd | Vpternlogq | Vandps
        | Vandnps | Vorps | Vxorps | Vandpd | Vandnpd | Vorpd | Vxorpd => Kind::Logic,
        Rol | Ror | Rorx | Rcl | Rcr | Shl | Sal | Shr | Sar | Shld | Shrd | Psllw | Pslld
        | Psllq | Psrlw | Psrld | Psrlq | Psraw | Psrad | Vpsllw | Vpslld | Vpsllq | Vpsrlw
        | Vpsrld | Vpsrlq | Vpsraw | Vpsrad | Vpsraq | Vpsllvd | Vpsllvq | Vpsrlvd | Vpsrlvq
        | Vprold | Vprolq | Vprolvd | Vprolvq | Vprord | Vprorq | Vprorvd | Vprorvq => Kind::Shift,
        Pshufd | Pshufhw | Pshuflw | Shufps | Shufpd | Punpcklbw | Punpcklwd | Punpckldq
        | Punpcklqdq | Punpckhbw | Punpckhwd | Punpckhdq | Punpckhqdq | Unpcklps | Unpcklpd
        | Unpckhps | Unpckhpd | Movhlps | Movlhps | Pslldq | Psrldq | Pinsrw | Pextrw | Vpshufb
        | Vpshufd | Vpshufhw | Vpshuflw | Vshufps | Vshufpd | Vpunpcklbw | Vpunpcklwd
        | Vpunpckldq | Vpunpcklqdq | Vpunpckhbw | Vpunpckhwd | Vpunpckhdq | Vpunpckhqdq
        | Vunpcklps | Vunpcklpd | Vunpckhps | Vunpckhpd | Vmovhlps | Vmovlhps | Vpslldq
        | Vpsrldq | Vpinsrb | Vpinsrw | Vpinsrd | Vpinsrq | Vpextrb | Vpextrw | Vpextrd
        | Vpextrq | Vpalignr | Valignd | Valignq | Vpblendw | Vpblendd | Vblendps | Vblendpd
        | Vpermd | Vpermq | Vpermps | Vpermpd | Vpermilps | Vpermilpd | Vpermi2d | Vpermi2q
        | Vpermi2pd | Vpermt2d | Vpermt2q | Vpermt2pd | Vperm2i128 | Vperm2f128 | Vinserti128
        | Vinsertf128 | Vinserti32x4 | Vinsertf32x4 | Vinserti64x4 | Vinsertf64x4
        | Vextracti128 | Vextractf128 | Vextracti32x4 | Vextractf32x4 | Vextracti64x4
        | Vextractf64x4 | Vshufi32x4 | Vshuff32x4 | Vshufi64x2 | Vshuff64x2 => Kind::Shuffle,
        // The string instruction of the same name.
        Movsd if !has_vector(instruction) => Kind::Other,
        // Between registers these replace one half of the destination.
        Movsd | Movss | Vmovsd | Vmovss if memory(instruction).is_none() => Kind::Shuffle,
        // From memory these fill all lanes with what they load.
        Vpbroadcastd | Vpbroadcastq | Vbroadcastss | Vbroadcastsd
            if memory(instruction).is_none() =>
        {
            Kind::Shuffle
        }
        Mov | Movzx | Movsx | Movsxd | Movd | Movq | Movss | Movsd | Movaps | Movapd | Movups
        | Movupd | Movdqa | Movdqu | Movlps | Movlpd | Movhps | Movhpd | Movntdq | Movntps
        | Movntpd | Vmovd | Vmovq | Vmovss | Vmovsd | Vmovaps | Vmovapd | Vmovups | Vmovupd
        | Vmovdqa | Vmovdqa32 | Vmovdqa64 | Vmovdqu | Vmovdqu32 | Vmovdqu64 | Vmovlps | Vmovlpd
        | Vmovhps | Vmovhpd | Vmovntdq | Vmovntps | Vmovntpd | Vmovntdqa | Vpbroadcastd
        | Vpbroadcastq | Vbroadcastss | Vbroadcastsd | Vbroadcasti128 | Vbroadcastf128
        | Vbroadcasti32x4 | Vbroadcastf32x4 | Vbroadcasti64x4 | Vbroadcastf64x4 | Vpmovsxbq
        | Vpmovzxbq | Push | Pop | Xchg | Bswap | Cmove | Cmovne => match memory(instruction) {
            Some(access) if access.writes => Kind::Store,
            Some(_) => Kind::Load,
            None => match instruction.mnemonic() {
                Push => Kind::Store,
                Pop => Kind::Load,
                _ => Kind::Move,
            },
        },
        _ => Kind::Other,
    }
}

/// How an instruction uses memory through an operand. `lea` and the stack of `push` are none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Access {
    pub(crate) reads: bool,
    pub(crate) writes: bool,
}

pub(crate) fn memory(instruction: &Instruction) -> Option<Access> {
    instruction.op_kinds().find(|kind| *kind == OpKind::Memory)?;
    let mut factory = InstructionInfoFactory::new();
    let info = factory.info(instruction);
    let used = info.used_memory();
    let operand = used.iter().find(|memory| {
        memory.base() == instruction.memory_base() && memory.index() == instruction.memory_index()
    })?;
    let access = operand.access();
    Some(Access {
        reads: matches!(
            access,
            OpAccess::Read | OpAccess::CondRead | OpAccess::ReadWrite | OpAccess::ReadCondWrite
        ),
        writes: matches!(
            access,
            OpAccess::Write | OpAccess::CondWrite | OpAccess::ReadWrite | OpAccess::ReadCondWrite
        ),
    })
}

fn registers(instruction: &Instruction) -> impl Iterator<Item = Register> {
    (0..instruction.op_count()).map(|operand| instruction.op_register(operand))
}

pub(crate) fn has_vector(instruction: &Instruction) -> bool {
    registers(instruction).any(Register::is_vector_register)
}

/// Whether it uses more of a vector register than the 16 bytes that SSE knows.
pub(crate) fn has_upper_half(instruction: &Instruction) -> bool {
    registers(instruction).any(|register| register.is_ymm() || register.is_zmm())
}

pub(crate) fn has_mmx(instruction: &Instruction) -> bool {
    registers(instruction).any(Register::is_mm)
}

/// `xor a, a` and its like, which only make a zero.
fn makes_zero(instruction: &Instruction) -> bool {
    let [a, b] = [instruction.op_register(0), instruction.op_register(1)];
    a != Register::None && a == b && kind(instruction) == Kind::Logic
}

/// Whether it computes in vector registers rather than copies and arranges. Mnemonics that nobody
/// thought of count.
pub(crate) fn computes_in_vectors(instruction: &Instruction) -> bool {
    let copies = matches!(kind(instruction), Kind::Move | Kind::Load | Kind::Store | Kind::Shuffle);
    has_vector(instruction) && !copies && !makes_zero(instruction)
}

/// Part of a rotation. Those of whole bytes may be shuffles, which have other uses as well.
pub(crate) fn rotates(instruction: &Instruction) -> bool {
    matches!(
        instruction.mnemonic(),
        Mnemonic::Rol
            | Mnemonic::Ror
            | Mnemonic::Rorx
            | Mnemonic::Shld
            | Mnemonic::Shrd
            | Mnemonic::Psllq
            | Mnemonic::Psrlq
            | Mnemonic::Vpsllq
            | Mnemonic::Vpsrlq
            | Mnemonic::Vprolq
            | Mnemonic::Vprolvq
            | Mnemonic::Vprorq
            | Mnemonic::Vprorvq
    )
}

/// A shift of vectors, which takes another to be a rotation.
pub(crate) fn is_half_of_a_rotation(instruction: &Instruction) -> bool {
    use Mnemonic::*;
    matches!(instruction.mnemonic(), Psllq | Psrlq | Vpsllq | Vpsrlq)
}

pub(crate) fn xors(instruction: &Instruction) -> bool {
    let xor = matches!(
        instruction.mnemonic(),
        Mnemonic::Xor
            | Mnemonic::Pxor
            | Mnemonic::Xorps
            | Mnemonic::Xorpd
            | Mnemonic::Vpxor
            | Mnemonic::Vpxord
            | Mnemonic::Vpxorq
            | Mnemonic::Vxorps
            | Mnemonic::Vxorpd
    );
    xor && !makes_zero(instruction)
}

/// Whether it moves a whole vector from or to memory, or computes with one there.
pub(crate) fn is_wide(instruction: &Instruction) -> bool {
    memory(instruction).is_some()
        && has_vector(instruction)
        && instruction.memory_size().size() >= 16
}

/// What the address of its operand must be a multiple of, or it faults.
pub(crate) fn alignment(instruction: &Instruction) -> Option<usize> {
    use Mnemonic::*;
    let mnemonic = instruction.mnemonic();
    let demands = match instruction.encoding() {
        EncodingKind::Legacy => !matches!(mnemonic, Movups | Movupd | Movdqu),
        // In AVX it is only these, and arithmetic tolerates any address.
        _ => matches!(
            mnemonic,
            Vmovaps
                | Vmovapd
                | Vmovdqa
                | Vmovdqa32
                | Vmovdqa64
                | Vmovntdq
                | Vmovntps
                | Vmovntpd
                | Vmovntdqa
        ),
    };
    (is_wide(instruction) && demands).then(|| instruction.memory_size().size())
}

/// What the address of a memory operand starts from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Base {
    Stack,
    Constant,
    Pointer,
}

/// What an instruction does to the flow of control.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Flow {
    On,
    /// A conditional jump backward.
    Loop,
    /// Any other jump within the function.
    Branch,
    /// A call, a jump out of the function, or anything that stops the program.
    Call(String),
    Return,
}

impl Function {
    pub(crate) fn base(&self, instruction: &Instruction) -> Base {
        match instruction.memory_base().full_register() {
            Register::RSP => Base::Stack,
            Register::RBP if self.has_frame_pointer() => Base::Stack,
            Register::None | Register::RIP | Register::EIP => Base::Constant,
            // Constants of 32-bit code that may be loaded anywhere: a register holds the address
            // of a table, the linker fills in the constant's place behind it.
            _ if self.reference(instruction).is_some() => Base::Constant,
            _ => Base::Pointer,
        }
    }

    fn has_frame_pointer(&self) -> bool {
        self.prologue().iter().any(|instruction| {
            instruction.op_register(0).full_register() == Register::RBP
                && instruction.mnemonic() != Mnemonic::Push
        })
    }

    /// The instructions that save registers and make room on the stack.
    pub(crate) fn prologue(&self) -> &[Instruction] {
        let end = self.instructions.iter().position(|instruction| {
            let [to, from] = [0, 1].map(|i| instruction.op_register(i).full_register());
            let makes_room = to == Register::RSP;
            let sets_frame = to == Register::RBP && from == Register::RSP;
            let marks = matches!(instruction.mnemonic(), Mnemonic::Endbr32 | Mnemonic::Endbr64);
            let saves = instruction.mnemonic() == Mnemonic::Push && to != Register::None;
            !(makes_room || sets_frame || marks || saves)
        });
        &self.instructions[..end.unwrap_or(self.instructions.len())]
    }

    /// What the function itself aligns its stack to, before it calls or jumps but to its end, where
    /// there is nothing to do.
    pub(crate) fn realigns(&self) -> Option<usize> {
        let goes_on = |i: &&Instruction| self.flow(i) == Flow::On || self.branches_to_end(i);
        let start = self.instructions.iter().take_while(goes_on);
        let align = { start }.find(|instruction| {
            instruction.mnemonic() == Mnemonic::And
                && instruction.op_register(0).full_register() == Register::RSP
        })?;
        usize::try_from(immediate(align).unsigned_abs()).ok()
    }

    fn branches_to_end(&self, instruction: &Instruction) -> bool {
        let target = instruction.near_branch_target();
        let end = self.instructions.iter().skip_while(|i| i.ip() < target);
        self.flow(instruction) == Flow::Branch && { end }
            .find(|i| i.mnemonic() != Mnemonic::Vzeroupper)
            .is_some_and(|i| self.flow(i) == Flow::Return)
    }

    pub(crate) fn flow(&self, instruction: &Instruction) -> Flow {
        let reference = self.reference(instruction);
        let target = instruction.near_branch_target();
        let inside = reference.is_none() && target < self.bytes();
        let elsewhere = || Flow::Call(reference.map_or_else(String::new, |to| to.name.clone()));
        match instruction.flow_control() {
            FlowControl::Next => Flow::On,
            FlowControl::Return => Flow::Return,
            FlowControl::ConditionalBranch if inside && target <= instruction.ip() => Flow::Loop,
            FlowControl::ConditionalBranch | FlowControl::UnconditionalBranch if inside => {
                Flow::Branch
            }
            // `call` to the next instruction: how 32-bit code learns its own address.
            FlowControl::Call if inside && target == instruction.next_ip() => Flow::On,
            _ => elsewhere(),
        }
    }
}

/// The immediate of `sub esp, 12` and its like: their last operand.
pub(crate) fn immediate(instruction: &Instruction) -> i64 {
    let last = instruction.op_count().saturating_sub(1);
    match instruction.op_kind(last) {
        OpKind::Immediate32 => instruction.immediate32().cast_signed().into(),
        _ => instruction.try_immediate(last).map_or(0, u64::cast_signed),
    }
}

pub(crate) fn text(instruction: &Instruction) -> String {
    let mut formatter = IntelFormatter::new();
    let options = formatter.options_mut();
    options.set_hex_prefix("0x");
    options.set_hex_suffix("");
    options.set_uppercase_hex(false);
    options.set_branch_leading_zeros(false);
    options.set_show_branch_size(false);
    options.set_small_hex_numbers_in_decimal(false);
    let mut text = String::new();
    formatter.format(instruction, &mut text);
    text
}
