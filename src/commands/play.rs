//! `bagheera play`: a game in the terminal against any player.

mod dialogue;

use std::time::Duration;

use clap::Args;

use self::dialogue::Dialogue;
use super::common::{
    ExactArgument, GameArgument, RulesArgument, or_best, player_factory, playthrough, position,
};
use super::{CommandError, GameTask};
use crate::game::{Notation, QUIET_LIMIT, Side};
use crate::kit::{Kit, Level, PlayerSpec};
use crate::search::Limits;

/// Play against the computer, or watch it play.
///
/// Type moves as c3, c3-c4 or, for a capture, a5xc5; `help` lists the other commands. With --exact or
/// --tables, tablebase values of the position and of its moves are shown; they ignore repetitions.
#[derive(Debug, Args)]
pub(super) struct PlayCommand {
    /// Start position, for example "T3T/5/5/5/T3T s 20"; the default is the start of the game.
    position: Option<String>,
    /// Opponent, which also gives hints; the default is the shipped network if the rules are the default
    /// ones, or else the hand-written evaluation, with one second per move.
    #[arg(long, value_name = "PLAYER")]
    player: Option<PlayerSpec>,
    /// Strength from 1 (beginner) to 10 (full strength); the default is 10.
    #[arg(long, value_name = "LEVEL", value_parser = clap::value_parser!(u64).range(1..=Level::STRONGEST))]
    level: Option<u64>,
    /// Random seed at levels below 10; the default is a different game each time.
    #[arg(long, value_name = "SEED", requires = "level")]
    seed: Option<u64>,
    /// Your side, by the game's name for it, or both or none; the default is the side that moves first.
    #[arg(long)]
    side: Option<String>,
    /// No-progress limit: plies without an irreversible move after which the game is drawn.
    #[arg(long, default_value_t = QUIET_LIMIT, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(4..))]
    quiet_limit: u32,
    #[command(flatten)]
    exact: ExactArgument,
    #[command(flatten)]
    game: GameArgument,
    #[command(flatten)]
    rules: RulesArgument,
}

impl GameTask for PlayCommand {
    fn game(&self) -> Result<String, CommandError> {
        self.game.name()
    }

    fn run<G: Kit>(&self) -> Result<(), CommandError> {
        play::<G>(self)
    }
}

fn play<G: Kit>(command: &PlayCommand) -> Result<(), CommandError> {
    let start = position::<G>(command.position.as_deref(), &command.rules)?;
    let persons = sides_of_persons::<G>(command.side.as_deref(), &start)?;
    let second = Limits::time(Duration::from_secs(1));
    let spec = or_best::<G>(command.player.as_ref(), &start.rules(), second);
    let game = playthrough(start, "", command.quiet_limit)?;
    let spec = match command.level.and_then(Level::new) {
        None => spec,
        Some(_) if !spec.searches() => {
            return Err(CommandError::usage(format!(
                "player {spec} has no levels, because it does not search"
            )));
        }
        Some(level) => spec.at_level(level),
    };
    let player_factory = player_factory::<G>(&spec)?;
    let tables = command.exact.open::<G>()?;
    let mut player = player_factory.player();
    if spec.level().is_some() {
        player.new_game(command.seed.unwrap_or_else(rand::random));
    }
    Dialogue::new(
        game,
        command.quiet_limit,
        persons,
        &player_factory.name,
        player,
    )
    .with_tables(tables)
    .hold()
}

/// Returns the sides whose moves are typed.
fn sides_of_persons<G: Notation>(text: Option<&str>, start: &G) -> Result<Vec<Side>, CommandError> {
    let all = [Side::Max, Side::Min];
    match text {
        None => Ok(vec![G::start(&start.rules()).side_to_move()]),
        Some("both") => Ok(all.to_vec()),
        Some("none") => Ok(Vec::new()),
        Some(text) => match all.iter().find(|side| G::side_name(**side) == text) {
            Some(&side) => Ok(vec![side]),
            None => Err(CommandError::usage(format!(
                "there is no side \"{text}\"; --side takes {}, {}, both or none",
                G::side_name(Side::Max),
                G::side_name(Side::Min)
            ))),
        },
    }
}
