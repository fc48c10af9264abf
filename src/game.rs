//! What a game implements so that the pipeline can learn it.
//!
//! The search, self-play, training and matches depend on [`Game`] alone; [`Notation`] reads and
//! writes positions and moves.

mod chance;
mod exact;
mod foreign;
mod key;
mod notation;
mod picture;
mod playthrough;
mod record;
mod rules;

pub use chance::{random_line, random_move};
pub use exact::{Exact, ExactValues};
pub use foreign::{ForeignError, ForeignNotation, read_games, read_position};
pub use key::Key;
pub use notation::{Notation, NotationError};
pub use picture::Picture;
pub use playthrough::{End, OCCURRENCES_TO_END, Playthrough, QUIET_LIMIT, game_hash};
pub use record::{GameReader, GameRecord, MOST_SHOWN, Participant, RecordError, RecordedMove};
pub use rules::{format_rules, read_rules, write_rules};

use std::fmt::Debug;
use std::hash::Hash;

use arrayvec::ArrayVec;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// One of the two sides of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The side that wants high scores.
    Max,
    /// The side that wants low scores.
    Min,
}

impl Side {
    /// The opponent.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::Max => Self::Min,
            Self::Min => Self::Max,
        }
    }

    /// +1 for `Max`, −1 for `Min`: converts a score from `Max`'s point of view to this side's.
    #[must_use]
    pub fn sign(self) -> f32 {
        match self {
            Self::Max => 1.0,
            Self::Min => -1.0,
        }
    }
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// `Max` has won.
    Max,
    /// Nobody has won.
    Draw,
    /// `Min` has won.
    Min,
}

impl Outcome {
    /// The outcome in which `winner` has won.
    #[must_use]
    pub fn win(winner: Side) -> Self {
        match winner {
            Side::Max => Self::Max,
            Side::Min => Self::Min,
        }
    }

    /// The winner, if there is one.
    #[must_use]
    pub fn winner(self) -> Option<Side> {
        match self {
            Self::Max => Some(Side::Max),
            Self::Draw => None,
            Self::Min => Some(Side::Min),
        }
    }

    /// The points of `side`: 1, ½ or 0.
    #[must_use]
    pub fn points(self, side: Side) -> f32 {
        match self.winner() {
            None => 0.5,
            Some(winner) if winner == side => 1.0,
            Some(_) => 0.0,
        }
    }
}

/// A list of moves that a search node can hold without allocating.
pub trait MoveList<M>: Default + AsRef<[M]> + AsMut<[M]> {
    /// Empties the list.
    fn clear(&mut self);

    /// Removes all moves after the first `len`.
    fn truncate(&mut self, len: usize);
}

impl<M, const CAPACITY: usize> MoveList<M> for ArrayVec<M, CAPACITY> {
    fn clear(&mut self) {
        Self::clear(self);
    }

    fn truncate(&mut self, len: usize) {
        Self::truncate(self, len);
    }
}

