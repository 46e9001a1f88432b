//! The revisions of the Skein specification, as types.
//!
//! A cipher of any backend carries its revision as a type parameter that defaults to [`V1_3`], the
//! final one. It costs nothing at run time. The older ones reproduce results of their time.
//!
//! | revision | year | rotation counts | parity word of a zero key |
//! |---|---|---|---|
//! | [`V1_1`] | 2008 | as first submitted | `0x5555555555555555` |
//! | [`V1_2`] | 2009 | replaced | `0x5555555555555555` |
//! | [`V1_3`] | 2010 | as in 1.2 | `0x1BD11BDAA9FC1A22` |

use core::fmt;

use crate::spec;

mod sealed {
    pub trait Sealed {}
}

/// A revision of the specification: a type that stands for its constants.
///
/// Sealed: [`V1_1`], [`V1_2`] and [`V1_3`] are all there are.
pub trait Revision:
    sealed::Sealed + Clone + Copy + Default + fmt::Debug + Send + Sync + 'static
{
    /// The same as a value.
    const VERSION: Version;
    /// What the words of a key are xored with to give the parity word.
    const PARITY: u64;
    /// Rotation counts of Threefish-256, `[d % 8][j]`.
    const ROTATIONS_256: [[u32; 2]; 8];
    /// Rotation counts of Threefish-512, `[d % 8][j]`.
    const ROTATIONS_512: [[u32; 4]; 8];
    /// Rotation counts of Threefish-1024, `[d % 8][j]`.
    const ROTATIONS_1024: [[u32; 8]; 8];
}

/// A revision of the specification, as a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Version {
    /// Revision 1.1, of 2008.
    V1_1,
    /// Revision 1.2, of 2009.
    V1_2,
    /// Revision 1.3, of 2010.
    V1_3,
}

impl Version {
    /// Every revision, oldest first.
    pub const ALL: [Self; 3] = [Self::V1_1, Self::V1_2, Self::V1_3];
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::V1_1 => "1.1",
            Self::V1_2 => "1.2",
            Self::V1_3 => "1.3",
        })
    }
}

/// Revision 1.1 of the specification (2008).
#[derive(Clone, Copy, Debug, Default)]
pub struct V1_1;

/// Revision 1.2 of the specification (2009): new rotation counts.
#[derive(Clone, Copy, Debug, Default)]
pub struct V1_2;

/// Revision 1.3 of the specification (2010), the final one: a new parity constant.
#[derive(Clone, Copy, Debug, Default)]
pub struct V1_3;

impl sealed::Sealed for V1_1 {}
impl sealed::Sealed for V1_2 {}
impl sealed::Sealed for V1_3 {}

impl Revision for V1_1 {
    const VERSION: Version = Version::V1_1;
    const PARITY: u64 = spec::PARITY_V1_1;
    const ROTATIONS_256: [[u32; 2]; 8] = spec::ROTATIONS_256_V1_1;
    const ROTATIONS_512: [[u32; 4]; 8] = spec::ROTATIONS_512_V1_1;
    const ROTATIONS_1024: [[u32; 8]; 8] = spec::ROTATIONS_1024_V1_1;
}

impl Revision for V1_2 {
    const VERSION: Version = Version::V1_2;
    const PARITY: u64 = spec::PARITY_V1_1;
    const ROTATIONS_256: [[u32; 2]; 8] = spec::ROTATIONS_256_V1_3;
    const ROTATIONS_512: [[u32; 4]; 8] = spec::ROTATIONS_512_V1_3;
    const ROTATIONS_1024: [[u32; 8]; 8] = spec::ROTATIONS_1024_V1_3;
}

impl Revision for V1_3 {
    const VERSION: Version = Version::V1_3;
    const PARITY: u64 = spec::PARITY_V1_3;
    const ROTATIONS_256: [[u32; 2]; 8] = spec::ROTATIONS_256_V1_3;
    const ROTATIONS_512: [[u32; 4]; 8] = spec::ROTATIONS_512_V1_3;
    const ROTATIONS_1024: [[u32; 8]; 8] = spec::ROTATIONS_1024_V1_3;
}
