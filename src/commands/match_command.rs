//! `bagheera match`: a match of two players over the openings of a book.

use std::path::PathBuf;

use clap::Args;

use super::common::{book, player_factory, print, print_json};
use super::match_arguments::MatchArguments;
use super::{CommandError, GameTask};
use crate::arena::{Match, MatchRunner, MismatchPolicy, PlayedMatch};
use crate::kit::{Kit, PlayerSpec};
use crate::record::MatchRecord;
use crate::statistics::{EloModel, Sprt, Verdict};

/// Play a match between two players; each opening of a book is played twice, with sides swapped.
#[derive(Debug, Args)]
pub(super) struct MatchCommand {
    /// The first player, whose score is reported: claude@depth=6, neural@nodes=5000 (the shipped
    /// network), neural:FILE, random@seed=1, greedy, …
    first: PlayerSpec,
    /// The second player.
    second: PlayerSpec,
    /// Stop as soon as a sequential test (SPRT) decides between two strengths in normalised Elo, for
    /// example 0,30.
    #[arg(long, value_name = "LOW,HIGH", value_parser = elo_bounds, allow_hyphen_values = true)]
    sprt: Option<[f64; 2]>,
    /// Write the games, with the score of every move, to this text file. If the file already contains
    /// the first games of this match, resume from them.
    #[arg(long, value_name = "FILE")]
    games: Option<PathBuf>,
    #[command(flatten)]
    arguments: MatchArguments,
}

impl GameTask for MatchCommand {
    fn game(&self) -> Result<String, CommandError> {
        self.arguments.game.name()
    }

    fn run<G: Kit>(&self) -> Result<(), CommandError> {
        play::<G>(self)
    }
}

/// Parses two strengths, for example `0,30`.
fn elo_bounds(text: &str) -> Result<[f64; 2], String> {
    let read = |number: &str| number.trim().parse().ok();
    text.split_once(',')
        .and_then(|(low, high)| Some([read(low)?, read(high)?]))
        .ok_or_else(|| "write two strengths like 0,30 or -20,0".to_owned())
}

/// Printed if a player has a time limit.
pub(super) const NOT_REPEATABLE: &str =
    "A player is limited by time, so the result cannot be repeated exactly.";

fn play<G: Kit>(command: &MatchCommand) -> Result<(), CommandError> {
    let sprt = command
        .sprt
        .map(|bounds| Sprt::new(EloModel::Normalised, bounds, 0.05, 0.05))
        .transpose()
        .map_err(CommandError::usage)?;
    let (first, second) = (
        player_factory::<G>(&command.first)?,
        player_factory(&command.second)?,
    );
    let arguments = &command.arguments;
    let book = book(&arguments.book)?;
    let pairs = arguments.pairs as usize;
    let matchup = Match::new(&first, &second, &book, pairs, arguments.settings());
    let matchup = matchup.map_err(CommandError::usage)?;
    let resources = arguments.resources()?;
    let context = resources.context();
    if !(first.deterministic && second.deterministic) {
        context.reporter.say(NOT_REPEATABLE);
    }

    let runner = MatchRunner {
        matchup,
        label: "match".to_owned(),
        games: command
            .games
            .as_deref()
            .map(|path| (path, MismatchPolicy::Refuse)),
        sprt: sprt.as_ref(),
    };
    let played = runner.play(&context).map_err(CommandError::failure)?;
    let PlayedMatch { score, interrupted } = played;
    let record = runner.record(&score);
    if arguments.output.json {
        print_json(&record)?;
    } else {
        print(describe(&record))?;
    }
    if interrupted {
        let resume = match command.games {
            Some(_) => "; run the same command again to resume",
            None => "",
        };
        return Err(CommandError::Interrupted(format!(
            "stopped after {} of {pairs} pairs, to which the result above applies{resume}",
            score.pairs().len()
        )));
    }
    Ok(())
}

/// Formats the result of a match as text.
pub(super) fn describe(record: &MatchRecord) -> String {
    let mut lines = vec![format!("{} against {}", record.first, record.second)];
    lines.push(format!(
        "{} games from {} openings of the book {}, {} of them unique, {:.0} plies on average",
        record.games,
        record.games / 2,
        record.book,
        record.unique_games,
        record.mean_plies
    ));
    let percent =
        |score: Option<f64>| score.map_or("–".to_owned(), |s| format!("{:.1} %", 100.0 * s));
    let row = |name: &str, count: &crate::record::WinDrawLoss| {
        format!(
            "  {name:8} +{} ={} −{}  {}",
            count.wins,
            count.draws,
            count.losses,
            percent(count.score())
        )
    };
    lines.push(row("all", &record.total));
    for (side, count) in &record.by_side {
        lines.push(row(&format!("as {side}"), count));
    }
    let ends: Vec<String> = record
        .ends
        .iter()
        .map(|(end, n)| format!("{end} {n}"))
        .collect();
    lines.push(format!("  ends     {}", ends.join(", ")));
    let pairs = record.pairs.0.map(|n| n.to_string());
    lines.push(format!("  pairs    LL LD DD|WL WD WW: {}", pairs.join(" ")));
    if let Some(estimate) = &record.estimate {
        lines.push(format!(
            "  points   {:.1} %, 95 % interval {:.1} to {:.1} %",
            100.0 * estimate.score,
            100.0 * estimate.score_interval[0],
            100.0 * estimate.score_interval[1]
        ));
        let elo = match estimate.elo_half_width {
            Some(half) => format!("{:+.1} ± {half:.1}", estimate.elo),
            None => "not measurable (all pairs have the same score)".to_owned(),
        };
        lines.push(format!(
            "  Elo      {elo}; normalised {:+.1} ± {:.1}; LOS {:.1} %",
            estimate.nelo,
            estimate.nelo_half_width,
            100.0 * estimate.los
        ));
    }
    if let Some(test) = &record.sequential {
        let verdict = match test.verdict {
            Verdict::AcceptH1 => format!("accepts {} nElo", test.elo_bounds[1]),
            Verdict::AcceptH0 => format!("accepts {} nElo", test.elo_bounds[0]),
            Verdict::Continue => "is undecided".to_owned(),
        };
        lines.push(format!(
            "  SPRT     [{}, {}] nElo {verdict}: LLR {:.2} in ({:.2}, {:.2})",
            test.elo_bounds[0],
            test.elo_bounds[1],
            test.llr,
            test.llr_bounds[0],
            test.llr_bounds[1]
        ));
    }
    lines.join("\n")
}
