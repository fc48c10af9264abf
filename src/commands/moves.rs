//! `bagheera moves`: lists the legal moves of positions, or the outcome of finished ones.

use clap::Args;
use serde_json::json;

use super::common::{GameArgument, print, print_json};
use super::notations::{OWN, Writer, each_position};
use super::{CommandError, GameTask};
use crate::kit::Kit;

/// List the legal moves of positions, or the outcome of finished ones.
///
/// Prints one line per position and flushes it, so that a program can query one after the other.
#[derive(Debug, Args)]
pub(super) struct MovesCommand {
    /// Positions; the default is the lines of standard input.
    #[arg(value_name = "POSITION")]
    positions: Vec<String>,
    /// Output notation: bagheera (the game's own) or another program's. Pass an unknown name to list the
    /// available ones.
    #[arg(long, default_value = OWN, value_name = "NOTATION")]
    notation: String,
    /// Print one JSON object per position.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    game: GameArgument,
}

impl GameTask for MovesCommand {
    fn game(&self) -> Result<String, CommandError> {
        self.game.name()
    }

    fn run<G: Kit>(&self) -> Result<(), CommandError> {
        moves::<G>(self)
    }
}

fn moves<G: Kit>(command: &MovesCommand) -> Result<(), CommandError> {
    let writer = Writer::<G>::named(&command.notation)?;
    each_position(&command.positions, |position: G| {
        let outcome = position.outcome().map(G::outcome_name);
        let legal = match outcome {
            Some(_) => Vec::new(),
            None => {
                let legal = position.moves();
                let legal = legal.as_ref().iter();
                legal.map(|&mv| writer.mv(&position, mv)).collect()
            }
        };
        let text = writer.position(&position);
        if command.json {
            return print_json(&json!({ "position": text, "outcome": outcome, "moves": legal }));
        }
        print(match outcome {
            Some(outcome) => format!("{text}: = {outcome}"),
            None => format!("{text}: {}", legal.join(" ")),
        })
    })
}
