//! The settings of a searching player besides its evaluation.

use crate::game::Game;
use crate::search::{Limits, Replacement, Sharing, Switches, Techniques, TranspositionTable};

/// Assumed nodes per second of a search, to size the table of a search that is limited by time.
const NODES_PER_SECOND: f64 = 3e6;

/// The settings of a searching player besides its evaluation.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SearchSetup {
    /// When its searches stop.
    pub limits: Limits,
    /// Slots of its transposition table, as a power of two; derived from the limits if `None`.
    pub hash_bits: Option<u32>,
    /// Which positions share entries with their symmetric images; derived from the evaluation if `None`.
    pub sharing: Option<Sharing>,
    /// Search techniques that are on or off.
    pub on: Switches,
    /// Whether the table always replaces, for comparison.
    pub always_replace: bool,
}

impl SearchSetup {
    /// Returns the default setup with these limits.
    #[must_use]
    pub fn with_limits(limits: Limits) -> Self {
        Self {
            limits,
            ..Self::default()
        }
    }

    /// Makes the transposition table of the setup.
    #[must_use]
    pub fn table<G: Game>(&self) -> TranspositionTable<G> {
        // A table for a small search stays small, and so in the processor's cache.
        let by_time = self.limits.time.map(|time| {
            let nodes = time.as_secs_f64() * NODES_PER_SECOND;
            nodes.min(u64::MAX as f64) as u64
        });
        let nodes = self.limits.nodes.into_iter().chain(by_time).min();
        let usual = nodes.map(|nodes| (nodes.max(1).ilog2() + 1).clamp(8, 20));
        let bits = self.hash_bits.or(usual);
        let replacement = if self.always_replace {
            Replacement::Always
        } else {
            Replacement::DeepestAndLatest
        };
        TranspositionTable::with_replacement(bits.unwrap_or(20), replacement)
    }

    /// Returns the search techniques for an evaluation that is `symmetric` or not.
    #[must_use]
    pub fn techniques(&self, symmetric: bool) -> Techniques {
        let usual = Techniques::for_symmetry(symmetric);
        Techniques {
            sharing: self.sharing.unwrap_or(usual.sharing),
            on: self.on,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::games::bagh_chal::Position;

    #[test]
    fn a_table_is_as_large_as_its_search_by_nodes_or_time() {
        let capacity = |limits, hash_bits| {
            let setup = SearchSetup {
                hash_bits,
                ..SearchSetup::with_limits(limits)
            };
            setup.table::<Position>().capacity()
        };
        let millis = |millis| Limits::time(Duration::from_millis(millis));
        assert_eq!(capacity(Limits::nodes(2000), None), 2048);
        assert_eq!(
            capacity(millis(20), None),
            capacity(Limits::nodes(60_000), None)
        );
        assert!(capacity(millis(10), None) < capacity(millis(100), None));
        let both = Limits {
            nodes: Some(2000),
            ..millis(100)
        };
        assert_eq!(capacity(both, None), 2048);
        assert_eq!(capacity(Limits::nodes(1), None), 256);
        for unbounded in [Limits::depth(9), millis(u64::MAX)] {
            assert_eq!(capacity(unbounded, None), 1 << 20);
        }
        assert_eq!(capacity(millis(20), Some(12)), 1 << 12);
    }
}
