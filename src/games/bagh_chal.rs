//! Bagh-Chal: four tigers hunt twenty sheep on a board of 5×5 points.
//!
//! Sheep are placed first and then move; tigers move and capture by jumping. Five dead sheep win
//! for the tigers, four trapped tigers for the sheep. Tigers are `Max`, sheep are `Min`.

mod baghchal_text;
mod board;
mod claude;
pub mod endgame;
mod features;
mod geometry;
mod movement;
mod notation;
mod picture;
mod position;
mod symmetry;

pub use baghchal_text::BaghchalText;
pub use board::{
    DEAD_SHEEP_TO_WIN, GameBoard, ONE_SHEEP, REPETITION_DRAW, SHEEP_COUNT_SHIFT, TOTAL_SHEEP,
    repetitions,
};
pub use claude::{ClaudeEvaluation, MaterialEvaluation, WeightedEvaluation};
pub use features::{Points, Steps};
pub use geometry::{
    DELTAS, DIRS, JUMP_SOURCES, PieceType, Pos, STEP_SOURCES, bit_idx, midpoint, on_line,
};
pub use movement::{MAX_MOVES, Move, MoveError, Moves};
pub use position::{Outcome, Position, Turn};
pub use symmetry::{SYMMETRIES, inverse_symmetry, transform_move, transform_pos};
