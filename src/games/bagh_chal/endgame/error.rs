//! What can be wrong with tables.

use std::path::{Path, PathBuf};

use thiserror::Error;

use super::layer::Layer;
use crate::files::FileError;

/// The command that makes a table, in the folder that it belongs to.
fn building(table: &Path) -> String {
    let folder = table.parent().unwrap_or(table).display();
    let file = table.file_name().and_then(|name| name.to_str());
    let in_hand = file.and_then(Layer::in_hand_of_file);
    let in_hand = in_hand.map_or_else(String::new, |in_hand| format!(" --in-hand {in_hand}"));
    format!("bagheera endgame build{in_hand} --tables {folder}")
}

/// Why tables cannot be built or used.
#[derive(Debug, Error)]
pub enum TableError {
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// A table that others are built on is not there.
    #[error(
        "the table {path} is not there; `{}` makes it, or goes on where it stopped",
        building(path)
    )]
    Missing {
        /// The file.
        path: PathBuf,
    },
    /// Some other file.
    #[error(
        "{path} is not an endgame table: its first bytes are not those of one; move it away, and \
         `{}` makes the table",
        building(path)
    )]
    NotATable {
        /// The file.
        path: PathBuf,
    },
    /// A table of another version of the program.
    #[error(
        "the table {path} is format version {found}; this program reads version {expected}: remove \
         it, and `{}` makes it anew",
        building(path)
    )]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u32,
        /// The version of this program.
        expected: u32,
    },
    /// The table cannot be trusted.
    #[error(
        "the table {path} is damaged: {reason}; remove it, and `{}` makes it again",
        building(path)
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong, and where.
        reason: String,
    },
    /// The table is whole, but not the one that belongs there.
    #[error(
        "the table {path} is another one: {reason}; remove it, and `{}` makes it again",
        building(path)
    )]
    Stranger {
        /// The file.
        path: PathBuf,
        /// What differs.
        reason: String,
    },
    /// An entry is not what the positions after it make it.
    #[error(
        "the table {path} is wrong: {position} is entered as {found}, and its moves make it \
         {expected}; remove the table, and `{}` makes it again",
        building(path)
    )]
    Wrong {
        /// The file.
        path: PathBuf,
        /// The position, as text.
        position: String,
        /// What the table says.
        found: String,
        /// What follows from the positions after it.
        expected: String,
    },
    /// There is no such layer.
    #[error("there are {most} sheep; no position has {in_hand} in hand")]
    TooManyInHand {
        /// What was asked for.
        in_hand: u32,
        /// Sheep in the game.
        most: u32,
    },
    /// A person stopped it.
    #[error("stopped")]
    Interrupted,
}
