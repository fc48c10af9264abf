//! Windows of scores: zero windows and aspiration windows.

use super::ScoreType;
use crate::game::Side;

/// A window of scores, `alpha` and `beta`.
pub(super) type Window = (ScoreType, ScoreType);

/// All scores.
pub(super) const ALL: Window = (ScoreType::NEG_INFINITY, ScoreType::INFINITY);

/// The zero window that decides whether a move is better for `side` than its best so far.
pub(super) fn zero(side: Side, (alpha, beta): Window) -> Window {
    match side {
        Side::Max => (alpha, alpha.next_up().min(beta)),
        Side::Min => (beta.next_down().max(alpha), beta),
    }
}

/// Whether a score is better for `side` than its best so far.
pub(super) fn is_better(side: Side, score: ScoreType, (alpha, beta): Window) -> bool {
    match side {
        Side::Max => score > alpha,
        Side::Min => score < beta,
    }
}

/// The better of two scores for `side`.
pub(super) fn better(side: Side, one: ScoreType, other: ScoreType) -> ScoreType {
    match side {
        Side::Max => one.max(other),
        Side::Min => one.min(other),
    }
}

/// A window around a finite guess; never empty, however large the guess.
pub(super) fn around(guess: ScoreType, margin: ScoreType) -> Window {
    let low = (guess - margin).min(guess.next_down());
    let high = (guess + margin).max(guess.next_up());
    (low, high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_windows_contain_no_score_and_stay_inside() {
        let (low, high) = ALL;
        assert_eq!(zero(Side::Max, ALL), (low, ScoreType::MIN));
        assert_eq!(zero(Side::Min, ALL), (ScoreType::MAX, high));
        assert_eq!(
            zero(Side::Max, (ScoreType::MAX, high)),
            (ScoreType::MAX, high)
        );
        let (alpha, beta) = zero(Side::Max, (0.0, 1.0));
        assert!(alpha == 0.0 && beta > 0.0 && beta < 1e-40);
        let (alpha, beta) = zero(Side::Min, (0.0, 1.0));
        assert!(beta == 1.0 && alpha < 1.0 && alpha.next_up() == 1.0);
    }

    #[test]
    fn windows_around_a_guess_are_never_empty() {
        for guess in [0.0, -3.5, 1e9, ScoreType::MAX, ScoreType::MIN] {
            let (low, high) = around(guess, 0.25);
            assert!(low < guess && guess < high, "{guess}");
        }
    }
}
