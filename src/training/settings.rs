//! The recipe of a training, as configurations write it.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use thiserror::Error;

use super::Loss;
use crate::settings::{identity, values};

/// The largest `weight_clip`: integers hold the sums of weights of this size over as many inputs as
/// an architecture may have.
const LARGEST_CLIP: f64 = 3.9;

/// The recipe of a training. The default is a sound one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TrainingSettings {
    /// Generations of games to train on, the newest ones: 1 to 1000.
    pub window: u32,
    /// How often each sample of the newest generation is seen in one training: above 0, at most
    /// 1000. Older ones are seen more rarely if `age_decay` is below 1.
    pub replay: f64,
    /// Samples of one step: 1 to 65536.
    pub batch: u32,
    /// The highest learning rate, reached after the warm-up: above 0, at most 1.
    pub learning_rate: f64,
    /// The learning rate of the last step: above 0, at most `learning_rate`.
    pub learning_rate_end: f64,
    /// The share of the steps over which the learning rate rises: 0 to 0.5.
    pub warmup: f64,
    /// What the steps lower.
    pub loss: Loss,
    /// How much the game's outcome counts in the target of the first step, 0 to 1; the rest is
    /// the search's score.
    pub result_weight: f64,
    /// The same for the last step, reached linearly: 0 to 1; as in the first step if absent.
    pub result_weight_end: Option<f64>,
    /// The largest size of a weight or bias: above 0, at most 10⁶. The default is what an integer
    /// network holds.
    pub weight_clip: f64,
    /// The share of each weight, times the learning rate, that a step removes: 0 to 1.
    pub weight_decay: f64,
    /// The chance that a pass uses a sample, for each generation that it is older than the
    /// newest: above 0, at most 1.
    pub age_decay: f64,
    /// The share of games that is never trained on and tells how well networks predict: above 0,
    /// at most 0.5.
    pub validation: f64,
    /// The most positions of those games that are judged at a time: 1 to 16777216.
    pub validation_samples: u32,
    /// Steps between two validations; 0 makes about twenty in a training.
    pub validate_every: u64,
    /// Steps between two checkpoints: 1 or more.
    pub checkpoint_every: u64,
}

impl Default for TrainingSettings {
    fn default() -> Self {
        Self {
            window: 5,
            replay: 2.0,
            batch: 4096,
            learning_rate: 1e-3,
            learning_rate_end: 1e-5,
            warmup: 0.02,
            loss: Loss::CrossEntropy,
            result_weight: 0.5,
            result_weight_end: None,
            weight_clip: 1.98,
            weight_decay: 0.01,
            age_decay: 1.0,
            validation: 0.05,
            validation_samples: 65536,
            validate_every: 0,
            checkpoint_every: 500,
        }
    }
}

/// A training setting that is out of range.
#[derive(Debug, Clone, PartialEq, Error)]
#[error("The training setting {key} is {found}; it should be {range}.")]
pub struct SettingsError {
    /// Its name.
    pub key: &'static str,
    /// Its value.
    pub found: f64,
    /// What it may be, in words.
    pub range: &'static str,
}

impl TrainingSettings {
    /// Checks the range stated on each field.
    ///
    /// # Errors
    /// Names the first setting out of range.
    pub fn check(&self) -> Result<(), SettingsError> {
        let result_weight_end = self.final_result_weight();
        let unit = 0.0..=1.0;
        // Comparisons with NaN fail, so that it is refused everywhere.
        for (key, found, fits, range) in [
            (
                "window",
                self.window.into(),
                (1..=1000).contains(&self.window),
                "from 1 to 1000",
            ),
            (
                "replay",
                self.replay,
                self.replay > 0.0 && self.replay <= 1000.0,
                "above 0 and at most 1000",
            ),
            (
                "batch",
                self.batch.into(),
                (1..=65536).contains(&self.batch),
                "from 1 to 65536",
            ),
            (
                "learning_rate",
                self.learning_rate,
                self.learning_rate > 0.0 && self.learning_rate <= 1.0,
                "above 0 and at most 1",
            ),
            (
                "learning_rate_end",
                self.learning_rate_end,
                self.learning_rate_end > 0.0 && self.learning_rate_end <= self.learning_rate,
                "above 0 and at most learning_rate",
            ),
            (
                "warmup",
                self.warmup,
                (0.0..=0.5).contains(&self.warmup),
                "from 0 to 0.5",
            ),
            (
                "result_weight",
                self.result_weight,
                unit.contains(&self.result_weight),
                "from 0 to 1",
            ),
            (
                "result_weight_end",
                result_weight_end,
                unit.contains(&result_weight_end),
                "from 0 to 1",
            ),
            (
                "weight_clip",
                self.weight_clip,
                self.weight_clip > 0.0 && self.weight_clip <= LARGEST_CLIP,
                "above 0 and at most 3.9, so that integers can hold the network's sums",
            ),
            (
                "weight_decay",
                self.weight_decay,
                unit.contains(&self.weight_decay),
                "from 0 to 1",
            ),
            (
                "age_decay",
                self.age_decay,
                self.age_decay > 0.0 && self.age_decay <= 1.0,
                "above 0 and at most 1",
            ),
            (
                "validation",
                self.validation,
                self.validation > 0.0 && self.validation <= 0.5,
                "above 0 and at most 0.5",
            ),
            (
                "validation_samples",
                self.validation_samples.into(),
                (1..=1 << 24).contains(&self.validation_samples),
                "from 1 to 16777216",
            ),
            (
                "checkpoint_every",
                self.checkpoint_every as f64,
                self.checkpoint_every >= 1,
                "1 or more",
            ),
        ] {
            if !fits {
                return Err(SettingsError { key, found, range });
            }
        }
        Ok(())
    }

