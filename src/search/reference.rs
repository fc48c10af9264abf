//! Plain minimax, the reference of the shared search: no table, no ordering, and no pruning but of
//! dominated moves.

use super::{ScoreType, outcome_score};
use crate::game::{Game, Outcome, Side};

/// Returns the score of a position searched `depth` plies deep, for `Max`.
///
/// `history` holds the game's earlier positions, oldest first. Below the root, a position that
/// occurred before with the same side to move has the score of its repetition. With `quiescence`,
/// leaves are searched on along noisy moves, all moves in check, and a win beyond the depth counts
/// as the largest number.
pub fn minimax<G: Game>(
    position: &G,
    history: &[G],
    depth: u32,
    quiescence: bool,
    evaluate: &mut impl FnMut(&G) -> ScoreType,
) -> ScoreType {
    let mut plain = Plain {
        path: history.to_vec(),
        quiescence,
        evaluate,
    };
    plain.best_child(position, depth)
}

struct Plain<'a, G, E> {
    path: Vec<G>,
    quiescence: bool,
    evaluate: &'a mut E,
}

impl<G: Game, E: FnMut(&G) -> ScoreType> Plain<'_, G, E> {
    /// The score of a repetition, which proves nothing.
    fn repetition_score(&self, position: &G) -> Option<ScoreType> {
        let earlier = self.path.iter().rposition(|p| p == position)?;
        let since = self.path[earlier + 1..].iter().chain([position]);
        let cycle: Vec<u32> = since.map(G::repetition_mark).collect();
        let score = outcome_score(position.repetition_outcome(&cycle));
        Some(score.clamp(-ScoreType::MAX, ScoreType::MAX))
    }

    fn score(&mut self, position: &G, depth: u32) -> ScoreType {
        if let Some(score) = self.repetition_score(position) {
            return score;
        }
        if let Some(outcome) = position.outcome() {
            return outcome_score(outcome);
        }
        match depth {
            0 if self.quiescence => self.quiet_score(position),
            0 => (self.evaluate)(position),
            _ => self.best_child(position, depth),
        }
    }

    fn best_child(&mut self, position: &G, depth: u32) -> ScoreType {
        if let Some(outcome) = position.outcome() {
            return outcome_score(outcome);
        }
        let side = position.side_to_move();
        let lost = outcome_score(Outcome::win(side.other()));
        self.path.push(position.clone());
        let mut best = lost;
        let mut moves = position.moves();
        position.prune_dominated_moves(&mut moves);
        for &mv in moves.as_ref() {
            best = better(side, best, self.score(&position.play(mv), depth - 1));
        }
        self.path.pop();
        best
    }

    /// The score of an unfinished position along noisy moves.
    fn quiet_score(&mut self, position: &G) -> ScoreType {
        let side = position.side_to_move();
        let evaluation = (self.evaluate)(position);
        let moves = position.moves();
        let in_check = position.in_check();
        let may_stand_pat = position.may_stand_pat() && !in_check;
        let noisy = moves.as_ref().iter();
        let noisy: Vec<_> = noisy
            .filter(|mv| in_check || position.is_noisy(**mv))
            .collect();
        if noisy.is_empty() {
            return evaluation;
        }
        let mut best = if may_stand_pat {
            evaluation
        } else {
            -side.sign() * ScoreType::MAX
        };
        self.path.push(position.clone());
        for &mv in noisy {
            if may_stand_pat && !position.exchange_reaches(mv, 0) {
                continue;
            }
            let child = position.play(mv);
            let score = self.repetition_score(&child).or_else(|| {
                let score = outcome_score(child.outcome()?);
                Some(score.clamp(-ScoreType::MAX, ScoreType::MAX))
            });
            let score = score.unwrap_or_else(|| self.quiet_score(&child));
            best = better(side, best, score);
        }
        self.path.pop();
        best
    }
}

fn better(side: Side, one: ScoreType, other: ScoreType) -> ScoreType {
    match side {
        Side::Max => one.max(other),
        Side::Min => one.min(other),
    }
}
