//! Logistic regression by Newton's method, with standard errors clustered by game.

use nalgebra::{Cholesky, DMatrix, DVector, Dyn};
use rayon::ThreadPool;
use rayon::prelude::*;
use thiserror::Error;

use super::Games;
use crate::game::Game;
use crate::training::{Loss, expected_score};

/// Games per task; fixed, so that sums do not depend on the number of threads.
const GAMES_PER_TASK: usize = 64;
/// Maximum number of Newton steps; a dozen was never needed.
const MAX_STEPS: usize = 60;
/// The iteration ends when a step promises less than this gain of the log likelihood.
const ENOUGH: f64 = 1e-6;

/// Why the regression failed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FitError {
    /// There are no positions.
    #[error("the shards hold no position with an outcome to fit to; generate some games first")]
    Empty,
    /// The data do not determine all weights.
    #[error("the positions leave some weights open; give a prior that is stronger than 0")]
    Open,
    /// The iteration did not converge.
    #[error("the weights did not settle in {MAX_STEPS} steps; give a stronger prior")]
    NotConverged,
}

/// A normal prior of the weights.
#[derive(Clone, Debug)]
pub struct Prior {
    /// The mean of each weight.
    pub centre: Vec<f64>,
    /// The inverse variance.
    pub strength: f64,
}

/// A model that is linear in values of a position.
pub struct Regression<'a, G> {
    /// Replaces the content of a list with the values of a position.
    pub values: fn(&G, &mut Vec<f32>),
    /// For each value, the number of its weight; values with the same number are tied.
    pub tied: Vec<usize>,
    /// The threads.
    pub pool: &'a ThreadPool,
}

/// The result: weights and their standard errors.
#[derive(Clone, Debug)]
pub struct Fit {
    /// The weights with the largest posterior likelihood.
    pub weights: Vec<f64>,
    /// Their standard errors, clustered by game.
    pub errors: Vec<f64>,
}

/// Sums over positions at given weights.
#[derive(Clone)]
struct Sums {
    loss: f64,
    gradient: DVector<f64>,
    /// The second derivatives; lower triangle only.
    curvature: DMatrix<f64>,
    /// The sum over games of the outer products of their gradients.
    spread: DMatrix<f64>,
}

impl Sums {
    fn zero(weights: usize) -> Self {
        Self {
            loss: 0.0,
            gradient: DVector::zeros(weights),
            curvature: DMatrix::zeros(weights, weights),
            spread: DMatrix::zeros(weights, weights),
        }
    }

    fn add(mut self, other: &Self) -> Self {
        self.loss += other.loss;
        self.gradient += &other.gradient;
        self.curvature += &other.curvature;
        self.spread += &other.spread;
        self
    }
}

