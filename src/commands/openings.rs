//! `bagheera openings`: make an opening book.

use std::collections::HashSet;
use std::io::Write as _;
use std::path::PathBuf;

use clap::Args;

use super::common::{
    ExactArgument, GameArgument, RulesArgument, ThreadsArgument, book, player_factory, print,
};
use super::match_arguments::Resources;
use super::{CommandError, GameTask};
use crate::arena::{OpeningsError, OpeningsJob};
use crate::files::write_atomically;
use crate::game::{ExactValues, QUIET_LIMIT};
use crate::kit::{EndgameTables as _, Kit, PlayerSpec};
use crate::reporter::Reporter;
use crate::search::Limits;

/// Make an opening book: random undecided positions whose games between players of different strength end
/// in different ways. With --exact, positions that the endgame tables know to be won are left out.
#[derive(Debug, Args)]
pub(super) struct OpeningsCommand {
    /// Number of openings.
    #[arg(long, default_value_t = 100, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    count: u32,
    /// Minimum number of random plies from the start of the game.
    #[arg(long, default_value_t = 4, value_name = "PLIES")]
    min_plies: u32,
    /// Maximum number of random plies.
    #[arg(long, default_value_t = 20, value_name = "PLIES")]
    max_plies: u32,
    /// Nodes per move of the weaker of the two judges; the stronger one has four times as many.
    #[arg(long, default_value_t = 500, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    nodes: u64,
    /// Books whose positions must not be used again, up to symmetry.
    #[arg(long, value_name = "BOOK")]
    exclude: Vec<String>,
    /// Output file; the default is standard output.
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Random seed.
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
    /// Suppress progress output.
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
    let tables = command.exact.open::<G>()?;
    let job = command.job::<G>(tables.as_ref())?;
    let resources = Resources::new(command.threads.threads, Reporter::new(command.quiet))?;
    let context = resources.context();
    let openings = job.make(&context).map_err(|error| match error {
        OpeningsError::Interrupted { .. } => CommandError::Interrupted(error.to_string()),
        OpeningsError::TooFew { .. } => CommandError::failure(error),
    })?;
    if let Some(tables) = &tables {
        report_unknown(&openings, tables, context.reporter);
    }
    let text = command.text(&openings, tables.as_ref());
    let Some(path) = &command.out else {
        return print(text.trim_end());
    };
    write_atomically(path, |file| file.write_all(text.as_bytes())).map_err(|error| {
        CommandError::failure(format!("cannot write {}: {error}", path.display()))
    })?;
    context.reporter.say(format!(
        "{} openings are in {}",
        openings.len(),
        path.display()
    ));
    Ok(())
}

impl OpeningsCommand {
    /// The openings to make.
    fn job<'a, G: Kit>(
        &self,
        tables: Option<&'a G::Tables>,
    ) -> Result<OpeningsJob<'a, G>, CommandError> {
        let mut excluded = HashSet::new();
        for name in &self.exclude {
            let book = book::<G>(name)?;
            let keys = book
                .openings()
                .iter()
                .map(|opening| opening.canonical().0.key());
            excluded.extend(keys);
        }
        let judge = |nodes| {
            let spec = PlayerSpec::hand_written::<G>(Limits::nodes(nodes));
            player_factory::<G>(&spec)
        };
        Ok(OpeningsJob {
            start: self.rules.start::<G>()?,
            count: self.count as usize,
            plies: (self.min_plies, self.max_plies),
            quiet_limit: QUIET_LIMIT,
            seed: self.seed,
            judges: [judge(self.nodes)?, judge(self.nodes * 4)?],
            excluded,
            exact: tables.map(|tables| tables as &dyn ExactValues<G>),
        })
    }

    /// The text of the book; its header has the command that makes it again.
    fn text<G: Kit>(&self, openings: &[G], tables: Option<&G::Tables>) -> String {
        let mut text = format!(
            "# {} openings of {}, made by\n# {}\n",
            openings.len(),
            G::NAME,
            invocation(self)
        );
        if let Some(tables) = tables {
            text.push_str(&format!(
                "# with tables up to {} in hand, of digest {}\n",
                tables.extent(),
                tables.digest()
            ));
        }
        for opening in openings {
            text.push_str(&opening.format_position());
            text.push('\n');
        }
        text
    }
}

/// Reports how many openings the tables do not contain.
fn report_unknown<G: Kit>(openings: &[G], tables: &G::Tables, reporter: &Reporter) {
    let unknown = openings
        .iter()
        .filter(|opening| tables.probe(opening).is_none());
    let unknown = unknown.count();
    if unknown > 0 {
        reporter.say(format!(
            "The tables do not contain {unknown} of the openings, which may be decided; `bagheera \
             endgame build` with a larger --in-hand builds tables that contain them."
        ));
    }
}

/// The command that makes the same book again, given the same tables.
fn invocation(command: &OpeningsCommand) -> String {
    let OpeningsCommand {
        count,
        min_plies,
        max_plies,
        nodes,
        seed,
        ..
    } = command;
    // The location of the tables does not matter.
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
