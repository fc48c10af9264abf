//! The sequential probability ratio test (SPRT), which decides when a match may stop.
//! It compares two hypotheses on the strength of the first player after each result.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::NELO_PER_DEVIATION;
use super::counts::{Counts, Law};
use super::likelihood::{law_with_effect, law_with_mean};

/// The scale on which the two hypotheses are stated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EloModel {
    /// Mean in standard deviations: the expected length does not depend on the share of draws.
    Normalised,
    /// Mean: slow if most games are drawn.
    Logistic,
}

/// The current verdict of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Undecided.
    Continue,
    /// H0 is accepted: the strength is the lower bound.
    AcceptH0,
    /// H1 is accepted: the strength is the upper bound.
    AcceptH1,
}

/// Why a test is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum SprtError {
    /// The hypotheses are not in order.
    #[error(
        "The Elo bounds of a sequential test must be finite and ascending, not [{}, {}].",
        .0[0], .0[1]
    )]
    Bounds([f64; 2]),
    /// An error rate is out of range.
    #[error("The error rate {name} of a sequential test must lie between 0 and 0.5, not {value}.")]
    ErrorRate {
        /// `alpha` or `beta`.
        name: &'static str,
        /// The rate given.
        value: f64,
    },
}

/// A sequential test of H0, "the strength is the lower bound", against H1, "it is the upper".
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Fields", into = "Fields")]
pub struct Sprt(Fields);

/// The test as written in files, not yet checked.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Fields {
    elo_model: EloModel,
    bounds: [f64; 2],
    alpha: f64,
    beta: f64,
}

impl Sprt {
    /// Creates a test between `bounds` in Elo of `elo_model` with error rates `alpha` (accepting H1 if
    /// H0 is true) and `beta` (accepting H0 if H1 is true).
    ///
    /// # Errors
    /// If the bounds are not finite and ascending, or a rate is not between 0 and 0.5.
    pub fn new(
        elo_model: EloModel,
        bounds: [f64; 2],
        alpha: f64,
        beta: f64,
    ) -> Result<Self, SprtError> {
        if !(bounds.iter().all(|bound| bound.is_finite()) && bounds[0] < bounds[1]) {
            return Err(SprtError::Bounds(bounds));
        }
        for (name, value) in [("alpha", alpha), ("beta", beta)] {
            if !(value > 0.0 && value < 0.5) {
                return Err(SprtError::ErrorRate { name, value });
            }
        }
        Ok(Self(Fields {
            elo_model,
            bounds,
            alpha,
            beta,
        }))
    }

    /// The scale of the bounds.
    pub fn elo_model(&self) -> EloModel {
        self.0.elo_model
    }

    /// The strengths under H0 and H1, in Elo of the model.
    pub fn elo_bounds(&self) -> [f64; 2] {
        self.0.bounds
    }

    /// The rate of accepting H1 if H0 is true.
    pub fn alpha(&self) -> f64 {
        self.0.alpha
    }

    /// The rate of accepting H0 if H1 is true.
    pub fn beta(&self) -> f64 {
        self.0.beta
    }

    /// The log-likelihood ratios at which H0 and H1 are accepted: one below and one above 0.
    pub fn bounds(&self) -> [f64; 2] {
        let Fields { alpha, beta, .. } = self.0;
        [(beta / (1.0 - alpha)).ln(), ((1.0 - beta) / alpha).ln()]
    }

    /// The log-likelihood ratio (LLR) of H1 to H0; positive favours H1. Always finite.
    ///
    /// It is 0 without results, and if a hypothesis is so extreme that no distribution satisfies it.
    pub fn llr(&self, counts: &impl Counts) -> f64 {
        if counts.games() == 0 {
            return 0.0;
        }
        self.log_ratio(&counts.law())
            .filter(|ratio| ratio.is_finite())
            .unwrap_or(0.0)
    }

    /// Returns the verdict after these results.
    pub fn verdict(&self, counts: &impl Counts) -> Verdict {
        let llr = self.llr(counts);
        let [lower, upper] = self.bounds();
        if llr >= upper {
            Verdict::AcceptH1
        } else if llr <= lower {
            Verdict::AcceptH0
        } else {
            Verdict::Continue
        }
    }

    fn log_ratio(&self, law: &Law) -> Option<f64> {
        let observed = law.probabilities();
        let under = |elo: f64| match self.0.elo_model {
            EloModel::Normalised => {
                let effect = law.games_per_unit().sqrt() * elo / NELO_PER_DEVIATION;
                law_with_effect(observed, effect)
            }
            EloModel::Logistic => {
                let score = 1.0 / (1.0 + 10_f64.powf(-elo / 400.0));
                law_with_mean(observed, score)
            }
        };
        let [h0, h1] = [under(self.0.bounds[0])?, under(self.0.bounds[1])?];
        let ratio_per_unit: f64 = observed
            .iter()
            .zip(h0.iter().zip(&h1))
            .map(|(p, (p0, p1))| p * (p1 / p0).ln())
            .sum();
        Some(law.units() * ratio_per_unit)
    }
}

impl TryFrom<Fields> for Sprt {
    type Error = SprtError;

    fn try_from(fields: Fields) -> Result<Self, SprtError> {
        Self::new(fields.elo_model, fields.bounds, fields.alpha, fields.beta)
    }
}

impl From<Sprt> for Fields {
    fn from(sprt: Sprt) -> Self {
        sprt.0
    }
}

#[cfg(test)]
mod tests;
