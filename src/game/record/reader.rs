//! Reads games from text, one after the other.

use std::io::{self, BufRead, Read as _};
use std::str::FromStr;

use thiserror::Error;

use super::{GameRecord, Participant, RecordedMove, parse_end};
use crate::game::{End, Notation, Side};

/// The longest line that is read, in bytes; the program writes far shorter ones.
const MOST_LINE_BYTES: u64 = 1 << 16;
/// The longest game that is read, in plies.
const MOST_PLIES: usize = 100_000;

/// Why a text is not a list of games.
#[derive(Debug, Error)]
pub enum RecordError {
    /// Reading failed.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// A line is invalid.
    #[error("line {line}: {reason}")]
    Line {
        /// The line, from 1.
        line: u64,
        /// The error, and the expected form.
        reason: String,
    },
    /// The text ends within a game.
    #[error(
        "the text ends inside the game that starts on line {line}; a game ends with a line like \"= draw\" or \"*\""
    )]
    Cut {
        /// The first line of the game, from 1.
        line: u64,
    },
}

/// Reads games one by one; memory does not grow with their number.
#[derive(Debug)]
pub struct GameReader<R> {
    text: R,
    /// Lines read so far.
    line: u64,
    /// Bytes read so far.
    bytes: u64,
    /// Whether the text ended inside the last line read.
    cut: bool,
}

/// A game that is being read.
struct PartialGame<G: Notation> {
    round: Option<u32>,
    seed: Option<u64>,
    quiet_limit: Option<u32>,
    players: [Participant; 2],
    position: Option<G>,
    start: Option<G>,
    moves: Vec<RecordedMove<G::Move>>,
}

impl<R: BufRead> GameReader<R> {
    /// Reads `text` from its beginning.
    pub fn new(text: R) -> Self {
        Self {
            text,
            line: 0,
            bytes: 0,
            cut: false,
        }
    }

    /// The number of bytes read so far.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Whether the text ended inside the last line read, as a truncated file does.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        self.cut
    }

    /// Reads the next game; returns `None` at the end of the text.
    ///
    /// # Errors
    /// Names the first invalid line; the reader cannot be used after an error.
    pub fn next_game<G: Notation>(&mut self) -> Result<Option<GameRecord<G>>, RecordError> {
        let mut game = PartialGame::<G> {
            round: None,
            seed: None,
            quiet_limit: None,
            players: [Participant::default(), Participant::default()],
            position: None,
            start: None,
            moves: Vec::new(),
        };
        let mut first = None;
        while let Some(line) = self.next_line()? {
            let text = line.trim();
            if text.is_empty() || text.starts_with('#') {
                continue;
            }
            first.get_or_insert(self.line);
            let end = game.read(text).map_err(|reason| self.fault(reason))?;
            if let Some(end) = end {
                let record = game.finish(end).map_err(|reason| self.fault(reason))?;
                return Ok(Some(record));
            }
        }
        match first {
            None => Ok(None),
            Some(line) => Err(RecordError::Cut { line }),
        }
    }

    fn fault(&self, reason: String) -> RecordError {
        let line = self.line;
        RecordError::Line { line, reason }
    }

    /// Reads the next line; returns `None` at the end of the text.
    fn next_line(&mut self) -> Result<Option<String>, RecordError> {
        let mut line = Vec::new();
        let mut limited = (&mut self.text).take(MOST_LINE_BYTES);
        limited.read_until(b'\n', &mut line)?;
        if line.is_empty() {
            return Ok(None);
        }
        self.line += 1;
        self.bytes += line.len() as u64;
        let ended = line.ends_with(b"\n");
        let too_long = !ended && line.len() as u64 == MOST_LINE_BYTES;
        self.cut = !ended && !too_long;
        if too_long {
            let reason = format!("the line is longer than {MOST_LINE_BYTES} bytes");
            return Err(self.fault(reason));
        }
        match String::from_utf8(line) {
            Ok(line) => Ok(Some(line)),
            Err(_) => Err(self.fault("the line is not UTF-8 text".to_owned())),
        }
    }
}

impl<G: Notation> PartialGame<G> {
    /// Reads a line; returns the game's end if the line states it, `Some(None)` for an unfinished game.
    fn read(&mut self, line: &str) -> Result<Option<Option<End>>, String> {
        if line.starts_with('[') {
            if self.start.is_some() {
                return Err(
                    "a tag follows the position; write the moves there, or end the \
                            game with a line like \"= draw\" or \"*\""
                        .to_owned(),
                );
            }
            self.tag(line)?;
            return Ok(None);
        }
        if self.start.is_none() {
            return Err("the tag [position \"…\"] must come before the moves".to_owned());
        }
        if line == "*" {
            return Ok(Some(None));
        }
        if let Some(end) = line.strip_prefix('=') {
            let end = parse_end::<G>(end.trim()).ok_or_else(|| {
                format!(
                    "\"{line}\" is not an end of a game; one is like \"= {}\" or \"= draw by repetition\"",
                    G::side_name(Side::Max)
                )
            })?;
            return Ok(Some(Some(end)));
        }
        let mut words = line.split_whitespace().peekable();
        if let Some(number) = words.next_if(|word| is_number(word)) {
            self.ply(number)?;
        }
        for word in words {
            self.word(word)?;
        }
        Ok(None)
    }

