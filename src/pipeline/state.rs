//! Where a run stands between two generations.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::error::RunError;
use crate::files::{FileError, read_text_at_most, write_atomically};
use crate::statistics::PairScore;

/// The version of the state that this program writes and reads.
const VERSION: u32 = 1;
/// No run has more generations.
const MOST_GENERATIONS: u32 = 100_000;
/// No file in JSON of a run is longer.
const MAX_FILE: u64 = 64 << 20;

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
        match state.contradiction() {
            None => Ok(Some(state)),
            Some(reason) => Err(RunError::Damaged {
                path: path.to_owned(),
                reason,
                remedy,
            }),
        }
    }

    /// What in the state cannot be, if anything.
    fn contradiction(&self) -> Option<String> {
        let finished = self.finished;
        if finished > MOST_GENERATIONS {
            return Some(format!(
                "{finished} generations are more than {MOST_GENERATIONS}"
            ));
        }
        let counts = [
            ("best.generation", self.best.generation),
            ("high_water.generation", self.high_water.generation),
            ("rejected_in_a_row", self.rejected_in_a_row),
        ];
        let beyond = counts.into_iter().find(|(_, count)| *count > finished);
        beyond.map(|(key, count)| {
            format!("{key} is {count}, and {finished} generations are finished")
        })
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
    .map_err(FileError::io("write", path))?;
    Ok(())
}

/// Reads a value from JSON; none if there is no such file.
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

    fn state() -> State {
        let pairs = vec![PairScore::Level, PairScore::WinDraw];
        let digest = |c: &str| c.repeat(64);
        State {
            finished: 3,
            rejected_in_a_row: 2,
            best: Best {
                generation: 1,
                digest: digest("b"),
            },
            ..State::new(digest("a"), None, digest("0"), pairs)
        }
    }

    fn load(text: &str) -> Result<Option<State>, RunError> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state.json");
        std::fs::write(&path, text).unwrap();
        State::load(&path)
    }

    #[test]
    fn a_state_that_cannot_be_is_refused() {
        for (key, value, reason) in [
            ("/finished", u32::MAX, "4294967295 generations"),
            ("/finished", 0, "best.generation is 1, and 0"),
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
        fn a_state_with_any_numbers_is_refused_or_comes_back(
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
