//! The Game of Y: stones on a triangular board, won by the chain that touches all three edges.
//!
//! There are no draws, no captures and no moves but placing a stone, so positions never repeat and a
//! stone of one's own never hurts. The first player is `Max`.

mod distance;
mod features;
mod geometry;
mod moves;
mod notation;
mod picture;
mod position;
mod symmetry;

pub use distance::{DistanceEvaluation, Habits};
pub use features::{Cells, Rhombi, Sides};
pub use geometry::{LARGEST_SIDE, SMALLEST_SIDE};
pub use moves::{Move, Moves};
pub use position::{Position, Rules};
pub use symmetry::SYMMETRIES;