/// A position of a two-player game of perfect information, with everything that the pipeline requires of it.
///
/// Positions are values: [`Game::play`] returns a new one. Move lists hold legal moves only, noisy
/// ones first. A finished position has an [`Game::outcome`] and is not searched.
///
/// A game implements the required items; the provided ones describe a game in which no position
/// comes back, the board has no symmetry, no move is noisy, and no side is ever in check.
pub trait Game: Clone + Eq + Debug + Send + Sync + 'static {
    /// What the players agree on before the first move, such as the size of the board; `()` if nothing.
    type Rules: Clone + Debug + Default + PartialEq + Send + Sync + Serialize + DeserializeOwned;
    /// A move; applies to the position that it was generated for.
    type Move: Copy + Eq + Debug + Send + Sync + 'static;
    /// A list with room for all legal moves of any position.
    type Moves: MoveList<Self::Move>;
    /// Identifies a position, the side to move included, counters of moves excluded.
    type Key: Key;
    /// The form of a position in files.
    type Code: Copy + Debug + Serialize + DeserializeOwned + Send + Sync + 'static;

    /// The game's name, in lower case; files carry it.
    const NAME: &'static str;
    /// Number of symmetries of the board; symmetry 0 is the identity.
    const SYMMETRIES: usize = 1;
    /// One more than the largest [`Game::move_index`].
    const MOVE_INDICES: usize;
    /// Names of the kinds of positions that statistics are listed by.
    const STRATA: &'static [&'static str] = &["all"];
    /// Whether a draw by plies without an irreversible move is left to the caller; false if
    /// [`Game::outcome`] applies such a rule itself, as in chess.
    const HAS_QUIET_LIMIT: bool = true;
    /// Whether [`Game::in_check`] is ever true.
    const HAS_CHECKS: bool = false;
    /// Whether [`Game::exchange_reaches`] is ever false.
    const HAS_EXCHANGES: bool = false;
    /// Whether [`Game::noisy_order`] orders noisy moves.
    const ORDERS_NOISY_MOVES: bool = false;
    /// Whether [`Game::repetition_outcome`] reads the marks of a cycle.
    const HAS_REPETITION_MARKS: bool = false;

    /// The position before the first move.
    fn start(rules: &Self::Rules) -> Self;

    /// The rules of the games in which the position can occur.
    fn rules(&self) -> Self::Rules;

    /// The side to move.
    fn side_to_move(&self) -> Side;

    /// The outcome of a finished game, repetitions aside; `None` if the game goes on.
    ///
    /// A game with move counters of its own, such as the fifty-move rule, returns its draw here.
    fn outcome(&self) -> Option<Outcome>;

    /// Replaces the content of `moves` with the legal moves, noisy ones first.
    ///
    /// For a finished position the content is unspecified.
    fn moves_into(&self, moves: &mut Self::Moves);

    /// Returns the legal moves, noisy ones first.
    fn moves(&self) -> Self::Moves {
        let mut moves = Self::Moves::default();
        self.moves_into(&mut moves);
        moves
    }

    /// Removes from the legal `moves` some that are certainly no better than one that stays; never all.
    ///
    /// The search tries only the moves that stay, whatever the evaluation. Analysis and the
    /// tablebase values of root moves cover all legal moves.
    #[inline]
    fn prune_dominated_moves(&self, _moves: &mut Self::Moves) {}

    /// Replaces the content of `moves` with the noisy legal moves.
    ///
    /// Quiescence calls this at every leaf: a game that can generate them without the others
    /// should override it.
    fn noisy_moves_into(&self, moves: &mut Self::Moves) {
        self.moves_into(moves);
        let noisy = moves.as_ref().iter();
        let noisy = noisy.take_while(|mv| self.is_noisy(**mv)).count();
        moves.truncate(noisy);
    }

    /// Returns the position after a legal move.
    #[must_use]
    fn play(&self, mv: Self::Move) -> Self;

    /// Whether the move changes the balance at once, as a capture does.
    #[inline]
    fn is_noisy(&self, _mv: Self::Move) -> bool {
        false
    }

    /// Whether no position before the move can come back after it.
    #[inline]
    fn is_irreversible(&self, _mv: Self::Move) -> bool {
        true
    }

    /// Whether an earlier position of a game could come back at or after this one.
    #[inline]
    fn can_repeat(&self) -> bool {
        false
    }

    /// Whether no irreversible move lies between `earlier` and this position, so that `earlier`
    /// could come back.
    #[inline]
    fn can_return_to(&self, _earlier: &Self) -> bool {
        false
    }

    /// A number below [`Game::MOVE_INDICES`], the same for the same move in any position.
    fn move_index(mv: Self::Move) -> usize;

    /// The key; equal for equal positions.
    fn key(&self) -> Self::Key;

    /// Returns the position's form in files.
    fn encode(&self) -> Self::Code;

    /// Returns the position whose form in files is `code`.
    ///
    /// # Errors
    /// A sentence that says why no position of the game has this code.
    fn decode(code: Self::Code) -> Result<Self, String>;

    /// The position seen through symmetry `symmetry`, below [`Game::SYMMETRIES`].
    #[must_use]
    #[inline]
    fn transformed(&self, _symmetry: usize) -> Self {
        self.clone()
    }

    /// The move seen through a symmetry.
    #[inline]
    fn transform_move(mv: Self::Move, _symmetry: usize) -> Self::Move {
        mv
    }

    /// The symmetry that undoes another; its own inverse unless the game says otherwise.
    #[inline]
    fn inverse_symmetry(symmetry: usize) -> usize {
        symmetry
    }

    /// The representative of all symmetric positions, and a symmetry that leads to it: the one with
    /// the least key, unless the game has a faster choice.
    fn canonical(&self) -> (Self, usize) {
        let mut least = (self.clone(), 0);
        for symmetry in 1..Self::SYMMETRIES {
            let image = self.transformed(symmetry);
            if image.key() < least.0.key() {
                least = (image, symmetry);
            }
        }
        least
    }

    /// The position's index in [`Game::STRATA`].
    fn stratum(&self) -> usize {
        0
    }

    /// The position with the other side to move, if the rules give it a meaning.
    fn null_move(&self) -> Option<Self> {
        None
    }

    /// Whether the null-move assumption is safe: the side to move has a move at least as good as
    /// none. A game with zugzwang returns false where it is likely; chess, without a piece left.
    #[inline]
    fn is_null_move_safe(&self) -> bool {
        !self.can_repeat()
    }

    /// Whether the side to move is in check, or must answer a threat as urgent.
    ///
    /// Then the search applies no static pruning and no null move, prunes and reduces no move, and
    /// quiescence searches all moves.
    #[inline]
    fn in_check(&self) -> bool {
        false
    }

    /// Whether a legal move gives check; the search neither prunes nor reduces it.
    #[inline]
    fn gives_check(&self, mv: Self::Move) -> bool {
        Self::HAS_CHECKS && self.play(mv).in_check()
    }

    /// Whether the side to move may decline all noisy moves in quiescence, its static evaluation
    /// being a bound; false where the static evaluation of the position is worthless.
    #[inline]
    fn may_stand_pat(&self) -> bool {
        true
    }

    /// The order of noisy moves of one position, higher first, as by victim and attacker.
    #[inline]
    fn noisy_order(&self, _mv: Self::Move) -> i32 {
        0
    }

    /// Whether the static exchange value of a move, in the game's own units, is at least `threshold`.
    #[inline]
    fn exchange_reaches(&self, _mv: Self::Move, _threshold: i32) -> bool {
        true
    }

    /// What the verdict on a repetition has to know of the position, such as the side to move being
    /// in check.
    #[inline]
    fn repetition_mark(&self) -> u32 {
        0
    }

    /// The verdict on a position that has come back.
    ///
    /// `cycle` holds the marks of the positions since it occurred before, in order, its own last;
    /// it is empty unless [`Game::HAS_REPETITION_MARKS`].
    #[inline]
    fn repetition_outcome(&self, _cycle: &[u32]) -> Outcome {
        Outcome::Draw
    }

    /// Replaces the content of `images` with the distinct symmetric copies of this position,
    /// itself first.
    fn images_into(&self, images: &mut Vec<Self>) {
        images.clear();
        for symmetry in 0..Self::SYMMETRIES {
            let image = self.transformed(symmetry);
            if !images.contains(&image) {
                images.push(image);
            }
        }
    }

    /// Returns the distinct symmetric copies of this position, itself first.
    fn images(&self) -> Vec<Self> {
        let mut images = Vec::with_capacity(Self::SYMMETRIES);
        self.images_into(&mut images);
        images
    }
}
