//! `bagheera run`: the whole loop.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;

use super::common::{TablesArgument, print, print_json};
use super::match_arguments::Resources;
use super::{CommandError, GameTask};
use crate::game::write_rules;
use crate::kit::{EndgameTables, Kit};
use crate::pipeline::{Config, Run, RunEnding, RunSetup};
use crate::record::RunPaths;
use crate::reporter::Reporter;
use crate::selfplay::{ExactUse, SelfplaySettings};
use crate::shard::Augment;
use crate::training::DeviceChoice;

/// Plies of a game, bytes of a sample and nodes per second and thread, from `docs/measured.md`: good
/// enough to estimate the cost of a run.
const USUAL_PLIES: f64 = 45.0;
const BYTES_A_SAMPLE: f64 = 19.2;
const NODES_A_SECOND: f64 = 2.5e6;

/// Run the loop: self-play, training, gate, generation after generation.
///
/// All files are written to one directory. After an interruption, the same command resumes the run, and
/// the result is the same as without the interruption.
#[derive(Debug, Args)]
pub(super) struct RunCommand {
    /// Config file; not needed to resume a run.
    #[arg(long, value_name = "FILE", required_unless_present = "dir")]
    config: Option<PathBuf>,
    /// Directory of the run; the default is data/runs/NAME, with the name of the config file.
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// Generations after which the run ends (overrides the config).
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    generations: Option<u32>,
    /// Time during which the run may begin further generations, for example 8h or "1h 30m" (overrides
    /// the config's budget).
    #[arg(long, value_name = "TIME", value_parser = minutes)]
    time: Option<u32>,
    /// Network file to start from instead of random weights.
    #[arg(long, value_name = "NETWORK")]
    start_from: Option<PathBuf>,
    /// Random seed (overrides the config).
    #[arg(long)]
    seed: Option<u64>,
    /// Threads; 0 means one per core (overrides the config). Results do not depend on it.
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Training device: cpu, gpu or cuda (overrides the config).
    #[arg(long)]
    device: Option<String>,
    /// Print the records of all generations as JSON.
    #[arg(long)]
    json: bool,
    /// Suppress progress output.
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
    /// Returns the path of the config file.
    fn path(&self) -> Result<PathBuf, CommandError> {
        match (&self.config, &self.dir) {
            (Some(config), _) => Ok(config.clone()),
            (None, Some(directory)) => Ok(RunPaths::new(directory).config()),
            (None, None) => Err(CommandError::usage(
                "give --config FILE, or the --dir of a run",
            )),
        }
    }

