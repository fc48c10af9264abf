//! The interface of transposition tables.

use std::collections::HashMap;

use super::ScoreType;
use crate::game::Game;

/// The key of a table entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CacheKey<K> {
    /// The position's key, or that of its canonical image if `shared`.
    pub position: K,
    /// Remaining depth, in plies.
    pub depth: u8,
    /// Whether symmetric positions share the entry.
    pub shared: bool,
}

/// Bounds that a search proved for a position: its score lies in `lower..=upper`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CacheEntry<M> {
    /// The lower bound of the score.
    pub lower: ScoreType,
    /// The upper bound of the score.
    pub upper: ScoreType,
    /// The move that gave the score, if one is known to be best: the hash move.
    pub best: Option<M>,
}

impl<M: Copy> CacheEntry<M> {
    /// The bounds that `score` proves after a fail-soft search with the window `alpha..beta`.
    #[must_use]
    pub fn proved(score: ScoreType, alpha: ScoreType, beta: ScoreType, best: Option<M>) -> Self {
        if score <= alpha {
            Self {
                lower: ScoreType::NEG_INFINITY,
                upper: score,
                best: None,
            }
        } else if score >= beta {
            Self {
                lower: score,
                upper: ScoreType::INFINITY,
                best,
            }
        } else {
            Self {
                lower: score,
                upper: score,
                best,
            }
        }
    }

    /// The bounds that this entry and an older one prove together.
    ///
    /// Where draws by repetition on different paths, or selective techniques, make the two
    /// contradict each other, the newer one is returned.
    #[must_use]
    pub fn intersected(self, older: &Self) -> Self {
        let lower = self.lower.max(older.lower);
        let upper = self.upper.min(older.upper);
        if lower > upper {
            return self;
        }
        Self {
            lower,
            upper,
            best: self.best.or(older.best),
        }
    }
}

/// What a probe of a table found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CacheHit<M> {
    /// The depth of the search that wrote the entry, in plies.
    pub depth: u8,
    /// Whether the entry has the key's own depth and was written by the current search.
    pub is_current: bool,
    /// The entry.
    pub entry: CacheEntry<M>,
}

/// Stores scores of positions.
pub trait ScoreCache<G: Game> {
    /// Looks a key up: the entry of its own depth from the current search, or else the deepest one
    /// of its position, if the cache keeps others.
    fn probe(&self, key: &CacheKey<G::Key>) -> Option<CacheHit<G::Move>>;

    /// Stores an entry in place of any other with its key.
    fn insert(&mut self, key: CacheKey<G::Key>, entry: CacheEntry<G::Move>);

    /// Removes all entries.
    fn clear(&mut self);

    /// Begins the next search of a game: entries of earlier searches give way to new ones and are
    /// no longer current. A cache may remove them at once.
    fn age(&mut self) {
        self.clear();
    }
}

/// Stores everything; the plain reference among the caches.
impl<G: Game> ScoreCache<G> for HashMap<CacheKey<G::Key>, CacheEntry<G::Move>> {
    fn probe(&self, key: &CacheKey<G::Key>) -> Option<CacheHit<G::Move>> {
        self.get(key).map(|entry| CacheHit {
            depth: key.depth,
            is_current: true,
            entry: *entry,
        })
    }

    fn insert(&mut self, key: CacheKey<G::Key>, entry: CacheEntry<G::Move>) {
        Self::insert(self, key, entry);
    }

    fn clear(&mut self) {
        Self::clear(self);
    }
}

/// Stores nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoCache;

impl<G: Game> ScoreCache<G> for NoCache {
    fn probe(&self, _: &CacheKey<G::Key>) -> Option<CacheHit<G::Move>> {
        None
    }

    fn insert(&mut self, _: CacheKey<G::Key>, _: CacheEntry<G::Move>) {}

    fn clear(&mut self) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(lower: ScoreType, upper: ScoreType, best: Option<u8>) -> CacheEntry<u8> {
        CacheEntry { lower, upper, best }
    }

    #[test]
    fn scores_below_above_and_inside_a_window_give_the_right_bounds() {
        let (low, high) = (ScoreType::NEG_INFINITY, ScoreType::INFINITY);
        let proved = |score| CacheEntry::proved(score, 1.0, 3.0, Some(7));
        assert_eq!(proved(0.5), entry(low, 0.5, None));
        assert_eq!(proved(3.0), entry(3.0, high, Some(7)));
        assert_eq!(proved(2.0), entry(2.0, 2.0, Some(7)));
    }

    #[test]
    fn entries_narrow_each_other_unless_they_contradict() {
        let older = entry(1.0, 5.0, Some(1));
        assert_eq!(
            entry(2.0, 9.0, None).intersected(&older),
            entry(2.0, 5.0, Some(1))
        );
        let newer = entry(6.0, ScoreType::INFINITY, Some(2));
        assert_eq!(newer.intersected(&older), newer);
    }
}
