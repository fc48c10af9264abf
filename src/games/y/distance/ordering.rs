//! Which moves are tried first, by what they block and extend.

use arrayvec::ArrayVec;

use super::super::geometry::{Board, MOST_CELLS, Mask};
use super::super::moves::{Move, Moves};
use super::super::position::Position;
use crate::game::Game as _;

/// How many near moves are looked at where far ones are not.
const MOST_NEAR: usize = 15;

/// Sorts moves, the most urgent first. Unless all are looked at, those far from every stone go, and of
/// the near ones the least urgent, but a single move stays wherever it is.
pub(super) fn order_moves(position: &Position, moves: &mut Moves, everywhere: bool) {
    if moves.len() <= 1 {
        return;
    }
    let board = position.board();
    let stones = board.cells & !position.empty();
    if !everywhere && stones != 0 {
        let near = board.neighbours(stones);
        moves.retain(|mv| near >> mv.bit() & 1 != 0);
    }
    let scene = Scene::of(position);
    let rated = moves.iter().map(|mv| (scene.urgency(1 << mv.bit()), *mv));
    let mut rated: ArrayVec<(u32, Move), MOST_CELLS> = rated.collect();
    rated.sort_by_key(|(urgency, _)| std::cmp::Reverse(*urgency));
    if !everywhere {
        rated.truncate(MOST_NEAR);
    }
    moves.clear();
    moves.extend(rated.into_iter().map(|(_, mv)| mv));
}

/// What the urgency of a cell depends on.
struct Scene {
    board: &'static Board,
    own: Mask,
    enemy: Mask,
    /// The enemy's largest chain.
    largest: Mask,
}

impl Scene {
    fn of(position: &Position) -> Self {
        let (board, mover) = (position.board(), position.side_to_move());
        let enemy = position.stones(mover.other());
        let (mut left, mut largest): (Mask, Mask) = (enemy, 0);
        while left != 0 {
            let chain = board.flood(left & left.wrapping_neg(), enemy);
            left &= !chain;
            if chain.count_ones() > largest.count_ones() {
                largest = chain;
            }
        }
        Self {
            board,
            own: position.stones(mover),
            enemy,
            largest,
        }
    }

    /// How urgent an empty cell is: that of a public program's ordering.
    fn urgency(&self, cell: Mask) -> u32 {
        let around = self.board.neighbours(cell);
        let neighbours_in = |set: Mask| (around & set).count_ones();
        let edges_held_by = |set: Mask| {
            let held = |edge: &&Mask| **edge & cell != 0 && **edge & set != 0;
            self.board.edges.iter().filter(held).count() as u32
        };
        neighbours_in(self.largest) * (15 + self.largest.count_ones())
            + 20 * edges_held_by(self.enemy)
            + 10 * neighbours_in(self.own)
            + 10 * edges_held_by(self.own)
            + 5 * around.count_ones()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::super::position::tests::positions;
    use super::*;
    use crate::game::Notation as _;

    fn arranged(position: &Position, everywhere: bool) -> Moves {
        let mut moves = position.moves();
        order_moves(position, &mut moves, everywhere);
        moves
    }

    #[test]
    fn blocking_the_largest_chain_comes_first() {
        let position = Position::parse_position("./../.R./..R./..... b").unwrap();
        let first = arranged(&position, true)[0];
        let neighbours = position.board().neighbours(1 << first.bit());
        assert_eq!(
            (neighbours & position.stones(crate::game::Side::Min)).count_ones(),
            2
        );
    }

    proptest! {
        #[test]
        fn all_moves_stay_or_a_few_near_ones_and_never_none(position in positions()) {
            if position.outcome().is_some() {
                return Ok(());
            }
            let few = arranged(&position, false);
            prop_assert!(!few.is_empty());
            let stones = position.board().cells & !position.empty();
            let near = position.board().neighbours(stones);
            if position.moves().len() > 1 && stones != 0 {
                prop_assert!(few.len() <= MOST_NEAR);
                prop_assert!(few.iter().all(|mv| near >> mv.bit() & 1 != 0));
            }
            let mut all = arranged(&position, true);
            all.sort_by_key(|mv| mv.bit());
            let mut expected = position.moves();
            expected.sort_by_key(|mv| mv.bit());
            prop_assert_eq!(all, expected);
        }
    }
}
