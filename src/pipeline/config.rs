//! The configuration of a run: one TOML file, every key with a default.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};
use thiserror::Error;

use crate::files::read_text_at_most;
use crate::game::{Game, QUIET_LIMIT, read_rules};
use crate::network::Activation;
use crate::selfplay::{ExactUse, SelfplaySettings, SettingsError};
use crate::settings::{identity, values};
use crate::statistics::{EloModel, Sprt, SprtError};
use crate::training::TrainingSettings;

/// No configuration is longer.
const MAX_FILE: u64 = 1 << 20;

/// Why a configuration is refused.
#[derive(Debug, Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("The config {} cannot be read: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
    /// The file is no configuration.
    #[error("The config {}, {place}: {reason}", path.display())]
    Syntax {
        /// The file.
        path: PathBuf,
        /// Line and column.
        place: String,
        /// What is wrong there.
        reason: String,
    },
    /// A value is out of its range.
    #[error("The config {}: {reason}", path.display())]
    Value {
        /// The file.
        path: PathBuf,
        /// The key, its value and what is allowed.
        reason: String,
    },
}

/// Who plays the games of the first generation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Bootstrap {
    /// A network with random weights: nothing human is in the run.
    #[default]
    Random,
    /// The hand-written evaluation.
    HandWritten,
}

/// Which network a generation's training goes on from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ContinueFrom {
    /// The last candidate, promoted or not.
    #[default]
    Candidate,
    /// The best network.
    Best,
}

/// The shape of the network.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct NetworkSettings {
    /// Name of the feature set; empty for the game's usual one.
    pub features: String,
    /// Sizes of the hidden layers, one to three of them.
    pub hidden: Vec<usize>,
    /// What hidden units make of their sums.
    pub activation: Activation,
}

impl Default for NetworkSettings {
    fn default() -> Self {
        Self {
            features: String::new(),
            hidden: vec![64, 16],
            activation: Activation::ScRelu,
        }
    }
}

/// How candidates are judged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct GateSettings {
    /// Nodes of each search, for all players.
    pub nodes: u64,
    /// The opening book.
    pub book: String,
    /// Pairs against the hand-written evaluation.
    pub pairs: u32,
    /// Pairs against random moves.
    pub random_pairs: u32,
    /// Points of the best network against the hand-written evaluation, 0 to 1, from which on
    /// candidates have to beat the best network too.
    pub saturation: f64,
    /// The hypotheses of the test against the best network, in normalised Elo.
    pub bounds: [f64; 2],
    /// Chance of promoting a candidate that is no better than the lower bound.
    pub alpha: f64,
    /// Chance of refusing one that is as good as the upper bound.
    pub beta: f64,
    /// The most pairs of that test; then the sign of the likelihood ratio decides.
    pub max_pairs: u32,
}

impl Default for GateSettings {
    fn default() -> Self {
        Self {
            nodes: 2000,
            book: "gate".to_owned(),
            pairs: 100,
            random_pairs: 20,
            saturation: 0.6,
            bounds: [0.0, 30.0],
            alpha: 0.05,
            beta: 0.05,
            max_pairs: 400,
        }
    }
}

impl GateSettings {
    /// The test against the best network.
    ///
    /// # Errors
    /// If the bounds or error rates make no test.
    pub fn sprt(&self) -> Result<Sprt, SprtError> {
        Sprt::new(EloModel::Normalised, self.bounds, self.alpha, self.beta)
    }
}

/// How the best network is examined against exact values, where there are endgame tables.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ExamSettings {
    /// Positions of each set; searches are as long as the gate's.
    pub positions: u32,
}

impl Default for ExamSettings {
    fn default() -> Self {
        Self { positions: 1000 }
    }
}

