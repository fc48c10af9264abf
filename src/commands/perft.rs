//! `bagheera perft`: count move sequences.

use clap::Args;
use serde_json::json;

use super::common::{GameArgument, OutputArguments, RulesArgument, position, print, print_json};
use super::{CommandError, GameTask};
use crate::kit::Kit;
use crate::perft::perft;
use crate::reporter::Reporter;

/// Count move sequences by length from a position, to verify move generation.
#[derive(Debug, Args)]
pub(super) struct PerftCommand {
    /// Maximum length, in plies.
    #[arg(value_parser = clap::value_parser!(u32).range(1..=30))]
    depth: u32,
    /// Position; the default is the start of the game.
    position: Option<String>,
    #[command(flatten)]
    game: GameArgument,
    #[command(flatten)]
    rules: RulesArgument,
    #[command(flatten)]
    output: OutputArguments,
}

impl GameTask for PerftCommand {
    fn game(&self) -> Result<String, CommandError> {
        self.game.name()
    }

    fn run<G: Kit>(&self) -> Result<(), CommandError> {
        count::<G>(self)
    }
}

/// Counts move by move, so that progress can be shown.
fn count_with_bar<G: Kit>(position: &G, depth: u32, talk: &Reporter) -> u64 {
    if position.outcome().is_some() {
        return 0;
    }
    let moves = position.moves();
    let moves = moves.as_ref();
    let mut bar = talk.bar(&format!("depth {depth}"), "moves", 0, moves.len() as u64);
    let mut nodes = 0;
    for (done, &mv) in (1..).zip(moves) {
        nodes += perft(&position.play(mv), depth - 1);
        bar.at(done, || format!("{nodes} so far"));
    }
    bar.finish();
    nodes
}

fn count<G: Kit>(command: &PerftCommand) -> Result<(), CommandError> {
    let position = position::<G>(command.position.as_deref(), &command.rules)?;
    let talk = command.output.talk();
    let mut rows = Vec::new();
    for depth in 1..=command.depth {
        let start = std::time::Instant::now();
        let nodes = count_with_bar(&position, depth, &talk);
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
