//! The conformance suite on this backend. On other processors than x86's the crate is empty.
#![cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))]

threefish_conformance::suite!(threefish_avx2);

#[cfg(feature = "zeroize")]
threefish_conformance::wiped!(threefish_avx2);
