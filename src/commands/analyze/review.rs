//! Lists the games of a file and reviews one of them.

use std::path::Path;

use serde_json::{Value, json};

use super::{finite, forced, with_exact};
use crate::commands::CommandError;
use crate::commands::common::{exact_of_move, known_text, print, print_json, score_text};
use crate::game::{GameRecord, Side};
use crate::kit::Kit;
use crate::reporter::Reporter;
use crate::search::{MoveScore, Player};

/// Returns the game with a number, from 1.
pub(super) fn pick<G: Kit>(
    games: Vec<GameRecord<G>>,
    number: usize,
    path: &Path,
) -> Result<GameRecord<G>, CommandError> {
    let count = games.len();
    let game = number
        .checked_sub(1)
        .and_then(|index| games.into_iter().nth(index));
    game.ok_or_else(|| {
        CommandError::usage(format!(
            "--number {number} is out of range: {} has games 1 to {count}",
            path.display()
        ))
    })
}

fn result<G: Kit>(game: &GameRecord<G>) -> &'static str {
    game.end.map_or("*", |end| G::outcome_name(end.outcome()))
}

/// Prints one line per game.
pub(super) fn list<G: Kit>(games: &[GameRecord<G>], as_json: bool) -> Result<(), CommandError> {
    let numbered = (1_usize..).zip(games);
    if as_json {
        let rows: Vec<Value> = numbered
            .map(|(number, game)| {
                let mut row = json!({
                    "number": number, "round": game.round, "plies": game.moves.len(),
                    "position": game.start.format_position(), "result": result(game),
                });
                for side in [Side::Max, Side::Min] {
                    row[G::side_name(side)] = json!(game.player(side).name);
                }
                row
            })
            .collect();
        return print_json(&rows);
    }
    for (number, game) in numbered {
        let [max, min] = [Side::Max, Side::Min]
            .map(|side| format!("{} {}", G::side_name(side), game.player(side).name));
        print(format!(
            "{number:>5}  {:7} {:>4} plies  {max}, {min}",
            result(game),
            game.moves.len()
        ))?;
    }
    print(
        "Use --number N to review one of them, --number N --ply P to analyze its position after P plies.",
    )
}

/// Analyzes every move of a game.
pub(super) fn review<G: Kit>(
    game: &GameRecord<G>,
    player: &mut dyn Player<G>,
    tables: Option<&G::Tables>,
    talk: &Reporter,
    as_json: bool,
) -> Result<(), CommandError> {
    let mut bar = talk.bar("review", "moves", 0, game.moves.len() as u64);
    let (mut rows, mut lines) = (Vec::new(), Vec::new());
    let mut so_far = game.playthrough(0);
    for (ply, recorded) in (1_usize..).zip(&game.moves) {
        let position = so_far.position().clone();
        // Each position is analyzed on its own, as with --ply.
        player.new_game(0);
        let analysis = player.analyse(&position, so_far.history());
        let analysis =
            analysis.ok_or_else(|| CommandError::failure("the player does not score moves"))?;
        let best = *analysis.best();
        let played = analysis.moves.iter().find(|score| score.mv == recorded.mv);
        let played =
            *played.ok_or_else(|| CommandError::failure("a move of the game is not legal"))?;
        let exact = tables.map(|tables| exact_of_move(tables, &position, recorded.mv));
        let side = position.side_to_move();
        let mv = position.format_move(recorded.mv);
        if as_json {
            let told = |score: &MoveScore<G::Move>| {
                json!({
                    "move": position.format_move(score.mv),
                    "score": finite(score), "forced": forced::<G>(score),
                })
            };
            let row = json!({
                "ply": ply, "side": G::side_name(side), "position": position.format_position(),
                "recorded": recorded.score.filter(|score| score.is_finite()),
                "played": told(&played), "best": told(&best),
            });
            rows.push(with_exact::<G>(row, exact));
        } else {
            let text = |score: &MoveScore<G::Move>| score_text::<G>(score.score, score.forced);
            let recorded = match recorded.score {
                None => String::new(),
                Some(score) if score.is_finite() => score_text::<G>(score, None),
                Some(score) => {
                    let winner = if score > 0.0 { Side::Max } else { Side::Min };
                    format!("{} wins", G::side_name(winner))
                }
            };
            let better = if best.mv == played.mv {
                String::new()
            } else {
                format!("{} {}", position.format_move(best.mv), text(&best))
            };
            let exact = exact.map_or_else(String::new, known_text::<G>);
            let line = format!(
                "{ply:>4} {:6} {mv:7} {recorded:>12} {:>18}  {better:26} {exact}",
                G::side_name(side),
                text(&played),
            );
            lines.push(line.trim_end().to_owned());
        }
        so_far.play(recorded.mv);
        bar.at(ply as u64, String::new);
    }
    bar.finish();
    if as_json {
        let mut answer = json!({
            "round": game.round, "position": game.start.format_position(),
            "result": result(game), "moves": rows,
        });
        for side in [Side::Max, Side::Min] {
            answer[G::side_name(side)] = json!(game.player(side).name);
        }
        return print_json(&answer);
    }
    for side in [Side::Max, Side::Min] {
        print(format!(
            "{}: {}",
            G::side_name(side),
            game.player(side).name
        ))?;
    }
    print(format!("from {}", game.start.format_position()))?;
    print(" ply side   move        recorded              score  better                     exact")?;
    for line in lines {
        print(line)?;
    }
    print(format!("result: {}", result(game)))
}
