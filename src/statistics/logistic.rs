//! Logistic models: sums over observations, and their optimum by Newton's method.

use nalgebra::{Cholesky, DMatrix, DVector};

/// Returns the expected score, from 0 to 1, of a score in logits.
#[must_use]
pub fn expected_score(logit: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-logit))
}

/// Returns −t ln p − (1 − t) ln(1 − p) for the target t and the expected score p of a logit; finite for
/// every finite logit.
#[must_use]
pub fn cross_entropy(logit: f64, target: f64) -> f64 {
    // −ln p and −ln(1 − p) differ by the logit; factoring out the larger part avoids overflow of the
    // exponential.
    logit.max(0.0) + libm::log1p(libm::exp(-logit.abs())) - target * logit
}

/// Sums over the observations of a logistic model at given parameters.
#[derive(Clone)]
pub(crate) struct LogisticSums {
    /// The cross-entropy.
    loss: f64,
    gradient: DVector<f64>,
    /// The second derivatives; lower triangle only.
    curvature: DMatrix<f64>,
    /// The sum over clusters of the outer products of their gradients.
    spread: DMatrix<f64>,
    /// The gradient of the current cluster.
    cluster: DVector<f64>,
}

impl LogisticSums {
    pub fn zero(parameters: usize) -> Self {
        Self {
            loss: 0.0,
            gradient: DVector::zeros(parameters),
            curvature: DMatrix::zeros(parameters, parameters),
            spread: DMatrix::zeros(parameters, parameters),
            cluster: DVector::zeros(parameters),
        }
    }

    /// Adds an observation to the current cluster. Its logit is the sum of the parameters, by number,
    /// times the factors of `row`, which are ordered by number; `target` is from 0 to 1.
    pub fn observe(&mut self, row: &[(usize, f64)], logit: f64, target: f64) {
        let expected = expected_score(logit);
        self.loss += cross_entropy(logit, target);
        let curvature = expected * (1.0 - expected);
        for (index, &(parameter, factor)) in row.iter().enumerate() {
            self.cluster[parameter] += (expected - target) * factor;
            let scaled = curvature * factor;
            for &(other, other_factor) in &row[..=index] {
                self.curvature[(parameter, other)] += scaled * other_factor;
            }
        }
    }

    /// Ends a cluster: a group of observations that depend on each other.
    pub fn end_cluster(&mut self) {
        self.spread.ger(1.0, &self.cluster, &self.cluster, 1.0);
        self.gradient += &self.cluster;
        self.cluster.fill(0.0);
    }

    /// Returns the sums over the observations of both.
    pub fn add(mut self, other: &Self) -> Self {
        self.loss += other.loss;
        self.gradient += &other.gradient;
        self.curvature += &other.curvature;
        self.spread += &other.spread;
        self
    }

    /// Adds a normal prior with the mean `centre` and the inverse variance `strength`.
    fn add_prior(&mut self, parameters: &DVector<f64>, centre: &DVector<f64>, strength: f64) {
        let away = parameters - centre;
        self.loss += 0.5 * strength * away.norm_squared();
        self.gradient += away * strength;
        for parameter in 0..parameters.len() {
            self.curvature[(parameter, parameter)] += strength;
        }
    }
}

/// The parameters with the largest posterior likelihood.
pub(crate) struct Optimum {
    /// The parameters.
    pub parameters: DVector<f64>,
    /// Their covariances by the curvature of the likelihood.
    pub covariance: DMatrix<f64>,
    /// Their covariances by the sandwich estimator over clusters.
    pub clustered_covariance: DMatrix<f64>,
    /// Whether the iteration converged.
    pub converged: bool,
}

/// How long [`optimum`] iterates.
#[derive(Clone, Copy)]
pub(crate) struct Convergence {
    /// Maximum number of Newton steps.
    pub max_steps: usize,
    /// The iteration ends when a step promises less than this gain of the log likelihood.
    pub enough: f64,
}

/// Finds the optimum from the sums at given parameters, starting at the mean `centre` of a normal prior
/// with the inverse variance `strength`; `None` if the observations do not determine all parameters.
pub(crate) fn optimum(
    centre: &DVector<f64>,
    strength: f64,
    convergence: Convergence,
    sums_at: impl Fn(&[f64]) -> LogisticSums,
) -> Option<Optimum> {
    let with_prior = |parameters: &DVector<f64>| {
        let mut sums = sums_at(parameters.as_slice());
        sums.add_prior(parameters, centre, strength);
        sums
    };
    let mut parameters = centre.clone();
    let mut sums = with_prior(&parameters);
    let mut share = 1.0;
    let mut steps = 0;
    loop {
        let mut curvature = sums.curvature.clone();
        curvature.fill_upper_triangle_with_lower_triangle();
        let factor = Cholesky::new(curvature)?;
        let step = factor.solve(&sums.gradient);
        let converged = 0.5 * step.dot(&sums.gradient) < convergence.enough;
        if converged || steps == convergence.max_steps {
            let covariance = factor.inverse();
            return Some(Optimum {
                parameters,
                clustered_covariance: &covariance * &sums.spread * &covariance,
                covariance,
                converged,
            });
        }
        steps += 1;
        let next = &parameters - &step * share;
        let there = with_prior(&next);
        // Far from the minimum a full step may increase the loss.
        if there.loss > sums.loss {
            share *= 0.5;
        } else {
            (parameters, sums, share) = (next, there, 1.0);
        }
    }
}
