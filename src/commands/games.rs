//! The games that the commands know.

use clap::builder::PossibleValuesParser;

use super::error::CommandError;
use super::{GameCommand, GameTask as _, inspect};
use crate::kit::Kit;

/// What the commands can do with one game.
#[derive(Debug)]
pub(super) struct RegisteredGame {
    /// Its [`crate::game::Game::NAME`].
    pub name: &'static str,
    /// Runs a command.
    pub run: fn(&GameCommand) -> Result<(), CommandError>,
    /// Inspects a file of the game.
    pub inspect: fn(inspect::Task) -> Result<(), CommandError>,
}

/// All games of a program, the default one first.
#[derive(Debug, Default)]
pub struct Games(Vec<RegisteredGame>);

impl Games {
    /// Adds a game.
    pub fn add<G: Kit>(&mut self) {
        self.0.push(RegisteredGame {
            name: G::NAME,
            run: |command| command.run::<G>(),
            inspect: |task| task.run::<G>(),
        });
    }

    /// Returns the game of that name; the default one if the name is empty.
    pub(super) fn find(&self, name: &str) -> Option<&RegisteredGame> {
        let mut games = self.0.iter();
        games.find(|game| name.is_empty() || game.name == name)
    }

    /// Returns the names of all games, for messages.
    pub fn names(&self) -> String {
        let names: Vec<&str> = self.0.iter().map(|game| game.name).collect();
        names.join(", ")
    }

    /// Runs a command for the game that it asks for.
    pub(super) fn run(&self, command: &GameCommand) -> Result<(), CommandError> {
        let name = command.game()?;
        let game = self.find(&name).ok_or_else(|| {
            CommandError::usage(format!(
                "there is no game \"{name}\"; there are {}",
                self.names()
            ))
        })?;
        (game.run)(command)
    }

    /// Makes `--game` of a command and its subcommands accept these games.
    pub(super) fn accept(&self, command: clap::Command) -> clap::Command {
        let argument = |argument: clap::Arg| {
            if argument.get_id() != "game" {
                return argument;
            }
            let names = self.0.iter().map(|game| game.name);
            argument
                .required(false)
                .default_value(names.clone().next())
                .value_parser(PossibleValuesParser::new(names))
        };
        command
            .mut_args(argument)
            .mut_subcommands(|subcommand| self.accept(subcommand))
    }
}
