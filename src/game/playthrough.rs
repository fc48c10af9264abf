//! A game in progress: its moves so far, and the rules that depend on them.
//!
//! Self-play, matches and games at the terminal all end by these rules.

use serde::{Deserialize, Serialize};

use super::{Game, Key as _, Outcome, Side};
use crate::seed;

/// The number of occurrences of a position that ends a game.
pub const OCCURRENCES_TO_END: usize = 3;

/// The default no-progress limit: plies in a row without an irreversible move that draw a game.
///
/// Wins with captures that far apart exist, but are rare between equal players.
pub const QUIET_LIMIT: u32 = 100;

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// By the rules of the game.
    Rules(Outcome),
    /// A position occurred for the third time.
    Repetition(Outcome),
    /// By the no-progress limit; a draw.
    QuietPlies,
    /// Adjudicated: the position's exact value is known.
    Known(Outcome),
}

impl End {
    /// The outcome of the game.
    #[must_use]
    pub fn outcome(self) -> Outcome {
        match self {
            Self::Rules(outcome) | Self::Repetition(outcome) | Self::Known(outcome) => outcome,
            Self::QuietPlies => Outcome::Draw,
        }
    }
}

/// Returns a hash of a game: equal for equal starts and moves.
pub fn game_hash<G: Game>(start: &G, moves: impl IntoIterator<Item = G::Move>) -> u64 {
    let fold = |hash, mv| seed::derive(&[hash, G::move_index(mv) as u64]);
    moves.into_iter().fold(start.key().fold(), fold)
}

/// A game in progress, from any position.
#[derive(Clone, Debug)]
pub struct Playthrough<G: Game> {
    positions: Vec<G>,
    moves: Vec<G::Move>,
    quiet_limit: u32,
}

impl<G: Game> Playthrough<G> {
    /// Starts a game at `start` that is drawn after `quiet_limit` plies in a row without an
    /// irreversible move, unless the game's own rules decide that.
    #[must_use]
    pub fn new(start: G, quiet_limit: u32) -> Self {
        Self {
            positions: vec![start],
            moves: Vec::new(),
            quiet_limit,
        }
    }

    /// The current position.
    #[must_use]
    pub fn position(&self) -> &G {
        &self.positions[self.moves.len()]
    }

    /// The positions before the current one, oldest first.
    #[must_use]
    pub fn history(&self) -> &[G] {
        &self.positions[..self.moves.len()]
    }

    /// The moves so far.
    #[must_use]
    pub fn moves(&self) -> &[G::Move] {
        &self.moves
    }

    /// The side to move.
    #[must_use]
    pub fn side_to_move(&self) -> Side {
        self.position().side_to_move()
    }

    /// Plays a legal move.
    pub fn play(&mut self, mv: G::Move) {
        self.positions.push(self.position().play(mv));
        self.moves.push(mv);
    }

    /// Plays the moves that `choose` returns until the game ends, and returns how it ended.
    pub fn play_out(&mut self, mut choose: impl FnMut(&Self) -> G::Move) -> End {
        loop {
            if let Some(end) = self.end() {
                return end;
            }
            self.play(choose(self));
        }
    }

    /// Undoes the last move and returns it.
    pub fn undo(&mut self) -> Option<G::Move> {
        let mv = self.moves.pop()?;
        self.positions.pop();
        Some(mv)
    }

    /// How the game ended; `None` if it goes on.
    #[must_use]
    pub fn end(&self) -> Option<End> {
        let current = self.position();
        if let Some(outcome) = current.outcome() {
            return Some(End::Rules(outcome));
        }
        if self.occurrences() >= OCCURRENCES_TO_END {
            return Some(End::Repetition(current.repetition_outcome(&self.cycle())));
        }
        let is_quiet = G::HAS_QUIET_LIMIT && self.quiet_plies() >= self.quiet_limit;
        is_quiet.then_some(End::QuietPlies)
    }

    /// How often the position has occurred, the current time included.
    fn occurrences(&self) -> usize {
        let current = self.position();
        if !current.can_repeat() {
            return 1;
        }
        let earlier = self.history().iter().rev();
        let key = current.key();
        1 + earlier
            .take_while(|position| current.can_return_to(position))
            .filter(|position| position.key() == key)
            .count()
    }

    /// The marks of the positions since the current one occurred before, in order, its own last.
    fn cycle(&self) -> Vec<u32> {
        if !G::HAS_REPETITION_MARKS {
            return Vec::new();
        }
        let key = self.position().key();
        let earlier = self.history().iter().rposition(|p| p.key() == key);
        let since = earlier.map_or(self.moves.len(), |index| index + 1);
        let cycle = self.positions[since..].iter();
        cycle.map(G::repetition_mark).collect()
    }

    /// Plies since the last irreversible move.
    fn quiet_plies(&self) -> u32 {
        let made = self.positions.iter().zip(&self.moves).rev();
        let quiet = made
            .take(self.quiet_limit as usize)
            .take_while(|(position, mv)| !position.is_irreversible(**mv))
            .count();
        u32::try_from(quiet).unwrap_or(u32::MAX)
    }
}
