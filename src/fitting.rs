//! Texel tuning: the weights of a hand-written evaluation by logistic regression on game results.
//!
//! The evaluation's score is linear in its terms, so Newton's method finds the weights with the largest
//! likelihood. A prior keeps weights that the data hardly determine near their previous value.

mod games;
mod regression;

pub use games::{Games, Selection};
pub use regression::{FitError, FittedWeights, Prior, Regression};
