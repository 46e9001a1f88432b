//! What both programs share: the backend, the key, the stream of pieces, and output that appears only
//! when it is complete.

use std::{
    env,
    fs::{self, File},
    io::{Read, Write},
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, ensure};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use tempfile::NamedTempFile;
/// Another backend is this line.
pub(crate) use threefish_auto as backend;

use backend::Threefish512;

/// Bytes that are in memory at a time.
const PIECE: usize = 1 << 20;

#[derive(Args, Debug)]
pub(crate) struct Key {
    /// A file of 64 bytes, the key; without it the environment variable `THREEFISH_KEY` must hold
    /// 128 hexadecimal digits
    #[arg(long, value_name = "FILE", global = true)]
    key_file: Option<PathBuf>,
}

impl Key {
    pub(crate) fn cipher(&self) -> Result<Threefish512> {
        if let Some(path) = &self.key_file {
            let mut key = Vec::new();
            // One byte more than a key, to see that the file is too long.
            let limit = Threefish512::BLOCK_BYTES as u64 + 1;
            open(path)?
                .take(limit)
                .read_to_end(&mut key)
                .and_then(|_| Threefish512::from_slice(&key).map_err(std::io::Error::other))
                .with_context(|| format!("{} is no key file of 64 bytes", path.display()))
        } else {
            let digits = env::var("THREEFISH_KEY").context(
                "there is no key: give --key-file FILE, or 128 hexadecimal digits in THREEFISH_KEY",
            )?;
            let key = hex::decode(digits.trim()).context("THREEFISH_KEY is not hexadecimal")?;
            Threefish512::from_slice(&key).context("THREEFISH_KEY must hold 128 digits")
        }
    }
}

pub(crate) fn open(path: &Path) -> Result<File> {
    File::open(path).with_context(|| format!("can't open {}", path.display()))
}

/// Lets `write` fill a new file beside `path`, which takes its place when it is complete. On failure
/// the new file is removed and an old one stays as it was. The new one is readable to its owner alone.
pub(crate) fn replace(path: &Path, write: impl FnOnce(&mut File) -> Result<()>) -> Result<()> {
    // A device would be replaced by a file, too.
    let in_the_way = fs::metadata(path).is_ok_and(|old| !old.is_file());
    ensure!(!in_the_way, "{} is not a regular file: name another output", path.display());
    let directory = path.parent().filter(|directory| !directory.as_os_str().is_empty());
    let failed = || format!("can't write {}", path.display());

    let mut new =
        NamedTempFile::new_in(directory.unwrap_or(Path::new("."))).with_context(failed)?;
    write(new.as_file_mut())?;
    new.as_file().sync_all().with_context(failed)?;
    new.persist(path).with_context(failed)?;
    Ok(())
}

/// Copies `from` to `to` through `cipher`, in pieces of 1 MiB of which the last may be shorter, and
/// returns the number of bytes. On a terminal a bar shows how much of `expected` is done.
pub(crate) fn stream(
    mut from: impl Read,
    mut to: impl Write,
    expected: u64,
    mut cipher: impl FnMut(&mut [u8]),
) -> Result<u64> {
    let style = "{bar:40} {bytes} of {total_bytes}, {bytes_per_sec}, ETA {eta}";
    let bar = ProgressBar::new(expected).with_style(ProgressStyle::with_template(style)?);
    let mut piece = Vec::with_capacity(PIECE);
    let mut done = 0;
    loop {
        piece.clear();
        from.by_ref().take(PIECE as u64).read_to_end(&mut piece).context("can't read the input")?;
        if piece.is_empty() {
            break;
        }
        cipher(&mut piece);
        to.write_all(&piece).context("can't write the output")?;
        done += piece.len() as u64;
        bar.set_position(done);
    }
    bar.finish_and_clear();
    Ok(done)
}
