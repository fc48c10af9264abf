//! Checks the shards of a generation and their manifest.

use std::fs::{self, File};
use std::io::{BufRead as _, BufReader};
use std::path::Path;

use sha2::{Digest as _, Sha256};

use super::{GenerationInspection, Inspector, RESTORE};
use crate::files::FileError;
use crate::kit::Kit;
use crate::pipeline::config::Bootstrap;
use crate::pipeline::start::training_window;
use crate::record::{GenerationRecord, SelfplayRecord};
use crate::selfplay::GameSummary;
use crate::shard::{Manifest, ShardEntry, ShardError, ShardStatistics, verify};

/// Remedy for a shard or its log.
const PLAY_AGAIN: &str =
    "remove the shard and its log, and the run plays its games again when a training needs them";
/// Remedy for a manifest.
const LIST_AGAIN: &str = "remove it, and the run makes it again when a training needs it";

impl Inspector<'_> {
    /// Checks the shards of a generation; `record` is that of the generation, if it is finished.
    pub(super) fn shards<G: Kit>(
        &mut self,
        record: Option<&GenerationRecord>,
        inspection: &mut GenerationInspection,
    ) {
        let paths = self.paths.generation(inspection.generation);
        let (folder, path) = (paths.shards(), paths.manifest());
        if !path.exists() {
            if inspection.finished {
                self.fault(&path, "it is missing", LIST_AGAIN);
            }
            return self.unlisted::<G>(&folder, inspection);
        }
        let manifest = match Manifest::load(&path) {
            Ok(manifest) => manifest,
            Err(error) => {
                self.fault(&path, error, LIST_AGAIN);
                return self.unlisted::<G>(&folder, inspection);
            }
        };
        self.manifest(&path, &manifest, record, inspection.generation);
        let pruned = self.is_pruned(inspection.generation);
        for entry in &manifest.shards {
            let shard = folder.join(&entry.file);
            if !shard.exists() {
                match pruned {
                    true => inspection.pruned += 1,
                    false => self.fault(&shard, "it is missing", PLAY_AGAIN),
                }
                continue;
            }
            let differs =
                |found: &ShardStatistics| manifest.difference(entry, &found.header, &found.summary);
            self.shard::<G>(&shard, differs, inspection);
            self.log(&shard, Some(entry));
        }
    }

    /// Checks the shards of a generation without a manifest.
    fn unlisted<G: Kit>(&mut self, folder: &Path, inspection: &mut GenerationInspection) {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let mut shards: Vec<_> = entries
            .map(|entry| entry.path())
            .filter(|path| path.extension().is_some_and(|extension| extension == "bin"))
            .collect();
        shards.sort();
        let (seed, generation) = (self.config.seed, inspection.generation);
        for shard in shards {
            let differs = |found: &ShardStatistics| {
                let header = &found.header;
                if (header.seed, header.generation) == (seed, generation) {
                    return Ok(());
                }
                Err(format!(
                    "it belongs to generation {} of seed {}",
                    header.generation, header.seed
                ))
            };
            self.shard::<G>(&shard, differs, inspection);
            self.log(&shard, None);
        }
    }

    /// Checks every byte of a shard.
    fn shard<G: Kit>(
        &mut self,
        path: &Path,
        differs: impl Fn(&ShardStatistics) -> Result<(), String>,
        inspection: &mut GenerationInspection,
    ) {
        match verify::<G>(path, self.pool) {
            // A working process has removed it in the meantime.
            Err(ShardError::File(FileError::Io { .. })) if !path.exists() => inspection.pruned += 1,
            Err(error) => self.fault(path, error, PLAY_AGAIN),
            Ok(found) => match differs(&found) {
                Err(reason) => self.fault(path, reason, PLAY_AGAIN),
                Ok(()) => {
                    inspection.shards += 1;
                    inspection.samples += found.summary.samples;
                }
            },
        }
    }

    /// Checks the log of a shard's games.
    fn log(&mut self, shard: &Path, entry: Option<&ShardEntry>) {
        let path = shard.with_extension("games.jsonl");
        let file = match File::open(&path) {
            Ok(file) => file,
            Err(error) => return self.fault(&path, error, PLAY_AGAIN),
        };
        let mut games = 0;
        for (index, line) in BufReader::new(file).lines().enumerate() {
            let read = line
                .map_err(|error| error.to_string())
                .and_then(|line| serde_json::from_str(&line).map_err(|error| error.to_string()));
            match read {
                Ok(GameSummary { .. }) => games += 1,
                Err(reason) => {
                    let reason = format!("line {}: {reason}", index + 1);
                    return self.fault(&path, reason, PLAY_AGAIN);
                }
            }
        }
        if let Some(entry) = entry
            && games != entry.games
        {
            let reason = format!(
                "it lists {games} games, but its shard is for {}",
                entry.games
            );
            self.fault(&path, reason, PLAY_AGAIN);
        }
    }

    /// Compares a manifest with the records and networks of the run.
    fn manifest(
        &mut self,
        path: &Path,
        manifest: &Manifest,
        record: Option<&GenerationRecord>,
        generation: u32,
    ) {
        if (manifest.seed, manifest.generation) != (self.config.seed, generation) {
            let reason = format!(
                "it belongs to generation {} of seed {}",
                manifest.generation, manifest.seed
            );
            self.fault(path, reason, LIST_AGAIN);
        }
        if record.is_some_and(|record| SelfplayRecord::from(manifest) != record.selfplay) {
            let reason = "it lists other games than record.json";
            self.fault(path, reason, LIST_AGAIN);
        }
        let hand_written = generation == 1 && self.config.bootstrap == Bootstrap::HandWritten;
        if let Some((best, digest)) = self.best_so_far()
            && !hand_written
            && manifest.network.as_ref() != Some(&digest)
        {
            let reason =
                format!("its games were not played by the best network then, of generation {best}");
            self.fault(path, reason, LIST_AGAIN);
        }
        if let Some(record) = record
            && let Some(digest) = self.window_digest(generation)
            && digest != record.training.data_digest
        {
            let reason = "its training used other samples than the manifests list";
            let path = self.paths.generation(generation).record();
            self.fault(&path, reason, RESTORE);
        }
    }

    /// Computes the digest of a generation's training samples, if the manifests can be read.
    fn window_digest(&self, generation: u32) -> Option<String> {
        let mut hasher = Sha256::new();
        for generation in training_window(self.config, generation) {
            let path = self.paths.generation(generation).manifest();
            let manifest = Manifest::load(&path).ok()?;
            for shard in &manifest.shards {
                hasher.update(&shard.digest);
            }
        }
        Some(hex::encode(hasher.finalize()))
    }

    /// Returns true if the run has removed the shards of a generation.
    fn is_pruned(&self, generation: u32) -> bool {
        let keep = self.config.operation.keep_shards;
        let kept = keep.max(self.config.training.window);
        keep > 0 && generation.saturating_add(kept) <= self.finished
    }
}