/// What only operates a run and may change whenever it is continued.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct OperationSettings {
    /// Generations after which the run ends.
    pub generations: u32,
    /// Rejected candidates in a row after which the run ends; 0 for never.
    pub patience: u32,
    /// Minutes after which no further generation begins; 0 for no limit.
    pub budget_minutes: u32,
    /// Generations whose shards stay when they are finished, never fewer than training looks back on; 0
    /// for all.
    pub keep_shards: u32,
    /// Threads; 0 means one a core. Results do not depend on it.
    pub threads: usize,
    /// The folder of the endgame tables, or `default` for the game's own in the user's data
    /// directory; empty for none. The folder may change, the tables may not, nor may layers be
    /// added: what they know is part of the run.
    pub tables: String,
    /// Where training computes: `cpu`, and `gpu` or `cuda` where built in.
    pub device: String,
}

impl Default for OperationSettings {
    fn default() -> Self {
        Self {
            generations: 10,
            patience: 0,
            budget_minutes: 0,
            keep_shards: 0,
            threads: 0,
            tables: String::new(),
            device: "cpu".to_owned(),
        }
    }
}

/// The configuration of a run.
///
/// Everything but [`Config::operation`] and how often training writes a checkpoint defines the run:
/// it may not change once the run has begun.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    /// The game; empty for the usual one.
    pub game: String,
    /// What all choices of the run follow from.
    pub seed: u64,
    /// Plies without an irreversible move that draw a game, in self-play and matches alike.
    pub quiet_limit: u32,
    /// Who plays the games of the first generation.
    pub bootstrap: Bootstrap,
    /// A network file to start from instead of random weights; empty for none.
    pub start_from: String,
    /// Which network each training goes on from.
    pub continue_from: ContinueFrom,
    /// What the game leaves to be agreed; as usual where nothing is said.
    #[serde(skip_serializing_if = "toml::Table::is_empty")]
    pub rules: toml::Table,
    /// How games are played.
    pub selfplay: SelfplaySettings,
    /// The shape of the network.
    pub network: NetworkSettings,
    /// How networks are trained.
    pub training: TrainingSettings,
    /// How candidates are judged.
    pub gate: GateSettings,
    /// How the best network is examined.
    pub exam: ExamSettings,
    /// What only operates the run.
    pub operation: OperationSettings,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            game: String::new(),
            seed: 1,
            quiet_limit: QUIET_LIMIT,
            bootstrap: Bootstrap::default(),
            start_from: String::new(),
            continue_from: ContinueFrom::default(),
            rules: toml::Table::new(),
            selfplay: SelfplaySettings::default(),
            network: NetworkSettings::default(),
            training: TrainingSettings::default(),
            gate: GateSettings::default(),
            exam: ExamSettings::default(),
            operation: OperationSettings::default(),
        }
    }
}

