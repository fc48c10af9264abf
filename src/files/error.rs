//! Errors of reading and writing files.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use super::FileFormat;

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
    /// The file does not begin with the magic of its format.
    #[error("{} is not {}; choose another file, or move this one away", path.display(), format.name_with_article())]
    Foreign {
        /// The expected format.
        format: &'static FileFormat,
        /// The file.
        path: PathBuf,
    },
    /// The file has another format version.
    #[error(
        "the {} {} has format version {found}, and this program reads version {}; {}",
        format.name,
        path.display(),
        format.version,
        format.remedy_for_version(*found, path)
    )]
    Version {
        /// Its format.
        format: &'static FileFormat,
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u32,
    },
    /// The file differs from what was written.
    #[error("the {} {} is damaged: {reason}; {}", format.name, path.display(), (format.remedy)(path))]
    Damaged {
        /// Its format.
        format: &'static FileFormat,
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
