//! The positions of one step: which features are on, and what they are worth.

/// Positions and their targets, packed: only the active features are kept.
///
/// Meant to be refilled: [`Batch::clear`] keeps the memory.
#[derive(Debug, Clone, PartialEq)]
pub struct Batch {
    features: usize,
    active: Vec<u16>,
    /// Where the features of each position end in `active`.
    ends: Vec<usize>,
    targets: Vec<f32>,
}

impl Batch {
    /// An empty batch with room for `size` positions of a set of `features` features.
    ///
    /// # Panics
    /// If `features` is above [`Architecture::MAX_FEATURES`].
    ///
    /// [`Architecture::MAX_FEATURES`]: crate::network::Architecture::MAX_FEATURES
    pub fn with_capacity(features: usize, size: usize) -> Self {
        assert!(features <= crate::network::Architecture::MAX_FEATURES);
        // Sets are sparse: a third of a small one, less of a large one.
        let active = size * (features / 3).min(64);
        Self {
            features,
            active: Vec::with_capacity(active),
            ends: Vec::with_capacity(size),
            targets: Vec::with_capacity(size),
        }
    }

    /// Adds a position with its `active` features, each once, and its `target`, the expected
    /// score of `Max` from 0 to 1.
    ///
    /// # Panics
    /// If a feature is not below the size of the set, or the target not from 0 to 1.
    pub fn push(&mut self, active: impl Iterator<Item = usize>, target: f32) {
        assert!(
            (0.0..=1.0).contains(&target),
            "the target {target} is no expected score"
        );
        let features = self.features;
        self.active.extend(active.map(|feature| {
            assert!(feature < features, "feature {feature} of {features}");
            feature as u16
        }));
        self.ends.push(self.active.len());
        self.targets.push(target);
    }

    /// Removes all positions.
    pub fn clear(&mut self) {
        self.active.clear();
        self.ends.clear();
        self.targets.clear();
    }

    /// Number of positions.
    pub fn len(&self) -> usize {
        self.targets.len()
    }

    /// Whether there are no positions.
    pub fn is_empty(&self) -> bool {
        self.targets.is_empty()
    }

    /// Size of the feature set.
    pub fn features(&self) -> usize {
        self.features
    }

    /// Expected scores of `Max`, `[batch]`.
    pub fn targets(&self) -> &[f32] {
        &self.targets
    }

    /// The active features of a position.
    ///
    /// # Panics
    /// If there is no position of that `index`.
    pub fn active(&self, index: usize) -> &[u16] {
        let start = match index {
            0 => 0,
            _ => self.ends[index - 1],
        };
        &self.active[start..self.ends[index]]
    }

    /// Inputs as 0 and 1, `[batch, features]`.
    pub fn multi_hot(&self) -> Vec<f32> {
        let mut inputs = vec![0.0; self.len() * self.features];
        for (index, row) in inputs.chunks_exact_mut(self.features).enumerate() {
            for &feature in self.active(index) {
                row[usize::from(feature)] = 1.0;
            }
        }
        inputs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_become_rows_of_zeros_and_ones() {
        let mut batch = Batch::with_capacity(4, 2);
        batch.push([0, 3].into_iter(), 1.0);
        batch.push([].into_iter(), 0.5);
        batch.push([2].into_iter(), 0.0);
        let expected = [1., 0., 0., 1., 0., 0., 0., 0., 0., 0., 1., 0.];
        assert_eq!(batch.multi_hot(), expected);
        assert_eq!(batch.targets(), [1.0, 0.5, 0.0]);
    }

    #[test]
    fn a_cleared_batch_remembers_nothing() {
        let mut batch = Batch::with_capacity(4, 2);
        batch.push([0, 3].into_iter(), 1.0);
        batch.clear();
        assert!(batch.is_empty());
        batch.push([1].into_iter(), 0.5);
        assert_eq!(batch.multi_hot(), [0., 1., 0., 0.]);
        assert_eq!(batch.len(), 1);
    }

    #[test]
    #[should_panic(expected = "feature 4 of 4")]
    fn features_of_another_set_are_refused() {
        Batch::with_capacity(4, 1).push([4].into_iter(), 0.5);
    }

    #[test]
    #[should_panic(expected = "no expected score")]
    fn targets_that_are_no_scores_are_refused() {
        Batch::with_capacity(4, 1).push([0].into_iter(), f32::NAN);
    }
}
