//! The conformance suite on this backend.

threefish_conformance::suite!(threefish_unrolled);

#[cfg(feature = "zeroize")]
threefish_conformance::wiped!(threefish_unrolled);
