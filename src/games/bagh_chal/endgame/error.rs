//! Errors of endgame tables.

use std::path::{Path, PathBuf};

use thiserror::Error;

use super::layer::Layer;
use crate::files::{FileError, FileFormat};

/// The format of endgame tables.
pub(super) static FORMAT: FileFormat = FileFormat {
    name: "endgame table",
    magic: *b"BAGTABLE",
    version: 1,
    remedy: |table| format!("remove it, and run `{}`", build_command(table)),
};

/// Returns the command that builds a table in its folder.
fn build_command(table: &Path) -> String {
    let folder = table.parent().unwrap_or(table).display();
    let file = table.file_name().and_then(|name| name.to_str());
    let in_hand = file.and_then(Layer::in_hand_of_file);
    let in_hand = in_hand.map_or_else(String::new, |in_hand| format!(" --in-hand {in_hand}"));
    format!("bagheera endgame build{in_hand} --tables {folder}")
}

/// Why tables cannot be built or used.
#[derive(Debug, Error)]
pub enum TableError {
    /// A file cannot be read or written, is not a table of this version, or is damaged.
    #[error(transparent)]
    File(#[from] FileError),
    /// A table that others are built on is missing.
    #[error("the table {path} is missing; run `{}`", build_command(path))]
    Missing {
        /// The file.
        path: PathBuf,
    },
    /// The table is intact but does not belong there.
    #[error(
        "the table {path} is another one: {reason}; remove it, and run `{}`",
        build_command(path)
    )]
    Other {
        /// The file.
        path: PathBuf,
        /// The difference.
        reason: String,
    },
    /// An entry contradicts the entries of the positions after it.
    #[error(
        "the table {path} is wrong: its entry for {position} is {found}, and the moves of the position \
         make it {expected}; remove it, and run `{}`",
        build_command(path)
    )]
    Wrong {
        /// The file.
        path: PathBuf,
        /// The position, as text.
        position: String,
        /// The value of the entry.
        found: String,
        /// The value that follows from the positions after it.
        expected: String,
    },
    /// There is no such layer.
    #[error("no position has {in_hand} sheep in hand; the game has {most}")]
    TooManyInHand {
        /// The requested number.
        in_hand: u32,
        /// Sheep in the game.
        most: u32,
    },
    /// The user stopped it.
    #[error("stopped")]
    Interrupted,
}
