//! Notations of other programs for a game's positions and games.

use thiserror::Error;

use super::{GameReader, GameRecord, Notation, NotationError, RecordError};

/// Why a game cannot be written in a foreign notation.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ForeignError {
    /// The notation records games from their first move on, and no moves that lead to the start of
    /// this game are known.
    #[error(
        "the game starts at \"{position}\"; {notation} records only games from the first move, and no moves to this position were found"
    )]
    Beginning {
        /// The notation's name.
        notation: &'static str,
        /// The position at which the game starts.
        position: String,
    },
    /// The other program's rules end the game before its last move.
    #[error(
        "by the rules of {notation} the game is a draw after ply {ply} of {plies}, so that it cannot hold the rest"
    )]
    GoesOn {
        /// The notation's name.
        notation: &'static str,
        /// The ply after which the game is over there.
        ply: usize,
        /// The game's length in plies.
        plies: usize,
    },
}

/// A notation that another program uses for a game.
///
/// Reading a written text returns everything that the notation can express.
pub trait ForeignNotation<G: Notation>: Sync {
    /// The notation's name, in lower case.
    fn name(&self) -> &'static str;

    /// Whether a text looks like a position in this notation and cannot be in the game's own.
    fn owns_position(&self, text: &str) -> bool;

    /// Whether a text looks like games in this notation and cannot be in the game's own.
    fn owns_games(&self, text: &str) -> bool;

    /// Reads a position.
    ///
    /// # Errors
    /// Names the place of the first error.
    fn parse_position(&self, text: &str) -> Result<G, NotationError>;

    /// Writes a position on one line.
    fn format_position(&self, position: &G) -> String;

    /// Writes a legal move of a position.
    fn format_move(&self, position: &G, mv: G::Move) -> String;

    /// Reads all games of a text.
    ///
    /// # Errors
    /// Names the first line that is wrong.
    fn parse_games(&self, text: &str) -> Result<Vec<GameRecord<G>>, RecordError>;

    /// Writes a game, without a line end after it.
    ///
    /// # Errors
    /// If the notation cannot express the game.
    fn format_game(&self, game: &GameRecord<G>) -> Result<String, ForeignError>;
}

/// Reads a position in the game's own notation, or in a foreign one that the text looks like.
///
/// # Errors
/// Names the place of the first error.
pub fn read_position<G: Notation>(text: &str) -> Result<G, NotationError> {
    let mut foreign = G::foreign_notations().iter();
    match foreign.find(|notation| notation.owns_position(text)) {
        Some(notation) => notation.parse_position(text),
        None => G::parse_position(text),
    }
}

/// Reads all games of a text in the game's own notation, or in a foreign one that it looks like.
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
