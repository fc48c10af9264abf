//! Encoding of values as bytes: bincode, fixed-width little-endian integers, bounded size.

use bincode::config::{self, Configuration, Fixint, Limit, LittleEndian};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Maximum size of any encoded value in bytes.
pub(super) const MAX_VALUE_BYTES: usize = 1024;

const CONFIG: Configuration<LittleEndian, Fixint, Limit<MAX_VALUE_BYTES>> = config::standard()
    .with_fixed_int_encoding()
    .with_limit::<MAX_VALUE_BYTES>();

/// Appends the encoded value to `bytes`.
///
/// # Errors
/// If the value cannot be encoded or takes more than `limit` bytes; `bytes` is then unchanged.
pub(super) fn append<T: Serialize>(
    value: &T,
    limit: usize,
    bytes: &mut Vec<u8>,
) -> Result<(), String> {
    let before = bytes.len();
    let outcome = bincode::serde::encode_into_std_write(value, bytes, CONFIG);
    let refusal = match outcome {
        Ok(length) if length <= limit => return Ok(()),
        Ok(length) => format!("it takes {length} bytes; the limit is {limit}"),
        Err(error) => error.to_string(),
    };
    bytes.truncate(before);
    Err(refusal)
}

/// Decodes the value at the start of `bytes` and returns it with its encoded length.
///
/// # Errors
/// If the bytes are not a valid value.
pub(super) fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<(T, usize), String> {
    bincode::serde::decode_from_slice(bytes, CONFIG).map_err(|error| error.to_string())
}

/// Decodes a value that takes up all of `bytes`.
///
/// # Errors
/// If the bytes are not a valid value or contain trailing bytes.
pub(super) fn read_all<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, String> {
    match read(bytes)? {
        (value, length) if length == bytes.len() => Ok(value),
        (_, length) => Err(format!(
            "it takes {length} bytes instead of {}",
            bytes.len()
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_over_the_limit_is_not_written() {
        let mut bytes = vec![9];
        assert!(append(&"eleven byte", 18, &mut bytes).is_err());
        assert_eq!(bytes, [9]);
        append(&"eleven byte", 19, &mut bytes).unwrap();
        assert_eq!(
            read::<String>(&bytes[1..]),
            Ok(("eleven byte".to_owned(), 19))
        );
    }

    #[test]
    fn a_length_over_the_limit_is_rejected_before_reading() {
        let mut bytes = u64::MAX.to_le_bytes().to_vec();
        bytes.extend([b'a'; 2000]);
        assert!(read::<String>(&bytes).is_err());
        bytes[..8].copy_from_slice(&1500_u64.to_le_bytes());
        assert!(read::<String>(&bytes).is_err());
        bytes[..8].copy_from_slice(&1000_u64.to_le_bytes());
        assert!(read::<String>(&bytes).is_ok());
    }

    #[test]
    fn trailing_bytes_are_an_error() {
        assert_eq!(read_all::<u16>(&[1, 0]), Ok(1));
        assert!(read_all::<u16>(&[1, 0, 0]).is_err());
    }
}
