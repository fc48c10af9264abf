//! `inspect` of a games file.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;

use serde_json::json;

use super::unreadable;
use crate::arena::GamesSurvey;
use crate::commands::CommandError;
use crate::commands::common::{print, print_json};
use crate::game::{Notation, Outcome};

/// Number of bytes in which the tag of the game is searched.
const TAG_BYTES: u64 = 1 << 14;

/// Returns the value of the first game tag; empty if there is none.
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

/// Replays all games of a file and prints a summary.
pub(super) fn inspect<G: Notation>(path: &Path, json: bool) -> Result<(), CommandError> {
    let survey = GamesSurvey::read::<G>(path)?;
    if json {
        return print_json(&json!({
            "file": path.display().to_string(), "kind": "games", "game": G::NAME,
            "whole": survey.torn_bytes == 0, "survey": survey,
        }));
    }
    let state = match survey.torn_bytes {
        0 => "intact".to_owned(),
        bytes => format!(
            "truncated: {bytes} bytes follow the last complete game; the match resumes from the \
             last complete pair"
        ),
    };
    let outcomes = &survey.outcomes;
    let mut lines = vec![
        format!("{}: a games file, {state}", path.display()),
        format!("  game        {}", G::NAME),
        format!(
            "  games       {} in {} complete pairs and {} others; {} {}, {} {}, {} {}, {} unfinished",
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
            "  length      {:.1} plies on average, without openings",
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
