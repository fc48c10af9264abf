//! Makes mutated files fit their checksums again, so that what lies behind these is reached.
//!
//! Each format is sealed from its description, not by the code that is tested.

use bagheera::games::bagh_chal::endgame::Layer;
use sha2::{Digest, Sha256};

/// How much of a file is repaired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Nothing.
    Nothing,
    /// Checksums and digests.
    Checksums,
    /// These, and lengths and counts that other parts of the file imply.
    Counts,
}

impl Mode {
    /// The mode that a byte stands for.
    pub fn of(byte: u8) -> Self {
        match byte % 4 {
            0 => Self::Nothing,
            1 => Self::Checksums,
            _ => Self::Counts,
        }
    }
}

/// The number at an offset.
fn number(bytes: &[u8], at: usize) -> Option<usize> {
    let field = bytes.get(at..)?.first_chunk::<4>()?;
    Some(u32::from_le_bytes(*field) as usize)
}

/// Writes over what lies at an offset.
fn put(bytes: &mut [u8], at: usize, field: &[u8]) {
    bytes[at..at + field.len()].copy_from_slice(field);
}

/// Writes a CRC32 over what lies at an offset.
fn put_crc(bytes: &mut [u8], at: usize, of: std::ops::Range<usize>) {
    let crc = crc32fast::hash(&bytes[of]);
    put(bytes, at, &crc.to_le_bytes());
}

/// Makes the last bytes the digest of those before them.
fn put_digest(bytes: &mut [u8]) {
    if let Some(end) = bytes.len().checked_sub(32) {
        let digest = Sha256::digest(&bytes[..end]);
        put(bytes, end, &digest);
    }
}

/// Seals a shard, see `docs/shard-format.md`.
pub fn shard(bytes: &mut [u8], mode: Mode) {
    if mode != Mode::Nothing {
        let _ = seal_shard(bytes, mode == Mode::Counts);
    }
}

fn seal_shard(bytes: &mut [u8], counts: bool) -> Option<()> {
    let mut at = 20 + number(bytes, 12)?;
    bytes.get(20..at)?;
    put_crc(bytes, 16, 20..at);
    let (mut blocks, mut samples, mut originals) = (0_u32, 0_u64, 0_u64);
    while bytes.get(at..)?.starts_with(b"BLCK") {
        let end = at + 20 + number(bytes, at + 4)?;
        let payload = bytes.get(at + 20..end)?;
        let mut crc = crc32fast::Hasher::new();
        crc.update(&bytes[at + 4..at + 16]);
        crc.update(payload);
        put(bytes, at + 16, &crc.finalize().to_le_bytes());
        blocks += 1;
        samples += number(bytes, at + 8)? as u64;
        originals += number(bytes, at + 12)? as u64;
        at = end;
    }
    bytes.get(at..at + 64)?;
    if counts {
        put(bytes, at + 4, &blocks.to_le_bytes());
        put(bytes, at + 8, &samples.to_le_bytes());
        put(bytes, at + 16, &originals.to_le_bytes());
    }
    put_digest(&mut bytes[..at + 60]);
    put_crc(&mut bytes[at..], 60, 0..60);
    Some(())
}

/// Seals a network: mark, version, two lengths, their CRC32, description, weights, digest.
pub fn network(bytes: &mut [u8], mode: Mode) {
    if mode == Mode::Nothing || bytes.len() < 24 + 32 {
        return;
    }
    if mode == Mode::Counts {
        let described = number(bytes, 12).unwrap_or(0);
        let rest = bytes.len() - 24 - 32;
        let described = if described > rest { rest } else { described };
        put(bytes, 12, &(described as u32).to_le_bytes());
        put(bytes, 16, &((rest - described) as u32).to_le_bytes());
    }
    put_crc(bytes, 20, 0..20);
    put_digest(bytes);
}

/// Seals an endgame table whose entries fit one block: magic, version, length and CRC32 of the
/// header, the header, entries, their CRC32, their digest, the CRC32 of these two.
pub fn table(bytes: &mut Vec<u8>, layer: Layer, mode: Mode) {
    if mode == Mode::Nothing {
        return;
    }
    let Some(length) = number(bytes, 12) else {
        return;
    };
    let start = 20 + length.min(5000);
    if bytes.len() < start {
        return;
    }
    put_crc(bytes, 16, 20..start);
    if mode == Mode::Counts {
        bytes.resize(start + layer.bytes() + 40, 0);
    }
    let Some(footer) = bytes.len().checked_sub(40).filter(|at| *at >= start) else {
        return;
    };
    put_crc(bytes, footer, start..footer);
    let digest = Sha256::digest(&bytes[start..footer]);
    put(bytes, footer + 4, &digest);
    put_crc(&mut bytes[footer..], 36, 0..36);
}

/// The parts of a checkpoint, as its lengths tell them: state, network, best network, optimizer.
pub fn checkpoint_parts(bytes: &[u8]) -> Option<[Vec<u8>; 4]> {
    let mut at = 32;
    let mut parts = [const { Vec::new() }; 4];
    for (index, part) in parts.iter_mut().enumerate() {
        let end = at + number(bytes, 12 + 4 * index)?;
        *part = bytes.get(at..end)?.to_vec();
        at = end;
    }
    Some(parts)
}

/// A checkpoint of four parts: magic, version, four lengths, their CRC32, the parts, digest.
pub fn checkpoint(parts: &[Vec<u8>; 4]) -> Vec<u8> {
    let mut bytes = b"BagheerC".to_vec();
    bytes.extend(2_u32.to_le_bytes());
    for part in parts {
        bytes.extend((part.len() as u32).to_le_bytes());
    }
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    bytes.extend(parts.concat());
    bytes.extend([0; 32]);
    put_digest(&mut bytes);
    bytes
}

/// Computes the checksums of a checkpoint again.
pub fn checkpoint_checksums(bytes: &mut [u8]) {
    if bytes.len() >= 32 + 32 {
        put_crc(bytes, 28, 0..28);
        put_digest(bytes);
    }
}
