//! The recipe of a training, as configurations write it.

use serde_json::{Map, Value};

use super::Loss;
use crate::settings::{Section as _, SettingsError, above_to, identity, path, settings};

settings! {
    /// The recipe of a training.
    pub struct TrainingSettings at "training" {
        /// Replay buffer: the number of generations to train on, the newest ones.
        window: u32 = 5, in 1..=1000;
        /// Epochs: how often each sample of the newest generation is used in one training. Older
        /// ones are used less often if `age_decay` is below 1.
        #[serde(alias = "epochs")]
        replay: f64 = 2.0, in above_to(0.0, 1000.0);
        /// Batch size: the samples of one step.
        batch: u32 = 4096, in 1..=65536;
        /// Highest learning rate, reached after the warm-up.
        learning_rate: f64 = 1e-3, in above_to(0.0, 1.0);
        /// Learning rate of the last step; at most `learning_rate`.
        learning_rate_end: f64 = 1e-5, in above_to(0.0, 1.0);
        /// Share of the steps over which the learning rate rises.
        warmup: f64 = 0.02, in 0.0..=0.5;
        /// Loss function: "cross_entropy" or "mse".
        loss: Loss = Loss::CrossEntropy;
        /// WDL weight (lambda): the weight of the game's outcome in the target of the first step;
        /// the rest is the weight of the search score.
        #[serde(alias = "wdl_weight")]
        result_weight: f64 = 0.5, in 0.0..=1.0;
        /// WDL weight of the last step, reached linearly; the same as in the first step if absent.
        #[serde(alias = "wdl_weight_end")]
        result_weight_end: Option<f64> = None, in 0.0..=1.0;
        /// Largest absolute value of a weight or bias. The limit ensures that the sums of a
        /// quantised network of any allowed architecture fit its integers.
        weight_clip: f64 = 1.98, in above_to(0.0, 3.9);
        /// Share of each weight, times the learning rate, that a step removes.
        weight_decay: f64 = 0.01, in 0.0..=1.0;
        /// Chance that an epoch uses a sample, for each generation that the sample is older than
        /// the newest.
        age_decay: f64 = 1.0, in above_to(0.0, 1.0);
        /// Share of the games that is held out for validation.
        validation: f64 = 0.05, in above_to(0.0, 0.5);
        /// Maximum number of held-out positions used in a validation.
        validation_samples: u32 = 65536, in 1..=1 << 24;
        /// Steps between two validations; 0 gives about twenty per training.
        validate_every: u64 = 0;
        /// Steps between two checkpoints.
        checkpoint_every: u64 = 500, in 1..;
    }
}

impl TrainingSettings {
    /// Checks every value.
    ///
    /// # Errors
    /// If a value is out of range; names the first one.
    pub fn check(&self) -> Result<(), SettingsError> {
        self.check_ranges()?;
        SettingsError::unless(
            self.learning_rate_end <= self.learning_rate,
            &path(Self::PATH, "learning_rate_end"),
            self.learning_rate_end,
            format!("at most training.learning_rate, {}", self.learning_rate),
        )
    }

    /// Returns the WDL weight of the last step, which validation uses too.
    #[must_use]
    pub fn final_result_weight(&self) -> f64 {
        self.result_weight_end.unwrap_or(self.result_weight)
    }

    /// Returns the settings that define the result, all but `checkpoint_every`, as JSON.
    #[must_use]
    pub fn defining(&self) -> Map<String, Value> {
        let mut values = self.values();
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

    /// Returns the names of the defining settings that differ.
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
    fn values_out_of_range_are_refused() {
        for (text, key) in [
            ("window = 0", "window"),
            ("replay = 0.0", "replay"),
            ("replay = nan", "replay"),
            ("batch = 65537", "batch"),
            ("learning_rate = inf", "learning_rate"),
            ("learning_rate_end = 0.1", "learning_rate_end"),
            ("result_weight = -0.1", "result_weight"),
            ("result_weight_end = 1.1", "result_weight_end"),
            ("weight_clip = 3.91", "weight_clip"),
            ("validation = 0.51", "validation"),
            ("checkpoint_every = 0", "checkpoint_every"),
        ] {
            let error = parsed(text).check().unwrap_err();
            assert_eq!(error.path, format!("training.{key}"), "{text}");
        }
        let message = parsed("batch = 0").check().unwrap_err().to_string();
        assert_eq!(message, "training.batch = 0 is out of range: 1 to 65536");
    }

    #[test]
    fn the_field_s_terms_are_accepted_as_keys() {
        let settings = parsed("epochs = 3.0\nwdl_weight = 0.75\nwdl_weight_end = 0.25");
        assert_eq!((settings.replay, settings.result_weight), (3.0, 0.75));
        assert_eq!(settings.final_result_weight(), 0.25);
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
