//! Strength of the first player: score, Elo, normalised Elo, LOS.
//! Formulas after fishtest's `stat_util`; intervals are two-sided 95 % intervals.

use serde::{Deserialize, Serialize};

use super::NELO_PER_DEVIATION;
use super::counts::Counts;

/// Half-width of a 95 % interval of the normal distribution, in standard deviations.
pub const Z_95: f64 = 1.959963984540054;

/// Tail probability of a two-sided 95 % interval.
const TAIL_95: f64 = 0.025;

/// Scores closer to 0 or 1 are clamped to this, which is 1,200 Elo.
const EXTREME_SCORE: f64 = 1e-3;

/// The strength of the first player relative to the second; positive is stronger.
///
/// All values are finite. If all results are equal, the sample has no variance; the standard error and
/// Elo's half-width, which would be 0, are then absent.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// Observed mean points of a game, 0 to 1.
    pub score: f64,
    /// Standard error of the score in points.
    pub score_error: Option<f64>,
    /// 95 % interval of the score in points, lower end first, within 0 to 1.
    pub score_interval: [f64; 2],
    /// Logistic Elo, within ±1,200.
    pub elo: f64,
    /// Half-width of the 95 % interval of the Elo.
    pub elo_half_width: Option<f64>,
    /// Normalised Elo: the mean in standard deviations of a game, times 800 / ln 10.
    pub nelo: f64,
    /// Half-width of the 95 % interval of the normalised Elo; depends on the number of games alone.
    pub nelo_half_width: f64,
    /// Likelihood of superiority, 0 to 1: the probability that the first player is stronger. It assumes a
    /// normally distributed mean, so it is too extreme after few or equal results.
    pub los: f64,
}

impl Estimate {
    /// Estimates the strength from counted results; `None` without results.
    pub fn of(counts: &impl Counts) -> Option<Self> {
        let score = counts.score()?;
        let law = counts.law();
        let (mean, error) = (law.mean(), law.standard_error());
        let deviation_per_game = law.deviation() * law.games_per_unit().sqrt();
        let uncertain = !counts.is_uniform();
        let margin = Z_95 * error;

        Some(Self {
            score,
            score_error: uncertain.then_some(error),
            score_interval: if uncertain {
                [(mean - margin).max(0.0), (mean + margin).min(1.0)]
            } else {
                interval_without_variance(score, law.units())
            },
            elo: elo(mean),
            elo_half_width: uncertain.then(|| (elo(mean + margin) - elo(mean - margin)) / 2.0),
            nelo: NELO_PER_DEVIATION * (mean - 0.5) / deviation_per_game,
            nelo_half_width: Z_95 * NELO_PER_DEVIATION / law.games().sqrt(),
            los: normal_cdf((mean - 0.5) / error),
        })
    }
}

/// Returns the 95 % interval of the mean if all `units` results have the same `score`.
///
/// The probability of that result is at least 0.025^(1/units), exactly (the lower end of the
/// Clopper-Pearson interval), and the rest may lie at either end of the scale. A normal interval would
/// have width 0, even after one pair.
fn interval_without_variance(score: f64, units: f64) -> [f64; 2] {
    let sure = TAIL_95.powf(1.0 / units);
    [sure * score, sure * score + (1.0 - sure)]
}

/// The logistic Elo of a score.
fn elo(score: f64) -> f64 {
    let score = score.clamp(EXTREME_SCORE, 1.0 - EXTREME_SCORE);
    -400.0 * (1.0 / score - 1.0).log10()
}

/// The standard normal distribution function.
fn normal_cdf(z: f64) -> f64 {
    libm::erfc(-z / std::f64::consts::SQRT_2) / 2.0
}

#[cfg(test)]
mod tests {
    use super::super::{Pentanomial, Trinomial};
    use super::*;
    use proptest::prelude::*;

    /// Score, Elo ±, normalised Elo ±, all to the digits of the reference.
    fn strength(counts: &impl Counts, digits: usize) -> [String; 5] {
        let estimate = Estimate::of(counts).unwrap();
        [
            format!("{:.6}", estimate.score),
            format!("{:.digits$}", estimate.elo),
            format!("{:.digits$}", estimate.elo_half_width.unwrap()),
            format!("{:.digits$}", estimate.nelo),
            format!("{:.digits$}", estimate.nelo_half_width),
        ]
    }

    fn los_percent(counts: &impl Counts, digits: usize) -> String {
        format!("{:.digits$}", 100.0 * Estimate::of(counts).unwrap().los)
    }

    #[test]
    fn games_agree_with_fishtest() {
        let losing = Trinomial([89, 123, 76]);
        assert_eq!(
            strength(&losing, 4),
            ["0.477431", "-15.6935", "30.4580", "-20.7564", "40.1260"]
        );
        assert_eq!(los_percent(&losing, 4), "15.5326");

        let winning = Trinomial([96, 111, 136]);
        assert_eq!(
            strength(&winning, 4),
            ["0.558309", "40.7025", "30.4272", "49.7684", "36.7685"]
        );
        assert_eq!(los_percent(&winning, 4), "99.6010");
    }

