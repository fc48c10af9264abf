//! Moves: what they are, why one is refused, and all of them by whole-board shifts.

use arrayvec::ArrayVec;
use thiserror::Error;

use super::board::GameBoard;
use super::geometry::{
    DELTAS, JUMP_SOURCES, Pos, STEP_SOURCES, bit, bits, midpoint, on_board, on_line, pos_of_bit,
    shift,
};
use super::position::Turn;

/// A move of either side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// A sheep from the hand onto an empty point.
    PlaceSheep {
        /// Where it goes.
        pos: Pos,
    },
    /// A sheep along a line to a neighbouring point.
    MoveSheep {
        /// Where it stands.
        from: Pos,
        /// Where it goes.
        to: Pos,
    },
    /// A tiger along a line, to a neighbouring point or over a sheep to the point behind it.
    MoveTiger {
        /// Where it stands.
        from: Pos,
        /// Where it goes.
        to: Pos,
    },
}

impl Move {
    /// Whether this is a tiger's jump, which kills the sheep in between.
    #[must_use]
    #[inline]
    pub const fn is_jump(self) -> bool {
        match self {
            Self::MoveTiger { from, to } => {
                from.0.abs_diff(to.0) == 2 || from.1.abs_diff(to.1) == 2
            }
            _ => false,
        }
    }
}

/// Why a move is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum MoveError {
    /// A point of the move does not exist.
    #[error("the board has no such point")]
    OffBoard,
    /// A placement with an empty hand.
    #[error("no sheep is left in hand to place")]
    NoSheepInHand,
    /// The destination is taken.
    #[error("the destination is occupied")]
    Occupied,
    /// A sheep may only move once all sheep are placed.
    #[error("sheep cannot move while some are still in hand")]
    SheepInHand,
    /// No sheep stands at the start of the move.
    #[error("no sheep stands there to be moved")]
    NoSheepThere,
    /// No tiger stands at the start of the move.
    #[error("no tiger stands there to be moved")]
    NoTigerThere,
    /// The move does not follow a line of the board to a point in reach.
    #[error("no line leads there in one move")]
    OffLine,
    /// A tiger's move of two points that has no sheep in between.
    #[error("a tiger jumps only over a sheep")]
    NothingToCapture,
}

/// No position has more moves than this: at most one for each of the 56 lines between
/// neighbouring points, or for each of the 80 ways to jump.
pub const MAX_MOVES: usize = 56 + 80;

/// A list with room for all moves of a position.
pub type Moves = ArrayVec<Move, MAX_MOVES>;

impl GameBoard {
    /// Whether the rules allow a move, whoever's turn it is; a finished game is not looked for.
    ///
    /// # Errors
    /// Gives the reason against the move.
    pub fn check_move(&self, mv: Move) -> Result<(), MoveError> {
        match mv {
            Move::PlaceSheep { pos } => self.check_placement(pos),
            Move::MoveSheep { from, to } => self.check_sheep(from, to),
            Move::MoveTiger { from, to } => self.check_tiger(from, to),
        }
    }

    fn check_placement(&self, pos: Pos) -> Result<(), MoveError> {
        if !on_board(pos) {
            return Err(MoveError::OffBoard);
        }
        if self.sheep_left() == 0 {
            return Err(MoveError::NoSheepInHand);
        }
        self.check_empty(pos)
    }

    fn check_sheep(&self, from: Pos, to: Pos) -> Result<(), MoveError> {
        if !on_board(from) || !on_board(to) {
            return Err(MoveError::OffBoard);
        }
        if self.sheep_left() > 0 {
            return Err(MoveError::SheepInHand);
        }
        if self.sheep_points() & bit(from) == 0 {
            return Err(MoveError::NoSheepThere);
        }
        if !on_line(from, to, 1) {
            return Err(MoveError::OffLine);
        }
        self.check_empty(to)
    }

    fn check_tiger(&self, from: Pos, to: Pos) -> Result<(), MoveError> {
        if !on_board(from) || !on_board(to) {
            return Err(MoveError::OffBoard);
        }
        if self.tiger_points() & bit(from) == 0 {
            return Err(MoveError::NoTigerThere);
        }
        if on_line(from, to, 1) {
            return self.check_empty(to);
        }
        if !on_line(from, to, 2) {
            return Err(MoveError::OffLine);
        }
        self.check_empty(to)?;
        if self.sheep_points() & bit(midpoint(from, to)) == 0 {
            return Err(MoveError::NothingToCapture);
        }
        Ok(())
    }

