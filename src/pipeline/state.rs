//! Where a run stands between two generations.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::error::RunError;
use crate::files::write_atomically;
use crate::statistics::PairScore;

/// The version of the state that this program writes and reads.
const VERSION: u32 = 1;

/// The best network of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Best {
    /// The generation that made it; 0 for the network that the run began with.
    pub generation: u32,
    /// SHA-256 of the network.
    pub digest: String,
}

/// The best result of a promoted network against the hand-written evaluation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HighWater {
    /// The generation whose network it was.
    pub generation: u32,
    /// What it made of each opening of the gate's book, in the book's order.
    pub pairs: Vec<PairScore>,
}

impl HighWater {
    /// Points of a pair on average, 0 to 1.
    #[must_use]
    pub fn score(&self) -> f64 {
        let points: f64 = self.pairs.iter().map(|pair| pair.points()).sum();
        points / self.pairs.len().max(1) as f64
    }
}

/// Where a run stands between two generations.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct State {
    /// The version of the file's format.
    pub format: u32,
    /// SHA-256 of the keys that define the run.
    pub config: String,
    /// The digest of the endgame tables that the run uses, if it uses any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tables: Option<String>,
    /// Generations that are finished.
    pub finished: u32,
    /// The best network.
    pub best: Best,
    /// The best result against the hand-written evaluation.
    pub high_water: HighWater,
    /// Candidates rejected since the last promotion.
    pub rejected_in_a_row: u32,
}

impl State {
    /// The state of a run that begins with the network of a digest, and with tables of another.
    #[must_use]
    pub fn new(
        config: String,
        tables: Option<String>,
        digest: String,
        pairs: Vec<PairScore>,
    ) -> Self {
        Self {
            format: VERSION,
            config,
            tables,
            finished: 0,
            best: Best {
                generation: 0,
                digest,
            },
            high_water: HighWater {
                generation: 0,
                pairs,
            },
            rejected_in_a_row: 0,
        }
    }

    /// Counts a generation, whose network has the digest if it was promoted; `pairs` is what that
    /// made of each opening against the hand-written evaluation.
    pub(super) fn conclude(
        &mut self,
        generation: u32,
        promoted: Option<String>,
        pairs: Vec<PairScore>,
    ) {
        self.finished = generation;
        let Some(digest) = promoted else {
            self.rejected_in_a_row += 1;
            return;
        };
        self.rejected_in_a_row = 0;
        self.best = Best { generation, digest };
        let result = HighWater { generation, pairs };
        if result.score() > self.high_water.score() {
            self.high_water = result;
        }
    }

    /// Reads the state; none if there is none yet.
    ///
    /// # Errors
    /// If the file cannot be read or understood.
    pub fn load(path: &Path) -> Result<Option<Self>, RunError> {
        let remedy = "remove it, and the run works it out again from its records";
        let Some(state) = load_json::<Self>(path, remedy)? else {
            return Ok(None);
        };
        if state.format != VERSION {
            return Err(RunError::Damaged {
                path: path.to_owned(),
                reason: format!(
                    "it has format {}, and this program reads {VERSION}",
                    state.format
                ),
                remedy: "go on with the program that wrote it",
            });
        }
        Ok(Some(state))
    }

    /// Writes the state in place of the last one.
    ///
    /// # Errors
    /// If it cannot be written; the last one is then as it was.
    pub fn save(&self, path: &Path) -> Result<(), RunError> {
        save_json(path, self)
    }
}

/// Writes a value as JSON, whole or not at all.
pub(super) fn save_json(path: &Path, value: &impl Serialize) -> Result<(), RunError> {
    write_atomically(path, |file| {
        serde_json::to_writer_pretty(&mut *file, value)?;
        std::io::Write::write_all(file, b"\n")
    })
    .map_err(RunError::io("write", path))
}

/// Reads a value from JSON; none if there is no such file.
pub(super) fn load_json<T: serde::de::DeserializeOwned>(
    path: &Path,
    remedy: &'static str,
) -> Result<Option<T>, RunError> {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(RunError::io("read", path)(error)),
    };
    serde_json::from_str(&text)
        .map(Some)
        .map_err(|error| RunError::Damaged {
            path: path.to_owned(),
            reason: error.to_string(),
            remedy,
        })
}
