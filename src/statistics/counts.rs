//! Counts of results by pair or by game, and the distribution estimated from them.
//! All other statistics start from these.

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

use super::score::{GameScore, PairScore};

/// Weight of a category without results, so that no likelihood is zero (fishtest's value).
const ABSENT: f64 = 1e-3;

/// Results counted by category, from the first player's view, worst category first.
///
/// The categories' points are equally spaced from 0 to 1.
pub trait Counts {
    /// Games in one counted unit: 1 if games are counted, 2 if pairs are.
    const GAMES_PER_UNIT: u32;

    /// How often each category occurred, worst first; three or five of them.
    fn categories(&self) -> &[u64];

    /// Number of games; saturates instead of overflowing.
    fn games(&self) -> u64 {
        self.categories()
            .iter()
            .fold(0, |sum: u64, &count| sum.saturating_add(count))
            .saturating_mul(u64::from(Self::GAMES_PER_UNIT))
    }

    /// Whether all results are equal, so that the sample has no variance.
    fn is_uniform(&self) -> bool {
        self.categories().iter().filter(|&&count| count > 0).count() <= 1
    }

    /// The observed mean points of a game, 0 to 1; `None` without results.
    fn score(&self) -> Option<f64> {
        let counts = self.categories();
        let total: f64 = counts.iter().map(|&count| count as f64).sum();
        let points: f64 = counts
            .iter()
            .enumerate()
            .map(|(category, &count)| count as f64 * points(category, counts.len()))
            .sum();
        (total > 0.0).then(|| points / total)
    }

    /// The observed distribution, in which a category without results keeps a small weight.
    fn law(&self) -> Law {
        let weights: ArrayVec<f64, 5> = self
            .categories()
            .iter()
            .map(|&count| if count == 0 { ABSENT } else { count as f64 })
            .collect();
        let units: f64 = weights.iter().sum();
        Law {
            probabilities: weights.iter().map(|weight| weight / units).collect(),
            units,
            games_per_unit: f64::from(Self::GAMES_PER_UNIT),
        }
    }
}

/// Pairs counted by result: both lost, lost and drawn, level, won and drawn, both won.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Pentanomial(pub [u64; 5]);

impl Pentanomial {
    /// Adds a pair.
    pub fn add(&mut self, pair: PairScore) {
        let count = &mut self.0[pair as usize];
        *count = count.saturating_add(1);
    }

    /// Number of pairs.
    pub fn pairs(&self) -> u64 {
        self.0
            .iter()
            .fold(0, |sum: u64, &count| sum.saturating_add(count))
    }

    /// The same pairs from the second player's view.
    pub fn reversed(mut self) -> Self {
        self.0.reverse();
        self
    }
}

impl Counts for Pentanomial {
    const GAMES_PER_UNIT: u32 = 2;

    fn categories(&self) -> &[u64] {
        &self.0
    }
}

impl FromIterator<PairScore> for Pentanomial {
    fn from_iter<I: IntoIterator<Item = PairScore>>(pairs: I) -> Self {
        let mut counts = Self::default();
        pairs.into_iter().for_each(|pair| counts.add(pair));
        counts
    }
}

/// Games counted by result: lost, drawn, won.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Trinomial(pub [u64; 3]);

impl Trinomial {
    /// Adds a game.
    pub fn add(&mut self, game: GameScore) {
        let count = &mut self.0[game as usize];
        *count = count.saturating_add(1);
    }

    /// Adds both games of a pair.
    pub fn add_pair(&mut self, pair: [GameScore; 2]) {
        pair.into_iter().for_each(|game| self.add(game));
    }

    /// The same games from the second player's view.
    pub fn reversed(mut self) -> Self {
        self.0.reverse();
        self
    }
}

impl Counts for Trinomial {
    const GAMES_PER_UNIT: u32 = 1;

    fn categories(&self) -> &[u64] {
        &self.0
    }
}

impl FromIterator<GameScore> for Trinomial {
    fn from_iter<I: IntoIterator<Item = GameScore>>(games: I) -> Self {
        let mut counts = Self::default();
        games.into_iter().for_each(|game| counts.add(game));
        counts
    }
}

/// A distribution over categories with points equally spaced from 0 to 1, and its weight.
///
/// Every probability is above zero and they sum to one.
#[derive(Clone, Debug, PartialEq)]
pub struct Law {
    probabilities: ArrayVec<f64, 5>,
    units: f64,
    games_per_unit: f64,
}

