//! Counts the contents of a games file without knowing its match.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use serde::Serialize;

use super::games::GamesError;
use crate::files::FileError;
use crate::game::{GameReader, GameRecord, Notation, Outcome, RecordError, Side};
use crate::shard::OutcomeCounts;

/// Returns true if `bytes`, the beginning of a file, look like a games file.
#[must_use]
pub fn is_games(bytes: &[u8]) -> bool {
    bytes.trim_ascii_start().starts_with(b"[game \"")
}

/// The results of one player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct PlayerSurvey {
    /// Finished games.
    pub games: u64,
    /// Points scored in them: 1 for a win, ½ for a draw.
    pub points: f64,
}

/// The contents of a games file.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct GamesSurvey {
    /// Complete games.
    pub games: u64,
    /// Pairs among them: two consecutive games of one round and opening with sides swapped.
    pub pairs: u64,
    /// Players by name.
    pub players: BTreeMap<String, PlayerSurvey>,
    /// Outcomes of the games; unfinished ones have none.
    pub outcomes: OutcomeCounts,
    /// Plies of all games, without openings.
    pub plies: u64,
    /// Bytes of the complete games.
    pub bytes: u64,
    /// Bytes after them, left by an interrupted write.
    pub torn_bytes: u64,
}

impl GamesSurvey {
    /// Reads a games file. Memory grows only with the number of players.
    ///
    /// # Errors
    /// If the file cannot be read, or is invalid before its last line.
    pub fn read<G: Notation>(path: &Path) -> Result<Self, GamesError> {
        let file = File::open(path).map_err(FileError::io("read", path))?;
        let length = file.metadata().map_err(FileError::io("read", path))?.len();
        let mut reader = GameReader::new(BufReader::new(file));
        let mut survey = Self::default();
        let mut last: Option<GameRecord<G>> = None;
        loop {
            match reader.next_game::<G>() {
                // A truncated line may look complete.
                Ok(Some(_)) if reader.is_cut() => break,
                Ok(Some(game)) => {
                    survey.count(&game);
                    survey.bytes = reader.bytes();
                    last = match last {
                        Some(first) if is_pair(&first, &game) => {
                            survey.pairs += 1;
                            None
                        }
                        _ => Some(game),
                    };
                }
                // Only empty lines and comments can follow the last game.
                Ok(None) => {
                    survey.bytes = length;
                    break;
                }
                Err(RecordError::Cut { .. }) => break,
                Err(RecordError::Line { .. }) if reader.is_cut() => break,
                Err(RecordError::Io(source)) => {
                    return Err(FileError::io("read", path)(source).into());
                }
                Err(source) => {
                    let path = path.to_owned();
                    return Err(GamesError::Text { path, source });
                }
            }
        }
        survey.torn_bytes = length.saturating_sub(survey.bytes);
        Ok(survey)
    }

    fn count<G: Notation>(&mut self, game: &GameRecord<G>) {
        let outcome: Option<Outcome> = game.end.map(|end| end.outcome());
        self.games += 1;
        self.outcomes.add(outcome);
        self.plies += game.moves.len() as u64;
        for side in [Side::Max, Side::Min] {
            let name = game.player(side).name.clone();
            let player = self.players.entry(name).or_default();
            if let Some(outcome) = outcome {
                player.games += 1;
                player.points += f64::from(outcome.points(side));
            }
        }
    }
}

fn is_pair<G: Notation>(first: &GameRecord<G>, second: &GameRecord<G>) -> bool {
    let [max, min] = &first.players;
    first.round.is_some()
        && (first.round, &first.start) == (second.round, &second.start)
        && [min, max] == [&second.players[0], &second.players[1]]
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::games::bagh_chal::Position;

    const GAME: &str = "[game \"bagh-chal\"]\n[round \"1\"]\n[tiger \"a\"]\n[sheep \"b\"]\n\
                        [quiet-limit \"4\"]\n[position \"T3T/5/5/5/T3T s 20\"]\n   1 c3\n*\n";

    #[test]
    fn complete_games_pairs_and_a_torn_end_are_counted() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.games");
        let swapped = GAME.replace("\"a\"", "\"c\"").replace("\"b\"", "\"a\"");
        let swapped = swapped.replace("\"c\"", "\"b\"");
        let text = format!("# games\n{GAME}\n{swapped}\n{GAME}");
        fs::write(&path, &text).unwrap();
        let survey = GamesSurvey::read::<Position>(&path).unwrap();
        assert_eq!((survey.games, survey.pairs, survey.plies), (3, 1, 3));
        assert_eq!(survey.outcomes.none, 3);
        assert_eq!((survey.bytes, survey.torn_bytes), (text.len() as u64, 0));
        assert_eq!(survey.players.keys().collect::<Vec<_>>(), ["a", "b"]);
        for cut in 1..GAME.len() - 1 {
            fs::write(&path, &text[..text.len() - cut]).unwrap();
            let torn = GamesSurvey::read::<Position>(&path).unwrap();
            assert_eq!((torn.games, torn.pairs), (2, 1), "{cut}");
            assert_eq!(torn.torn_bytes, (1 + GAME.len() - cut) as u64, "{cut}");
        }
        fs::write(&path, text.replacen("c3", "c9", 1)).unwrap();
        let error = GamesSurvey::read::<Position>(&path)
            .unwrap_err()
            .to_string();
        assert!(
            error.contains("a.games") && error.contains("line 8"),
            "{error}"
        );
        assert!(is_games(&text.as_bytes()[8..]) && !is_games(b"{\"game\": 1}"));
    }
}
