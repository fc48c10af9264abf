//! Random access to the bytes of a shard.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use super::error::ShardError;
use crate::files::FileError;

/// Number of bytes searched at a time.
const WINDOW_BYTES: usize = 1 << 16;

/// A shard file open for reading.
#[derive(Debug)]
pub(super) struct ShardFile {
    file: File,
    path: PathBuf,
    length: u64,
}

impl ShardFile {
    /// Opens a file.
    pub(super) fn open(path: &Path) -> Result<Self, ShardError> {
        let open = || {
            let file = File::open(path)?;
            let length = file.metadata()?.len();
            Ok((file, length))
        };
        let (file, length) = open().map_err(FileError::io("open", path))?;
        Ok(Self {
            file,
            path: path.to_owned(),
            length,
        })
    }

    /// Returns the length of the file in bytes.
    pub(super) fn length(&self) -> u64 {
        self.length
    }

    /// Seeks to `offset` and returns the file.
    pub(super) fn from(&mut self, offset: u64) -> Result<&mut File, ShardError> {
        self.file
            .seek(SeekFrom::Start(offset))
            .map_err(FileError::io("read", &self.path))?;
        Ok(&mut self.file)
    }

    /// Reads up to `length` bytes from `offset`; fewer only at the end of the file. Callers bound
    /// `length`.
    pub(super) fn read_at(&mut self, offset: u64, length: usize) -> Result<Vec<u8>, ShardError> {
        let mut bytes = Vec::new();
        self.read_into(offset, length, &mut bytes)?;
        Ok(bytes)
    }

    /// Reads like [`Self::read_at`], but replaces the content of `bytes`.
    pub(super) fn read_into(
        &mut self,
        offset: u64,
        length: usize,
        bytes: &mut Vec<u8>,
    ) -> Result<(), ShardError> {
        bytes.clear();
        bytes.reserve_exact(length);
        self.from(offset)?
            .take(length as u64)
            .read_to_end(bytes)
            .map_err(FileError::io("read", &self.path))?;
        Ok(())
    }

    /// Returns the offset of the next `marker` at or after `offset`.
    pub(super) fn find(
        &mut self,
        marker: [u8; 4],
        mut offset: u64,
    ) -> Result<Option<u64>, ShardError> {
        loop {
            let window = self.read_at(offset, WINDOW_BYTES)?;
            let mut places = window.windows(marker.len());
            if let Some(place) = places.position(|bytes| bytes == marker) {
                return Ok(Some(offset + place as u64));
            }
            if window.len() < WINDOW_BYTES {
                return Ok(None);
            }
            // The marker may span the end of the window.
            offset += (WINDOW_BYTES - marker.len() + 1) as u64;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_marker_is_found_at_any_offset() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let border = WINDOW_BYTES;
        for place in [
            0,
            1,
            border - 4,
            border - 3,
            border - 1,
            border,
            2 * border - 5,
        ] {
            let mut bytes = vec![b'B'; 2 * border + 7];
            bytes[place..place + 4].copy_from_slice(b"mark");
            std::fs::write(&path, &bytes).unwrap();
            let mut source = ShardFile::open(&path).unwrap();
            assert_eq!(source.find(*b"mark", 0).unwrap(), Some(place as u64));
            assert_eq!(source.find(*b"mark", place as u64 + 1).unwrap(), None);
        }
    }
}
