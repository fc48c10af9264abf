//! What samples are like, taken together.

use rayon::ThreadPool;
use rayon::slice::ParallelSliceMut as _;
use serde::{Deserialize, Serialize};

use super::histogram::Histogram;
use super::sample::Sample;
use crate::game::{Game, Outcome};

/// Outcomes, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OutcomeCounts {
    /// Won by `Max`.
    pub max: u64,
    /// Drawn.
    pub draw: u64,
    /// Won by `Min`.
    pub min: u64,
    /// Without an outcome.
    pub none: u64,
}

impl OutcomeCounts {
    /// Counts an outcome.
    pub fn add(&mut self, outcome: Option<Outcome>) {
        *match outcome {
            Some(Outcome::Max) => &mut self.max,
            Some(Outcome::Draw) => &mut self.draw,
            Some(Outcome::Min) => &mut self.min,
            None => &mut self.none,
        } += 1;
    }

    /// Everything counted; stays at the largest number instead of overflowing.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.decided().saturating_add(self.none)
    }

    fn absorb(&mut self, other: &Self) {
        self.max += other.max;
        self.draw += other.draw;
        self.min += other.min;
        self.none += other.none;
    }

    /// What has an outcome, draws included; stays at the largest number instead of overflowing.
    #[must_use]
    pub fn decided(&self) -> u64 {
        self.max.saturating_add(self.draw).saturating_add(self.min)
    }

    /// The part of what has an outcome that ended like this, from 0 to 1; 0 if nothing has one.
    #[must_use]
    pub fn share(&self, outcome: Outcome) -> f64 {
        let count = match outcome {
            Outcome::Max => self.max,
            Outcome::Draw => self.draw,
            Outcome::Min => self.min,
        };
        count as f64 / self.decided().max(1) as f64
    }
}

/// The outcomes of the positions of one kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StratumCounts {
    /// The kind, one of [`Game::STRATA`].
    pub name: String,
    /// How their games ended.
    pub outcomes: OutcomeCounts,
}

/// What originals are like, taken together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SampleStatistics {
    /// Originals.
    pub originals: u64,
    /// Positions among them that no symmetry makes equal.
    pub distinct: u64,
    /// Originals that some symmetry makes equal to an earlier one.
    pub duplicates: u64,
    /// How their games ended.
    pub outcomes: OutcomeCounts,
    /// The same for each of [`Game::STRATA`], in their order.
    pub strata: Vec<StratumCounts>,
    /// Originals whose move played was noisy.
    pub noisy: u64,
    /// Originals whose move played was random.
    pub random: u64,
    /// Scores in logits for `Max`.
    pub scores: Histogram,
    /// Plies.
    pub plies: Histogram,
}

/// Gathers the statistics of originals one by one.
///
/// Holds a key for each.
#[derive(Clone, Debug)]
pub struct OutcomeTally<G: Game> {
    keys: Vec<G::Key>,
    statistics: SampleStatistics,
}

impl<G: Game> Default for OutcomeTally<G> {
    fn default() -> Self {
        let stratum = |name: &&str| StratumCounts {
            name: (*name).to_owned(),
            outcomes: OutcomeCounts::default(),
        };
        Self {
            keys: Vec::new(),
            statistics: SampleStatistics {
                originals: 0,
                distinct: 0,
                duplicates: 0,
                outcomes: OutcomeCounts::default(),
                strata: G::STRATA.iter().map(stratum).collect(),
                noisy: 0,
                random: 0,
                scores: Histogram::new(-10.0, 1.0, 20),
                plies: Histogram::new(0.0, 10.0, 40),
            },
        }
    }
}

impl<G: Game> OutcomeTally<G> {
    /// Counts an original; images are passed over.
    pub fn add(&mut self, sample: &Sample<G>) {
        if !sample.original {
            return;
        }
        self.add_keyed(sample, sample.position.canonical().0.key());
    }

