//! Refuses a name in `--cfg threefish_backend="NAME"` that no backend of the target has.

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(threefish_backend, values(any()))");
    let Ok(name) = env::var("CARGO_CFG_THREEFISH_BACKEND") else { return };
    let target = env::var("CARGO_CFG_TARGET_ARCH").unwrap_or_default();
    let names: &[&str] = match target.as_str() {
        "x86" | "x86_64" => &["unrolled", "sse2", "avx2", "avx512"],
        "aarch64" => &["unrolled", "neon"],
        "wasm32" => &["unrolled", "wasm"],
        _ => &["unrolled"],
    };
    if !names.contains(&name.as_str()) {
        let names = names.join(", ");
        println!("cargo::error=threefish_backend={name:?}: on {target} there are {names}");
    }
}
