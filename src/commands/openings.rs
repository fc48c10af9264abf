//! `bagheera openings`: make an opening book.

use std::collections::HashSet;
use std::io::Write as _;
use std::path::PathBuf;

use clap::Args;

use super::common::{
    ExactArgument, GameArgument, RulesArgument, ThreadsArgument, book, interrupt, player_factory,
    print,
};
use super::{CommandError, GameTask};
use crate::arena::{OpeningRules, OpeningsError, make_openings};
use crate::game::{ExactValues, QUIET_LIMIT};
use crate::kit::{EndgameTables as _, Kit, PlayerSpec};
use crate::reporter::Reporter;
use crate::search::Limits;

/// Make an opening book: random positions, undecided, that end differently when players of
/// different strength play them. Those that exact values decide are left out if asked for.
#[derive(Debug, Args)]
pub(super) struct OpeningsCommand {
    /// Openings to make.
    #[arg(long, default_value_t = 100, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    count: u32,
    /// The fewest random plies from the start of the game.
    #[arg(long, default_value_t = 4, value_name = "PLIES")]
    min_plies: u32,
    /// The most random plies.
    #[arg(long, default_value_t = 20, value_name = "PLIES")]
    max_plies: u32,
    /// Nodes a move of the weaker referee; the stronger one has four times as many.
    #[arg(long, default_value_t = 500, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    nodes: u64,
    /// Books whose positions may not come up again, even turned.
    #[arg(long, value_name = "BOOK")]
    exclude: Vec<String>,
    /// The file to write; standard output if not given.
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
    /// What all choices follow from.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    exact: ExactArgument,
    #[command(flatten)]
    threads: ThreadsArgument,
    #[command(flatten)]
    game: GameArgument,
    #[command(flatten)]
    rules: RulesArgument,
    /// Say nothing on the way.
    #[arg(long, short)]
    quiet: bool,
}

impl GameTask for OpeningsCommand {
    fn game(&self) -> Result<String, CommandError> {
        self.game.name()
    }

    fn run<G: Kit>(&self) -> Result<(), CommandError> {
        make::<G>(self)
    }
}

fn make<G: Kit>(command: &OpeningsCommand) -> Result<(), CommandError> {
    if command.min_plies > command.max_plies {
        return Err(CommandError::usage(format!(
            "--min-plies {} is more than --max-plies {}",
            command.min_plies, command.max_plies
        )));
    }
    let mut excluded = HashSet::new();
    for name in &command.exclude {
        let book = book::<G>(name)?;
        excluded.extend(
            book.openings()
                .iter()
                .map(|opening| opening.canonical().0.key()),
        );
    }
    let referee = |nodes| {
        let spec = PlayerSpec::hand_written::<G>(Limits::nodes(nodes));
        player_factory::<G>(&spec)
    };
    let referees = [referee(command.nodes)?, referee(command.nodes * 4)?];
    let rules = OpeningRules {
        start: command.rules.start::<G>()?,
        count: command.count as usize,
        plies: (command.min_plies, command.max_plies),
        quiet_limit: QUIET_LIMIT,
        seed: command.seed,
    };
    let tables = command.exact.open::<G>()?;
    let exact = tables.as_ref().map(|tables| tables as &dyn ExactValues<G>);
    let talk = Reporter::new(command.quiet);
    let interrupt = interrupt(&talk);
    let pool = command.threads.pool()?;
    let mut bar = talk.bar("openings", "found", 0, u64::from(command.count));
    let made = make_openings(
        &rules,
        &referees,
        excluded,
        exact,
        &pool,
        &interrupt,
        |found| {
            bar.at(found as u64, String::new);
        },
    );
    bar.finish();
    let openings = made.map_err(|error| match error {
        OpeningsError::Interrupted { .. } => CommandError::Interrupted(error.to_string()),
        OpeningsError::TooFew { .. } => CommandError::failure(error),
    })?;

    if let Some(exact) = exact {
        let unknown = openings
            .iter()
            .filter(|opening| exact.probe(opening).is_none());
        let unknown = unknown.count();
        if unknown > 0 {
            talk.say(format!(
                "The tables do not hold {unknown} of the openings, which may be decided; `bagheera \
                 endgame build` with more --in-hand makes those that do."
            ));
        }
    }
    let mut text = format!(
        "# {} openings of {}, made by\n# {}\n",
        openings.len(),
        G::NAME,
        invocation(command)
    );
    if let Some(tables) = &tables {
        text.push_str(&format!(
            "# with tables up to {} in hand, of digest {}\n",
            tables.extent(),
            tables.digest()
        ));
    }
    for opening in &openings {
        text.push_str(&opening.format_position());
        text.push('\n');
    }
    match &command.out {
        None => print(text.trim_end()),
        Some(path) => {
            crate::files::write_atomically(path, |file| file.write_all(text.as_bytes())).map_err(
                |error| {
                    CommandError::failure(format!("{} cannot be written: {error}", path.display()))
                },
            )?;
            talk.say(format!(
                "{} openings are in {}",
                openings.len(),
                path.display()
            ));
            Ok(())
        }
    }
}

/// The command that makes the same book again, with the same tables if it uses any.
fn invocation(command: &OpeningsCommand) -> String {
    let OpeningsCommand {
        count,
        min_plies,
        max_plies,
        nodes,
        seed,
        ..
    } = command;
    // Where the tables lie is no part of the book.
    let uses_exact = command.exact.exact || command.exact.tables.is_some();
    let exact = if uses_exact { " --exact" } else { "" };
    let exclude: Vec<String> = command
        .exclude
        .iter()
        .map(|book| format!(" --exclude {book}"))
        .collect();
    format!(
        "bagheera openings --count {count} --min-plies {min_plies} --max-plies {max_plies} \
         --nodes {nodes} --seed {seed}{}{exact}{}{}",
        exclude.concat(),
        format_args!(" --game {}", command.game.game),
        if command.rules.rules.is_empty() {
            String::new()
        } else {
            format!(" --rules {}", command.rules.rules.join(","))
        },
    )
}
