//! `bagheera match`: two players over the openings of a book.

use std::path::PathBuf;

use clap::Args;

use super::common::{
    GameArgument, OutputArguments, ThreadsArgument, book, interrupt, player_factory, print,
    print_json,
};
use super::{CommandError, GameTask};
use crate::arena::{Match, MatchRunner, MatchSettings, MismatchPolicy, Played};
use crate::game::QUIET_LIMIT;
use crate::kit::{Kit, PlayerSpec};
use crate::record::MatchRecord;
use crate::statistics::{EloModel, Sprt, Verdict};
use crate::workers::Context;

/// Play a match: each opening of a book twice, with sides swapped.
#[derive(Debug, Args)]
pub(super) struct MatchCommand {
    /// The first player, whose points are reported: claude@depth=6, neural@nodes=5000 (the network
    /// that comes with the program), neural:FILE, random@seed=1, greedy, …
    first: PlayerSpec,
    /// The second player.
    second: PlayerSpec,
    /// Pairs of games to play, each from an opening of its own.
    #[arg(long, default_value_t = 100, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pairs: u32,
    /// The opening book: gate, tuning, final, or a file.
    #[arg(long, default_value = "gate")]
    book: String,
    /// Stop as soon as a sequential test decides between two strengths in normalised Elo, as in
    /// 0,30.
    #[arg(long, value_name = "LOW,HIGH", value_parser = elo_bounds, allow_hyphen_values = true)]
    sprt: Option<[f64; 2]>,
    /// Keep the games, with the score of every move, in this file as text; a match that it holds the
    /// beginning of goes on from there.
    #[arg(long, value_name = "FILE")]
    games: Option<PathBuf>,
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

impl GameTask for MatchCommand {
    fn game(&self) -> Result<String, CommandError> {
        self.game.name()
    }

    fn run<G: Kit>(&self) -> Result<(), CommandError> {
        play::<G>(self)
    }
}

/// Reads two strengths, such as `0,30`.
fn elo_bounds(text: &str) -> Result<[f64; 2], String> {
    let read = |number: &str| number.trim().parse().ok();
    text.split_once(',')
        .and_then(|(low, high)| Some([read(low)?, read(high)?]))
        .ok_or_else(|| "two strengths are written like 0,30 or -20,0".to_owned())
}

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
    let book = book(&command.book)?;
    let referee = MatchSettings {
        quiet_limit: command.quiet_limit,
        seed: command.seed,
    };
    let pairs = command.pairs as usize;
    let contest =
        Match::new(&first, &second, &book, pairs, referee).map_err(CommandError::usage)?;
    let talk = command.output.talk();
    let interrupt = interrupt(&talk);
    let pool = command.threads.pool()?;
    if !(first.deterministic && second.deterministic) {
        talk.say("Players limited by time play other games each time: no result repeats exactly.");
    }

    let series = MatchRunner {
        contest,
        label: "match".to_owned(),
        games: command
            .games
            .as_deref()
            .map(|path| (path, MismatchPolicy::Refuse)),
        sprt: sprt.as_ref(),
    };
    let crew = Context {
        pool: &pool,
        interrupt: &interrupt,
        talk: &talk,
    };
    let Played { tally, interrupted } = series.play(&crew).map_err(CommandError::failure)?;
    let record = tally.record(&first, &second, &book, referee, sprt.as_ref());
    if command.output.json {
        print_json(&record)?;
    } else {
        print(describe(&record))?;
    }
    if interrupted {
        let go_on = match command.games {
            Some(_) => "; the same command goes on",
            None => "",
        };
        return Err(CommandError::Interrupted(format!(
            "stopped after {} of {pairs} pairs; the result above is of these{go_on}",
            tally.pairs().len()
        )));
    }
    Ok(())
}

/// A match for people.
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
            None => "beyond measure (all pairs alike)".to_owned(),
        };
        lines.push(format!(
            "  Elo      {elo}; normalised {:+.1} ± {:.1}; stronger with {:.1} %",
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