impl Law {
    /// The probability of each category, worst first.
    pub fn probabilities(&self) -> &[f64] {
        &self.probabilities
    }

    /// Number of pairs or games, including the small weights of absent categories.
    pub fn units(&self) -> f64 {
        self.units
    }

    /// Number of games, including the small weights of absent categories.
    pub fn games(&self) -> f64 {
        self.units * self.games_per_unit
    }

    /// Games in one unit: 1 or 2.
    pub fn games_per_unit(&self) -> f64 {
        self.games_per_unit
    }

    /// The expected points, between 0 and 1.
    pub fn mean(&self) -> f64 {
        mean(&self.probabilities)
    }

    /// Standard deviation of the points of one unit, above 0.
    pub fn deviation(&self) -> f64 {
        deviation(&self.probabilities)
    }

    /// Standard error of the mean points, above 0.
    pub fn standard_error(&self) -> f64 {
        self.deviation() / self.units.sqrt()
    }
}

/// The points of a category, counted from 0, among `categories` of them.
pub(super) fn points(category: usize, categories: usize) -> f64 {
    category as f64 / (categories - 1) as f64
}

/// The expected points under `probabilities`.
pub(super) fn mean(probabilities: &[f64]) -> f64 {
    probabilities
        .iter()
        .enumerate()
        .map(|(category, p)| p * points(category, probabilities.len()))
        .sum()
}

/// The standard deviation of the points under `probabilities`.
pub(super) fn deviation(probabilities: &[f64]) -> f64 {
    let mean = mean(probabilities);
    probabilities
        .iter()
        .enumerate()
        .map(|(category, p)| p * (points(category, probabilities.len()) - mean).powi(2))
        .sum::<f64>()
        .sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    use GameScore::{Draw, Loss, Win};

    #[test]
    fn pairs_and_games_count_the_same_points() {
        let pairs = [[Win, Loss], [Draw, Draw], [Win, Draw], [Loss, Loss]];
        let mut games = Trinomial::default();
        pairs.into_iter().for_each(|pair| games.add_pair(pair));
        let pentanomial: Pentanomial = pairs
            .into_iter()
            .map(|[one, other]| PairScore::of(one, other))
            .collect();

        assert_eq!(games, Trinomial([3, 3, 2]));
        assert_eq!(pentanomial, Pentanomial([1, 0, 2, 1, 0]));
        assert_eq!(pentanomial.pairs(), 4);
        assert_eq!(pentanomial.games(), games.games());
        assert_eq!(pentanomial.score(), games.score());
        assert_eq!(games.score(), Some(3.5 / 8.0));
    }

    #[test]
    fn nothing_has_no_score() {
        assert_eq!(Pentanomial::default().score(), None);
        assert_eq!(Trinomial::default().score(), None);
    }

    #[test]
    fn counts_are_written_as_plain_arrays() {
        let counts = Pentanomial([1, 2, 3, 4, 5]);
        let text = serde_json::to_string(&counts).unwrap();
        assert_eq!(text, "[1,2,3,4,5]");
        assert_eq!(serde_json::from_str::<Pentanomial>(&text).unwrap(), counts);
        assert_eq!(
            serde_json::to_string(&Trinomial([7, 8, 9])).unwrap(),
            "[7,8,9]"
        );
    }

    #[test]
    fn an_absent_category_keeps_a_small_weight() {
        let law = Trinomial([0, 0, 4]).law();
        assert_eq!(law.units(), 4.002);
        assert_eq!(law.probabilities()[0], 0.001 / 4.002);
        assert!(law.deviation() > 0.0);
    }

    proptest! {
        #[test]
        fn the_two_players_share_every_point(counts: [u32; 5]) {
            let counts = Pentanomial(counts.map(u64::from));
            if let (Some(one), Some(other)) = (counts.score(), counts.reversed().score()) {
                prop_assert!((one + other - 1.0).abs() < 1e-12);
            }
            prop_assert_eq!(counts.reversed().reversed(), counts);
            prop_assert_eq!(counts.reversed().games(), counts.games());
        }

        #[test]
        fn a_law_sums_to_one_and_leaves_nothing_out(counts: [u64; 5]) {
            let law = Pentanomial(counts).law();
            prop_assert!((law.probabilities().iter().sum::<f64>() - 1.0).abs() < 1e-12);
            prop_assert!(law.probabilities().iter().all(|&p| p > 0.0));
            prop_assert!(law.mean() > 0.0 && law.mean() < 1.0);
            prop_assert!(law.deviation() > 0.0);
        }
    }
}
