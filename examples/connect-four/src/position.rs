//! Rules, on bitboards: 7 columns of 7 bits, of which the highest is always empty.

use arrayvec::ArrayVec;
use bagheera::game::{Game, Outcome, Side};

/// Bits of a column, so also the distance of a cell from its right neighbour.
pub const COLUMN: u32 = 7;
/// Bits of the board.
pub const CELLS: usize = 49;
/// The lowest cell of each column.
const BOTTOM: u64 = 0x0408_1020_4081;
/// All cells.
const BOARD: u64 = BOTTOM * 0b11_1111;

/// A position: the stones of yellow, which is `Max` and moves first, and of red.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position([u64; 2]);

/// A column, from 0 at the left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move(pub u8);

impl Position {
    /// The position with these stones; an error says why no game leads to it.
    pub fn new(yellow: u64, red: u64) -> Result<Self, String> {
        let stones = yellow | red;
        let (own, other) = (yellow.count_ones(), red.count_ones());
        let position = Self([yellow, red]);
        let reason = if yellow & red != 0 || stones & !BOARD != 0 {
            "a stone is off the board or on another"
        } else if stones & (stones + BOTTOM) != 0 {
            "a stone is above an empty cell"
        } else if own != other && own != other + 1 {
            "yellow has as many stones as red, or one more"
        } else if has_four(position.stones(position.side_to_move())) {
            "the side to move has four in a row"
        } else {
            return Ok(position);
        };
        Err(reason.to_owned())
    }

    /// The stones of a side.
    pub fn stones(&self, side: Side) -> u64 {
        self.0[side as usize]
    }

    /// The empty cells.
    pub fn empty(&self) -> u64 {
        BOARD & !(self.0[0] | self.0[1])
    }

    /// The cell on which a stone in a column lands; none if the column is full.
    fn landing(&self, column: u8) -> u64 {
        let column = 0b11_1111 << (u32::from(column) * COLUMN);
        (BOARD & !self.empty()).wrapping_add(BOTTOM) & column
    }
}

/// The distances of neighbours in a row, a column and the diagonals.
const STEPS: [u32; 4] = [1, COLUMN - 1, COLUMN, COLUMN + 1];

fn has_four(stones: u64) -> bool {
    STEPS.iter().any(|step| {
        let pairs = stones & stones >> step;
        pairs & pairs >> (2 * step) != 0
    })
}

/// The cells that complete four in a row with some stones, occupied ones and the bits above the board among them.
pub fn completions(stones: u64) -> u64 {
    STEPS.iter().fold(0, |cells, step| {
        let at = |shift: i32| match shift {
            0.. => stones >> (shift as u32 * step),
            _ => stones << (shift.unsigned_abs() * step),
        };
        let places = [[1, 2, 3], [-1, 1, 2], [-2, -1, 1], [-3, -2, -1]];
        let four = |place: [i32; 3]| place.map(at).into_iter().fold(u64::MAX, |all, a| all & a);
        cells | places.map(four).into_iter().fold(0, |any, four| any | four)
    })
}

impl Game for Position {
    type Rules = ();
    type Move = Move;
    type Moves = ArrayVec<Move, 7>;
    type Key = u64;
    type Code = [u64; 2];

    const NAME: &'static str = "connect-four";
    const SYMMETRIES: usize = 2;
    const MOVE_INDICES: usize = 7;

    fn start((): &()) -> Self {
        Self([0, 0])
    }

    fn rules(&self) {}

    fn side_to_move(&self) -> Side {
        if self.empty().count_ones().is_multiple_of(2) {
            Side::Max
        } else {
            Side::Min
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        let last = self.side_to_move().other();
        if has_four(self.stones(last)) {
            return Some(Outcome::win(last));
        }
        (self.empty() == 0).then_some(Outcome::Draw)
    }

    /// The middle first, where most lines cross.
    fn moves_into(&self, moves: &mut Self::Moves) {
        let columns = [3, 2, 4, 1, 5, 0, 6].into_iter();
        moves.clear();
        moves.extend(
            columns
                .filter(|column| self.landing(*column) != 0)
                .map(Move),
        );
    }

    fn play(&self, mv: Move) -> Self {
        let mut after = *self;
        after.0[self.side_to_move() as usize] |= self.landing(mv.0);
        after
    }

    fn move_index(mv: Move) -> usize {
        mv.0.into()
    }

    /// In each column, the stones of yellow below a bit that marks the height.
    fn key(&self) -> u64 {
        self.0[0] + (self.0[0] | self.0[1]) + BOTTOM
    }

    fn encode(&self) -> [u64; 2] {
        self.0
    }

    fn decode([yellow, red]: [u64; 2]) -> Result<Self, String> {
        Self::new(yellow, red)
    }

    fn transformed(&self, symmetry: usize) -> Self {
        let mirrored = |stones: u64| {
            let column = |n| (stones >> (n * COLUMN) & 0b11_1111) << ((6 - n) * COLUMN);
            (0..7).map(column).sum()
        };
        if symmetry == 0 {
            *self
        } else {
            Self(self.0.map(mirrored))
        }
    }

    fn transform_move(mv: Move, symmetry: usize) -> Move {
        if symmetry == 0 { mv } else { Move(6 - mv.0) }
    }
}

#[cfg(test)]
mod tests;
