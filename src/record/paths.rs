//! File layout of a run directory. Nothing here touches the disk.

use std::path::{Path, PathBuf};

use crate::network::BEST_NETWORK;
use crate::shard::MANIFEST_FILE;

/// File name of the network that a training returns.
pub const CANDIDATE_FILE: &str = "candidate.net";
/// File name of a training's checkpoint, which exists while the training is unfinished.
pub const CHECKPOINT_FILE: &str = "checkpoint.bin";
/// File name of a training's metrics: JSON lines, each a [`MetricsLine`](super::MetricsLine).
pub const METRICS_FILE: &str = "metrics.jsonl";
/// File name of a ladder's record.
pub const LADDER_FILE: &str = "ladder.json";

/// The paths of a run directory.
#[derive(Clone, Debug)]
pub struct RunPaths {
    root: PathBuf,
}

impl RunPaths {
    /// The paths of the run in the directory `root`.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    /// The directory.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The file that a working process locks.
    #[must_use]
    pub fn lock(&self) -> PathBuf {
        self.root.join("run.lock")
    }

    /// The configuration, with every default written out.
    #[must_use]
    pub fn config(&self) -> PathBuf {
        self.root.join("config.toml")
    }

    /// The state between two generations.
    #[must_use]
    pub fn state(&self) -> PathBuf {
        self.root.join("state.json")
    }

    /// The copy of the best network.
    #[must_use]
    pub fn best(&self) -> PathBuf {
        self.root.join(BEST_NETWORK)
    }

    /// The report as an HTML page.
    #[must_use]
    pub fn report(&self) -> PathBuf {
        self.root.join("report.html")
    }

    /// The folder of the ladder.
    #[must_use]
    pub fn ladder(&self) -> PathBuf {
        self.root.join("ladder")
    }

    /// The record of the ladder.
    #[must_use]
    pub fn ladder_record(&self) -> PathBuf {
        self.ladder().join(LADDER_FILE)
    }

    /// The folder of the generations' folders.
    #[must_use]
    pub fn generations(&self) -> PathBuf {
        self.root.join("generations")
    }

    /// The paths of a generation; generation 0 has the network that the run began with.
    #[must_use]
    pub fn generation(&self, generation: u32) -> GenerationPaths {
        GenerationPaths {
            folder: self.generations().join(format!("{generation:03}")),
        }
    }
}

/// The paths of a generation's folder.
#[derive(Clone, Debug)]
pub struct GenerationPaths {
    folder: PathBuf,
}

impl GenerationPaths {
    /// The folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The record of the generation.
    #[must_use]
    pub fn record(&self) -> PathBuf {
        self.folder.join("record.json")
    }

    /// The times of its stages.
    #[must_use]
    pub fn times(&self) -> PathBuf {
        self.folder.join("times.json")
    }

    /// The network trained in this generation.
    #[must_use]
    pub fn network(&self) -> PathBuf {
        self.folder.join(CANDIDATE_FILE)
    }

    /// The record of its training, which is written after the network.
    #[must_use]
    pub fn training_record(&self) -> PathBuf {
        self.folder.join("training.json")
    }

    /// The checkpoint of its training.
    #[must_use]
    pub fn checkpoint(&self) -> PathBuf {
        self.folder.join(CHECKPOINT_FILE)
    }

    /// The metrics of its training.
    #[must_use]
    pub fn metrics(&self) -> PathBuf {
        self.folder.join(METRICS_FILE)
    }

    /// The folder in which a lost network is trained again.
    #[must_use]
    pub fn retraining(&self) -> PathBuf {
        self.folder.join("again")
    }

    /// The folder of its shards.
    #[must_use]
    pub fn shards(&self) -> PathBuf {
        self.folder.join("shards")
    }

    /// The manifest of its shards.
    #[must_use]
    pub fn manifest(&self) -> PathBuf {
        self.shards().join(MANIFEST_FILE)
    }

    /// The games of a match of its gate.
    #[must_use]
    pub fn games(&self, gate_match: GateMatch) -> PathBuf {
        self.folder.join(format!("{}.games", gate_match.name()))
    }

    /// The score of the run's first network against the hand-written evaluation; in generation 0 only.
    #[must_use]
    pub fn start_score(&self) -> PathBuf {
        self.folder.join("points.json")
    }
}

/// A match of the gate, named after the candidate's opponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GateMatch {
    /// The hand-written evaluation.
    HandWritten,
    /// Random moves.
    Random,
    /// The best network so far.
    Best,
}

impl GateMatch {
    /// All matches, in the order in which they are played.
    pub const ALL: [Self; 3] = [Self::HandWritten, Self::Random, Self::Best];

    /// The name of the match in file names and status.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::HandWritten => "gate-hand-written",
            Self::Random => "gate-random",
            Self::Best => "gate-best",
        }
    }
}