    /// Reads the configuration and applies the flags.
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
                    "{} is not valid UTF-8, which configurations require",
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

/// Parses a duration, for example `8h`, as minutes, rounded up.
fn minutes(text: &str) -> Result<u32, String> {
    let time = humantime::parse_duration(text).map_err(|error| error.to_string())?;
    match u32::try_from(time.as_secs().div_ceil(60)) {
        Ok(0) => Err("the time must be positive; leave --time out for no limit".to_owned()),
        Ok(minutes) => Ok(minutes),
        Err(_) => Err("the time is too long".to_owned()),
    }
}

fn go<G: Kit>(
    command: &RunCommand,
    path: &Path,
    mut config: Config,
    root: &Path,
) -> Result<(), CommandError> {
    let rules = config.rules::<G>(path)?;
    config.rules = write_rules::<G>(&rules);
    let (config, operation) = (&config, &config.operation);
    let device: DeviceChoice = operation.device.parse().map_err(CommandError::usage)?;
    let resources = Resources::new(operation.threads, Reporter::new(command.quiet))?;
    let context = resources.context();
    let tables = open_tables::<G>(config)?.map(Arc::new);
    let reach = tables.as_ref().map(|tables| tables.extent());
    let setup = RunSetup {
        config,
        rules,
        root,
        device,
        tables,
    };
    let mut run = Run::<G>::open(setup, context).map_err(|error| match error.is_usage() {
        true => CommandError::usage(error),
        false => error.into(),
    })?;
    let threads = context.pool.current_num_threads();
    context.reporter.say(preamble::<G>(config, root, threads));
    if let Some(reach) = reach {
        let text = tables_text::<G>(config.selfplay.exact, reach);
        context.reporter.say(text);
    }
    let ending = run.go()?;
    conclude(command, config, &run, ending, context.reporter)
}

/// Opens the endgame tables that a configuration names, if any.
fn open_tables<G: Kit>(config: &Config) -> Result<Option<G::Tables>, CommandError> {
    let tables = match config.operation.tables.as_str() {
        "" => return Ok(None),
        "default" => None,
        folder => Some(folder.into()),
    };
    let folder = TablesArgument { tables }.folder::<G>()?;
    Ok(Some(G::Tables::open(&folder)?))
}

/// Prints the result of a run.
fn conclude<G: Kit>(
    command: &RunCommand,
    config: &Config,
    run: &Run<G>,
    ending: RunEnding,
    reporter: &Reporter,
) -> Result<(), CommandError> {
    let root = run.paths().root().display();
    let why = match ending {
        RunEnding::Interrupted => {
            return Err(CommandError::Interrupted(format!(
                "stopped; resume with: bagheera run --dir {root}"
            )));
        }
        RunEnding::Generations => "all generations are finished",
        RunEnding::Patience => "too many candidates in a row were rejected",
        RunEnding::Budget => "the time is used up",
    };
    if command.json {
        return print_json(&run.records()?);
    }
    print(run.table()?)?;
    print(format!(
        "The run has ended: {why}. The best network is {}, the report {}",
        run.paths().best().display(),
        run.write_report()?.display()
    ))?;
    let more = match ending {
        RunEnding::Generations => format!(" --generations {}", 2 * config.operation.generations),
        _ => String::new(),
    };
    reporter.say(format!("Continue with: bagheera run --dir {root}{more}"));
    Ok(())
}

/// Describes the cost of the run.
fn preamble<G: Kit>(config: &Config, directory: &Path, threads: usize) -> String {
    let (selfplay, gate) = (&config.selfplay, &config.gate);
    let search = match selfplay.depth {
        0 => format!("{} nodes", selfplay.nodes),
        depth => format!("{depth} plies"),
    };
    format!(
        "{} generations of {} games at {search} per move on {threads} threads, then training on {}, \
         then {} pairs at {} nodes against the hand-written evaluation; seed {}\n\
         All files are written to {}, about {:.0} MB{} per generation.",
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

/// Describes how the run uses its endgame tables, and how to build the missing ones.
fn tables_text<G: Kit>(exact: ExactUse, reach: u32) -> String {
    let most = <G::Tables as EndgameTables<G>>::MOST_EXTENT;
    let purpose = match exact {
        ExactUse::Off => "examine networks",
        ExactUse::Label => "label samples and examine networks",
        ExactUse::End => "end games and examine networks",
    };
    let more = if reach < most {
        format!(
            "; run `bagheera endgame build --in-hand {most}` before the run to build the complete \
             tables"
        )
    } else {
        String::new()
    };
    format!("Endgame tables up to {reach} in hand {purpose}{more}.")
}

/// Estimates the size of a generation's shards in megabytes.
fn megabytes<G: Kit>(settings: &SelfplaySettings) -> f64 {
    let images = match settings.augment {
        Augment::Write => G::SYMMETRIES as f64,
        Augment::Read => 1.0,
    };
    let samples = f64::from(settings.games) * USUAL_PLIES * (1.0 + settings.branches);
    samples * images * BYTES_A_SAMPLE / 1e6
}

/// Estimates the time of a generation's self-play, if its searches are limited by nodes.
fn duration(config: &Config, threads: usize) -> String {
    let settings = &config.selfplay;
    if settings.depth > 0 {
        return String::new();
    }
    let of_game = USUAL_PLIES * (1.0 + settings.branches) + f64::from(settings.opening_choices);
    let searches = f64::from(settings.games) * of_game;
    // A search does not start an iteration that it can hardly finish; on average it uses two thirds.
    let nodes = searches * settings.nodes as f64 * 2.0 / 3.0;
    let minutes = nodes / (NODES_A_SECOND * threads as f64) / 60.0;
    match minutes.round() {
        0.0 => " and less than a minute of self-play".to_owned(),
        1.0 => " and roughly a minute of self-play".to_owned(),
        minutes => format!(" and roughly {minutes} minutes of self-play"),
    }
}
