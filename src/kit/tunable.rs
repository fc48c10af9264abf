//! Tunable parameters of hand-written evaluations, and files of their weights.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};
use thiserror::Error;

use super::{ExactSource, SearchSetup};
use crate::files::{FileError, read_at_most, write_atomically};
use crate::game::Game;
use crate::search::Player;

/// The largest accepted weights file, in bytes.
const MAX_FILE: u64 = 1 << 20;

/// Makes a player of an evaluation with other weights.
type MakeWeighted<G> = fn(&[f32], &SearchSetup, Option<ExactSource<G>>) -> Box<dyn Player<G>>;

/// The parameters of a hand-written evaluation that is linear in named terms.
#[derive(Clone, Debug)]
pub struct TunableParameters<G: Game> {
    /// The names of the terms.
    pub terms: Vec<String>,
    /// The default weights.
    pub weights: Vec<f32>,
    /// Replaces the content of a list with a position's terms; the score is their weighted sum.
    pub values: fn(&G, &mut Vec<f32>),
    /// Makes a player with other weights, in the order of the terms.
    pub player: MakeWeighted<G>,
}

/// Why a weights file cannot be used.
#[derive(Debug, Error)]
pub enum WeightsError {
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The content is wrong.
    #[error(
        "{path} is not a weights file of \"{evaluation}\": {reason}; bagheera fit --out writes one"
    )]
    Content {
        /// The file.
        path: PathBuf,
        /// The evaluation that needs the weights.
        evaluation: String,
        /// The fault.
        reason: String,
    },
}

/// The content of a weights file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WeightsFile {
    game: String,
    evaluation: String,
    weights: Map<String, Value>,
}

impl<G: Game> TunableParameters<G> {
    /// Reads weights of these terms, and the digest of their file.
    ///
    /// # Errors
    /// If the file cannot be read, or does not contain one finite number for each term of `evaluation`.
    pub fn load(&self, evaluation: &str, path: &Path) -> Result<(Vec<f32>, String), WeightsError> {
        let bytes = read_at_most(path, MAX_FILE).map_err(FileError::io("read", path))?;
        let weights = self.read(evaluation, &bytes);
        let weights = weights.map_err(|reason| WeightsError::Content {
            path: path.to_owned(),
            evaluation: evaluation.to_owned(),
            reason,
        })?;
        Ok((weights, hex::encode(Sha256::digest(&bytes))))
    }

    fn read(&self, evaluation: &str, bytes: &[u8]) -> Result<Vec<f32>, String> {
        let file: WeightsFile = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
        if (file.game.as_str(), file.evaluation.as_str()) != (G::NAME, evaluation) {
            return Err(format!("it is for {} of {}", file.evaluation, file.game));
        }
        let known = |name: &&String| self.terms.contains(*name);
        if let Some(name) = file.weights.keys().find(|name| !known(name)) {
            return Err(format!("there is no term \"{name}\""));
        }
        let weight = |name: &String| {
            let weight = file.weights.get(name).and_then(Value::as_f64);
            let weight = weight.map(|weight| weight as f32);
            let weight = weight.filter(|weight| weight.is_finite());
            weight.ok_or_else(|| format!("the term \"{name}\" has no weight"))
        };
        self.terms.iter().map(weight).collect()
    }

    /// Writes weights of these terms to a file.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn save(&self, evaluation: &str, weights: &[f32], path: &Path) -> Result<(), WeightsError> {
        let named = self.terms.iter().zip(weights);
        let file = WeightsFile {
            game: G::NAME.to_owned(),
            evaluation: evaluation.to_owned(),
            weights: named
                .map(|(name, weight)| (name.clone(), Value::from(*weight)))
                .collect(),
        };
        let write = || {
            let text = serde_json::to_string_pretty(&file)?;
            write_atomically(path, |out| writeln!(out, "{text}"))
        };
        write().map_err(FileError::io("write", path))?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use proptest::prelude::*;

