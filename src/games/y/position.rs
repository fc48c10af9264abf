//! The stones with the side to move: what the pipeline sees of Y.

use serde::{Deserialize, Serialize};

use super::geometry::{Board, LARGEST_SIDE, Mask, SMALLEST_SIDE, bits, connects, row_and_column};
use super::moves::{Move, Moves};
use super::symmetry::{SYMMETRIES, inverse_symmetry, transform_move, transformed};
use crate::game::{Game, Outcome, Side};

/// The bit of a code that tells that the second player is to move; no cell has it.
const SECOND_TO_MOVE: u128 = 1 << 65;
/// Where a code holds the side of the board, less one; no cell has these bits.
const SIDE_SHIFT: u32 = 1;
/// The bits of the side of the board.
const SIDE_BITS: u128 = 7 << SIDE_SHIFT;

/// What is agreed before the first stone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Size", into = "Size")]
pub struct Rules {
    side: u8,
}

/// [`Rules`] as files have them.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Size {
    side: u8,
}

impl Rules {
    /// A board of `side` cells along each edge.
    ///
    /// # Errors
    /// Says which sides there are.
    pub fn new(side: u8) -> Result<Self, String> {
        if (SMALLEST_SIDE..=LARGEST_SIDE).contains(&side) {
            return Ok(Self { side });
        }
        Err(format!(
            "a board has {SMALLEST_SIDE} to {LARGEST_SIDE} cells along an edge, not {side}"
        ))
    }

    /// Cells along each edge.
    #[must_use]
    pub fn side(self) -> u8 {
        self.side
    }
}

impl Default for Rules {
    fn default() -> Self {
        Self { side: 7 }
    }
}

impl Default for Size {
    fn default() -> Self {
        Rules::default().into()
    }
}

impl TryFrom<Size> for Rules {
    type Error = String;

    fn try_from(size: Size) -> Result<Self, String> {
        Self::new(size.side)
    }
}

impl From<Rules> for Size {
    fn from(rules: Rules) -> Self {
        Self { side: rules.side }
    }
}

/// The stones on a board and the side about to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// The stones of the first and of the second player.
    stones: [Mask; 2],
    side: u8,
    to_move: Side,
}

impl Position {
    /// A position that could be, whoever has more stones.
    ///
    /// # Errors
    /// Says in a sentence what cannot be.
    pub(super) fn checked(stones: [Mask; 2], side: u8, to_move: Side) -> Result<Self, String> {
        Rules::new(side)?;
        let [first, second] = stones;
        if (first | second) & !Board::of(side).cells != 0 {
            return Err("has stones beyond the board".to_owned());
        }
        if first & second != 0 {
            return Err("has two stones on one cell".to_owned());
        }
        let position = Self {
            stones,
            side,
            to_move,
        };
        if connects(position.stones(to_move), side) {
            return Err(format!(
                "is won by {} already, who would not be to move",
                ["b", "r"][to_move as usize]
            ));
        }
        Ok(position)
    }

    /// Cells along each edge.
    #[must_use]
    pub fn side(&self) -> u8 {
        self.side
    }

    /// The board that the stones lie on.
    #[inline]
    pub(super) fn board(&self) -> &'static Board {
        Board::of(self.side)
    }

    /// The stones of a player.
    #[inline]
    pub(super) fn stones(&self, player: Side) -> Mask {
        self.stones[player as usize]
    }

    /// The cells without a stone.
    #[inline]
    pub(super) fn empty(&self) -> Mask {
        self.board().cells & !(self.stones[0] | self.stones[1])
    }

    /// The empty cells each of which would connect the edges for a player who has not yet done so.
    #[inline]
    pub(super) fn winning_cells(&self, player: Side) -> Mask {
        let (board, own) = (self.board(), self.stones(player));
        // No chain of fewer stones touches all edges.
        if own.count_ones() + 1 < u32::from(self.side) {
            return 0;
        }
        let [x, y, z] = board.edges.map(|edge| {
            let held = board.flood(edge & own, own);
            edge | board.neighbours(held)
        });
        x & y & z & self.empty()
    }

    /// Who has a stone on the cell of a bit.
    pub(super) fn owner(&self, bit: u32) -> Option<Side> {
        [Side::Max, Side::Min]
            .into_iter()
            .find(|player| self.stones(*player) >> bit & 1 != 0)
    }
}

