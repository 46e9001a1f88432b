//! The extended key, from which the kernels take subkeys as they go \[Skein 1.3, §3.3.2\].

/// The words k\[0\] to k\[Nw\] of the specification: the key and its parity word. Secret.
///
/// `EXTENDED` is Nw + 1.
#[derive(Clone)]
pub(crate) struct Key<const EXTENDED: usize>(pub(crate) [u64; EXTENDED]);

pub(crate) type Key256 = Key<5>;
pub(crate) type Key512 = Key<9>;
pub(crate) type Key1024 = Key<17>;

impl<const EXTENDED: usize> Key<EXTENDED> {
    #[inline(always)]
    pub(crate) fn extend(key: &[u64], parity: u64) -> Self {
        let mut k = [0; EXTENDED];
        k[EXTENDED - 1] = parity;
        for (i, word) in key.iter().enumerate() {
            k[i] = *word;
            k[EXTENDED - 1] ^= *word;
        }
        Self(k)
    }
}

#[cfg(feature = "zeroize")]
impl<const EXTENDED: usize> zeroize::Zeroize for Key<EXTENDED> {
    fn zeroize(&mut self) {
        self.0.zeroize();
    }
}
