//! Output notations of commands, and positions from standard input.

use std::io::{self, BufRead as _};
use std::path::Path;

use super::CommandError;
use crate::files::read_at_most;
use crate::game::{
    ForeignError, ForeignNotation, GameRecord, NotationError, read_games as read, read_position,
};
use crate::kit::Kit;

/// The name of each game's own notation.
pub(super) const OWN: &str = "bagheera";

/// Maximum size of a games file, in bytes.
const MAX_GAMES_BYTES: u64 = 1 << 30;

/// An output notation: the game's own, or another program's.
pub(super) struct Writer<G: Kit>(Option<&'static dyn ForeignNotation<G>>);

impl<G: Kit> Writer<G> {
    /// Returns the notation with a name.
    pub fn named(name: &str) -> Result<Self, CommandError> {
        if name == OWN {
            return Ok(Self(None));
        }
        let mut foreign = G::foreign_notations().iter();
        match foreign.find(|notation| notation.name() == name) {
            Some(notation) => Ok(Self(Some(*notation))),
            None => {
                let names = G::foreign_notations().iter();
                let names: Vec<_> = [OWN].into_iter().chain(names.map(|n| n.name())).collect();
                Err(CommandError::usage(format!(
                    "there is no notation \"{name}\" for {}; available: {}",
                    G::NAME,
                    names.join(", ")
                )))
            }
        }
    }

    pub fn position(&self, position: &G) -> String {
        match self.0 {
            None => position.format_position(),
            Some(notation) => notation.format_position(position),
        }
    }

    pub fn mv(&self, position: &G, mv: G::Move) -> String {
        match self.0 {
            None => position.format_move(mv),
            Some(notation) => notation.format_move(position, mv),
        }
    }

    /// Formats a game, without a line end after it.
    pub fn game(&self, game: &GameRecord<G>) -> Result<String, ForeignError> {
        match self.0 {
            None => Ok(game.to_string()),
            Some(notation) => notation.format_game(game),
        }
    }
}

/// Calls a function with each of the positions given, or with those on standard input if there are none.
///
/// Empty lines and comments, which begin with `#`, are skipped.
pub(super) fn each_position<G: Kit>(
    given: &[String],
    mut take: impl FnMut(G) -> Result<(), CommandError>,
) -> Result<(), CommandError> {
    for text in given {
        take(read_position(text).map_err(CommandError::usage)?)?;
    }
    if !given.is_empty() {
        return Ok(());
    }
    for (number, line) in (1_u64..).zip(io::stdin().lock().lines()) {
        let place = format!("standard input, line {number}");
        let line = line.map_err(|error| CommandError::failure(format!("{place}: {error}")))?;
        let text = line.trim();
        if !text.is_empty() && !text.starts_with('#') {
            let fault = |error: NotationError| CommandError::failure(format!("{place}: {error}"));
            take(read_position(text).map_err(fault)?)?;
        }
    }
    Ok(())
}

/// Reads all games of a file in any notation.
pub(super) fn read_games<G: Kit>(path: &Path) -> Result<Vec<GameRecord<G>>, CommandError> {
    let fault = |error: &dyn std::fmt::Display| {
        CommandError::failure(format!("games file {}: {error}", path.display()))
    };
    let text = read_at_most(path, MAX_GAMES_BYTES).map_err(|error| fault(&error))?;
    let games = read(&text).map_err(|error| fault(&error))?;
    if games.is_empty() {
        return Err(fault(&"it contains no games"));
    }
    Ok(games)
}
