//! `bagheera run`: the whole loop.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;

use super::common::{TablesArgument, book, interrupt, player_factory, pool, print, print_json};
use super::{CommandError, GameTask};
use crate::arena::Book;
use crate::game::{format_rules, write_rules};
use crate::kit::{EndgameTables, Kit, PlayerSpec};
use crate::pipeline::{Config, Ending, Run, RunDirectory};
use crate::reporter::Reporter;
use crate::search::Limits;
use crate::selfplay::{ExactUse, SelfplaySettings};
use crate::shard::Augment;
use crate::training::DeviceChoice;

/// Plies of a game, bytes of a sample and nodes a second of a thread, as `docs/measured.md` has
/// them: good enough to say what a run is in for.
const USUAL_PLIES: f64 = 45.0;
const BYTES_A_SAMPLE: f64 = 19.2;
const NODES_A_SECOND: f64 = 2.5e6;

/// Run the loop: self-play, training, gate, generation after generation.
///
/// Everything goes into one directory. Interrupted or killed, the same command goes on where the
/// run stopped, and the result is that of a run that was never stopped.
#[derive(Debug, Args)]
pub(super) struct RunCommand {
    /// The configuration; not needed to go on with a run.
    #[arg(long, value_name = "FILE", required_unless_present = "dir")]
    config: Option<PathBuf>,
    /// The run's directory; data/runs/NAME of the configuration's file if not given.
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// Generations after which the run ends, instead of the configuration's.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    generations: Option<u32>,
    /// How long the run may begin further generations, as in 8h or "1h 30m", instead of the
    /// configuration's budget.
    #[arg(long, value_name = "TIME", value_parser = minutes)]
    time: Option<u32>,
    /// A network file to start from instead of random weights.
    #[arg(long, value_name = "NETWORK")]
    start_from: Option<PathBuf>,
    /// What all choices follow from, instead of the configuration's.
    #[arg(long)]
    seed: Option<u64>,
    /// Threads, instead of the configuration's; 0 means one a core. Results do not depend on it.
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Where training computes: cpu, gpu or cuda, instead of the configuration's.
    #[arg(long)]
    device: Option<String>,
    /// Print the records of all generations as JSON.
    #[arg(long)]
    json: bool,
    /// Say nothing on the way.
    #[arg(long, short)]
    quiet: bool,
}

impl GameTask for RunCommand {
    fn game(&self) -> Result<String, CommandError> {
        Ok(Config::load(&self.path()?)?.game)
    }

    fn run<G: Kit>(&self) -> Result<(), CommandError> {
        let path = self.path()?;
        let config = self.config::<G>(&path)?;
        let name = path.file_stem().unwrap_or_default();
        let usual = || Path::new("data/runs").join(name);
        let directory = self.dir.clone().unwrap_or_else(usual);
        go::<G>(self, &path, config, &directory)
    }
}

impl RunCommand {
    /// The configuration's file.
    fn path(&self) -> Result<PathBuf, CommandError> {
        match (&self.config, &self.dir) {
            (Some(config), _) => Ok(config.clone()),
            (None, Some(directory)) => Ok(RunDirectory::config_path(directory)),
            (None, None) => Err(CommandError::usage(
                "give --config FILE, or the --dir of a run",
            )),
        }
    }

    /// The configuration with the flags put in.
    fn config<G: Kit>(&self, path: &Path) -> Result<Config, CommandError> {
        let mut config = Config::load(path)?;
        G::NAME.clone_into(&mut config.game);
        if let Some(generations) = self.generations {
            config.operation.generations = generations;
        }
        if let Some(minutes) = self.time {
            config.operation.budget_minutes = minutes;
        }
        if let Some(network) = &self.start_from {
            config.start_from = network.to_str().map(str::to_owned).ok_or_else(|| {
                CommandError::usage(format!(
                    "{} is not UTF-8, as configurations are",
                    network.display()
                ))
            })?;
        }
        if let Some(seed) = self.seed {
            config.seed = seed;
        }
        if let Some(threads) = self.threads {
            config.operation.threads = threads;
        }
        if let Some(device) = &self.device {
            config.operation.device.clone_from(device);
        }
        config.check(path)?;
        Ok(config)
    }
}

/// Reads a time, such as `8h`, as minutes, of which any beginning counts.
fn minutes(text: &str) -> Result<u32, String> {
    let time = humantime::parse_duration(text).map_err(|error| error.to_string())?;
    match u32::try_from(time.as_secs().div_ceil(60)) {
        Ok(0) => Err("a run needs some time; leave --time out for no limit".to_owned()),
        Ok(minutes) => Ok(minutes),
        Err(_) => Err("that is longer than any run".to_owned()),
    }
}

