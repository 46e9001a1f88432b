//! Known answers from TOML files, in the format that `vectors/README.md` describes.
//!
//! The shipped files are part of the program, so that tests need no working directory.
//! Everything wrong in a file is an error that names the file, the entry and what is wrong.

use std::{collections::HashSet, fmt, fs, path::Path};

use serde::{Deserialize, Serialize};
use threefish_api::{Tweak, revision::Version};

use crate::Size;

/// One known answer: `ciphertext` is `plaintext` encrypted under `key` and `tweak`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vector {
    /// The file it stands in.
    pub file: String,
    /// Its name, unique across files.
    pub id: String,
    /// Bits of a block.
    pub size: Size,
    /// The revision of the specification that it holds for.
    pub version: Version,
    /// The key: as many bytes as a block.
    pub key: Vec<u8>,
    /// The tweak.
    pub tweak: Tweak,
    /// A block of bytes.
    pub plaintext: Vec<u8>,
    /// A block of bytes.
    pub ciphertext: Vec<u8>,
    /// Where the numbers come from.
    pub source: String,
}

/// The shipped files: name and text.
pub const FILES: [(&str, &str); 4] = [
    ("origin-2009.toml", include_str!("../../../vectors/origin-2009.toml")),
    ("specification.toml", include_str!("../../../vectors/specification.toml")),
    ("published-1.3.toml", include_str!("../../../vectors/published-1.3.toml")),
    ("derived.toml", include_str!("../../../vectors/derived.toml")),
];

/// The directory `vectors` of the workspace that this program was built from.
pub const DIRECTORY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../vectors");

/// All shipped vectors.
///
/// # Errors
///
/// The first thing that is wrong in any of the files.
pub fn shipped() -> Result<Vec<Vector>, VectorError> {
    let mut vectors = Vec::new();
    for (file, text) in FILES {
        vectors.extend(parse(file, text)?);
    }
    unique(&vectors)?;
    Ok(vectors)
}

/// All shipped vectors, and what once failed: the files in `vectors/regressions`, where the
/// directory is there.
///
/// # Errors
///
/// The first thing that is wrong in any of the files, or a file that cannot be read.
pub fn all() -> Result<Vec<Vector>, VectorError> {
    let mut vectors = shipped()?;
    vectors.extend(read_directory(&Path::new(DIRECTORY).join("regressions"))?);
    unique(&vectors)?;
    Ok(vectors)
}

/// The vectors of every TOML file in a directory, by name of file; none if there is no such
/// directory.
///
/// # Errors
///
/// The first thing that is wrong in any of the files, or a file that cannot be read.
pub fn read_directory(directory: &Path) -> Result<Vec<Vector>, VectorError> {
    let Ok(entries) = fs::read_dir(directory) else { return Ok(Vec::new()) };
    let mut paths: Vec<_> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
        .collect();
    paths.sort();

    let mut vectors = Vec::new();
    for path in paths {
        let name = path.display().to_string();
        let text = fs::read_to_string(&path)
            .map_err(|error| VectorError::new(&name, None, format!("cannot be read: {error}")))?;
        vectors.extend(parse(&name, &text)?);
    }
    unique(&vectors)?;
    Ok(vectors)
}

/// The vectors of one file: its name, for errors, and its text.
///
/// # Errors
///
/// The first thing that is wrong: no TOML, a field too few or too many, an unknown size or
/// revision, hex digits that are none or not lowercase, a wrong length, an empty source, an id
/// given twice, no vector at all.
pub fn parse(file: &str, text: &str) -> Result<Vec<Vector>, VectorError> {
    let document: Document =
        toml::from_str(text).map_err(|error| VectorError::new(file, None, error.to_string()))?;
    if document.vector.is_empty() {
        return Err(VectorError::new(file, None, "holds no [[vector]]"));
    }
    let vectors: Vec<_> = document
        .vector
        .into_iter()
        .map(|entry| {
            let id = entry.id.clone();
            entry.check(file).map_err(|what| VectorError::new(file, Some(&id), what))
        })
        .collect::<Result<_, _>>()?;
    unique(&vectors)?;
    Ok(vectors)
}

