//! The loss, and the target of a sample.

use serde::{Deserialize, Serialize};

use crate::game::{Outcome, Side};
use crate::statistics::cross_entropy;
pub use crate::statistics::expected_score;

/// The loss of a position, averaged over the batch; p is the logistic of the network's logit and t the
/// target, both expected scores of the same side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Loss {
    /// (p − t)².
    Mse,
    /// −t ln p − (1 − t) ln(1 − p). Its gradient does not vanish where p is confident and wrong.
    CrossEntropy,
}

impl Loss {
    /// Returns the loss of a logit for `target`, from 0 to 1; finite for every finite logit.
    #[must_use]
    pub fn of(self, logit: f64, target: f64) -> f64 {
        match self {
            Self::Mse => {
                let error = expected_score(logit) - target;
                error * error
            }
            Self::CrossEntropy => cross_entropy(logit, target),
        }
    }
}

/// Returns the target of a sample, `Max`'s expected score: the game's outcome with the weight
/// `result_weight` and the search's `score` with the rest; the score alone without an outcome.
#[must_use]
pub fn target(score: f32, outcome: Option<Outcome>, result_weight: f64) -> f64 {
    let searched = expected_score(f64::from(score));
    match outcome {
        None => searched,
        Some(outcome) => {
            let points = f64::from(outcome.points(Side::Max));
            result_weight * points + (1.0 - result_weight) * searched
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn losses_follow_their_formulas() {
        for logit in [-3.0f64, -0.5, 0.0, 2.0] {
            for t in [0.0f64, 0.3, 1.0] {
                let p = 1.0 / (1.0 + (-logit).exp());
                let entropy = -t * p.ln() - (1.0 - t) * (1.0 - p).ln();
                assert!((Loss::Mse.of(logit, t) - (p - t).powi(2)).abs() < 1e-12);
                assert!((Loss::CrossEntropy.of(logit, t) - entropy).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn extreme_logits_give_finite_losses() {
        for logit in [-1e30, -1e3, 1e3, 1e30] {
            for t in [0.0, 0.5, 1.0] {
                assert!(Loss::Mse.of(logit, t).is_finite());
                assert!(Loss::CrossEntropy.of(logit, t).is_finite());
            }
        }
    }

    #[test]
    fn targets_are_between_score_and_outcome() {
        let searched = expected_score(1.5);
        assert_eq!(target(1.5, None, 0.7), searched);
        assert_eq!(target(1.5, Some(Outcome::Min), 0.0), searched);
        assert_eq!(target(1.5, Some(Outcome::Min), 1.0), 0.0);
        assert_eq!(target(1.5, Some(Outcome::Draw), 1.0), 0.5);
        let mixed = target(1.5, Some(Outcome::Max), 0.25);
        assert!((mixed - (0.25 + 0.75 * searched)).abs() < 1e-12);
        // Rounded to 32 bits they stay in range.
        for weight in [0.1, 0.3, 0.7, 0.9] {
            assert!(target(f32::MAX, Some(Outcome::Max), weight) as f32 <= 1.0);
            assert!(target(f32::MIN, Some(Outcome::Min), weight) as f32 >= 0.0);
        }
    }
}
