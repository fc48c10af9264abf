//! The record of a game and its text form: players, start, and every move with its score.
//!
//! ```text
//! [game "bagh-chal"]
//! [round "3"]
//! [tiger "claude@depth=4"]
//! [sheep "random"]
//! [position "T3T/5/5/5/T3T s 20"]
//!   1 c3 a5-a4 +0.214 b4 a4xc4 +1.030
//!   5 e3 c4-c5 +win
//! = tiger
//! ```
//!
//! A line of moves begins with the ply of its first move; further numbers are moves, in
//! games that write them so. A signed number is the score, by the player of the move before it, of the
//! position before that move, in logits, positive if `Max` is better. The last line states the
//! outcome and how it came about; `*` marks an unfinished game. Lines that begin with `#` are comments.

mod reader;

pub use reader::{GameReader, RecordError};

use std::fmt;

use super::{End, Game, Notation, Outcome, Playthrough, Side};

/// The largest score that is written as it is, in logits; larger ones are clamped.
pub const MOST_SHOWN: f32 = 999.999;

/// Moves on one line of text.
const MOVES_A_LINE: usize = 8;

/// The player of a side in a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Participant {
    /// The player's name.
    pub name: String,
    /// Digest of the player's network or weights, if it has any.
    pub digest: Option<String>,
    /// Digest of the player's tablebase, if it used one.
    pub tables: Option<String>,
}

impl Participant {
    /// A player with a name and no digests.
    #[must_use]
    pub fn named(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            ..Self::default()
        }
    }
}

/// A move and its player's score of the position before it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RecordedMove<M> {
    /// The move.
    pub mv: M,
    /// The position's score for `Max`, in logits, ±infinity if proven; `None` if the player gave
    /// none.
    pub score: Option<f32>,
}

/// A game from its first position to its end.
#[derive(Clone, Debug, PartialEq)]
pub struct GameRecord<G: Game> {
    /// The number of the game's pair, from 1, if it is part of a match.
    pub round: Option<u32>,
    /// The random seed of the players, if they had one.
    pub seed: Option<u64>,
    /// The no-progress limit in plies, if there was one.
    pub quiet_limit: Option<u32>,
    /// The players of `Max` and `Min`.
    pub players: [Participant; 2],
    /// The first position.
    pub start: G,
    /// The moves.
    pub moves: Vec<RecordedMove<G::Move>>,
    /// How the game ended; `None` if it is unfinished.
    pub end: Option<End>,
}

impl<G: Game> GameRecord<G> {
    /// The player of a side.
    #[must_use]
    pub fn player(&self, side: Side) -> &Participant {
        &self.players[side as usize]
    }

    /// Replays the first `plies` moves, or all if there are fewer.
    #[must_use]
    pub fn playthrough(&self, plies: usize) -> Playthrough<G> {
        let mut game = Playthrough::new(self.start.clone(), self.quiet_limit.unwrap_or(u32::MAX));
        for recorded in self.moves.iter().take(plies) {
            game.play(recorded.mv);
        }
        game
    }
}

impl<G: Notation> GameRecord<G> {
    /// The outcome in words; `*` if the game is unfinished.
    #[must_use]
    pub fn end_text(&self) -> String {
        let Some(end) = self.end else {
            return "*".to_owned();
        };
        let how = match end {
            End::Rules(_) => "",
            End::Repetition(_) => " by repetition",
            End::QuietPlies => " by quiet plies",
            End::Known(_) => " by exact values",
        };
        format!("{}{how}", G::outcome_name(end.outcome()))
    }
}

impl<G: Notation> fmt::Display for GameRecord<G> {
    /// Writes the text form, ending with a line end.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut tag = |name: &str, value: &str| {
            let value = value.replace('\\', "\\\\").replace('"', "\\\"");
            let value = value.replace(char::is_control, " ");
            writeln!(f, "[{name} \"{value}\"]")
        };
        tag("game", G::NAME)?;
        let numbers = [
            ("round", self.round.map(u64::from)),
            ("seed", self.seed),
            ("quiet-limit", self.quiet_limit.map(u64::from)),
        ];
        for (name, number) in numbers {
            if let Some(number) = number {
                tag(name, &number.to_string())?;
            }
        }
        for side in [Side::Max, Side::Min] {
            let (name, player) = (G::side_name(side), self.player(side));
            tag(name, &player.name)?;
            for (what, digest) in [("digest", &player.digest), ("tables", &player.tables)] {
                if let Some(digest) = digest {
                    tag(&format!("{name}-{what}"), digest)?;
                }
            }
        }
        tag("position", &self.start.format_position())?;
        let mut position = self.start.clone();
        for (index, recorded) in self.moves.iter().enumerate() {
            if index % MOVES_A_LINE == 0 {
                let line = if index == 0 { "" } else { "\n" };
                write!(f, "{line}{:>4}", index + 1)?;
            }
            write!(f, " {}", position.format_move(recorded.mv))?;
            match recorded.score {
                None => {}
                Some(score) if score.is_finite() => {
                    let shown = score.clamp(-MOST_SHOWN, MOST_SHOWN);
                    write!(f, " {shown:+.3}")?;
                }
                Some(score) => write!(f, " {}win", if score > 0.0 { '+' } else { '-' })?,
            }
            position = position.play(recorded.mv);
        }
        if !self.moves.is_empty() {
            writeln!(f)?;
        }
        match self.end {
            None => writeln!(f, "*"),
            Some(_) => writeln!(f, "= {}", self.end_text()),
        }
    }
}

/// Parses the last line of a game, without its `= `.
fn parse_end<G: Notation>(text: &str) -> Option<End> {
    let mut words = text.splitn(2, ' ');
    let who = words.next()?;
    let outcomes = [Outcome::Max, Outcome::Draw, Outcome::Min];
    let outcome = outcomes
        .into_iter()
        .find(|outcome| G::outcome_name(*outcome) == who)?;
    match (words.next(), outcome) {
        (None, _) => Some(End::Rules(outcome)),
        (Some("by repetition"), _) => Some(End::Repetition(outcome)),
        (Some("by quiet plies"), Outcome::Draw) => Some(End::QuietPlies),
        (Some("by exact values"), _) => Some(End::Known(outcome)),
        _ => None,
    }
}
