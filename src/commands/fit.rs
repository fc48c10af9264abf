//! `bagheera fit`: Texel tuning of a hand-written evaluation.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::common::{GameArgument, OutputArguments, ThreadsArgument, manifest, print, print_json};
use super::{CommandError, GameTask};
use crate::fitting::{Games, Prior, Regression, Selection};
use crate::kit::{Kit, TunableParameters};
use crate::record::{FitRecord, LossRecord, TermRecord};
use crate::training::ReplayBuffer;

/// Tune the weights of a hand-written evaluation by logistic regression on game results (Texel tuning).
///
/// Prints the weight of each term before and after, with its standard error (clustered by game), and
/// the mean cross-entropy on the fitted and on held-out games. The same arguments give the same
/// weights. To play with them: bagheera match claude@weights=FILE claude
#[derive(Debug, Args)]
pub(super) struct FitCommand {
    /// Folders of shards with their manifests.
    #[arg(long, required = true, value_name = "DIR", num_args = 1..)]
    shards: Vec<PathBuf>,
    /// Output file of the weights; an existing one is replaced.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Evaluation; the default is the game's first.
    #[arg(long, value_name = "NAME")]
    evaluation: Option<String>,
    /// Weights file to start from and compare with; the default is the evaluation's own weights.
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// WDL weight: the share of the game's outcome in the target; the rest is the search score.
    #[arg(long, default_value_t = 1.0, value_name = "SHARE")]
    result_weight: f64,
    /// Positions to skip: those whose move was noisy or random.
    #[arg(long, value_name = "KIND", value_delimiter = ',')]
    skip: Vec<Skip>,
    /// Use one weight for terms that differ only in their phase.
    #[arg(long)]
    tie: bool,
    /// Strength of the prior: the inverse variance of a normal distribution.
    #[arg(long, default_value_t = 10.0, value_name = "STRENGTH")]
    prior: f64,
    /// Mean of the prior.
    #[arg(long, default_value = "before", value_name = "WHERE")]
    towards: Towards,
    /// Share of the games to hold out.
    #[arg(long, default_value_t = 0.1, value_name = "SHARE")]
    held_out: f64,
    /// Random seed for the choice of held-out games.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    threads: ThreadsArgument,
    #[command(flatten)]
    game: GameArgument,
    #[command(flatten)]
    output: OutputArguments,
}

#[derive(Debug, Clone, Copy, PartialEq, ValueEnum)]
enum Skip {
    Noisy,
    Random,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Towards {
    /// The weights before.
    Before,
    /// Zero.
    Zero,
}

impl GameTask for FitCommand {
    fn game(&self) -> Result<String, CommandError> {
        self.game.name()
    }

