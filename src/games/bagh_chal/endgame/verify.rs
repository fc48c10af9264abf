//! Checking tables: every entry against those of the positions after it, by the rules as players
//! know them.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::super::board::{GameBoard, ONE_SHEEP};
use super::super::geometry::bits;
use super::super::position::{Position, Turn};
use super::entry::DRAW;
use super::error::TableError;
use super::layer::{Layer, on_board};
use super::placement::{CLASSES, all_sets, rank, sets};
use super::placing::{decode, entry, unpack};
use super::sliding::{FEWEST_SHEEP, index};
use super::tables::Tables;
use crate::game::{Game, Notation, Outcome};
use crate::interrupt::Interrupt;
use crate::reporter::Reporter;

/// Classes that are checked between two signs of progress.
const CLASSES_AT_ONCE: usize = 64;

/// Checks every entry of some layers of the tables against those of the positions after it; returns
/// how many there are. Runs on the threads of the pool that it is called in.
///
/// # Errors
/// Names an entry that is wrong, if there is one; or that a stop was requested.
pub fn verify(
    tables: &Tables,
    layers: impl IntoIterator<Item = Layer>,
    interrupt: &Interrupt,
    talk: &Reporter,
) -> Result<u64, TableError> {
    let checked = AtomicU64::new(0);
    for layer in layers {
        let classes = CLASSES.list.len();
        let mut bar = talk.bar(&layer.to_string(), "classes", 0, classes as u64);
        for first in (0..classes).step_by(CLASSES_AT_ONCE) {
            if interrupt.requested() {
                return Err(TableError::Interrupted);
            }
            let last = classes.min(first + CLASSES_AT_ONCE);
            let check = |class| -> Result<(), TableError> {
                let count = match layer {
                    Layer::Sliding(sheep) => sliding(tables, class, sheep),
                    Layer::Placing(in_hand) => placing(tables, class, in_hand),
                }?;
                checked.fetch_add(count, Ordering::Relaxed);
                Ok(())
            };
            (first..last).into_par_iter().try_for_each(check)?;
            bar.at(last as u64, String::new);
        }
        bar.finish();
    }
    Ok(checked.into_inner())
}

/// The entries of a class in a sliding layer.
fn sliding(tables: &Tables, class: usize, sheep: u32) -> Result<u64, TableError> {
    let tigers = &CLASSES.list[class];
    for turn in [Turn::Tiger, Turn::Sheep] {
        let entries = &tables.half(sheep, turn)[class * sets(sheep)..];
        for (set, &found) in all_sets(sheep).zip(entries) {
            let board = GameBoard::from_masks(tigers.tigers, tigers.expand(set));
            let position = Position { board, turn };
            let expected = plies(tables, &position);
            if found != expected {
                let name = |plies| match plies {
                    DRAW => "a draw".to_owned(),
                    plies if plies & 1 == 1 => format!("won in {plies}"),
                    plies => format!("lost in {plies}"),
                };
                return Err(TableError::Wrong {
                    path: tables.folder().join(Layer::Sliding(sheep).file_name()),
                    position: position.format_position(),
                    found: name(found),
                    expected: name(expected),
                });
            }
        }
    }
    Ok(2 * sets(sheep) as u64)
}

/// The entry that a position of the sliding phase should have by those after it.
fn plies(tables: &Tables, position: &Position) -> u8 {
    if position.outcome().is_some() {
        return 0;
    }
    let mut best: Option<u8> = None;
    for mv in position.moves() {
        let after = position.play(mv);
        let sheep = after.board.sheep_count();
        let reply = if sheep < FEWEST_SHEEP {
            0
        } else {
            tables.half(sheep, after.turn)[index(&after.board, sheep)]
        };
        // An odd number is a win of the opponent, an even one a win of the mover.
        best = Some(match (best, reply) {
            (None, DRAW) => DRAW,
            (None, reply) => reply + 1,
            (Some(best), reply) if best != DRAW && best & 1 == 1 => {
                if reply != DRAW && reply & 1 == 0 {
                    best.min(reply + 1)
                } else {
                    best
                }
            }
            (Some(_), reply) if reply != DRAW && reply & 1 == 0 => reply + 1,
            (Some(DRAW), _) | (_, DRAW) => DRAW,
            (Some(best), reply) => best.max(reply + 1),
        });
    }
    // A position that is not over has a move.
    best.unwrap_or(0)
}

/// The entries of a class in a placing layer.
fn placing(tables: &Tables, class: usize, in_hand: u32) -> Result<u64, TableError> {
    let tigers = &CLASSES.list[class];
    let position = |set, in_hand, turn| {
        let sheep = tigers.expand(set) | (in_hand * ONE_SHEEP);
        let board = GameBoard::from_masks(tigers.tigers, sheep);
        Position { board, turn }
    };
    // What the tigers have after a placement, by number of sheep and rank.
    let after: Vec<Vec<Outcome>> = on_board(in_hand)
        .map(|sheep| {
            let replies = all_sets(sheep + 1).map(|set| {
                let position = position(set, in_hand - 1, Turn::Tiger);
                tables.value(&position).unwrap_or(Outcome::Draw)
            });
            replies.collect()
        })
        .collect();
    let (row, table) = &tables.placing[in_hand as usize - 1];
    let mut count = 0;
    for (sheep, after) in on_board(in_hand).zip(&after) {
        for set in all_sets(sheep) {
            let free = bits(!set & ((1 << super::placement::FREE) - 1));
            let values = free.map(|point| after[rank(set | (1 << point))]);
            let expected = values.min_by_key(|value| match value {
                Outcome::Min => 0,
                Outcome::Draw => 1,
                Outcome::Max => 2,
            });
            let expected = expected.unwrap_or(Outcome::Draw);
            let (start, index) = entry(row, class, set);
            let found = decode(unpack(&table.entries()[start..], index));
            if found != expected {
                let name = |value| Position::outcome_name(value).to_owned();
                return Err(TableError::Wrong {
                    path: tables.folder().join(Layer::Placing(in_hand).file_name()),
                    position: position(set, in_hand, Turn::Sheep).format_position(),
                    found: name(found),
                    expected: name(expected),
                });
            }
            count += 1;
        }
    }
    Ok(count)
}
