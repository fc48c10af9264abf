//! The settings of self-play.

use serde::{Deserialize, Serialize};

use crate::search::{Limits, MAX_DEPTH};
use crate::settings::{Section as _, SettingsError, above_to, settings};
use crate::shard::Augment;

/// How self-play uses exact (tablebase) values of positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ExactUse {
    /// Does not use them.
    #[default]
    Off,
    /// Gives samples the exact outcome and plays on.
    Label,
    /// Ends the game with the exact outcome, so that later positions are rarely seen.
    End,
}

settings! {
    /// How games are played and which positions are kept.
    pub struct SelfplaySettings at "selfplay" {
        /// Games of a generation.
        games: u32 = 4000, in 1..;
        /// Nodes of each search.
        nodes: u64 = 800, in 1..;
        /// Depth of each search in plies, instead of a node limit; 0 for none.
        depth: u32 = 0, in 0..=MAX_DEPTH;
        /// Minimum and maximum number of random plies before a game begins.
        opening_plies: (u32, u32) = (4, 16), in 0..=200;
        /// Random openings that are searched for each game; the one with the score nearest to 0 is
        /// played. Fewer are searched where most are decided.
        opening_choices: u32 = 1, in 1..=100;
        /// Chance, at each ply, of a random move instead of the best one.
        random_move: f64 = 0.03, in 0.0..=1.0;
        /// Off-game exploration positions: the chance, at each ply, that a position one to three
        /// random plies off the game is searched and kept too, without an outcome unless exact
        /// values label it.
        branches: f64 = 0.3, in 0.0..=1.0;
        /// Largest score of a sample in logits; larger scores, proven wins among them, are clamped
        /// to it.
        score_limit: f32 = 8.0, in above_to(0.0, 100.0);
        /// How exact (tablebase) values are used: "off", "label" or "end".
        exact: ExactUse = ExactUse::Off;
        /// Games of a shard.
        games_per_shard: u32 = 500, in 1..;
        /// Who adds the symmetric copies of samples (augmentation): "write" stores them in shards,
        /// "read" adds them when shards are read.
        augment: Augment = Augment::Write;
    }
}

impl SelfplaySettings {
    /// Checks every value.
    ///
    /// # Errors
    /// If a value is out of range; names the first one.
    pub fn check(&self) -> Result<(), SettingsError> {
        self.check_ranges()?;
        let (least, most) = self.opening_plies;
        SettingsError::unless(
            least <= most,
            "selfplay.opening_plies",
            format!("[{least}, {most}]"),
            "the minimum must not exceed the maximum",
        )
    }

    /// Returns the limits of each search.
    #[must_use]
    pub fn limits(&self) -> Limits {
        if self.depth > 0 {
            Limits::depth(self.depth)
        } else {
            Limits::nodes(self.nodes)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_are_in_range() {
        assert_eq!(SelfplaySettings::default().check(), Ok(()));
    }

    #[test]
    fn a_value_out_of_range_is_named() {
        let settings = SelfplaySettings {
            random_move: 1.5,
            ..SelfplaySettings::default()
        };
        let fault = settings.check().unwrap_err().to_string();
        assert_eq!(fault, "selfplay.random_move = 1.5 is out of range: 0 to 1");
        let settings = SelfplaySettings {
            opening_plies: (9, 3),
            ..SelfplaySettings::default()
        };
        assert!(
            settings
                .check()
                .unwrap_err()
                .to_string()
                .contains("opening_plies")
        );
    }
}
