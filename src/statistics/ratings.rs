//! Ratings of many players from all their games: one maximum-likelihood fit.
//!
//! The Bradley-Terry model: a game between ratings r and s is worth 1/(1 + 10^(−(r−s+a)/400)) points to
//! the first, `a` being the advantage of `Max`'s side, and a draw counts as half a win and half a
//! loss. The errors are the larger of two estimates: from the curvature of the likelihood, and the
//! sandwich estimator clustered by pairs of games.

use nalgebra::{DMatrix, DVector};
use serde::{Deserialize, Serialize};

use super::estimate::Z_95;
use super::logistic::{Convergence, LogisticSums, optimum};

/// Logits of one point of Elo.
const LOGITS_A_POINT: f64 = std::f64::consts::LN_10 / 400.0;
/// Standard deviation of the normal prior of ratings, in Elo: so wide that it matters only for ratings that
/// the games do not determine, such as those of players who won or lost every game.
const PRIOR_DEVIATION: f64 = 1000.0;
/// A dozen steps were never needed.
const CONVERGENCE: Convergence = Convergence {
    max_steps: 100,
    enough: 1e-12,
};

/// A game between two of the players, by their numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RatedGame {
    /// The player of `Max`.
    pub max: usize,
    /// The player of `Min`.
    pub min: usize,
    /// The points of `Max`: 1, ½ or 0.
    pub points: f64,
}

/// A rating in Elo with the half-width of its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rating {
    /// Elo.
    pub elo: f64,
    /// Half-width of the 95 % interval.
    pub half_width: f64,
}

/// The strength of players, relative to the mean of all.
#[derive(Clone, Debug, PartialEq)]
pub struct Ratings {
    /// Overall, with both sides.
    pub overall: Vec<Rating>,
    /// As `Max` alone and as `Min` alone, each relative to the mean, on that side, of the players that
    /// games link it with; none where there are no others. Games link one player's `Max` with
    /// another's `Min`, so in a gauntlet either group is compared within itself.
    pub by_side: [Vec<Option<Rating>>; 2],
    /// The advantage of playing `Max` between equal players.
    pub advantage: Rating,
}

impl Ratings {
    /// Computes the ratings of `players` players from pairs of games.
    ///
    /// # Panics
    /// If a game names a player out of range.
    #[must_use]
    pub fn of(players: usize, pairs: &[[RatedGame; 2]]) -> Self {
        let together = RatingModel::new(players + 1, pairs, |game| {
            [(game.max, 1.0), (game.min, -1.0), (players, 1.0)]
        });
        let apart = RatingModel::new(2 * players, pairs, |game| {
            [(game.max, 1.0), (players + game.min, -1.0)]
        });
        // Games do not determine the mean of all ratings.
        let relative = |model: &RatingModel| {
            let rating = |player| {
                let mut combination = vec![0.0; model.values.len()];
                combination[..players].fill(-1.0 / players as f64);
                combination[player] += 1.0;
                model.rating(&combination)
            };
            (0..players).map(rating).collect()
        };
        let parts = linked(players, pairs);
        let of_side = |first: usize| {
            let rating = |player: usize| {
                let part = parts[first + player];
                let others: Vec<usize> = (first..first + players)
                    .filter(|other| parts[*other] == part)
                    .collect();
                let mut combination = vec![0.0; 2 * players];
                for other in &others {
                    combination[*other] -= 1.0 / others.len() as f64;
                }
                combination[first + player] += 1.0;
                (others.len() > 1).then(|| apart.rating(&combination))
            };
            (0..players).map(rating).collect()
        };
        let mut advantage = vec![0.0; players];
        advantage.push(1.0);
        Self {
            overall: relative(&together),
            by_side: [of_side(0), of_side(players)],
            advantage: together.rating(&advantage),
        }
    }
}

