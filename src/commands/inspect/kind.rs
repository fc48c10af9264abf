//! Kinds of files, recognized by their first bytes.

use std::path::{Path, PathBuf};

use super::unreadable;
use crate::arena::is_games;
use crate::commands::CommandError;
use crate::files::beginning;
use crate::network::is_network;
use crate::shard::{MANIFEST_FILE, is_collection, is_manifest, is_shard};
use crate::training::is_checkpoint;

/// The kinds of files that `inspect` recognizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Shard,
    Network,
    Manifest,
    Collection,
    Checkpoint,
    Games,
    Run,
}

impl Kind {
    pub fn name(self) -> &'static str {
        match self {
            Self::Shard => "shard",
            Self::Network => "network",
            Self::Manifest => "manifest",
            Self::Collection => "manifest of a collection",
            Self::Checkpoint => "checkpoint",
            Self::Games => "games file",
            Self::Run => "run",
        }
    }

    /// Returns the kind of a file or directory.
    pub fn of(path: &Path) -> Result<Self, CommandError> {
        if path.is_dir() && is_run(path) {
            return Ok(Self::Run);
        }
        let start = beginning(path).map_err(|error| unreadable(path, &error))?;
        let named_games = path
            .extension()
            .is_some_and(|extension| extension == "games");
        let known = [
            (is_shard(&start), Self::Shard),
            (is_network(&start), Self::Network),
            (is_manifest(&start), Self::Manifest),
            (is_collection(&start), Self::Collection),
            (is_checkpoint(&start), Self::Checkpoint),
            (is_games(&start) || named_games, Self::Games),
        ];
        let kind = known.into_iter().find_map(|(is, kind)| is.then_some(kind));
        kind.ok_or_else(|| {
            CommandError::failure(format!(
                "{} is not a file that inspect recognizes: a shard, network, manifest, checkpoint, games \
                 file or run directory",
                path.display()
            ))
        })
    }
}

/// Returns true if a directory contains a run.
fn is_run(directory: &Path) -> bool {
    let files = ["config.toml", "state.json"];
    files.iter().any(|file| directory.join(file).is_file())
}

/// Returns the manifest of a folder of shards, or any other path unchanged.
pub(in crate::commands) fn listed(path: &Path) -> PathBuf {
    let manifest = path.join(MANIFEST_FILE);
    if manifest.is_file() && !is_run(path) {
        manifest
    } else {
        path.to_owned()
    }
}
