//! What the tables hold, counted.

use rayon::prelude::*;
use serde::Serialize;

use super::super::board::{GameBoard, ONE_SHEEP};
use super::super::position::{Position, Turn};
use super::entry::DRAW;
use super::layer::{Layer, on_board};
use super::placement::{CLASSES, all_sets, sets};
use super::placing::{decode, entry, unpack};
use super::sliding::{FEWEST_SHEEP, MOST_SHEEP};
use super::tables::Tables;
use crate::game::{Notation, Outcome};
use crate::interrupt::Interrupt;

/// Positions by who wins under best play.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ValueCounts {
    /// The tigers win.
    pub tiger: u64,
    /// Nobody can force a win.
    pub draw: u64,
    /// The sheep win.
    pub sheep: u64,
}

impl ValueCounts {
    fn add(&mut self, value: Outcome, times: u64) {
        match value {
            Outcome::Max => self.tiger += times,
            Outcome::Draw => self.draw += times,
            Outcome::Min => self.sheep += times,
        }
    }
}

/// A longest win.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LongestWin {
    /// Plies to the end of the game.
    pub plies: u32,
    /// A position that takes so long.
    pub position: String,
}

/// What is known of the positions with a side to move and as many sheep on the board and in hand.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LayerStatistics {
    /// Sheep in hand.
    pub in_hand: u32,
    /// Sheep on the board.
    pub sheep: u32,
    /// The side to move.
    pub turn: Turn,
    /// All placements, images among them.
    pub all: ValueCounts,
    /// Placements up to symmetry.
    pub up_to_symmetry: ValueCounts,
    /// The longest win of the tigers, where distances are known.
    pub longest_tiger_win: Option<LongestWin>,
    /// The longest win of the sheep, where distances are known.
    pub longest_sheep_win: Option<LongestWin>,
    /// Plies to the end and how many placements are so far from it, draws aside, where distances
    /// are known.
    pub distances: Vec<(u32, u64)>,
}

/// The counts of one class, or of several.
#[derive(Clone, Default)]
struct Counts {
    all: ValueCounts,
    canonical: ValueCounts,
    /// By plies to the end.
    distances: Vec<u64>,
    /// By side, the longest win and where it is.
    longest: [Option<(u8, usize, u32)>; 2],
}

impl Counts {
    fn merge(mut self, other: Self) -> Self {
        for (mine, theirs) in [
            (&mut self.all, other.all),
            (&mut self.canonical, other.canonical),
        ] {
            mine.tiger += theirs.tiger;
            mine.draw += theirs.draw;
            mine.sheep += theirs.sheep;
        }
        let length = self.distances.len().max(other.distances.len());
        self.distances.resize(length, 0);
        for (mine, theirs) in self.distances.iter_mut().zip(other.distances) {
            *mine += theirs;
        }
        for (mine, theirs) in self.longest.iter_mut().zip(other.longest) {
            // Classes come in order, so the first of the longest stays.
            if theirs.map(|win| win.0) > mine.map(|win| win.0) {
                *mine = theirs;
            }
        }
        self
    }
}

/// Counts everything that the tables hold, the largest numbers of sheep in hand last; none if
/// interrupted.
#[must_use]
pub fn statistics(tables: &Tables, interrupt: &Interrupt) -> Option<Vec<LayerStatistics>> {
    let mut statistics = Vec::new();
    for sheep in FEWEST_SHEEP..=MOST_SHEEP {
        for turn in [Turn::Tiger, Turn::Sheep] {
            let half = tables.half(sheep, turn);
            let value = |class: usize, index: usize, _set| {
                let plies = half[class * sets(sheep) + index];
                let exact = super::entry::decode(plies, turn.into());
                (exact.value, plies)
            };
            statistics.push(count((0, sheep, turn), interrupt, value)?);
        }
    }
    for in_hand in 1..=tables.in_hand() {
        let (row, table) = &tables.placing[in_hand as usize - 1];
        for sheep in on_board(in_hand) {
            let value = |class, _index, set| {
                let (start, index) = entry(row, class, set);
                (decode(unpack(&table.entries()[start..], index)), DRAW)
            };
            statistics.push(count((in_hand, sheep, Turn::Sheep), interrupt, value)?);
        }
    }
    Some(statistics)
}

fn count(
    (in_hand, sheep, turn): (u32, u32, Turn),
    interrupt: &Interrupt,
    value: impl Fn(usize, usize, u32) -> (Outcome, u8) + Sync,
) -> Option<LayerStatistics> {
    let of_class = |class: usize| {
        if interrupt.requested() {
            return None;
        }
        let tigers = &CLASSES.list[class];
        let mut counts = Counts::default();
        for (index, set) in all_sets(sheep).enumerate() {
            let (value, plies) = value(class, index, set);
            counts.all.add(value, tigers.orbit());
            let canonical =
                tigers.stabilizer.len() == 1 || tigers.canonical_rank(tigers.expand(set)) == index;
            counts.canonical.add(value, canonical.into());
            if plies == DRAW {
                continue;
            }
            let length = counts.distances.len().max(usize::from(plies) + 1);
            counts.distances.resize(length, 0);
            counts.distances[usize::from(plies)] += tigers.orbit();
            let longest = &mut counts.longest[usize::from(value == Outcome::Min)];
            if longest.is_none_or(|(longest, ..)| plies > longest) {
                *longest = Some((plies, class, set));
            }
        }
        Some(counts)
    };
    let classes: Option<Vec<Counts>> = (0..CLASSES.list.len())
        .into_par_iter()
        .map(of_class)
        .collect();
    let counts = classes?.into_iter().fold(Counts::default(), Counts::merge);
    let [longest_tiger_win, longest_sheep_win] = counts.longest.map(|longest| {
        longest.map(|(plies, class, set)| {
            let tigers = &CLASSES.list[class];
            let sheep = tigers.expand(set) | (in_hand * ONE_SHEEP);
            let board = GameBoard::from_masks(tigers.tigers, sheep);
            LongestWin {
                plies: plies.into(),
                position: Position { board, turn }.format_position(),
            }
        })
    });
    let distances = (0..).zip(counts.distances);
    Some(LayerStatistics {
        in_hand,
        sheep,
        turn,
        all: counts.all,
        up_to_symmetry: counts.canonical,
        longest_tiger_win,
        longest_sheep_win,
        distances: distances.filter(|(_, count)| *count > 0).collect(),
    })
}

impl LayerStatistics {
    /// Which layer it is of.
    #[must_use]
    pub fn layer(&self) -> Layer {
        match self.in_hand {
            0 => Layer::Sliding(self.sheep),
            in_hand => Layer::Placing(in_hand),
        }
    }
}
