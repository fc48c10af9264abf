//! `bagheera ladder`: ratings of many players, among them the generations of a run.

use std::fs;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::common::{book, player_factory, print, print_json};
use super::match_arguments::MatchArguments;
use super::match_command::NOT_REPEATABLE;
use super::{CommandError, GameTask};
use crate::arena::{Ladder, LadderEntrant, LadderError, Scheme};
use crate::files::write_atomically;
use crate::game::Side;
use crate::kit::{Kit, NetworkSource, PlayerSpec};
use crate::record::{LADDER_FILE, LadderPlayer, LadderRecord, RunPaths};
use crate::report::{Column, dash, percent, text_table};
use crate::search::Limits;
use crate::statistics::Rating;

/// Default number of generations of a run that play.
const USUAL_GENERATIONS: usize = 8;
/// Default depths of the hand-written evaluation, which plays beside a run together with random moves.
const USUAL_DEPTHS: [u32; 3] = [1, 3, 5];

/// Rate many players by matches between them: one fit gives the Elo of all, overall and by side.
///
/// All matches use the same openings. Games are kept, so a stopped ladder resumes, and a ladder with
/// additional players plays only their matches.
#[derive(Debug, Args)]
#[command(mut_arg("pairs", |pairs| pairs.default_value("20")), mut_arg("book", |book| book.default_value("tuning")))]
pub(super) struct LadderCommand {
    /// Players: claude@depth=6, neural:FILE, random, …; the default with --run is the hand-written
    /// evaluation at depths 1, 3 and 5, and random moves.
    #[arg(value_name = "PLAYER")]
    players: Vec<PlayerSpec>,
    /// Directory of a run whose networks play.
    #[arg(long, value_name = "DIR")]
    run: Option<PathBuf>,
    /// Generations of the run that play, for example 0,3,6; the default is eight of them, from the first
    /// to the last.
    #[arg(long, value_name = "LIST", value_delimiter = ',', requires = "run")]
    generations: Vec<u32>,
    /// Nodes per search of the run's networks.
    #[arg(long, default_value_t = 2000, value_name = "N", requires = "run", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Which players meet: round-robin (all meet each other) or gauntlet (generations meet only the
    /// other players; without a run the first player meets all others).
    #[arg(long, value_enum, default_value = "round-robin")]
    scheme: SchemeArgument,
    /// Folder for the games and the result; the default with --run is the folder ladder of the run.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    arguments: MatchArguments,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum SchemeArgument {
    RoundRobin,
    Gauntlet,
}

impl From<SchemeArgument> for Scheme {
    fn from(argument: SchemeArgument) -> Self {
        match argument {
            SchemeArgument::RoundRobin => Self::RoundRobin,
            SchemeArgument::Gauntlet => Self::Gauntlet,
        }
    }
}

impl GameTask for LadderCommand {
    fn game(&self) -> Result<String, CommandError> {
        self.arguments.game.name()
    }

    fn run<G: Kit>(&self) -> Result<(), CommandError> {
        play::<G>(self)
    }
}

impl LadderCommand {
    /// The specifications of the players other than the run's networks.
    fn others<G: Kit>(&self) -> Vec<PlayerSpec> {
        if self.run.is_none() || !self.players.is_empty() {
            return self.players.clone();
        }
        let hand_written = |depth| PlayerSpec::hand_written::<G>(Limits::depth(depth));
        let hand_written = USUAL_DEPTHS.into_iter().map(hand_written);
        hand_written.chain([PlayerSpec::random(0)]).collect()
    }

    /// The run's networks that play.
    fn networks<G: Kit>(&self) -> Result<Vec<LadderEntrant<G>>, CommandError> {
        let Some(run) = &self.run else {
            return Ok(Vec::new());
        };
        let paths = RunPaths::new(run);
        let network = |generation: u32| paths.generation(generation).network();
        let last = (0..)
            .take_while(|generation| network(*generation).exists())
            .count();
        if last == 0 {
            return Err(CommandError::usage(format!(
                "{} does not contain the networks of a run ({} does not exist)",
                run.display(),
                network(0).display()
            )));
        }
        let generations = match self.generations.as_slice() {
            [] => spread(last as u32 - 1, USUAL_GENERATIONS),
            named => named.to_vec(),
        };
        let entrant = |generation: u32| {
            let source = NetworkSource::File(network(generation));
            let spec = PlayerSpec::network(source, Limits::nodes(self.nodes));
            let player_factory = player_factory::<G>(&spec)?;
            Ok(LadderEntrant {
                player_factory: player_factory
                    .named(format!("generation {generation}@nodes={}", self.nodes)),
                generation: Some(generation),
            })
        };
        generations.into_iter().map(entrant).collect()
    }

    /// The folder of the ladder.
    fn folder(&self) -> Option<PathBuf> {
        let of_run = || self.run.as_ref().map(|run| RunPaths::new(run).ladder());
        self.out.clone().or_else(of_run)
    }
}

