//! The placing phase, from the last sheep in hand upwards: values of every position.
//!
//! With every placement a sheep leaves the hand, so nothing repeats, and each layer follows from
//! the one with a sheep fewer in hand: first the positions with the tigers to move, by their moves,
//! then, by placements, those with the sheep to move and one more in hand. Only the latter are
//! kept; what the tigers have follows from them in one ply.
//!
//! A class of tiger placements is worked on as a whole: what holds for its 2²¹ sets of sheep is a
//! plane of bits, see [`super::planes`].

use rayon::prelude::*;

use super::super::board::{DEAD_SHEEP_TO_WIN, TOTAL_SHEEP};
use super::super::geometry::{BOARD, DELTAS, JUMP_SOURCES, STEP_SOURCES, bits, shift};
use super::super::symmetry::transform_mask;
use super::error::TableError;
use super::file::{TableFile, TableWriter};
use super::layer::{PlacingRow, on_board};
use super::placement::{CLASSES, Class, FREE, all_sets, rank};
use super::planes::{Renumbering, WORDS, has, insert, with, with_one_more};
use crate::game::Outcome;
use crate::interrupt::Interrupt;

/// Classes that are worked on between two writes, for each thread.
const CLASSES_AT_ONCE: usize = 8;

/// An entry of two bits.
pub(super) mod code {
    /// Nobody can force a win.
    pub const DRAW: u8 = 0;
    /// The tigers win.
    pub const TIGER: u8 = 1;
    /// The sheep win.
    pub const SHEEP: u8 = 2;
}

/// The outcome that two bits stand for.
#[inline]
pub(super) fn decode(code: u8) -> Outcome {
    match code {
        code::TIGER => Outcome::Max,
        code::SHEEP => Outcome::Min,
        _ => Outcome::Draw,
    }
}

/// Two planes of a class: where the tigers win, and where the sheep do.
#[derive(Clone)]
struct Planes {
    tiger: Vec<u64>,
    sheep: Vec<u64>,
}

impl Planes {
    fn empty() -> Self {
        Self {
            tiger: vec![0; WORDS],
            sheep: vec![0; WORDS],
        }
    }

    #[inline]
    fn insert(&mut self, set: u32, code: u8) {
        match code {
            code::TIGER => insert(&mut self.tiger, set),
            code::SHEEP => insert(&mut self.sheep, set),
            _ => {}
        }
    }

    #[inline]
    fn code(&self, set: u32) -> u8 {
        u8::from(has(&self.tiger, set)) * code::TIGER
            + u8::from(has(&self.sheep, set)) * code::SHEEP
    }
}

/// All classes with so many sheep in hand and the sheep to move.
pub(super) struct SheepToMove {
    in_hand: u32,
    classes: Vec<Planes>,
}

impl SheepToMove {
    /// The end of the placing phase: what the tables of the sliding phase say of positions with
    /// the sheep to move, `of` them by class and number of sheep.
    pub fn of_sliding<'a>(of: impl Fn(usize, u32) -> &'a [u8] + Sync) -> Self {
        Self::new(0, |class, sheep, planes| {
            for (&plies, set) in of(class, sheep).iter().zip(all_sets(sheep)) {
                planes.insert(set, from_plies(plies));
            }
        })
    }

    /// What a table says.
    pub fn of_table(in_hand: u32, table: &TableFile) -> Self {
        let row = PlacingRow::of(in_hand);
        Self::new(in_hand, |class, sheep, planes| {
            let start = class * row.bytes + row.start(sheep);
            let codes = &table.entries()[start..];
            for (index, set) in all_sets(sheep).enumerate() {
                planes.insert(set, unpack(codes, index));
            }
        })
    }

    fn new(in_hand: u32, fill: impl Fn(usize, u32, &mut Planes) + Sync) -> Self {
        let classes = (0..CLASSES.list.len()).into_par_iter().map(|class| {
            let mut planes = Planes::empty();
            for sheep in on_board(in_hand) {
                fill(class, sheep, &mut planes);
            }
            // The last capture of a game leads here.
            let alive = TOTAL_SHEEP - DEAD_SHEEP_TO_WIN;
            if let Some(sheep) = alive.checked_sub(in_hand) {
                all_sets(sheep).for_each(|set| planes.insert(set, code::TIGER));
            }
            planes
        });
        Self {
            in_hand,
            classes: classes.collect(),
        }
    }

    /// Writes the table with one more sheep in hand; false if interrupted.
    ///
    /// `progress` hears how many classes are done.
    pub fn write_next(
        &self,
        mut writer: TableWriter,
        interrupt: &Interrupt,
        mut progress: impl FnMut(usize),
    ) -> Result<bool, TableError> {
        let row = PlacingRow::of(self.in_hand + 1);
        let step = CLASSES_AT_ONCE * rayon::current_num_threads();
        for first in (0..self.classes.len()).step_by(step) {
            if interrupt.requested() {
                return Ok(false);
            }
            let classes = first..self.classes.len().min(first + step);
            let rows: Vec<Vec<u8>> = classes
                .clone()
                .into_par_iter()
                .map(|class| pack(&placed(&self.tigers_to_move(class)), &row))
                .collect();
            for row in rows {
                writer.push(&row)?;
            }
            progress(classes.end);
        }
        writer.finish()?;
        Ok(true)
    }

    /// A class's positions with the tigers to move.
    ///
    /// They win where a move leads to a win; they lose where all moves lead to a loss, as when
    /// there is none.
    fn tigers_to_move(&self, class: usize) -> Planes {
        let mut after = Planes {
            tiger: vec![0; WORDS],
            sheep: vec![u64::MAX; WORDS],
        };
        let mut scratch = vec![0; WORDS];
        for mv in moves(&CLASSES.list[class]) {
            let before = &self.classes[mv.class];
            let wins = mv.renumbering.prepare(&before.tiger, &mut scratch);
            mv.visit(wins, |word, legal, bits| after.tiger[word] |= bits & legal);
            let losses = mv.renumbering.prepare(&before.sheep, &mut scratch);
            mv.visit(losses, |word, legal, bits| {
                after.sheep[word] &= bits | !legal
            });
        }
        after
    }
}

