//! The state of a run between two generations, and JSON files.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::error::RunError;
use crate::files::{FileError, read_text_at_most, write_atomically};
use crate::statistics::PairScore;

/// The version of the state file that this program writes and reads.
const VERSION: u32 = 1;
/// Maximum number of generations of a run.
const MAX_GENERATIONS: u32 = 100_000;
/// Maximum size of a run's JSON file in bytes.
const MAX_FILE: u64 = 64 << 20;

/// The best network of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BestNetwork {
    /// The generation that trained it; 0 for the network that the run began with.
    pub generation: u32,
    /// SHA-256 of the network.
    pub digest: String,
}

/// The best result of a promoted network against the hand-written evaluation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HighWater {
    /// The generation of the network.
    pub generation: u32,
    /// Its score of each pair, in the order of the gate's book.
    pub pairs: Vec<PairScore>,
}

impl HighWater {
    /// Returns the mean points of a pair, 0 to 1.
    #[must_use]
    pub fn score(&self) -> f64 {
        let points: f64 = self.pairs.iter().map(|pair| pair.points()).sum();
        points / self.pairs.len().max(1) as f64
    }
}

/// The state of a run between two generations.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunState {
    /// Version of the file format.
    pub format: u32,
    /// SHA-256 of the keys that define the run.
    pub config: String,
    /// The digest of the endgame tables that the run uses, if it uses any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tables: Option<String>,
    /// Finished generations.
    pub finished: u32,
    /// The best network.
    pub best: BestNetwork,
    /// The best result against the hand-written evaluation.
    pub high_water: HighWater,
    /// Candidates rejected since the last promotion.
    pub rejected_in_a_row: u32,
}

impl RunState {
    /// Creates the state of a run before its first generation; `digest` and `pairs` belong to its first
    /// network.
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
            best: BestNetwork {
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

    /// Returns the number of the generation after the finished ones.
    #[must_use]
    pub fn next_generation(&self) -> u32 {
        self.finished + 1
    }

    /// Counts a generation. `promoted` is the digest of its network if that was promoted, and `pairs`
    /// its score of each pair against the hand-written evaluation.
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
        self.best = BestNetwork { generation, digest };
        let result = HighWater { generation, pairs };
        if result.score() > self.high_water.score() {
            self.high_water = result;
        }
    }

    /// Reads the state; returns `None` if the file does not exist.
    ///
    /// # Errors
    /// If the file cannot be read or is invalid.
    pub fn load(path: &Path) -> Result<Option<Self>, RunError> {
        let remedy = "remove it, and the run computes it again from its records";
        let Some(state) = load_json::<Self>(path, remedy)? else {
            return Ok(None);
        };
        if state.format != VERSION {
            return Err(RunError::Damaged {
                path: path.to_owned(),
                reason: format!(
                    "it has format {}; this program reads format {VERSION}",
                    state.format
                ),
                remedy: "continue with the program that wrote it",
            });
        }
        match state.contradiction() {
            None => Ok(Some(state)),
            Some(reason) => Err(RunError::Damaged {
                path: path.to_owned(),
                reason,
                remedy,
            }),
        }
    }

    /// Describes the first impossible value, if there is one.
    fn contradiction(&self) -> Option<String> {
        let finished = self.finished;
        if finished > MAX_GENERATIONS {
            return Some(format!(
                "{finished} finished generations exceed the maximum of {MAX_GENERATIONS}"
            ));
        }
        let counts = [
            ("best.generation", self.best.generation),
            ("high_water.generation", self.high_water.generation),
            ("rejected_in_a_row", self.rejected_in_a_row),
        ];
        let beyond = counts.into_iter().find(|(_, count)| *count > finished);
        beyond.map(|(key, count)| {
            format!("{key} is {count}, but {finished} generations are finished")
        })
    }

    /// Replaces the state file.
    ///
    /// # Errors
    /// If it cannot be written; the previous file is then unchanged.
    pub fn save(&self, path: &Path) -> Result<(), RunError> {
        save_json(path, self)
    }
}

/// Writes a value as JSON; the file is replaced as a whole.
pub(super) fn save_json(path: &Path, value: &impl Serialize) -> Result<(), RunError> {
    write_atomically(path, |file| {
        serde_json::to_writer_pretty(&mut *file, value)?;
        std::io::Write::write_all(file, b"\n")
    })
    .map_err(FileError::io("write", path))?;
    Ok(())
}

/// Reads a value from JSON; returns `None` if the file does not exist.
pub(super) fn load_json<T: serde::de::DeserializeOwned>(
    path: &Path,
    remedy: &'static str,
) -> Result<Option<T>, RunError> {
    let text = match read_text_at_most(path, MAX_FILE) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(FileError::io("read", path)(error).into()),
    };
    serde_json::from_str(&text)
        .map(Some)
        .map_err(|error| RunError::Damaged {
            path: path.to_owned(),
            reason: error.to_string(),
            remedy,
        })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;

    fn state() -> RunState {
        let pairs = vec![PairScore::Level, PairScore::WinDraw];
        let digest = |c: &str| c.repeat(64);
        RunState {
            finished: 3,
            rejected_in_a_row: 2,
            best: BestNetwork {
                generation: 1,
                digest: digest("b"),
            },
            ..RunState::new(digest("a"), None, digest("0"), pairs)
        }
    }

    fn load(text: &str) -> Result<Option<RunState>, RunError> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state.json");
        std::fs::write(&path, text).unwrap();
        RunState::load(&path)
    }

    #[test]
    fn an_impossible_state_is_refused() {
        for (key, value, reason) in [
            ("/finished", u32::MAX, "4294967295 finished generations"),
            ("/finished", 0, "best.generation is 1, but 0"),
            ("/best/generation", 4, "best.generation is 4"),
            ("/high_water/generation", 9, "high_water.generation is 9"),
            ("/rejected_in_a_row", u32::MAX, "rejected_in_a_row"),
        ] {
            let mut edited = serde_json::to_value(state()).unwrap();
            *edited.pointer_mut(key).unwrap() = json!(value);
            let error = load(&edited.to_string()).unwrap_err().to_string();
            assert!(error.contains("state.json"), "{error}");
            assert!(error.contains(reason), "{error}");
        }
    }

    proptest! {
        #[test]
        fn a_state_with_arbitrary_numbers_is_refused_or_round_trips(
            numbers in prop::collection::vec(prop_oneof![0_u64..6, any::<u64>()], 5),
            points in prop::collection::vec(prop_oneof![Just(0.25), -1.0..2.0_f64], 0..4),
        ) {
            let mut edited = serde_json::to_value(state()).unwrap();
            let keys = [
                "/format",
                "/finished",
                "/best/generation",
                "/high_water/generation",
                "/rejected_in_a_row",
            ];
            for (key, number) in keys.iter().zip(numbers) {
                *edited.pointer_mut(key).unwrap() = json!(number);
            }
            edited["format"] = VERSION.into();
            edited["high_water"]["pairs"] = Value::from(points);
            if let Ok(state) = load(&edited.to_string()) {
                let state = state.unwrap();
                prop_assert_eq!(serde_json::to_value(&state).unwrap(), edited);
                prop_assert!(state.best.generation <= state.finished);
            }
        }
    }
}
