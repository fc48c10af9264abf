//! Success rates, and their difference between players on the same trials.

use super::Z_95;

/// Returns Wilson's 95 % interval of a share; `None` without trials.
#[must_use]
pub fn share_interval(successes: u64, trials: u64) -> Option<[f64; 2]> {
    (trials > 0).then(|| wilson(successes as f64 / trials as f64, trials as f64))
}

/// Returns the 95 % interval of an observed share.
pub(super) fn wilson(share: f64, trials: f64) -> [f64; 2] {
    let squared = Z_95 * Z_95;
    let centre = (share + squared / (2.0 * trials)) / (1.0 + squared / trials);
    let variance = share * (1.0 - share) / trials + squared / (4.0 * trials * trials);
    let margin = Z_95 * variance.sqrt() / (1.0 + squared / trials);
    [(centre - margin).max(0.0), (centre + margin).min(1.0)]
}

/// Returns the 95 % interval of the difference of two shares on the same trials, of which `first`
/// succeeded only for the first player and `second` only for the second; `None` without trials.
///
/// The adjusted Wald interval of Agresti and Min (2005), with half a trial added to each of the four
/// kinds, so that equal results have an interval of positive width.
#[must_use]
pub fn paired_share_interval(first: u64, second: u64, trials: u64) -> Option<[f64; 2]> {
    if trials == 0 {
        return None;
    }
    let trials = trials as f64 + 2.0;
    let (first, second) = (first as f64 + 0.5, second as f64 + 0.5);
    let mean = (first - second) / trials;
    let variance = (first + second) / trials - mean * mean;
    let margin = Z_95 * (variance / trials).sqrt();
    Some([(mean - margin).max(-1.0), (mean + margin).min(1.0)])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: Option<[f64; 2]>, expected: [f64; 2]) {
        let found = found.unwrap();
        assert!((found[0] - expected[0]).abs() < 1e-3, "{found:?}");
        assert!((found[1] - expected[1]).abs() < 1e-3, "{found:?}");
    }

    #[test]
    fn intervals_are_those_of_the_formulas() {
        near(share_interval(5, 10), [0.2366, 0.7634]);
        near(share_interval(10, 10), [0.7225, 1.0]);
        assert_eq!(share_interval(0, 0), None);
        // (10.5 - 2.5) / 102 and 1.96 sqrt((13 / 102 - mean²) / 102).
        near(paired_share_interval(10, 2, 100), [0.0109, 0.1460]);
        assert_eq!(paired_share_interval(0, 0, 0), None);
        let [low, high] = paired_share_interval(0, 0, 50).unwrap();
        assert!(low < 0.0 && high > 0.0);
    }
}
