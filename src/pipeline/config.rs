//! The configuration of a run: a TOML file in which every key has a default.

mod sections;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};
use sha2::{Digest, Sha256};
use thiserror::Error;

use crate::files::{FileError, read_text_at_most};
use crate::game::{Game, QUIET_LIMIT, read_rules};
use crate::selfplay::{ExactUse, SelfplaySettings};
use crate::settings::{Section as _, SettingsError, identity, settings};
use crate::training::TrainingSettings;

pub use sections::{
    Bootstrap, ContinueFrom, ExamSettings, GateSettings, NetworkSettings, OperationSettings,
};

/// Maximum length of a configuration in bytes.
const MAX_FILE: u64 = 1 << 20;

/// Why a configuration is not valid.
#[derive(Debug, Error)]
pub enum ConfigError {
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The file is not TOML, or has an unknown key or a value of the wrong type.
    #[error("the config {}, {place}: {reason}", path.display())]
    Syntax {
        /// The file.
        path: PathBuf,
        /// Line and column.
        place: String,
        /// What is wrong there.
        reason: String,
    },
    /// A value is out of its range.
    #[error("the config {}: {reason}", path.display())]
    Value {
        /// The file.
        path: PathBuf,
        /// The key, its value and the values allowed.
        reason: String,
    },
}

settings! {
    /// The configuration of a run.
    ///
    /// All keys but those of [`Config::operation`] and `training.checkpoint_every` define the run:
    /// they must not change once the run has begun.
    pub struct Config at "" {
        /// The game; empty for the default one.
        game: String = String::new();
        /// Random seed.
        seed: u64 = 1;
        /// No-progress limit: plies without an irreversible move after which a game is drawn, in
        /// self-play and matches.
        quiet_limit: u32 = QUIET_LIMIT, in 4..;
        /// Who plays the games of the first generation: "random" (a network with random weights) or
        /// "hand-written".
        bootstrap: Bootstrap = Bootstrap::default();
        /// Network file to start from instead of random weights; empty for none.
        start_from: String = String::new();
        /// Which network each training starts from: "candidate" (the last one, promoted or not) or
        /// "best".
        continue_from: ContinueFrom = ContinueFrom::default();
        /// Options of the game's rules; the usual ones where absent.
        #[serde(skip_serializing_if = "toml::Table::is_empty")]
        rules: toml::Table = toml::Table::new();
    }
    sections {
        /// How games are played.
        selfplay: SelfplaySettings;
        /// The shape of the network.
        network: NetworkSettings;
        /// How networks are trained.
        training: TrainingSettings;
        /// How candidates are tested.
        gate: GateSettings;
        /// How the best network is tested against tablebases.
        exam: ExamSettings;
        /// What only operates the run.
        operation: OperationSettings;
    }
}

impl Config {
    /// Reads a configuration; missing keys have their defaults.
    ///
    /// # Errors
    /// If the file cannot be read, or a key is unknown or of the wrong type; names its line and column.
    pub fn load(path: &Path) -> Result<Self, ConfigError> {
        let text = read_text_at_most(path, MAX_FILE).map_err(FileError::io("read", path))?;
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

    /// Checks every value.
    ///
    /// # Errors
    /// If a value is out of range; names the first one and `path`, the file of the configuration.
    pub fn check(&self, path: &Path) -> Result<(), ConfigError> {
        let value = |reason: String| ConfigError::Value {
            path: path.to_owned(),
            reason,
        };
        self.check_values()
            .map_err(|error| value(error.to_string()))?;
        self.gate
            .sprt()
            .map_err(|error| value(format!("gate: {error}")))?;
        Ok(())
    }

    /// Returns the rules of the game `G`; `path` is the file of the configuration.
    ///
    /// # Errors
    /// If the game has no such rules.
    pub fn rules<G: Game>(&self, path: &Path) -> Result<G::Rules, ConfigError> {
        read_rules::<G>(&self.rules).map_err(|reason| ConfigError::Value {
            path: path.to_owned(),
            reason: format!("rules: {reason}"),
        })
    }

    fn check_values(&self) -> Result<(), SettingsError> {
        self.check_ranges()?;
        self.selfplay.check()?;
        self.training.check()?;
        SettingsError::unless(
            self.selfplay.exact == ExactUse::Off || !self.operation.tables.is_empty(),
            "selfplay.exact",
            "other than \"off\"",
            "it needs the folder of endgame tables in operation.tables",
        )
    }

    /// Returns the SHA-256, in hexadecimal, of the keys that define the run; the same in all versions
    /// of the program (see [`identity`]).
    #[must_use]
    pub fn digest(&self) -> String {
        let mut defining = self.defining();
        identity("", &mut defining, &Self::default().defining());
        hex::encode(Sha256::digest(Value::Object(defining).to_string()))
    }

    /// Returns the values of the keys that define the run.
    fn defining(&self) -> Map<String, Value> {
        let mut values = self.values();
        values.shift_remove("operation");
        values.insert("training".to_owned(), self.training.defining().into());
        values
    }

    /// Compares the keys that define a run and returns those that differ, each as `KEY is HERE, not
    /// THERE`.
    #[must_use]
    pub fn differences(&self, other: &Self) -> Vec<String> {
        let (mut here, mut there) = (BTreeMap::new(), BTreeMap::new());
        flatten("", &self.defining().into(), &mut here);
        flatten("", &other.defining().into(), &mut there);
        // Not every game has options of its rules.
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

/// Lists the values of a table by their dotted paths.
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
        // Two keys are absent by default, and Bagh-Chal has no [rules].
        assert_eq!(keys, Config::keys().len() - 3);
    }

    #[test]
    fn the_table_of_keys_has_their_paths_defaults_ranges_and_help() {
        let keys = Config::keys();
        let mut defaults = BTreeMap::new();
        let values = Value::Object(Config::default().values());
        flatten("", &values, &mut defaults);
        for absent in ["rules", "network.views"] {
            defaults.insert(absent.to_owned(), "null".to_owned());
        }
        let listed = keys
            .iter()
            .map(|key| (key.path.clone(), key.default.to_string()));
        assert_eq!(listed.collect::<BTreeMap<_, _>>(), defaults);
        let clip = keys.iter().find(|key| key.path == "training.weight_clip");
        let clip = clip.unwrap();
        assert_eq!(clip.range.unwrap().to_string(), "above 0, at most 3.9");
        assert!(clip.help.starts_with("Largest absolute value of a weight"));
        assert!(keys.iter().all(|key| !key.help.is_empty()));
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
                &["selfplay.random_move = 2", "0 to 1"],
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
