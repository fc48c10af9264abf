//! The board: 8 bytes that hold the pieces and the sheep in hand.

use super::geometry::{BOARD, PieceType, Pos, bit, midpoint};
use super::movement::{Move, MoveError};
use super::position::Turn;

/// The lowest of the bits of `sheep_mask` that count the sheep in hand.
pub const SHEEP_COUNT_SHIFT: u32 = 25;
/// One sheep in hand.
pub const ONE_SHEEP: u32 = 1 << SHEEP_COUNT_SHIFT;
/// Sheep in hand at the start.
pub const TOTAL_SHEEP: u32 = 20;
/// Dead sheep that win for the tigers.
pub const DEAD_SHEEP_TO_WIN: u32 = 5;
/// Earlier occurrences of a position that make it a draw.
pub const REPETITION_DRAW: usize = 2;

/// The pieces on the board and the sheep in hand, without the side to move.
///
/// Point `(x, y)` is bit x + 5·y. The high 7 bits of the sheep's mask count the sheep in hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GameBoard {
    tiger_mask: u32,
    sheep_mask: u32,
}

impl Default for GameBoard {
    /// Tigers in the corners, 20 sheep in hand.
    fn default() -> Self {
        Self {
            tiger_mask: bit((0, 0)) | bit((4, 0)) | bit((0, 4)) | bit((4, 4)),
            sheep_mask: TOTAL_SHEEP * ONE_SHEEP,
        }
    }
}

impl GameBoard {
    /// No piece anywhere: no position of the game.
    pub const EMPTY: Self = Self {
        tiger_mask: 0,
        sheep_mask: 0,
    };

    /// A board from its two masks; bits of `tiger_mask` above the 25 points are dropped.
    #[must_use]
    pub const fn from_masks(tiger_mask: u32, sheep_mask: u32) -> Self {
        Self {
            tiger_mask: tiger_mask & BOARD,
            sheep_mask,
        }
    }

    /// The points of the tigers.
    #[must_use]
    #[inline]
    pub const fn tiger_points(&self) -> u32 {
        self.tiger_mask & BOARD
    }

    /// The points of the sheep on the board.
    #[must_use]
    #[inline]
    pub const fn sheep_points(&self) -> u32 {
        self.sheep_mask & BOARD
    }

    /// The points without a piece.
    #[must_use]
    #[inline]
    pub const fn empty_points(&self) -> u32 {
        !(self.tiger_mask | self.sheep_mask) & BOARD
    }

    /// The sheep's mask, with the sheep in hand above the points.
    #[inline]
    pub(super) const fn sheep_mask(&self) -> u32 {
        self.sheep_mask
    }

    /// Sheep on the board.
    #[must_use]
    #[inline]
    pub const fn sheep_count(&self) -> u32 {
        self.sheep_points().count_ones()
    }

    /// Sheep in hand.
    #[must_use]
    #[inline]
    pub const fn sheep_left(&self) -> u32 {
        self.sheep_mask >> SHEEP_COUNT_SHIFT
    }

    /// Sheep killed so far.
    ///
    /// Zero for boards with more than 20 sheep, which no game reaches.
    #[must_use]
    #[inline]
    pub const fn dead_sheep(&self) -> u32 {
        TOTAL_SHEEP.saturating_sub(self.sheep_count() + self.sheep_left())
    }

    /// The whole board as one number, different for different boards.
    #[must_use]
    #[inline]
    pub const fn key(&self) -> u64 {
        (self.sheep_mask as u64) << 32 | self.tiger_mask as u64
    }

    /// What stands on a point.
    ///
    /// # Panics
    /// If the point is off the board.
    #[must_use]
    pub const fn get(&self, pos: Pos) -> PieceType {
        if self.tiger_mask & bit(pos) != 0 {
            PieceType::Tiger
        } else if self.sheep_mask & bit(pos) != 0 {
            PieceType::Sheep
        } else {
            PieceType::Empty
        }
    }

    /// Plays a move if it is legal; otherwise the board stays as it is.
    ///
    /// # Errors
    /// Gives the reason against the move.
    pub fn make_move(&mut self, mv: Move) -> Result<(), MoveError> {
        self.check_move(mv)?;
        self.make_move_unchecked(mv);
        Ok(())
    }

    /// Plays a move that is known to be legal.
    ///
    /// An illegal one leaves a board that no game reaches.
    #[inline]
    pub const fn make_move_unchecked(&mut self, mv: Move) {
        match mv {
            Move::PlaceSheep { pos } => {
                self.sheep_mask = (self.sheep_mask | bit(pos)).wrapping_sub(ONE_SHEEP);
            }
            Move::MoveSheep { from, to } => self.sheep_mask ^= bit(from) | bit(to),
            Move::MoveTiger { from, to } => {
                self.tiger_mask ^= bit(from) | bit(to);
                if mv.is_jump() {
                    self.sheep_mask &= !bit(midpoint(from, to));
                }
            }
        }
    }

