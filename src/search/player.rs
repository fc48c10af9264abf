//! Players, and the reports of their picks.

use super::analysis::Analysis;
use super::cache::ScoreCache;
use super::control::SearchControl;
use super::evaluation::Evaluation;
use super::minimax::Search;
use super::{ScoreType, WIN};
use crate::game::{Exact, Game, Side};

/// A proven result (mate score): one side wins by force.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Forced {
    /// Who wins.
    pub winner: Side,
    /// Plies to the end of the game with best play by both; an upper bound where selective
    /// techniques may have pruned a shorter win; `None` where a search with tablebase values
    /// proved the result, which leaves the distance open.
    pub plies: Option<u32>,
}

impl Forced {
    /// The result that a score proves if an iteration of `depth` plies is the first to find it, with
    /// the distance if that `depth_bounds_distance`.
    pub(super) fn from_score(
        score: ScoreType,
        depth: u32,
        depth_bounds_distance: bool,
    ) -> Option<Self> {
        let winner = match score {
            score if score >= WIN => Side::Max,
            score if score <= -WIN => Side::Min,
            _ => return None,
        };
        Some(Self {
            winner,
            plies: depth_bounds_distance.then_some(depth),
        })
    }

    /// The result of a tablebase value of the position `before` plies later; `None` for a draw.
    pub(super) fn from_exact(exact: Exact, before: u32) -> Option<Self> {
        Some(Self {
            winner: exact.value.winner()?,
            plies: exact.plies.map(|plies| plies + before),
        })
    }
}

/// The move that a player picked, and its score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SearchReport<M> {
    /// The move.
    pub mv: M,
    /// The position's score for `Max`, in logits, ±infinity if proven; `None` from players that do
    /// not score.
    pub score: Option<ScoreType>,
    /// Plies of the last finished iteration.
    pub depth: u32,
    /// Positions visited.
    pub nodes: u64,
    /// The proven result, if there is one.
    pub forced: Option<Forced>,
}

/// Picks moves.
pub trait Player<G: Game>: Send {
    /// Picks a move of an unfinished position.
    ///
    /// `history` holds the game's earlier positions, oldest first. The pick may depend on earlier
    /// calls in the same game.
    fn pick_move(&mut self, position: &G, history: &[G]) -> SearchReport<G::Move>;

    /// As [`Player::pick_move`], controlled and watched from outside; players that do not search
    /// ignore `control`.
    fn search(
        &mut self,
        position: &G,
        history: &[G],
        _control: &mut SearchControl<'_, G::Move>,
    ) -> SearchReport<G::Move> {
        self.pick_move(position, history)
    }

    /// Scores every legal move of an unfinished position; `None` from players that do not score.
    fn analyse(&mut self, position: &G, history: &[G]) -> Option<Analysis<G::Move>>;

    /// Scores an unfinished position for `Max`, in logits, without looking ahead; `None` from
    /// players that do not score.
    fn static_score(&mut self, _position: &G) -> Option<ScoreType> {
        None
    }

    /// Discards everything kept from the last game; `seed` seeds the player's random choices.
    fn new_game(&mut self, seed: u64);
}

impl<G: Game, E: Evaluation<G>, C: ScoreCache<G> + Send> Player<G> for Search<G, E, C> {
    fn pick_move(&mut self, position: &G, history: &[G]) -> SearchReport<G::Move> {
        self.search_position(position, history, &mut SearchControl::default())
    }

    fn search(
        &mut self,
        position: &G,
        history: &[G],
        control: &mut SearchControl<'_, G::Move>,
    ) -> SearchReport<G::Move> {
        self.search_position(position, history, control)
    }

    fn analyse(&mut self, position: &G, history: &[G]) -> Option<Analysis<G::Move>> {
        Some(self.analyse_position(position, history))
    }

    fn static_score(&mut self, position: &G) -> Option<ScoreType> {
        Some(self.evaluation.evaluate(position))
    }

    fn new_game(&mut self, _seed: u64) {
        self.cache.clear();
    }
}