    fn check_empty(&self, pos: Pos) -> Result<(), MoveError> {
        if self.empty_points() & bit(pos) == 0 {
            return Err(MoveError::Occupied);
        }
        Ok(())
    }

    /// The points that sheep on the board can step to in direction `d`.
    #[must_use]
    #[inline]
    pub(super) const fn sheep_steps(&self, d: usize) -> u32 {
        shift(self.sheep_points() & STEP_SOURCES[d], DELTAS[d]) & self.empty_points()
    }

    /// The points that tigers can step to, and those that they can jump to, in direction `d`.
    #[must_use]
    #[inline]
    pub(super) const fn tiger_targets(&self, d: usize) -> (u32, u32) {
        let (tigers, empty) = (self.tiger_points(), self.empty_points());
        let steps = shift(tigers & STEP_SOURCES[d], DELTAS[d]) & empty;
        let jumped = shift(tigers & JUMP_SOURCES[d], DELTAS[d]) & self.sheep_points();
        (steps, shift(jumped, DELTAS[d]) & empty)
    }

    /// All moves of a side, a tiger's jumps before its steps; a finished game is not looked for.
    #[must_use]
    pub fn get_moves(&self, turn: Turn) -> Moves {
        let mut moves = Moves::new();
        self.moves_into(turn, &mut moves);
        moves
    }

    /// As [`GameBoard::get_moves`], into a list that is there already.
    #[inline]
    pub(super) fn moves_into(&self, turn: Turn, moves: &mut Moves) {
        moves.clear();
        match turn {
            Turn::Tiger => self.tiger_moves(moves),
            Turn::Sheep if self.sheep_left() > 0 => {
                for to in bits(self.empty_points()) {
                    moves.push(Move::PlaceSheep {
                        pos: pos_of_bit(to),
                    });
                }
            }
            Turn::Sheep => self.sheep_moves(moves),
        }
    }

    fn tiger_moves(&self, moves: &mut Moves) {
        let targets: [(u32, u32); 8] = std::array::from_fn(|d| self.tiger_targets(d));
        for (d, (_, jumps)) in targets.into_iter().enumerate() {
            push_tiger_moves(moves, jumps, d, 2);
        }
        for (d, (steps, _)) in targets.into_iter().enumerate() {
            push_tiger_moves(moves, steps, d, 1);
        }
    }

    /// Adds the tigers' jumps to a list.
    #[inline]
    pub(super) fn jumps_into(&self, moves: &mut Moves) {
        for d in 0..8 {
            push_tiger_moves(moves, self.tiger_targets(d).1, d, 2);
        }
    }

    fn sheep_moves(&self, moves: &mut Moves) {
        for d in 0..8 {
            for to in bits(self.sheep_steps(d)) {
                moves.push(Move::MoveSheep {
                    from: pos_of_bit(source(to, d, 1)),
                    to: pos_of_bit(to),
                });
            }
        }
    }

    /// Whether a side has a move; a finished game is not looked for.
    #[must_use]
    #[inline]
    pub fn has_moves(&self, turn: Turn) -> bool {
        match turn {
            Turn::Tiger => (0..8).any(|d| {
                let (steps, jumps) = self.tiger_targets(d);
                steps | jumps != 0
            }),
            Turn::Sheep if self.sheep_left() > 0 => self.empty_points() != 0,
            Turn::Sheep => (0..8).any(|d| self.sheep_steps(d) != 0),
        }
    }
}

/// Lists the tigers' moves of `dist` points in direction `d` to some points.
#[inline]
fn push_tiger_moves(moves: &mut Moves, targets: u32, d: usize, dist: i32) {
    for to in bits(targets) {
        moves.push(Move::MoveTiger {
            from: pos_of_bit(source(to, d, dist)),
            to: pos_of_bit(to),
        });
    }
}

