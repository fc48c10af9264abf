//! A board with the side to move: what the pipeline sees of Bagh-Chal.

use serde::{Deserialize, Serialize};

use super::board::{DEAD_SHEEP_TO_WIN, GameBoard, ONE_SHEEP, TOTAL_SHEEP};
use super::geometry::{BOARD, DELTAS, JUMP_SOURCES, POINTS, STEP_SOURCES, bit_idx};
use super::movement::{Move, Moves};
use super::symmetry::{SYMMETRIES, inverse_symmetry, transform_move};
use crate::game::{self, Game, Side};

/// Tigers on the board, always.
pub(super) const TIGERS: u32 = 4;
/// The bit of a key that tells that the sheep are to move; no point has it.
const SHEEP_TO_MOVE: u64 = 1 << 25;

/// The side about to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Turn {
    /// The tigers, who want high scores.
    Tiger,
    /// The sheep, who want low scores.
    Sheep,
}

impl Turn {
    /// The other side.
    #[must_use]
    pub const fn next_turn(self) -> Self {
        match self {
            Self::Tiger => Self::Sheep,
            Self::Sheep => Self::Tiger,
        }
    }
}

impl From<Turn> for Side {
    fn from(turn: Turn) -> Self {
        match turn {
            Turn::Tiger => Self::Max,
            Turn::Sheep => Self::Min,
        }
    }
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// The tigers won.
    Tiger,
    /// The sheep won.
    Sheep,
    /// Nobody won.
    Draw,
}

impl Outcome {
    /// The outcome in which `winner` has won.
    #[must_use]
    pub const fn win(winner: Turn) -> Self {
        match winner {
            Turn::Tiger => Self::Tiger,
            Turn::Sheep => Self::Sheep,
        }
    }

    /// +1 if the tigers won, −1 if the sheep won, 0 for a draw.
    #[must_use]
    pub const fn value(self) -> i8 {
        match self {
            Self::Tiger => 1,
            Self::Draw => 0,
            Self::Sheep => -1,
        }
    }
}

impl From<Outcome> for game::Outcome {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Tiger => Self::Max,
            Outcome::Draw => Self::Draw,
            Outcome::Sheep => Self::Min,
        }
    }
}

/// A board and the side about to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// The pieces and the sheep in hand.
    pub board: GameBoard,
    /// The side about to move.
    pub turn: Turn,
}

impl Position {
    /// A position that a game can reach as far as counts tell.
    ///
    /// # Errors
    /// Says in a sentence what cannot be.
    pub fn checked(board: GameBoard, turn: Turn) -> Result<Self, String> {
        let tigers = board.tiger_points().count_ones();
        if tigers != TIGERS {
            return Err(format!("has {tigers} tigers; there are always {TIGERS}"));
        }
        if board.tiger_points() & board.sheep_points() != 0 {
            return Err("has a tiger and a sheep on one point".to_owned());
        }
        let (on_board, in_hand) = (board.sheep_count(), board.sheep_left());
        let alive = on_board + in_hand;
        if alive > TOTAL_SHEEP {
            return Err(format!(
                "has {on_board} sheep on the board and {in_hand} in hand; \
                 there are at most {TOTAL_SHEEP} in all"
            ));
        }
        let dead = TOTAL_SHEEP - alive;
        if dead > DEAD_SHEEP_TO_WIN {
            return Err(format!(
                "has {on_board} sheep on the board and {in_hand} in hand, so {dead} dead of \
                 {TOTAL_SHEEP}; a game ends with {DEAD_SHEEP_TO_WIN} dead"
            ));
        }
        if dead == DEAD_SHEEP_TO_WIN && turn == Turn::Tiger {
            return Err(format!(
                "has {dead} dead sheep with the tigers to move; the last capture leaves the sheep to move"
            ));
        }
        Ok(Self { board, turn })
    }
}

/// For each pair of points, the index of the step (below 112) or jump (from 112) between them.
pub(super) const TRAVEL_INDEX: [[u8; POINTS]; POINTS] = {
    let mut table = [[u8::MAX; POINTS]; POINTS];
    let mut next = 0;
    let mut dist = 1;
    while dist <= 2 {
        let mut from = 0;
        while from < POINTS {
            let mut d = 0;
            while d < DELTAS.len() {
                let sources = if dist == 1 {
                    STEP_SOURCES[d]
                } else {
                    JUMP_SOURCES[d]
                };
                if sources >> from & 1 == 1 {
                    let to = from as isize + DELTAS[d] as isize * dist;
                    table[from][to as usize] = next;
                    next += 1;
                }
                d += 1;
            }
            from += 1;
        }
        dist += 1;
    }
    table
};
/// Steps and jumps between two points.
pub(super) const TRAVELS: usize = 112 + 80;

impl Game for Position {
    type Rules = ();
    type Move = Move;
    type Moves = Moves;
    type Key = u64;
    type Code = u64;