impl<G: Game> Regression<'_, G> {
    /// Number of weights.
    #[must_use]
    pub fn weights(&self) -> usize {
        self.tied.iter().max().map_or(0, |last| last + 1)
    }

    /// The mean cross-entropy of the targets at given weights; `None` without positions.
    #[must_use]
    pub fn loss(&self, games: &Games<G>, weights: &[f64]) -> Option<f64> {
        let loss = |list: &Vec<(G, f64)>| {
            let mut row = Row::new(self);
            let losses = list.iter().map(|(position, target)| {
                let logit = row.read(self, position, weights);
                Loss::CrossEntropy.of(logit, *target)
            });
            losses.sum::<f64>()
        };
        let losses: Vec<f64> = self
            .pool
            .install(|| games.lists().par_iter().map(loss).collect());
        let positions = games.positions();
        (positions > 0).then(|| losses.iter().sum::<f64>() / positions as f64)
    }

    /// Finds the weights, starting at the prior's mean.
    ///
    /// # Errors
    /// If there are no positions, or too few to determine the weights with this prior.
    pub fn fit(&self, games: &Games<G>, prior: &Prior) -> Result<Fit, FitError> {
        if games.positions() == 0 {
            return Err(FitError::Empty);
        }
        let centre = DVector::from_column_slice(&prior.centre);
        let strength = prior.strength;
        let with_prior = |weights: &DVector<f64>| {
            let mut sums = self.sums(games, weights.as_slice());
            let away = weights - &centre;
            sums.loss += 0.5 * strength * away.norm_squared();
            sums.gradient += away * strength;
            for weight in 0..weights.len() {
                sums.curvature[(weight, weight)] += strength;
            }
            sums
        };
        let mut weights = centre.clone();
        let mut sums = with_prior(&weights);
        let mut share = 1.0;
        for _ in 0..MAX_STEPS {
            let curvature = solver(&sums)?;
            let step = curvature.solve(&sums.gradient);
            let promise = 0.5 * step.dot(&sums.gradient);
            if promise < ENOUGH {
                return Ok(Fit {
                    errors: errors(&curvature, &sums.spread),
                    weights: weights.as_slice().to_vec(),
                });
            }
            let next = &weights - &step * share;
            let there = with_prior(&next);
            // Far from the minimum a full step may increase the loss.
            if there.loss > sums.loss {
                share *= 0.5;
                continue;
            }
            (weights, sums, share) = (next, there, 1.0);
        }
        Err(FitError::NotConverged)
    }

    fn sums(&self, games: &Games<G>, weights: &[f64]) -> Sums {
        let part = |lists: &[Vec<(G, f64)>]| self.part(lists, weights);
        let parts: Vec<Sums> = self.pool.install(|| {
            let tasks = games.lists().par_chunks(GAMES_PER_TASK);
            tasks.map(part).collect()
        });
        let zero = Sums::zero(weights.len());
        parts.iter().fold(zero, Sums::add)
    }

    fn part(&self, lists: &[Vec<(G, f64)>], weights: &[f64]) -> Sums {
        let mut sums = Sums::zero(weights.len());
        let mut row = Row::new(self);
        for list in lists {
            let mut gradient = DVector::zeros(weights.len());
            for (position, target) in list {
                let logit = row.read(self, position, weights);
                let expected = expected_score(logit);
                sums.loss += Loss::CrossEntropy.of(logit, *target);
                let curvature = expected * (1.0 - expected);
                for (index, &(weight, value)) in row.present.iter().enumerate() {
                    gradient[weight] += (expected - target) * value;
                    let scaled = curvature * value;
                    for &(other, other_value) in &row.present[..=index] {
                        sums.curvature[(weight, other)] += scaled * other_value;
                    }
                }
            }
            sums.spread.ger(1.0, &gradient, &gradient, 1.0);
            sums.gradient += gradient;
        }
        sums
    }
}

/// The values of one position, by weight.
struct Row {
    values: Vec<f32>,
    by_weight: Vec<f64>,
    /// Weights whose value is not 0, in order, with the value.
    present: Vec<(usize, f64)>,
}

impl Row {
    fn new<G: Game>(regression: &Regression<'_, G>) -> Self {
        Self {
            values: Vec::new(),
            by_weight: vec![0.0; regression.weights()],
            present: Vec::new(),
        }
    }

    /// Reads the values of a position and returns their weighted sum.
    fn read<G: Game>(
        &mut self,
        regression: &Regression<'_, G>,
        position: &G,
        weights: &[f64],
    ) -> f64 {
        (regression.values)(position, &mut self.values);
        self.by_weight.fill(0.0);
        for (value, &weight) in self.values.iter().zip(&regression.tied) {
            self.by_weight[weight] += f64::from(*value);
        }
        self.present.clear();
        let present = self.by_weight.iter().copied().enumerate();
        self.present
            .extend(present.filter(|(_, value)| *value != 0.0));
        let products = self.present.iter();
        products
            .map(|(weight, value)| value * weights[*weight])
            .sum()
    }
}

/// The Cholesky factor of the curvature.
fn solver(sums: &Sums) -> Result<Cholesky<f64, Dyn>, FitError> {
    let mut curvature = sums.curvature.clone();
    curvature.fill_upper_triangle_with_lower_triangle();
    Cholesky::new(curvature).ok_or(FitError::Open)
}

/// Standard errors by the sandwich estimator over games.
fn errors(curvature: &Cholesky<f64, Dyn>, spread: &DMatrix<f64>) -> Vec<f64> {
    let inverse = curvature.inverse();
    let covariance = &inverse * spread * &inverse;
    covariance
        .diagonal()
        .iter()
        .map(|v| v.max(0.0).sqrt())
        .collect()
}