impl Game for Position {
    type Rules = Rules;
    type Move = Move;
    type Moves = Moves;
    type Key = u128;
    type Code = u128;

    const NAME: &'static str = "y";
    const SYMMETRIES: usize = SYMMETRIES;
    const MOVE_INDICES: usize = 64;
    const STRATA: &'static [&'static str] = &["first third", "second third", "last third"];

    fn start(rules: &Rules) -> Self {
        Self {
            stones: [0, 0],
            side: rules.side,
            to_move: Side::Max,
        }
    }

    fn rules(&self) -> Rules {
        Rules { side: self.side }
    }

    #[inline]
    fn side_to_move(&self) -> Side {
        self.to_move
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        // Whoever is to move has made no stone since it was not yet won.
        let mover = self.to_move.other();
        connects(self.stones(mover), self.side).then(|| Outcome::win(mover))
    }

    #[inline]
    fn moves_into(&self, moves: &mut Moves) {
        moves.clear();
        let empty = self.empty();
        for ring in self.board().rings {
            moves.extend(bits(empty & ring).map(|bit| Move::from_bit(bit, self.side)));
        }
    }

    /// One move that wins at once is enough; else only those count that keep the enemy from winning at
    /// once, if it threatens to.
    #[inline]
    fn prune_dominated_moves(&self, moves: &mut Moves) {
        let wins = self.winning_cells(self.to_move);
        if wins != 0 {
            let first = wins & wins.wrapping_neg();
            moves.retain(|mv| first >> mv.bit() & 1 != 0);
            return;
        }
        let threats = self.winning_cells(self.to_move.other());
        if threats != 0 {
            moves.retain(|mv| threats >> mv.bit() & 1 != 0);
        }
    }

    #[inline]
    fn noisy_moves_into(&self, moves: &mut Moves) {
        moves.clear();
    }

    #[inline]
    fn play(&self, mv: Move) -> Self {
        let mut after = *self;
        after.stones[self.to_move as usize] |= 1 << mv.bit();
        after.to_move = self.to_move.other();
        after
    }

    #[inline]
    fn move_index(mv: Move) -> usize {
        mv.bit() as usize
    }

    #[inline]
    fn key(&self) -> u128 {
        self.encode()
    }

    #[inline]
    fn encode(&self) -> u128 {
        let [first, second] = self.stones.map(u128::from);
        let to_move = match self.to_move {
            Side::Max => 0,
            Side::Min => SECOND_TO_MOVE,
        };
        first | second << 64 | u128::from(self.side - 1) << SIDE_SHIFT | to_move
    }

    fn decode(code: u128) -> Result<Self, String> {
        let side = ((code & SIDE_BITS) >> SIDE_SHIFT) as u8 + 1;
        let to_move = if code & SECOND_TO_MOVE == 0 {
            Side::Max
        } else {
            Side::Min
        };
        let stones = code & !(SIDE_BITS | SECOND_TO_MOVE);
        Self::checked([stones as u64, (stones >> 64) as u64], side, to_move)
            .map_err(|reason| format!("the code {code:#034x} {reason}"))
    }

    fn transformed(&self, symmetry: usize) -> Self {
        Self {
            stones: self
                .stones
                .map(|stones| transformed(stones, self.side, symmetry)),
            ..*self
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
        let mut least = (*self, 0);
        for symmetry in 1..SYMMETRIES {
            let image = self.transformed(symmetry);
            if image.stones < least.0.stones {
                least = (image, symmetry);
            }
        }
        least
    }

    fn stratum(&self) -> usize {
        let cells = self.board().cells.count_ones();
        let stones = cells - self.empty().count_ones();
        (3 * stones / (cells + 1)) as usize
    }

    fn null_move(&self) -> Option<Self> {
        Some(Self {
            to_move: self.to_move.other(),
            ..*self
        })
    }
}

