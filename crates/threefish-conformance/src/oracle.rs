//! Subjects that are no backends: the model, and the crate `threefish` of crates.io, written by
//! others. They have one call, for one block; more would only repeat it.

use threefish_api::{Tweak, revision::Version};

use crate::{
    Size,
    differential::MODEL,
    model::Model,
    subject::{Call, Cipher, Direction, Form, Operation, Subject},
    to_bytes, to_words,
};

const OPERATIONS: [Operation; 2] = [
    Operation::new(Direction::Encrypt, Form::Words, Call::Block),
    Operation::new(Direction::Decrypt, Form::Words, Call::Block),
];

impl Cipher for Model {
    fn operations(&self) -> &'static [Operation] {
        &OPERATIONS
    }

    fn run(&self, operation: Operation, tweaks: &[Tweak], bytes: &mut [u8]) {
        let size = self.size();
        for (tweak, block) in tweaks.iter().zip(bytes.chunks_mut(size.bytes())) {
            let words = to_words(block);
            block.copy_from_slice(&to_bytes(&match operation.direction {
                Direction::Encrypt => self.encrypt(tweak.words(), &words),
                Direction::Decrypt => self.decrypt(tweak.words(), &words),
            }));
        }
    }

    fn run_keys(&self, direction: Direction, keys: &[u8], tweaks: &[Tweak], bytes: &mut [u8]) {
        let operation = Operation::new(direction, Form::Words, Call::Block);
        let bytes_each = self.size().bytes();
        let blocks = bytes.chunks_mut(bytes_each);
        for ((key, tweak), block) in keys.chunks(bytes_each).zip(tweaks).zip(blocks) {
            self.with_key(&to_words(key)).run(operation, &[*tweak], block);
        }
    }
}

/// The model of a size and revision.
pub(crate) fn model(size: Size, version: Version) -> Subject {
    Subject::new(MODEL, size, version, move |key| {
        Box::new(Model::new(size, version, &to_words(key)))
    })
}

/// The crate `threefish` of crates.io: revision 1.3 alone.
pub(crate) fn published_crate(size: Size) -> Subject {
    let name = "crate threefish";
    match size {
        Size::Bits256 => Subject::new(name, size, Version::V1_3, |key| {
            Box::new(Published256(key.try_into().expect("32 bytes")))
        }),
        Size::Bits512 => Subject::new(name, size, Version::V1_3, |key| {
            Box::new(Published512(key.try_into().expect("64 bytes")))
        }),
        Size::Bits1024 => Subject::new(name, size, Version::V1_3, |key| {
            Box::new(Published1024(key.try_into().expect("128 bytes")))
        }),
    }
}

/// A key: that crate makes a cipher for a key and a tweak together.
macro_rules! published {
    ($Published:ident, $Threefish:ident, $bytes:literal) => {
        struct $Published([u8; $bytes]);

        impl Cipher for $Published {
            fn operations(&self) -> &'static [Operation] {
                &OPERATIONS
            }

            fn run(&self, operation: Operation, tweaks: &[Tweak], bytes: &mut [u8]) {
                for (tweak, block) in tweaks.iter().zip(bytes.chunks_mut($bytes)) {
                    let cipher = threefish::$Threefish::new_with_tweak(&self.0, &tweak.to_bytes());
                    let mut words = to_words(block).try_into().expect("one block");
                    match operation.direction {
                        Direction::Encrypt => cipher.encrypt_block_u64(&mut words),
                        Direction::Decrypt => cipher.decrypt_block_u64(&mut words),
                    }
                    block.copy_from_slice(&to_bytes(&words));
                }
            }

            fn run_keys(
                &self,
                direction: Direction,
                keys: &[u8],
                tweaks: &[Tweak],
                bytes: &mut [u8],
            ) {
                let operation = Operation::new(direction, Form::Words, Call::Block);
                let blocks = bytes.chunks_mut($bytes);
                for ((key, tweak), block) in keys.chunks($bytes).zip(tweaks).zip(blocks) {
                    Self(key.try_into().expect("one key")).run(operation, &[*tweak], block);
                }
            }
        }
    };
}

published!(Published256, Threefish256, 32);
published!(Published512, Threefish512, 64);
published!(Published1024, Threefish1024, 128);