/// A file with these vectors, which [`parse`] reads.
///
/// # Panics
///
/// Never: vectors are strings and numbers, which TOML can hold.
#[must_use]
pub fn to_toml(vectors: &[Vector]) -> String {
    let vector = vectors.iter().map(Entry::from).collect();
    toml::to_string(&Document { vector }).expect("strings and numbers are TOML")
}

/// What is wrong with a file of vectors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VectorError {
    file: String,
    id: Option<String>,
    what: String,
}

impl VectorError {
    fn new(file: &str, id: Option<&str>, what: impl Into<String>) -> Self {
        Self { file: file.to_owned(), id: id.map(str::to_owned), what: what.into() }
    }
}

impl fmt::Display for VectorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, id, what } = self;
        match id {
            Some(id) => write!(f, "{file}: vector {id:?}: {what}"),
            None => write!(f, "{file}: {what}"),
        }
    }
}

impl std::error::Error for VectorError {}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Document {
    #[serde(default)]
    vector: Vec<Entry>,
}

/// A vector as it is written.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    id: String,
    size: usize,
    revision: String,
    key: String,
    tweak: String,
    plaintext: String,
    ciphertext: String,
    source: String,
}

impl Entry {
    fn check(self, file: &str) -> Result<Vector, String> {
        if self.id.trim().is_empty() {
            return Err("the id is empty".to_owned());
        }
        if self.source.trim().is_empty() {
            return Err("the source is empty: say where the numbers come from".to_owned());
        }
        let size = Size::from_bits(self.size)
            .ok_or_else(|| format!("size {} is none of 256, 512, 1024", self.size))?;
        let version = Version::ALL.into_iter().find(|version| version.to_string() == self.revision);
        let version = version
            .ok_or_else(|| format!("revision {:?} is none of 1.1, 1.2, 1.3", self.revision))?;
        let tweak = bytes("tweak", &self.tweak, 16)?;
        Ok(Vector {
            file: file.to_owned(),
            id: self.id,
            size,
            version,
            key: bytes("key", &self.key, size.bytes())?,
            tweak: Tweak::from_slice(&tweak).map_err(|error| error.to_string())?,
            plaintext: bytes("plaintext", &self.plaintext, size.bytes())?,
            ciphertext: bytes("ciphertext", &self.ciphertext, size.bytes())?,
            source: self.source,
        })
    }
}

impl From<&Vector> for Entry {
    fn from(vector: &Vector) -> Self {
        Self {
            id: vector.id.clone(),
            size: vector.size.bits(),
            revision: vector.version.to_string(),
            key: hex::encode(&vector.key),
            tweak: hex::encode(vector.tweak.to_bytes()),
            plaintext: hex::encode(&vector.plaintext),
            ciphertext: hex::encode(&vector.ciphertext),
            source: vector.source.clone(),
        }
    }
}

fn bytes(field: &str, digits: &str, expected: usize) -> Result<Vec<u8>, String> {
    if digits.len() != 2 * expected {
        let given = digits.len();
        return Err(format!(
            "{field} has {given} hex digits, but {expected} bytes are {}",
            2 * expected
        ));
    }
    if digits.contains(|digit: char| digit.is_ascii_uppercase()) {
        return Err(format!("{field} has uppercase hex digits; write them in lowercase"));
    }
    hex::decode(digits).map_err(|error| format!("{field} is not hex: {error}"))
}

fn unique(vectors: &[Vector]) -> Result<(), VectorError> {
    let mut seen = HashSet::new();
    for vector in vectors {
        if !seen.insert(&vector.id) {
            return Err(VectorError::new(&vector.file, Some(&vector.id), "this id is given twice"));
        }
    }
    Ok(())
}
