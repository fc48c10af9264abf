//! Samples of a shard as text.

use std::io::{BufWriter, Write as _};
use std::path::Path;

use serde::Serialize;

use crate::commands::CommandError;
use crate::commands::error::from_output;
use crate::game::Notation;
use crate::shard::{Sample, ShardReader};

/// A sample in the notation of its game.
#[derive(Debug, Serialize)]
struct SampleText {
    position: String,
    score: f32,
    outcome: Option<&'static str>,
    ply: u16,
    game: u32,
    noisy: bool,
    random: bool,
    original: bool,
}

impl SampleText {
    fn of<G: Notation>(sample: &Sample<G>) -> Self {
        Self {
            position: sample.position.format_position(),
            score: sample.score,
            outcome: sample.outcome.map(G::outcome_name),
            ply: sample.ply,
            game: sample.game,
            noisy: sample.noisy,
            random: sample.random,
            original: sample.original,
        }
    }

    /// Formats columns separated by tabs: position, score in logits, outcome, ply, game, flags.
    fn line(&self) -> String {
        let flags = [
            (self.noisy, "noisy"),
            (self.random, "random"),
            (!self.original, "image"),
        ];
        let set: Vec<&str> = flags
            .iter()
            .filter_map(|(set, name)| set.then_some(*name))
            .collect();
        let flags = match set.is_empty() {
            true => "-".to_owned(),
            false => set.join(","),
        };
        format!(
            "{}\t{:+}\t{}\t{}\t{}\t{flags}",
            self.position,
            self.score,
            self.outcome.unwrap_or("none"),
            self.ply,
            self.game
        )
    }
}

/// Prints the samples, symmetric copies included: the first `count` or all.
pub(super) fn print_samples<G: Notation>(
    path: &Path,
    count: Option<usize>,
    json: bool,
) -> Result<(), CommandError> {
    let reader = ShardReader::<G>::open(path)?;
    let mut out = BufWriter::new(std::io::stdout().lock());
    for sample in reader.samples().take(count.unwrap_or(usize::MAX)) {
        let text = SampleText::of(&sample?);
        let line = match json {
            true => serde_json::to_string(&text)?,
            false => text.line(),
        };
        writeln!(out, "{line}").map_err(|error| from_output(&error))?;
    }
    out.flush().map_err(|error| from_output(&error))
}
