//! Counts of values by size.

use serde::{Deserialize, Serialize};

/// Counts in bins of equal width; the outer bins also take what lies beyond them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Histogram {
    /// Where the first bin begins.
    pub from: f32,
    /// The width of a bin.
    pub width: f32,
    /// The count of each bin.
    pub counts: Vec<u64>,
}

impl Histogram {
    /// `bins` empty bins.
    #[must_use]
    pub fn new(from: f32, width: f32, bins: usize) -> Self {
        Self {
            from,
            width,
            counts: vec![0; bins],
        }
    }

    /// Counts a value.
    pub fn add(&mut self, value: f32) {
        // The conversion saturates: what lies below comes to bin 0.
        let bin = ((value - self.from) / self.width).floor() as usize;
        if let Some(last) = self.counts.len().checked_sub(1) {
            self.counts[bin.min(last)] += 1;
        }
    }

    /// Adds what another histogram of the same bins has counted.
    pub(super) fn absorb(&mut self, other: &Self) {
        for (count, more) in self.counts.iter_mut().zip(&other.counts) {
            *count += more;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_count_where_they_belong() {
        let mut histogram = Histogram::new(-1.0, 0.5, 4);
        for value in [-9.0, -1.0, -0.51, -0.5, 0.0, 0.9, 1.0, f32::MAX] {
            histogram.add(value);
        }
        assert_eq!(histogram.counts, [3, 1, 1, 3]);
    }
}
