//! Which samples a new set of shards takes over.

use std::fmt;
use std::ops::RangeInclusive;

use super::sample::Sample;
use crate::game::{Game, Outcome};

/// Samples that are kept; those that pass all its parts.
pub struct Filter<'a, G> {
    /// Generations, both ends included.
    pub generations: RangeInclusive<u32>,
    /// Outcomes, nothing standing for samples without one; all if not given.
    pub outcomes: Option<Vec<Option<Outcome>>>,
    /// Tells positions that stay; all do if not given.
    pub positions: Option<&'a dyn Fn(&G) -> bool>,
    /// Whether of positions that a symmetry makes equal, and that have the same side to move, one
    /// sample is kept.
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
    /// Keeps everything.
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
    /// Whether a sample of one of the generations stays.
    pub(super) fn keeps(&self, sample: &Sample<G>) -> bool {
        let outcomes = self.outcomes.as_ref();
        outcomes.is_none_or(|outcomes| outcomes.contains(&sample.outcome))
            && self.positions.is_none_or(|stays| stays(&sample.position))
    }
}
