//! The samples of a shard as text.

use std::path::Path;

use serde::Serialize;

use super::unknown_game;
use crate::commands::Ended;
use crate::commands::common::{print, print_json};
use crate::game::Notation;
use crate::shard::{Sample, ShardReader, read_header};
use crate::with_game;

/// A sample in the words of its game.
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

    fn line(&self) -> String {
        let flags = [
            (self.noisy, " noisy"),
            (self.random, " random"),
            (!self.original, " image"),
        ];
        let set = flags.iter().filter(|(set, _)| *set);
        format!(
            "{:36} {:+9.3}  {:7} ply {:3} of game {}{}",
            self.position,
            self.score,
            self.outcome.unwrap_or("none"),
            self.ply,
            self.game,
            set.map(|(_, name)| *name).collect::<String>()
        )
    }
}

/// Prints the first `count` samples, images included.
pub(super) fn print_first(path: &Path, count: usize, json: bool) -> Result<(), Ended> {
    let game = read_header(path)?.game;
    with_game!(game.as_str(), print_first_of(path, count, json))
        .unwrap_or_else(|| Err(unknown_game(path, &game)))
}

fn print_first_of<G: Notation>(path: &Path, count: usize, json: bool) -> Result<(), Ended> {
    let reader = ShardReader::<G>::open(path)?;
    for sample in reader.samples().take(count) {
        let text = SampleText::of(&sample?);
        if json {
            print_json(&text)?;
        } else {
            print(text.line())?;
        }
    }
    Ok(())
}
