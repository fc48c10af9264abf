//! `bagheera perft`: count move sequences.

use clap::Args;
use serde_json::json;

use super::Ended;
use super::common::{GameArgument, OutputArguments, for_game, playthrough, print, print_json};
use crate::kit::Kit;
use crate::perft::perft;

/// Count the move sequences of each length from a position; the check of move generation.
#[derive(Debug, Args)]
pub(super) struct Perft {
    /// The longest sequences to count, in plies.
    #[arg(value_parser = clap::value_parser!(u32).range(1..=30))]
    depth: u32,
    /// The position; the start of the game if not given.
    position: Option<String>,
    #[command(flatten)]
    game: GameArgument,
    #[command(flatten)]
    output: OutputArguments,
}

impl Perft {
    pub fn run(&self) -> Result<(), Ended> {
        for_game!(self.game.game, count(self))
    }
}

fn count<G: Kit>(command: &Perft) -> Result<(), Ended> {
    let game = playthrough::<G>(command.position.as_deref(), "", u32::MAX)?;
    let talk = command.output.talk();
    let mut rows = Vec::new();
    for depth in 1..=command.depth {
        let start = std::time::Instant::now();
        let nodes = perft(game.position(), depth);
        let seconds = start.elapsed().as_secs_f64();
        talk.say(format!(
            "depth {depth}: {seconds:.2} s, {:.1} million nodes/s",
            nodes as f64 / seconds.max(1e-9) / 1e6
        ));
        if command.output.json {
            rows.push(json!({ "depth": depth, "nodes": nodes }));
        } else {
            print(format!("{depth:2} {nodes:20}"))?;
        }
    }
    if command.output.json {
        print_json(&json!({ "perft": rows }))?;
    }
    Ok(())
}