/// At most `most` evenly spaced numbers from 0 to `last`, including both.
fn spread(last: u32, most: usize) -> Vec<u32> {
    let steps = (most - 1).min(last as usize).max(1) as f64;
    let mut numbers: Vec<u32> = (0..=steps as u32)
        .map(|step| (f64::from(last) * f64::from(step) / steps).round() as u32)
        .collect();
    numbers.dedup();
    numbers
}

fn play<G: Kit>(command: &LadderCommand) -> Result<(), CommandError> {
    let arguments = &command.arguments;
    let mut entrants = command.networks::<G>()?;
    for spec in command.others::<G>() {
        entrants.push(LadderEntrant {
            player_factory: player_factory(&spec)?,
            generation: None,
        });
    }
    let book = book(&arguments.book)?;
    let pairs = arguments.pairs as usize;
    let scheme = command.scheme.into();
    let ladder = Ladder::new(&entrants, scheme, &book, pairs, arguments.settings())
        .map_err(CommandError::usage)?;
    let folder = command.folder();
    if let Some(folder) = &folder {
        fs::create_dir_all(folder).map_err(|error| unwritable(folder, &error))?;
    }
    let resources = arguments.resources()?;
    let context = resources.context();
    let deterministic = |entrant: &LadderEntrant<G>| entrant.player_factory.deterministic;
    if !entrants.iter().all(deterministic) {
        context.reporter.say(NOT_REPEATABLE);
    }
    context.reporter.say(format!(
        "{} players, {} matches of {pairs} pairs{}",
        entrants.len(),
        ladder.matches(),
        folder.as_ref().map_or_else(String::new, |folder| format!(
            "; games and result are written to {}",
            folder.display()
        ))
    ));
    let record = match ladder.play(folder.as_deref(), &context) {
        Ok(Some(record)) => record,
        Ok(None) => {
            let resume = if folder.is_some() {
                "run the same command again to resume"
            } else {
                "use --out DIR to make a ladder that can be resumed"
            };
            return Err(CommandError::Interrupted(format!("stopped; {resume}")));
        }
        Err(error @ LadderError::Games(_)) => return Err(CommandError::failure(error)),
        Err(error) => return Err(CommandError::usage(error)),
    };
    if let Some(folder) = &folder {
        let path = folder.join(LADDER_FILE);
        let write = write_atomically(&path, |file| {
            serde_json::to_writer_pretty(&mut *file, &record)?;
            std::io::Write::write_all(file, b"\n")
        });
        write.map_err(|error| unwritable(&path, &error))?;
    }
    if arguments.output.json {
        return print_json(&record);
    }
    print(describe::<G>(&record))?;
    match &folder {
        None => Ok(()),
        Some(folder) => print(format!(
            "Games and {LADDER_FILE} are in {}",
            folder.display()
        )),
    }
}

fn unwritable(path: &Path, error: &std::io::Error) -> CommandError {
    CommandError::failure(format!("cannot write {}: {error}", path.display()))
}

/// Formats a ladder as text, the strongest player first.
fn describe<G: Kit>(record: &LadderRecord) -> String {
    let rating = |rating: &Rating| format!("{:+.0} ± {:.0}", rating.elo, rating.half_width);
    let mut players: Vec<_> = record.players.iter().collect();
    players.sort_by(|one, other| other.rating.elo.total_cmp(&one.rating.elo));
    let width = players.iter().map(|player| player.name.chars().count());
    let width = width.max().unwrap_or_default().max("player".len());
    let [max, min] = [Side::Max, Side::Min].map(G::side_name);
    let rated = |cell: Option<&Rating>| cell.map_or(dash(), rating);
    let by_side = |side: &'static str| {
        let cell = move |player: &&LadderPlayer| rated(player.by_side.get(side));
        Column::new(format!("as {side}"), 13, cell)
    };
    let columns = [
        Column::new("player", width, |player: &&LadderPlayer| {
            player.name.clone()
        })
        .left(),
        Column::new("Elo", 13, |player: &&LadderPlayer| rating(&player.rating)),
        by_side(max),
        by_side(min),
        Column::new("games", 6, |player: &&LadderPlayer| {
            player.games.games().to_string()
        }),
        Column::new("points", 6, |player: &&LadderPlayer| {
            player.games.score().map_or(dash(), percent)
        }),
    ];
    format!(
        "{}\n{} of {} games unique; 0 is the mean of all players (by side: of the players linked by \
         games); playing {max} is worth {} between equal players; ± is the 95 % interval",
        text_table(&columns, players),
        record.unique_games,
        record
            .matches
            .iter()
            .map(|played| played.games.games())
            .sum::<u64>(),
        rating(&record.advantage)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generations_are_spread_evenly_from_the_first_to_the_last() {
        assert_eq!(spread(0, 8), [0]);
        assert_eq!(spread(3, 8), [0, 1, 2, 3]);
        assert_eq!(spread(7, 8), [0, 1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(spread(50, 8), [0, 7, 14, 21, 29, 36, 43, 50]);
    }
}