impl Config {
    /// Reads a configuration; keys that are not given have their defaults.
    ///
    /// # Errors
    /// Names the place of the first key that is unknown or of the wrong type.
    pub fn load(path: &Path) -> Result<Self, ConfigError> {
        let text = read_text_at_most(path, MAX_FILE).map_err(|source| ConfigError::Io {
            path: path.to_owned(),
            source,
        })?;
        toml::from_str(&text).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start);
            let before = text.get(..at).unwrap_or_default();
            let line = before.matches('\n').count() + 1;
            let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
            ConfigError::Syntax {
                path: path.to_owned(),
                place: format!("line {line}, column {column}"),
                reason: error.message().to_owned(),
            }
        })
    }

    /// Checks that every value is in its range.
    ///
    /// # Errors
    /// Names the first key that is not; `path` is the file that it came from.
    pub fn check(&self, path: &Path) -> Result<(), ConfigError> {
        let value = |reason: String| ConfigError::Value {
            path: path.to_owned(),
            reason,
        };
        self.check_ranges()
            .map_err(|error| value(error.to_string()))?;
        self.training
            .check()
            .map_err(|error| value(error.to_string()))?;
        self.gate
            .sprt()
            .map_err(|error| value(format!("gate: {error}")))?;
        Ok(())
    }

    /// The rules of its game; `path` is the file that it came from.
    ///
    /// # Errors
    /// If the game does not have them.
    pub fn rules<G: Game>(&self, path: &Path) -> Result<G::Rules, ConfigError> {
        read_rules::<G>(&self.rules).map_err(|reason| ConfigError::Value {
            path: path.to_owned(),
            reason: format!("rules: {reason}"),
        })
    }

    fn check_ranges(&self) -> Result<(), SettingsError> {
        self.selfplay.check()?;
        let unless = SettingsError::unless;
        let gate = &self.gate;
        unless(
            self.quiet_limit >= 4,
            "quiet_limit",
            &self.quiet_limit,
            "at least 4",
        )?;
        unless(gate.nodes >= 1, "gate.nodes", &gate.nodes, "at least 1")?;
        unless(gate.pairs >= 2, "gate.pairs", &gate.pairs, "at least 2")?;
        let random = gate.random_pairs;
        unless(random >= 1, "gate.random_pairs", &random, "at least 1")?;
        unless(
            gate.max_pairs >= 1,
            "gate.max_pairs",
            &gate.max_pairs,
            "at least 1",
        )?;
        let share = (0.0..=1.0).contains(&gate.saturation);
        unless(share, "gate.saturation", &gate.saturation, "from 0 to 1")?;
        unless(
            self.selfplay.exact == ExactUse::Off || !self.operation.tables.is_empty(),
            "selfplay.exact",
            &self.selfplay.exact,
            "it needs the folder of endgame tables in operation.tables",
        )?;
        let positions = self.exam.positions;
        unless(positions >= 1, "exam.positions", &positions, "at least 1")?;
        let generations = self.operation.generations;
        unless(
            generations >= 1,
            "operation.generations",
            &generations,
            "at least 1",
        )
    }

    /// SHA-256, in hexadecimal, of the keys that define the run; the same in all versions of the
    /// program (see [`identity`]).
    #[must_use]
    pub fn digest(&self) -> String {
        let mut defining = self.defining();
        identity("", &mut defining, &Self::default().defining());
        hex::encode(Sha256::digest(Value::Object(defining).to_string()))
    }

    /// The values of the keys that define the run.
    fn defining(&self) -> Map<String, Value> {
        let mut values = values(self);
        values.shift_remove("operation");
        values.insert("training".to_owned(), self.training.defining().into());
        values
    }

    /// The keys that define a run and differ, with both values, each as `key: here, there`.
    #[must_use]
    pub fn differences(&self, other: &Self) -> Vec<String> {
        let (mut here, mut there) = (BTreeMap::new(), BTreeMap::new());
        flatten("", &self.defining().into(), &mut here);
        flatten("", &other.defining().into(), &mut there);
        // Not every game leaves rules to be agreed.
        let mut keys: Vec<&String> = here.keys().chain(there.keys()).collect();
        keys.sort_unstable();
        keys.dedup();
        let value = |values: &BTreeMap<String, String>, key| {
            let value = values.get(key).cloned();
            value.unwrap_or_else(|| "absent".to_owned())
        };
        keys.into_iter()
            .filter(|key| here.get(*key) != there.get(*key))
            .map(|key| format!("{key} is {}, not {}", value(&here, key), value(&there, key)))
            .collect()
    }
}

