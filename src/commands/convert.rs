//! `bagheera convert`: positions and games in another notation.

use std::path::PathBuf;

use clap::Args;

use super::common::{GameArgument, print};
use super::notations::{OWN, Writer, each_position, read_games};
use super::{CommandError, GameTask};
use crate::kit::Kit;
use crate::reporter::print_error;

/// Write positions or games in another notation.
///
/// A position a line; the notation of what is read is found out. What another program's notation cannot
/// say of a game, such as players and scores, is left out.
#[derive(Debug, Args)]
pub(super) struct ConvertCommand {
    /// The positions; the lines of standard input if none are given.
    #[arg(value_name = "POSITION")]
    positions: Vec<String>,
    /// Write the games of this file instead.
    #[arg(long, value_name = "FILE", conflicts_with = "positions")]
    games: Option<PathBuf>,
    /// The notation to write: bagheera, the game's own, or another program's; a name that is none
    /// tells which there are.
    #[arg(long, default_value = OWN, value_name = "NOTATION")]
    to: String,
    #[command(flatten)]
    game: GameArgument,
}

impl GameTask for ConvertCommand {
    fn game(&self) -> Result<String, CommandError> {
        self.game.name()
    }

    fn run<G: Kit>(&self) -> Result<(), CommandError> {
        convert::<G>(self)
    }
}

fn convert<G: Kit>(command: &ConvertCommand) -> Result<(), CommandError> {
    let writer = Writer::<G>::named(&command.to)?;
    let Some(path) = &command.games else {
        return each_position(&command.positions, |position: G| {
            print(writer.position(&position))
        });
    };
    let games = read_games::<G>(path)?;
    let mut left_out = 0;
    for (number, game) in (1..).zip(&games) {
        match writer.game(game) {
            Ok(text) => print(text)?,
            Err(error) => {
                left_out += 1;
                print_error(format!("game {number} is left out: {error}"));
            }
        }
    }
    if left_out == 0 {
        return Ok(());
    }
    Err(CommandError::failure(format!(
        "{left_out} of the {} games of {} are left out",
        games.len(),
        path.display()
    )))
}
