//! Factories of players, one player per thread.

use std::fmt;
use std::sync::Arc;

use super::{ExactSource, HandWritten, Level, SearchSetup};
use crate::game::Game;
use crate::search::Player;

/// Makes a player.
pub type MakePlayer<G> = Arc<dyn Fn() -> Box<dyn Player<G>> + Send + Sync>;

/// A named player, of which every thread makes an instance.
#[derive(Clone)]
pub struct PlayerFactory<G> {
    /// Its name for people, in general its specification.
    pub name: String,
    /// Digest of its network or weights file, if it has one.
    pub digest: Option<String>,
    /// Digest of its endgame tables, if it has any.
    pub tables: Option<String>,
    /// Whether it always plays the same from the same seed.
    pub deterministic: bool,
    make: MakePlayer<G>,
}

impl<G: Game> PlayerFactory<G> {
    /// A factory whose players `make` makes.
    pub fn new(
        name: impl Into<String>,
        digest: Option<String>,
        deterministic: bool,
        make: MakePlayer<G>,
    ) -> Self {
        Self {
            name: name.into(),
            digest,
            tables: None,
            deterministic,
            make,
        }
    }

    /// The factory of a hand-written evaluation, whose players share tablebase values if given.
    #[must_use]
    pub fn of_evaluation(
        evaluation: &'static HandWritten<G>,
        setup: SearchSetup,
        exact: Option<ExactSource<G>>,
    ) -> Self {
        let tables = exact.as_ref().map(|exact| exact.digest().to_owned());
        let make = move || (evaluation.player)(&setup, exact.clone());
        let deterministic = setup.limits.is_deterministic();
        Self::new(evaluation.name, None, deterministic, Arc::new(make)).with_tables(tables)
    }

    /// Sets the digest of the players' endgame tables.
    #[must_use]
    pub fn with_tables(self, tables: Option<String>) -> Self {
        Self { tables, ..self }
    }

    /// Weakens the players to a level.
    #[must_use]
    pub fn at_level(self, level: Level) -> Self {
        Self {
            make: level.weaken(self.make),
            ..self
        }
    }

    /// Sets the name.
    #[must_use]
    pub fn named(self, name: String) -> Self {
        Self { name, ..self }
    }

    /// Makes a player.
    #[must_use]
    pub fn player(&self) -> Box<dyn Player<G>> {
        (self.make)()
    }
}

impl<G> fmt::Debug for PlayerFactory<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PlayerFactory")
            .field("name", &self.name)
            .field("digest", &self.digest)
            .finish_non_exhaustive()
    }
}
