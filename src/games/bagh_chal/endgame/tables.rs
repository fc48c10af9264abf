//! Open tables, which answer what positions are worth.

use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::super::board::{DEAD_SHEEP_TO_WIN, TOTAL_SHEEP};
use super::super::position::{Position, Turn};
use super::error::TableError;
use super::file::TableFile;
use super::layer::{Layer, PlacingRow, on_board};
use super::placement::CLASSES;
use super::placing::{decode, entry, unpack};
use super::sliding::{FEWEST_SHEEP, MOST_SHEEP, index};
use crate::game::{Exact, ExactValues, Game, Outcome};

/// Checks every byte of the table of one layer, whatever it was made from, and returns the digest of
/// its entries.
///
/// # Errors
/// If it is missing, damaged, of another version or another layer.
pub fn check_table(folder: &Path, layer: Layer) -> Result<String, TableError> {
    Ok(TableFile::open(folder, layer)?.digest().to_owned())
}

/// The tables of a folder: those of the sliding phase, and as many of the placing phase as there
/// are.
#[derive(Debug)]
pub struct Tables {
    folder: PathBuf,
    pub(super) sliding: Vec<TableFile>,
    pub(super) placing: Vec<(PlacingRow, TableFile)>,
    digest: String,
}

impl Tables {
    /// Opens all tables of a folder and checks every byte of them.
    ///
    /// # Errors
    /// If a table of the sliding phase is missing, or a table is damaged, of another version, or
    /// not made from the one below it.
    pub fn open(folder: &Path) -> Result<Self, TableError> {
        let mut sliding: Vec<TableFile> = Vec::new();
        for sheep in FEWEST_SHEEP..=MOST_SHEEP {
            let table = TableFile::open(folder, Layer::Sliding(sheep))?;
            table.check_below(sliding.last())?;
            sliding.push(table);
        }
        let mut placing: Vec<(PlacingRow, TableFile)> = Vec::new();
        for in_hand in 1..=TOTAL_SHEEP {
            let layer = Layer::Placing(in_hand);
            if !folder.join(layer.file_name()).exists() {
                break;
            }
            let table = TableFile::open(folder, layer)?;
            table.check_below(
                placing
                    .last()
                    .map_or(sliding.last(), |(_, table)| Some(table)),
            )?;
            placing.push((PlacingRow::of(in_hand), table));
        }
        let gap = placing.len() as u32 + 1;
        let beyond = (gap + 1..=TOTAL_SHEEP).map(|in_hand| Layer::Placing(in_hand).file_name());
        if beyond
            .map(|name| folder.join(name))
            .any(|path| path.exists())
        {
            let path = folder.join(Layer::Placing(gap).file_name());
            return Err(TableError::Missing { path });
        }
        let mut digest = Sha256::new();
        let tables = sliding.iter().chain(placing.iter().map(|(_, table)| table));
        tables.for_each(|table| digest.update(table.digest()));
        Ok(Self {
            folder: folder.to_owned(),
            sliding,
            placing,
            digest: hex::encode(digest.finalize()),
        })
    }

    /// The folder that they lie in.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The most sheep in hand that are known of.
    #[must_use]
    pub fn in_hand(&self) -> u32 {
        self.placing.len() as u32
    }

    /// The entries of a sliding layer with a side to move.
    pub(super) fn half(&self, sheep: u32, turn: Turn) -> &[u8] {
        let entries = self.sliding[(sheep - FEWEST_SHEEP) as usize].entries();
        let (tiger, flock) = entries.split_at(entries.len() / 2);
        match turn {
            Turn::Tiger => tiger,
            Turn::Sheep => flock,
        }
    }

    /// A position of the sliding phase that is not over by dead sheep.
    #[inline]
    fn sliding(&self, position: &Position) -> Exact {
        let sheep = position.board.sheep_count();
        let plies = self.half(sheep, position.turn)[index(&position.board, sheep)];
        super::entry::decode(plies, position.side_to_move())
    }

    /// A position with the sheep to move that is not over by dead sheep.
    #[inline]
    fn sheep_to_move(&self, position: &Position) -> Option<Outcome> {
        let board = &position.board;
        let Some(above) = board.sheep_left().checked_sub(1) else {
            return Some(self.sliding(position).value);
        };
        let (row, table) = self.placing.get(above as usize)?;
        let (class, points) = CLASSES.locate(board);
        let (start, index) = entry(row, class, CLASSES.list[class].compress(points));
        Some(decode(unpack(&table.entries()[start..], index)))
    }

    /// The value of a position that is not over by dead sheep, if it is known.
    pub(super) fn value(&self, position: &Position) -> Option<Outcome> {
        match position.board.sheep_left() {
            0 => Some(self.sliding(position).value),
            _ => self.placing(position),
        }
    }

    /// A position of the placing phase: the tigers', if they are to move, by their moves.
    fn placing(&self, position: &Position) -> Option<Outcome> {
        let board = &position.board;
        if board.sheep_left() > self.in_hand() {
            return None;
        }
        debug_assert!(on_board(board.sheep_left()).contains(&board.sheep_count()));
        if position.turn == Turn::Sheep {
            return self.sheep_to_move(position);
        }
        let mut best = Outcome::Min;
        for mv in position.moves() {
            let after = position.play(mv);
            let value = match after.outcome() {
                Some(outcome) => outcome,
                None => self.sheep_to_move(&after)?,
            };
            match value {
                Outcome::Max => return Some(Outcome::Max),
                Outcome::Draw => best = Outcome::Draw,
                Outcome::Min => {}
            }
        }
        Some(best)
    }
}

impl ExactValues<Position> for Tables {
    #[inline]
    fn probe(&self, position: &Position) -> Option<Exact> {
        let board = &position.board;
        if board.dead_sheep() >= DEAD_SHEEP_TO_WIN {
            return Some(Exact {
                value: Outcome::Max,
                plies: Some(0),
            });
        }
        if board.sheep_left() == 0 {
            return Some(self.sliding(position));
        }
        let value = self.placing(position)?;
        match position.outcome() {
            Some(value) => Some(Exact {
                value,
                plies: Some(0),
            }),
            None => Some(Exact::value(value)),
        }
    }

    fn resolve(&self, position: &Position) -> Option<Exact> {
        let exact = self.probe(position)?;
        Some(Exact {
            plies: super::distance::plies(self, position, exact),
            ..exact
        })
    }

    fn digest(&self) -> &str {
        &self.digest
    }
}
