//! The loader of known answers: the shipped files are whole, and what is wrong is told.

use std::{collections::BTreeSet, fs};

use threefish_conformance::{
    Size, Version, to_words,
    vectors::{self, DIRECTORY, FILES},
};

#[test]
fn every_file_of_the_directory_is_shipped() {
    let names = |file: fs::DirEntry| file.file_name().into_string().expect("names are text");
    let on_disk: BTreeSet<_> = fs::read_dir(DIRECTORY)
        .expect("the directory `vectors` of the workspace")
        .map(|file| names(file.expect("readable")))
        .filter(|name| name.ends_with(".toml"))
        .collect();
    assert_eq!(on_disk, FILES.iter().map(|(name, _)| (*name).to_owned()).collect());
}

#[test]
fn every_size_and_revision_has_answers() {
    let all = vectors::all().expect("the files are right");
    for size in Size::ALL {
        for version in Version::ALL {
            let count = all.iter().filter(|v| v.size == size && v.version == version).count();
            assert!(count >= 6, "{count} for {size} {version}");
        }
    }
    assert!(vectors::shipped().expect("the files are right").len() >= 73);
}

/// The printed numbers of 2009, as words.
#[test]
fn the_result_of_2009_is_there() {
    let all = vectors::shipped().expect("the files are right");
    let vector = all.iter().find(|vector| vector.id == "origin-2009-1.1").expect("is shipped");
    let key = [9_457_023_847_234, 472_570_192_431_239, 1_234_728_012_456, 54_774_345_235_234];
    assert_eq!(to_words(&vector.key), key);
    assert_eq!(vector.tweak.words(), [7, 15]);
    assert_eq!(to_words(&vector.plaintext), [0, 1, 2, 3]);
    let result = [
        0x6177_3FAC_03A3_7433,
        0xB1EF_F698_BC88_802B,
        0x22A4_7D9E_7D7F_8005,
        0x1EC6_162F_214F_B0EC,
    ];
    assert_eq!(to_words(&vector.ciphertext), result);
}

#[test]
fn what_is_written_is_read() {
    for (name, text) in FILES {
        let vectors = vectors::parse(name, text).expect("the file is right");
        assert_eq!(vectors::parse(name, &vectors::to_toml(&vectors)), Ok(vectors));
    }
}

/// An entry that is right but for what a test changes.
fn entry(from: &str, to: &str) -> String {
    let [key, tweak] = ["00".repeat(32), "00".repeat(16)];
    let right = format!(
        "[[vector]]\nid = \"one\"\nsize = 256\nrevision = \"1.3\"\nkey = \"{key}\"\n\
         tweak = \"{tweak}\"\nplaintext = \"{key}\"\nciphertext = \"{key}\"\nsource = \"a test\"\n"
    );
    assert!(right.contains(from), "{right} lacks {from}");
    right.replacen(from, to, 1)
}

#[test]
fn mistakes_are_told_with_file_and_id() {
    assert!(vectors::parse("file.toml", &entry("", "")).is_ok());
    for (from, to, told) in [
        ("size = 256", "size = 128", "size 128 is none of 256, 512, 1024"),
        ("size = 256", "size = 512", "key has 64 hex digits, but 64 bytes are 128"),
        ("\"1.3\"", "\"1.4\"", "revision \"1.4\" is none of 1.1, 1.2, 1.3"),
        ("key = \"00", "key = \"", "key has 62 hex digits, but 32 bytes are 64"),
        ("tweak = \"00", "tweak = \"0000", "tweak has 34 hex digits, but 16 bytes are 32"),
        ("plaintext = \"00", "plaintext = \"0g", "plaintext is not hex"),
        ("ciphertext = \"00", "ciphertext = \"AB", "ciphertext has uppercase hex digits"),
        ("\"a test\"", "\" \"", "the source is empty"),
    ] {
        let error = vectors::parse("file.toml", &entry(from, to)).expect_err(to).to_string();
        assert!(error.starts_with("file.toml: vector \"one\": "), "{error}");
        assert!(error.contains(told), "{error:?} does not tell {told:?}");
    }
}

#[test]
fn files_of_another_form_are_told() {
    let twice = entry("", "").repeat(2);
    for (text, told) in [
        (twice.as_str(), "vector \"one\": this id is given twice"),
        ("", "holds no [[vector]]"),
        ("[[vector]", "TOML parse error"),
        (&entry("id = \"one\"", ""), "missing field `id`"),
        (&entry("id = \"one\"", "id = \"\""), "the id is empty"),
        (&entry("id = ", "lucky = 7\nid = "), "unknown field `lucky`"),
    ] {
        let error = vectors::parse("file.toml", text).expect_err(told).to_string();
        assert!(error.starts_with("file.toml: ") && error.contains(told), "{error:?}: {told:?}");
    }
}
