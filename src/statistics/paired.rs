//! Compares two players by their scores against one opponent from the same openings.
//! The differences by opening remove the variance between openings.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::score::PairScore;

/// The difference between the first and the second player's scores, opening by opening.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PairedDifference {
    /// Mean of first minus second in points of a game, −1 to 1; positive if the first is better.
    pub mean: f64,
    /// Standard error of the mean in points; 0 if every opening gave the same difference.
    pub standard_error: f64,
    /// Number of openings.
    pub pairs: usize,
}

/// Why two lists of results cannot be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum PairedError {
    /// The lists have different lengths.
    #[error(
        "The players were measured on {first} and on {second} openings; compare them on the same ones."
    )]
    DifferentLengths {
        /// Number of openings of the first player.
        first: usize,
        /// Number of openings of the second player.
        second: usize,
    },
    /// A standard error requires two openings.
    #[error("A comparison needs two openings or more, not {0}; play more pairs.")]
    TooFew(usize),
}

impl PairedDifference {
    /// Compares two players by their pairs on the same openings in the same order.
    ///
    /// # Errors
    /// If the lists differ in length or have fewer than two pairs.
    pub fn of(first: &[PairScore], second: &[PairScore]) -> Result<Self, PairedError> {
        if first.len() != second.len() {
            return Err(PairedError::DifferentLengths {
                first: first.len(),
                second: second.len(),
            });
        }
        if first.len() < 2 {
            return Err(PairedError::TooFew(first.len()));
        }
        let differences = || {
            first
                .iter()
                .zip(second)
                .map(|(one, other)| one.points() - other.points())
        };
        let pairs = first.len() as f64;
        let mean = differences().sum::<f64>() / pairs;
        let squares: f64 = differences().map(|d| (d - mean).powi(2)).sum();
        Ok(Self {
            mean,
            standard_error: (squares / (pairs - 1.0) / pairs).sqrt(),
            pairs: first.len(),
        })
    }

    /// Whether the first player is better by at least `errors` standard errors.
    ///
    /// False for players with equal results.
    pub fn gains(&self, errors: f64) -> bool {
        self.mean > 0.0 && self.mean >= errors * self.standard_error
    }

    /// Whether the first player is worse by more than `errors` standard errors.
    pub fn falls_short(&self, errors: f64) -> bool {
        self.mean < 0.0 && -self.mean > errors * self.standard_error
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use PairScore::{Level, LossLoss, WinDraw, WinWin};
    use proptest::prelude::*;

    fn pairs() -> impl Strategy<Value = Vec<(PairScore, PairScore)>> {
        let score = || prop::sample::select(PairScore::ALL.to_vec());
        prop::collection::vec((score(), score()), 2..50)
    }

    #[test]
    fn the_difference_has_the_error_of_its_sample() {
        // Differences 1, ½, 0, ½: mean ½, squares ½ in sum.
        let first = [WinWin, WinWin, Level, Level];
        let second = [LossLoss, Level, Level, LossLoss];
        let difference = PairedDifference::of(&first, &second).unwrap();
        assert_eq!(difference.mean, 0.5);
        assert!((difference.standard_error - (0.5_f64 / 3.0 / 4.0).sqrt()).abs() < 1e-15);
        assert_eq!(difference.pairs, 4);
    }

    #[test]
    fn equal_players_neither_gain_nor_fall_short() {
        let scores = [WinWin, Level, WinDraw];
        let difference = PairedDifference::of(&scores, &scores).unwrap();
        assert_eq!((difference.mean, difference.standard_error), (0.0, 0.0));
        assert!(!difference.gains(1.0));
        assert!(!difference.falls_short(1.0));
    }

    #[test]
    fn a_gain_counts_from_the_error_on_and_a_loss_beyond_it() {
        let at_the_error = PairedDifference {
            mean: 0.125,
            standard_error: 0.125,
            pairs: 100,
        };
        assert!(at_the_error.gains(1.0));
        assert!(!at_the_error.gains(1.5));

        let at_the_loss = PairedDifference {
            mean: -0.125,
            ..at_the_error
        };
        assert!(!at_the_loss.falls_short(1.0));
        assert!(at_the_loss.falls_short(0.5));
        assert!(!at_the_loss.gains(0.0));
    }

    #[test]
    fn lists_that_do_not_match_are_refused() {
        assert_eq!(
            PairedDifference::of(&[WinWin, Level], &[WinWin]),
            Err(PairedError::DifferentLengths {
                first: 2,
                second: 1
            })
        );
        assert_eq!(
            PairedDifference::of(&[WinWin], &[Level]),
            Err(PairedError::TooFew(1))
        );
        assert_eq!(PairedDifference::of(&[], &[]), Err(PairedError::TooFew(0)));
    }

    proptest! {
        #[test]
        fn swapping_the_players_negates_the_difference(pairs in pairs()) {
            let (first, second): (Vec<_>, Vec<_>) = pairs.into_iter().unzip();
            let one = PairedDifference::of(&first, &second).unwrap();
            let other = PairedDifference::of(&second, &first).unwrap();
            prop_assert_eq!(one.mean, -other.mean);
            prop_assert_eq!(one.standard_error, other.standard_error);
            prop_assert!(one.standard_error.is_finite());
        }
    }
}
