use threefish_api::{Revision, Threefish, Tweak, Words};

use super::{blocks::key, pattern};
use crate::{Size, registry, subject::size_of_cipher, to_bytes};

/// `new`, `from_bytes` and `from_slice` make the same cipher of the same key.
///
/// # Panics
///
/// If the ciphers differ.
pub fn constructors_agree<T: Threefish>() {
    let words = key::<T>();
    let bytes = words.to_bytes();
    let encrypt = |cipher: &T| {
        let mut block = T::Words::ZERO;
        cipher.encrypt_block(Tweak::new(1, 2), &mut block);
        block
    };
    let block = encrypt(&T::new(&words));
    assert_eq!(encrypt(&T::from_bytes(&bytes)), block, "from_bytes");
    let from_slice = T::from_slice(bytes.as_ref()).expect("as long as a key");
    assert_eq!(encrypt(&from_slice), block, "from_slice");
}

/// A key from a slice of any other length is an error that tells the expected and given length.
///
/// # Panics
///
/// If there is no error, or it tells something else.
pub fn wrong_key_lengths<T: Threefish>() {
    let len = T::BLOCK_BYTES;
    for given in [0, 1, 8, 16, len - 1, len + 1, 2 * len, 32, 64, 128, 1 << 20] {
        if given == len {
            continue;
        }
        let error = T::from_slice(&vec![0; given]).expect_err("not as long as a key");
        assert_eq!((error.expected(), error.given()), (len, given));
        assert_eq!(
            error.to_string(),
            format!("this key is {len} bytes long, but {given} were given")
        );
    }
}

/// `Debug` names the type and shows no word of the key, neither in hex nor in decimal.
///
/// # Panics
///
/// If it does not name the type, or shows part of the key.
pub fn debug_hides_the_key<T: Threefish>() {
    let cipher = T::new(&key::<T>());
    let name = format!("Threefish{}", 8 * T::BLOCK_BYTES);
    for text in [format!("{cipher:?}"), format!("{cipher:#?}")] {
        assert!(text.contains(&name), "{text:?} does not name {name}");
        for word in key::<T>().as_ref() {
            let halves = [word >> 32, word & 0xFFFF_FFFF];
            for secret in [*word, word.swap_bytes(), halves[0], halves[1]] {
                let shown = [format!("{secret:x}"), format!("{secret:X}"), secret.to_string()];
                for shown in shown {
                    assert!(!text.contains(&shown), "{text:?} shows {shown}");
                }
            }
        }
        let bytes: Vec<_> =
            to_bytes(key::<T>().as_ref()).iter().take(3).map(u8::to_string).collect();
        assert!(!text.contains(&bytes.join(", ")), "{text:?} shows bytes of the key");
    }
}

/// A clone gives the same, also when the original is gone.
///
/// # Panics
///
/// If it does not.
pub fn clone_gives_the_same<T: Threefish>() {
    let original = T::new(&key::<T>());
    let clone = original.clone();
    let mut blocks = [T::Words::ZERO; 2];
    original.encrypt_block(Tweak::new(1, 2), &mut blocks[0]);
    drop(original);
    clone.encrypt_block(Tweak::new(1, 2), &mut blocks[1]);
    assert_eq!(blocks[0], blocks[1]);
}

/// Holds as soon as it compiles.
pub fn is_send_sync_and_clone<T: Threefish>() {
    fn assert<T: Send + Sync + Clone>() {}
    assert::<T>();
}

/// The constants are those of the size.
///
/// # Panics
///
/// If they are not.
pub fn constants_are_those_of_the_size<T: Threefish>() {
    let (words, rounds) = match size_of_cipher::<T>() {
        Size::Bits256 => (4, 72),
        Size::Bits512 => (8, 72),
        Size::Bits1024 => (16, 80),
    };
    assert_eq!((T::BLOCK_WORDS, T::BLOCK_BYTES, T::ROUNDS), (words, 8 * words, rounds));
    assert!(T::LANES.is_power_of_two(), "{} lanes", T::LANES);
    let text = format!("{:?}", T::new(&key::<T>()));
    let revision = format!("{:?}", T::Revision::VERSION);
    assert!(text.contains(&revision) && text.contains(T::BACKEND), "{text}");
}

/// `split_blocks` and `split_blocks_mut` give all whole blocks and what is left.
///
/// # Panics
///
/// If it does not.
pub fn split_blocks_splits<T: Threefish>() {
    for len in [0, 1, T::BLOCK_BYTES - 1, T::BLOCK_BYTES, 3 * T::BLOCK_BYTES + 5] {
        let bytes = pattern(len);
        let mut copy = bytes.clone();
        let (blocks, rest) = T::split_blocks_mut(&mut copy);
        assert_eq!((blocks.len(), rest.len()), (len / T::BLOCK_BYTES, len % T::BLOCK_BYTES));
        let joined: Vec<_> = blocks.iter().flat_map(|block| block.as_ref()).chain(&*rest).collect();
        assert!(joined.into_iter().eq(&bytes), "{len} bytes");

        let (shared_blocks, shared_rest) = T::split_blocks(&bytes);
        assert!(shared_blocks == blocks && shared_rest == rest, "{len} bytes");
    }
}

/// The registry lists the backend under the name that it gives itself.
///
/// # Panics
///
/// If it does not.
pub fn is_in_the_registry<T: Threefish>(crate_name: &str) {
    let backends = registry::backends();
    let backend = backends.iter().find(|backend| backend.crate_name == crate_name);
    let backend = backend.unwrap_or_else(|| panic!("{crate_name} is not in the registry"));
    assert_eq!(backend.name, T::BACKEND);
    assert_eq!(backend.skipped().is_none(), T::is_supported());
}
