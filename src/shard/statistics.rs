//! Statistics of samples.

use rayon::ThreadPool;
use rayon::slice::ParallelSliceMut as _;
use serde::{Deserialize, Serialize};

use super::histogram::Histogram;
use super::sample::Sample;
use crate::game::{Game, Outcome};

/// Numbers of outcomes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OutcomeCounts {
    /// Wins of `Max`.
    pub max: u64,
    /// Draws.
    pub draw: u64,
    /// Wins of `Min`.
    pub min: u64,
    /// Samples without an outcome.
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

    /// Returns the sum of all counts, saturating.
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

    /// Returns the number of samples with an outcome, draws included, saturating.
    #[must_use]
    pub fn decided(&self) -> u64 {
        self.max.saturating_add(self.draw).saturating_add(self.min)
    }

    /// Returns the share of `outcome` among decided samples, from 0 to 1; 0 if there are none.
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

/// Outcomes of the positions of one phase.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PhaseCounts {
    /// Name of the phase, one of [`Game::STRATA`].
    pub name: String,
    /// Outcomes of their games.
    pub outcomes: OutcomeCounts,
}

/// Statistics of base samples.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SampleStatistics {
    /// Number of base samples.
    pub originals: u64,
    /// Number of positions that differ even after symmetries.
    pub distinct: u64,
    /// Number of base samples equal under symmetry to an earlier one.
    pub duplicates: u64,
    /// Outcomes of their games.
    pub outcomes: OutcomeCounts,
    /// Outcomes by phase, in the order of [`Game::STRATA`].
    pub strata: Vec<PhaseCounts>,
    /// Number of base samples whose played move was noisy.
    pub noisy: u64,
    /// Number of base samples whose played move was random.
    pub random: u64,
    /// Histogram of scores in logits, positive when `Max` is better.
    pub scores: Histogram,
    /// Histogram of plies.
    pub plies: Histogram,
}

/// Collects statistics of base samples.
///
/// Stores a key of each sample.
#[derive(Clone, Debug)]
pub struct OutcomeTally<G: Game> {
    keys: Vec<G::Key>,
    statistics: SampleStatistics,
}

impl<G: Game> Default for OutcomeTally<G> {
    fn default() -> Self {
        let stratum = |name: &&str| PhaseCounts {
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
    /// Adds a base sample; ignores symmetric copies.
    pub fn add(&mut self, sample: &Sample<G>) {
        if !sample.original {
            return;
        }
        self.add_keyed(sample, sample.position.canonical().0.key());
    }

    /// Adds a base sample; `key` must be equal for positions that are equal under symmetry, and
    /// only for those.
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

    /// Adds the counts of another tally.
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

    /// Returns the statistics.
    #[must_use]
    pub fn finish(mut self) -> SampleStatistics {
        self.keys.sort_unstable();
        self.counted()
    }

    /// Like [`Self::finish`], sorting on the threads of a pool.
    pub(super) fn finish_in(mut self, pool: &ThreadPool) -> SampleStatistics {
        pool.install(|| self.keys.par_sort_unstable());
        self.counted()
    }

    /// Returns the statistics, given sorted keys.
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
    fn symmetric_copies_and_equal_positions_are_duplicates() {
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
    fn samples_are_counted_by_outcome_phase_score_and_ply() {
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
    fn shares_refer_to_samples_with_an_outcome() {
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
