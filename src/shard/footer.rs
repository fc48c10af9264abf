//! The footer of a shard: totals and a digest of everything before it.

use serde::{Deserialize, Serialize};

use super::codec;

/// Magic of the footer.
pub(super) const FOOTER_MARKER: [u8; 4] = *b"BEND";
/// Size of the footer in bytes.
pub(super) const FOOTER_BYTES: usize = 64;
/// Number of bytes at the end of the file that the digest does not cover: the digest and the
/// checksum.
pub(super) const UNDIGESTED_BYTES: usize = 36;

/// Totals of a shard.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Totals {
    pub(super) blocks: u32,
    pub(super) samples: u64,
    pub(super) originals: u64,
    pub(super) games: u32,
}

impl Totals {
    /// Encodes the start of the footer, which the digest covers.
    pub(super) fn to_bytes(self) -> Result<Vec<u8>, String> {
        let mut bytes = Vec::with_capacity(FOOTER_BYTES);
        let limit = FOOTER_BYTES - UNDIGESTED_BYTES;
        codec::append(&(FOOTER_MARKER, self), limit, &mut bytes)?;
        Ok(bytes)
    }
}

/// The decoded footer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Footer {
    marker: [u8; 4],
    pub(super) totals: Totals,
    pub(super) digest: [u8; 32],
    checksum: u32,
}

impl Footer {
    /// Decodes a footer from all of `bytes`.
    ///
    /// # Errors
    /// Returns the reason if they are not a valid footer.
    pub(super) fn parse(bytes: &[u8]) -> Result<Self, String> {
        if bytes.len() != FOOTER_BYTES {
            return Err(format!(
                "it has {} bytes instead of {FOOTER_BYTES}",
                bytes.len()
            ));
        }
        let footer: Self = codec::read_all(bytes)?;
        if footer.marker != FOOTER_MARKER {
            return Err("the footer's magic is missing".to_owned());
        }
        if crc32fast::hash(&bytes[..FOOTER_BYTES - 4]) != footer.checksum {
            return Err("its checksum does not match".to_owned());
        }
        Ok(footer)
    }

    /// Returns the bytes that follow `start`, the encoded totals.
    pub(super) fn rest(start: &[u8], digest: [u8; 32]) -> Vec<u8> {
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(start);
        hasher.update(&digest);
        let mut rest = digest.to_vec();
        rest.extend(hasher.finalize().to_le_bytes());
        rest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_footer_round_trips_and_every_flipped_bit_is_detected() {
        let totals = Totals {
            blocks: 1,
            samples: 2,
            originals: 3,
            games: 4,
        };
        let mut bytes = totals.to_bytes().unwrap();
        let rest = Footer::rest(&bytes, [5; 32]);
        assert_eq!(rest.len(), UNDIGESTED_BYTES);
        bytes.extend(rest);
        let footer = Footer::parse(&bytes).unwrap();
        assert_eq!((footer.totals, footer.digest), (totals, [5; 32]));
        for bit in 0..8 * FOOTER_BYTES {
            let mut flipped = bytes.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert!(Footer::parse(&flipped).is_err());
        }
        assert!(Footer::parse(&bytes[1..]).is_err());
    }
}
