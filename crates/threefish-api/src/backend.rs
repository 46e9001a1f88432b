//! For authors of a backend: write a [`Kernel`] for each size, name them in
//! [`backend!`](crate::backend!), and the ciphers with all their calls are there.
//!
//! A kernel is generic over the revision, but what users call must be compiled *inside* the
//! backend crate: instantiated in the user's crate, it would be built with that crate's flags, and
//! an unoptimised kernel is 70 times slower. This way a debug build that optimises its dependencies
//! (`[profile.dev.package."*"] opt-level = 3`) has fast ciphers. So the macro stamps one function, not generic and
//! never inlined, for each size, revision and operation; the generic front picks among them by
//! [`Revision::VERSION`], a constant. These functions are also the symbols to look for in the
//! machine code: `threefish_unrolled::threefish_256::v1_3::encrypt_block`, for instance.
//!
//! Such a call is an opaque edge, which the kernels need: where the compiler sees key set-up and
//! rounds in one function, it regroups the additions and spills, at twice the time or more.

#[cfg(feature = "zeroize")]
#[doc(hidden)]
pub use zeroize;

use crate::{LengthError, Revision, Tweak, Words};

/// The key schedule of a backend for one size, and the cipher on it.
///
/// Bulk functions get one tweak for each block: both slices have the same length, at most
/// [`BATCH`].
///
/// Only [`new`](Self::new) and the calls for many keys may use [`Revision::PARITY`]: revisions 1.2 and
/// 1.3 differ in nothing else and share all other functions.
pub trait Kernel: Clone + Send + Sync {
    /// A block and a key.
    type Words: Words;

    /// Blocks carried side by side in one register: 1 for integer code.
    const LANES: usize;

    /// See [`Threefish::NEEDS`](crate::Threefish::NEEDS).
    const NEEDS: &'static str = "";

    /// See [`Threefish::is_supported`](crate::Threefish::is_supported).
    fn is_supported() -> bool {
        true
    }

    /// Sets the schedule up for a key.
    fn new<R: Revision>(key: &Self::Words) -> Self;

    /// All words of the schedule, which are secret: with the feature `zeroize` they are wiped when
    /// a cipher is dropped.
    fn secrets(&mut self) -> &mut [u64];

    /// Encrypts a block in place.
    fn encrypt_block<R: Revision>(&self, tweak: Tweak, block: &mut Self::Words);

    /// Decrypts a block in place.
    fn decrypt_block<R: Revision>(&self, tweak: Tweak, block: &mut Self::Words);

    /// Encrypts a block of bytes in place.
    #[inline(always)]
    fn encrypt_block_bytes<R: Revision>(
        &self,
        tweak: Tweak,
        block: &mut <Self::Words as Words>::Bytes,
    ) {
        let mut words = Words::from_bytes(block);
        self.encrypt_block::<R>(tweak, &mut words);
        *block = words.to_bytes();
    }

    /// Decrypts a block of bytes in place.
    #[inline(always)]
    fn decrypt_block_bytes<R: Revision>(
        &self,
        tweak: Tweak,
        block: &mut <Self::Words as Words>::Bytes,
    ) {
        let mut words = Words::from_bytes(block);
        self.decrypt_block::<R>(tweak, &mut words);
        *block = words.to_bytes();
    }

    /// Encrypts blocks in place, each under its tweak.
    fn encrypt_blocks<R: Revision>(&self, tweaks: &[Tweak], blocks: &mut [Self::Words]) {
        for (tweak, block) in tweaks.iter().zip(blocks) {
            self.encrypt_block::<R>(*tweak, block);
        }
    }

    /// Decrypts blocks in place, each under its tweak.
    fn decrypt_blocks<R: Revision>(&self, tweaks: &[Tweak], blocks: &mut [Self::Words]) {
        for (tweak, block) in tweaks.iter().zip(blocks) {
            self.decrypt_block::<R>(*tweak, block);
        }
    }

    /// Encrypts blocks of bytes in place, each under its tweak.
    #[inline(always)]
    fn encrypt_blocks_bytes<R: Revision>(
        &self,
        tweaks: &[Tweak],
        blocks: &mut [<Self::Words as Words>::Bytes],
    ) {
        as_words(tweaks, blocks, |tweaks, blocks| self.encrypt_blocks::<R>(tweaks, blocks));
    }

    /// Decrypts blocks of bytes in place, each under its tweak.
    #[inline(always)]
    fn decrypt_blocks_bytes<R: Revision>(
        &self,
        tweaks: &[Tweak],
        blocks: &mut [<Self::Words as Words>::Bytes],
    ) {
        as_words(tweaks, blocks, |tweaks, blocks| self.decrypt_blocks::<R>(tweaks, blocks));
    }

    /// Encrypts each block in place under its key and its tweak. All slices have the same length, of
    /// any size.
    #[inline(always)]
    fn encrypt_keys<R: Revision>(
        keys: &[Self::Words],
        tweaks: &[Tweak],
        blocks: &mut [Self::Words],
    ) {
        for ((key, tweak), block) in keys.iter().zip(tweaks).zip(blocks) {
            let mut kernel = Self::new::<R>(key);
            kernel.encrypt_block::<R>(*tweak, block);
            wipe(&mut kernel);
        }
    }

