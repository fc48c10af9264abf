//! `bagheera analyze`: the score of every move of a position.

use clap::Args;
use serde_json::{Value, json};

use super::Ended;
use super::common::{
    ExactArgument, GameArgument, OutputArguments, contestant, exact_of_move, for_game, known_text,
    playthrough, print, print_json, score_text,
};
use crate::game::{Exact, ExactValues as _};
use crate::kit::{Kit, PlayerSpec};
use crate::search::MoveScore;

/// Score every legal move of a position.
///
/// Scores are the first side's (the tigers' in Bagh-Chal), in logits: 0 is even, +1 an expected
/// share of 73 % of the point. A forced result says who wins and, where that is known, in how many
/// plies from here at most. Exact values stand beside the scores if asked for, of positions without a
/// history.
#[derive(Debug, Args)]
pub(super) struct Analyze {
    /// The position, such as "T3T/5/5/5/T3T s 20"; the start of the game if not given.
    position: Option<String>,
    /// Moves played from the position, such as "c3 a5-a4"; repetition depends on them.
    #[arg(long, default_value = "", value_name = "MOVES")]
    moves: String,
    /// The player that searches; neural is the network that comes with the program.
    #[arg(long, default_value = "neural@nodes=200000", value_name = "PLAYER")]
    player: PlayerSpec,
    #[command(flatten)]
    exact: ExactArgument,
    #[command(flatten)]
    game: GameArgument,
    #[command(flatten)]
    output: OutputArguments,
}

impl Analyze {
    pub fn run(&self) -> Result<(), Ended> {
        for_game!(self.game.game, analyze(self))
    }
}

fn analyze<G: Kit>(command: &Analyze) -> Result<(), Ended> {
    if !command.player.searches() {
        return Err(Ended::usage(format!(
            "player \"{}\" does not score moves; claude, neural and neural:FILE do",
            command.player
        )));
    }
    let game = playthrough::<G>(command.position.as_deref(), &command.moves, u32::MAX)?;
    let position = game.position();
    let text = position.format_position();
    let tables = command.exact.open::<G>()?;
    let of_position = tables.as_ref().map(|tables| tables.resolve(position));
    let of_move = |mv| {
        let tables = tables.as_ref();
        tables.map(|tables| exact_of_move(tables, position, mv))
    };
    if let Some(end) = game.end() {
        let name = G::outcome_name(end.outcome());
        if command.output.json {
            let nothing = json!(null);
            let answer = json!({
                "position": text, "outcome": name, "best": nothing, "score": nothing,
                "depth": 0, "nodes": 0, "moves": [],
            });
            return print_json(&with_exact::<G>(answer, of_position));
        }
        return print(format!(
            "{}\n{text}\nThe game is over: {name}.",
            position.draw()
        ));
    }
    let mut player = contestant::<G>(&command.player)?.player();
    let talk = command.output.talk();
    let spinner = talk.spinner(&format!("{} searches", command.player));
    let analysis = player.analyse(position, game.history());
    spinner.finish_and_clear();
    let Some(analysis) = analysis else {
        return Err(Ended::failure(format!(
            "player \"{}\" does not score moves",
            command.player
        )));
    };
    let finite = |score: &MoveScore<G::Move>| score.forced.is_none().then_some(score.score);
    let best = analysis.best();
    if command.output.json {
        let moves: Vec<_> = analysis
            .moves
            .iter()
            .map(|score| {
                let answer = json!({
                    "move": position.format_move(score.mv),
                    "score": finite(score),
                    "forced": score.forced.map(|forced| json!({
                        "winner": G::side_name(forced.winner),
                        "plies": forced.plies,
                    })),
                });
                with_exact::<G>(answer, of_move(score.mv))
            })
            .collect();
        let answer = json!({
            "position": text,
            "outcome": null,
            "best": position.format_move(best.mv),
            "score": finite(best),
            "depth": analysis.depth,
            "nodes": analysis.nodes,
            "moves": moves,
        });
        return print_json(&with_exact::<G>(answer, of_position));
    }
    print(format!("{}\n{text}", position.draw()))?;
    print(format!(
        "depth {}, {} nodes, {}",
        analysis.depth, analysis.nodes, command.player
    ))?;
    if let Some(exact) = of_position {
        print(format!("exact: {}", known_text::<G>(exact)))?;
    }
    for score in &analysis.moves {
        let value = score_text::<G>(score.score, score.forced);
        let mv = position.format_move(score.mv);
        print(match of_move(score.mv) {
            None => format!("  {mv:6} {value}"),
            Some(exact) => format!("  {mv:6} {value:12} {}", known_text::<G>(exact)),
        })?;
    }
    Ok(())
}

/// An answer with the exact value that was asked for, null if the tables do not hold it.
fn with_exact<G: Kit>(mut answer: Value, exact: Option<Option<Exact>>) -> Value {
    if let Some(exact) = exact {
        answer["exact"] = json!(exact.map(|exact| json!({
            "value": G::outcome_name(exact.value),
            "plies": exact.plies,
        })));
    }
    answer
}
