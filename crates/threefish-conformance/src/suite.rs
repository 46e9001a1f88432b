//! The tests that every backend must pass, and [`suite!`](crate::suite!), which stamps them for each size and
//! revision onto a backend.
//!
//! Most properties look at a [`Subject`], so that they are compiled once, here; those about types,
//! slices of words and closures look at the type `T: Threefish` itself. Each is a function that
//! panics where the property does not hold, so that tests of the tests can call it too.

use threefish_api::{Threefish, backend::BATCH};

use crate::{registry, subject::Subject};

mod blocks;
mod chain;
mod known;
mod model;
#[cfg(target_arch = "x86")]
mod stack;
mod types;
mod wiped;

pub use blocks::{
    bulk_equals_single, each_block_has_its_own_tweak, every_alignment, every_alignment_from_to,
    from_to_equals_in_place, from_to_of_unlike_lengths, many_keys_equal_a_loop,
    many_keys_of_unlike_lengths, nothing_written_outside,
    tweak_function_is_called_once_for_each_block,
};
pub use chain::{LONG_CHAIN, SHORT_CHAIN, chain, long_chain};
pub use known::{known_answers_decrypt, known_answers_encrypt};
pub use model::{
    decrypt_undoes_encrypt, equals_the_model, new_tweak_leaves_no_trace, walking_bits,
    zero_parity_word,
};
#[cfg(target_arch = "x86")]
pub use stack::every_stack_alignment;
pub use types::{
    clone_gives_the_same, constants_are_those_of_the_size, constructors_agree, debug_hides_the_key,
    is_in_the_registry, is_send_sync_and_clone, split_blocks_splits, wrong_key_lengths,
};
pub use wiped::wiped_on_drop;

/// Stamps the suite onto a backend: for each size and revision one module with one test for each
/// property.
///
/// ```ignore
/// threefish_conformance::suite!(threefish_sse2);
/// ```
#[macro_export]
macro_rules! suite {
    ($backend:ident) => {
        $crate::__suite!(@size $backend, threefish_256, Threefish256);
        $crate::__suite!(@size $backend, threefish_512, Threefish512);
        $crate::__suite!(@size $backend, threefish_1024, Threefish1024);

        #[test]
        fn exports_the_names_of_every_backend() {
            #[allow(unused_imports, reason = "only that they are there counts")]
            use ::$backend::{
                Bytes, LengthError, Revision, Threefish, Threefish256, Threefish512, Threefish1024,
                Tweak, V1_1, V1_2, V1_3, Words, revision,
            };
        }

        #[test]
        fn is_in_the_registry() {
            $crate::suite::is_in_the_registry::<::$backend::Threefish256>(stringify!($backend));
        }
    };
}

/// Stamps the test that a dropped cipher leaves no key behind. For backends built with their
/// feature `zeroize`.
///
/// ```ignore
/// #[cfg(feature = "zeroize")]
/// threefish_conformance::wiped!(threefish_sse2);
/// ```
#[macro_export]
macro_rules! wiped {
    ($backend:ident) => {
        #[test]
        fn wiped_on_drop() {
            $crate::suite::wiped_on_drop::<::$backend::Threefish256>();
            $crate::suite::wiped_on_drop::<::$backend::Threefish512>();
            $crate::suite::wiped_on_drop::<::$backend::Threefish1024>();
        }
    };
}

/// The parts of [`suite!`](crate::suite!).
#[doc(hidden)]
#[macro_export]
macro_rules! __suite {
    (@size $backend:ident, $module:ident, $Cipher:ident) => {
        mod $module {
            $crate::__suite!(@revision v1_1, ::$backend::$Cipher<::$backend::V1_1>);
            $crate::__suite!(@revision v1_2, ::$backend::$Cipher<::$backend::V1_2>);
            $crate::__suite!(@revision v1_3, ::$backend::$Cipher<::$backend::V1_3>);
        }
    };
    (@revision $module:ident, $Cipher:ty) => {
        mod $module {
            type Cipher = $Cipher;

            $crate::__suite!(@tests with_subject::<Cipher>:
                known_answers_encrypt known_answers_decrypt
                equals_the_model decrypt_undoes_encrypt walking_bits zero_parity_word
                new_tweak_leaves_no_trace long_chain
                bulk_equals_single each_block_has_its_own_tweak every_alignment);
            $crate::__suite!(@typed with_type::<Cipher>:
                tweak_function_is_called_once_for_each_block every_alignment_from_to
                from_to_equals_in_place from_to_of_unlike_lengths
                many_keys_equal_a_loop many_keys_of_unlike_lengths nothing_written_outside
                constructors_agree wrong_key_lengths debug_hides_the_key clone_gives_the_same
                is_send_sync_and_clone constants_are_those_of_the_size split_blocks_splits);
            #[cfg(target_arch = "x86")]
            $crate::__suite!(@typed with_type::<Cipher>: every_stack_alignment);
        }
    };
    (@tests $run:ident::<$Cipher:ident>: $($property:ident)+) => {$(
        #[test]
        fn $property() {
            $crate::suite::$run::<$Cipher>($crate::suite::$property);
        }
    )+};
    (@typed $run:ident::<$Cipher:ident>: $($property:ident)+) => {$(
        #[test]
        fn $property() {
            $crate::suite::$run::<$Cipher>($crate::suite::$property::<$Cipher>);
        }
    )+};
}

/// Runs a property of a cipher, or prints why its backend is skipped.
pub fn with_subject<T: Threefish + 'static>(property: fn(&Subject)) {
    if runs_here::<T>() {
        property(&Subject::of::<T>());
    }
}

/// Runs a property of a type, or prints why its backend is skipped.
pub fn with_type<T: Threefish>(property: fn()) {
    if runs_here::<T>() {
        property();
    }
}

/// Whether the backend's own kernels run here. Where not, prints the line `SKIPPED name: reason`.
///
/// # Panics
///
/// If they do not run, but `REQUIRE_BACKENDS` lists the backend.
#[must_use]
pub fn runs_here<T: Threefish>() -> bool {
    if !T::is_supported() {
        let line = registry::skip(T::BACKEND, &registry::unsupported::<T>());
        println!("{}", line.unwrap_or_else(|error| panic!("{error}")));
    }
    T::is_supported()
}

/// Test data: the bytes 0 to 250 over and over. 251 is prime, so that no two blocks are equal and
/// swapped ones show.
pub(crate) fn pattern(bytes: usize) -> Vec<u8> {
    (0..=250).cycle().take(bytes).collect()
}

/// Numbers of blocks that hit every remainder of the lanes, and of the batches that bulk calls work
/// in: 12 where bytes are copied to words, and [`BATCH`]; groups of lanes in flight are in between.
pub(crate) fn counts(lanes: usize) -> impl Iterator<Item = usize> {
    (0..=2 * lanes + 1).chain([
        11,
        12,
        13,
        31,
        47,
        48,
        49,
        63,
        64,
        65,
        BATCH - 1,
        BATCH,
        BATCH + 1,
        1000,
    ])
}
