//! What networks see of a position: the pieces alone, or what the tigers can do as well.

mod points;
mod steps;

pub use points::Points;
pub use steps::Steps;
