//! `bagheera ladder`: how strong many players are, the generations of a run among them.

use std::fs;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::common::{
    GameArgument, OutputArguments, ThreadsArgument, book, interrupt, player_factory, print,
    print_json,
};
use super::{CommandError, GameTask};
use crate::arena::{Ladder, LadderEntrant, LadderError, MatchSettings, Scheme};
use crate::files::write_atomically;
use crate::game::{QUIET_LIMIT, Side};
use crate::kit::{Kit, NetworkSource, PlayerSpec};
use crate::record::LadderRecord;
use crate::search::Limits;
use crate::statistics::Rating;
use crate::workers::Context;

/// The record in a ladder's folder.
const RECORD: &str = "ladder.json";
/// Generations of a run that play where none are named.
const USUAL_GENERATIONS: usize = 8;
/// Who plays beside a run where nobody is named: the hand-written evaluation, in plies, and random moves.
const USUAL_DEPTHS: [u32; 3] = [1, 3, 5];

/// Rate many players by matches between them: Elo of all from one fit, by side as well.
///
/// Every match is played from the same openings, and its games are kept, so that a ladder that was
/// stopped goes on, and one with more players plays what is new alone.
#[derive(Debug, Args)]
pub(super) struct LadderCommand {
    /// Players: claude@depth=6, neural:FILE, random, …; with --run and none named, the hand-written
    /// evaluation at depths 1, 3 and 5 and random moves.
    #[arg(value_name = "PLAYER")]
    players: Vec<PlayerSpec>,
    /// The directory of a run whose networks play.
    #[arg(long, value_name = "DIR")]
    run: Option<PathBuf>,
    /// The generations of the run that play, as in 0,3,6; eight of them, from the first to the last, if
    /// not given.
    #[arg(long, value_name = "LIST", value_delimiter = ',', requires = "run")]
    generations: Vec<u32>,
    /// Nodes of each search of the run's networks.
    #[arg(long, default_value_t = 2000, value_name = "N", requires = "run", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Who meets whom: round-robin (everybody meets everybody), or gauntlet (generations meet the
    /// other players alone; without a run the first player meets all others).
    #[arg(long, value_enum, default_value = "round-robin")]
    scheme: SchemeArgument,
    /// Pairs of games of each match.
    #[arg(long, default_value_t = 20, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pairs: u32,
    /// The opening book: gate, tuning, final, or a file.
    #[arg(long, default_value = "tuning")]
    book: String,
    /// The folder for the games and the result; the folder ladder of the run if not given.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Plies without an irreversible move that draw a game.
    #[arg(long, default_value_t = QUIET_LIMIT, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(4..))]
    quiet_limit: u32,
    /// What random players' choices follow from.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    threads: ThreadsArgument,
    #[command(flatten)]
    game: GameArgument,
    #[command(flatten)]
    output: OutputArguments,
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
        self.game.name()
    }

    fn run<G: Kit>(&self) -> Result<(), CommandError> {
        play::<G>(self)
    }
}

impl LadderCommand {
    /// The players besides the run's networks.
    fn others<G: Kit>(&self) -> Vec<PlayerSpec> {
        if self.run.is_none() || !self.players.is_empty() {
            return self.players.clone();
        }
        let hand_written = |depth| PlayerSpec::hand_written::<G>(Limits::depth(depth));
        let hand_written = USUAL_DEPTHS.into_iter().map(hand_written);
        hand_written.chain([PlayerSpec::random(0)]).collect()
    }

