//! One object-safe trait over whatever encrypts, so that backends, the model and other crates are
//! compared by the same code.
//!
//! Keys and blocks are slices of bytes here, each word little-endian, several blocks one behind
//! the other, at any alignment.

use std::{fmt, sync::Arc};

use threefish_api::{Revision, Threefish, Tweak, Words, revision::Version};

use crate::{Size, to_bytes};

/// Threefish under one key, with every call that [`Threefish`] has.
///
/// Every `T: Threefish` is one.
pub trait Cipher: Send + Sync {
    /// The calls that it has of its own. [`run`](Self::run) takes these.
    fn operations(&self) -> &'static [Operation];

    /// Does one operation on all blocks in place, block `i` under `tweaks[i]`. From-to calls read
    /// a copy and write over junk.
    fn run(&self, operation: Operation, tweaks: &[Tweak], blocks: &mut [u8]);

    /// The call for many keys: block `i` under key `i` and `tweaks[i]`. The key of `self` is not
    /// used.
    fn run_keys(&self, direction: Direction, keys: &[u8], tweaks: &[Tweak], blocks: &mut [u8]);
}

/// Encrypt or decrypt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Plaintext to ciphertext.
    Encrypt,
    /// Ciphertext to plaintext.
    Decrypt,
}

/// How a call takes blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// As words.
    Words,
    /// As bytes.
    Bytes,
}

/// Which call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    /// One block in place.
    Block,
    /// One block from-to.
    BlockTo,
    /// Many blocks in place.
    Blocks,
    /// Many blocks from-to.
    BlocksTo,
}

/// One call of the trait [`Threefish`]. Its `Display` is the name of the method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operation {
    /// Encrypt or decrypt.
    pub direction: Direction,
    /// Words or bytes.
    pub form: Form,
    /// One or many blocks, in place or from-to.
    pub call: Call,
}

impl Operation {
    /// Every call of [`Threefish`] but those for many keys.
    pub const ALL: [Self; 16] = {
        let mut all = [Self::new(Direction::Encrypt, Form::Words, Call::Block); 16];
        let mut i = 0;
        while i < 16 {
            let direction = if i % 2 == 0 { Direction::Encrypt } else { Direction::Decrypt };
            let form = if i / 2 % 2 == 0 { Form::Words } else { Form::Bytes };
            let call = [Call::Block, Call::BlockTo, Call::Blocks, Call::BlocksTo][i / 4];
            all[i] = Self::new(direction, form, call);
            i += 1;
        }
        all
    };

    /// What is in one piece.
    #[must_use]
    pub const fn new(direction: Direction, form: Form, call: Call) -> Self {
        Self { direction, form, call }
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Encrypt => "encrypt",
            Self::Decrypt => "decrypt",
        })
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (blocks, to) = match self.call {
            Call::Block => ("block", ""),
            Call::BlockTo => ("block", "_to"),
            Call::Blocks => ("blocks", ""),
            Call::BlocksTo => ("blocks", "_to"),
        };
        let bytes = if self.form == Form::Bytes { "_bytes" } else { "" };
        write!(f, "{}_{blocks}{bytes}{to}", self.direction)
    }
}

/// Something to be compared: a name, and a way to make a cipher from a key of bytes.
#[derive(Clone)]
pub struct Subject {
    /// How reports call it.
    pub name: String,
    /// Bits of a block.
    pub size: Size,
    /// Whose constants it uses.
    pub version: Version,
    /// Blocks side by side in a register: 1 for integer code.
    pub lanes: usize,
    new: Constructor,
}

type Constructor = Arc<dyn Fn(&[u8]) -> Box<dyn Cipher> + Send + Sync>;

impl Subject {
    /// A cipher of a backend.
    ///
    /// # Panics
    ///
    /// [`cipher`](Self::cipher) panics if its key has another length than a block.
    #[must_use]
    pub fn of<T: Threefish + 'static>() -> Self {
        Self {
            lanes: T::LANES,
            ..Self::new(T::BACKEND, size_of_cipher::<T>(), T::Revision::VERSION, |key| {
                Box::new(T::from_slice(key).expect("the key has the length of a block"))
            })
        }
    }

    /// Anything else: `new` makes a cipher from a key of `size.bytes()` bytes.
    #[must_use]
    pub fn new(
        name: &str,
        size: Size,
        version: Version,
        new: impl Fn(&[u8]) -> Box<dyn Cipher> + Send + Sync + 'static,
    ) -> Self {
        Self { name: name.to_owned(), size, version, lanes: 1, new: Arc::new(new) }
    }

    /// A cipher under a key of `size.bytes()` bytes; panics if there are more or fewer.
    #[must_use]
    pub fn cipher(&self, key: &[u8]) -> Box<dyn Cipher> {
        (self.new)(key)
    }
}