    /// How much the game's outcome counts in the last step, and so in validation.
    #[must_use]
    pub fn final_result_weight(&self) -> f64 {
        self.result_weight_end.unwrap_or(self.result_weight)
    }

    /// Returns the settings that define the result, all but `checkpoint_every`, as JSON.
    #[must_use]
    pub fn defining(&self) -> Map<String, Value> {
        let mut values = values(self);
        values.shift_remove("checkpoint_every");
        values
    }

    /// Returns what network files contain of the defining settings (see [`identity`]).
    #[must_use]
    pub fn identity(&self) -> Map<String, Value> {
        let mut values = self.defining();
        identity("training", &mut values, &Self::default().defining());
        values
    }

    /// The names of the defining settings that differ.
    #[must_use]
    pub fn differences(&self, other: &Self) -> Vec<String> {
        let theirs = other.defining();
        self.defining()
            .into_iter()
            .filter(|(key, value)| theirs.get(key) != Some(value))
            .map(|(key, _)| key)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> TrainingSettings {
        toml::from_str(text).unwrap()
    }

    #[test]
    fn nothing_written_means_the_default_which_is_within_range() {
        assert_eq!(parsed(""), TrainingSettings::default());
        TrainingSettings::default().check().unwrap();
    }

    #[test]
    fn settings_survive_the_round_trip() {
        let settings = parsed("loss = \"mse\"\nresult_weight_end = 0.9\nlearning_rate = 3e-4");
        assert_eq!(settings.loss, Loss::Mse);
        assert_eq!(parsed(&toml::to_string(&settings).unwrap()), settings);
        let json = serde_json::to_string(&settings).unwrap();
        assert_eq!(
            serde_json::from_str::<TrainingSettings>(&json).unwrap(),
            settings
        );
    }

    #[test]
    fn unknown_keys_are_refused() {
        assert!(toml::from_str::<TrainingSettings>("batches = 3").is_err());
    }

    #[test]
    fn every_setting_out_of_range_is_named() {
        for (text, key) in [
            ("window = 0", "window"),
            ("replay = 0", "replay"),
            ("replay = nan", "replay"),
            ("batch = 0", "batch"),
            ("batch = 65537", "batch"),
            ("learning_rate = 0.0", "learning_rate"),
            ("learning_rate = inf", "learning_rate"),
            ("learning_rate_end = 0.1", "learning_rate_end"),
            ("learning_rate_end = 0.0", "learning_rate_end"),
            ("warmup = 0.6", "warmup"),
            ("result_weight = -0.1", "result_weight"),
            ("result_weight_end = 1.1", "result_weight_end"),
            ("weight_clip = 0.0", "weight_clip"),
            ("weight_clip = 8.5", "weight_clip"),
            ("weight_decay = -1e-9", "weight_decay"),
            ("age_decay = 0.0", "age_decay"),
            ("validation = 0.0", "validation"),
            ("validation = 0.51", "validation"),
            ("validation_samples = 0", "validation_samples"),
            ("checkpoint_every = 0", "checkpoint_every"),
        ] {
            let text = text.replace("replay = 0", "replay = 0.0");
            let error = parsed(&text).check().unwrap_err();
            assert_eq!(error.key, key, "{text}");
        }
        let message = parsed("batch = 0").check().unwrap_err().to_string();
        assert_eq!(
            message,
            "The training setting batch is 0; it should be from 1 to 65536."
        );
    }

    #[test]
    fn differences_that_change_the_result_are_named() {
        let settings = TrainingSettings::default();
        let other = parsed("batch = 12\nloss = \"mse\"\ncheckpoint_every = 7");
        assert_eq!(settings.differences(&other), ["batch", "loss"]);
        assert!(
            settings
                .differences(&parsed("checkpoint_every = 7"))
                .is_empty()
        );
    }
}
