//! `bagheera shards`: merges and filters shards.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use serde_json::json;

use super::common::{OutputArguments, interrupt, print, print_json};
use super::inspect::listed;
use super::{CommandError, GameTask};
use crate::files::beginning;
use crate::game::Outcome;
use crate::kit::{EndgameTables as _, Kit};
use crate::shard::{
    Filter, FilterRecord, Listing, MergeError, MergeJob, Merged, is_shard, open_inputs, read_header,
};

/// Merge or filter shards.
#[derive(Debug, Args)]
pub(super) struct ShardsCommand {
    #[command(subcommand)]
    command: ShardsSubcommand,
}

#[derive(Debug, Subcommand)]
enum ShardsSubcommand {
    Merge(Merge),
    Filter(FilterArguments),
}

/// Merge the samples of shards into new shards of even size.
///
/// OUT is a folder of shards with a manifest, as `train --shards`, `evaluate` and `fit` accept. A new
/// shard contains games of one generation of one run, which its header names; games keep their numbers.
/// A sample that occurs in several inputs is written once.
#[derive(Debug, Args)]
struct Merge {
    #[command(flatten)]
    files: Files,
    #[command(flatten)]
    output: OutputArguments,
}

/// Write the samples of shards that pass all filters to new shards.
///
/// Works like merge; without filters it is the same.
#[derive(Debug, Args)]
struct FilterArguments {
    #[command(flatten)]
    files: Files,
    /// Keep samples of these generations: A..B (inclusive), A.., ..B or A.
    #[arg(long, value_name = "A..B", value_parser = generations)]
    generation: Option<RangeInclusive<u32>>,
    /// Keep positions of this phase of the game; can be repeated.
    #[arg(long, value_name = "NAME")]
    phase: Vec<String>,
    /// Keep samples with this outcome: the name of the winning side, "draw", or "none" for off-game
    /// exploration samples; can be repeated.
    #[arg(long, value_name = "NAME")]
    outcome: Vec<String>,
    /// Keep one sample per position up to symmetry: the first one of the newest generation, unchanged
    /// (scores and outcomes are not averaged).
    #[arg(long)]
    fold: bool,
    #[command(flatten)]
    output: OutputArguments,
}

#[derive(Debug, Args)]
struct Files {
    /// Output folder.
    #[arg(value_name = "OUT")]
    out: PathBuf,
    /// Shards, manifests, or folders of shards with their manifest.
    #[arg(value_name = "IN", required = true)]
    inputs: Vec<PathBuf>,
    /// Samples per new shard, without symmetric copies; games are not split, and the last shard of a
    /// generation may have fewer.
    #[arg(long, value_name = "N", default_value_t = 250_000, value_parser = clap::value_parser!(u32).range(1..))]
    shard_samples: u32,
}

/// Parses generations, for example `3`, `2..5`, `2..` or `..5`.
fn generations(text: &str) -> Result<RangeInclusive<u32>, String> {
    let wrong = || "write generations like 3, 2..5, 2.. or ..5".to_owned();
    let number = |text: &str| text.trim().parse::<u32>().map_err(|_| wrong());
    let Some((from, to)) = text.split_once("..") else {
        return number(text).map(|one| one..=one);
    };
    let bound = |text: &str, open| match text.is_empty() {
        true => Ok(open),
        false => number(text),
    };
    match (bound(from, 0)?, bound(to, u32::MAX)?) {
        (from, to) if from <= to && text != ".." => Ok(from..=to),
        _ => Err(wrong()),
    }
}

impl ShardsCommand {
    fn arguments(&self) -> (&Files, &OutputArguments) {
        match &self.command {
            ShardsSubcommand::Merge(merge) => (&merge.files, &merge.output),
            ShardsSubcommand::Filter(filter) => (&filter.files, &filter.output),
        }
    }
}

impl GameTask for ShardsCommand {
    fn game(&self) -> Result<String, CommandError> {
        let (files, _) = self.arguments();
        game_of(&listed(&files.inputs[0]))
    }

    fn run<G: Kit>(&self) -> Result<(), CommandError> {
        let (files, output) = self.arguments();
        let inputs: Vec<PathBuf> = files.inputs.iter().map(|path| listed(path)).collect();
        make::<G>(&self.command, files, &inputs, output)
    }
}

