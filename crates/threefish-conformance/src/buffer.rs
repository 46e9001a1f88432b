/// Bytes at a chosen alignment between guards, to see what a call writes and where.
#[derive(Debug)]
pub(crate) struct Guarded {
    memory: Vec<u8>,
    start: usize,
    len: usize,
}

/// What guards hold: no byte of it is 0 or 255, which stray writes are likeliest to be.
const GUARD: u8 = 0xA5;
const GUARD_BYTES: usize = 64;

impl Guarded {
    /// A copy of `bytes` at an address that leaves `alignment` modulo 16.
    pub(crate) fn new(alignment: usize, bytes: &[u8]) -> Self {
        let mut memory = vec![GUARD; 2 * GUARD_BYTES + 16 + alignment + bytes.len()];
        let start = GUARD_BYTES + memory[GUARD_BYTES..].as_ptr().align_offset(16) + alignment;
        memory[start..start + bytes.len()].copy_from_slice(bytes);
        Self { memory, start, len: bytes.len() }
    }

    pub(crate) fn bytes(&mut self) -> &mut [u8] {
        &mut self.memory[self.start..self.start + self.len]
    }

    /// Whether the memory around the bytes is as it was.
    pub(crate) fn is_intact(&self) -> bool {
        let (before, rest) = self.memory.split_at(self.start);
        before.iter().chain(&rest[self.len..]).all(|byte| *byte == GUARD)
    }
}
