//! Removes shards that no later training needs.

use std::fs;

use crate::files::FileError;
use crate::pipeline::error::RunError;
use crate::record::RunPaths;

/// Removes the shards of all but the newest `keep` of the `finished` generations, with their logs; the
/// manifests stay.
pub(super) fn prune(paths: &RunPaths, finished: u32, keep: u32) -> Result<(), RunError> {
    for generation in 1..=finished.saturating_sub(keep) {
        let folder = paths.generation(generation).shards();
        let entries = match fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => continue,
            Err(error) => return Err(FileError::io("read", &folder)(error).into()),
        };
        for entry in entries {
            let path = entry.map_err(FileError::io("read", &folder))?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if name.starts_with("shard-") {
                fs::remove_file(&path).map_err(FileError::io("remove", &path))?;
            }
        }
    }
    Ok(())
}
