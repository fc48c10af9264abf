//! The plain search that the shared one is held to: no cache, no ordering, and nothing left out but what
//! the game says is inferior.

use super::{ScoreType, outcome_score};
use crate::game::{Game, Outcome, Side};

/// The score of a position searched `depth` plies deep, for `Max`.
///
/// `history` holds the game's earlier positions, oldest first. Below the root, a position that
/// came up before with the same side to move scores as its repetition does. With `quiescence`,
/// leaves are searched on along noisy moves, and a win beyond the depth counts as the largest
/// number.
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
    fn end(&self, position: &G) -> Option<Outcome> {
        if self.path.contains(position) {
            Some(position.repetition_outcome(&[]))
        } else {
            position.outcome()
        }
    }

    fn score(&mut self, position: &G, depth: u32) -> ScoreType {
        if let Some(end) = self.end(position) {
            return outcome_score(end);
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

    /// The score of a position that goes on, along noisy moves alone.
    fn quiet_score(&mut self, position: &G) -> ScoreType {
        let side = position.side_to_move();
        let standing = (self.evaluate)(position);
        let moves = position.moves();
        let noisy = moves.as_ref().iter();
        let noisy: Vec<_> = noisy.filter(|mv| position.is_noisy(**mv)).collect();
        if noisy.is_empty() {
            return standing;
        }
        let mut best = if position.may_stand_pat() {
            standing
        } else {
            -side.sign() * ScoreType::MAX
        };
        self.path.push(position.clone());
        for &mv in noisy {
            let child = position.play(mv);
            let score = match self.end(&child) {
                Some(end) => outcome_score(end).clamp(-ScoreType::MAX, ScoreType::MAX),
                None => self.quiet_score(&child),
            };
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