    /// Decrypts each block in place under its key and its tweak. All slices have the same length, of
    /// any size.
    #[inline(always)]
    fn decrypt_keys<R: Revision>(
        keys: &[Self::Words],
        tweaks: &[Tweak],
        blocks: &mut [Self::Words],
    ) {
        for ((key, tweak), block) in keys.iter().zip(tweaks).zip(blocks) {
            let mut kernel = Self::new::<R>(key);
            kernel.decrypt_block::<R>(*tweak, block);
            wipe(&mut kernel);
        }
    }
}

/// Overwrites the schedule, if the feature `zeroize` is on.
#[inline(always)]
fn wipe(kernel: &mut impl Kernel) {
    #[cfg(feature = "zeroize")]
    zeroize::Zeroize::zeroize(kernel.secrets());
    #[cfg(not(feature = "zeroize"))]
    let _ = kernel;
}

/// Checks that there are a key and a tweak for each block.
///
/// # Errors
///
/// [`LengthError`] if not.
#[inline]
pub fn check_keys<W>(keys: &[W], tweaks: &[Tweak], blocks: &[W]) -> Result<(), LengthError> {
    LengthError::check_keys(blocks.len(), keys.len(), tweaks.len())
}

/// The most blocks that one call of a bulk kernel gets. A multiple of every number of blocks that
/// kernels work on at a time.
pub const BATCH: usize = 96;

/// Hands `blocks` on in batches with their tweaks, each asked for once, in ascending order.
#[inline]
pub fn in_batches<B>(
    tweak: impl FnMut(usize) -> Tweak,
    blocks: &mut [B],
    kernel: impl FnMut(&[Tweak], &mut [B]),
) {
    /// For few blocks a buffer of [`BATCH`] tweaks takes longer to make than some blocks.
    const FEW: usize = 8;

    if blocks.len() <= FEW {
        in_batches_of::<B, FEW>(tweak, blocks, kernel);
    } else {
        in_batches_of::<B, BATCH>(tweak, blocks, kernel);
    }
}

#[inline]
fn in_batches_of<B, const MOST: usize>(
    mut tweak: impl FnMut(usize) -> Tweak,
    blocks: &mut [B],
    mut kernel: impl FnMut(&[Tweak], &mut [B]),
) {
    let mut tweaks = OnAlignedStack([Tweak::ZERO; MOST]);
    let mut next = 0;
    for batch in blocks.chunks_mut(MOST) {
        let tweaks = &mut tweaks.0[..batch.len()];
        // By index: this is compiled in the user's crate, where a debug build makes several calls of
        // each step of an iterator.
        let mut i = 0;
        while i < tweaks.len() {
            tweaks[i] = tweak(next + i);
            i += 1;
        }
        next += i;
        kernel(tweaks, batch);
    }
}

/// Runs the body of a function on a stack that the function aligns itself.
///
/// On 32-bit x86 a caller promises a stack aligned to 4 bytes or to 16, depending on who built it.
/// The compiler takes the 16 for granted where the system's rules say so, as Linux's do, and then
/// uses instructions that fault on any other stack. A local that asks for more than 16 makes the
/// function align its stack before anything else (`and esp, -32`), and so what it calls finds its
/// 16. That costs four instructions in each function that users call; elsewhere nothing.
#[inline(always)]
pub fn on_aligned_stack<T>(body: impl FnOnce() -> T) -> T {
    let result = body();
    // The local. It comes last, so that the last call of the body can't become a jump, behind
    // which the stack would be the caller's again.
    #[cfg(target_arch = "x86")]
    core::hint::black_box(OnAlignedStack(0_u8));
    result
}

/// What makes the function whose local it is align its stack; see [`on_aligned_stack`].
#[cfg_attr(target_arch = "x86", repr(align(32)))]
struct OnAlignedStack<T>(T);

/// Runs a bulk kernel for words on blocks of bytes, a few at a time.
#[inline(always)]
pub fn as_words<W: Words>(
    tweaks: &[Tweak],
    blocks: &mut [W::Bytes],
    mut kernel: impl FnMut(&[Tweak], &mut [W]),
) {
    /// A divisor of [`BATCH`] that keeps the copy small: 1.5 KiB of stack for Threefish-1024.
    const FEW: usize = 12;

    let mut words = [W::ZERO; FEW];
    for (tweaks, blocks) in tweaks.chunks(FEW).zip(blocks.chunks_mut(FEW)) {
        let words = &mut words[..blocks.len()];
        for (words, bytes) in words.iter_mut().zip(&*blocks) {
            *words = W::from_bytes(bytes);
        }
        kernel(tweaks, words);
        for (words, bytes) in words.iter().zip(blocks) {
            *bytes = words.to_bytes();
        }
    }
}
