//! Sealed files: parts of bytes in one file, protected by checksums.
//!
//! All integers are little-endian: the magic (8 bytes), the format version (u32), the length in bytes of
//! each part (u32 each), a CRC-32 of everything so far, the parts, and the SHA-256 of everything before it.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use sha2::{Digest, Sha256};

use super::{FileError, FileFormat};

/// Bytes of the SHA-256 at the end.
pub const SEAL_BYTES: usize = 32;

/// Returns the content of a sealed file of `parts`, each of less than 4 GiB.
pub fn seal<const N: usize>(format: &FileFormat, parts: [&[u8]; N]) -> Vec<u8> {
    let mut bytes = format.magic.to_vec();
    bytes.extend(format.version.to_le_bytes());
    for part in parts {
        bytes.extend((part.len() as u32).to_le_bytes());
    }
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    parts.iter().for_each(|part| bytes.extend_from_slice(part));
    bytes.extend(Sha256::digest(&bytes));
    bytes
}

/// Checks the content of the sealed file `path` and returns its parts.
///
/// # Errors
/// If it has another format or version, another length than its header says, or a wrong checksum.
pub fn unseal<'a, const N: usize>(
    format: &'static FileFormat,
    bytes: &'a [u8],
    path: &Path,
) -> Result<[&'a [u8]; N], FileError> {
    format.check_start(bytes, path)?;
    let checked = format.magic.len() + 4 * (1 + N);
    let (Some(header), Some(checksum)) = (bytes.get(..checked), bytes.get(checked..checked + 4))
    else {
        return Err(format.damaged(path, "it ends inside its header"));
    };
    if crc32fast::hash(header).to_le_bytes() != *checksum {
        return Err(format.damaged(path, "the checksum of its header does not match"));
    }
    let lengths = header[checked - 4 * N..].chunks_exact(4).map(le_u32);
    let expected = (checked + 4 + SEAL_BYTES) as u64 + lengths.clone().map(u64::from).sum::<u64>();
    if bytes.len() as u64 != expected {
        let found = bytes.len();
        let reason = format!("it is {found} bytes long and should be {expected}");
        return Err(format.damaged(path, reason));
    }
    let (content, digest) = bytes.split_at(bytes.len() - SEAL_BYTES);
    if Sha256::digest(content)[..] != *digest {
        return Err(format.damaged(path, "the checksum of its content does not match"));
    }
    let mut rest = &content[checked + 4..];
    let mut parts: [&[u8]; N] = [&[]; N];
    for (part, length) in parts.iter_mut().zip(lengths) {
        (*part, rest) = rest.split_at(length as usize);
    }
    Ok(parts)
}

/// Reads a file of at most `limit` bytes.
///
/// # Errors
/// If it cannot be read or is longer.
pub fn read_limited(
    format: &'static FileFormat,
    path: &Path,
    limit: u64,
) -> Result<Vec<u8>, FileError> {
    let mut bytes = Vec::new();
    // The limit also applies if the file grows, or is a device without a length.
    File::open(path)
        .and_then(|file| file.take(limit + 1).read_to_end(&mut bytes))
        .map_err(FileError::io("read", path))?;
    if bytes.len() as u64 > limit {
        return Err(format.damaged(path, format!("it is longer than {limit} bytes")));
    }
    Ok(bytes)
}

/// Returns the little-endian number in the first 4 of `bytes`.
pub(super) fn le_u32(bytes: &[u8]) -> u32 {
    u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    static FORMAT: FileFormat = FileFormat {
        name: "test file",
        magic: *b"TestFile",
        version: 3,
        remedy: |_| "write it again".to_owned(),
    };

    fn error(bytes: &[u8]) -> FileError {
        unseal::<2>(&FORMAT, bytes, Path::new("some.file")).unwrap_err()
    }

    #[test]
    fn names_the_version_and_advises_by_its_age() {
        let mut bytes = seal(&FORMAT, [b"a", b"bc"]);
        bytes[8] = 2;
        let older = error(&bytes).to_string();
        assert!(older.contains("format version 2"), "{older}");
        assert!(older.ends_with("; write it again"), "{older}");
        bytes[8] = 9;
        let newer = error(&bytes).to_string();
        assert!(
            newer.ends_with("use a newer version of bagheera"),
            "{newer}"
        );
    }

    #[test]
    fn rejects_foreign_files() {
        for bytes in [&b""[..], b"PK", b"#!/bin/sh\n echo a script"] {
            assert!(matches!(error(bytes), FileError::Foreign { .. }));
        }
    }

    #[test]
    fn reads_no_more_than_the_limit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("huge");
        File::create(&path).unwrap().set_len(1 << 40).unwrap();
        let error = read_limited(&FORMAT, &path, 100).unwrap_err().to_string();
        assert!(error.contains("longer than 100 bytes"), "{error}");
        File::create(&path).unwrap().set_len(100).unwrap();
        assert_eq!(read_limited(&FORMAT, &path, 100).unwrap().len(), 100);
    }

    proptest! {
        #[test]
        fn returns_the_sealed_parts(parts: [Vec<u8>; 3]) {
            let parts = parts.each_ref().map(Vec::as_slice);
            let bytes = seal(&FORMAT, parts);
            prop_assert_eq!(unseal(&FORMAT, &bytes, Path::new("some.file")).unwrap(), parts);
        }

        #[test]
        fn rejects_a_truncated_file(cut in any::<prop::sample::Index>()) {
            let bytes = seal(&FORMAT, [b"one", b"two"]);
            let error = error(&bytes[..1 + cut.index(bytes.len() - 1)]);
            let is_damaged = matches!(error, FileError::Damaged { .. });
            prop_assert!(is_damaged, "{}", error);
        }

        #[test]
        fn detects_any_flipped_bit(at in any::<prop::sample::Index>(), bit in 0u8..8) {
            let mut bytes = seal(&FORMAT, [b"one", b"two"]);
            let at = at.index(bytes.len());
            bytes[at] ^= 1u8 << bit;
            let error = error(&bytes);
            let expected = match at {
                0..8 => "is not a test file",
                8..12 => "format version",
                12..24 => "the checksum of its header",
                _ => "the checksum of its content",
            };
            prop_assert!(error.to_string().contains(expected), "byte {}: {}", at, error);
        }

        #[test]
        fn rejects_arbitrary_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let unsealed = unseal::<2>(&FORMAT, &bytes, Path::new("some.file"));
            prop_assert!(unsealed.is_err());
            let marked: Vec<u8> = FORMAT.magic.into_iter().chain([3, 0, 0, 0]).chain(bytes).collect();
            let unsealed = unseal::<2>(&FORMAT, &marked, Path::new("some.file"));
            prop_assert!(unsealed.is_err());
        }
    }
}