    fn tag(&mut self, line: &str) -> Result<(), String> {
        let (name, value) = parse_tag(line)
            .ok_or_else(|| format!("\"{line}\" is not a tag; one is like [round \"3\"]"))?;
        match name {
            "game" if value == G::NAME => {}
            "game" => {
                return Err(format!(
                    "this is a game of {value}, not of {}; use --game",
                    G::NAME
                ));
            }
            "round" => self.round = Some(number(name, &value)?),
            "seed" => self.seed = Some(number(name, &value)?),
            "quiet-limit" => self.quiet_limit = Some(number(name, &value)?),
            "position" => {
                let position = G::parse_position(&value).map_err(|error| error.to_string())?;
                self.start = Some(position.clone());
                self.position = Some(position);
            }
            _ => {
                let side = |side| {
                    name.strip_prefix(G::side_name(side))
                        .map(|what| (side, what))
                };
                // Unknown tags are those of other programs.
                if let Some((side, what)) = side(Side::Max).or_else(|| side(Side::Min)) {
                    let player = &mut self.players[side as usize];
                    match what {
                        "" => player.name = value,
                        "-digest" => player.digest = Some(value),
                        "-tables" => player.tables = Some(value),
                        _ => {}
                    }
                }
            }
        }
        Ok(())
    }

    /// Reads the number of the next move.
    fn ply(&self, number: &str) -> Result<(), String> {
        let next = self.moves.len() + 1;
        if number.parse() == Ok(next) {
            return Ok(());
        }
        Err(format!(
            "the line begins with move number {number}; the next move is number {next}"
        ))
    }

    /// Reads a score or a move.
    fn word(&mut self, word: &str) -> Result<(), String> {
        let next = self.moves.len() + 1;
        if word.starts_with(['+', '-']) {
            let score = match word {
                "+win" => Some(f32::INFINITY),
                "-win" => Some(f32::NEG_INFINITY),
                _ => word.parse().ok().filter(|score: &f32| score.is_finite()),
            };
            let score = score
                .ok_or_else(|| format!("\"{word}\" is not a score; one is like +0.214 or -win"))?;
            return match self.moves.last_mut() {
                Some(last) if last.score.is_none() => {
                    last.score = Some(score);
                    Ok(())
                }
                _ => Err(format!("the score {word} does not follow a move")),
            };
        }
        let position = self.position.as_mut();
        let position = position.ok_or_else(|| "the position is missing".to_owned())?;
        if position.outcome().is_some() {
            return Err(format!("the game is over before the move {word}"));
        }
        if self.moves.len() == MOST_PLIES {
            return Err(format!("the game is longer than {MOST_PLIES} plies"));
        }
        let mv = position.parse_move(word);
        let mv = mv.map_err(|error| format!("ply {next}: {error}"))?;
        *position = position.play(mv);
        self.moves.push(RecordedMove { mv, score: None });
        Ok(())
    }

    fn finish(self, end: Option<End>) -> Result<GameRecord<G>, String> {
        let missing = || "the position is missing".to_owned();
        let record = GameRecord {
            round: self.round,
            seed: self.seed,
            quiet_limit: self.quiet_limit,
            players: self.players,
            start: self.start.ok_or_else(missing)?,
            moves: self.moves,
            end,
        };
        let played = record.playthrough(record.moves.len()).end();
        let agrees = match end {
            None | Some(End::Known(_)) => !matches!(played, Some(End::Rules(_))),
            Some(End::QuietPlies) if record.quiet_limit.is_none() => played.is_none(),
            Some(_) => played == end,
        };
        if agrees {
            Ok(record)
        } else {
            Err("the moves do not lead to the end stated".to_owned())
        }
    }
}

/// Whether a word consists of digits.
fn is_number(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit())
}

/// Parses the number of a tag.
fn number<N: FromStr>(name: &str, value: &str) -> Result<N, String> {
    let number = value.parse();
    number.map_err(|_| format!("\"{value}\" is not a {name}, which is a number"))
}

/// Parses a tag into its name and value.
fn parse_tag(line: &str) -> Option<(&str, String)> {
    let inner = line.strip_prefix('[')?.strip_suffix("\"]")?;
    let (name, quoted) = inner.split_once(" \"")?;
    let mut value = String::new();
    let mut escaped = false;
    for c in quoted.chars() {
        match c {
            '\\' if !escaped => escaped = true,
            '"' if !escaped => return None,
            _ => {
                value.push(c);
                escaped = false;
            }
        }
    }
    (!escaped && !name.contains(char::is_whitespace)).then_some((name, value))
}

#[cfg(test)]
mod tests;
