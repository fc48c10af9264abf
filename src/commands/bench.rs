//! `bagheera bench`: a fixed set of searches, to compare builds and techniques.

use std::time::Instant;

use clap::Args;
use serde_json::json;

use super::common::{
    GameArgument, OutputArguments, or_hand_written, player_factory, print, print_json, score_text,
};
use super::{CommandError, GameTask};
use crate::kit::{Kit, PlayerSpec};
use crate::search::Limits;

/// Search a fixed list of positions; the node count is the fingerprint of the search.
#[derive(Debug, Args)]
pub(super) struct BenchCommand {
    /// Player that searches; use a depth limit to keep node counts comparable. The default is the
    /// hand-written evaluation at depth 8.
    #[arg(long, value_name = "PLAYER")]
    player: Option<PlayerSpec>,
    #[command(flatten)]
    game: GameArgument,
    #[command(flatten)]
    output: OutputArguments,
}

impl GameTask for BenchCommand {
    fn game(&self) -> Result<String, CommandError> {
        self.game.name()
    }

    fn run<G: Kit>(&self) -> Result<(), CommandError> {
        bench::<G>(self)
    }
}

fn bench<G: Kit>(command: &BenchCommand) -> Result<(), CommandError> {
    let spec = or_hand_written::<G>(command.player.as_ref(), Limits::depth(8));
    let mut player = player_factory::<G>(&spec)?.player();
    let (mut rows, mut lines) = (Vec::new(), Vec::new());
    let (mut nodes, mut seconds) = (0, 0.0);
    let positions = G::bench_positions();
    let talk = command.output.talk();
    let mut bar = talk.bar("bench", "positions", 0, positions.len() as u64);
    for (done, position) in (1..).zip(positions) {
        let start = Instant::now();
        player.new_game(0);
        let report = player.pick_move(&position, &[]);
        let took = start.elapsed().as_secs_f64();
        nodes += report.nodes;
        bar.at(done, String::new);
        seconds += took;
        let text = position.format_position();
        let mv = position.format_move(report.mv);
        let score = match report.score {
            Some(score) if report.forced.is_some() => score_text::<G>(score, report.forced),
            Some(score) => format!("{score:+.4}"),
            None => "no score".to_owned(),
        };
        if command.output.json {
            rows.push(json!({
                "position": text, "move": mv, "score": score, "nodes": report.nodes,
                "seconds": took,
            }));
        } else {
            lines.push(format!(
                "{text:36} {mv:6} {score:>12} {:>10} nodes",
                report.nodes
            ));
        }
    }
    bar.finish();
    #[cfg(feature = "search-stats")]
    let statistics = Some(crate::search::SearchStats::take());
    #[cfg(not(feature = "search-stats"))]
    let statistics: Option<crate::search::SearchStats> = None;
    let rate = nodes as f64 / f64::max(seconds, 1e-9);
    if command.output.json {
        return print_json(&json!({
            "player": spec.to_string(), "nodes": nodes, "seconds": seconds,
            "nodes_per_second": rate, "positions": rows, "statistics": statistics,
        }));
    }
    lines.push(format!("{nodes} nodes, {seconds:.2} s, {rate:.0} nodes/s"));
    print(lines.join("\n"))?;
    if let Some(statistics) = statistics {
        print(serde_json::to_string_pretty(&statistics)?)?;
    }
    Ok(())
}
