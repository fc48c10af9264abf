//! Games in the package's notation: `1. G33 B1122 2. G13 Bx1131`, a game a line or more.

use super::NAME;
use super::beginning::beginning;
use super::moves::{format_move, read_move};
use super::rules::PackageRules;
use crate::game::{
    End, ForeignError, Game as _, GameRecord, Notation as _, Outcome, Participant, RecordError,
    RecordedMove,
};
use crate::games::bagh_chal::movement::Move;
use crate::games::bagh_chal::position::{Position, Turn};

/// What a comment says before the number of plies that only lead to where the game began.
const BEGINS: &str = "begins after ply ";

/// The text of a result: goats, then baghs.
fn result_text(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Max => "0-1",
        Outcome::Draw => "1/2-1/2",
        Outcome::Min => "1-0",
    }
}

/// A game in the package's notation, on one line.
pub(super) fn format_game(game: &GameRecord<Position>) -> Result<String, ForeignError> {
    let lead = beginning(&game.start).ok_or_else(|| ForeignError::Beginning {
        notation: NAME,
        position: game.start.format_position(),
    })?;
    let mut words = Vec::new();
    if !lead.is_empty() {
        words.push(format!("{{{BEGINS}{}}}", lead.len()));
    }
    let played = game.moves.iter().map(|recorded| recorded.mv);
    let moves: Vec<Move> = lead.iter().copied().chain(played).collect();
    let mut line = Line::default();
    for (ply, &mv) in moves.iter().enumerate() {
        if line.verdict.is_some() {
            return Err(ForeignError::GoesOn {
                notation: NAME,
                ply: ply.saturating_sub(lead.len()),
                plies: game.moves.len(),
            });
        }
        if line.position.turn == Turn::Sheep {
            words.push(format!("{}.", line.goat_moves + 1));
        }
        words.push(format_move(mv));
        line.play(mv);
    }
    match (line.verdict, game.end) {
        (Some(outcome), _) => {
            if let Some(last) = words.last_mut() {
                last.push('#');
            }
            words.push(result_text(outcome).to_owned());
        }
        (None, Some(end)) => words.push(result_text(end.outcome()).to_owned()),
        (None, None) if words.is_empty() => words.push("*".to_owned()),
        (None, None) => {}
    }
    Ok(words.join(" "))
}

/// A game from the start, as the package follows it.
#[derive(Clone, Debug)]
struct Line {
    position: Position,
    /// Moves that the goats have made.
    goat_moves: usize,
    rules: PackageRules,
    /// How the package says that the game has ended.
    verdict: Option<Outcome>,
}

impl Default for Line {
    fn default() -> Self {
        Self {
            position: Position::start(&()),
            goat_moves: 0,
            rules: PackageRules::default(),
            verdict: None,
        }
    }
}

impl Line {
    fn play(&mut self, mv: Move) {
        self.goat_moves += usize::from(self.position.turn == Turn::Sheep);
        self.position = self.position.play(mv);
        self.verdict = self.rules.reach(&self.position);
    }
}

/// Reads all games of a text.
pub(super) fn parse_games(text: &str) -> Result<Vec<GameRecord<Position>>, RecordError> {
    let mut games = Vec::new();
    let mut draft: Option<Draft> = None;
    let mut number = 0;
    for line in text.lines() {
        number += 1;
        let fault = |reason| RecordError::Line {
            line: number,
            reason,
        };
        let mut rest = line.trim();
        while !rest.is_empty() {
            let (word, after) = next_word(rest).map_err(fault)?;
            rest = after.trim_start();
            if word.starts_with('{') && lead_of(word).is_none() {
                continue;
            }
            if let Some(whole) = draft.take_if(|draft| draft.ends_before(word)) {
                games.push(whole.finish().map_err(fault)?);
            }
            let draft = draft.get_or_insert_default();
            draft.read(word).map_err(fault)?;
        }
    }
    if let Some(whole) = draft {
        let fault = |reason| RecordError::Line {
            line: number,
            reason,
        };
        games.push(whole.finish().map_err(fault)?);
    }
    Ok(games)
}

/// The first word of a text that is not empty, or the first comment, and what follows.
fn next_word(text: &str) -> Result<(&str, &str), String> {
    if text.starts_with('{') {
        let end = text.find('}').ok_or("a comment ends on its line, with }")?;
        return Ok(text.split_at(end + 1));
    }
    let end = text.find(|c: char| c.is_whitespace() || c == '{');
    Ok(text.split_at(end.unwrap_or(text.len())))
}