/// The positions with the sheep to move and one more in hand, by those after a placement.
fn placed(after: &Planes) -> Planes {
    let mut before = Planes {
        tiger: vec![u64::MAX; WORDS],
        sheep: vec![0; WORDS],
    };
    for point in 0..FREE {
        with_one_more(point, &after.sheep, 0, &mut before.sheep, |won, bits| {
            *won |= bits;
        });
        with_one_more(
            point,
            &after.tiger,
            u64::MAX,
            &mut before.tiger,
            |lost, bits| {
                *lost &= bits;
            },
        );
    }
    before
}

fn from_plies(plies: u8) -> u8 {
    match plies {
        super::entry::DRAW => code::DRAW,
        // The sheep are to move, and who makes the last move wins.
        plies if plies & 1 == 1 => code::SHEEP,
        _ => code::TIGER,
    }
}

/// The entry number `index` of those packed four to a byte.
#[inline]
pub(super) fn unpack(codes: &[u8], index: usize) -> u8 {
    codes[index / 4] >> (2 * (index % 4)) & 3
}

/// The entries of a class, four to a byte.
fn pack(planes: &Planes, row: &PlacingRow) -> Vec<u8> {
    let mut bytes = vec![0; row.bytes];
    for sheep in row.on_board.clone() {
        let codes = &mut bytes[row.start(sheep)..];
        for (index, set) in all_sets(sheep).enumerate() {
            codes[index / 4] |= planes.code(set) << (2 * (index % 4));
        }
    }
    bytes
}

/// A move of the tigers of a class's representative.
struct TigerMove {
    /// The class that it leads to.
    class: usize,
    /// The free points of the one as those of the other, the point left for the point gained.
    renumbering: Renumbering,
    /// The number of the point gained.
    to: u32,
    /// The number of the point jumped over, if one is.
    over: Option<u32>,
}

impl TigerMove {
    fn new(class: &Class, from: u32, to: u32, over: Option<u32>) -> Self {
        let (after, symmetry) = CLASSES.of(class.tigers ^ from ^ to);
        let mut new = [0; FREE as usize];
        for point in bits(BOARD & !class.tigers) {
            let point = 1 << point;
            let there = if point == to { from } else { point };
            let number = CLASSES.list[after].compress(transform_mask(there, symmetry));
            new[class.compress(point).trailing_zeros() as usize] = number.trailing_zeros();
        }
        let number = |point| class.compress(point).trailing_zeros();
        Self {
            class: after,
            renumbering: Renumbering::new(new),
            to: number(to),
            over: over.map(number),
        }
    }

    /// Visits all words: the word's number, where the move is legal, and what a prepared plane of
    /// the position after it holds.
    #[inline]
    fn visit(&self, prepared: &[u64], mut visit: impl FnMut(usize, u64, u64)) {
        let word = |word: usize| prepared[self.renumbering.word(word)];
        match self.over {
            None => {
                for number in 0..WORDS {
                    visit(number, !with(self.to, number), word(number));
                }
            }
            Some(over) if over < 6 => {
                for number in 0..WORDS {
                    let legal = with(over, number) & !with(self.to, number);
                    visit(number, legal, word(number) << (1 << over));
                }
            }
            Some(over) => {
                let bit = 1 << (over - 6);
                for number in (0..WORDS).filter(|number| number & bit != 0) {
                    visit(number, !with(self.to, number), word(number & !bit));
                }
            }
        }
    }
}

fn moves(class: &Class) -> Vec<TigerMove> {
    let mut moves = Vec::new();
    for d in 0..DELTAS.len() {
        for from in bits(class.tigers & STEP_SOURCES[d]) {
            let from: u32 = 1 << from;
            let to = shift(from, DELTAS[d]);
            if class.tigers & to == 0 {
                moves.push(TigerMove::new(class, from, to, None));
            }
        }
        for from in bits(class.tigers & JUMP_SOURCES[d]) {
            let from: u32 = 1 << from;
            let over = shift(from, DELTAS[d]);
            let to = shift(over, DELTAS[d]);
            if class.tigers & (over | to) == 0 {
                moves.push(TigerMove::new(class, from, to, Some(over)));
            }
        }
    }
    moves
}

/// Where the entry of a set of sheep lies in a placing table: the byte its row begins at, and its
/// number from there.
#[inline]
pub(super) fn entry(row: &PlacingRow, class: usize, set: u32) -> (usize, usize) {
    let sheep = set.count_ones();
    (class * row.bytes + row.start(sheep), rank(set))
}
