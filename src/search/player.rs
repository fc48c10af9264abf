//! Anything that picks a move, and what it reports of it.

use super::analysis::{Analysis, analyse};
use super::deepening::pick;
use super::minimax::MinimaxPlayer;
use super::{ScoreCache as _, ScoreType, WIN};
use crate::game::{Exact, Game, Side};

/// A result that one side can force.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Forced {
    /// Who wins.
    pub winner: Side,
    /// Plies to the end of the game, the winner hurrying and the loser delaying; at most so many
    /// where selective techniques may have left out a shorter way; none where a search by exact
    /// values proved the result, which does not tell how far the end is.
    pub plies: Option<u32>,
}

impl Forced {
    /// What a score first found by a pass of `depth` plies proves, with the distance if that pass
    /// `tells_distance`.
    pub(super) fn from_score(score: ScoreType, depth: u32, tells_distance: bool) -> Option<Self> {
        let winner = match score {
            score if score >= WIN => Side::Max,
            score if score <= -WIN => Side::Min,
            _ => return None,
        };
        Some(Self {
            winner,
            plies: tells_distance.then_some(depth),
        })
    }

    /// The result that an exact value `before` plies later stands for; none for a draw.
    pub(super) fn from_exact(exact: Exact, before: u32) -> Option<Self> {
        Some(Self {
            winner: exact.value.winner()?,
            plies: exact.plies.map(|plies| plies + before),
        })
    }
}

/// The move that a player picked, and why.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SearchReport<M> {
    /// The move.
    pub mv: M,
    /// The position's score for `Max`, in logits, ±infinity if forced; none from players that do
    /// not score.
    pub score: Option<ScoreType>,
    /// Plies of the last finished pass.
    pub depth: u32,
    /// Positions looked at.
    pub nodes: u64,
    /// The result that is forced, if one is.
    pub forced: Option<Forced>,
}

/// Anything that picks a move.
pub trait Player<G: Game>: Send {
    /// Picks a move in a position that is not finished.
    ///
    /// `history` holds the game's earlier positions, oldest first. The pick may depend on what the
    /// player was asked before in the same game.
    fn pick_move(&mut self, position: &G, history: &[G]) -> SearchReport<G::Move>;

    /// Scores every legal move of a position that is not finished; none if the player does not
    /// score.
    fn analyse(&mut self, position: &G, history: &[G]) -> Option<Analysis<G::Move>>;

    /// Scores a position that is not finished for `Max`, in logits, without looking ahead; none if
    /// the player does not score.
    fn static_score(&mut self, _position: &G) -> Option<ScoreType> {
        None
    }

    /// Forgets the last game; `seed` decides whatever the player leaves to chance.
    fn new_game(&mut self, seed: u64);
}

impl<P: MinimaxPlayer + Send> Player<P::Game> for P {
    fn pick_move(
        &mut self,
        position: &P::Game,
        history: &[P::Game],
    ) -> SearchReport<<P::Game as Game>::Move> {
        pick(self, position, history)
    }

    fn analyse(
        &mut self,
        position: &P::Game,
        history: &[P::Game],
    ) -> Option<Analysis<<P::Game as Game>::Move>> {
        Some(analyse(self, position, history))
    }

    fn static_score(&mut self, position: &P::Game) -> Option<ScoreType> {
        Some(self.evaluate(position))
    }

    fn new_game(&mut self, _seed: u64) {
        self.memory().cache.clear();
    }
}
