//! Maximum-likelihood distributions under a hypothesis on the mean, or on the mean in standard
//! deviations: the two sides of the likelihood ratio. Derived in M. Van den Bergh's notes on the
//! generalised sequential probability ratio test.

use arrayvec::ArrayVec;

use super::counts::{deviation, mean, points};

/// One number per category, such as a probability.
type Categories = ArrayVec<f64, 5>;

/// Maximum number of iterations for the distribution with a given effect size.
const LAW_ROUNDS: usize = 10;
/// The iteration has converged when no probability changes by more than this.
const LAW_TOLERANCE: f64 = 1e-9;
/// Maximum number of bisections of a bracket of floats.
const ROOT_ROUNDS: usize = 100;

/// Returns the most likely distribution with the given mean points, if there is one.
pub(super) fn law_with_mean(observed: &[f64], target: f64) -> Option<Categories> {
    let constraint: Categories = (0..observed.len())
        .map(|category| points(category, observed.len()) - target)
        .collect();
    constrained(observed, &constraint)
}

/// Returns the most likely distribution whose mean is `effect` standard deviations above ½, if there is
/// one.
///
/// The constraint is not linear in the probabilities, so it is linearised around the last
/// distribution, starting with the uniform one.
pub(super) fn law_with_effect(observed: &[f64], effect: f64) -> Option<Categories> {
    let categories = observed.len();
    let mut law: Categories = (0..categories).map(|_| 1.0 / categories as f64).collect();
    for _ in 0..LAW_ROUNDS {
        let (mean, deviation) = (mean(&law), deviation(&law));
        if deviation <= 0.0 {
            return None;
        }
        let constraint: Categories = (0..categories)
            .map(|category| points(category, categories))
            .map(|point| {
                let standard = (point - mean) / deviation;
                point - 0.5 - 0.5 * effect * deviation * (1.0 + standard * standard)
            })
            .collect();
        let next = constrained(observed, &constraint)?;
        let change = law
            .iter()
            .zip(&next)
            .map(|(old, new)| (old - new).abs())
            .fold(0.0, f64::max);
        law = next;
        if change < LAW_TOLERANCE {
            break;
        }
    }
    Some(law)
}

/// Returns the most likely distribution under which `constraint` has mean zero:
/// p̂ / (1 + θ·constraint).
///
/// `None` if the constraint does not take both signs: no distribution with full support satisfies it.
fn constrained(observed: &[f64], constraint: &[f64]) -> Option<Categories> {
    let lowest = constraint.iter().copied().fold(f64::INFINITY, f64::min);
    let highest = constraint.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if !(lowest < 0.0 && highest > 0.0) {
        return None;
    }
    let theta = root_of_falling(-1.0 / highest, -1.0 / lowest, |theta| {
        observed
            .iter()
            .zip(constraint)
            .map(|(p, c)| p * c / (1.0 + theta * c))
            .sum()
    });
    // Near the end of the bracket the divisor may round to zero; it is positive in theory.
    let law = observed
        .iter()
        .zip(constraint)
        .map(|(p, c)| p / (1.0 + theta * c).max(f64::EPSILON))
        .collect();
    Some(law)
}

/// Returns the zero of a decreasing function between `low` and `high`, to the last bit; an end of the
/// bracket if there is none.
fn root_of_falling(mut low: f64, mut high: f64, function: impl Fn(f64) -> f64) -> f64 {
    let mut middle = low + (high - low) / 2.0;
    for _ in 0..ROOT_ROUNDS {
        if middle <= low || middle >= high {
            break;
        }
        if function(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
        middle = low + (high - low) / 2.0;
    }
    middle
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn normalised(weights: &[f64]) -> Categories {
        let sum: f64 = weights.iter().sum();
        weights.iter().map(|weight| weight / sum).collect()
    }

    fn log_likelihood(observed: &[f64], law: &[f64]) -> f64 {
        observed.iter().zip(law).map(|(p, q)| p * q.ln()).sum()
    }

    #[test]
    fn bisection_finds_a_root_and_stops_without_one() {
        let root = root_of_falling(0.0, 3.0, |x| 2.0 - x * x);
        assert!((root - std::f64::consts::SQRT_2).abs() < 1e-15);
        assert!(root_of_falling(0.0, 1.0, |_| f64::NAN) < 1e-15);
        assert!((root_of_falling(0.0, 1.0, |_| 1.0) - 1.0).abs() < 1e-15);
    }

    #[test]
    fn an_impossible_mean_has_no_law() {
        assert_eq!(law_with_mean(&[0.2, 0.5, 0.3], 1.0), None);
        assert_eq!(law_with_mean(&[0.2, 0.5, 0.3], 0.0), None);
    }

    proptest! {
        #[test]
        fn the_law_with_a_mean_has_it_and_is_the_likeliest(
            weights in prop::array::uniform5(0.1_f64..1.0),
            target in 0.3_f64..0.7,
        ) {
            let observed = normalised(&weights);
            let law = law_with_mean(&observed, target).unwrap();
            prop_assert!((law.iter().sum::<f64>() - 1.0).abs() < 1e-9);
            prop_assert!((mean(&law) - target).abs() < 1e-9);

            // Moving mass from the middle to both ends alike keeps the mean.
            for step in [-1e-3, 1e-3] {
                let mut rival = law.clone();
                rival[1] += step;
                rival[2] -= 2.0 * step;
                rival[3] += step;
                if rival.iter().all(|&p| p > 0.0) {
                    prop_assert!(
                        log_likelihood(&observed, &rival) < log_likelihood(&observed, &law)
                    );
                }
            }
        }

        #[test]
        fn the_law_with_an_effect_has_it(
            weights in prop::array::uniform5(0.1_f64..1.0),
            effect in -0.2_f64..0.2,
        ) {
            let law = law_with_effect(&normalised(&weights), effect).unwrap();
            prop_assert!((law.iter().sum::<f64>() - 1.0).abs() < 1e-6);
            prop_assert!(((mean(&law) - 0.5) / deviation(&law) - effect).abs() < 1e-6);
        }
    }
}
