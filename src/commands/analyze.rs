//! `bagheera analyze`: the score of every move of a position.

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

/// Nodes of a search where no player is named.
const USUAL_NODES: u64 = 200_000;

/// Score every legal move of a position.
///
/// Scores are those of the side that the game calls Max, in logits: 0 is even, +1 an expected
/// share of 73 % of the point. A forced result says who wins and, where that is known, in how many
/// plies from here at most. Exact values stand beside the scores if asked for, of positions without a
/// history.
///
/// With --games the position comes from a file of games, as `match --games` and runs write them; of a
/// whole game each move is shown with the score that its player told, its score by --player, and the
/// move that would have been better.
#[derive(Debug, Args)]
pub(super) struct AnalyzeCommand {
    /// The position, such as "T3T/5/5/5/T3T s 20"; the start of the game if not given.
    position: Option<String>,
    /// A file of games to list, or to take one from.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["position", "moves"])]
    games: Option<PathBuf>,
    /// The number of the game, from 1; not needed if the file holds one alone.
    #[arg(long, value_name = "N", requires = "games")]
    number: Option<usize>,
    /// Analyze the game's position after so many plies instead of the whole game.
    #[arg(long, value_name = "P", requires = "games")]
    ply: Option<usize>,
    /// Moves played from the position, such as "c3 a5-a4"; repetition depends on them.
    #[arg(long, default_value = "", value_name = "MOVES")]
    moves: String,
    /// The player that searches; if not given, the network that comes with the program if the rules are the
    /// usual ones, or else the hand-written evaluation, at 200,000 nodes.
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
    let spinner = talk.spinner(&format!("{spec} searches"));
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

/// The game whose last position is to be analyzed; none if that is all that was wanted of a file.
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
                "{} holds {} games; say which by --number",
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
                "game {number} has {plies} plies, and --ply is {ply}"
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

/// The player that searches.
fn player<G: Kit>(command: &AnalyzeCommand, rules: &G::Rules) -> Result<PlayerSpec, CommandError> {
    let spec = or_best::<G>(command.player.as_ref(), rules, Limits::nodes(USUAL_NODES));
    if spec.searches() {
        return Ok(spec);
    }
    Err(CommandError::usage(format!(
        "player \"{spec}\" does not score moves; {}, neural and neural:FILE do",
        evaluation_names::<G>()
    )))
}

/// A score that no forced result stands for.
fn finite<M>(score: &MoveScore<M>) -> Option<f32> {
    score.forced.is_none().then_some(score.score)
}

/// The forced result of a move, if there is one.
fn forced<G: Kit>(score: &MoveScore<G::Move>) -> Option<Value> {
    score
        .forced
        .map(|forced| json!({ "winner": G::side_name(forced.winner), "plies": forced.plies }))
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