fn go<G: Kit>(
    command: &RunCommand,
    path: &Path,
    mut config: Config,
    directory: &Path,
) -> Result<(), CommandError> {
    let rules = config.rules::<G>(path)?;
    config.rules = write_rules::<G>(&rules);
    let config = &config;
    let device: DeviceChoice = config
        .operation
        .device
        .parse()
        .map_err(CommandError::usage)?;
    let talk = Reporter::new(command.quiet);
    let interrupt = interrupt(&talk);
    let pool = pool(config.operation.threads)?;
    let hand_written = PlayerSpec::hand_written::<G>(Limits::nodes(config.gate.nodes));
    let hand_written = player_factory::<G>(&hand_written)?;
    let random = player_factory::<G>(&PlayerSpec::random(1))?;
    let gate_book = book::<G>(&config.gate.book)?;
    check_rules(&gate_book, &rules, config)?;
    let openings = gate_book.openings().len();
    let needed = config
        .gate
        .pairs
        .max(config.gate.random_pairs)
        .max(config.gate.max_pairs);
    if needed as usize > openings {
        return Err(CommandError::failure(format!(
            "the gate asks for {needed} pairs, and the book {} has {openings} openings; lower \
             gate.pairs and gate.max_pairs, or name a longer gate.book",
            config.gate.book
        )));
    }
    let tables: Option<Arc<G::Tables>> = match config.operation.tables.as_str() {
        "" => None,
        name => {
            let tables = TablesArgument {
                tables: (name != "default").then(|| name.into()),
            };
            Some(Arc::new(G::Tables::open(&tables.folder::<G>()?)?))
        }
    };
    let reach = tables.as_ref().map(|tables| tables.extent());
    let mut run = Run::open(
        config,
        rules,
        directory,
        device,
        tables,
        gate_book,
        hand_written,
        random,
        &pool,
        &interrupt,
        &talk,
    )?;
    talk.say(preamble::<G>(config, directory, pool.current_num_threads()));
    if let Some(reach) = reach {
        talk.say(tables_text::<G>(config.selfplay.exact, reach));
    }
    let ending = run.go()?;
    let why = match ending {
        Ending::Interrupted => {
            return Err(CommandError::Interrupted(format!(
                "stopped; go on with: bagheera run --dir {}",
                directory.display()
            )));
        }
        Ending::Generations => "all generations are done",
        Ending::Patience => "too many candidates in a row were rejected",
        Ending::Budget => "the time is used up",
    };
    if command.json {
        return print_json(&run.records()?);
    }
    print(run.table()?)?;
    print(format!(
        "The run has ended: {why}. The best network is {}, the report {}",
        run.best().display(),
        run.write_report()?.display()
    ))?;
    let more = match ending {
        Ending::Generations => format!(" --generations {}", 2 * config.operation.generations),
        _ => String::new(),
    };
    talk.say(format!(
        "Go on by: bagheera run --dir {}{more}",
        directory.display()
    ));
    Ok(())
}

/// Refuses a book for the gate whose games have other rules than those of the run.
fn check_rules<G: Kit>(
    book: &Book<G>,
    rules: &G::Rules,
    config: &Config,
) -> Result<(), CommandError> {
    let mut openings = book.openings().iter();
    let Some(other) = openings.find(|opening| opening.rules() != *rules) else {
        return Ok(());
    };
    Err(CommandError::failure(format!(
        "the book {} has an opening with {}, and the run is played with {}; make a book by \
         `bagheera openings --game {} --rules RULES` and name it in gate.book",
        config.gate.book,
        format_rules::<G>(&other.rules()),
        format_rules::<G>(rules),
        G::NAME
    )))
}

fn preamble<G: Kit>(config: &Config, directory: &Path, threads: usize) -> String {
    let (selfplay, gate) = (&config.selfplay, &config.gate);
    let search = match selfplay.depth {
        0 => format!("{} nodes", selfplay.nodes),
        depth => format!("{depth} plies"),
    };
    format!(
        "{} generations of {} games at {search} a move on {threads} threads, then training on {}, \
         then {} pairs at {} nodes against the hand-written evaluation; seed {}\n\
         Everything goes to {}, about {:.0} MB{} a generation.",
        config.operation.generations,
        selfplay.games,
        config.operation.device,
        gate.pairs,
        gate.nodes,
        config.seed,
        directory.display(),
        megabytes::<G>(selfplay),
        duration(config, threads),
    )
}

/// What the run has of endgame tables that reach so far, and what more there could be.
fn tables_text<G: Kit>(exact: ExactUse, reach: u32) -> String {
    let most = <G::Tables as EndgameTables<G>>::MOST_EXTENT;
    let purpose = match exact {
        ExactUse::Off => "examine networks",
        ExactUse::Label => "label samples and examine networks",
        ExactUse::End => "end games and examine networks",
    };
    let more = if reach < most {
        format!(
            "; before the run begins, `bagheera endgame build --in-hand {most}` makes those of the \
             whole game"
        )
    } else {
        String::new()
    };
    format!("Endgame tables up to {reach} in hand {purpose}{more}.")
}

/// What the shards of a generation take, from what is usual.
fn megabytes<G: Kit>(settings: &SelfplaySettings) -> f64 {
    let images = match settings.augment {
        Augment::Write => G::SYMMETRIES as f64,
        Augment::Read => 1.0,
    };
    let samples = f64::from(settings.games) * USUAL_PLIES * (1.0 + settings.branches);
    samples * images * BYTES_A_SAMPLE / 1e6
}

/// How long a generation of self-play takes, where its searches are limited by nodes.
fn duration(config: &Config, threads: usize) -> String {
    let settings = &config.selfplay;
    if settings.depth > 0 {
        return String::new();
    }
    let of_game = USUAL_PLIES * (1.0 + settings.branches) + f64::from(settings.opening_choices);
    let searches = f64::from(settings.games) * of_game;
    // A search stops when a further pass would hardly finish, on average at two thirds.
    let nodes = searches * settings.nodes as f64 * 2.0 / 3.0;
    let minutes = nodes / (NODES_A_SECOND * threads as f64) / 60.0;
    match minutes.round() {
        0.0 => " and less than a minute of self-play".to_owned(),
        1.0 => " and in the order of a minute of self-play".to_owned(),
        minutes => format!(" and in the order of {minutes} minutes of self-play"),
    }
}