/// Returns, for every player as `Max`, then as `Min`, the number of its connected component.
fn linked(players: usize, pairs: &[[RatedGame; 2]]) -> Vec<usize> {
    let mut parts: Vec<usize> = (0..2 * players).collect();
    for game in pairs.iter().flatten() {
        let [one, other] = [parts[game.max], parts[players + game.min]];
        if one != other {
            for part in parts.iter_mut().filter(|part| **part == other) {
                *part = one;
            }
        }
    }
    parts
}

/// The parameters of a logistic model, in logits, with covariances.
struct RatingModel {
    values: DVector<f64>,
    /// Covariances by the curvature of the likelihood, and by the spread of the pairs.
    covariances: [DMatrix<f64>; 2],
}

impl RatingModel {
    /// Fits the parameters whose sums, by the factors that `row` gives, are the logits of games.
    fn new<const N: usize>(
        parameters: usize,
        pairs: &[[RatedGame; 2]],
        row: impl Fn(&RatedGame) -> [(usize, f64); N],
    ) -> Self {
        let strength = 1.0 / (PRIOR_DEVIATION * LOGITS_A_POINT).powi(2);
        let sums_at = |values: &[f64]| {
            let mut sums = LogisticSums::zero(parameters);
            for pair in pairs {
                for game in pair {
                    let mut row = row(game);
                    row.sort_by_key(|(parameter, _)| *parameter);
                    let products = row
                        .iter()
                        .map(|(parameter, factor)| factor * values[*parameter]);
                    sums.observe(&row, products.sum(), game.points);
                }
                sums.end_cluster();
            }
            sums
        };
        let found = optimum(&DVector::zeros(parameters), strength, CONVERGENCE, sums_at);
        #[expect(
            clippy::expect_used,
            reason = "the prior makes the curvature positive definite"
        )]
        let found = found.expect("a prior determines all parameters");
        Self {
            values: found.parameters,
            covariances: [found.covariance, found.clustered_covariance],
        }
    }

    /// Converts a linear combination of parameters to a rating.
    fn rating(&self, combination: &[f64]) -> Rating {
        let combination = DVector::from_column_slice(combination);
        let variance = |covariance: &DMatrix<f64>| (covariance * &combination).dot(&combination);
        let variances = self.covariances.iter().map(variance);
        let error = variances.fold(0.0, f64::max).sqrt();
        Rating {
            elo: self.values.dot(&combination) / LOGITS_A_POINT,
            half_width: Z_95 * error / LOGITS_A_POINT,
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::RngExt as _;

    use super::*;
    use crate::seed;

    fn pair(first: usize, second: usize, points: [f64; 2]) -> [RatedGame; 2] {
        [
            RatedGame {
                max: first,
                min: second,
                points: points[0],
            },
            RatedGame {
                max: second,
                min: first,
                points: points[1],
            },
        ]
    }

    /// Ratings that the prior hardly changes.
    fn close(found: f64, expected: f64, tolerance: f64) {
        assert!((found - expected).abs() < tolerance, "{found} {expected}");
    }

    #[test]
    fn two_players_are_as_far_apart_as_their_score_says() {
        // 75 % of the points are 190.85 Elo; nobody's side is better.
        let mut pairs = vec![pair(0, 1, [1.0, 0.0]); 500];
        pairs.extend(vec![pair(0, 1, [0.5, 0.5]); 500]);
        let ratings = Ratings::of(2, &pairs);
        close(ratings.overall[0].elo - ratings.overall[1].elo, 190.85, 0.5);
        close(ratings.overall[0].elo, -ratings.overall[1].elo, 1e-6);
        close(ratings.advantage.elo, 0.0, 1e-6);
        for side in &ratings.by_side {
            assert_eq!(*side, [None, None], "one as Max met the other as Min alone");
        }
    }

    #[test]
    fn by_side_players_are_compared_with_those_that_games_link() {
        // Players 0 and 1 meet 2 and 3: 0 is the better one as Max, 1 as Min.
        let mut pairs = Vec::new();
        for (player, points) in [(0, [1.0, 0.5]), (1, [0.5, 0.0])] {
            for other in [2, 3] {
                pairs.extend(vec![pair(player, other, points); 200]);
                pairs.extend(vec![pair(player, other, [0.5, 0.5]); 200]);
            }
        }
        let ratings = Ratings::of(4, &pairs);
        let [max, min] = ratings.by_side.map(|side| {
            let elo = side.iter().map(|rating| rating.unwrap().elo);
            elo.collect::<Vec<f64>>()
        });
        close(max[0] - max[1], 190.85, 2.0);
        close(min[1] - min[0], 190.85, 2.0);
        close(max[0] + max[1], 0.0, 1e-6);
        close(max[2] - max[3], 0.0, 1e-6);
    }

    #[test]
    fn an_advantage_of_a_side_is_told_from_strength() {
        // Equal players, Max making 70 % of the points: 147.19 Elo.
        let pairs: Vec<_> = (0..1000)
            .map(|n| match n % 10 {
                0..=3 => pair(0, 1, [1.0, 1.0]),
                _ => pair(0, 1, [0.5, 0.5]),
            })
            .collect();
        let ratings = Ratings::of(2, &pairs);
        close(ratings.overall[0].elo, 0.0, 1e-6);
        close(ratings.advantage.elo, 147.19, 0.5);
    }

    #[test]
    fn players_who_never_met_are_compared_through_others() {
        let mut pairs = vec![pair(0, 1, [1.0, 0.0]); 400];
        pairs.extend(vec![pair(0, 1, [0.5, 0.5]); 400]);
        pairs.extend(vec![pair(1, 2, [1.0, 0.0]); 400]);
        pairs.extend(vec![pair(1, 2, [0.5, 0.5]); 400]);
        let ratings = Ratings::of(3, &pairs);
        close(
            ratings.overall[0].elo - ratings.overall[2].elo,
            2.0 * 190.85,
            2.0,
        );
    }

    #[test]
    fn extremes_are_finite_and_uncertain() {
        let ratings = Ratings::of(2, &vec![pair(0, 1, [1.0, 0.0]); 20]);
        let [best, worst] = [ratings.overall[0], ratings.overall[1]];
        assert!(best.elo > 300.0 && best.elo < 2000.0, "{best:?}");
        assert!(best.half_width > 200.0 && best.half_width.is_finite());
        assert!(worst.elo < -300.0);
        let nothing = Ratings::of(3, &[]);
        assert!(nothing.overall.iter().all(|rating| rating.elo == 0.0));
        assert!(
            nothing
                .overall
                .iter()
                .all(|rating| rating.half_width > 1000.0)
        );
    }

    #[test]
    fn intervals_hold_the_truth_as_often_as_they_say() {
        let truth = [150.0, 0.0, -150.0];
        let (mut held, mut all) = (0, 0);
        for trial in 0..60 {
            let mut rng = seed::stream(&[trial]);
            let mut pairs = Vec::new();
            for (one, other) in [(0, 1), (0, 2), (1, 2)] {
                for _ in 0..60 {
                    let mut points = |max: usize, min: usize| {
                        let logit = LOGITS_A_POINT * (truth[max] - truth[min] + 80.0);
                        let won = rng.random_bool(1.0 / (1.0 + f64::exp(-logit)));
                        if won { 1.0 } else { 0.0 }
                    };
                    let both = [points(one, other), points(other, one)];
                    pairs.push(pair(one, other, both));
                }
            }
            let ratings = Ratings::of(3, &pairs);
            for (rating, truth) in ratings.overall.iter().zip(truth) {
                all += 1;
                held += usize::from((rating.elo - truth).abs() <= rating.half_width);
            }
        }
        let share = f64::from(held as u32) / f64::from(all);
        assert!((0.9..=1.0).contains(&share), "{share}");
    }
}
