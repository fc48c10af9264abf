//! The settings of self-play.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::search::{Limits, MAX_DEPTH};
use crate::shard::Augment;

/// Why settings are refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{key} = {value} is out of range; {allowed}")]
pub struct SettingsError {
    /// The key.
    pub key: &'static str,
    /// Its value.
    pub value: String,
    /// What is allowed.
    pub allowed: String,
}

impl SettingsError {
    /// Refuses `value` for `key` unless `fits`.
    pub(crate) fn unless(
        fits: bool,
        key: &'static str,
        value: &dyn std::fmt::Debug,
        allowed: &str,
    ) -> Result<(), Self> {
        if fits {
            return Ok(());
        }
        Err(Self {
            key,
            value: format!("{value:?}"),
            allowed: allowed.to_owned(),
        })
    }
}

/// What self-play makes of positions whose exact value is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ExactUse {
    /// Nothing: exact values are not asked for.
    #[default]
    Off,
    /// Their samples get the exact outcome, and the game goes on.
    Label,
    /// The game ends there with the exact outcome, so that later positions are hardly seen.
    End,
}

/// How games are played and what is kept of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SelfplaySettings {
    /// Games of a generation.
    pub games: u32,
    /// Nodes of each search.
    pub nodes: u64,
    /// Plies of each search instead of a limit on its nodes; 0 for none.
    pub depth: u32,
    /// The fewest and the most random plies before a game begins.
    pub opening_plies: (u32, u32),
    /// Random openings that are searched for each game, of which the one with the score nearest
    /// to 0 is played; fewer where most are decided.
    pub opening_choices: u32,
    /// Chance of a random move instead of the one found, at each ply.
    pub random_move: f64,
    /// Chance, at each ply, that a position one to three random plies off the game is searched
    /// and kept too, without an outcome unless exact values label it.
    pub branches: f64,
    /// Scores beyond this many logits, forced wins among them, are kept as this.
    pub score_limit: f32,
    /// What becomes of positions whose exact value is known.
    pub exact: ExactUse,
    /// Games of a shard.
    pub games_per_shard: u32,
    /// Who makes the images under the symmetries: the writer of shards or their reader.
    pub augment: Augment,
}

impl Default for SelfplaySettings {
    fn default() -> Self {
        Self {
            games: 4000,
            nodes: 800,
            depth: 0,
            opening_plies: (4, 16),
            opening_choices: 1,
            random_move: 0.03,
            branches: 0.3,
            score_limit: 8.0,
            exact: ExactUse::Off,
            games_per_shard: 500,
            augment: Augment::Write,
        }
    }
}

impl SelfplaySettings {
    /// Checks that every value is in its range.
    ///
    /// # Errors
    /// Names the first key that is not.
    pub fn check(&self) -> Result<(), SettingsError> {
        let unless = SettingsError::unless;
        let share = |value: f64| (0.0..=1.0).contains(&value);
        unless(self.games >= 1, "selfplay.games", &self.games, "at least 1")?;
        unless(self.nodes >= 1, "selfplay.nodes", &self.nodes, "at least 1")?;
        let deepest = format!("at most {MAX_DEPTH}");
        unless(
            self.depth <= MAX_DEPTH,
            "selfplay.depth",
            &self.depth,
            &deepest,
        )?;
        let (least, most) = self.opening_plies;
        let ordered = least <= most && most <= 200;
        let allowed = "the fewest, then the most, at most 200";
        unless(
            ordered,
            "selfplay.opening_plies",
            &self.opening_plies,
            allowed,
        )?;
        let choices = self.opening_choices;
        unless(
            (1..=100).contains(&choices),
            "selfplay.opening_choices",
            &choices,
            "from 1 to 100",
        )?;
        let range = "from 0 to 1";
        unless(
            share(self.random_move),
            "selfplay.random_move",
            &self.random_move,
            range,
        )?;
        unless(
            share(self.branches),
            "selfplay.branches",
            &self.branches,
            range,
        )?;
        let sound = self.score_limit > 0.0 && self.score_limit <= 100.0;
        let range = "more than 0, at most 100";
        unless(sound, "selfplay.score_limit", &self.score_limit, range)?;
        let shard = self.games_per_shard;
        unless(shard >= 1, "selfplay.games_per_shard", &shard, "at least 1")
    }

    /// The limits of each search.
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
        assert_eq!(
            fault,
            "selfplay.random_move = 1.5 is out of range; from 0 to 1"
        );
        let settings = SelfplaySettings {
            opening_choices: 0,
            ..SelfplaySettings::default()
        };
        assert_eq!(
            settings.check().unwrap_err().key,
            "selfplay.opening_choices"
        );
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
