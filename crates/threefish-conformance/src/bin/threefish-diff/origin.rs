//! The check that the program of 2009 made, in its own words.

use anyhow::{Context, Result, bail};
use threefish_conformance::{
    Size, Version, registry,
    subject::{Call, Direction, Form, Operation, Subject},
    to_words, vectors,
};

/// The check of 2009: two implementations encrypt the block 0, 1, 2, 3 with Threefish-256 of
/// revision 1.1, then each decrypts the other's ciphertext.
pub(crate) struct Origin2009 {
    pub(crate) line: String,
    pub(crate) good: bool,
}

impl Origin2009 {
    pub(crate) fn check() -> Result<Self> {
        let vectors = vectors::shipped()?;
        let vector = vectors
            .iter()
            .find(|vector| vector.id == "origin-2009-1.1")
            .context("the shipped vectors lack origin-2009-1.1")?;
        let [first, second] = Self::rivals()?;
        let run = |subject: &Subject, direction, block: &[u8]| {
            let mut block = block.to_vec();
            let operation = Operation::new(direction, Form::Words, Call::Block);
            subject.cipher(&vector.key).run(operation, &[vector.tweak], &mut block);
            block
        };
        let ciphertexts = [&first, &second].map(|s| run(s, Direction::Encrypt, &vector.plaintext));
        let plaintexts = [
            run(&first, Direction::Decrypt, &ciphertexts[1]),
            run(&second, Direction::Decrypt, &ciphertexts[0]),
        ];
        let encrypted = ciphertexts.iter().all(|block| *block == vector.ciphertext);
        let decrypted = plaintexts.iter().all(|block| *block == vector.plaintext);
        let line = format!(
            "2009 check: {} {}, {} {}: {}  Cross Decrypt: {} {}, {} {}: {}",
            first.name,
            in_words(&ciphertexts[0]),
            second.name,
            in_words(&ciphertexts[1]),
            verdict(encrypted),
            first.name,
            in_words(&plaintexts[0]),
            second.name,
            in_words(&plaintexts[1]),
            verdict(decrypted),
        );
        Ok(Self { line, good: encrypted && decrypted })
    }

    /// Unrolled and SSE2, as in 2009; where SSE2 is absent, scalar stands in.
    fn rivals() -> Result<[Subject; 2]> {
        let backends = registry::backends();
        let subject = |name| {
            let backend = backends.iter().find(|backend| backend.name == name)?;
            backend.subject(Size::Bits256, Version::V1_1)
        };
        match (subject("unrolled"), subject("sse2").or_else(|| subject("scalar"))) {
            (Some(first), Some(second)) => Ok([first, second]),
            _ => bail!("the registry lacks unrolled, or both sse2 and scalar"),
        }
    }
}

fn verdict(good: bool) -> &'static str {
    if good { "Good!" } else { "BAD!" }
}

/// A block of bytes as words in hex; small ones short, as the block of 2009 is.
fn in_words(block: &[u8]) -> String {
    let words = to_words(block);
    let short = words.iter().all(|word| *word < 10);
    let word = |word: &u64| if short { word.to_string() } else { format!("{word:016X}") };
    words.iter().map(word).collect::<Vec<_>>().join(" ")
}