    #[test]
    fn pairs_agree_with_fishtest() {
        let winning = Pentanomial([34, 54, 63, 64, 75]);
        assert_eq!(
            strength(&winning, 4),
            ["0.579310", "55.5798", "27.6534", "57.9356", "28.2754"]
        );
        assert_eq!(los_percent(&winning, 4), "99.9970");

        let losing = Pentanomial([332, 433, 498, 333, 334]);
        assert_eq!(
            strength(&losing, 4),
            ["0.487565", "-8.6427", "10.3342", "-9.1729", "10.9605"]
        );
        assert_eq!(los_percent(&losing, 4), "5.0470");

        let drawish = Pentanomial([475, 2822, 5186, 2981, 538]);
        assert_eq!(
            strength(&drawish, 4),
            ["0.505937", "4.1253", "2.8157", "6.4402", "4.3952"]
        );
        assert_eq!(los_percent(&drawish, 3), "99.796");

        let bimodal = Pentanomial([184, 15, 508, 17, 290]);
        assert_eq!(
            strength(&bimodal, 3)[1..],
            ["36.799", "14.743", "38.049", "15.121"]
        );
        assert_eq!(los_percent(&bimodal, 5), "99.99996");
    }

    #[test]
    fn nothing_played_is_no_estimate() {
        assert_eq!(Estimate::of(&Pentanomial::default()), None);
        assert_eq!(Estimate::of(&Trinomial::default()), None);
    }

    #[test]
    fn equal_results_hide_the_elo_error_and_keep_the_nelo_error() {
        let estimate = Estimate::of(&Pentanomial([0, 0, 100, 0, 0])).unwrap();
        assert_eq!(estimate.score, 0.5);
        assert_eq!(estimate.elo_half_width, None);
        assert_eq!(estimate.score_error, None);
        assert!(
            (estimate.nelo_half_width - Z_95 * NELO_PER_DEVIATION / 200_f64.sqrt()).abs() < 1e-2
        );
    }

    #[test]
    fn equal_results_prove_only_what_their_number_proves() {
        let interval = |pairs| {
            Estimate::of(&Pentanomial([0, 0, 0, 0, pairs]))
                .unwrap()
                .score_interval
        };
        assert!(interval(1)[0] < 0.05);
        assert!(interval(5)[0] < 0.5);
        assert!((interval(100)[0] - 0.025_f64.powf(0.01)).abs() < 1e-5);
        assert!((interval(100)[1] - 1.0).abs() < 1e-12);
    }

    #[test]
    fn the_score_interval_lies_two_standard_errors_around_the_score() {
        let estimate = Estimate::of(&Trinomial([25, 0, 75])).unwrap();
        let error = (0.75_f64 * 0.25 / 100.0).sqrt();
        assert!((estimate.score_error.unwrap() - error).abs() < 1e-5);
        assert!((estimate.score_interval[0] - (0.75 - Z_95 * error)).abs() < 1e-4);
        assert!((estimate.score_interval[1] - (0.75 + Z_95 * error)).abs() < 1e-4);
    }

    #[test]
    fn an_estimate_survives_its_json() {
        let estimate = Estimate::of(&Pentanomial([0, 0, 7, 0, 0])).unwrap();
        let text = serde_json::to_string(&estimate).unwrap();
        assert_eq!(serde_json::from_str::<Estimate>(&text).unwrap(), estimate);
    }

    proptest! {
        #[test]
        fn swapping_the_players_negates_the_strength(counts: [u16; 5]) {
            let counts = Pentanomial(counts.map(u64::from));
            if let Some(one) = Estimate::of(&counts) {
                let other = Estimate::of(&counts.reversed()).unwrap();
                prop_assert!((one.elo + other.elo).abs() < 1e-6);
                prop_assert!((one.nelo + other.nelo).abs() < 1e-6 * (1.0 + one.nelo.abs()));
                prop_assert!((one.los + other.los - 1.0).abs() < 1e-9);
                prop_assert!((one.score_interval[0] + other.score_interval[1] - 1.0).abs() < 1e-9);
                prop_assert_eq!(one.elo_half_width.is_some(), other.elo_half_width.is_some());
            }
        }

        #[test]
        fn any_counts_give_finite_numbers_in_range(
            counts in prop::array::uniform5(prop_oneof![Just(0), 1_u64..100, any::<u64>()]),
        ) {
            if let Some(estimate) = Estimate::of(&Pentanomial(counts)) {
                let [low, high] = estimate.score_interval;
                prop_assert!((0.0..=1.0).contains(&estimate.los));
                prop_assert!(0.0 <= low && low <= high && high <= 1.0);
                prop_assert!(low - 1e-9 <= estimate.score && estimate.score <= high + 1e-9);
                prop_assert!(estimate.elo.abs() <= 1200.0);
                prop_assert!(estimate.nelo.is_finite() && estimate.nelo_half_width.is_finite());
                prop_assert!(estimate.elo_half_width.is_none_or(f64::is_finite));
                prop_assert!(estimate.score_error.is_none_or(f64::is_finite));
            }
        }
    }
}
