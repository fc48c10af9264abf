//! The shards of a generation, and the manifest that lists them.

use std::fs::{self, File};
use std::io::{BufRead as _, BufReader};
use std::path::Path;

use sha2::{Digest as _, Sha256};

use super::{GenerationInspection, Inspector, RESTORE};
use crate::files::FileError;
use crate::kit::Kit;
use crate::pipeline::config::Bootstrap;
use crate::record::{GenerationRecord, SelfplayRecord};
use crate::selfplay::{GameSummary, Generation};
use crate::shard::{Manifest, ShardEntry, ShardError, ShardStatistics, verify};

/// What helps against the loss of a shard or of its notes.
const PLAY_AGAIN: &str =
    "remove the shard and its notes, and the run plays its games again when a training needs them";
/// What helps against the loss of a manifest.
const LIST_AGAIN: &str = "remove it, and the run makes it again when a training needs it";

impl Inspector<'_> {
    pub(super) fn shards<G: Kit>(
        &mut self,
        record: Option<&GenerationRecord>,
        inspection: &mut GenerationInspection,
    ) {
        let folder = self.folder(inspection.generation).join("shards");
        let path = Generation::<G>::manifest_path(&folder);
        if !path.exists() {
            if inspection.finished {
                self.fault(&path, "it is gone", LIST_AGAIN);
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
                    false => self.fault(&shard, "it is gone", PLAY_AGAIN),
                }
                continue;
            }
            let differs =
                |found: &ShardStatistics| manifest.difference(entry, &found.header, &found.summary);
            self.shard::<G>(&shard, differs, inspection);
            self.notes(&shard, Some(entry));
        }
    }

    /// Checks the shards of a generation whose manifest is not there, or not yet.
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
                    "it is of generation {} of seed {}",
                    header.generation, header.seed
                ))
            };
            self.shard::<G>(&shard, differs, inspection);
            self.notes(&shard, None);
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
            // Pruned since it was looked for, by a process at work.
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

    /// Checks what is known of the games of a shard beside it.
    fn notes(&mut self, shard: &Path, entry: Option<&ShardEntry>) {
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
                "it tells of {games} games, and its shard is for {}",
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
                "it is of generation {} of seed {}",
                manifest.generation, manifest.seed
            );
            self.fault(path, reason, LIST_AGAIN);
        }
        if record.is_some_and(|record| SelfplayRecord::from(manifest) != record.selfplay) {
            let reason = "it tells of other games than record.json";
            self.fault(path, reason, LIST_AGAIN);
        }
        let hand_written = generation == 1 && self.config.bootstrap == Bootstrap::HandWritten;
        if let Some((best, digest)) = self.best_so_far()
            && !hand_written
            && manifest.network.as_ref() != Some(&digest)
        {
            let reason =
                format!("its games are not by the best network before, that of generation {best}");
            self.fault(path, reason, LIST_AGAIN);
        }
        if let Some(record) = record
            && let Some(digest) = self.window_digest(generation)
            && digest != record.training.data_digest
        {
            let reason =
                "it tells of a training on other samples than those that the manifests list";
            let path = self.folder(generation).join("record.json");
            self.fault(&path, reason, RESTORE);
        }
    }

    /// The digest of the samples that a generation is trained on, if the manifests can be read.
    fn window_digest(&self, generation: u32) -> Option<String> {
        let first = (generation + 1)
            .saturating_sub(self.config.training.window)
            .max(1);
        let mut hasher = Sha256::new();
        for generation in first..=generation {
            let path = self.folder(generation).join("shards/manifest.json");
            let manifest = Manifest::load(&path).ok()?;
            for shard in &manifest.shards {
                hasher.update(&shard.digest);
            }
        }
        Some(hex::encode(hasher.finalize()))
    }

    /// Whether the run has removed the shards of a generation.
    fn is_pruned(&self, generation: u32) -> bool {
        let keep = self.config.operation.keep_shards;
        let kept = keep.max(self.config.training.window);
        keep > 0 && generation.saturating_add(kept) <= self.finished
    }
}
