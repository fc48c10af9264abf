//! Weights of a hand-written evaluation, fitted to the results of games by logistic regression.
//!
//! The evaluation's terms stay as they are; its score is linear in them, so the weights that make
//! the results likeliest are found by Newton's method. A prior keeps weights of which hardly any
//! position tells where they were.

mod games;
mod regression;

pub use games::{Games, Selection};
pub use regression::{Fit, FitError, Prior, Regression};