    use super::*;
    use crate::games::bagh_chal::Position;
    use crate::kit::{Kit, PlayerSpec};

    #[test]
    fn weights_come_back_from_their_file() {
        let tunable = Position::tunable("claude").unwrap();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("weights.json");
        let numbers = (0..tunable.terms.len()).map(|term| term as f32 / 3.0);
        let weights: Vec<f32> = numbers.collect();
        tunable.save("claude", &weights, &path).unwrap();
        assert_eq!(tunable.load("claude", &path).unwrap().0, weights);
    }

    proptest! {
        #[test]
        fn any_numbers_are_refused_or_come_back(
            numbers in prop::collection::vec(any::<f64>(), 1..60),
        ) {
            let tunable = Position::tunable("claude").unwrap();
            let named = tunable.terms.iter().zip(numbers.iter().cycle());
            let weights: Map<String, Value> = named
                .map(|(name, number)| (name.clone(), Value::from(*number)))
                .collect();
            let file = WeightsFile {
                game: Position::NAME.to_owned(),
                evaluation: "claude".to_owned(),
                weights,
            };
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("weights.json");
            fs::write(&path, serde_json::to_string(&file).unwrap()).unwrap();
            if let Ok((weights, _)) = tunable.load("claude", &path) {
                prop_assert!(weights.iter().all(|weight| weight.is_finite()));
                tunable.save("claude", &weights, &path).unwrap();
                prop_assert_eq!(tunable.load("claude", &path).unwrap().0, weights);
            }
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_file_without_end_is_refused() {
        let tunable = Position::tunable("claude").unwrap();
        let refusal = tunable.load("claude", Path::new("/dev/zero")).unwrap_err();
        assert!(refusal.to_string().contains("longer than"), "{refusal}");
    }

    #[test]
    fn files_of_other_things_are_refused() {
        let tunable = Position::tunable("claude").unwrap();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("weights.json");
        let refusal = || tunable.load("claude", &path).unwrap_err().to_string();
        assert!(refusal().contains("cannot read"));
        for (text, reason) in [
            ("{}", "missing field"),
            (
                r#"{"game":"chess","evaluation":"claude","weights":{}}"#,
                "chess",
            ),
            (
                r#"{"game":"bagh-chal","evaluation":"claude","weights":{}}"#,
                "has no weight",
            ),
            (
                r#"{"game":"bagh-chal","evaluation":"claude","weights":{"luck":1}}"#,
                "no term \"luck\"",
            ),
        ] {
            fs::write(&path, text).unwrap();
            assert!(refusal().contains(reason), "{}", refusal());
        }
    }

    #[test]
    fn players_with_weights_of_their_own_tell_the_file_apart() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("weights.json");
        let tunable = Position::tunable("claude").unwrap();
        tunable.save("claude", &tunable.weights, &path).unwrap();
        let player_factory = |name: &str| {
            let text = format!("{name}@depth=3,weights={}", path.display());
            text.parse::<PlayerSpec>()
                .unwrap()
                .player_factory::<Position>()
        };
        let weighted = player_factory("claude").unwrap();
        assert!(weighted.digest.is_some());
        let usual = "claude@depth=3"
            .parse::<PlayerSpec>()
            .unwrap()
            .player_factory::<Position>()
            .unwrap();
        for position in Position::bench_positions() {
            let [one, other] = [&weighted, &usual]
                .map(|player_factory| player_factory.player().pick_move(&position, &[]));
            assert_eq!((one.mv, one.score), (other.mv, other.score));
        }
        let fault = player_factory("material").unwrap_err();
        assert!(fault.to_string().contains("no tunable weights"), "{fault}");
        fs::remove_file(&path).unwrap();
        let fault = player_factory("claude").unwrap_err().to_string();
        assert!(fault.contains("weights.json"), "{fault}");
    }
}
