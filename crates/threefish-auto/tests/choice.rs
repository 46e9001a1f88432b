//! What is chosen, and what the environment variable does to it: in processes of their own, since a
//! choice is made once. On x86 alone: tests for other processors run under emulators, which can't start
//! another program for that processor.
#![cfg(any(target_arch = "x86", target_arch = "x86_64"))]
#![allow(clippy::unwrap_used, reason = "where a child can't be run, nothing can be tested")]

use std::{env, process::Command};

/// In a child process: shows the choice, or dies of a wrong name.
#[test]
fn shown_in_a_child() {
    if env::var_os("SHOW_CHOICE").is_some() {
        let chosen = threefish_auto::chosen();
        println!("one={} many={}", chosen.one, chosen.many);
    }
}

/// Standard output and error of the test above with a variable set.
fn show(backend: Option<&str>) -> (bool, String) {
    let mut child = Command::new(env::current_exe().unwrap());
    child.args(["--exact", "shown_in_a_child", "--nocapture"]).env("SHOW_CHOICE", "1");
    child.env_remove("THREEFISH_BACKEND");
    if let Some(backend) = backend {
        child.env("THREEFISH_BACKEND", backend);
    }
    let output = child.output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8(text).unwrap())
}

/// In this process: if it is emulated, a child would run on the machine's own processor.
#[test]
fn the_fastest_that_runs_is_chosen() {
    if cfg!(feature = "override") && env::var_os("THREEFISH_BACKEND").is_some() {
        println!("SKIPPED: THREEFISH_BACKEND decides");
        return;
    }
    // By the detection of the standard library, not ours.
    let avx512 = is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512vbmi2");
    let many = match (avx512, is_x86_feature_detected!("avx2")) {
        (true, _) => "avx512",
        (false, true) => "avx2",
        (false, false) if cfg!(target_arch = "x86") => "sse2",
        (false, false) => "unrolled",
    };
    let one = if many == "avx2" && cfg!(target_arch = "x86") { "sse2" } else { many };
    let chosen = threefish_auto::chosen();
    assert_eq!((chosen.one, chosen.many), (one, many));
}

#[test]
#[cfg(feature = "override")]
fn the_variable_decides() {
    let (ok, text) = show(Some("unrolled"));
    assert!(ok && text.contains("one=unrolled many=unrolled"), "{text}");

    let (ok, text) = show(Some("sse9"));
    let message =
        "THREEFISH_BACKEND=sse9: no backend of this target has that name; set it to one of";
    assert!(!ok && text.contains(message), "{text}");
}

#[test]
#[cfg(not(feature = "override"))]
fn the_variable_means_nothing_without_the_feature() {
    let (ok, text) = show(Some("sse9"));
    assert!(ok && text == show(None).1, "{text}");
}
