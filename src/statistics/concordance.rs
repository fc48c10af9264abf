//! Concordance of scores: the probability that a better position has a higher score than a worse one.

use super::Z_95;
use super::share::wilson;

/// Returns the share of pairs, one of `better` and one of `worse`, in which the better one has the
/// higher score, ties counted half, with its 95 % interval; `None` if a list is empty.
///
/// This is the area under the ROC curve; the variance is that of DeLong, DeLong and Clarke-Pearson
/// (1988). If all pairs agree, or a list has one member, that variance is too small; the interval is
/// then that of a share with as many trials as the shorter list.
#[must_use]
pub fn concordance(better: &[f32], worse: &[f32]) -> Option<(f64, [f64; 2])> {
    if better.is_empty() || worse.is_empty() {
        return None;
    }
    let above = placements(better, worse);
    let below = placements(worse, better);
    let share = mean(&above);
    let rarer = better.len().min(worse.len());
    let variance = variance_of_mean(&above) + variance_of_mean(&below);
    if rarer == 1 || variance == 0.0 {
        return Some((share, wilson(share, rarer as f64)));
    }
    let margin = Z_95 * variance.sqrt();
    Some((
        share,
        [(share - margin).max(0.0), (share + margin).min(1.0)],
    ))
}

/// Returns, for each of `ones`, the share of `others` below it, ties counted half.
fn placements(ones: &[f32], others: &[f32]) -> Vec<f64> {
    let mut sorted = others.to_vec();
    sorted.sort_by(f32::total_cmp);
    let twice = |one: &f32| {
        sorted.partition_point(|other| other < one) + sorted.partition_point(|other| other <= one)
    };
    let share = |one| twice(one) as f64 / 2.0 / others.len() as f64;
    ones.iter().map(share).collect()
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn variance_of_mean(values: &[f64]) -> f64 {
    let mean = mean(values);
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    let count = values.len() as f64;
    squares / (count - 1.0) / count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_counted_and_ties_halved() {
        // 2 > 0, 2 > 1, 0 = 0, 0 < 1.
        let (share, _) = concordance(&[2.0, 0.0], &[0.0, 1.0]).unwrap();
        assert_eq!(share, 2.5 / 4.0);
        let perfect = concordance(&[2.0, 3.0, 4.0], &[0.0; 10]);
        assert_eq!(perfect, Some((1.0, wilson(1.0, 3.0))));
        let (share, [low, high]) = concordance(&[0.5], &[0.0, 0.4, 0.6, 0.7]).unwrap();
        assert!(share == 0.5 && low < 0.1 && high > 0.75, "{low} {high}");
        assert_eq!(concordance(&[], &[1.0]), None);
        assert_eq!(concordance(&[1.0], &[]), None);
    }

    #[test]
    fn the_interval_is_that_of_delong() {
        let better = [3.0, 4.0, 5.0, 2.0];
        let worse = [1.0, 2.5, 3.5, 0.0];
        // Above: ¾, 1, 1, ½; below, from the other side: 0, ¼, ½, 0.
        let (share, [low, _]) = concordance(&better, &worse).unwrap();
        assert_eq!(share, 0.8125);
        let variance = (0.171_875 / 3.0 + 0.171_875 / 3.0) / 4.0;
        assert!(
            (low - (share - Z_95 * f64::sqrt(variance))).abs() < 1e-12,
            "{low}"
        );
    }
}
