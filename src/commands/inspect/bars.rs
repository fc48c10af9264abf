//! Histograms as bars of text.

use crate::shard::Histogram;

/// Length of the longest bar, in columns.
const WIDTH: u64 = 40;

/// Formats one line per bin from the first to the last non-empty one: range, count and bar.
///
/// A non-empty bin has a visible bar.
pub(super) fn bars(histogram: &Histogram) -> Vec<String> {
    let counts = &histogram.counts;
    let most = counts.iter().copied().max().unwrap_or(0);
    let filled = |count: &u64| *count > 0;
    let (Some(first), Some(last)) = (
        counts.iter().position(filled),
        counts.iter().rposition(filled),
    ) else {
        return Vec::new();
    };
    let line = |bin: usize| {
        let count = counts[bin];
        let columns = (u128::from(count) * u128::from(WIDTH)).div_ceil(u128::from(most)) as usize;
        let (range, bar) = (range(histogram, bin), "█".repeat(columns));
        let line = format!("{range:>11} {count:>9} {bar}");
        line.trim_end().to_owned()
    };
    (first..=last).map(line).collect()
}

/// Formats the range of a bin; the outer bins include everything beyond them.
fn range(histogram: &Histogram, bin: usize) -> String {
    let from = histogram.from + bin as f32 * histogram.width;
    let to = from + histogram.width;
    if bin == 0 {
        format!("below {to}")
    } else if bin + 1 == histogram.counts.len() {
        format!("{from} or more")
    } else {
        format!("{from} to {to}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn histogram(values: &[f32]) -> Histogram {
        let mut histogram = Histogram::new(-2.0, 1.0, 4);
        values.iter().for_each(|value| histogram.add(*value));
        histogram
    }

    #[test]
    fn bars_are_as_long_as_their_counts_and_gaps_stay() {
        let mut values = vec![-1.5; 80];
        values.extend([0.5; 20]);
        let lines = bars(&histogram(&values));
        assert_eq!(lines.len(), 3);
        let columns = |line: &str| line.matches('█').count();
        assert_eq!(columns(&lines[0]), 40);
        assert_eq!(lines[1], "    -1 to 0         0");
        assert_eq!(columns(&lines[2]), 10);
    }

    #[test]
    fn the_smallest_count_is_seen() {
        let mut values = vec![0.0; 100_000];
        values.push(9.0);
        let lines = bars(&histogram(&values));
        assert!(lines[1].ends_with(" 1 █"), "{}", lines[1]);
        assert!(lines[1].contains("1 or more"), "{}", lines[1]);
    }

    #[test]
    fn nothing_counted_has_no_bars() {
        assert!(bars(&histogram(&[])).is_empty());
    }
}