    const NAME: &'static str = "bagh-chal";
    const SYMMETRIES: usize = SYMMETRIES;
    const MOVE_INDICES: usize = TRAVELS + POINTS;
    const STRATA: &'static [&'static str] =
        &["0 dead", "1 dead", "2 dead", "3 dead", "4 dead", "5 dead"];

    fn start((): &()) -> Self {
        Self {
            board: GameBoard::default(),
            turn: Turn::Sheep,
        }
    }

    fn rules(&self) {}

    #[inline]
    fn side_to_move(&self) -> Side {
        self.turn.into()
    }

    #[inline]
    fn outcome(&self) -> Option<game::Outcome> {
        self.board
            .check_win(self.turn)
            .then(|| Outcome::win(self.turn.next_turn()).into())
    }

    #[inline]
    fn moves_into(&self, moves: &mut Moves) {
        self.board.moves_into(self.turn, moves);
    }

    #[inline]
    fn noisy_moves_into(&self, moves: &mut Moves) {
        moves.clear();
        if self.turn == Turn::Tiger {
            self.board.jumps_into(moves);
        }
    }

    #[inline]
    fn play(&self, mv: Move) -> Self {
        Self {
            board: self.board.after_move_unchecked(mv),
            turn: self.turn.next_turn(),
        }
    }

    #[inline]
    fn is_noisy(&self, mv: Move) -> bool {
        mv.is_jump()
    }

    #[inline]
    fn is_irreversible(&self, mv: Move) -> bool {
        mv.is_jump() || matches!(mv, Move::PlaceSheep { .. })
    }

    #[inline]
    fn can_repeat(&self) -> bool {
        self.board.sheep_left() == 0
    }

    #[inline]
    fn can_return_to(&self, earlier: &Self) -> bool {
        self.can_repeat()
            && earlier.can_repeat()
            && earlier.board.sheep_count() == self.board.sheep_count()
    }

    fn move_index(mv: Move) -> usize {
        match mv {
            Move::PlaceSheep { pos } => TRAVELS + bit_idx(pos),
            Move::MoveSheep { from, to } | Move::MoveTiger { from, to } => {
                usize::from(TRAVEL_INDEX[bit_idx(from)][bit_idx(to)])
            }
        }
    }

    #[inline]
    fn key(&self) -> u64 {
        match self.turn {
            Turn::Tiger => self.board.key(),
            Turn::Sheep => self.board.key() | SHEEP_TO_MOVE,
        }
    }

    fn encode(&self) -> u64 {
        self.key()
    }

    fn decode(code: u64) -> Result<Self, String> {
        let turn = if code & SHEEP_TO_MOVE == 0 {
            Turn::Tiger
        } else {
            Turn::Sheep
        };
        let (low, sheep_mask) = ((code & !SHEEP_TO_MOVE) as u32, (code >> 32) as u32);
        if low & !BOARD != 0 {
            return Err(format!("the code {code:#018x} sets bits that mean nothing"));
        }
        let board = GameBoard::from_masks(low, sheep_mask);
        Self::checked(board, turn).map_err(|reason| format!("the code {code:#018x} {reason}"))
    }

    fn transformed(&self, symmetry: usize) -> Self {
        Self {
            board: self.board.transformed(symmetry),
            turn: self.turn,
        }
    }

    #[inline]
    fn transform_move(mv: Move, symmetry: usize) -> Move {
        transform_move(mv, symmetry)
    }

    fn inverse_symmetry(symmetry: usize) -> usize {
        inverse_symmetry(symmetry)
    }

    fn canonical(&self) -> (Self, usize) {
        let (board, symmetry) = self.board.canonical();
        let turn = self.turn;
        (Self { board, turn }, symmetry)
    }

    fn stratum(&self) -> usize {
        self.board.dead_sheep().min(DEAD_SHEEP_TO_WIN) as usize
    }

    fn null_move(&self) -> Option<Self> {
        Some(Self {
            board: self.board,
            turn: self.turn.next_turn(),
        })
    }
}

// The key of a board without the two unused fields would collide with the flag for the side.
const _: () = assert!(SHEEP_TO_MOVE as u32 & BOARD == 0 && ONE_SHEEP > BOARD);

#[cfg(test)]
pub(in crate::games::bagh_chal) mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Positions that random games reach, finished ones included.
    pub(in crate::games::bagh_chal) fn positions() -> impl Strategy<Value = Position> {
        prop::collection::vec(any::<prop::sample::Index>(), 0..100).prop_map(|choices| {
            let mut position = Position::start(&());
            for choice in choices {
                if position.outcome().is_some() {
                    break;
                }
                let moves = position.moves();
                position = position.play(*choice.get(&moves));
            }
            position
        })
    }

    proptest! {
        #[test]
        fn files_give_back_the_position(position in positions()) {
            prop_assert_eq!(Position::decode(position.encode()), Ok(position));
        }

        #[test]
        fn whatever_decodes_is_a_position_that_can_be(code in any::<u64>()) {
            if let Ok(position) = Position::decode(code) {
                prop_assert_eq!(position.encode(), code);
                prop_assert_eq!(position.board.tiger_points().count_ones(), 4);
            }
        }

        #[test]
        fn an_irreversible_move_leaves_nothing_to_return_to(position in positions()) {
            prop_assume!(position.outcome().is_none());
            for mv in position.moves() {
                let after = position.play(mv);
                if position.is_irreversible(mv) {
                    prop_assert!(!after.can_return_to(&position));
                }
                if !after.can_repeat() {
                    prop_assert!(!after.can_return_to(&after));
                }
            }
        }
    }

    #[test]
    fn codes_of_impossible_positions_are_refused() {
        let start = Position::start(&()).encode();
        for (code, reason) in [
            (start | 1 << 26, "mean nothing"),
            (start | 1 << 1, "5 tigers"),
            (start | 1 << 32, "one point"),
            (start + (2 << 57), "22 in hand"),
            (start - (6 << 57), "6 dead"),
            ((start - (5 << 57)) & !SHEEP_TO_MOVE, "tigers to move"),
        ] {
            let refusal = Position::decode(code).unwrap_err();
            assert!(refusal.contains(reason), "{refusal}");
        }
    }

    #[test]
    fn values_of_outcomes_have_the_sign_of_scores() {
        assert_eq!(Outcome::win(Turn::Tiger).value(), 1);
        assert_eq!(Outcome::win(Turn::Sheep).value(), -1);
        assert_eq!(Outcome::Draw.value(), 0);
    }
}
