//! Files for readers that take a path; `TMPDIR` should name a place in memory.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// A folder that is gone when this is dropped.
pub struct Scratch(TempDir);

impl Scratch {
    /// An empty folder.
    #[expect(clippy::new_without_default, reason = "it makes a folder")]
    pub fn new() -> Self {
        Self(TempDir::new().expect("a folder for scratch files"))
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        self.0.path()
    }

    /// The path of a file of this name.
    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes a file and returns its path.
    pub fn file(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.path(name);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).expect("a folder for scratch files");
        }
        fs::write(&path, bytes).expect("room for scratch files");
        path
    }
}
