//! The backends that are built for this target.

use cfg_if::cfg_if;

cfg_if! {
    if #[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))] {
        /// Calls a macro with the arguments and, behind them, name and crate of each backend.
        macro_rules! with_backends {
            ($callback:ident!($($argument:tt)*)) => {
                $callback!($($argument)* Unrolled = "unrolled" threefish_unrolled,
                    Sse2 = "sse2" threefish_sse2, Avx2 = "avx2" threefish_avx2,
                    Avx512 = "avx512" threefish_avx512);
            };
        }
    } else if #[cfg(all(
        target_arch = "aarch64", target_feature = "neon", target_endian = "little"
    ))] {
        /// Calls a macro with the arguments and, behind them, name and crate of each backend.
        macro_rules! with_backends {
            ($callback:ident!($($argument:tt)*)) => {
                $callback!($($argument)* Unrolled = "unrolled" threefish_unrolled,
                    Neon = "neon" threefish_neon);
            };
        }
    } else if #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))] {
        /// Calls a macro with the arguments and, behind them, name and crate of each backend.
        macro_rules! with_backends {
            ($callback:ident!($($argument:tt)*)) => {
                $callback!($($argument)* Unrolled = "unrolled" threefish_unrolled,
                    Wasm = "wasm" threefish_wasm);
            };
        }
    } else {
        /// Calls a macro with the arguments and, behind them, name and crate of each backend.
        macro_rules! with_backends {
            ($callback:ident!($($argument:tt)*)) => {
                $callback!($($argument)* Unrolled = "unrolled" threefish_unrolled);
            };
        }
    }
}
pub(crate) use with_backends;
