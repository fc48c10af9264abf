//! Feature sets of Bagh-Chal: the pieces alone, or with the moves of the tigers.

mod points;
mod steps;

pub use points::Points;
pub use steps::Steps;
