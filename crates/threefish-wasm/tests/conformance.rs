//! The conformance suite on this backend. On other targets the crate is empty.
#![cfg(all(target_arch = "wasm32", target_feature = "simd128"))]

threefish_conformance::suite!(threefish_wasm);

#[cfg(feature = "zeroize")]
threefish_conformance::wiped!(threefish_wasm);
