//! Counters of the search, compiled in by the feature `search-stats` alone.

#[cfg(feature = "search-stats")]
use std::cell::Cell;

use serde::Serialize;

/// Events of a thread's searches since the counters were last taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SearchStats {
    /// Positions visited, the root included.
    pub nodes: u64,
    /// Static evaluations.
    pub leaves: u64,
    /// Finished positions.
    pub terminals: u64,
    /// Positions scored as repetitions.
    pub repetitions: u64,
    /// Table probes.
    pub cache_probes: u64,
    /// Probes that found an entry of the depth searched.
    pub cache_hits: u64,
    /// Table cutoffs.
    pub cache_returns: u64,
    /// Entries of the current search that were replaced.
    pub cache_overwrites: u64,
    /// Nodes with a beta cutoff (for `Min`, alpha).
    pub cutoffs: u64,
    /// Of these, by the first move tried.
    pub first_move_cutoffs: u64,
    /// Move lists generated.
    pub generations: u64,
}

#[cfg(feature = "search-stats")]
thread_local! {
    static STATS: Cell<SearchStats> = const { Cell::new(SearchStats {
        nodes: 0, leaves: 0, terminals: 0, repetitions: 0, cache_probes: 0, cache_hits: 0,
        cache_returns: 0, cache_overwrites: 0, cutoffs: 0, first_move_cutoffs: 0, generations: 0,
    }) };
}

impl SearchStats {
    /// Reads and resets the counters of this thread.
    #[cfg(feature = "search-stats")]
    #[must_use]
    pub fn take() -> Self {
        STATS.take()
    }

    /// Applies a change to the counters of this thread.
    #[cfg(feature = "search-stats")]
    pub(super) fn update(change: impl FnOnce(&mut Self)) {
        STATS.with(|cell| {
            let mut stats = cell.get();
            change(&mut stats);
            cell.set(stats);
        });
    }
}

/// Counts one event of the search; nothing without the feature `search-stats`.
macro_rules! count {
    ($field:ident) => {
        #[cfg(feature = "search-stats")]
        $crate::search::SearchStats::update(|stats| stats.$field += 1);
    };
}
pub(super) use count;
