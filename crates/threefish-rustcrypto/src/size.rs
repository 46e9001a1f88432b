use cipher::{
    array::ArraySize,
    consts::{U16, U24, U32, U48, U64, U128},
};
use threefish_api::Words;

/// The size of a cipher in the type numbers of the crate `cipher`: a bound for generic code.
///
/// ```
/// use threefish_rustcrypto::{FixedTweak, Size, cipher::BlockCipherEncrypt};
/// use threefish_unrolled::Threefish;
///
/// fn adapt<T: Threefish<Words: Size>>(cipher: T) -> impl BlockCipherEncrypt {
///     FixedTweak::from(cipher)
/// }
/// ```
pub trait Size: Words {
    /// Bytes in a block and in a key: `U32`, `U64` or `U128`.
    type BlockSize: ArraySize<ArrayType<u8> = <Self as Words>::Bytes>;

    /// Blocks that modes hand over at a time: 48, 24 or 16.
    ///
    /// As many as fill the widest kernels evenly. Eight blocks lie side by side in AVX-512
    /// registers, several such groups in flight: 48 blocks of 256 bits, 24 of 512, 8 of 1024. All
    /// are multiples of what narrower kernels take at a time. And few enough for the stack, where
    /// counter mode keeps two such groups: 3 KiB, and 4 KiB for Threefish-1024.
    type ParBlocksSize: ArraySize;
}

impl Size for [u64; 4] {
    type BlockSize = U32;
    type ParBlocksSize = U48;
}

impl Size for [u64; 8] {
    type BlockSize = U64;
    type ParBlocksSize = U24;
}

impl Size for [u64; 16] {
    type BlockSize = U128;
    type ParBlocksSize = U16;
}
