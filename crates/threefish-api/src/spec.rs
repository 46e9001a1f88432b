//! The constants of the specification \[Skein 1.3, §3.3, Tables 3 and 4\], as printed there.
//!
//! Rotation tables are indexed `[d % 8][j]`: row `d` mod 8 for round `d`, column `j` for the pair of
//! words `2 * j` and `2 * j + 1`. A permutation `p` sends word `p[i]` to place `i`.

/// Rounds of Threefish-256.
pub const ROUNDS_256: usize = 72;
/// Rounds of Threefish-512.
pub const ROUNDS_512: usize = 72;
/// Rounds of Threefish-1024.
pub const ROUNDS_1024: usize = 80;

/// Word permutation of Threefish-256, the same in all revisions.
pub const PERMUTATION_256: [usize; 4] = [0, 3, 2, 1];
/// Word permutation of Threefish-512, the same in all revisions.
pub const PERMUTATION_512: [usize; 8] = [2, 1, 4, 7, 6, 5, 0, 3];
/// Word permutation of Threefish-1024, the same in all revisions.
pub const PERMUTATION_1024: [usize; 16] = [0, 9, 2, 13, 6, 11, 4, 15, 10, 7, 12, 3, 14, 5, 8, 1];

/// `C240` of revision 1.3: the parity word of a key of zeros.
pub const PARITY_V1_3: u64 = 0x1BD1_1BDA_A9FC_1A22;
/// The parity word of a key of zeros in revisions 1.1 and 1.2.
pub const PARITY_V1_1: u64 = 0x5555_5555_5555_5555;

/// Rotation counts of Threefish-256 in revision 1.1.
pub const ROTATIONS_256_V1_1: [[u32; 2]; 8] =
    [[5, 56], [36, 28], [13, 46], [58, 44], [26, 20], [53, 35], [11, 42], [59, 50]];

/// Rotation counts of Threefish-512 in revision 1.1.
pub const ROTATIONS_512_V1_1: [[u32; 4]; 8] = [
    [38, 30, 50, 53],
    [48, 20, 43, 31],
    [34, 14, 15, 27],
    [26, 12, 58, 7],
    [33, 49, 8, 42],
    [39, 27, 41, 14],
    [29, 26, 11, 9],
    [33, 51, 39, 35],
];

/// Rotation counts of Threefish-1024 in revision 1.1.
pub const ROTATIONS_1024_V1_1: [[u32; 8]; 8] = [
    [55, 43, 37, 40, 16, 22, 38, 12],
    [25, 25, 46, 13, 14, 13, 52, 57],
    [33, 8, 18, 57, 21, 12, 32, 54],
    [34, 43, 25, 60, 44, 9, 59, 34],
    [28, 7, 47, 48, 51, 9, 35, 41],
    [17, 6, 18, 25, 43, 42, 40, 15],
    [58, 7, 32, 45, 19, 18, 2, 56],
    [47, 49, 27, 58, 37, 48, 53, 56],
];

/// Rotation counts of Threefish-256 in revisions 1.2 and 1.3.
pub const ROTATIONS_256_V1_3: [[u32; 2]; 8] =
    [[14, 16], [52, 57], [23, 40], [5, 37], [25, 33], [46, 12], [58, 22], [32, 32]];

/// Rotation counts of Threefish-512 in revisions 1.2 and 1.3.
pub const ROTATIONS_512_V1_3: [[u32; 4]; 8] = [
    [46, 36, 19, 37],
    [33, 27, 14, 42],
    [17, 49, 36, 39],
    [44, 9, 54, 56],
    [39, 30, 34, 24],
    [13, 50, 10, 17],
    [25, 29, 39, 43],
    [8, 35, 56, 22],
];

/// Rotation counts of Threefish-1024 in revisions 1.2 and 1.3.
pub const ROTATIONS_1024_V1_3: [[u32; 8]; 8] = [
    [24, 13, 8, 47, 8, 17, 22, 37],
    [38, 19, 10, 55, 49, 18, 23, 52],
    [33, 4, 51, 13, 34, 41, 59, 17],
    [5, 20, 48, 41, 47, 28, 16, 25],
    [41, 9, 37, 31, 12, 47, 44, 30],
    [16, 34, 56, 51, 4, 53, 42, 41],
    [31, 44, 47, 46, 19, 42, 44, 25],
    [9, 48, 35, 52, 23, 31, 37, 20],
];