#[cfg(test)]
mod tests {
    use rand::RngExt as _;

    use super::*;
    use crate::games::bagh_chal::Position;
    use crate::kit::{Kit, TunableParameters};
    use crate::seed::stream;
    use crate::workers;

    fn tunable() -> TunableParameters<Position> {
        Position::tunable("claude").unwrap()
    }

    /// Games of random moves with outcomes drawn from the evaluation of each position.
    fn drawn_from(weights: &[f64], games: u64) -> Games<Position> {
        let tunable = tunable();
        let mut values = Vec::new();
        let game = |number| {
            let mut rng = stream(&[7, number]);
            let mut position = Position::start(&());
            let mut list = Vec::new();
            for _ in 0..60 {
                let moves = position.moves();
                position = position.play(moves[rng.random_range(0..moves.len())]);
                if position.outcome().is_some() {
                    break;
                }
                (tunable.values)(&position, &mut values);
                let products = values.iter().zip(weights);
                let logit = products
                    .map(|(value, weight)| f64::from(*value) * weight)
                    .sum();
                let won = rng.random::<f64>() < expected_score(logit);
                list.push((position, f64::from(u8::from(won))));
            }
            list
        };
        Games::new((0..games).map(game).collect())
    }

    fn weights_of(tunable: &TunableParameters<Position>) -> Vec<f64> {
        tunable.weights.iter().copied().map(f64::from).collect()
    }

    #[test]
    fn known_weights_come_back_from_outcomes_drawn_by_them() {
        let tunable = tunable();
        let truth = weights_of(&tunable);
        let games = drawn_from(&truth, 1500);
        let pool = workers::pool(2).unwrap();
        let regression = Regression {
            values: tunable.values,
            tied: (0..truth.len()).collect(),
            pool: &pool,
        };
        let prior = Prior {
            centre: vec![0.0; truth.len()],
            strength: 1e-3,
        };
        let fit = regression.fit(&games, &prior).unwrap();
        // Terms that are rare in random games have large standard errors.
        let known: Vec<f64> = (0..truth.len())
            .filter(|&term| fit.errors[term] > 1e-3 && fit.errors[term] < 1.0)
            .map(|term| (fit.weights[term] - truth[term]) / fit.errors[term])
            .collect();
        assert!(known.len() > 40, "{}", known.len());
        let squares = known.iter().map(|z| z * z).sum::<f64>() / known.len() as f64;
        assert!((0.4..2.0).contains(&squares), "{squares}");
        assert!(regression.loss(&games, &fit.weights) < regression.loss(&games, &truth));
    }

    #[test]
    fn tied_values_have_one_weight_and_a_strong_prior_holds() {
        let tunable = tunable();
        let games = drawn_from(&weights_of(&tunable), 50);
        let pool = workers::pool(1).unwrap();
        let regression = Regression {
            values: tunable.values,
            tied: (0..tunable.terms.len()).map(|term| term / 2).collect(),
            pool: &pool,
        };
        assert_eq!(regression.weights(), tunable.terms.len() / 2);
        let prior = Prior {
            centre: vec![0.25; regression.weights()],
            strength: 1e9,
        };
        let fit = regression.fit(&games, &prior).unwrap();
        assert!(
            fit.weights
                .iter()
                .all(|weight| (weight - 0.25).abs() < 1e-3)
        );
    }

    #[test]
    fn no_positions_and_no_prior_are_told() {
        let tunable = tunable();
        let pool = workers::pool(1).unwrap();
        let regression = Regression {
            values: tunable.values,
            tied: (0..tunable.terms.len()).collect(),
            pool: &pool,
        };
        let prior = Prior {
            centre: weights_of(&tunable),
            strength: 0.0,
        };
        let fit = |games| regression.fit(&games, &prior).unwrap_err();
        assert_eq!(fit(Games::new(Vec::new())), FitError::Empty);
        let start = vec![(Position::start(&()), 1.0)];
        assert_eq!(fit(Games::new(vec![start])), FitError::Open);
    }
}
