//! The directory of a run: locked and cleaned when it is opened.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::Path;

use super::config::Config;
use super::error::RunError;
use crate::files::{FileError, remove_leftovers, write_atomically};
use crate::record::{GenerationPaths, RunPaths};

/// The directory of a run, locked against other processes while this value lives.
#[derive(Debug)]
pub struct RunDirectory {
    paths: RunPaths,
    _lock: File,
}

impl RunDirectory {
    /// Opens the directory of a run for a configuration: creates it if necessary, locks it, writes the
    /// configuration and removes temporary files of killed processes.
    ///
    /// # Errors
    /// If it cannot be created or written, another process uses it, or its run was begun with another
    /// value of a key that defines the run.
    pub fn open(root: &Path, config: &Config) -> Result<Self, RunError> {
        fs::create_dir_all(root).map_err(FileError::io("create", root))?;
        let paths = RunPaths::new(root);
        let lock_path = paths.lock();
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
        let path = paths.config();
        if path.exists() {
            let begun = Config::load(&path)?;
            let differences = begun.differences(config);
            if !differences.is_empty() {
                return Err(RunError::OtherRun {
                    directory: root.to_owned(),
                    differences,
                });
            }
        } else if paths.generations().exists() || paths.state().exists() {
            return Err(RunError::Damaged {
                path,
                reason: "it is missing although the run has begun".to_owned(),
                remedy: "restore it from a copy, or start again in another directory",
            });
        }
        save_config(&path, config).map_err(FileError::io("write", &path))?;
        clean(&paths).map_err(FileError::io("read", root))?;
        Ok(Self { paths, _lock: lock })
    }

    /// The paths of the run.
    #[must_use]
    pub fn paths(&self) -> &RunPaths {
        &self.paths
    }

    /// Creates the folder of a generation if necessary and returns its paths.
    ///
    /// # Errors
    /// If it cannot be created.
    pub fn create_generation(&self, generation: u32) -> Result<GenerationPaths, RunError> {
        let paths = self.paths.generation(generation);
        fs::create_dir_all(paths.folder()).map_err(FileError::io("create", paths.folder()))?;
        Ok(paths)
    }
}

fn save_config(path: &Path, config: &Config) -> io::Result<()> {
    let text = toml::to_string(config).map_err(io::Error::other)?;
    write_atomically(path, |file| io::Write::write_all(file, text.as_bytes()))
}

/// Removes temporary files from the directory and the folders of its generations.
fn clean(paths: &RunPaths) -> io::Result<()> {
    remove_leftovers(paths.root())?;
    let generations = match fs::read_dir(paths.generations()) {
        Ok(generations) => generations,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    for generation in generations {
        let folder = generation?.path();
        if folder.is_dir() {
            remove_leftovers(&folder)?;
        }
    }
    Ok(())
}
