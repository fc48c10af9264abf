//! The directory of a run: what lies where.

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

use super::config::Config;
use super::error::RunError;
use crate::files::{FileError, remove_leftovers, write_atomically};
use crate::network::BEST_NETWORK;

/// The file that a process at work holds.
pub(super) const LOCK: &str = "run.lock";

/// The folder of the generations' folders.
const GENERATIONS: &str = "generations";

/// Where a generation's folder holds how long its stages took.
pub(super) fn times_path(folder: &Path) -> PathBuf {
    folder.join("times.json")
}

/// The directory of a run, held against other processes while this lives.
#[derive(Debug)]
pub struct RunDirectory {
    root: PathBuf,
    _lock: File,
}

impl RunDirectory {
    /// Opens the directory of a run for a configuration, and makes it if it is new.
    ///
    /// # Errors
    /// If it cannot be made or written, if another process is at work in it, or if the run there
    /// was begun with a configuration that differs in a key that defines it.
    pub fn open(root: &Path, config: &Config) -> Result<Self, RunError> {
        fs::create_dir_all(root).map_err(FileError::io("create", root))?;
        let lock_path = root.join(LOCK);
        let lock = File::create(&lock_path).map_err(FileError::io("create", &lock_path))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(RunError::Busy {
                    directory: root.to_owned(),
                });
            }
            Err(TryLockError::Error(error)) => {
                return Err(FileError::io("lock", lock_path)(error).into());
            }
        }
        let directory = Self {
            root: root.to_owned(),
            _lock: lock,
        };
        let path = Self::config_path(root);
        if path.exists() {
            let begun = Config::load(&path)?;
            let differences = begun.differences(config);
            if !differences.is_empty() {
                return Err(RunError::OtherRun {
                    directory: root.to_owned(),
                    differences,
                });
            }
        } else if root.join(GENERATIONS).exists() || directory.state().exists() {
            return Err(RunError::Damaged {
                path,
                reason: "it is gone, and the run has begun".to_owned(),
                remedy: "restore it from a copy, or begin again in another directory",
            });
        }
        directory.save_config(config)?;
        remove_leftovers(root).map_err(FileError::io("read", root))?;
        Ok(directory)
    }

    /// Where a run's configuration lies, every default written out.
    #[must_use]
    pub fn config_path(root: &Path) -> PathBuf {
        root.join("config.toml")
    }

    /// Where a run's state lies.
    pub(super) fn state_path(root: &Path) -> PathBuf {
        root.join("state.json")
    }

    /// Where the folder of a generation lies.
    pub(super) fn folder(root: &Path, generation: u32) -> PathBuf {
        root.join(GENERATIONS).join(format!("{generation:03}"))
    }

    fn save_config(&self, config: &Config) -> Result<(), RunError> {
        let path = Self::config_path(&self.root);
        let write = || -> std::io::Result<()> {
            let text = toml::to_string(config).map_err(std::io::Error::other)?;
            write_atomically(&path, |file| {
                std::io::Write::write_all(file, text.as_bytes())
            })
        };
        write().map_err(FileError::io("write", &path))?;
        Ok(())
    }

    /// The directory.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Where the state lies.
    #[must_use]
    pub fn state(&self) -> PathBuf {
        Self::state_path(&self.root)
    }

    /// Where the best network lies.
    #[must_use]
    pub fn best(&self) -> PathBuf {
        self.root.join(BEST_NETWORK)
    }

    /// The folder of a generation; made if it is new.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn generation(&self, generation: u32) -> Result<PathBuf, RunError> {
        let path = Self::folder(&self.root, generation);
        fs::create_dir_all(&path).map_err(FileError::io("create", &path))?;
        remove_leftovers(&path).map_err(FileError::io("read", &path))?;
        Ok(path)
    }

    /// The folder of a generation's shards.
    ///
    /// # Errors
    /// If the generation's folder cannot be made.
    pub fn shards(&self, generation: u32) -> Result<PathBuf, RunError> {
        Ok(self.generation(generation)?.join("shards"))
    }

    /// The network that a generation made; that of generation 0 is the one it all began with.
    ///
    /// # Errors
    /// If the generation's folder cannot be made.
    pub fn network(&self, generation: u32) -> Result<PathBuf, RunError> {
        Ok(self.generation(generation)?.join("candidate.net"))
    }
}
