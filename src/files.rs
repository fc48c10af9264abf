//! Atomic files: complete or absent, however the program ends.
//!
//! The bytes are written to a temporary name in the same folder, flushed and synced, and the file is
//! then renamed. Leftovers of a killed program are recognized by their name.

mod error;
mod format;
pub mod sealed;

use std::fs::{self, File};
use std::io::{self, BufWriter, Read as _, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile, TempDir};

pub use error::FileError;
pub use format::{FileFormat, PREAMBLE_BYTES};

/// The prefix of the names of unfinished files.
pub const TEMPORARY_PREFIX: &str = ".tmp-";

/// What happens to an existing file of the same name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing {
    /// It is kept; writing the new one is an error.
    Keep,
    /// The new one replaces it.
    Replace,
}

/// A file that is being written; it is removed if dropped before [`AtomicFile::commit`].
#[derive(Debug)]
pub struct AtomicFile {
    path: PathBuf,
    existing: Existing,
    writer: BufWriter<NamedTempFile>,
}

impl AtomicFile {
    /// Creates a temporary file for `path`.
    ///
    /// # Errors
    /// If the folder does not exist or is not writable, or if the file exists and is to be kept.
    pub fn create(path: &Path, existing: Existing) -> io::Result<Self> {
        if existing == Existing::Keep && path.try_exists()? {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        let mut builder = Builder::new();
        builder.prefix(TEMPORARY_PREFIX);
        // Temporary files are private to their owner by default; these become ordinary files.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        Ok(Self {
            path: path.to_owned(),
            existing,
            writer: BufWriter::new(builder.tempfile_in(folder_of(path))?),
        })
    }

    /// Flushes, syncs and renames the temporary file into place.
    ///
    /// # Errors
    /// If writing fails, or if a file that is to be kept has appeared in the meantime.
    pub fn commit(self) -> io::Result<()> {
        let file = self
            .writer
            .into_inner()
            .map_err(io::IntoInnerError::into_error)?;
        file.as_file().sync_all()?;
        match self.existing {
            Existing::Keep => file.persist_noclobber(&self.path)?,
            Existing::Replace => file.persist(&self.path)?,
        };
        sync_folder(folder_of(&self.path))
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

/// Writes a file atomically, replacing an existing one.
///
/// # Errors
/// Those of `write` and of the file system; an existing file is then unchanged.
pub fn write_atomically(
    path: &Path,
    write: impl FnOnce(&mut AtomicFile) -> io::Result<()>,
) -> io::Result<()> {
    let mut file = AtomicFile::create(path, Existing::Replace)?;
    write(&mut file)?;
    file.commit()
}

/// Number of bytes that [`beginning`] reads, enough to recognize every kind of file.
const BEGINNING: u64 = 64;

/// Reads the first bytes of a file, to recognize its kind.
///
/// # Errors
/// If it cannot be read.
pub fn beginning(path: &Path) -> io::Result<Vec<u8>> {
    let mut start = Vec::new();
    File::open(path)?.take(BEGINNING).read_to_end(&mut start)?;
    Ok(start)
}

/// Reads a file of at most `most` bytes; never reads more than one byte beyond.
///
/// # Errors
/// If it cannot be read, or is longer.
pub fn read_at_most(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let file = File::open(path)?;
    file.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        let reason = format!("it is longer than {most} bytes");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, reason));
    }
    Ok(bytes)
}

/// Reads a text file of at most `most` bytes.
///
/// # Errors
/// If it cannot be read, is longer, or is not UTF-8.
pub fn read_text_at_most(path: &Path, most: u64) -> io::Result<String> {
    let text = String::from_utf8(read_at_most(path, most)?);
    text.map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is not UTF-8 text"))
}

/// A folder that is being filled; it is removed if dropped before [`AtomicFolder::commit`].
#[derive(Debug)]
pub struct AtomicFolder {
    path: PathBuf,
    temporary: TempDir,
}

impl AtomicFolder {
    /// Creates a temporary folder for `path`.
    ///
    /// # Errors
    /// If `path` exists and is not an empty folder, or its parent is not writable.
    pub fn create(path: &Path) -> io::Result<Self> {
        match fs::read_dir(path).map(Iterator::count) {
            Ok(0) => {}
            Ok(_) => return Err(io::ErrorKind::AlreadyExists.into()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
                return Err(io::ErrorKind::AlreadyExists.into());
            }
            Err(error) => return Err(error),
        }
        let mut builder = Builder::new();
        builder.prefix(TEMPORARY_PREFIX);
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o777));
        Ok(Self {
            path: path.to_owned(),
            temporary: builder.tempdir_in(folder_of(path))?,
        })
    }

    /// The path of the temporary folder.
    #[must_use]
    pub fn place(&self) -> &Path {
        self.temporary.path()
    }

    /// Renames the folder into place.
    ///
    /// # Errors
    /// If something of that name has appeared in the meantime; the folder is then removed.
    pub fn commit(self) -> io::Result<()> {
        match fs::remove_dir(&self.path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        fs::rename(self.temporary.path(), &self.path)?;
        // The folder has moved, so nothing is left to remove.
        let _ = self.temporary.keep();
        sync_folder(folder_of(&self.path))
    }
}

