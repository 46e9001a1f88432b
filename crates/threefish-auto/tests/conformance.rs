//! The conformance suite on whatever is chosen here.

threefish_conformance::suite!(threefish_auto);

#[cfg(feature = "zeroize")]
threefish_conformance::wiped!(threefish_auto);