    fn run<G: Kit>(&self) -> Result<(), CommandError> {
        fit::<G>(self)
    }
}

impl FitCommand {
    fn selection(&self) -> Result<Selection, CommandError> {
        if !(0.0..=1.0).contains(&self.result_weight) {
            return Err(CommandError::usage(
                "--result-weight is out of range: 0 to 1",
            ));
        }
        if !(0.0..1.0).contains(&self.held_out) {
            return Err(CommandError::usage(
                "--held-out is out of range: 0 to less than 1",
            ));
        }
        if !(self.prior >= 0.0 && self.prior.is_finite()) {
            return Err(CommandError::usage("--prior is out of range: at least 0"));
        }
        Ok(Selection {
            result_weight: self.result_weight,
            skip_noisy: self.skip.contains(&Skip::Noisy),
            skip_random: self.skip.contains(&Skip::Random),
            held_out: self.held_out,
            seed: self.seed,
        })
    }
}

/// Returns, for each term, the number of its weight: its own, or that of its name without the phase.
fn ties(terms: &[String], tie: bool) -> Vec<usize> {
    let mut names: Vec<&str> = Vec::new();
    let mut numbers = Vec::new();
    for term in terms {
        let phase = term.rsplit_once(", ").filter(|_| tie);
        let name = phase.map_or(term.as_str(), |(name, _)| name);
        let known = names.iter().position(|known| *known == name);
        numbers.push(known.unwrap_or(names.len()));
        if known.is_none() {
            names.push(name);
        }
    }
    numbers
}

fn fit<G: Kit>(command: &FitCommand) -> Result<(), CommandError> {
    let selection = command.selection()?;
    let folder = command.out.as_deref().and_then(Path::parent);
    if let Some(folder) = folder.filter(|folder| !folder.as_os_str().is_empty())
        && !folder.is_dir()
    {
        return Err(CommandError::usage(format!(
            "the folder {} of --out does not exist; create it first",
            folder.display()
        )));
    }
    let evaluation = command
        .evaluation
        .as_deref()
        .unwrap_or(G::hand_written().name);
    let tunable: TunableParameters<G> = G::tunable(evaluation).ok_or_else(|| {
        CommandError::usage(format!(
            "there is no evaluation \"{evaluation}\" with tunable weights"
        ))
    })?;
    let before = match &command.from {
        None => tunable.weights.clone(),
        Some(path) => tunable.load(evaluation, path)?.0,
    };
    let before: Vec<f64> = before.into_iter().map(f64::from).collect();

    let manifests: Vec<PathBuf> = command
        .shards
        .iter()
        .map(|path| manifest::<G>(path))
        .collect();
    let window = ReplayBuffer::<G>::of_manifests(&manifests)?;
    let pool = command.threads.pool()?;
    let talk = command.output.talk();
    let (fitted, held_out) = Games::read(window.shards(), &selection, &pool)?;
    talk.say(format!(
        "Fitting {} weights to {} positions of {} games.",
        tunable.terms.len(),
        fitted.positions(),
        fitted.games()
    ));

    let regression = Regression {
        values: tunable.values,
        tied: ties(&tunable.terms, command.tie),
        pool: &pool,
    };
    let prior = Prior {
        centre: match command.towards {
            Towards::Before => means(&before, &regression.tied, regression.weights()),
            Towards::Zero => vec![0.0; regression.weights()],
        },
        strength: command.prior,
    };
    let found = regression.fit(&fitted, &prior)?;
    let of_terms = |of_weights: &[f64]| -> Vec<f64> {
        regression
            .tied
            .iter()
            .map(|&weight| of_weights[weight])
            .collect()
    };
    let (after, errors) = (of_terms(&found.weights), of_terms(&found.errors));
    let whole = Regression {
        tied: (0..before.len()).collect(),
        ..regression
    };
    let loss = |games: &Games<G>| LossRecord {
        games: games.games(),
        positions: games.positions(),
        loss_before: whole.loss(games, &before),
        loss_after: whole.loss(games, &after),
    };
    let terms = tunable
        .terms
        .iter()
        .zip(&before)
        .zip(after.iter().zip(&errors));
    let record = FitRecord {
        game: G::NAME.to_owned(),
        evaluation: evaluation.to_owned(),
        fitted: loss(&fitted),
        held_out: loss(&held_out),
        terms: terms
            .map(|((name, &before), (&after, &error))| TermRecord {
                name: name.clone(),
                before,
                after,
                error,
            })
            .collect(),
    };
    if let Some(path) = &command.out {
        let weights: Vec<f32> = after.iter().map(|weight| *weight as f32).collect();
        tunable.save(evaluation, &weights, path)?;
    }
    if command.output.json {
        return print_json(&record);
    }
    print(describe(&record))?;
    match &command.out {
        Some(path) => print(format!("the weights are in {}", path.display())),
        None => Ok(()),
    }
}

/// Returns the mean of the values that share a number.
fn means(values: &[f64], numbers: &[usize], count: usize) -> Vec<f64> {
    let (mut sums, mut sizes) = (vec![0.0; count], vec![0.0; count]);
    for (value, &number) in values.iter().zip(numbers) {
        sums[number] += value;
        sizes[number] += 1.0;
    }
    sums.iter()
        .zip(&sizes)
        .map(|(sum, size)| sum / size)
        .collect()
}

fn describe(record: &FitRecord) -> String {
    let width = record
        .terms
        .iter()
        .map(|term| term.name.chars().count())
        .max();
    let width = width.unwrap_or(0);
    let mut lines = vec![format!(
        "{:width$} {:>8} {:>8}",
        "weight", "before", "after"
    )];
    for term in &record.terms {
        lines.push(format!(
            "{:width$} {:+8.4} {:+8.4} ± {:.4}",
            term.name, term.before, term.after, term.error
        ));
    }
    for (what, losses) in [
        ("fitted to", &record.fitted),
        ("held out", &record.held_out),
    ] {
        let loss = |loss: Option<f64>| loss.map_or("–".to_owned(), |loss| format!("{loss:.5}"));
        lines.push(format!(
            "cross-entropy of {} positions of {} games {what}: before {}, after {}",
            losses.positions,
            losses.games,
            loss(losses.loss_before),
            loss(losses.loss_after)
        ));
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_join_the_phases_of_a_term() {
        let terms = ["a, early", "a, late", "b, early"].map(str::to_owned);
        assert_eq!(ties(&terms, false), [0, 1, 2]);
        assert_eq!(ties(&terms, true), [0, 0, 1]);
        assert_eq!(means(&[1.0, 3.0, 5.0], &[0, 0, 1], 2), [2.0, 5.0]);
    }
}
