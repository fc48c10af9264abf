//! `bagheera convert`: converts positions and games to another notation.

use std::path::PathBuf;

use clap::Args;

use super::common::{GameArgument, print};
use super::notations::{OWN, Writer, each_position, read_games};
use super::{CommandError, GameTask};
use crate::kit::Kit;
use crate::reporter::print_error;

/// Convert positions or games to another notation.
///
/// Writes one position per line. The input notation is detected. Information that the output notation
/// cannot express, for example players and scores, is dropped.
#[derive(Debug, Args)]
pub(super) struct ConvertCommand {
    /// Positions; the default is the lines of standard input.
    #[arg(value_name = "POSITION")]
    positions: Vec<String>,
    /// Convert the games of this file instead.
    #[arg(long, value_name = "FILE", conflicts_with = "positions")]
    games: Option<PathBuf>,
    /// Output notation: bagheera (the game's own) or another program's. Pass an unknown name to list the
    /// available ones.
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
                print_error(format!("game {number} is skipped: {error}"));
            }
        }
    }
    if left_out == 0 {
        return Ok(());
    }
    Err(CommandError::failure(format!(
        "{left_out} of the {} games of {} were skipped",
        games.len(),
        path.display()
    )))
}
