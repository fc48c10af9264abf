//! The layers: positions that are solved together and lie in one file.

use std::fmt;
use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use super::super::board::TOTAL_SHEEP;
use super::placement::{CLASSES, sets};
use super::planes::WORDS;
use super::sliding::{FEWEST_SHEEP, MOST_SHEEP};

/// Positions that are solved together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Layer {
    /// All sheep placed, so many on the board; both sides to move, with distances.
    Sliding(u32),
    /// So many sheep in hand, the sheep to move, values alone.
    Placing(u32),
}

impl fmt::Display for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sliding(sheep) => write!(f, "{sheep} sheep sliding"),
            Self::Placing(in_hand) => write!(f, "{in_hand} in hand"),
        }
    }
}

impl Layer {
    /// The layers up to one with so many sheep in hand, each after those that it is made from.
    pub fn up_to(in_hand: u32) -> impl Iterator<Item = Self> {
        let sliding = (FEWEST_SHEEP..=MOST_SHEEP).map(Self::Sliding);
        sliding.chain((1..=in_hand).map(Self::Placing))
    }

    /// Bytes of memory that making the layers up to one takes.
    #[must_use]
    pub fn working_memory(in_hand: u32) -> u64 {
        // Two bytes for each entry and side of the largest layer; or two planes for each class.
        let sliding = 2 * Self::Sliding(FEWEST_SHEEP).bytes();
        let planes = 2 * 8 * WORDS * CLASSES.list.len();
        sliding.max(if in_hand > 0 { planes } else { 0 }) as u64
    }

    /// The name of its file.
    #[must_use]
    pub fn file_name(self) -> String {
        match self {
            Self::Sliding(sheep) => format!("sliding-{sheep}.table"),
            Self::Placing(in_hand) => format!("placing-{in_hand:02}.table"),
        }
    }

    /// Sheep in hand of the placing layer that a file is for; none of other files.
    pub(super) fn in_hand_of_file(name: &str) -> Option<u32> {
        (1..=TOTAL_SHEEP).find(|in_hand| Self::Placing(*in_hand).file_name() == name)
    }

    /// Bytes of its entries.
    #[must_use]
    pub fn bytes(self) -> usize {
        let row = match self {
            Self::Sliding(sheep) => 2 * sets(sheep),
            Self::Placing(in_hand) => PlacingRow::of(in_hand).bytes,
        };
        CLASSES.list.len() * row
    }
}

/// Sheep on the board with so many in hand, in positions that are not over.
pub(super) fn on_board(in_hand: u32) -> RangeInclusive<u32> {
    FEWEST_SHEEP.saturating_sub(in_hand)..=TOTAL_SHEEP - in_hand
}

/// How the entries of one class lie in a placing layer: by sheep on the board, then by rank, four
/// to a byte.
#[derive(Clone, Debug)]
pub(super) struct PlacingRow {
    /// Bytes of the row.
    pub bytes: usize,
    /// Sheep on the board.
    pub on_board: RangeInclusive<u32>,
    /// Where the entries for each number of sheep begin.
    starts: Vec<usize>,
}

impl PlacingRow {
    pub fn of(in_hand: u32) -> Self {
        let on_board = on_board(in_hand);
        let mut bytes = 0;
        let mut starts = Vec::new();
        for sheep in on_board.clone() {
            starts.push(bytes);
            bytes += sets(sheep).div_ceil(4);
        }
        Self {
            bytes,
            on_board,
            starts,
        }
    }

    /// Where the entries for a number of sheep begin.
    #[inline]
    pub fn start(&self, sheep: u32) -> usize {
        self.starts[(sheep - self.on_board.start()) as usize]
    }
}
