//! Quiescence: a leaf is searched on along noisy moves before it is evaluated.

use super::cache::ScoreCache;
use super::evaluation::Evaluation;
use super::minimax::Search;
use super::ordering::sort_noisy;
use super::statistics::count;
use super::{LARGEST_EVALUATION, ScoreType, outcome_score};
use crate::game::{Game, Side};

impl<G: Game, E: Evaluation<G>, C: ScoreCache<G>> Search<G, E, C> {
    /// The score of an unfinished leaf with the window `alpha..beta`; `None` if a limit stopped the
    /// search.
    ///
    /// The side to move stands pat, if it may, or makes a noisy move; in check it makes any move. A
    /// win beyond the iteration's depth counts as the largest evaluation, so that a proven result is
    /// one within the depth.
    #[inline(never)]
    pub(super) fn quiescence(
        &mut self,
        position: &G,
        era: usize,
        mut alpha: ScoreType,
        mut beta: ScoreType,
    ) -> Option<ScoreType> {
        let side = position.side_to_move();
        self.lines.reach(self.path.ply());
        let evaluation = self.static_evaluation(position);
        let in_check = G::HAS_CHECKS && position.in_check();
        let may_stand_pat = position.may_stand_pat() && !in_check;
        if may_stand_pat {
            match side {
                Side::Max => alpha = alpha.max(evaluation),
                Side::Min => beta = beta.min(evaluation),
            }
            if alpha >= beta {
                return Some(evaluation);
            }
        }
        let mut moves = G::Moves::default();
        if in_check {
            position.moves_into(&mut moves);
        } else {
            position.noisy_moves_into(&mut moves);
        }
        count!(generations);
        if moves.as_ref().is_empty() {
            return Some(evaluation);
        }
        if self.budget.must_stop(self.nodes) {
            return None;
        }
        if !in_check {
            sort_noisy(position, moves.as_mut());
        }
        // Losing after all noisy moves proves nothing about the quiet ones.
        let mut best = if may_stand_pat {
            evaluation
        } else {
            -side.sign() * LARGEST_EVALUATION
        };
        self.path.push(position);
        for &mv in moves.as_ref() {
            if G::HAS_EXCHANGES && may_stand_pat && !position.exchange_reaches(mv, 0) {
                continue;
            }
            let child = position.play(mv);
            let child_era = self.path.child_era(era, position, mv, &child);
            self.evaluation.on_make(position, &child);
            let score = self.quiescence_node(&child, child_era, alpha, beta);
            self.evaluation.on_unmake();
            let Some(score) = score else {
                self.path.pop();
                return None;
            };
            match side {
                Side::Max => {
                    best = best.max(score);
                    alpha = alpha.max(score);
                }
                Side::Min => {
                    best = best.min(score);
                    beta = beta.min(score);
                }
            }
            if alpha >= beta {
                break;
            }
        }
        self.path.pop();
        Some(best)
    }

    /// The score of a position after a move of quiescence.
    fn quiescence_node(
        &mut self,
        position: &G,
        era: usize,
        alpha: ScoreType,
        beta: ScoreType,
    ) -> Option<ScoreType> {
        self.nodes += 1;
        count!(nodes);
        if let Some(score) = self.repetition_score(position, era) {
            return Some(score);
        }
        if let Some(outcome) = position.outcome() {
            count!(terminals);
            let score = outcome_score(outcome);
            return Some(score.clamp(-LARGEST_EVALUATION, LARGEST_EVALUATION));
        }
        if let Some(value) = self.tablebase_value(position) {
            return Some(outcome_score(value));
        }
        self.quiescence(position, era, alpha, beta)
    }
}
