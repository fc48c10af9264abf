//! A histogram with bins of equal width.

use serde::{Deserialize, Serialize};

/// Counts in bins of equal width; values outside the range count in the outermost bins.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Histogram {
    /// Lower bound of the first bin.
    pub from: f32,
    /// Width of a bin.
    pub width: f32,
    /// Count of each bin.
    pub counts: Vec<u64>,
}

impl Histogram {
    /// Creates a histogram of `bins` empty bins.
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
        // The conversion saturates: values below the range go to bin 0.
        let bin = ((value - self.from) / self.width).floor() as usize;
        if let Some(last) = self.counts.len().checked_sub(1) {
            self.counts[bin.min(last)] += 1;
        }
    }

    /// Adds the counts of another histogram with the same bins.
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
    fn values_are_counted_in_their_bins() {
        let mut histogram = Histogram::new(-1.0, 0.5, 4);
        for value in [-9.0, -1.0, -0.51, -0.5, 0.0, 0.9, 1.0, f32::MAX] {
            histogram.add(value);
        }
        assert_eq!(histogram.counts, [3, 1, 1, 3]);
    }
}
