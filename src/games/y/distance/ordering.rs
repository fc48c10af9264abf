//! Which moves are tried first, by what they block and extend.

use arrayvec::ArrayVec;

use super::super::geometry::{Board, MOST_CELLS, Mask};
use super::super::moves::{Move, Moves};
use super::super::position::Position;
use crate::game::Game as _;

/// How many near moves are looked at where far ones are not.
const MOST_NEAR: usize = 15;

/// Sorts the legal moves, the most urgent first. Of moves that win at once, one is enough, and else the
/// one that keeps the enemy from it. Unless all are looked at, those far from every stone go, and of the
/// near ones the least urgent.
pub(super) fn arrange(position: &Position, moves: &mut Moves, everywhere: bool) {
    let mover = position.side_to_move();
    for side in [mover, mover.other()] {
        let wins = |mv: &&Move| position.connects_with(side, 1 << mv.bit());
        if let Some(&mv) = moves.iter().find(wins) {
            moves.clear();
            moves.push(mv);
            return;
        }
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
        arrange(position, &mut moves, everywhere);
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
        fn a_win_at_once_is_always_found_and_something_is_left(position in positions()) {
            if position.outcome().is_some() {
                return Ok(());
            }
            let wins = |mv: &Move| position.play(*mv).outcome().is_some();
            let wanted = position.moves().iter().any(wins);
            for everywhere in [true, false] {
                let moves = arranged(&position, everywhere);
                prop_assert!(!moves.is_empty());
                prop_assert_eq!(wins(&moves[0]), wanted);
                let blocks = |mv: &Move| position.connects_with(position.side_to_move().other(), 1 << mv.bit());
                let threatened = position.moves().iter().any(blocks);
                prop_assert!(wanted || blocks(&moves[0]) == threatened);
                let near = everywhere || moves.len() <= MOST_NEAR || moves.len() == position.moves().len();
                prop_assert!(near);
            }
            let mut all = arranged(&position, true);
            if all.len() > 1 {
                all.sort_by_key(|mv| mv.bit());
                let mut expected = position.moves();
                expected.sort_by_key(|mv| mv.bit());
                prop_assert_eq!(all, expected);
            }
        }
    }
}
