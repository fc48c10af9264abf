//! `bagheera evaluate`: measures the strength of a network or player.

use std::path::{Path, PathBuf};

use clap::{ArgGroup, Args};
use serde_json::json;

use super::common::{TablesArgument, book, manifest, player_factory, print, print_json};
use super::exam::exam;
use super::match_arguments::MatchArguments;
use super::match_command::describe;
use super::{CommandError, GameTask};
use crate::arena::{Match, MatchRunner, PlayedMatch};
use crate::kit::{Kit, NetworkSource, PlayerSpec};
use crate::network::{BEST_NETWORK, Quantized};
use crate::record::{MatchRecord, ValidationRecord};
use crate::search::Limits;
use crate::training::{Loss, Measure, ReplayBuffer, ScanError, ValidationSet};
use crate::workers::Context;

/// Returns the network that an argument names: a specification without options, a file, or the
/// best network of a run directory.
pub(super) fn network(word: &str) -> Option<NetworkSource> {
    let spec = word.parse::<PlayerSpec>().ok();
    let source = spec.as_ref().and_then(PlayerSpec::network_source);
    if let Some(source) = source.filter(|source| source.word() == word) {
        return Some(source.clone());
    }
    let path = Path::new(word);
    [path.to_owned(), path.join(BEST_NETWORK)]
        .into_iter()
        .find(|path| path.is_file())
        .map(NetworkSource::File)
}

/// Appended to the error for a player that may have been meant as a file.
pub(super) const NO_FILE: &str = "; and there is no network file of that name";

/// Parses a player specification.
pub(super) fn player_spec(word: &str) -> Result<PlayerSpec, CommandError> {
    word.parse()
        .map_err(|error| CommandError::usage(format!("{error}{NO_FILE}")))
}

/// Measure a network or a player: matches against the hand-written evaluation (HCE) and random moves,
/// and the prediction loss on shards.
#[derive(Debug, Args)]
#[command(
    group = ArgGroup::new("exam").args(["exact", "tables"]).multiple(true),
    mut_arg("pairs", |pairs| pairs.conflicts_with("exam")),
    mut_arg("book", |book| book.conflicts_with("exam")),
    mut_arg("quiet_limit", |limit| limit.conflicts_with("exam"))
)]
pub(super) struct EvaluateCommand {
    /// Network file, run directory (its best network), "neural" (the shipped network), or a player, for
    /// example claude@depth=4 or neural:FILE@nodes=5000. With --exact, any number of them; the default
    /// is then the hand-written evaluation at several node limits.
    #[arg(value_name = "PLAYER", required_unless_present = "exam")]
    pub players: Vec<String>,
    /// Test players against tablebase values instead, in positions where a move can lose value;
    /// implied by --tables. A single network is tested at several node limits, together with the
    /// hand-written evaluation at the same limits.
    #[arg(long)]
    exact: bool,
    #[command(flatten)]
    pub tables: TablesArgument,
    /// Number of positions of each set of --exact.
    #[arg(long, requires = "exam", default_value_t = 2000, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub exam_positions: u32,
    /// Nodes per move of the hand-written evaluation, and of a network given without limits.
    #[arg(long, conflicts_with = "exam", default_value_t = 2000, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Folders of shards on which the network's predictions are measured.
    #[arg(long, conflicts_with = "exam", value_name = "DIR", num_args = 1..)]
    shards: Vec<PathBuf>,
    /// Maximum number of shard positions to predict.
    #[arg(long, conflicts_with = "exam", default_value_t = 100_000, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    positions: u32,
    /// WDL weight: the share of the game's outcome in the prediction target; the rest is the score.
    #[arg(
        long,
        conflicts_with = "exam",
        default_value_t = 1.0,
        value_name = "SHARE"
    )]
    result_weight: f64,
    #[command(flatten)]
    pub arguments: MatchArguments,
}

impl GameTask for EvaluateCommand {
    fn game(&self) -> Result<String, CommandError> {
        self.arguments.game.name()
    }

    fn run<G: Kit>(&self) -> Result<(), CommandError> {
        if self.exact || self.tables.tables.is_some() {
            return exam::<G>(self);
        }
        evaluate::<G>(self)
    }
}

impl EvaluateCommand {
    /// Returns the player, and its network if it has one.
    fn player(&self) -> Result<(PlayerSpec, Option<NetworkSource>), CommandError> {
        let [player] = self.players.as_slice() else {
            return Err(CommandError::usage("several players require --exact"));
        };
        let spec = match network(player) {
            Some(network) => PlayerSpec::network(network, Limits::nodes(self.nodes)),
            None => player_spec(player)?,
        };
        let network = spec.network_source().cloned();
        Ok((spec, network))
    }
}

