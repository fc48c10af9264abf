//! Positions as networks read them: lists of active features.

use arrayvec::ArrayVec;

use super::FeatureSet;
use crate::game::Game;

/// Largest number of views of a feature set.
const MAX_VIEWS: usize = 2;

/// Encoded positions, packed: for each position the active features of each view, and its output
/// bucket.
#[derive(Debug, Clone, PartialEq)]
pub struct EncodedPositions {
    views: usize,
    active: Vec<u16>,
    /// End of each view's list in `active`.
    ends: Vec<usize>,
    buckets: Vec<usize>,
}

impl EncodedPositions {
    /// Creates an empty list with room for `size` positions of `views` views with about `active`
    /// features each.
    #[must_use]
    pub fn with_capacity(views: usize, size: usize, active: usize) -> Self {
        Self {
            views,
            active: Vec::with_capacity(views * size * active),
            ends: Vec::with_capacity(views * size),
            buckets: Vec::with_capacity(size),
        }
    }

    /// Encodes a position by the feature set `F` for a network with so many output buckets.
    pub fn encode<G: Game, F: FeatureSet<G>>(&mut self, position: &G, output_buckets: usize) {
        let own = F::perspective(position);
        for view in [own, own.other()].into_iter().take(self.views) {
            F::visit_active(position, view, |feature| self.active.push(feature as u16));
            self.ends.push(self.active.len());
        }
        self.buckets.push(match output_buckets {
            1 => 0,
            buckets => F::output_bucket(position, buckets),
        });
    }

    /// Adds a position with the active features of each view.
    ///
    /// # Panics
    /// If the number of views differs.
    pub fn push(&mut self, views: &[&[u16]], bucket: usize) {
        assert_eq!(views.len(), self.views, "number of views");
        for view in views {
            self.active.extend_from_slice(view);
            self.ends.push(self.active.len());
        }
        self.buckets.push(bucket);
    }

    /// Removes all positions and keeps the memory.
    pub fn clear(&mut self) {
        self.active.clear();
        self.ends.clear();
        self.buckets.clear();
    }

    /// Returns the number of positions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.buckets.len()
    }

    /// Returns true if there are no positions.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.buckets.is_empty()
    }

    /// Returns the number of views of each position.
    #[must_use]
    pub fn views(&self) -> usize {
        self.views
    }

    /// Returns the active features of all positions and views.
    #[must_use]
    pub fn all_active(&self) -> &[u16] {
        &self.active
    }

    /// Returns list number `index`, that is `views × position + view`.
    ///
    /// # Panics
    /// If there is no such list.
    #[inline]
    #[must_use]
    pub fn list(&self, index: usize) -> &[u16] {
        let start = match index {
            0 => 0,
            _ => self.ends[index - 1],
        };
        &self.active[start..self.ends[index]]
    }

    /// Returns the active features of each view of a position.
    ///
    /// # Panics
    /// If there is no position number `index`.
    #[must_use]
    pub fn position(&self, index: usize) -> ArrayVec<&[u16], MAX_VIEWS> {
        let lists = index * self.views..(index + 1) * self.views;
        lists.map(|list| self.list(list)).collect()
    }

    /// Returns the output bucket of a position.
    ///
    /// # Panics
    /// If there is no position number `index`.
    #[must_use]
    pub fn bucket(&self, index: usize) -> usize {
        self.buckets[index]
    }
}
