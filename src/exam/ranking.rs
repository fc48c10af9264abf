//! How well scores without search separate won, drawn and lost positions, and their calibration.

use crate::game::{Outcome, Side};
use crate::record::{CalibrationBin, Ranked, Ranking};
use crate::statistics::concordance;

/// Number of bins of a calibration.
const BINS: usize = 10;

/// Computes how scores in logits rank the exact values of their positions.
pub(super) fn ranking(scored: &[(f32, Outcome)]) -> Ranking {
    let of = |kind: Outcome| -> Vec<f32> {
        let of_kind = scored.iter().filter(|(_, value)| *value == kind);
        of_kind.map(|(score, _)| *score).collect()
    };
    let [wins, draws, losses] = [Outcome::Max, Outcome::Draw, Outcome::Min].map(of);
    let ranked = |better: &[f32], worse: &[f32]| {
        concordance(better, worse).map(|(share, interval)| Ranked { share, interval })
    };
    Ranking {
        win_over_draw: ranked(&wins, &draws),
        draw_over_loss: ranked(&draws, &losses),
        win_over_loss: ranked(&wins, &losses),
    }
}

/// Computes the calibration of scores in logits, in ten bins of the predicted share.
pub(super) fn calibration(scored: &[(f32, Outcome)]) -> Vec<CalibrationBin> {
    let mut sums = [(0_u64, 0.0, 0.0); BINS];
    for (score, value) in scored {
        let predicted = 1.0 / (1.0 + (-f64::from(*score)).exp());
        let (positions, predictions, points) =
            &mut sums[((predicted * BINS as f64) as usize).min(BINS - 1)];
        *positions += 1;
        *predictions += predicted;
        *points += f64::from(value.points(Side::Max));
    }
    let bins = sums.into_iter().enumerate();
    bins.map(|(bin, (positions, predictions, points))| {
        let mean = |sum: f64| (positions > 0).then(|| sum / positions as f64);
        CalibrationBin {
            from: bin as f64 / BINS as f64,
            positions,
            predicted: mean(predictions),
            exact: mean(points),
        }
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use Outcome::{Draw, Max, Min};

    #[test]
    fn kinds_are_ranked_against_each_other() {
        let found = ranking(&[(2.0, Max), (0.0, Max), (0.0, Draw), (1.0, Draw)]);
        assert_eq!(found.win_over_draw.unwrap().share, 2.5 / 4.0);
        assert_eq!(found.draw_over_loss, None);
        let found = ranking(&[(2.0, Max), (1.0, Draw), (-1.0, Min), (3.0, Min)]);
        assert_eq!(found.win_over_loss.unwrap().share, 0.5);
        assert_eq!(found.draw_over_loss.unwrap().share, 0.5);
    }

    #[test]
    fn calibration_means_lie_in_their_bins() {
        let bins = calibration(&[(0.0, Max), (0.0, Draw), (50.0, Max), (-50.0, Min)]);
        assert_eq!(bins.len(), 10);
        assert_eq!((bins[5].positions, bins[5].exact), (2, Some(0.75)));
        assert_eq!(bins[5].predicted, Some(0.5));
        assert_eq!((bins[9].positions, bins[9].exact), (1, Some(1.0)));
        assert_eq!((bins[0].positions, bins[0].exact), (1, Some(0.0)));
        assert_eq!((bins[3].positions, bins[3].exact), (0, None));
    }
}
