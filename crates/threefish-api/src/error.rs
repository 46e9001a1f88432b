use core::fmt;

/// A slice had the wrong length: the error tells which, how long it is and how long it must be.
///
/// ```
/// use threefish_api::Tweak;
///
/// let error = Tweak::from_slice(&[0; 15]).unwrap_err();
/// assert_eq!(error.to_string(), "a tweak is 16 bytes long, but 15 were given");
/// assert_eq!((error.expected(), error.given()), (16, 15));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LengthError {
    what: What,
    expected: usize,
    given: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    Key,
    Tweak,
    Output,
    Keys,
    Tweaks,
}

impl LengthError {
    /// The length that was required: bytes for a key or tweak, else items of the slice.
    #[must_use]
    pub const fn expected(&self) -> usize {
        self.expected
    }

    /// The length that was given, in the same unit.
    #[must_use]
    pub const fn given(&self) -> usize {
        self.given
    }

    pub(crate) const fn key(expected: usize, given: usize) -> Self {
        Self { what: What::Key, expected, given }
    }

    pub(crate) const fn tweak(given: usize) -> Self {
        Self { what: What::Tweak, expected: 16, given }
    }

    /// `Ok` if the output of a from-to call has as many blocks as its input.
    pub(crate) const fn check_output(blocks: usize, given: usize) -> Result<(), Self> {
        Self::check(What::Output, blocks, given)
    }

    /// `Ok` if there is one key and one tweak for each block.
    pub(crate) const fn check_keys(blocks: usize, keys: usize, tweaks: usize) -> Result<(), Self> {
        match Self::check(What::Keys, blocks, keys) {
            Ok(()) => Self::check(What::Tweaks, blocks, tweaks),
            error => error,
        }
    }

    const fn check(what: What, expected: usize, given: usize) -> Result<(), Self> {
        if given == expected { Ok(()) } else { Err(Self { what, expected, given }) }
    }
}

impl fmt::Display for LengthError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { what, expected, given } = self;
        match what {
            What::Key => write!(f, "this key is {expected} bytes long, but {given} were given"),
            What::Tweak => write!(f, "a tweak is {expected} bytes long, but {given} were given"),
            What::Output => {
                write!(f, "the output holds {given} blocks, but the input {expected}")
            }
            What::Keys => write!(f, "{given} keys were given for {expected} blocks"),
            What::Tweaks => write!(f, "{given} tweaks were given for {expected} blocks"),
        }
    }
}

impl core::error::Error for LengthError {}
