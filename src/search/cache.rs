//! What searches remember of positions.

use std::collections::HashMap;

use super::ScoreType;
use crate::game::Game;

/// What a cache entry belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CacheKey<K> {
    /// The position's key, or that of its canonical image if `shared`.
    pub position: K,
    /// Plies still to be searched below the position.
    pub depth: u8,
    /// Whether all images of the position share the entry.
    pub shared: bool,
}

/// What a search proved of a position: its score lies in `lower..=upper`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CacheEntry<M> {
    /// The least that the score can be.
    pub lower: ScoreType,
    /// The most that the score can be.
    pub upper: ScoreType,
    /// The move that gave the score, where one is known to be best.
    pub best: Option<M>,
}

impl<M: Copy> CacheEntry<M> {
    /// What a fail-soft search with the window `alpha..beta` proved by `score`.
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

    /// What this entry and an older one prove together.
    ///
    /// Where draws by repetition on different paths, or selective techniques, make the two contradict
    /// each other, the newer one stands alone.
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

/// A memory of scores.
pub trait ScoreCache<G: Game> {
    /// The entry of a key, if the search at hand has made one that is remembered.
    fn lookup(&self, key: &CacheKey<G::Key>) -> Option<CacheEntry<G::Move>>;

    /// The deepest entry that is remembered of a key's position, whatever the key's own depth, and
    /// its depth; caches that do not know of any answer as [`ScoreCache::lookup`] does.
    fn lookup_any(&self, key: &CacheKey<G::Key>) -> Option<(u8, CacheEntry<G::Move>)> {
        self.lookup(key).map(|entry| (key.depth, entry))
    }

    /// Remembers an entry in place of any other of its key.
    fn insert(&mut self, key: CacheKey<G::Key>, entry: CacheEntry<G::Move>);

    /// Forgets everything.
    fn clear(&mut self);

    /// Begins the next search of a game: what is remembered gives way to what it finds, and is no
    /// more to be had from [`ScoreCache::lookup`]. A cache may forget it at once.
    fn age(&mut self) {
        self.clear();
    }
}

/// Remembers everything; the plain reference among the caches.
impl<G: Game> ScoreCache<G> for HashMap<CacheKey<G::Key>, CacheEntry<G::Move>> {
    fn lookup(&self, key: &CacheKey<G::Key>) -> Option<CacheEntry<G::Move>> {
        self.get(key).copied()
    }

    fn insert(&mut self, key: CacheKey<G::Key>, entry: CacheEntry<G::Move>) {
        Self::insert(self, key, entry);
    }

    fn clear(&mut self) {
        Self::clear(self);
    }
}

/// Remembers nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoCache;

impl<G: Game> ScoreCache<G> for NoCache {
    fn lookup(&self, _: &CacheKey<G::Key>) -> Option<CacheEntry<G::Move>> {
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
    fn the_three_results_of_a_window_prove_what_they_should() {
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
