use std::fmt;

/// A size of the cipher, as a value: bits of a block and of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Size {
    /// Threefish-256.
    Bits256,
    /// Threefish-512.
    Bits512,
    /// Threefish-1024.
    Bits1024,
}

impl Size {
    /// Every size, the smallest first.
    pub const ALL: [Self; 3] = [Self::Bits256, Self::Bits512, Self::Bits1024];

    /// Bits in a block and in a key.
    #[must_use]
    pub const fn bits(self) -> usize {
        match self {
            Self::Bits256 => 256,
            Self::Bits512 => 512,
            Self::Bits1024 => 1024,
        }
    }

    /// The size of so many bits, if there is one.
    #[must_use]
    pub fn from_bits(bits: usize) -> Option<Self> {
        Self::ALL.into_iter().find(|size| size.bits() == bits)
    }

    /// Bytes in a block and in a key.
    #[must_use]
    pub const fn bytes(self) -> usize {
        self.bits() / 8
    }

    /// Words in a block and in a key.
    #[must_use]
    pub const fn words(self) -> usize {
        self.bits() / 64
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Threefish-{}", self.bits())
    }
}

/// The bytes of words, each little-endian.
#[must_use]
pub fn to_bytes(words: &[u64]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(8 * words.len());
    for word in words {
        bytes.extend_from_slice(&word.to_le_bytes());
    }
    bytes
}

/// The words of bytes, each little-endian.
///
/// # Panics
///
/// If the bytes are not whole words.
#[must_use]
pub fn to_words(bytes: &[u8]) -> Vec<u64> {
    let (words, rest) = bytes.as_chunks();
    assert!(rest.is_empty(), "{} bytes are not whole words", bytes.len());
    words.iter().copied().map(u64::from_le_bytes).collect()
}
