//! What moves did to the exact value of positions.

use serde::{Deserialize, Serialize};

use crate::statistics::{paired_share_interval, share_interval};

/// What a move did to the value, from the view of the side that made it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Grade {
    /// The value stayed.
    Kept,
    /// A won position became a drawn one.
    WinToDraw,
    /// A drawn position became a lost one.
    DrawToLoss,
    /// A won position became a lost one.
    WinToLoss,
}

/// Moves by what they did to the value, from the view of their side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GradeCounts {
    /// Positions.
    pub positions: u64,
    /// Moves that kept the value.
    pub kept: u64,
    /// Wins that became draws.
    pub win_to_draw: u64,
    /// Draws that became losses.
    pub draw_to_loss: u64,
    /// Wins that became losses.
    pub win_to_loss: u64,
    /// The share of moves that kept the value.
    pub kept_share: Option<f64>,
    /// The 95 % interval of that share.
    pub kept_interval: Option<[f64; 2]>,
}

impl GradeCounts {
    /// The counts of some grades.
    #[must_use]
    pub fn of(grades: impl IntoIterator<Item = Grade>) -> Self {
        let mut counts = Self::default();
        for grade in grades {
            counts.positions += 1;
            *match grade {
                Grade::Kept => &mut counts.kept,
                Grade::WinToDraw => &mut counts.win_to_draw,
                Grade::DrawToLoss => &mut counts.draw_to_loss,
                Grade::WinToLoss => &mut counts.win_to_loss,
            } += 1;
        }
        let share = counts.kept as f64 / counts.positions as f64;
        counts.kept_share = (counts.positions > 0).then_some(share);
        counts.kept_interval = share_interval(counts.kept, counts.positions);
        counts
    }
}

/// How much more often one player kept the value than another on the same positions.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeptDifference {
    /// The difference of the shares; positive if the first of the two is better.
    pub difference: f64,
    /// Its paired 95 % interval.
    pub interval: [f64; 2],
}

impl KeptDifference {
    /// Compares two players by their grades on the same positions in the same order; none without
    /// positions.
    #[must_use]
    pub fn of(one: &[Grade], other: &[Grade]) -> Option<Self> {
        let alone = |one: &[Grade], other: &[Grade]| {
            let pairs = one.iter().zip(other);
            let alone = pairs.filter(|(a, b)| **a == Grade::Kept && **b != Grade::Kept);
            alone.count() as u64
        };
        let (better, worse) = (alone(one, other), alone(other, one));
        let positions = one.len().min(other.len()) as u64;
        Some(Self {
            interval: paired_share_interval(better, worse, positions)?,
            difference: (better as f64 - worse as f64) / positions as f64,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Grade::{DrawToLoss, Kept, WinToDraw, WinToLoss};

    #[test]
    fn counts_and_differences_are_those_counted_by_hand() {
        let counts = GradeCounts::of([Kept, WinToDraw, DrawToLoss, WinToLoss, Kept]);
        assert_eq!((counts.positions, counts.kept), (5, 2));
        assert_eq!(counts.kept_share, Some(0.4));
        assert_eq!(GradeCounts::of([]).kept_share, None);
        let difference = KeptDifference::of(
            &[Kept, Kept, WinToDraw, Kept],
            &[WinToDraw, Kept, WinToDraw, DrawToLoss],
        );
        let difference = difference.unwrap();
        assert_eq!(difference.difference, 0.5);
        assert!(difference.interval[0] < 0.5 && difference.interval[1] > 0.5);
    }
}