fn evaluate<G: Kit>(command: &EvaluateCommand) -> Result<(), CommandError> {
    if !(0.0..=1.0).contains(&command.result_weight) {
        return Err(CommandError::usage(
            "--result-weight is out of range: 0 to 1",
        ));
    }
    let (spec, network) = command.player()?;
    if network.is_none() && !command.shards.is_empty() {
        return Err(CommandError::usage(format!(
            "player \"{spec}\" has no network, which --shards requires"
        )));
    }
    let player = player_factory::<G>(&spec).map_err(|ended| match ended {
        CommandError::Usage(reason) if network.is_none() => {
            CommandError::usage(format!("{reason}{NO_FILE}"))
        }
        ended => ended,
    })?;
    let hand_written = PlayerSpec::hand_written::<G>(Limits::nodes(command.nodes));
    let random = PlayerSpec::random(1);
    let arguments = &command.arguments;
    let book = book::<G>(&arguments.book)?;
    let resources = arguments.resources()?;
    let context = resources.context();

    let validation = match &network {
        Some(network) if !command.shards.is_empty() => {
            Some(validate::<G>(command, network, &context)?)
        }
        _ => None,
    };
    let mut records: Vec<MatchRecord> = Vec::new();
    for opponent in [&hand_written, &random] {
        let opponent = player_factory::<G>(opponent)?;
        let pairs = arguments.pairs as usize;
        let matchup = Match::new(&player, &opponent, &book, pairs, arguments.settings());
        let runner = MatchRunner {
            matchup: matchup.map_err(CommandError::usage)?,
            label: format!("vs {}", opponent.name),
            games: None,
            sprt: None,
        };
        let played = runner.play(&context).map_err(CommandError::failure)?;
        let PlayedMatch { score, interrupted } = played;
        if interrupted {
            return Err(CommandError::Interrupted(
                "stopped during a match".to_owned(),
            ));
        }
        records.push(runner.record(&score));
    }
    if arguments.output.json {
        return print_json(&json!({
            "player": spec.to_string(), "hand_written": records[0], "random": records[1],
            "validation": validation,
        }));
    }
    if let Some(validation) = &validation {
        print(predictions(validation))?;
    }
    for record in &records {
        print(describe(record))?;
    }
    Ok(())
}

fn validate<G: Kit>(
    command: &EvaluateCommand,
    source: &NetworkSource,
    context: &Context,
) -> Result<ValidationRecord, CommandError> {
    let network = source.load::<G>()?;
    let id = &network.architecture().features;
    let features = G::feature_set(&id.name);
    let features = features.and_then(|set| set.for_network(network.architecture()).ok());
    let Some(features) = features else {
        return Err(CommandError::failure(format!(
            "{source} uses the feature set {} version {}, which {} does not have",
            id.name,
            id.version,
            G::NAME
        )));
    };
    let manifests: Vec<PathBuf> = command
        .shards
        .iter()
        .map(|path| manifest::<G>(path))
        .collect();
    let window = ReplayBuffer::<G>::of_manifests(&manifests)?;
    let most = command.positions as usize;
    let set = ValidationSet::of_window(&window, &features, most, command.arguments.seed, context);
    let set = set.map_err(|error| match error {
        ScanError::Interrupted => {
            CommandError::Interrupted("stopped while reading shards".to_owned())
        }
        error => error.into(),
    })?;
    let measure = Measure {
        loss: Loss::CrossEntropy,
        result_weight: command.result_weight,
    };
    let network = Quantized::new(&network, features.max_active);
    let network = network.map_err(|error| CommandError::failure(format!("{source}: {error}")))?;
    Ok(set.evaluate(&network, measure, context.pool))
}

/// Formats a validation as text.
fn predictions(record: &ValidationRecord) -> String {
    let share =
        |share: Option<f64>| share.map_or("–".to_owned(), |s| format!("{:.1} %", 100.0 * s));
    let mut lines = vec![format!(
        "{} positions: cross-entropy {:.5}, winner predicted in decided games {}",
        record.positions,
        record.loss,
        share(record.sign_accuracy)
    )];
    for class in &record.calibration {
        lines.push(format!(
            "  {:8} {:>8} positions, predicted {:>7}, actual {:>7}",
            class.stratum,
            class.positions,
            share(class.predicted),
            share(class.outcome)
        ));
    }
    lines.join("\n")
}
