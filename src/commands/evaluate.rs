//! `bagheera evaluate`: what a checkpoint or player is worth.

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
use crate::network::{BEST_NETWORK, Inference};
use crate::record::{MatchRecord, ValidationRecord};
use crate::search::Limits;
use crate::training::{Loss, Measure, ReplayBuffer, ScanError, ValidationSet};
use crate::workers::Context;

/// The network that a word names: one as specifications write it, without options, a file, or the
/// best network of a run's directory.
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

/// What is said of a player that might have been meant as a file.
pub(super) const NO_FILE: &str = "; and there is no network file of that name";

/// The player that a word specifies.
pub(super) fn player_spec(word: &str) -> Result<PlayerSpec, CommandError> {
    word.parse()
        .map_err(|error| CommandError::usage(format!("{error}{NO_FILE}")))
}

/// Measure a network file or a player: matches against the hand-written evaluation and against
/// random moves, by side, and how well a network predicts given shards.
#[derive(Debug, Args)]
#[command(
    group = ArgGroup::new("exam").args(["exact", "tables"]).multiple(true),
    mut_arg("pairs", |pairs| pairs.conflicts_with("exam")),
    mut_arg("book", |book| book.conflicts_with("exam")),
    mut_arg("quiet_limit", |limit| limit.conflicts_with("exam"))
)]
pub(super) struct EvaluateCommand {
    /// A network file, the directory of a run for its best network, "neural" for the network that
    /// comes with the program, or a player such as claude@depth=4 or neural:FILE@nodes=5000; with
    /// --exact any number of them, the hand-written evaluation at several node limits if there is
    /// none.
    #[arg(value_name = "PLAYER", required_unless_present = "exam")]
    pub players: Vec<String>,
    /// Examine players against the exact values of endgame tables instead, in positions where a
    /// move can lose value; --tables implies it. A network named alone stands for itself
    /// at several node limits, along with the hand-written evaluation at the same.
    #[arg(long)]
    exact: bool,
    #[command(flatten)]
    pub tables: TablesArgument,
    /// Positions of each set of --exact.
    #[arg(long, requires = "exam", default_value_t = 2000, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub exam_positions: u32,
    /// Nodes a move of the hand-written evaluation, and of a network named alone.
    #[arg(long, conflicts_with = "exam", default_value_t = 2000, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Folders of shards whose positions the network is to predict.
    #[arg(long, conflicts_with = "exam", value_name = "DIR", num_args = 1..)]
    shards: Vec<PathBuf>,
    /// The most positions of the shards to predict.
    #[arg(long, conflicts_with = "exam", default_value_t = 100_000, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    positions: u32,
    /// How much the game's outcome counts in the prediction's target; the rest is the score.
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
    /// The player, and its network if it has one.
    fn player(&self) -> Result<(PlayerSpec, Option<NetworkSource>), CommandError> {
        let [player] = self.players.as_slice() else {
            return Err(CommandError::usage("several players go with --exact alone"));
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
            "--result-weight is a share from 0 to 1",
        ));
    }
    let (spec, network) = command.player()?;
    if network.is_none() && !command.shards.is_empty() {
        return Err(CommandError::usage(format!(
            "player \"{spec}\" has no network to predict --shards with"
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
                "stopped in the middle of a match".to_owned(),
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
    let features = G::feature_set(&id.name).filter(|set| set.id == *id);
    let Some(features) = features else {
        return Err(CommandError::failure(format!(
            "{source} sees the features {} in version {}, which {} does not have",
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
    Ok(set.evaluate(&Inference::new(&network), measure, context.pool))
}

/// A validation for people.
fn predictions(record: &ValidationRecord) -> String {
    let share =
        |share: Option<f64>| share.map_or("–".to_owned(), |s| format!("{:.1} %", 100.0 * s));
    let mut lines = vec![format!(
        "{} positions: cross-entropy {:.5}, right about the winner of decided games {}",
        record.positions,
        record.loss,
        share(record.sign_accuracy)
    )];
    for class in &record.calibration {
        lines.push(format!(
            "  {:8} {:>8} positions, predicted {:>7}, happened {:>7}",
            class.stratum,
            class.positions,
            share(class.predicted),
            share(class.outcome)
        ));
    }
    lines.join("\n")
}