    /// The board after a move that is known to be legal.
    #[must_use]
    #[inline]
    pub const fn after_move_unchecked(&self, mv: Move) -> Self {
        let mut after = *self;
        after.make_move_unchecked(mv);
        after
    }

    /// Whether the side that just moved has won; `turn` is the side about to move.
    #[must_use]
    #[inline]
    pub fn check_win(&self, turn: Turn) -> bool {
        let alive = self.sheep_count() + self.sheep_left();
        alive <= TOTAL_SHEEP - DEAD_SHEEP_TO_WIN || !self.has_moves(turn)
    }
}

/// How often `board` came up before with the same side to move.
///
/// `previous` is every earlier board of the game, oldest first. Nothing repeats while sheep are in
/// hand, nor across a capture.
#[must_use]
pub fn repetitions(previous: &[GameBoard], board: &GameBoard) -> usize {
    if board.sheep_left() > 0 {
        return 0;
    }
    previous
        .iter()
        .rev()
        .skip(1)
        .step_by(2)
        .take_while(|earlier| earlier.sheep_count() == board.sheep_count())
        .filter(|earlier| *earlier == board)
        .count()
}

#[cfg(test)]
mod tests {
    use super::super::position::Position;
    use super::*;
    use crate::game::{Notation, Playthrough};

    fn position(text: &str) -> Position {
        Position::parse_position(text).unwrap()
    }

    #[test]
    fn a_board_takes_eight_bytes() {
        assert_eq!(size_of::<GameBoard>(), 8);
    }

    #[test]
    fn a_tiger_that_can_only_jump_is_not_trapped() {
        let position = position("SS.SS/SSSSS/TSSSS/SSSSS/SSTTT t 0");
        assert!(!position.board.check_win(Turn::Tiger));
        let moves = position.board.get_moves(Turn::Tiger);
        assert_eq!(moves.len(), 1);
        assert_eq!(position.format_move(moves[0]), "a3xc5");
    }

    #[test]
    fn sheep_without_a_move_have_lost() {
        let position = position("T.TTS/STSSS/SSSSS/SSSSS/SSSSS s 0");
        assert!(position.board.check_win(Turn::Sheep));
    }

    #[test]
    fn ten_sheep_can_trap_four_tigers() {
        let position = position("TTTTS/SSSS./SSSSS/5/5 t 6");
        assert!(position.board.check_win(Turn::Tiger));
    }

    #[test]
    fn after_b5_the_tigers_have_twelve_moves_and_one_jump() {
        let after = GameBoard::default().after_move_unchecked(Move::PlaceSheep { pos: (1, 0) });
        let moves = after.get_moves(Turn::Tiger);
        assert_eq!(moves.len(), 12);
        assert_eq!(moves.iter().filter(|mv| mv.is_jump()).count(), 1);
    }

    #[test]
    fn a_jump_kills_and_the_hand_stays() {
        let mut board = GameBoard::default();
        board.make_move(Move::PlaceSheep { pos: (1, 0) }).unwrap();
        let jump = Move::MoveTiger {
            from: (0, 0),
            to: (2, 0),
        };
        board.make_move(jump).unwrap();
        assert_eq!((board.sheep_count(), board.sheep_left()), (0, 19));
        assert_eq!(board.dead_sheep(), 1);
        assert_eq!(board.get((2, 0)), PieceType::Tiger);
        assert_eq!(board.get((1, 0)), PieceType::Empty);
    }

    /// Boards of a shuffle back and forth from `text`, the last one apart.
    fn shuffled(text: &str, moves: &[&str]) -> (Vec<GameBoard>, GameBoard) {
        let mut game = Playthrough::new(position(text), u32::MAX);
        for mv in moves {
            game.play(game.position().parse_move(mv).unwrap());
        }
        let previous = game.history().iter().map(|p| p.board).collect();
        (previous, game.position().board)
    }

    #[test]
    fn repetitions_count_the_same_side_to_move_only() {
        let start = "T.SSS/.SSSS/SSSSS/SSSSS/S.TTT s 0";
        let cycle = ["b4-b5", "a5-a4", "b5-b4", "a4-a5"];
        let (previous, board) = shuffled(start, &cycle);
        assert_eq!(repetitions(&previous, &board), 1);
        let (previous, board) = shuffled(start, &cycle.repeat(2));
        assert_eq!(repetitions(&previous, &board), REPETITION_DRAW);
        let other_side = &previous[..previous.len() - 1];
        assert_eq!(repetitions(other_side, &board), 0);
    }
}