    /// The networks of the run that play.
    fn networks<G: Kit>(&self) -> Result<Vec<LadderEntrant<G>>, CommandError> {
        let Some(run) = &self.run else {
            return Ok(Vec::new());
        };
        let folder = run.join("generations");
        let network = |generation: u32| folder.join(format!("{generation:03}/candidate.net"));
        let last = (0..)
            .take_while(|generation| network(*generation).exists())
            .count();
        if last == 0 {
            return Err(CommandError::usage(format!(
                "{} holds no network of a run ({} is not there)",
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
        let of_run = || self.run.as_ref().map(|run| run.join("ladder"));
        self.out.clone().or_else(of_run)
    }
}

/// At most `most` numbers from 0 to `last`, both of them among these, evenly apart.
fn spread(last: u32, most: usize) -> Vec<u32> {
    let steps = (most - 1).min(last as usize).max(1) as f64;
    let mut numbers: Vec<u32> = (0..=steps as u32)
        .map(|step| (f64::from(last) * f64::from(step) / steps).round() as u32)
        .collect();
    numbers.dedup();
    numbers
}

fn play<G: Kit>(command: &LadderCommand) -> Result<(), CommandError> {
    let mut entrants = command.networks::<G>()?;
    for spec in command.others::<G>() {
        entrants.push(LadderEntrant {
            player_factory: player_factory(&spec)?,
            generation: None,
        });
    }
    let book = book(&command.book)?;
    let referee = MatchSettings {
        quiet_limit: command.quiet_limit,
        seed: command.seed,
    };
    let pairs = command.pairs as usize;
    let scheme = command.scheme.into();
    let ladder =
        Ladder::new(&entrants, scheme, &book, pairs, referee).map_err(CommandError::usage)?;
    let folder = command.folder();
    if let Some(folder) = &folder {
        fs::create_dir_all(folder).map_err(|error| unwritable(folder, &error))?;
    }
    let talk = command.output.talk();
    let interrupt = interrupt(&talk);
    let pool = command.threads.pool()?;
    if !entrants
        .iter()
        .all(|entrant| entrant.player_factory.deterministic)
    {
        talk.say("Players limited by time play other games each time: no result repeats exactly.");
    }
    talk.say(format!(
        "{} players, {} matches of {pairs} pairs{}",
        entrants.len(),
        ladder.matches(),
        folder.as_ref().map_or_else(String::new, |folder| format!(
            "; games and result go to {}",
            folder.display()
        ))
    ));
    let crew = Context {
        pool: &pool,
        interrupt: &interrupt,
        talk: &talk,
    };
    let record = match ladder.play(folder.as_deref(), &crew) {
        Ok(Some(record)) => record,
        Ok(None) => {
            let go_on = if folder.is_some() {
                "; the same command goes on"
            } else {
                "; with --out DIR a ladder can go on"
            };
            return Err(CommandError::Interrupted(format!("stopped{go_on}")));
        }
        Err(error @ LadderError::Games(_)) => return Err(CommandError::failure(error)),
        Err(error) => return Err(CommandError::usage(error)),
    };
    if let Some(folder) = &folder {
        let path = folder.join(RECORD);
        let write = write_atomically(&path, |file| {
            serde_json::to_writer_pretty(&mut *file, &record)?;
            std::io::Write::write_all(file, b"\n")
        });
        write.map_err(|error| unwritable(&path, &error))?;
    }
    if command.output.json {
        return print_json(&record);
    }
    print(describe::<G>(&record))?;
    match &folder {
        None => Ok(()),
        Some(folder) => print(format!("Games and {RECORD} are in {}", folder.display())),
    }
}

fn unwritable(path: &Path, error: &std::io::Error) -> CommandError {
    CommandError::failure(format!("{} cannot be written: {error}", path.display()))
}

/// A ladder for people, the strongest first.
fn describe<G: Kit>(record: &LadderRecord) -> String {
    let rating = |rating: &Rating| format!("{:+.0} ± {:.0}", rating.elo, rating.half_width);
    let sides = [Side::Max, Side::Min].map(G::side_name);
    let mut players: Vec<_> = record.players.iter().collect();
    players.sort_by(|one, other| other.rating.elo.total_cmp(&one.rating.elo));
    let width = players.iter().map(|player| player.name.chars().count());
    let width = width.max().unwrap_or_default().max("player".len());
    let mut lines = vec![format!(
        "{:width$}  {:>13}  {:>13}  {:>13}  {:>6}  {:>6}",
        "player",
        "Elo",
        format!("as {}", sides[0]),
        format!("as {}", sides[1]),
        "games",
        "points"
    )];
    for player in players {
        let of_side = |side: &str| player.by_side.get(side).map_or("–".to_owned(), rating);
        let points = player.games.score();
        lines.push(format!(
            "{:width$}  {:>13}  {:>13}  {:>13}  {:>6}  {:>6}",
            player.name,
            rating(&player.rating),
            of_side(sides[0]),
            of_side(sides[1]),
            player.games.games(),
            points.map_or("–".to_owned(), |points| format!(
                "{:.1} %",
                100.0 * points
            )),
        ));
    }
    lines.push(format!(
        "{} of {} games unique; 0 is the mean of all players (of a side, of those that games link); \
         {} is worth {} between equals; ± is 95 %.",
        record.unique_games,
        record.matches.iter().map(|played| played.games.games()).sum::<u64>(),
        sides[0],
        rating(&record.advantage)
    ));
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generations_are_spread_from_the_first_to_the_last() {
        assert_eq!(spread(0, 8), [0]);
        assert_eq!(spread(3, 8), [0, 1, 2, 3]);
        assert_eq!(spread(7, 8), [0, 1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(spread(50, 8), [0, 7, 14, 21, 29, 36, 43, 50]);
    }
}
