//! Errors of reading and writing files.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

/// A kind of file, for error messages.
#[derive(Debug)]
pub struct FileKind {
    /// Its name, such as `network file`.
    pub name: &'static str,
    /// Returns what helps if the file at a path is damaged or of another version.
    pub remedy: fn(&Path) -> String,
}

/// Why a file cannot be read or written.
#[derive(Debug, Error)]
pub enum FileError {
    /// The operating system refused.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// What was attempted, such as `read`.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// A file or folder of that name exists and is not to be replaced.
    #[error("{} already exists; move it away, or choose another name", path.display())]
    Exists {
        /// The file or folder.
        path: PathBuf,
    },
    /// The file does not begin with the magic number of its kind.
    #[error("{} is not a {}", path.display(), kind.name)]
    Foreign {
        /// What it should be.
        kind: &'static FileKind,
        /// The file.
        path: PathBuf,
    },
    /// The file has another format version.
    #[error(
        "the {} {} has format version {found}, and this program reads version {reads}; {}",
        kind.name, path.display(), (kind.remedy)(path)
    )]
    Version {
        /// What it is.
        kind: &'static FileKind,
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u32,
        /// The version that this program reads.
        reads: u32,
    },
    /// The file is not as it was written.
    #[error("the {} {} is damaged: {reason}; {}", kind.name, path.display(), (kind.remedy)(path))]
    Damaged {
        /// What it is.
        kind: &'static FileKind,
        /// The file.
        path: PathBuf,
        /// What is wrong, and where.
        reason: String,
    },
}

impl FileError {
    /// Returns a function that adds the action and path to an error of the system.
    pub fn io(action: &'static str, path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| match source.kind() {
            io::ErrorKind::AlreadyExists => Self::Exists { path },
            _ => Self::Io {
                action,
                path,
                source,
            },
        }
    }
}
