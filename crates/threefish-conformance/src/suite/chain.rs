use threefish_api::{Tweak, revision::Version};

use crate::{
    Size,
    subject::{Call, Cipher, Direction, Form, Operation, Subject},
    to_words,
};

/// Steps of the long chain of Threefish-256 revision 1.3.
pub const LONG_CHAIN: u64 = 1_000_000;
/// Steps of the chain of every other size and revision.
pub const SHORT_CHAIN: u64 = 100_000;

/// Encrypts a block of zeros over and over, step `i` under the tweak `i, !i`, and each output is
/// the next input: a rare mistake anywhere changes all that follows.
#[must_use]
pub fn chain(size: Size, cipher: &dyn Cipher, steps: u64) -> Vec<u64> {
    let operation = Operation::new(Direction::Encrypt, Form::Words, Call::Block);
    let mut block = vec![0; size.bytes()];
    for i in 0..steps {
        cipher.run(operation, &[Tweak::new(i, !i)], &mut block);
    }
    to_words(&block)
}

/// The chain of a million steps (Threefish-256 revision 1.3) or a hundred thousand (the others)
/// ends where the model's did.
///
/// # Panics
///
/// If it ends elsewhere.
pub fn long_chain(subject: &Subject) {
    let (steps, pinned) = pinned(subject.size, subject.version);
    let cipher = subject.cipher(&key(subject.size));
    let end = chain(subject.size, cipher.as_ref(), steps);
    assert_eq!(hex_words(&end[..4]), hex_words(&pinned), "{subject:?} after {steps} steps");
}

fn key(size: Size) -> Vec<u8> {
    super::pattern(size.bytes())
}

fn hex_words(words: &[u64]) -> String {
    words.iter().map(|word| format!("{word:016X}")).collect::<Vec<_>>().join(" ")
}

/// Steps, and the first four words of the block that the model ended with.
fn pinned(size: Size, version: Version) -> (u64, [u64; 4]) {
    let steps = match (size, version) {
        (Size::Bits256, Version::V1_3) => LONG_CHAIN,
        _ => SHORT_CHAIN,
    };
    let words = match (size, version) {
        (Size::Bits256, Version::V1_1) => [
            0x7C25_8CDB_A69B_4D40,
            0x4671_4363_3E32_F8A2,
            0xBE4A_4C3A_CB92_D59D,
            0xFB8A_5E1F_631B_52BC,
        ],
        (Size::Bits256, Version::V1_2) => [
            0x9D0C_5DAB_A832_5320,
            0x7131_8720_B5B3_43E8,
            0xD957_BC55_D821_724E,
            0x84D3_EBF5_BF30_C793,
        ],
        (Size::Bits256, Version::V1_3) => [
            0xEDEF_E3D6_5F82_4A98,
            0xFA62_DAFB_E18C_5B59,
            0x08A8_055D_A066_3379,
            0x28C4_5CF7_DB4F_A858,
        ],
        (Size::Bits512, Version::V1_1) => [
            0x8110_B17C_3D12_4992,
            0xBCDF_C3A2_11A4_EC8D,
            0x4B0D_BD0B_B454_A88F,
            0x56B7_0CDF_B445_5476,
        ],
        (Size::Bits512, Version::V1_2) => [
            0xB3AC_330E_EDC5_722D,
            0x30B4_23F8_FA43_F8E9,
            0x8E86_52A2_FA35_0FF1,
            0x98FF_DAA7_CB8C_2B95,
        ],
        (Size::Bits512, Version::V1_3) => [
            0xC9FB_1054_91D4_0864,
            0xD215_B11A_A63E_FCE8,
            0x40C8_8912_6E64_7424,
            0xECA1_664B_9CE8_0C63,
        ],
        (Size::Bits1024, Version::V1_1) => [
            0x1A56_1A23_6092_ABC5,
            0x5295_1A0B_40B7_1F20,
            0x4F97_A1F6_620B_6369,
            0xAD5D_E2D9_3A52_9125,
        ],
        (Size::Bits1024, Version::V1_2) => [
            0x8596_B125_7CBD_2E24,
            0x57D4_6990_09FA_53AA,
            0x58C4_5D34_69D4_841D,
            0x25ED_238C_892F_D798,
        ],
        (Size::Bits1024, Version::V1_3) => [
            0x9589_C912_71CF_5D08,
            0x97ED_8D01_95A3_033F,
            0xB7FC_202F_4875_AE2A,
            0xFAB2_BA09_BD51_C8BC,
        ],
    };
    (steps, words)
}
