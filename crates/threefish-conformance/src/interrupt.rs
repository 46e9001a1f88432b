//! Ctrl-C: the first press asks a program to keep what it has and end, the second ends it at once.
//!
//! WebAssembly has no signals: there nobody is ever heard.

use std::sync::atomic::{AtomicBool, Ordering};

/// The exit status of a program that was interrupted: as shells count, 128 and the signal's number.
pub const STATUS: u8 = 130;

static PRESSED: AtomicBool = AtomicBool::new(false);

/// Listens from now on. To be called once.
///
/// # Errors
///
/// What the system says if it lets nobody listen, or that someone does already.
#[cfg(not(target_family = "wasm"))]
pub fn listen() -> Result<(), ctrlc::Error> {
    ctrlc::set_handler(|| {
        if PRESSED.swap(true, Ordering::Relaxed) {
            std::process::exit(STATUS.into());
        }
    })
}

/// Listens from now on. To be called once.
///
/// # Errors
///
/// None here.
#[cfg(target_family = "wasm")]
pub fn listen() -> Result<(), std::convert::Infallible> {
    Ok(())
}

/// Whether Ctrl-C was pressed.
#[must_use]
pub fn pressed() -> bool {
    PRESSED.load(Ordering::Relaxed)
}
