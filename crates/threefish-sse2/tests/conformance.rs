//! The conformance suite on this backend. Where SSE2 is not available, the crate is empty.
#![cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))]

threefish_conformance::suite!(threefish_sse2);

#[cfg(feature = "zeroize")]
threefish_conformance::wiped!(threefish_sse2);
