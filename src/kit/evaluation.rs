//! The hand-written evaluations of a game and their players.

use super::{ExactSource, SearchSetup, TunableParameters};
use crate::game::Game;
use crate::search::{Evaluation, Player, Search};

/// Makes a player that searches, and uses tablebase values if given.
type MakeSearcher<G> = fn(&SearchSetup, Option<ExactSource<G>>) -> Box<dyn Player<G>>;

/// A hand-written evaluation of a game.
#[derive(Clone, Copy, Debug)]
pub struct HandWritten<G: Game> {
    /// Its name in player specifications.
    pub name: &'static str,
    /// Makes a player with it.
    pub player: MakeSearcher<G>,
    /// Its tunable parameters, if it has any.
    pub tunable: Option<fn() -> TunableParameters<G>>,
}

impl<G: Game> HandWritten<G> {
    /// An evaluation with the function that makes its players.
    #[must_use]
    pub const fn new(name: &'static str, player: MakeSearcher<G>) -> Self {
        Self {
            name,
            player,
            tunable: None,
        }
    }

    /// The evaluation `E`.
    #[must_use]
    pub const fn of<E: Evaluation<G> + Default + 'static>(name: &'static str) -> Self {
        Self::new(name, |setup, exact| player(E::default(), setup, exact))
    }

    /// The same with tunable parameters.
    #[must_use]
    pub const fn with_tunable(self, tunable: fn() -> TunableParameters<G>) -> Self {
        Self {
            tunable: Some(tunable),
            ..self
        }
    }
}

/// Makes a player that searches with an evaluation, and uses tablebase values if given.
#[must_use]
pub fn player<G: Game, E: Evaluation<G> + 'static>(
    evaluation: E,
    setup: &SearchSetup,
    exact: Option<ExactSource<G>>,
) -> Box<dyn Player<G>> {
    let techniques = setup.techniques(evaluation.is_symmetric());
    let player = Search::new(evaluation, setup.table(), setup.limits);
    Box::new(player.with_techniques(techniques).with_exact(exact))
}
