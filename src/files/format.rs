//! Binary file formats: magic, version and header.

use std::io::Read;
use std::path::Path;

use super::FileError;
use super::sealed::le_u32;

/// Bytes before the header: magic, version, length and CRC-32.
pub const PREAMBLE_BYTES: usize = 20;

/// A binary file format, whose files begin with its magic and its version (u32, little-endian).
#[derive(Debug)]
pub struct FileFormat {
    /// What its files are called, such as `network file`.
    pub name: &'static str,
    /// The first bytes of a file of any version.
    pub magic: [u8; 8],
    /// The version that this program writes and reads.
    pub version: u32,
    /// Returns the remedy if the file at a path is damaged or of an older version.
    pub remedy: fn(&Path) -> String,
}

impl FileFormat {
    /// Returns true if a file that begins with `bytes` has this format, in any version.
    pub fn is_start(&self, bytes: &[u8]) -> bool {
        bytes.starts_with(&self.magic)
    }

    /// Returns the start of a file with a header: magic, version, the header's length (u32) and CRC-32, the
    /// header. All integers are little-endian; the header has less than 4 GiB.
    pub fn start_with_header(&self, header: &[u8]) -> Vec<u8> {
        let mut bytes = self.magic.to_vec();
        bytes.extend(self.version.to_le_bytes());
        bytes.extend((header.len() as u32).to_le_bytes());
        bytes.extend(crc32fast::hash(header).to_le_bytes());
        bytes.extend(header);
        bytes
    }

    /// Reads what [`FileFormat::start_with_header`] returned from `file`, whose name is `path`, and returns
    /// the header.
    ///
    /// # Errors
    /// If the file cannot be read, has another format or version, or ends inside the header, or if the
    /// header is damaged or longer than `limit`.
    pub fn read_header(
        &'static self,
        mut file: impl Read,
        path: &Path,
        limit: usize,
    ) -> Result<Vec<u8>, FileError> {
        let mut start = Vec::new();
        let mut read = |bytes: u64, into: &mut Vec<u8>| {
            let read = file.by_ref().take(bytes).read_to_end(into);
            read.map_err(FileError::io("read", path))
        };
        read(PREAMBLE_BYTES as u64, &mut start)?;
        self.check_start(&start, path)?;
        let (Some(length), Some(checksum)) = (start.get(12..16), start.get(16..20)) else {
            return Err(self.damaged(path, "it ends inside its header"));
        };
        let length = le_u32(length) as usize;
        if length > limit {
            let reason =
                format!("the length of its header is {length} bytes; the limit is {limit}");
            return Err(self.damaged(path, reason));
        }
        let mut header = Vec::new();
        read(length as u64, &mut header)?;
        if header.len() < length {
            return Err(self.damaged(path, "it ends inside its header"));
        }
        if crc32fast::hash(&header).to_le_bytes() != *checksum {
            return Err(self.damaged(path, "the checksum of its header does not match"));
        }
        Ok(header)
    }

    /// Checks the magic and the version at the start of the file `path`.
    ///
    /// # Errors
    /// If one of them differs, or if the file ends inside them.
    pub fn check_start(&'static self, bytes: &[u8], path: &Path) -> Result<(), FileError> {
        let length = bytes.len().min(self.magic.len());
        if length == 0 || bytes[..length] != self.magic[..length] {
            return Err(FileError::Foreign {
                format: self,
                path: path.to_owned(),
            });
        }
        let Some(version) = bytes.get(8..12) else {
            return Err(self.damaged(path, "it ends inside its header"));
        };
        let found = le_u32(version);
        if found != self.version {
            return Err(FileError::Version {
                format: self,
                path: path.to_owned(),
                found,
            });
        }
        Ok(())
    }

    /// Returns the error of a damaged file; `reason` says where the damage is.
    pub fn damaged(&'static self, path: &Path, reason: impl Into<String>) -> FileError {
        FileError::Damaged {
            format: self,
            path: path.to_owned(),
            reason: reason.into(),
        }
    }

    /// Returns the name after its indefinite article.
    pub(super) fn name_with_article(&self) -> String {
        let article = if self.name.starts_with(['a', 'e', 'i', 'o', 'u']) {
            "an"
        } else {
            "a"
        };
        format!("{article} {}", self.name)
    }

    /// Returns the remedy for a file of format version `found`. A newer file is never to be removed.
    pub(super) fn remedy_for_version(&self, found: u32, path: &Path) -> String {
        if found > self.version {
            "use a newer version of bagheera".to_owned()
        } else {
            (self.remedy)(path)
        }
    }
}
