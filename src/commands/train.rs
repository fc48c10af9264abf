//! `bagheera train`: trains one network on given shards.

use std::path::PathBuf;

use clap::Args;

use super::common::{GameArgument, manifest, print, print_json};
use super::match_arguments::Resources;
use super::{CommandError, GameTask};
use crate::files::remove_leftovers;
use crate::kit::{FeatureEncoder, Kit, encoder};
use crate::network::Network;
use crate::pipeline::{Config, architecture};
use crate::record::TrainingRecord;
use crate::reporter::Reporter;
use crate::training::{
    CANDIDATE_FILE, DeviceChoice, ReplayBuffer, Trained, TrainingJob, remove_checkpoint, train,
};

/// Train a network on shards.
///
/// After an interruption, the same command resumes from the last checkpoint, and the network is the
/// same as without the interruption.
#[derive(Debug, Args)]
pub(super) struct TrainCommand {
    /// Folders of shards with their manifests, oldest first (the replay buffer).
    #[arg(long, required = true, value_name = "DIR", num_args = 1..)]
    shards: Vec<PathBuf>,
    /// Output folder for the network, metrics and checkpoint.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Config file; only its [network] and [training] sections are used.
    #[arg(long, value_name = "FILE", conflicts_with = "game")]
    config: Option<PathBuf>,
    #[command(flatten)]
    game: GameArgument,
    /// Network file to start from instead of random weights.
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// Random seed.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads; 0 means one per core. Results do not depend on it.
    #[arg(long, default_value_t = 0, value_name = "N")]
    threads: usize,
    /// Training device: cpu, or gpu or cuda if built in.
    #[arg(long, default_value = "cpu")]
    device: String,
    /// Print the training record as JSON.
    #[arg(long)]
    json: bool,
    /// Suppress progress output.
    #[arg(long, short)]
    quiet: bool,
}

impl GameTask for TrainCommand {
    fn game(&self) -> Result<String, CommandError> {
        match &self.config {
            None => self.game.name(),
            Some(path) => Ok(Config::load(path)?.game),
        }
    }

    fn run<G: Kit>(&self) -> Result<(), CommandError> {
        fit::<G>(self)
    }
}

fn fit<G: Kit>(command: &TrainCommand) -> Result<(), CommandError> {
    let config = match &command.config {
        None => Config::default(),
        Some(path) => {
            let config = Config::load(path)?;
            config.check(path)?;
            config
        }
    };
    let device: DeviceChoice = command.device.parse().map_err(CommandError::usage)?;
    let features = encoder::<G>(&config.network.features)?;
    let start = start::<G>(command, &config, &features)?;
    let manifests: Vec<PathBuf> = command
        .shards
        .iter()
        .map(|folder| manifest::<G>(folder))
        .collect();
    let window = ReplayBuffer::<G>::of_manifests(&manifests)?;
    std::fs::create_dir_all(&command.out)
        .and_then(|()| remove_leftovers(&command.out))
        .map_err(|error| {
            CommandError::failure(format!(
                "cannot use the folder {}: {error}",
                command.out.display()
            ))
        })?;
    let resources = Resources::new(command.threads, Reporter::new(command.quiet))?;
    let job = TrainingJob {
        settings: &config.training,
        start: &start,
        features,
        window: &window,
        generation: window.generations().1,
        seed: command.seed,
        device,
        folder: &command.out,
        context: resources.context(),
    };
    match train(&job)? {
        Trained::Interrupted { step } => Err(CommandError::Interrupted(format!(
            "stopped after step {step}; run the same command again to resume"
        ))),
        Trained::Complete { record, .. } => {
            if command.json {
                print_json(&record)?;
            } else {
                print(describe(&record))?;
                let network = command.out.join(CANDIDATE_FILE);
                print(format!("the network is {}", network.display()))?;
            }
            Ok(remove_checkpoint(&command.out)?)
        }
    }
}

fn start<G: Kit>(
    command: &TrainCommand,
    config: &Config,
    features: &FeatureEncoder<G>,
) -> Result<Network, CommandError> {
    if let Some(path) = &command.from {
        return Ok(Network::load_for(path, G::NAME, &features.id)?);
    }
    let architecture = architecture(&config.network, features);
    Ok(Network::random(architecture, command.seed)?)
}

fn describe(record: &TrainingRecord) -> String {
    format!(
        "{} steps over {} samples, {} seen; validation loss {:.5} before, {:.5} at step {}",
        record.steps,
        record.training_samples,
        record.positions_seen,
        record.validation_before.loss,
        record.validation.loss,
        record.best_step
    )
}
