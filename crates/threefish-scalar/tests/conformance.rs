//! The conformance suite on this backend.

threefish_conformance::suite!(threefish_scalar);

#[cfg(feature = "zeroize")]
threefish_conformance::wiped!(threefish_scalar);
