//! The positions of one gradient step.

use crate::features::EncodedPositions;

/// Encoded positions and their targets.
#[derive(Debug, Clone, PartialEq)]
pub struct Batch {
    features: usize,
    positions: EncodedPositions,
    targets: Vec<f32>,
}

impl Batch {
    /// Joins positions of a set of `features` features and their targets: expected scores, from 0 to
    /// 1, of the side whose score the network returns.
    ///
    /// # Panics
    /// If there is another number of targets, a target is out of range, or a feature is not below
    /// `features`.
    #[must_use]
    pub fn new(features: usize, positions: EncodedPositions, targets: Vec<f32>) -> Self {
        assert_eq!(
            positions.len(),
            targets.len(),
            "one target for each position"
        );
        let range = 0.0..=1.0;
        if let Some(target) = targets.iter().find(|target| !range.contains(*target)) {
            panic!("target {target} is not from 0 to 1");
        }
        if let Some(&most) = positions.all_active().iter().max() {
            assert!(usize::from(most) < features, "feature {most} of {features}");
        }
        Self {
            features,
            positions,
            targets,
        }
    }

    /// Returns the number of positions.
    pub fn len(&self) -> usize {
        self.targets.len()
    }

    /// Returns true if there are no positions.
    pub fn is_empty(&self) -> bool {
        self.targets.is_empty()
    }

    /// Returns the size of the feature set.
    pub fn features(&self) -> usize {
        self.features
    }

    /// Returns the positions.
    pub fn positions(&self) -> &EncodedPositions {
        &self.positions
    }

    /// Returns the expected scores, `[batch]`.
    pub fn targets(&self) -> &[f32] {
        &self.targets
    }

    /// Returns the inputs as 0 and 1, `[batch × views, features]`.
    pub fn multi_hot(&self) -> Vec<f32> {
        let lists = self.len() * self.positions.views();
        let mut inputs = vec![0.0; lists * self.features];
        for (index, row) in inputs.chunks_exact_mut(self.features).enumerate() {
            for &feature in self.positions.list(index) {
                row[usize::from(feature)] = 1.0;
            }
        }
        inputs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn batch(lists: &[&[u16]], views: usize, targets: &[f32]) -> Batch {
        let mut positions = EncodedPositions::with_capacity(views, 2, 2);
        lists
            .chunks(views)
            .for_each(|views| positions.push(views, 0));
        Batch::new(4, positions, targets.to_vec())
    }

    #[test]
    fn views_become_rows_of_zeros_and_ones() {
        let lists: [&[u16]; 4] = [&[0, 3], &[], &[2], &[1]];
        let batch = batch(&lists, 2, &[1.0, 0.5]);
        let expected = [
            1., 0., 0., 1., 0., 0., 0., 0., 0., 0., 1., 0., 0., 1., 0., 0.,
        ];
        assert_eq!(batch.multi_hot(), expected);
        assert_eq!((batch.len(), batch.targets()), (2, &[1.0, 0.5][..]));
    }

    #[test]
    #[should_panic(expected = "feature 4 of 4")]
    fn features_of_another_set_are_rejected() {
        batch(&[&[4]], 1, &[0.5]);
    }

    #[test]
    #[should_panic(expected = "target NaN is not from 0 to 1")]
    fn targets_out_of_range_are_rejected() {
        batch(&[&[0]], 1, &[f32::NAN]);
    }
}
