//! Kinds of positions that tables know, and random positions of them.

use rand::Rng;
use rand::seq::SliceRandom as _;

use super::super::board::{DEAD_SHEEP_TO_WIN, GameBoard, ONE_SHEEP, TOTAL_SHEEP};
use super::super::geometry::POINTS;
use super::super::position::{Position, TIGERS, Turn};

/// Sheep in hand, dead sheep and the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cell {
    in_hand: u32,
    dead: u32,
    turn: Turn,
}

impl Cell {
    /// All cells with up to so many sheep in hand and fewer dead sheep than end a game.
    #[must_use]
    pub fn up_to(most_in_hand: u32) -> Vec<Self> {
        let cells = (0..=most_in_hand.min(TOTAL_SHEEP)).flat_map(|in_hand| {
            let dead = 0..DEAD_SHEEP_TO_WIN.min(TOTAL_SHEEP - in_hand + 1);
            dead.flat_map(move |dead| {
                [Turn::Tiger, Turn::Sheep].map(|turn| Self {
                    in_hand,
                    dead,
                    turn,
                })
            })
        });
        // The tigers never move before the first sheep is placed.
        let possible = |cell: &Self| cell.in_hand < TOTAL_SHEEP || cell.turn == Turn::Sheep;
        cells.filter(possible).collect()
    }

    /// A position drawn evenly from all placements of the cell; it may be finished.
    pub fn random_position(self, rng: &mut impl Rng) -> Position {
        let mut points: [u32; POINTS] = std::array::from_fn(|point| 1 << point);
        points.shuffle(rng);
        let (tigers, rest) = points.split_at(TIGERS as usize);
        let on_board = TOTAL_SHEEP - self.in_hand - self.dead;
        let mask = |points: &[u32]| points.iter().sum::<u32>();
        let sheep = mask(&rest[..on_board as usize]) + self.in_hand * ONE_SHEEP;
        Position {
            board: GameBoard::from_masks(mask(tigers), sheep),
            turn: self.turn,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::seed;

    #[test]
    fn positions_are_of_their_cell() {
        let cells = Cell::up_to(TOTAL_SHEEP);
        assert_eq!(cells.iter().collect::<HashSet<_>>().len(), cells.len());
        let mut rng = seed::stream(&[1]);
        for cell in cells {
            for _ in 0..5 {
                let position = cell.random_position(&mut rng);
                let board = position.board;
                assert_eq!(board.tiger_points().count_ones(), TIGERS);
                let found = Cell {
                    in_hand: board.sheep_left(),
                    dead: board.dead_sheep(),
                    turn: position.turn,
                };
                assert_eq!(found, cell);
            }
        }
    }

    #[test]
    fn the_sliding_phase_has_five_numbers_of_dead_sheep_for_each_side() {
        assert_eq!(Cell::up_to(0).len(), 10);
    }
}
