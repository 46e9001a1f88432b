//! The examples as their users run them: where a program can start another, which WASI can't.
#![cfg(not(target_family = "wasm"))]

use std::{
    env::{self, consts::EXE_SUFFIX},
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use tempfile::TempDir;
use threefish_unrolled::{Threefish, Threefish512, Tweak};

const KEY: [u8; 64] = [0x42; 64];
const SECTOR: usize = 4096;
/// Of the header that `ctr-file` writes.
const HEADER: usize = 96;

/// A directory with a key file, in which a program is run.
struct Place(TempDir);

impl Place {
    fn new() -> Self {
        let place = Self(TempDir::new().expect("a directory for temporary files"));
        place.write("key", &KEY);
        place.write("other-key", &[0x43; 64]);
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, bytes: &[u8]) {
        fs::write(self.path(name), bytes).expect("written");
    }

    fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).expect("read")
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).expect("read");
        let name = |entry: fs::DirEntry| entry.file_name().into_string().expect("text");
        let mut names: Vec<_> = entries.map(|entry| name(entry.expect("read"))).collect();
        names.sort();
        names
    }

    fn run(&self, program: &str, arguments: &str) -> Output {
        self.command(program, arguments).output().expect("started")
    }

    fn command(&self, program: &str, arguments: &str) -> Command {
        let mut command = start(&example(program));
        command.current_dir(self.0.path()).args(arguments.split(' ')).env_remove("THREEFISH_KEY");
        command
    }

    /// Runs a program that must succeed, and returns what it prints.
    fn succeed(&self, program: &str, arguments: &str) -> Vec<u8> {
        let output = self.run(program, arguments);
        assert!(output.status.success(), "{arguments}: {output:?}");
        output.stdout
    }

    /// Runs a program that must fail with exit status 1 and this message, and leave all files as they
    /// are.
    fn fail(&self, program: &str, arguments: &str, message: &str) {
        let files = || self.names().into_iter().map(|name| (fs::read(self.path(&name)).ok(), name));
        let before: Vec<_> = files().collect();
        let output = self.run(program, arguments);
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{arguments}: {output:?}");
        assert!(error.contains(message), "{arguments}: {error}");
        assert!(before == files().collect::<Vec<_>>(), "{arguments} changed files");
    }
}

/// By what runs the tests too, if that is an emulator: the kernel knows nothing of it.
fn start(program: &Path) -> Command {
    let runner = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.cargo/runners/aarch64.sh");
    if cfg!(target_arch = "aarch64") && runner.exists() {
        let mut command = Command::new(runner);
        command.arg(program);
        command
    } else {
        Command::new(program)
    }
}

/// Cargo builds examples beside the tests, unless it is asked for a single test.
fn example(name: &str) -> PathBuf {
    let test = env::current_exe().expect("known");
    let directory = test.ancestors().nth(2).expect("target/debug/deps/test").join("examples");
    let path = directory.join(format!("{name}{EXE_SUFFIX}"));
    assert!(path.exists(), "{} is missing: run `cargo build --examples` first", path.display());
    path
}

/// Bytes whose period is a prime, so that no two blocks nearby are equal.
fn message(bytes: usize) -> Vec<u8> {
    (0..=250).cycle().take(bytes).collect()
}

#[test]
fn ctr_file_round_trips() {
    let place = Place::new();
    for bytes in [0, 1, 63, 64, 65, 4_097, 1 << 20, (3 << 20) + 17] {
        let plain = message(bytes);
        place.write("plain", &plain);
        place.succeed("ctr-file", "--key-file key encrypt plain secret");
        place.succeed("ctr-file", "--key-file key decrypt secret again");
        let secret = place.read("secret");
        assert_eq!(secret.len(), HEADER + bytes);
        assert!(bytes < 32 || !secret.windows(32).any(|part| part == &plain[..32]));
        assert!(place.read("again") == plain, "{bytes} bytes");
    }
    assert_eq!(place.names(), ["again", "key", "other-key", "plain", "secret"]);
}