/// Returns the game of a shard or of a list of shards.
fn game_of(path: &Path) -> Result<String, CommandError> {
    let start = beginning(path).map_err(|error| {
        CommandError::failure(format!("cannot read {}: {error}", path.display()))
    })?;
    if is_shard(&start) {
        return Ok(read_header(path)?.game);
    }
    Ok(Listing::load(path)?.game().to_owned())
}

fn make<G: Kit>(
    command: &ShardsSubcommand,
    files: &Files,
    inputs: &[PathBuf],
    output: &OutputArguments,
) -> Result<(), CommandError> {
    let mut filter = Filter::<G>::default();
    let mut record = FilterRecord::default();
    let mut phases = Vec::new();
    if let ShardsSubcommand::Filter(arguments) = command {
        phases = indices(&arguments.phase, G::Tables::PHASES, "phase")?;
        filter.outcomes = outcomes::<G>(&arguments.outcome)?;
        filter.fold = arguments.fold;
        if let Some(generations) = &arguments.generation {
            filter.generations = generations.clone();
            record.generations = Some((*generations.start(), *generations.end()));
        }
        record.phases.clone_from(&arguments.phase);
        record.outcomes.clone_from(&arguments.outcome);
        record.folded = arguments.fold;
    }
    let stays = |position: &G| phases.contains(&G::Tables::phase(position));
    if !phases.is_empty() {
        filter.positions = Some(&stays);
    }
    let talk = output.talk();
    let job = MergeJob {
        inputs: open_inputs::<G>(inputs)?,
        filter,
        record,
        shard_originals: files.shard_samples as usize,
        out: &files.out,
    };
    let merged = match job.run(&interrupt(&talk), &talk) {
        Err(MergeError::Interrupted) => {
            return Err(CommandError::Interrupted(
                MergeError::Interrupted.to_string(),
            ));
        }
        merged => merged?,
    };
    if output.json {
        return print_json(&json!({
            "out": files.out.display().to_string(),
            "report": merged.report,
            "collection": merged.collection,
        }));
    }
    print(describe(&files.out, &merged))
}

/// Returns the indices of names in a list; an unknown name is an error.
fn indices(names: &[String], known: &[&str], what: &str) -> Result<Vec<usize>, CommandError> {
    let index = |name: &String| {
        let place = known.iter().position(|known| known == name);
        place.ok_or_else(|| {
            CommandError::usage(format!(
                "there is no {what} \"{name}\"; available: {}",
                known.join(", ")
            ))
        })
    };
    names.iter().map(index).collect()
}

/// Returns the outcomes with the given names; `None` if there are no names.
fn outcomes<G: Kit>(names: &[String]) -> Result<Option<Vec<Option<Outcome>>>, CommandError> {
    let all = [Outcome::Max, Outcome::Draw, Outcome::Min];
    let mut known = all.map(G::outcome_name).to_vec();
    known.push("none");
    let places = indices(names, &known, "outcome")?;
    let outcome = |place: usize| all.get(place).copied();
    Ok((!places.is_empty()).then(|| places.into_iter().map(outcome).collect()))
}

fn describe(out: &Path, merged: &Merged) -> String {
    let (report, collection) = (&merged.report, &merged.collection);
    let bytes: u64 = collection
        .shards
        .iter()
        .map(|shard| shard.summary.bytes)
        .sum();
    let mut lines = vec![
        format!(
            "{}: {} shards, {bytes} bytes",
            out.display(),
            collection.shards.len()
        ),
        format!(
            "  samples     {} with symmetric copies, {} without, of {} read",
            collection.samples(),
            report.kept,
            report.read
        ),
    ];
    for (count, why) in [
        (report.other_generations, "of other generations"),
        (report.repeated, "given more than once"),
        (report.filtered, "of other phases or outcomes"),
        (report.folded, "equal to one kept up to symmetry"),
    ] {
        if count > 0 {
            lines.push(format!("  skipped     {count} {why}"));
        }
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generations_are_read_with_both_ends() {
        for (text, range) in [
            ("3", 3..=3),
            ("2..5", 2..=5),
            ("2..", 2..=u32::MAX),
            ("..5", 0..=5),
        ] {
            assert_eq!(generations(text), Ok(range));
        }
        for text in ["", "..", "5..2", "a..b", "1...2", "1,2", "-1"] {
            assert!(generations(text).is_err(), "{text}");
        }
    }
}
