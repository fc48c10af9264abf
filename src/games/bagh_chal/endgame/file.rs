//! The file of one layer: a header, the entries, checksums of their blocks, and their digest.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use memmap2::Mmap;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::super::position::Position;
use super::error::{FORMAT, TableError};
use super::layer::Layer;
use crate::files::{AtomicFile, Existing, FileError, PREAMBLE_BYTES};
use crate::game::Game;

/// No header is longer.
const MAX_HEADER_BYTES: usize = 4096;
/// Bytes of entries with a checksum of their own.
const BLOCK_BYTES: usize = 1 << 20;
const DIGEST_BYTES: usize = 32;

/// What a table says of itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    /// The game's name.
    game: String,
    /// Which layer it is.
    layer: Layer,
    /// The digest of the table that it was made from, if there is one.
    below: Option<String>,
}

/// An open table, all of whose checksums hold.
#[derive(Debug)]
pub(super) struct TableFile {
    path: PathBuf,
    map: Mmap,
    start: usize,
    bytes: usize,
    below: Option<String>,
    digest: String,
}

impl TableFile {
    /// Opens the table of a layer in a folder and checks every byte of it.
    ///
    /// # Errors
    /// If it is missing, damaged, of another version or another layer.
    pub fn open(folder: &Path, layer: Layer) -> Result<Self, TableError> {
        let path = folder.join(layer.file_name());
        let file = File::open(&path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => TableError::Missing { path: path.clone() },
            _ => FileError::io("read", &path)(error).into(),
        })?;
        // SAFETY: tables are written under a temporary name and renamed, never changed in place,
        // so the mapped bytes stay as they are unless someone else writes over them.
        let map = unsafe { Mmap::map(&file) }.map_err(FileError::io("read", &path))?;
        let damaged = |reason: String| TableError::from(FORMAT.damaged(&path, reason));
        let header = FORMAT.read_header(&map[..], &path, MAX_HEADER_BYTES)?;
        let start = PREAMBLE_BYTES + header.len();
        let header: Header = serde_json::from_slice(&header)
            .map_err(|error| damaged(format!("its header cannot be parsed: {error}")))?;
        if header.game != Position::NAME || header.layer != layer {
            let reason = format!("it is the table of {}, {}", header.game, header.layer);
            return Err(TableError::Other { path, reason });
        }
        let bytes = layer.bytes();
        let expected = start + bytes + footer_bytes(bytes);
        if map.len() != expected {
            let reason = format!("it is {} bytes long and should be {expected}", map.len());
            return Err(damaged(reason));
        }
        let (entries, footer) = map[start..].split_at(bytes);
        let (footer, checksum) = footer.split_at(footer.len() - 4);
        if crc32fast::hash(footer).to_le_bytes() != checksum {
            return Err(damaged(
                "the checksum of its checksums does not match".to_owned(),
            ));
        }
        let (checksums, digest) = footer.split_at(footer.len() - DIGEST_BYTES);
        let wrong = entries
            .par_chunks(BLOCK_BYTES)
            .zip(checksums.par_chunks(4))
            .position_any(|(block, checksum)| crc32fast::hash(block).to_le_bytes() != checksum);
        if let Some(block) = wrong {
            let from = start + block * BLOCK_BYTES;
            let reason = format!("the checksum of the block at byte {from} does not match");
            return Err(damaged(reason));
        }
        let digest = hex::encode(digest);
        Ok(Self {
            path,
            map,
            start,
            bytes,
            below: header.below,
            digest,
        })
    }

    /// The entries.
    #[inline]
    pub fn entries(&self) -> &[u8] {
        &self.map[self.start..self.start + self.bytes]
    }

    /// SHA-256 of the entries, in hexadecimal.
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// Checks that the table was made from that of the layer below.
    pub fn check_below(&self, below: Option<&Self>) -> Result<(), TableError> {
        if self.below.as_deref() == below.map(Self::digest) {
            return Ok(());
        }
        Err(TableError::Other {
            path: self.path.clone(),
            reason: "it was not built from the table below it in this folder".to_owned(),
        })
    }
}

/// Bytes that follow so many bytes of entries.
fn footer_bytes(bytes: usize) -> usize {
    bytes.div_ceil(BLOCK_BYTES) * 4 + DIGEST_BYTES + 4
}

/// A table in the making; entries come in order.
pub(super) struct TableWriter {
    path: PathBuf,
    file: AtomicFile,
    digest: Sha256,
    /// Of the blocks before the last one.
    checksums: Vec<u8>,
    block: crc32fast::Hasher,
    in_block: usize,
    bytes: usize,
}