/// Lists the values of a table by their dotted keys.
fn flatten(prefix: &str, value: &Value, list: &mut BTreeMap<String, String>) {
    match value.as_object() {
        None => {
            list.insert(prefix.to_owned(), value.to_string());
        }
        Some(table) => {
            for (key, value) in table {
                let dot = if prefix.is_empty() { "" } else { "." };
                flatten(&format!("{prefix}{dot}{key}"), value, list);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn load(text: &str) -> Result<Config, ConfigError> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("config.toml");
        std::fs::write(&path, text).unwrap();
        let config = Config::load(&path)?;
        config.check(&path)?;
        Ok(config)
    }

    #[test]
    fn an_empty_config_is_the_defaults_and_survives_being_written() {
        let config = load("").unwrap();
        assert_eq!(config, Config::default());
        assert_eq!(load(&toml::to_string(&config).unwrap()).unwrap(), config);
    }

    #[test]
    fn the_documented_config_names_every_default_that_it_departs_from() {
        let text = include_str!("../../configs/bagh-chal.toml");
        load(text).unwrap();
        let shown: toml::Table = toml::from_str(text).unwrap();
        let defaults = toml::Table::try_from(Config::default()).unwrap();
        let value = |table: &toml::Table, section: &str, key: &str| match section {
            "" => table.get(key).cloned(),
            section => table[section].get(key).cloned(),
        };
        let (mut section, mut comment, mut keys) = ("", String::new(), 0);
        let mut after_key = false;
        for line in text.lines() {
            if let Some(name) = line.strip_prefix('[') {
                section = name.trim_end_matches(']');
            } else if line.starts_with('#') {
                if std::mem::take(&mut after_key) {
                    comment.clear();
                }
                comment.push_str(line);
            } else if let Some((key, _)) = line.split_once(" = ") {
                (after_key, keys) = (true, keys + 1);
                let differs = value(&shown, section, key) != value(&defaults, section, key);
                assert!(
                    !differs || comment.to_lowercase().contains("default"),
                    "{section}.{key}"
                );
            }
        }
        // Of all keys, result_weight_end alone is absent by default.
        let sections = defaults.values().filter_map(toml::Value::as_table);
        let all = sections.map(|table| table.len() - 1).sum::<usize>() + defaults.len();
        assert_eq!(keys, all);
    }

    proptest! {
        #[test]
        fn any_value_of_any_key_is_refused_or_comes_back(
            key in any::<prop::sample::Index>(),
            value in "(-?[0-9]{1,20}|[0-9]{1,3}\\.[0-9]{1,3}|-?nan|inf|1e400|true|\"[a-z/]{0,8}\"|\\[[0-9, ]{0,9}\\])",
        ) {
            let table = toml::Table::try_from(Config::default()).unwrap();
            let keys: Vec<String> = table
                .iter()
                .flat_map(|(section, value)| match value.as_table() {
                    None => vec![section.clone()],
                    Some(table) => table.keys().map(|key| format!("{section}.{key}")).collect(),
                })
                .collect();
            let text = format!("{} = {value}", keys[key.index(keys.len())]);
            if let Ok(config) = load(&text) {
                let again = load(&toml::to_string(&config).unwrap()).unwrap();
                prop_assert_eq!(again.digest(), config.digest());
                prop_assert_eq!(again, config);
            }
        }
    }

    #[test]
    fn faults_name_file_place_and_remedy() {
        for (text, parts) in [
            ("sead = 3", &["config.toml", "line 1", "sead", "seed"][..]),
            ("seed = 1\n[gate]\npears = 3", &["line 3", "pears", "pairs"]),
            (
                "[selfplay]\nrandom_move = 2.0",
                &["selfplay.random_move", "from 0 to 1"],
            ),
            ("[gate]\nbounds = [30.0, 0.0]", &["gate"]),
            ("seed = \"one\"", &["line 1", "column 8", "expected u64"]),
        ] {
            let fault = load(text).unwrap_err().to_string();
            for part in parts {
                assert!(fault.contains(part), "{part}: {fault}");
            }
        }
    }

    #[test]
    fn the_digest_is_that_of_version_0_1() {
        let config = load(include_str!("../../tests/data/run-0.1/whole/config.toml")).unwrap();
        let state = include_str!("../../tests/data/run-0.1/whole/state.json");
        let state: Value = serde_json::from_str(state).unwrap();
        assert_eq!(state["config"], config.digest());
    }

    #[test]
    fn only_defining_keys_make_another_run() {
        let config = Config::default();
        let mut other = config.clone();
        other.operation.threads = 7;
        assert_eq!(config.digest(), other.digest());
        assert!(config.differences(&other).is_empty());
        other.gate.pairs = 7;
        assert_ne!(config.digest(), other.digest());
        assert_eq!(config.differences(&other), ["gate.pairs is 100, not 7"]);
    }
}
