//! The conformance suite on this backend. On other targets the crate is empty.
#![cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))]

threefish_conformance::suite!(threefish_neon);

#[cfg(feature = "zeroize")]
threefish_conformance::wiped!(threefish_neon);
