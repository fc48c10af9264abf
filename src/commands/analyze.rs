//! `bagheera analyze`: scores of all moves of a position, and reviews of games.

mod review;

use std::path::PathBuf;

use clap::Args;
use serde_json::{Value, json};

use self::review::{list, pick, review};
use super::common::{
    ExactArgument, GameArgument, OutputArguments, RulesArgument, exact_of_move, known_text,
    or_best, player_factory, playthrough, position, print, print_json, score_text,
};
use super::notations::read_games;
use super::{CommandError, GameTask};
use crate::game::{Exact, ExactValues as _, Playthrough};
use crate::kit::{Kit, PlayerSpec, evaluation_names};
use crate::search::{Limits, MoveScore};

/// Default node limit.
const USUAL_NODES: u64 = 200_000;

/// Score every legal move of a position, or review a game.
///
/// Scores are in logits from the first side's point of view (tigers, blue): 0 is even, +1 means an
/// expected 73 % of the point. A proven result (mate score) names the winner and, if known, the maximum
/// number of plies to the end. With --exact or --tables, tablebase values are shown beside the scores;
/// they ignore repetitions.
///
/// With --games, the position comes from a games file written by `match --games` or by a run. A whole game
/// is reviewed: for each move, the score that its player recorded, its score by --player, and the better
/// move if there was one.
#[derive(Debug, Args)]
pub(super) struct AnalyzeCommand {
    /// Position, for example "T3T/5/5/5/T3T s 20"; the default is the start of the game.
    position: Option<String>,
    /// Games file: list its games, or use one of them with --number.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["position", "moves"])]
    games: Option<PathBuf>,
    /// Number of the game, from 1; not needed if the file holds only one.
    #[arg(long, value_name = "N", requires = "games")]
    number: Option<usize>,
    /// Analyze the position after this many plies instead of reviewing the game.
    #[arg(long, value_name = "P", requires = "games")]
    ply: Option<usize>,
    /// Moves played from the position, for example "c3 a5-a4"; they count for repetition.
    #[arg(long, default_value = "", value_name = "MOVES")]
    moves: String,
    /// Player that searches; the default is the shipped network if the rules are the default ones, or
    /// else the hand-written evaluation (HCE), at 200,000 nodes.
    #[arg(long, value_name = "PLAYER")]
    player: Option<PlayerSpec>,
    #[command(flatten)]
    exact: ExactArgument,
    #[command(flatten)]
    game: GameArgument,
    #[command(flatten)]
    rules: RulesArgument,
    #[command(flatten)]
    output: OutputArguments,
}

impl GameTask for AnalyzeCommand {
    fn game(&self) -> Result<String, CommandError> {
        self.game.name()
    }

    fn run<G: Kit>(&self) -> Result<(), CommandError> {
        analyze::<G>(self)
    }
}

fn analyze<G: Kit>(command: &AnalyzeCommand) -> Result<(), CommandError> {
    let Some(game) = game::<G>(command)? else {
        return Ok(());
    };
    let position = game.position();
    let spec = player::<G>(command, &position.rules())?;
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
    let mut player = player_factory::<G>(&spec)?.player();
    let talk = command.output.talk();
    let spinner = talk.spinner(&format!("{spec} is searching"));
    let analysis = player.analyse(position, game.history());
    spinner.finish_and_clear();
    let Some(analysis) = analysis else {
        return Err(CommandError::failure(format!(
            "player \"{spec}\" does not score moves"
        )));
    };
    let best = analysis.best();
    if command.output.json {
        let moves: Vec<_> = analysis
            .moves
            .iter()
            .map(|score| {
                let answer = json!({
                    "move": position.format_move(score.mv),
                    "score": finite(score),
                    "forced": forced::<G>(score),
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
        "depth {}, {} nodes, {spec}",
        analysis.depth, analysis.nodes
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

/// Returns the game whose last position is analyzed; `None` if the games file was listed or reviewed.
fn game<G: Kit>(command: &AnalyzeCommand) -> Result<Option<Playthrough<G>>, CommandError> {
    let Some(path) = &command.games else {
        let start = position::<G>(command.position.as_deref(), &command.rules)?;
        return playthrough(start, &command.moves, u32::MAX).map(Some);
    };
    let games = read_games::<G>(path)?;
    let number = match command.number {
        None if games.len() > 1 && command.ply.is_none() => {
            return list(&games, command.output.json).map(|()| None);
        }
        None if games.len() > 1 => {
            return Err(CommandError::usage(format!(
                "{} contains {} games; choose one with --number",
                path.display(),
                games.len()
            )));
        }
        number => number.unwrap_or(1),
    };
    let record = pick(games, number, path)?;
    if let Some(ply) = command.ply {
        let plies = record.moves.len();
        if ply > plies {
            return Err(CommandError::usage(format!(
                "--ply {ply} is out of range: game {number} has {plies} plies"
            )));
        }
        return Ok(Some(record.playthrough(ply)));
    }
    let spec = player::<G>(command, &record.start.rules())?;
    let mut player = player_factory::<G>(&spec)?.player();
    let tables = command.exact.open::<G>()?;
    let talk = command.output.talk();
    let json = command.output.json;
    review(&record, player.as_mut(), tables.as_ref(), &talk, json).map(|()| None)
}

/// Returns the player that searches.
fn player<G: Kit>(command: &AnalyzeCommand, rules: &G::Rules) -> Result<PlayerSpec, CommandError> {
    let spec = or_best::<G>(command.player.as_ref(), rules, Limits::nodes(USUAL_NODES));
    if spec.searches() {
        return Ok(spec);
    }
    Err(CommandError::usage(format!(
        "player \"{spec}\" does not score moves; use {}, neural or neural:FILE",
        evaluation_names::<G>()
    )))
}

/// Returns the score unless it is a proven result.
fn finite<M>(score: &MoveScore<M>) -> Option<f32> {
    score.forced.is_none().then_some(score.score)
}

/// Returns the proven result of a move as JSON, if there is one.
fn forced<G: Kit>(score: &MoveScore<G::Move>) -> Option<Value> {
    score
        .forced
        .map(|forced| json!({ "winner": G::side_name(forced.winner), "plies": forced.plies }))
}

/// Adds the tablebase value to an answer; null if the tables do not contain the position.
fn with_exact<G: Kit>(mut answer: Value, exact: Option<Option<Exact>>) -> Value {
    if let Some(exact) = exact {
        answer["exact"] = json!(exact.map(|exact| json!({
            "value": G::outcome_name(exact.value),
            "plies": exact.plies,
        })));
    }
    answer
}
