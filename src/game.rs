//! What a game must answer for the pipeline to learn it.
//!
//! The search, self-play, training and matches know games through [`Game`] alone, and read and
//! write their positions through [`Notation`].

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
pub use playthrough::{End, OCCURRENCES_TO_END, Playthrough, QUIET_LIMIT};
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

    /// +1 for `Max`, −1 for `Min`: turns a score of `Max` into one of this side.
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

    /// What `side` gets of the point: 1, ½ or 0.
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

    /// Drops all moves after the first `len`.
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

/// A position of a two-player game of perfect information, with everything the pipeline asks of it.
///
/// Positions are values: [`Game::play`] makes a new one. Generation lists legal moves only, noisy
/// ones first. A finished position has an [`Game::outcome`] and is never searched further.
pub trait Game: Clone + Eq + Debug + Send + Sync + 'static {
    /// What has to be agreed before the first move, such as the size of the board.
    type Rules: Clone + Debug + Default + PartialEq + Send + Sync + Serialize + DeserializeOwned;
    /// A move; applies to the position it was generated for.
    type Move: Copy + Eq + Debug + Send + Sync + 'static;
    /// A list with room for every legal move of any position.
    type Moves: MoveList<Self::Move>;
    /// Identifies a position, the side to move included.
    type Key: Key;
    /// What stands for a position in files.
    type Code: Copy + Debug + Serialize + DeserializeOwned + Send + Sync + 'static;

    /// The game's name, in lower case; files carry it.
    const NAME: &'static str;
    /// Number of symmetries of the board; symmetry 0 is the identity.
    const SYMMETRIES: usize;
    /// One more than the largest [`Game::move_index`].
    const MOVE_INDICES: usize;
    /// Names of the kinds of positions that statistics are kept apart for.
    const PHASES: &'static [&'static str];

    /// The position before the first move.
    fn start(rules: &Self::Rules) -> Self;

    /// What was agreed before the first move of the games that the position can come up in.
    fn rules(&self) -> Self::Rules;

    /// The side to move.
    fn side_to_move(&self) -> Side;

    /// How the game has ended if it has, repetitions aside.
    fn outcome(&self) -> Option<Outcome>;

    /// Replaces the content of `moves` with the legal moves, noisy ones first.
    ///
    /// A finished position may list moves too; they mean nothing.
    fn moves_into(&self, moves: &mut Self::Moves);

    /// The legal moves, noisy ones first.
    fn moves(&self) -> Self::Moves {
        let mut moves = Self::Moves::default();
        self.moves_into(&mut moves);
        moves
    }

    /// Leaves out of the legal `moves` such as cannot be better than one that stays, as far as that is
    /// plain to see; never all.
    ///
    /// Whatever the players' evaluations, a search that picks a move looks at the rest alone; analysis and
    /// exact values of a root's moves ask for all of those.
    fn leave_out_inferior(&self, _moves: &mut Self::Moves) {}

    /// Replaces the content of `moves` with the noisy legal moves alone.
    ///
    /// Quiescence asks for them at every leaf: a game that finds them without listing the others
    /// should say so.
    fn noisy_moves_into(&self, moves: &mut Self::Moves) {
        self.moves_into(moves);
        let noisy = moves.as_ref().iter();
        let noisy = noisy.take_while(|mv| self.is_noisy(**mv)).count();
        moves.truncate(noisy);
    }

    /// The position after a legal move.
    #[must_use]
    fn play(&self, mv: Self::Move) -> Self;

    /// Whether the move changes the balance at once, as a capture does.
    fn is_noisy(&self, mv: Self::Move) -> bool;

    /// Whether no position before the move can ever come back after it.
    fn is_irreversible(&self, mv: Self::Move) -> bool;

    /// Whether some earlier position of a game could come back at or after this one.
    fn can_repeat(&self) -> bool;

    /// Whether no irreversible move lies between `earlier` and this position, so that `earlier`
    /// could come back.
    fn can_return_to(&self, earlier: &Self) -> bool;

    /// A number below [`Game::MOVE_INDICES`], the same for the same move in any position.
    fn move_index(mv: Self::Move) -> usize;

    /// The key; equal for equal positions.
    fn key(&self) -> Self::Key;

    /// The position as files hold it.
    fn encode(&self) -> Self::Code;

    /// The position that files mean by `code`.
    ///
    /// # Errors
    /// Says in a sentence why no position of the game has this code.
    fn decode(code: Self::Code) -> Result<Self, String>;

    /// The position seen through symmetry `symmetry`, below [`Game::SYMMETRIES`].
    #[must_use]
    fn transformed(&self, symmetry: usize) -> Self;

    /// The move seen through a symmetry.
    fn transform_move(mv: Self::Move, symmetry: usize) -> Self::Move;

    /// The symmetry that undoes another.
    fn inverse_symmetry(symmetry: usize) -> usize;

    /// The representative of all images of this position, and a symmetry that leads to it.
    fn canonical(&self) -> (Self, usize);

    /// Which of [`Game::PHASES`] the position belongs to.
    fn stratum(&self) -> usize;

    /// The position with the other side to move, where passing makes sense of it.
    fn pass(&self) -> Option<Self> {
        None
    }

    /// Whether the side to move may be presumed to have a move at least as good as none.
    fn may_stand_pat(&self) -> bool {
        true
    }

    /// The verdict on a position that has come up for the third time.
    fn repetition_outcome(&self) -> Outcome {
        Outcome::Draw
    }

    /// Replaces the content of `images` with the distinct images of this position under the
    /// symmetries, itself first.
    fn images_into(&self, images: &mut Vec<Self>) {
        images.clear();
        for symmetry in 0..Self::SYMMETRIES {
            let image = self.transformed(symmetry);
            if !images.contains(&image) {
                images.push(image);
            }
        }
    }

    /// The distinct images of this position under the symmetries, itself first.
    fn images(&self) -> Vec<Self> {
        let mut images = Vec::with_capacity(Self::SYMMETRIES);
        self.images_into(&mut images);
        images
    }
}
