use crate::LengthError;

/// The 128-bit tweak: two words `t0`, `t1`, given with every call \[Skein 1.3, §3.3\].
///
/// Under one key, each tweak gives an unrelated permutation, so a block's position (sector, page,
/// counter) is a natural tweak. A tweak is public; a new one costs nothing.
///
/// As a number or as bytes, `t0` is the low half: both are little-endian.
///
/// ```
/// use threefish_api::Tweak;
///
/// let tweak = Tweak::new(7, 15);
/// assert_eq!(tweak, Tweak::from([7, 15]));
/// assert_eq!(tweak, Tweak::from(7 + (15 << 64)));
/// assert_eq!(tweak, Tweak::from([7, 0, 0, 0, 0, 0, 0, 0, 15, 0, 0, 0, 0, 0, 0, 0_u8]));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Tweak([u64; 2]);

impl Tweak {
    /// The tweak of zeros.
    pub const ZERO: Self = Self([0; 2]);

    /// The tweak of the words `t0` and `t1`.
    #[inline]
    #[must_use]
    pub const fn new(t0: u64, t1: u64) -> Self {
        Self([t0, t1])
    }

    /// The tweak of 16 bytes, `t0` first, each word little-endian.
    ///
    /// # Errors
    ///
    /// [`LengthError`] if the slice is not 16 bytes long.
    pub fn from_slice(bytes: &[u8]) -> Result<Self, LengthError> {
        match <[u8; 16]>::try_from(bytes) {
            Ok(bytes) => Ok(Self::from(bytes)),
            Err(_) => Err(LengthError::tweak(bytes.len())),
        }
    }

    /// The words `t0`, `t1`.
    #[inline]
    #[must_use]
    pub const fn words(self) -> [u64; 2] {
        self.0
    }

    /// The 16 bytes that [`Tweak::from_slice`] reads.
    #[inline]
    #[must_use]
    pub fn to_bytes(self) -> [u8; 16] {
        u128::from(self).to_le_bytes()
    }

    /// `t0`, `t1` and `t2 = t0 xor t1`: the three words that subkeys take their tweak from.
    #[inline]
    #[must_use]
    pub const fn extended(self) -> [u64; 3] {
        let [t0, t1] = self.0;
        [t0, t1, t0 ^ t1]
    }
}

impl From<[u64; 2]> for Tweak {
    #[inline]
    fn from(words: [u64; 2]) -> Self {
        Self(words)
    }
}

impl From<u128> for Tweak {
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "splits the number into its two words")]
    fn from(number: u128) -> Self {
        Self([number as u64, (number >> 64) as u64])
    }
}

impl From<[u8; 16]> for Tweak {
    #[inline]
    fn from(bytes: [u8; 16]) -> Self {
        Self::from(u128::from_le_bytes(bytes))
    }
}

impl From<Tweak> for u128 {
    #[inline]
    fn from(tweak: Tweak) -> Self {
        let [t0, t1] = tweak.0;
        Self::from(t0) | Self::from(t1) << 64
    }
}