/// The plies that only lead to where a game begins, if a word is the comment that tells them.
fn lead_of(word: &str) -> Option<&str> {
    word.strip_prefix('{')?
        .strip_suffix('}')?
        .strip_prefix(BEGINS)
}

/// A game of which not all has been read.
#[derive(Default)]
struct Draft {
    line: Line,
    moves: Vec<RecordedMove<Move>>,
    /// Moves that only lead to where the game began.
    lead: usize,
    /// Whether the number of a goat's move has been read, and not yet the move.
    numbered: bool,
    /// Whether a `#` has said that the game is over.
    over: bool,
    /// The result that was told; none inside if the game was broken off.
    result: Option<Option<Outcome>>,
}

impl Draft {
    /// Whether the game is whole and `word` the beginning of the next one.
    fn ends_before(&self, word: &str) -> bool {
        let first = word.starts_with("1.") || word.starts_with('{');
        self.result.is_some() || first && !self.moves.is_empty()
    }

    fn read(&mut self, word: &str) -> Result<(), String> {
        if let Some(lead) = lead_of(word) {
            let lead = lead.parse();
            self.lead = lead.map_err(|_| format!("{word} tells no number of plies"))?;
            return Ok(());
        }
        let result = match word {
            "#" => {
                self.over = true;
                return Ok(());
            }
            "*" => Some(None),
            _ => [Outcome::Max, Outcome::Draw, Outcome::Min]
                .into_iter()
                .find(|outcome| word == result_text(*outcome))
                .map(Some),
        };
        if result.is_some() {
            self.result = result;
            return Ok(());
        }
        let mut mv = word;
        if let Some((number, after)) = word.split_once('.') {
            self.number(number)?;
            mv = after;
        }
        if let Some(before) = mv.strip_suffix('#') {
            self.over = true;
            mv = before;
        }
        if mv.is_empty() { Ok(()) } else { self.play(mv) }
    }

    /// Reads the number of a goat's move.
    fn number(&mut self, text: &str) -> Result<(), String> {
        let next = self.line.goat_moves + 1;
        if self.line.position.turn == Turn::Tiger || self.numbered {
            return Err(format!(
                "a number like {text}. stands before each move of a goat alone"
            ));
        }
        if text.parse() != Ok(next) {
            return Err(format!(
                "the next move of the goats is number {next}, not {text}"
            ));
        }
        self.numbered = true;
        Ok(())
    }

    fn play(&mut self, text: &str) -> Result<(), String> {
        let ply = self.moves.len() + 1;
        if self.line.verdict.is_some() {
            return Err(format!(
                "the game is over before ply {ply}, {text}, by the rules of {NAME}"
            ));
        }
        let position = &self.line.position;
        let mv = read_move(position, text);
        let mv = mv.map_err(|reason| format!("ply {ply}: move \"{text}\": {reason}"))?;
        if position.turn == Turn::Sheep && !std::mem::take(&mut self.numbered) {
            let number = self.line.goat_moves + 1;
            return Err(format!(
                "ply {ply}: this move of a goat is written {number}. {text}"
            ));
        }
        self.line.play(mv);
        self.moves.push(RecordedMove { mv, score: None });
        Ok(())
    }

    fn finish(self) -> Result<GameRecord<Position>, String> {
        let plies = self.moves.len();
        if self.numbered {
            return Err("the move after the last number is missing".to_owned());
        }
        if self.lead > plies {
            return Err(format!(
                "the game begins after ply {}, and has {plies} plies",
                self.lead
            ));
        }
        let mut record = GameRecord {
            round: None,
            seed: None,
            quiet_limit: None,
            players: [Participant::default(), Participant::default()],
            start: Position::start(&()),
            moves: self.moves,
            end: None,
        };
        let start = *record.playthrough(self.lead).position();
        record.moves.drain(..self.lead);
        record.start = start;
        let told = self.result.flatten();
        record.end = match (self.line.verdict, self.result) {
            (None, _) if self.over => {
                return Err("# says that the game is over, and it is not".to_owned());
            }
            (Some(outcome), Some(told)) if told != Some(outcome) => {
                return Err(format!(
                    "the moves lead to the result {}",
                    result_text(outcome)
                ));
            }
            // A draw that is one by the package's rules alone has not ended by ours.
            (Some(_), _) => record.playthrough(record.moves.len()).end(),
            // The text does not say why a game was not played out.
            (None, _) => told.map(|outcome| match outcome {
                Outcome::Draw => End::QuietPlies,
                outcome => End::Known(outcome),
            }),
        };
        Ok(record)
    }
}

#[cfg(test)]
mod tests;
