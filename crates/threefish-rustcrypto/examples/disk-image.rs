//! Encrypts a disk image sector by sector with Threefish-512, so that any sector can be read and
//! written without the others. A block's tweak is (its index in the sector, the sector's number).
//!
//! ```sh
//! head -c 64 /dev/urandom > key
//! alias disk-image='cargo run --release -p threefish-rustcrypto --example disk-image -- --key-file key'
//! disk-image encrypt plain.img secret.img
//! disk-image read secret.img --sector 5 --count 2 > two-sectors
//! disk-image write secret.img two-sectors --sector 9
//! ```
//!
//! The encrypted image is as long as the plain one and has no header. The key must belong to this
//! image alone: tweaks tell sectors apart, not images.
//!
//! # What it does not protect
//!
//! Nothing is authenticated: whoever can write to the image can make a block of 64 bytes random, or put
//! back what stood there before. Whoever sees the image at two times sees which blocks changed in
//! between, and when one returns to its old contents.

mod common;

use std::{
    fs::{File, OpenOptions},
    io::{Read, Seek, SeekFrom, Write, stdout},
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, ensure};
use clap::{
    Parser, Subcommand,
    builder::{PossibleValuesParser, TypedValueParser},
};
use common::{
    Key,
    backend::{Threefish, Threefish512, Tweak},
};

/// Encrypt a disk image sector by sector with Threefish-512, and read and write any sector
///
/// Nothing is AUTHENTICATED: whoever can write to the image can make blocks of 64 bytes random, or
/// put back what stood there before. Whoever sees the image at two times sees which blocks changed. Take a
/// key for each image. OUTPUT appears only when it is complete; before, an old file of that name stays as
/// it was. `write` works in the image itself.
#[derive(Debug, Parser)]
struct Arguments {
    #[command(flatten)]
    key: Key,
    /// Bytes in a sector
    #[arg(
        long,
        global = true,
        default_value = "4096",
        value_parser = PossibleValuesParser::new(["512", "4096"]).try_map(|bytes| bytes.parse::<u64>())
    )]
    sector_size: u64,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Encrypt the image INPUT to OUTPUT
    Encrypt { input: PathBuf, output: PathBuf },
    /// Decrypt the image INPUT to OUTPUT
    Decrypt { input: PathBuf, output: PathBuf },
    /// Decrypt sectors of the encrypted IMAGE to standard output
    Read {
        image: PathBuf,
        /// The first sector; the image begins with sector 0
        #[arg(long)]
        sector: u64,
        /// How many sectors
        #[arg(long, default_value_t = 1)]
        count: u64,
    },
    /// Encrypt PLAIN, a file of whole sectors, into the encrypted IMAGE
    Write {
        image: PathBuf,
        plain: PathBuf,
        /// The first sector that is overwritten; the image begins with sector 0
        #[arg(long)]
        sector: u64,
    },
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let disk = Disk { cipher: arguments.key.cipher()?, sector_size: arguments.sector_size };
    match arguments.command {
        Command::Encrypt { input, output } => {
            let (input, sectors) = disk.open(&input)?;
            common::replace(&output, |output| disk.encrypt(0, sectors, input, output))
        }
        Command::Decrypt { input, output } => {
            let (input, sectors) = disk.open(&input)?;
            common::replace(&output, |output| disk.decrypt(0, sectors, input, output))
        }
        Command::Read { image, sector, count } => {
            let (mut image, sectors) = disk.open(&image)?;
            disk.seek(&mut image, sectors, sector, count)?;
            disk.decrypt(sector, count, image, stdout().lock())
        }
        Command::Write { image, plain, sector } => {
            let (plain, count) = disk.open(&plain)?;
            let (_, sectors) = disk.open(&image)?;
            let mut image = OpenOptions::new()
                .write(true)
                .open(&image)
                .with_context(|| format!("can't write {}", image.display()))?;
            disk.seek(&mut image, sectors, sector, count)?;
            disk.encrypt(sector, count, plain, &image)?;
            Ok(image.sync_all()?)
        }
    }
}

struct Disk {
    cipher: Threefish512,
    sector_size: u64,
}

impl Disk {
    /// A file or device of whole sectors, and their number.
    fn open(&self, path: &Path) -> Result<(File, u64)> {
        let mut file = common::open(path)?;
        let bytes = file.seek(SeekFrom::End(0))?;
        file.rewind()?;
        ensure!(
            bytes % self.sector_size == 0,
            "{} is {bytes} bytes long, which are not whole sectors of {} bytes",
            path.display(),
            self.sector_size
        );
        Ok((file, bytes / self.sector_size))
    }

    /// To the sector `first`, if `count` sectors are there.
    fn seek(&self, image: &mut File, sectors: u64, first: u64, count: u64) -> Result<()> {
        let there = first.checked_add(count).is_some_and(|end| end <= sectors);
        ensure!(
            there,
            "{count} sectors from {first} on are not there: the image has {sectors}, from 0 on"
        );
        image.seek(SeekFrom::Start(first * self.sector_size))?;
        Ok(())
    }

    fn encrypt(&self, first: u64, count: u64, from: File, to: impl Write) -> Result<()> {
        self.stream(first, count, from, to, |tweak, blocks| {
            self.cipher.encrypt_blocks_bytes(tweak, blocks);
        })
    }

    fn decrypt(&self, first: u64, count: u64, from: File, to: impl Write) -> Result<()> {
        self.stream(first, count, from, to, |tweak, blocks| {
            self.cipher.decrypt_blocks_bytes(tweak, blocks);
        })
    }

    /// Streams `count` sectors through a bulk call, which gets blocks with the tweak of each.
    fn stream(
        &self,
        first: u64,
        count: u64,
        from: File,
        to: impl Write,
        cipher: impl Fn(&dyn Fn(usize) -> Tweak, &mut [[u8; 64]]),
    ) -> Result<()> {
        let bytes = count * self.sector_size;
        let blocks_of_sector = self.sector_size / 64;
        let mut next = first * blocks_of_sector;
        let done = common::stream(from.take(bytes), to, bytes, |piece| {
            let (blocks, _) = Threefish512::split_blocks_mut(piece);
            let tweak = |i| {
                let block = next + i as u64;
                Tweak::new(block % blocks_of_sector, block / blocks_of_sector)
            };
            cipher(&tweak, blocks);
            next += blocks.len() as u64;
        })?;
        ensure!(done == bytes, "the input got shorter while it was read: start again");
        Ok(())
    }
}