impl fmt::Debug for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({}, revision {})", self.name, self.size, self.version)
    }
}

/// The size of a cipher type.
///
/// # Panics
///
/// Never: the trait [`Words`] is sealed.
#[must_use]
pub fn size_of_cipher<T: Threefish>() -> Size {
    Size::from_bits(8 * T::BLOCK_BYTES).expect("Words is sealed to the three sizes")
}

/// The calls of one form and direction, by the names of their methods.
macro_rules! calls {
    ($cipher:ident, $call:expr, $tweaks:ident, $blocks:ident:
     $block:ident, $block_to:ident, $many:ident, $many_to:ident) => {
        match $call {
            Call::Block => {
                for (tweak, block) in $tweaks.iter().zip($blocks) {
                    $cipher.$block(*tweak, block);
                }
            }
            Call::BlockTo => {
                for (tweak, block) in $tweaks.iter().zip($blocks) {
                    let from = *block;
                    block.as_mut().fill(!0);
                    $cipher.$block_to(*tweak, &from, block);
                }
            }
            Call::Blocks => $cipher.$many(|i| $tweaks[i], $blocks),
            Call::BlocksTo => {
                let from = $blocks.to_vec();
                for block in &mut *$blocks {
                    block.as_mut().fill(!0);
                }
                $cipher.$many_to(|i| $tweaks[i], &from, $blocks).expect("equal lengths");
            }
        }
    };
}

#[rustfmt::skip]
impl<T: Threefish> Cipher for T {
    fn operations(&self) -> &'static [Operation] {
        &Operation::ALL
    }

    fn run(&self, operation: Operation, tweaks: &[Tweak], bytes: &mut [u8]) {
        let call = operation.call;
        match (operation.form, operation.direction) {
            (Form::Words, Direction::Encrypt) => in_words::<T>(bytes, |blocks| {
                calls!(self, call, tweaks, blocks:
                    encrypt_block, encrypt_block_to, encrypt_blocks, encrypt_blocks_to);
            }),
            (Form::Words, Direction::Decrypt) => in_words::<T>(bytes, |blocks| {
                calls!(self, call, tweaks, blocks:
                    decrypt_block, decrypt_block_to, decrypt_blocks, decrypt_blocks_to);
            }),
            (Form::Bytes, Direction::Encrypt) => {
                let blocks = T::split_blocks_mut(bytes).0;
                calls!(self, call, tweaks, blocks: encrypt_block_bytes, encrypt_block_bytes_to,
                    encrypt_blocks_bytes, encrypt_blocks_bytes_to);
            }
            (Form::Bytes, Direction::Decrypt) => {
                let blocks = T::split_blocks_mut(bytes).0;
                calls!(self, call, tweaks, blocks: decrypt_block_bytes, decrypt_block_bytes_to,
                    decrypt_blocks_bytes, decrypt_blocks_bytes_to);
            }
        }
    }

    fn run_keys(&self, direction: Direction, keys: &[u8], tweaks: &[Tweak], bytes: &mut [u8]) {
        let keys = word_blocks::<T>(keys);
        in_words::<T>(bytes, |blocks| {
            match direction {
                Direction::Encrypt => T::encrypt_keys(&keys, tweaks, blocks),
                Direction::Decrypt => T::decrypt_keys(&keys, tweaks, blocks),
            }
            .expect("a key and a tweak for each block");
        });
    }
}

fn in_words<T: Threefish>(bytes: &mut [u8], run: impl FnOnce(&mut [T::Words])) {
    let mut blocks = word_blocks::<T>(bytes);
    run(&mut blocks);
    let words: Vec<u64> = blocks.iter().flat_map(|block| block.as_ref().iter().copied()).collect();
    bytes.copy_from_slice(&to_bytes(&words));
}

/// The blocks of words of whole blocks of bytes.
fn word_blocks<T: Threefish>(bytes: &[u8]) -> Vec<T::Words> {
    T::split_blocks(bytes).0.iter().map(T::Words::from_bytes).collect()
}