/// The bit that a move of `dist` points in direction `d` to bit `to` came from.
#[inline]
fn source(to: u32, d: usize, dist: i32) -> u32 {
    to.wrapping_add_signed(-i32::from(DELTAS[d]) * dist)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::position::{Position, tests::positions};
    use super::*;
    use crate::game::{Game, Notation};

    fn board(text: &str) -> GameBoard {
        Position::parse_position(text).unwrap().board
    }

    fn tiger(from: Pos, to: Pos) -> Move {
        Move::MoveTiger { from, to }
    }

    fn sheep(from: Pos, to: Pos) -> Move {
        Move::MoveSheep { from, to }
    }

    #[test]
    fn each_reason_against_a_move_has_its_variant() {
        let start = GameBoard::default();
        let sliding = board("TSSSS/SSSSS/S..SS/SSSSS/STTT. s 0");
        let cases = [
            (start, Move::PlaceSheep { pos: (5, 0) }, MoveError::OffBoard),
            (start, tiger((0, 0), (0, 5)), MoveError::OffBoard),
            (start, sheep((9, 0), (0, 0)), MoveError::OffBoard),
            (
                sliding,
                Move::PlaceSheep { pos: (1, 2) },
                MoveError::NoSheepInHand,
            ),
            (start, Move::PlaceSheep { pos: (0, 0) }, MoveError::Occupied),
            (start, sheep((1, 0), (1, 1)), MoveError::SheepInHand),
            (sliding, sheep((1, 2), (2, 2)), MoveError::NoSheepThere),
            (sliding, sheep((0, 2), (1, 3)), MoveError::Occupied),
            (sliding, sheep((3, 1), (1, 2)), MoveError::OffLine),
            (sliding, sheep((2, 1), (1, 2)), MoveError::OffLine),
            (sliding, tiger((1, 2), (2, 2)), MoveError::NoTigerThere),
            (sliding, tiger((0, 0), (1, 1)), MoveError::Occupied),
            (sliding, tiger((0, 0), (0, 2)), MoveError::Occupied),
            (sliding, tiger((0, 0), (3, 0)), MoveError::OffLine),
            (sliding, tiger((0, 0), (1, 2)), MoveError::OffLine),
            (start, tiger((0, 0), (2, 2)), MoveError::NothingToCapture),
        ];
        for (board, mv, reason) in cases {
            assert_eq!(board.check_move(mv), Err(reason), "{mv:?}");
            let mut unchanged = board;
            assert_eq!(unchanged.make_move(mv), Err(reason));
            assert_eq!(unchanged, board);
        }
    }

    #[test]
    fn odd_points_have_no_diagonals() {
        let odd = board("5/2T2/3S1/5/TTT2 t 19").check_move(tiger((2, 1), (4, 3)));
        assert_eq!(odd, Err(MoveError::OffLine));
        let even = board("5/1T3/2S2/5/TTT2 t 19").check_move(tiger((1, 1), (3, 3)));
        assert_eq!(even, Ok(()));
    }

    #[test]
    fn nothing_wraps_around_between_rows() {
        let board = board("3TS/5/5/5/TTT2 t 19");
        let jumps = board.get_moves(Turn::Tiger);
        assert!(jumps.iter().all(|mv| !mv.is_jump()), "{jumps:?}");
    }

    #[test]
    fn a_sheep_in_the_corner_and_two_along_the_edge_are_safe() {
        for text in ["ST3/5/5/5/TTT2 t 19", "TSS2/5/5/5/TTT2 t 18"] {
            let moves = board(text).get_moves(Turn::Tiger);
            assert!(moves.iter().all(|mv| !mv.is_jump()), "{text}: {moves:?}");
        }
    }

    proptest! {
        #[test]
        fn generated_moves_are_exactly_those_that_check(position in positions()) {
            for turn in [Turn::Tiger, Turn::Sheep] {
                let board = position.board;
                let generated = board.get_moves(turn);
                let mut checked = 0;
                for from in (0..25).map(pos_of_bit) {
                    let placed = Move::PlaceSheep { pos: from };
                    let moved = (0..25).map(pos_of_bit).map(|to| match turn {
                        Turn::Tiger => tiger(from, to),
                        Turn::Sheep => sheep(from, to),
                    });
                    let placed = (turn == Turn::Sheep).then_some(placed);
                    for mv in moved.chain(placed) {
                        if board.check_move(mv).is_ok() {
                            checked += 1;
                            prop_assert!(generated.contains(&mv), "{mv:?}");
                        }
                    }
                }
                prop_assert_eq!(generated.len(), checked);
                prop_assert_eq!(board.has_moves(turn), checked > 0);
                let first_step = generated.iter().position(|mv| !mv.is_jump());
                let quiet = &generated[first_step.unwrap_or(generated.len())..];
                prop_assert!(quiet.iter().all(|mv| !mv.is_jump()));
            }
        }

        #[test]
        fn move_indices_are_unique(position in positions()) {
            let moves = position.moves();
            let mut indices: Vec<_> = moves.iter().map(|mv| Position::move_index(*mv)).collect();
            indices.sort_unstable();
            indices.dedup();
            prop_assert_eq!(indices.len(), moves.len());
            prop_assert!(indices.iter().all(|index| *index < Position::MOVE_INDICES));
        }
    }
}
