//! A player that can be made as often as threads need it.

use std::fmt;
use std::sync::Arc;

use super::{ExactSource, Kit, Level, SearchSetup};
use crate::game::Game;
use crate::search::Player;

/// Makes players.
pub type MakePlayer<G> = Arc<dyn Fn() -> Box<dyn Player<G>> + Send + Sync>;

/// A named player that every worker makes one of for itself.
#[derive(Clone)]
pub struct PlayerFactory<G> {
    /// What people call it: its specification.
    pub name: String,
    /// Digest of the network, or of the file of weights, that it plays by, if it does.
    pub digest: Option<String>,
    /// Digest of the exact values that it plays by, if it does.
    pub tables: Option<String>,
    /// Whether its games can be repeated exactly.
    pub deterministic: bool,
    make: MakePlayer<G>,
}

impl<G: Game> PlayerFactory<G> {
    /// A player_factory that `make` makes players for.
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

    /// The player_factory of a hand-written evaluation that the game lists, whose players share a source
    /// of exact values if one is given.
    #[must_use]
    pub fn of_evaluation(
        name: &'static str,
        setup: SearchSetup,
        exact: Option<ExactSource<G>>,
    ) -> Self
    where
        G: Kit,
    {
        let tables = exact.as_ref().map(|exact| exact.digest().to_owned());
        let make = move || {
            let player = G::evaluation_player(name, &setup, exact.clone());
            #[expect(clippy::expect_used, reason = "a game makes the players it lists")]
            player.expect("listed evaluations exist")
        };
        let deterministic = setup.limits.is_deterministic();
        Self::new(name, None, deterministic, Arc::new(make)).with_tables(tables)
    }

    /// The player_factory with the digest of the exact values that its players have.
    #[must_use]
    pub fn with_tables(self, tables: Option<String>) -> Self {
        Self { tables, ..self }
    }

    /// The player_factory with players that err as a level does.
    #[must_use]
    pub fn at_level(self, level: Level) -> Self {
        Self {
            make: level.weaken(self.make),
            ..self
        }
    }

    /// The player_factory under another name.
    #[must_use]
    pub fn named(self, name: String) -> Self {
        Self { name, ..self }
    }

    /// One more player.
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
