//! Encrypts and decrypts files of any size in counter mode: the crate `ctr` over Threefish-512.
//!
//! ```sh
//! head -c 64 /dev/urandom > key
//! cargo run --release -p threefish-rustcrypto --example ctr-file -- --key-file key encrypt plain secret
//! cargo run --release -p threefish-rustcrypto --example ctr-file -- --key-file key decrypt secret again
//! ```
//!
//! # Format
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `TF512CTR` |
//! | 8 | length of the contents in bytes, little-endian |
//! | 64 | nonce, drawn anew for each file: the first counter block |
//! | 16 | check: start of the nonce encrypted under the tweak (length, 1) |
//! | length | contents in counter mode with a 64-bit little-endian counter, under the tweak (0, 0) |
//!
//! By the check a wrong key and a damaged header are noticed, by the length a file that was cut off.
//!
//! # What it does not protect
//!
//! The contents are not authenticated: whoever can write to the encrypted file can flip any bit of the
//! plaintext, and decryption does not notice. Nor is the length hidden.

mod common;

use std::{
    fs::File,
    io::{Read, Seek, SeekFrom, Write},
    path::PathBuf,
};

use anyhow::{Context, Result, ensure};
use clap::{Parser, Subcommand};
use common::{
    Key,
    backend::{Threefish, Threefish512, Tweak},
};
use ctr::{Ctr64LE, CtrCore};
use threefish_rustcrypto::{
    FixedTweak,
    cipher::{InnerIvInit, StreamCipher},
};

const MAGIC: [u8; 8] = *b"TF512CTR";
const HEADER: u64 = 8 + 8 + 64 + 16;

/// Encrypt and decrypt files with Threefish-512 in counter mode
///
/// The contents are NOT AUTHENTICATED: whoever can write to the encrypted file can flip any bit of
/// the plaintext, and decryption does not notice. Nor is the length hidden. A wrong key, a damaged header
/// and a file that was cut off are errors. OUTPUT appears only when it is complete; before, an old
/// file of that name stays as it was.
#[derive(Debug, Parser)]
struct Arguments {
    #[command(flatten)]
    key: Key,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Encrypt INPUT to OUTPUT
    Encrypt { input: PathBuf, output: PathBuf },
    /// Decrypt INPUT to OUTPUT
    Decrypt { input: PathBuf, output: PathBuf },
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let cipher = arguments.key.cipher()?;
    match arguments.command {
        Command::Encrypt { input, output } => {
            let input = common::open(&input)?;
            common::replace(&output, |output| encrypt(&cipher, &input, output))
        }
        Command::Decrypt { input, output } => {
            let name = input.display();
            let mut input = common::open(&input)?;
            let header = Header::read(&cipher, &mut input)
                .with_context(|| format!("{name} can't be decrypted"))?;
            common::replace(&output, |output| {
                let bytes = header.apply(&cipher, &input, output)?;
                ensure!(
                    bytes == header.length,
                    "{name} holds {bytes} bytes of contents, but {} were encrypted: get a whole copy",
                    header.length
                );
                Ok(())
            })
        }
    }
}

/// The header comes last, when the length is known: the input may be a pipe.
fn encrypt(cipher: &Threefish512, input: &File, output: &mut File) -> Result<()> {
    let mut header = Header { length: input.metadata()?.len(), nonce: [0; 64] };
    getrandom::fill(&mut header.nonce)?;
    output.seek(SeekFrom::Start(HEADER))?;
    header.length = header.apply(cipher, input, output)?;
    output.rewind()?;
    header.write(cipher, output)
}

struct Header {
    length: u64,
    nonce: [u8; 64],
}

impl Header {
    fn read(cipher: &Threefish512, from: &mut impl Read) -> Result<Self> {
        let (mut magic, mut length, mut nonce, mut check) = ([0; 8], [0; 8], [0; 64], [0; 16]);
        for field in [&mut magic[..], &mut length, &mut nonce, &mut check] {
            from.read_exact(field)
                .context("it is too short for the header of an encrypted file")?;
        }
        let header = Self { length: u64::from_le_bytes(length), nonce };
        ensure!(magic == MAGIC, "it was not encrypted by this program");
        ensure!(check == header.check(cipher), "the key is wrong, or the header is damaged");
        Ok(header)
    }

    fn write(&self, cipher: &Threefish512, to: &mut impl Write) -> Result<()> {
        for field in [&MAGIC[..], &self.length.to_le_bytes(), &self.nonce, &self.check(cipher)] {
            to.write_all(field)?;
        }
        Ok(())
    }

    /// Under a tweak of its own, so that it tells nothing about the stream.
    fn check(&self, cipher: &Threefish512) -> [u8; 16] {
        let mut block = self.nonce;
        cipher.encrypt_block_bytes(Tweak::new(self.length, 1), &mut block);
        std::array::from_fn(|i| block[i])
    }

    /// Encrypts or decrypts what follows, which in counter mode is the same, and returns its length.
    fn apply(&self, cipher: &Threefish512, from: &File, to: &mut File) -> Result<u64> {
        let cipher = FixedTweak::from(cipher.clone());
        let mut stream = Ctr64LE::from_core(CtrCore::inner_iv_init(cipher, &self.nonce.into()));
        common::stream(from, to, self.length, |piece| stream.apply_keystream(piece))
    }
}