    /// Counts an original; `key` is the same for all images of its position, and for no other.
    pub(super) fn add_keyed(&mut self, sample: &Sample<G>, key: G::Key) {
        self.keys.push(key);
        let statistics = &mut self.statistics;
        statistics.originals += 1;
        statistics.outcomes.add(sample.outcome);
        statistics.strata[sample.position.stratum()]
            .outcomes
            .add(sample.outcome);
        statistics.noisy += u64::from(sample.noisy);
        statistics.random += u64::from(sample.random);
        statistics.scores.add(sample.score);
        statistics.plies.add(f32::from(sample.ply));
    }

    /// Adds what another tally has counted.
    pub(super) fn absorb(&mut self, other: Self) {
        let (statistics, more) = (&mut self.statistics, other.statistics);
        self.keys.extend(other.keys);
        statistics.originals += more.originals;
        statistics.outcomes.absorb(&more.outcomes);
        for (stratum, more) in statistics.strata.iter_mut().zip(&more.strata) {
            stratum.outcomes.absorb(&more.outcomes);
        }
        statistics.noisy += more.noisy;
        statistics.random += more.random;
        statistics.scores.absorb(&more.scores);
        statistics.plies.absorb(&more.plies);
    }

    /// The statistics of all that was counted.
    #[must_use]
    pub fn finish(mut self) -> SampleStatistics {
        self.keys.sort_unstable();
        self.counted()
    }

    /// The same, with the threads of a pool.
    pub(super) fn finish_on(mut self, pool: &ThreadPool) -> SampleStatistics {
        pool.install(|| self.keys.par_sort_unstable());
        self.counted()
    }

    /// The statistics, the keys being sorted.
    fn counted(mut self) -> SampleStatistics {
        self.keys.dedup();
        let mut statistics = self.statistics;
        statistics.distinct = self.keys.len() as u64;
        statistics.duplicates = statistics.originals - statistics.distinct;
        statistics
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::sample;
    use super::*;
    use crate::game::Notation;
    use crate::games::bagh_chal::Position;

    #[test]
    fn images_and_equal_positions_are_duplicates() {
        let mut tally = OutcomeTally::default();
        let turned = Sample {
            position: sample(3).position.transformed(5),
            ..sample(3)
        };
        assert_ne!(turned.position, sample(3).position);
        for sample in [sample(3), sample(1), turned, sample(1)] {
            for image in sample.images() {
                tally.add(&image);
            }
        }
        let statistics = tally.finish();
        assert_eq!(statistics.originals, 4);
        assert_eq!((statistics.distinct, statistics.duplicates), (2, 2));
    }

    #[test]
    fn samples_count_by_outcome_stratum_score_and_ply() {
        let two_dead = Position::parse_position("T3T/5/2S2/5/T3T t 17").unwrap();
        let mut tally = OutcomeTally::default();
        for (outcome, score, ply) in [
            (Some(Outcome::Max), 0.5, 9),
            (Some(Outcome::Min), -99.0, 10),
            (None, 0.7, 9999),
        ] {
            tally.add(&Sample {
                position: two_dead,
                score,
                outcome,
                ply,
                noisy: true,
                random: outcome.is_none(),
                ..sample(0)
            });
        }
        let statistics = tally.finish();
        let expected = OutcomeCounts {
            max: 1,
            min: 1,
            draw: 0,
            none: 1,
        };
        assert_eq!(statistics.outcomes, expected);
        assert_eq!(statistics.strata[2].name, "2 dead");
        assert_eq!(statistics.strata[2].outcomes, expected);
        assert_eq!(statistics.strata[0].outcomes.total(), 0);
        assert_eq!((statistics.noisy, statistics.random), (3, 1));
        assert_eq!(
            (statistics.scores.counts[0], statistics.scores.counts[10]),
            (1, 2)
        );
        let plies = statistics.plies.counts;
        assert_eq!((plies[0], plies[1], plies[39]), (1, 1, 1));
    }

    #[test]
    fn shares_are_of_what_has_an_outcome() {
        let counts = OutcomeCounts {
            max: 1,
            draw: 1,
            min: 2,
            none: 96,
        };
        assert_eq!(counts.share(Outcome::Min), 0.5);
        assert_eq!(counts.share(Outcome::Draw), 0.25);
        assert_eq!(OutcomeCounts::default().share(Outcome::Max), 0.0);
    }
}
