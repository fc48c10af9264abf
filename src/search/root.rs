//! One iteration at the root: aspiration windows.

use super::ScoreType;
use super::cache::ScoreCache;
use super::evaluation::Evaluation;
use super::minimax::Search;
use super::statistics::count;
use super::window::{ALL, around};
use crate::game::Game;

/// The distance of the first aspiration window's ends from the guess, in logits.
const ASPIRATION_MARGIN: ScoreType = 0.25;
/// The factor by which a window that missed the score grows.
const ASPIRATION_GROWTH: ScoreType = 4.0;

impl<G: Game, E: Evaluation<G>, C: ScoreCache<G>> Search<G, E, C> {
    /// Searches `moves` at the root, with a window around `guess` first if there is one; `None` if a
    /// limit stopped the iteration.
    ///
    /// The score is exact: a window that misses it grows, at last to all scores.
    pub(super) fn search_root(
        &mut self,
        position: &G,
        era: usize,
        depth: u32,
        moves: &[G::Move],
        (mut hash_move, guess): (Option<G::Move>, Option<ScoreType>),
    ) -> Option<(ScoreType, G::Move)> {
        let guess = guess.filter(|guess| guess.is_finite());
        let mut margin = ASPIRATION_MARGIN;
        let (mut low, mut high) = guess.map_or(ALL, |guess| around(guess, margin));
        self.best_at_root = None;
        loop {
            self.nodes += 1;
            count!(nodes);
            count!(generations);
            // Every search orders the moves from the order of generation.
            let mut moves = moves.to_vec();
            let window = (low, high);
            let found =
                self.search_moves(position, era, depth, window, &mut moves, hash_move, None)?;
            let (score, Some(mv)) = found else {
                return None;
            };
            margin *= ASPIRATION_GROWTH;
            let grown = around(score, margin);
            let is_last = margin > ASPIRATION_MARGIN * ASPIRATION_GROWTH;
            // An infinite bound is a score.
            if score <= low && score > ALL.0 {
                low = if is_last { ALL.0 } else { grown.0 };
            } else if score >= high && score < ALL.1 {
                high = if is_last { ALL.1 } else { grown.1 };
                hash_move = Some(mv);
            } else {
                return Some((score, mv));
            }
        }
    }
}
