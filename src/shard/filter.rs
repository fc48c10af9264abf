//! The filter of merged samples.

use std::fmt;
use std::ops::RangeInclusive;

use super::sample::Sample;
use crate::game::{Game, Outcome};

/// Which samples are kept: those that match all criteria.
pub struct Filter<'a, G> {
    /// Generations, both ends included.
    pub generations: RangeInclusive<u32>,
    /// Outcomes to keep, where `None` stands for samples without an outcome; all if not given.
    pub outcomes: Option<Vec<Option<Outcome>>>,
    /// Predicate of the positions to keep; all if not given.
    pub positions: Option<&'a dyn Fn(&G) -> bool>,
    /// Whether to keep a single sample of positions that are equal under symmetry and have the same
    /// side to move.
    pub fold: bool,
}

impl<G> fmt::Debug for Filter<'_, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Filter")
            .field("generations", &self.generations)
            .field("outcomes", &self.outcomes)
            .field("positions", &self.positions.is_some())
            .field("fold", &self.fold)
            .finish()
    }
}

impl<G> Default for Filter<'_, G> {
    /// Returns the filter that keeps everything.
    fn default() -> Self {
        Self {
            generations: 0..=u32::MAX,
            outcomes: None,
            positions: None,
            fold: false,
        }
    }
}

impl<G: Game> Filter<'_, G> {
    /// Returns true if a sample of one of the generations is kept.
    pub(super) fn keeps(&self, sample: &Sample<G>) -> bool {
        let outcomes = self.outcomes.as_ref();
        outcomes.is_none_or(|outcomes| outcomes.contains(&sample.outcome))
            && self.positions.is_none_or(|stays| stays(&sample.position))
    }
}
