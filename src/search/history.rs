//! History heuristic: how often quiet moves caused cutoffs elsewhere in the search.

use std::marker::PhantomData;

use crate::game::{Game, Side};

/// The largest absolute score.
const MOST: i32 = 1 << 14;

/// A score for each side and move: high if the move caused many cutoffs.
#[derive(Clone, Debug)]
pub(super) struct History<G> {
    scores: Vec<i32>,
    game: PhantomData<fn(G)>,
}

impl<G> Default for History<G> {
    fn default() -> Self {
        Self {
            scores: Vec::new(),
            game: PhantomData,
        }
    }
}

impl<G: Game> History<G> {
    /// Sets all scores to 0.
    pub fn clear(&mut self) {
        self.scores.clear();
        self.scores.resize(2 * G::MOVE_INDICES, 0);
    }

    /// The score of a side's move.
    #[must_use]
    pub fn score(&self, side: Side, mv: G::Move) -> i32 {
        self.scores[index::<G>(side, mv)]
    }

    /// Moves the first move with the highest score to the front; the others keep their order.
    pub fn bring_best(&self, side: Side, moves: &mut [G::Move]) {
        let mut best = (0, i32::MIN);
        for (index, &mv) in moves.iter().enumerate() {
            let score = self.score(side, mv);
            if score > best.1 {
                best = (index, score);
            }
        }
        if best.0 > 0 {
            moves[..=best.0].rotate_right(1);
        }
    }

    /// Raises the last of some quiet moves, which caused a cutoff at remaining depth `depth`, and
    /// lowers the ones tried before it (history malus).
    pub fn update(
        &mut self,
        side: Side,
        depth: u32,
        quiet: impl DoubleEndedIterator<Item = G::Move>,
    ) {
        let weight = (depth * depth).min(400) as i32;
        let mut change = weight;
        for mv in quiet.rev() {
            let score = &mut self.scores[index::<G>(side, mv)];
            // The pull towards 0 grows with the score, so that no score leaves its bounds.
            *score += change - *score * weight / MOST;
            change = -weight;
        }
    }
}

fn index<G: Game>(side: Side, mv: G::Move) -> usize {
    let first = match side {
        Side::Max => 0,
        Side::Min => G::MOVE_INDICES,
    };
    first + G::move_index(mv)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::bagh_chal::Position;

    #[test]
    fn moves_that_cut_off_come_first_and_scores_stay_bounded() {
        let mut moves = Position::start(&()).moves();
        let mut history = History::<Position>::default();
        history.clear();
        for _ in 0..10_000 {
            history.update(Side::Min, 60, moves[..3].iter().copied());
        }
        let scores = [0, 1, 2, 3].map(|i| history.score(Side::Min, moves[i]));
        assert!(scores[0] < 0 && scores[0] == scores[1] && scores[2] > 0 && scores[3] == 0);
        assert!(scores.iter().all(|score| score.abs() <= MOST));
        assert_eq!(history.score(Side::Max, moves[2]), 0);

        let generated = moves.clone();
        for index in 0..moves.len() {
            history.bring_best(Side::Min, &mut moves[index..]);
        }
        assert_eq!(moves[0], generated[2]);
        assert_eq!(moves[1..3], generated[3..5]);
        assert_eq!(moves[moves.len() - 2..], generated[..2]);
    }
}
