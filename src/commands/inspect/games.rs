//! What `inspect` says of a file of games.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;

use serde_json::json;

use super::unreadable;
use crate::arena::GamesSurvey;
use crate::commands::CommandError;
use crate::commands::common::{print, print_json};
use crate::game::{Notation, Outcome};

/// Bytes in which the first game says what it is of.
const TAG_BYTES: u64 = 1 << 14;

/// The game that the first tag of that name tells; empty where none does.
pub(super) fn game_of(path: &Path) -> Result<String, CommandError> {
    let file = File::open(path).map_err(|error| unreadable(path, &error))?;
    let lines = BufReader::new(file.take(TAG_BYTES)).split(b'\n');
    for line in lines.map_while(Result::ok) {
        let line = String::from_utf8_lossy(&line);
        let tag = line.trim().strip_prefix("[game \"");
        if let Some(game) = tag.and_then(|tag| tag.strip_suffix("\"]")) {
            return Ok(game.to_owned());
        }
    }
    Ok(String::new())
}

/// Replays all games of a file and prints what they came to.
pub(super) fn inspect<G: Notation>(path: &Path, json: bool) -> Result<(), CommandError> {
    let survey = GamesSurvey::read::<G>(path)?;
    if json {
        return print_json(&json!({
            "file": path.display().to_string(), "kind": "games", "game": G::NAME,
            "whole": survey.torn_bytes == 0, "survey": survey,
        }));
    }
    let state = match survey.torn_bytes {
        0 => "whole".to_owned(),
        bytes => format!(
            "torn at its end: {bytes} bytes follow the last whole game, and the match goes on from the \
             last whole pair"
        ),
    };
    let outcomes = &survey.outcomes;
    let mut lines = vec![
        format!("{}: a file of games, {state}", path.display()),
        format!("  game        {}", G::NAME),
        format!(
            "  games       {} in {} whole pairs and {} beside; {} {}, {} {}, {} {}, {} broken off",
            survey.games,
            survey.pairs,
            survey.games - 2 * survey.pairs,
            outcomes.max,
            G::outcome_name(Outcome::Max),
            outcomes.draw,
            G::outcome_name(Outcome::Draw),
            outcomes.min,
            G::outcome_name(Outcome::Min),
            outcomes.none
        ),
        format!(
            "  length      {:.1} plies on average, openings aside",
            survey.plies as f64 / survey.games.max(1) as f64
        ),
    ];
    for (name, player) in &survey.players {
        lines.push(format!(
            "  player      {name}: {} points of {} games",
            player.points, player.games
        ));
    }
    print(lines.join("\n"))
}