/// Removes the leftovers of killed programs in a folder, and returns their paths in order of name.
///
/// No other process may be writing to the folder.
///
/// # Errors
/// If the folder cannot be read or a file cannot be removed.
pub fn remove_leftovers(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut leftovers = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let unfinished = name
            .as_encoded_bytes()
            .starts_with(TEMPORARY_PREFIX.as_bytes());
        if unfinished && entry.file_type()?.is_file() {
            leftovers.push(entry.path());
        }
    }
    leftovers.sort();
    for path in &leftovers {
        fs::remove_file(path)?;
    }
    Ok(leftovers)
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// A rename is durable once its folder is.
fn sync_folder(folder: &Path) -> io::Result<()> {
    // Elsewhere a folder cannot be opened as a file.
    if cfg!(unix) {
        File::open(folder)?.sync_all()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<_> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_appears_when_it_is_committed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state.json");
        let mut file = AtomicFile::create(&path, Existing::Keep).unwrap();
        file.write_all(b"whole").unwrap();
        assert!(!path.exists());
        file.commit().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"whole");
        assert_eq!(names(folder.path()), ["state.json"]);
    }

    #[test]
    fn a_dropped_file_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let mut file =
            AtomicFile::create(&folder.path().join("state.json"), Existing::Replace).unwrap();
        file.write_all(&[7; 100_000]).unwrap();
        assert!(names(folder.path())[0].starts_with(TEMPORARY_PREFIX));
        drop(file);
        assert!(names(folder.path()).is_empty());
    }

    #[test]
    fn a_failed_write_leaves_the_earlier_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state.json");
        write_atomically(&path, |file| file.write_all(b"earlier")).unwrap();
        let failed = write_atomically(&path, |file| {
            file.write_all(b"lat")?;
            Err(io::Error::other("the disk is full"))
        });
        assert_eq!(failed.unwrap_err().to_string(), "the disk is full");
        assert_eq!(fs::read(&path).unwrap(), b"earlier");
        write_atomically(&path, |file| file.write_all(b"later")).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"later");
        assert_eq!(names(folder.path()), ["state.json"]);
    }

    #[test]
    fn a_file_to_be_kept_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("shard");
        let overtaken = AtomicFile::create(&path, Existing::Keep).unwrap();
        fs::write(&path, "first").unwrap();
        for refusal in [
            AtomicFile::create(&path, Existing::Keep).unwrap_err(),
            overtaken.commit().unwrap_err(),
        ] {
            assert_eq!(refusal.kind(), io::ErrorKind::AlreadyExists);
        }
        assert_eq!(fs::read(&path).unwrap(), b"first");
        assert_eq!(names(folder.path()), ["shard"]);
    }

    #[test]
    fn a_file_is_read_whole_up_to_its_bound_and_no_further() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("text");
        fs::write(&path, "1234").unwrap();
        assert_eq!(read_text_at_most(&path, 4).unwrap(), "1234");
        let refusal = read_text_at_most(&path, 3).unwrap_err();
        assert_eq!(refusal.to_string(), "it is longer than 3 bytes");
        fs::write(&path, [0xff]).unwrap();
        let refusal = read_text_at_most(&path, 4).unwrap_err();
        assert_eq!(refusal.to_string(), "it is not UTF-8 text");
    }

    #[cfg(unix)]
    #[test]
    fn a_device_without_end_is_not_read_to_its_end() {
        let refusal = read_at_most(Path::new("/dev/zero"), 1 << 16).unwrap_err();
        assert_eq!(refusal.kind(), io::ErrorKind::FileTooLarge);
    }

    #[test]
    fn a_folder_appears_when_it_is_committed_and_takes_no_place() {
        let around = tempfile::tempdir().unwrap();
        let path = around.path().join("made");
        let dropped = AtomicFolder::create(&path).unwrap();
        fs::write(dropped.place().join("a"), "a").unwrap();
        drop(dropped);
        assert!(names(around.path()).is_empty());
        fs::create_dir(&path).unwrap();
        let made = AtomicFolder::create(&path).unwrap();
        let overtaken = AtomicFolder::create(&path).unwrap();
        fs::write(made.place().join("a"), "a").unwrap();
        assert!(names(&path).is_empty());
        made.commit().unwrap();
        assert_eq!(names(&path), ["a"]);
        overtaken.commit().unwrap_err();
        for taken in [path.clone(), path.join("a")] {
            let refusal = AtomicFolder::create(&taken).unwrap_err();
            assert_eq!(refusal.kind(), io::ErrorKind::AlreadyExists);
        }
        assert_eq!(names(around.path()), ["made"]);
        assert_eq!(names(&path), ["a"]);
    }

    #[test]
    fn leftovers_go_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        for name in [".tmp-b", ".tmp-a", "shard", ".hidden"] {
            fs::write(folder.path().join(name), name).unwrap();
        }
        fs::create_dir(folder.path().join(".tmp-folder")).unwrap();
        let removed = remove_leftovers(folder.path()).unwrap();
        assert_eq!(
            removed,
            [".tmp-a", ".tmp-b"].map(|name| folder.path().join(name))
        );
        assert_eq!(names(folder.path()), [".hidden", ".tmp-folder", "shard"]);
    }

    #[cfg(unix)]
    #[test]
    fn others_may_read_what_they_may_usually_read() {
        use std::os::unix::fs::PermissionsExt;

        let folder = tempfile::tempdir().unwrap();
        let (ordinary, atomic) = (folder.path().join("a"), folder.path().join("b"));
        fs::write(&ordinary, "").unwrap();
        write_atomically(&atomic, |_| Ok(())).unwrap();
        let mode = |path| fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(&ordinary), mode(&atomic));
    }
}