#[test]
fn ctr_file_takes_a_new_nonce_each_time() {
    let place = Place::new();
    place.write("plain", &message(1000));
    place.succeed("ctr-file", "--key-file key encrypt plain one");
    place.succeed("ctr-file", "--key-file key encrypt plain two");
    let (one, two) = (place.read("one"), place.read("two"));
    assert_eq!(one[..16], two[..16], "magic and length");
    assert_ne!(one[16..80], two[16..80], "nonces");
    assert_ne!(one[HEADER..], two[HEADER..], "contents");
}

#[test]
fn ctr_file_takes_the_key_from_the_environment() {
    let place = Place::new();
    place.write("plain", b"contents");
    place.succeed("ctr-file", "--key-file key encrypt plain secret");
    let with = |key: &str| {
        let mut command = place.command("ctr-file", "decrypt secret again");
        command.env("THREEFISH_KEY", key).output().expect("started")
    };
    for (key, message) in [("42", "must hold 128"), ("key", "not hexadecimal")] {
        let output = with(key);
        assert_eq!(output.status.code(), Some(1));
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(error.contains(message), "{error}");
    }
    assert!(with(&hex::encode(KEY)).status.success());
    assert_eq!(place.read("again"), b"contents");
}

#[test]
fn ctr_file_refuses_what_it_cannot_decrypt() {
    let place = Place::new();
    place.write("plain", &message(5_000));
    place.write("old", b"as it was");
    place.succeed("ctr-file", "--key-file key encrypt plain secret");
    let secret = place.read("secret");

    let decrypt = "--key-file key decrypt bad old";
    for length in [0, 7, HEADER - 1] {
        place.write("bad", &secret[..length]);
        place.fail("ctr-file", decrypt, "too short for the header");
    }
    for length in [HEADER, HEADER + 1, secret.len() - 1] {
        place.write("bad", &secret[..length]);
        place.fail("ctr-file", decrypt, "but 5000 were encrypted");
    }
    place.write("bad", &[&secret[..], b"more"].concat());
    place.fail("ctr-file", decrypt, "holds 5004 bytes of contents, but 5000 were encrypted");

    for byte in 0..HEADER {
        let mut bad = secret.clone();
        bad[byte] ^= 1;
        place.write("bad", &bad);
        let message = if byte < 8 { "not encrypted by this program" } else { "header is damaged" };
        place.fail("ctr-file", decrypt, message);
    }
    place.fail("ctr-file", "--key-file other-key decrypt secret old", "the key is wrong");
}

#[test]
fn ctr_file_refuses_bad_arguments() {
    let place = Place::new();
    place.write("plain", b"contents");
    place.write("old", b"as it was");
    fs::create_dir(place.path("directory")).expect("created");
    for (arguments, message) in [
        ("--key-file key encrypt nothing old", "can't open nothing"),
        ("--key-file key encrypt directory old", "can't read the input"),
        ("--key-file key encrypt plain directory", "not a regular file"),
        ("--key-file key encrypt plain nowhere/new", "can't write nowhere/new"),
        ("--key-file plain encrypt plain old", "64 bytes long, but 8 were given"),
        ("--key-file nothing encrypt plain old", "can't open nothing"),
        ("encrypt plain old", "give --key-file FILE"),
    ] {
        place.fail("ctr-file", arguments, message);
    }
}

/// The image of so many sectors, encrypted by the library block by block.
fn encrypted(plain: &[u8], sector_size: usize) -> Vec<u8> {
    let cipher = Threefish512::from_bytes(&KEY);
    let mut image = plain.to_vec();
    for (sector, bytes) in (0..).zip(image.chunks_mut(sector_size)) {
        for (block, bytes) in (0..).zip(Threefish512::split_blocks_mut(bytes).0) {
            cipher.encrypt_block_bytes(Tweak::new(block, sector), bytes);
        }
    }
    image
}

