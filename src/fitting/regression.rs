//! Logistic regression by Newton's method, with standard errors clustered by game.

use nalgebra::DVector;
use rayon::ThreadPool;
use rayon::prelude::*;
use thiserror::Error;

use super::Games;
use crate::game::Game;
use crate::statistics::{Convergence, LogisticSums, cross_entropy, optimum};

/// Games per task; fixed, so that sums do not depend on the number of threads.
const GAMES_PER_TASK: usize = 64;
/// A dozen steps were never needed.
const CONVERGENCE: Convergence = Convergence {
    max_steps: 60,
    enough: 1e-6,
};

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
    #[error("the weights did not settle in {} steps; give a stronger prior", CONVERGENCE.max_steps)]
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
pub struct FittedWeights {
    /// The weights with the largest posterior likelihood.
    pub weights: Vec<f64>,
    /// Their standard errors, clustered by game.
    pub errors: Vec<f64>,
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
            let mut row = PositionRow::new(self);
            let losses = list.iter().map(|(position, target)| {
                let logit = row.read(self, position, weights);
                cross_entropy(logit, *target)
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
    pub fn fit(&self, games: &Games<G>, prior: &Prior) -> Result<FittedWeights, FitError> {
        if games.positions() == 0 {
            return Err(FitError::Empty);
        }
        let centre = DVector::from_column_slice(&prior.centre);
        let sums_at = |weights: &[f64]| self.sums(games, weights);
        let found = optimum(&centre, prior.strength, CONVERGENCE, sums_at).ok_or(FitError::Open)?;
        if !found.converged {
            return Err(FitError::NotConverged);
        }
        let variances = found.clustered_covariance.diagonal();
        Ok(FittedWeights {
            weights: found.parameters.as_slice().to_vec(),
            errors: variances
                .iter()
                .map(|variance| variance.max(0.0).sqrt())
                .collect(),
        })
    }

    fn sums(&self, games: &Games<G>, weights: &[f64]) -> LogisticSums {
        let part = |lists: &[Vec<(G, f64)>]| self.part(lists, weights);
        let parts: Vec<LogisticSums> = self.pool.install(|| {
            let tasks = games.lists().par_chunks(GAMES_PER_TASK);
            tasks.map(part).collect()
        });
        let zero = LogisticSums::zero(weights.len());
        parts.iter().fold(zero, LogisticSums::add)
    }

    fn part(&self, lists: &[Vec<(G, f64)>], weights: &[f64]) -> LogisticSums {
        let mut sums = LogisticSums::zero(weights.len());
        let mut row = PositionRow::new(self);
        for list in lists {
            for (position, target) in list {
                let logit = row.read(self, position, weights);
                sums.observe(&row.present, logit, *target);
            }
            sums.end_cluster();
        }
        sums
    }
}

/// The values of one position, by weight.
struct PositionRow {
    values: Vec<f32>,
    by_weight: Vec<f64>,
    /// Weights whose value is not 0, in order, with the value.
    present: Vec<(usize, f64)>,
}

impl PositionRow {
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

#[cfg(test)]
mod tests {
    use rand::RngExt as _;

    use super::*;
    use crate::games::bagh_chal::Position;
    use crate::kit::{Kit, TunableParameters};
    use crate::seed::stream;
    use crate::statistics::expected_score;
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