impl TableWriter {
    /// Begins the table of a layer.
    pub fn create(
        folder: &Path,
        layer: Layer,
        below: Option<&TableFile>,
    ) -> Result<Self, TableError> {
        let path = folder.join(layer.file_name());
        let header = Header {
            game: Position::NAME.to_owned(),
            layer,
            below: below.map(|below| below.digest().to_owned()),
        };
        let begin = || {
            let mut file = AtomicFile::create(&path, Existing::Replace)?;
            let header = serde_json::to_vec(&header)?;
            file.write_all(&FORMAT.start_with_header(&header))?;
            Ok(file)
        };
        let file = begin().map_err(FileError::io("write", &path))?;
        Ok(Self {
            path,
            file,
            digest: Sha256::new(),
            checksums: Vec::new(),
            block: crc32fast::Hasher::new(),
            in_block: 0,
            bytes: layer.bytes(),
        })
    }

    /// Appends entries.
    pub fn push(&mut self, mut entries: &[u8]) -> Result<(), TableError> {
        debug_assert!(entries.len() <= self.bytes);
        self.bytes -= entries.len();
        let written = self.file.write_all(entries);
        written.map_err(FileError::io("write", &self.path))?;
        self.digest.update(entries);
        while !entries.is_empty() {
            let room = (BLOCK_BYTES - self.in_block).min(entries.len());
            let (now, later) = entries.split_at(room);
            self.block.update(now);
            self.in_block += room;
            if self.in_block == BLOCK_BYTES {
                self.end_block();
            }
            entries = later;
        }
        Ok(())
    }

    fn end_block(&mut self) {
        let checksum = std::mem::take(&mut self.block).finalize();
        self.checksums.extend(checksum.to_le_bytes());
        self.in_block = 0;
    }

    /// Makes it the table, once all entries are there.
    pub fn finish(mut self) -> Result<(), TableError> {
        debug_assert_eq!(self.bytes, 0);
        if self.in_block > 0 {
            self.end_block();
        }
        let mut footer = std::mem::take(&mut self.checksums);
        footer.extend_from_slice(&self.digest.finalize());
        let checksum = crc32fast::hash(&footer);
        footer.extend(checksum.to_le_bytes());
        let mut file = self.file;
        let committed = file.write_all(&footer).and_then(|()| file.commit());
        committed.map_err(FileError::io("write", &self.path))?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The smallest layer.
    const LAYER: Layer = Layer::Placing(20);

    /// A whole table in a folder.
    fn table() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let mut writer = TableWriter::create(folder.path(), LAYER, None).unwrap();
        writer.push(&vec![1; LAYER.bytes()]).unwrap();
        writer.finish().unwrap();
        folder
    }

    proptest! {
        #[test]
        fn a_header_of_noise_with_a_right_checksum_is_refused_or_is_the_layer(
            at in any::<prop::sample::Index>(),
            noise in prop::collection::vec(any::<u8>(), 1..30),
        ) {
            let folder = table();
            let path = folder.path().join(LAYER.file_name());
            let mut bytes = std::fs::read(&path).unwrap();
            let length = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
            let at = PREAMBLE_BYTES + at.index(length);
            let end = (at + noise.len()).min(PREAMBLE_BYTES + length);
            bytes.splice(at..end, noise);
            let length = length + bytes.len() - std::fs::metadata(&path).unwrap().len() as usize;
            bytes[12..16].copy_from_slice(&(length as u32).to_le_bytes());
            let header = crc32fast::hash(&bytes[PREAMBLE_BYTES..PREAMBLE_BYTES + length]);
            bytes[16..20].copy_from_slice(&header.to_le_bytes());
            std::fs::write(&path, bytes).unwrap();
            if let Ok(table) = TableFile::open(folder.path(), LAYER) {
                prop_assert_eq!(table.entries().len(), LAYER.bytes());
            }
        }
    }

    #[test]
    fn lengths_beyond_the_file_are_refused() {
        let folder = table();
        let path = folder.path().join(LAYER.file_name());
        TableFile::open(folder.path(), LAYER).unwrap();
        let whole = std::fs::read(&path).unwrap();
        for length in [0, 1, 4097, u32::MAX] {
            let mut bytes = whole.clone();
            bytes[12..16].copy_from_slice(&length.to_le_bytes());
            std::fs::write(&path, bytes).unwrap();
            let error = TableFile::open(folder.path(), LAYER).unwrap_err();
            assert!(error.to_string().contains("is damaged"), "{error}");
        }
    }
}