// The lowest bits of the first row beyond its one cell hold side and turn.
const _: () = {
    assert!(row_and_column(SIDE_SHIFT).0 == 0 && SIDE_SHIFT > 0);
    assert!(LARGEST_SIDE - 1 <= 7);
};

#[cfg(test)]
pub(in crate::games::y) mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Positions that random games on boards of any side reach, finished ones included.
    pub(in crate::games::y) fn positions() -> impl Strategy<Value = Position> {
        let choices = prop::collection::vec(any::<prop::sample::Index>(), 0..36);
        (SMALLEST_SIDE..=LARGEST_SIDE, choices).prop_map(|(side, choices)| {
            let mut position = Position::start(&Rules { side });
            for choice in choices {
                if position.outcome().is_some() {
                    break;
                }
                position = position.play(*choice.get(&position.moves()));
            }
            position
        })
    }

    #[test]
    fn rules_are_read_and_refused() {
        let rules = |text: &str| toml::from_str::<Rules>(text);
        assert_eq!(rules("").unwrap(), Rules::default());
        assert_eq!(rules("side = 3").unwrap().side(), 3);
        for (text, reason) in [
            ("side = 1", "2 to 8 cells along an edge, not 1"),
            ("side = 9", "not 9"),
            ("width = 5", "unknown field"),
        ] {
            let fault = rules(text).unwrap_err().to_string();
            assert!(fault.contains(reason), "{fault}");
        }
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let fault = |stones, side| {
            let position = Position::checked(stones, side, Side::Max);
            position.unwrap_err()
        };
        assert!(fault([0, 0], 9).contains("2 to 8"));
        assert!(fault([2, 0], 3).contains("beyond the board"));
        assert!(fault([1, 1], 3).contains("two stones on one cell"));
        let column = 1 | 1 << 8 | 1 << 16;
        assert!(fault([column, 0], 3).contains("won by b already"));
        assert!(
            Position::checked([0, column], 3, Side::Max)
                .unwrap()
                .outcome()
                .is_some()
        );
    }

    proptest! {
        #[test]
        fn a_win_at_once_or_what_keeps_the_enemy_from_one_is_left(position in positions()) {
            if position.outcome().is_some() {
                return Ok(());
            }
            let wins_of = |passed: Option<Position>| {
                let Some(position) = passed else { return Vec::new() };
                let mut moves = position.moves().to_vec();
                moves.retain(|mv| position.play(*mv).outcome().is_some());
                moves
            };
            let (wins, threats) = (wins_of(Some(position)), wins_of(position.null_move()));
            let mut left = position.moves();
            position.prune_dominated_moves(&mut left);
            if !wins.is_empty() {
                prop_assert!(left.len() == 1 && wins.contains(&left[0]));
            } else if !threats.is_empty() {
                prop_assert_eq!(left.to_vec(), threats);
            } else {
                prop_assert_eq!(left, position.moves());
            }
        }

        #[test]
        fn codes_give_back_the_position(position in positions()) {
            prop_assert_eq!(Position::decode(position.encode()), Ok(position));
        }

        #[test]
        fn whatever_decodes_is_a_position_that_can_be(noise: u128, mask: u128) {
            for code in [noise, noise & mask, noise & mask & Position::start(&Rules::default()).encode()] {
                if let Ok(position) = Position::decode(code) {
                    prop_assert_eq!(position.encode(), code);
                    prop_assert!(position.outcome().is_some() || !position.moves().is_empty());
                }
            }
        }

        #[test]
        fn a_stone_of_ones_own_never_undoes_a_win(position in positions()) {
            if let Some(winner) = position.outcome().and_then(Outcome::winner) {
                let passed = position.null_move().unwrap();
                for mv in passed.moves() {
                    prop_assert_eq!(passed.play(mv).outcome(), Some(Outcome::win(winner)));
                }
            } else {
                for mv in position.moves() {
                    let wins = position.play(mv).outcome().is_some();
                    let cells = position.winning_cells(position.to_move);
                    prop_assert_eq!(cells >> mv.bit() & 1 != 0, wins);
                }
            }
        }
    }
}