#[test]
fn disk_image_round_trips() {
    let place = Place::new();
    for (sectors, size) in [(0, 4096), (1, 4096), (777, 4096), (1, 512), (5_001, 512)] {
        let plain = message(sectors * size);
        place.write("plain", &plain);
        place.succeed(
            "disk-image",
            &format!("--key-file key --sector-size {size} encrypt plain secret"),
        );
        assert!(place.read("secret") == encrypted(&plain, size), "{sectors} sectors of {size}");
        place.succeed(
            "disk-image",
            &format!("decrypt secret again --key-file key --sector-size {size}"),
        );
        assert!(place.read("again") == plain, "{sectors} sectors of {size}");
    }
    assert_eq!(place.names(), ["again", "key", "other-key", "plain", "secret"]);
}

#[test]
fn disk_image_reads_any_sector() {
    let place = Place::new();
    let plain = message(600 * SECTOR);
    place.write("secret", &encrypted(&plain, SECTOR));
    for (first, count) in [(0, 1), (1, 1), (299, 2), (599, 1), (17, 500), (0, 600), (600, 0)] {
        let arguments = format!("--key-file key read secret --sector {first} --count {count}");
        let read = place.succeed("disk-image", &arguments);
        assert!(read == plain[first * SECTOR..(first + count) * SECTOR], "{arguments}");
    }
    let other = place.succeed("disk-image", "--key-file other-key read secret --sector 1");
    assert_ne!(other, plain[SECTOR..2 * SECTOR]);
}

#[test]
fn disk_image_writes_any_sector() {
    let place = Place::new();
    let mut plain = message(600 * SECTOR);
    place.write("secret", &encrypted(&plain, SECTOR));
    for (first, count) in [(0, 1), (599, 1), (3, 300), (600, 0)] {
        let new = vec![u8::try_from(count % 251).expect("small"); count * SECTOR];
        place.write("new", &new);
        place.succeed("disk-image", &format!("--key-file key write secret new --sector {first}"));
        plain[first * SECTOR..(first + count) * SECTOR].copy_from_slice(&new);
        assert!(place.read("secret") == encrypted(&plain, SECTOR), "{count} sectors at {first}");
    }
}

#[test]
fn disk_image_refuses_what_it_cannot_do() {
    let place = Place::new();
    place.write("image", &message(8 * SECTOR));
    place.write("sectors", &message(2 * SECTOR));
    place.write("odd", &message(2 * SECTOR + 512));
    place.write("old", b"as it was");
    for (arguments, message) in [
        ("encrypt odd old", "odd is 8704 bytes long, which are not whole sectors of 4096 bytes"),
        ("decrypt odd old", "not whole sectors"),
        ("read odd --sector 0", "not whole sectors"),
        ("write image odd --sector 0", "not whole sectors"),
        ("write odd sectors --sector 0", "not whole sectors"),
        ("read image --sector 8", "the image has 8, from 0 on"),
        ("read image --sector 7 --count 2", "the image has 8"),
        ("read image --sector 18446744073709551615 --count 2", "the image has 8"),
        ("write image sectors --sector 7", "the image has 8"),
        ("encrypt nothing old", "can't open nothing"),
        ("write nothing sectors --sector 0", "can't open nothing"),
    ] {
        place.fail("disk-image", &format!("--key-file key {arguments}"), message);
    }
    let output = place.run("disk-image", "--key-file key --sector-size 1000 encrypt image old");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
}

#[test]
fn help_says_what_is_not_protected() {
    for program in ["ctr-file", "disk-image"] {
        let output = start(&example(program)).arg("--help").output().expect("started");
        assert!(String::from_utf8_lossy(&output.stdout).contains("AUTHENTICATED"), "{output:?}");
    }
}
