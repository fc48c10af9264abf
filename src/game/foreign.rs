//! Other programs' ways to write a game's positions and games.

use thiserror::Error;

use super::{GameReader, GameRecord, Notation, NotationError, RecordError};

/// Why a game cannot be written in a foreign notation.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ForeignError {
    /// The notation tells games from their first move on, and no moves to this game's beginning are
    /// known.
    #[error(
        "it begins at \"{position}\", to which no moves were found, and {notation} has no other way to say so"
    )]
    Beginning {
        /// The notation's name.
        notation: &'static str,
        /// Where the game begins.
        position: String,
    },
    /// The other program's rules end the game before its last move.
    #[error(
        "{notation} calls it a draw after ply {ply} of {plies}; games that go on are no games there"
    )]
    GoesOn {
        /// The notation's name.
        notation: &'static str,
        /// The ply after which the game is over there.
        ply: usize,
        /// The plies that the game has.
        plies: usize,
    },
}

/// A notation that another program uses for a game.
///
/// Reading what was written gives back what the notation can say.
pub trait ForeignNotation<G: Notation>: Sync {
    /// What people call the notation, in lower case.
    fn name(&self) -> &'static str;

    /// Whether a text is meant as a position of this notation and cannot be one of the game's own.
    fn owns_position(&self, text: &str) -> bool;

    /// Whether a text is meant as games of this notation and cannot be games of the game's own.
    fn owns_games(&self, text: &str) -> bool;

    /// Reads a position.
    ///
    /// # Errors
    /// Names the place of the first fault.
    fn parse_position(&self, text: &str) -> Result<G, NotationError>;

    /// The position on one line.
    fn format_position(&self, position: &G) -> String;

    /// A legal move of a position.
    fn format_move(&self, position: &G, mv: G::Move) -> String;

    /// Reads all games of a text.
    ///
    /// # Errors
    /// Names the first line that is wrong.
    fn parse_games(&self, text: &str) -> Result<Vec<GameRecord<G>>, RecordError>;

    /// A game, without the end of a line after it.
    ///
    /// # Errors
    /// If the notation has no way to say it.
    fn format_game(&self, game: &GameRecord<G>) -> Result<String, ForeignError>;
}

/// Reads a position in the game's own notation, or in a foreign one that owns the text.
///
/// # Errors
/// Names the place of the first fault.
pub fn read_position<G: Notation>(text: &str) -> Result<G, NotationError> {
    let mut foreign = G::foreign_notations().iter();
    match foreign.find(|notation| notation.owns_position(text)) {
        Some(notation) => notation.parse_position(text),
        None => G::parse_position(text),
    }
}

/// Reads all games of a text in the game's own notation, or in a foreign one that owns the text.
///
/// # Errors
/// Names the first line that is wrong.
pub fn read_games<G: Notation>(text: &[u8]) -> Result<Vec<GameRecord<G>>, RecordError> {
    if let Ok(text) = str::from_utf8(text) {
        let mut foreign = G::foreign_notations().iter();
        if let Some(notation) = foreign.find(|notation| notation.owns_games(text)) {
            return notation.parse_games(text);
        }
    }
    let mut reader = GameReader::new(text);
    let mut games = Vec::new();
    while let Some(game) = reader.next_game()? {
        games.push(game);
    }
    Ok(games)
}
