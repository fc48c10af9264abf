//! The transposition table: fixed size, exact keys.

use super::ScoreType;
use super::cache::{CacheEntry, CacheHit, CacheKey, ScoreCache};
use super::statistics::count;
use crate::game::{Game, Key};

/// 2^64 divided by the golden ratio, for Fibonacci hashing.
const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

/// How many earlier searches are kept before everything is removed; a clear leaves room for
/// as many generations.
const MOST_KEPT: u8 = u8::MAX / 2;

/// Which entry is replaced when a bucket is full.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replacement {
    /// The first slot keeps the deepest entry of the search at hand, the second takes everything
    /// else; entries of earlier searches are replaced by both.
    DeepestAndLatest,
    /// Each key has one slot, which every new entry replaces.
    Always,
}

/// Key and entry side by side, so that a slot has no padding: 24 bytes with a key of 8.
#[derive(Clone, Copy, Debug)]
struct Slot<K, M> {
    position: K,
    lower: ScoreType,
    upper: ScoreType,
    best: Option<M>,
    depth: u8,
    /// The generation that wrote it; 0 is never current.
    generation: u8,
    shared: bool,
}

impl<K: PartialEq, M> Slot<K, M> {
    fn has_key(&self, key: &CacheKey<K>) -> bool {
        self.position == key.position && self.depth == key.depth && self.shared == key.shared
    }
}

impl<K, M: Copy> Slot<K, M> {
    fn hit(&self, is_current: bool) -> CacheHit<M> {
        CacheHit {
            depth: self.depth,
            is_current,
            entry: CacheEntry {
                lower: self.lower,
                upper: self.upper,
                best: self.best,
            },
        }
    }
}

/// A transposition table in buckets of two slots.
///
/// Slots hold whole keys, so a collision can lose an entry but never gives a wrong one.
#[derive(Clone, Debug)]
pub struct TranspositionTable<G: Game> {
    slots: Vec<Option<Slot<G::Key, G::Move>>>,
    bits: u32,
    /// Counts searches.
    generation: u8,
    /// The generation of the first search that is kept.
    oldest: u8,
    replacement: Replacement,
}

impl<G: Game> TranspositionTable<G> {
    /// A table of 2^`bits` slots, `bits` from 1 to 32, allocated once.
    #[must_use]
    pub fn new(bits: u32) -> Self {
        Self::with_replacement(bits, Replacement::DeepestAndLatest)
    }

    /// A table with a replacement scheme.
    #[must_use]
    pub fn with_replacement(bits: u32, replacement: Replacement) -> Self {
        let bits = bits.clamp(1, 32);
        Self {
            slots: vec![None; 1 << bits],
            bits,
            generation: 1,
            oldest: 1,
            replacement,
        }
    }

    /// The number of entries that it can hold.
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.slots.len()
    }

    /// The slots of a key.
    fn bucket(&self, key: &CacheKey<G::Key>) -> std::ops::Range<usize> {
        let position = key.position.fold();
        // The product carries bits upwards only: fold the high ones down first.
        // All depths of a position share a bucket.
        let mixed = position ^ position >> 29 ^ u64::from(key.shared);
        let hash = mixed.wrapping_mul(GOLDEN) >> (64 - self.bits);
        match self.replacement {
            Replacement::DeepestAndLatest => {
                let first = (hash & !1) as usize;
                first..first + 2
            }
            Replacement::Always => hash as usize..hash as usize + 1,
        }
    }

    /// A slot of a search that is kept.
    fn kept(&self, index: usize) -> Option<&Slot<G::Key, G::Move>> {
        let slot = self.slots[index].as_ref()?;
        (self.oldest..=self.generation)
            .contains(&slot.generation)
            .then_some(slot)
    }

    /// A slot of the current search.
    fn current(&self, index: usize) -> Option<&Slot<G::Key, G::Move>> {
        let slot = self.slots[index].as_ref()?;
        (slot.generation == self.generation).then_some(slot)
    }
}

impl<G: Game> ScoreCache<G> for TranspositionTable<G> {
    fn probe(&self, key: &CacheKey<G::Key>) -> Option<CacheHit<G::Move>> {
        let mut deepest: Option<&Slot<G::Key, G::Move>> = None;
        for index in self.bucket(key) {
            let Some(slot) = self.kept(index) else {
                continue;
            };
            if slot.position != key.position || slot.shared != key.shared {
                continue;
            }
            if slot.depth == key.depth && slot.generation == self.generation {
                return Some(slot.hit(true));
            }
            if deepest.is_none_or(|deepest| slot.depth >= deepest.depth) {
                deepest = Some(slot);
            }
        }
        deepest.map(|slot| slot.hit(false))
    }

    fn insert(&mut self, key: CacheKey<G::Key>, entry: CacheEntry<G::Move>) {
        let bucket = self.bucket(&key);
        let (first, last) = (bucket.start, bucket.end - 1);
        let new = Slot {
            position: key.position,
            lower: entry.lower,
            upper: entry.upper,
            best: entry.best,
            depth: key.depth,
            generation: self.generation,
            shared: key.shared,
        };
        let own = (first..=last)
            .find(|index| self.current(*index).is_some_and(|slot| slot.has_key(&key)));
        if let Some(index) = own {
            self.slots[index] = Some(new);
            return;
        }
        // An entry of a shallower or an earlier search of the position is superseded, except for
        // its move.
        let outdated = (first..=last).find(|index| {
            self.kept(*index).is_some_and(|slot| {
                let is_shallower = slot.depth < key.depth;
                let is_earlier = slot.depth == key.depth && slot.generation < self.generation;
                slot.position == key.position
                    && slot.shared == key.shared
                    && (is_shallower || is_earlier)
            })
        });
        if let Some(index) = outdated {
            let best = self.kept(index).and_then(|slot| slot.best);
            self.slots[index] = Some(Slot {
                best: new.best.or(best),
                ..new
            });
            return;
        }
        if self.current(last).is_some() {
            count!(cache_overwrites);
        }
        match self.current(first) {
            Some(slot) if slot.depth > key.depth => self.slots[last] = Some(new),
            _ => {
                if first != last && self.current(first).is_some() {
                    self.slots[last] = self.slots[first];
                }
                self.slots[first] = Some(new);
            }
        }
    }

    fn clear(&mut self) {
        if self.generation > MOST_KEPT {
            // The counter would return to generations that slots still carry.
            self.slots.fill(None);
            self.generation = 0;
        }
        self.generation += 1;
        self.oldest = self.generation;
    }

    fn age(&mut self) {
        // Counted from the last clear, so that searches before it make no difference.
        if self.generation - self.oldest < MOST_KEPT {
            self.generation += 1;
        } else {
            self.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::games::bagh_chal::{Move, Position};

    type Table = TranspositionTable<Position>;

    fn key(position: u64, depth: u8) -> CacheKey<u64> {
        CacheKey {
            position,
            depth,
            shared: false,
        }
    }

    fn entry(score: ScoreType) -> CacheEntry<Move> {
        CacheEntry {
            lower: score,
            upper: score,
            best: None,
        }
    }

    /// The entry of a key from the current search.
    fn current(table: &Table, key: &CacheKey<u64>) -> Option<CacheEntry<Move>> {
        let hit = table.probe(key).filter(|hit| hit.is_current);
        hit.map(|hit| hit.entry)
    }

    /// The entry of a key from any search, with its depth.
    fn deepest(table: &Table, key: &CacheKey<u64>) -> Option<(u8, CacheEntry<Move>)> {
        table.probe(key).map(|hit| (hit.depth, hit.entry))
    }

    #[test]
    fn a_slot_takes_24_bytes() {
        assert_eq!(size_of::<Option<Slot<u64, Move>>>(), 24);
    }

    #[test]
    fn nothing_survives_any_number_of_clears() {
        let mut table = Table::new(4);
        for round in 0..600 {
            assert_eq!(deepest(&table, &key(7, 3)), None, "{round}");
            table.insert(key(7, 3), entry(1.0));
            table.clear();
        }
    }

    #[test]
    fn entries_of_earlier_searches_are_kept_until_they_are_replaced() {
        let mut table = Table::new(1);
        table.insert(key(1, 9), entry(9.0));
        table.insert(key(2, 3), entry(3.0));
        table.age();
        assert_eq!(current(&table, &key(1, 9)), None);
        assert_eq!(deepest(&table, &key(1, 5)), Some((9, entry(9.0))));
        assert_eq!(deepest(&table, &key(2, 5)), Some((3, entry(3.0))));
        table.insert(key(2, 3), entry(3.5));
        assert_eq!(current(&table, &key(2, 3)), Some(entry(3.5)));
        assert_eq!(deepest(&table, &key(1, 5)), Some((9, entry(9.0))));
        table.insert(key(4, 1), entry(1.0));
        assert_eq!(deepest(&table, &key(1, 5)), None, "the deep one gives way");
        table.clear();
        for position in 0..5 {
            assert_eq!(deepest(&table, &key(position, 1)), None);
        }
    }

    #[test]
    fn the_generation_counter_may_wrap() {
        let mut table = Table::new(4);
        for round in 0..600_u16 {
            let score = entry(round.into());
            table.insert(key(7, 3), score);
            assert_eq!(current(&table, &key(7, 3)), Some(score));
            table.age();
            assert_eq!(current(&table, &key(7, 3)), None, "{round}");
            let kept = deepest(&table, &key(7, 1));
            assert!(kept.is_none() || kept == Some((3, score)), "{round}");
        }
    }

    #[test]
    fn a_cleared_table_behaves_like_a_new_one() {
        let game = |table: &mut Table, searches: u64| {
            let mut found = Vec::new();
            for search in 0..searches {
                for position in 0..12 {
                    let key = key((position * position + search) % 9, (position % 4) as u8);
                    table.insert(key, entry((position + search) as f32));
                    found.push((current(table, &key), deepest(table, &key)));
                }
                table.age();
            }
            found
        };
        let mut table = Table::new(2);
        for searches in [1, 90, 127, 128, 129, 300, 2, 600, 40, 254, 255, 256] {
            assert_eq!(
                game(&mut table, searches),
                game(&mut Table::new(2), searches)
            );
            table.clear();
        }
    }

    #[test]
    fn the_deepest_entry_of_a_bucket_stays() {
        let mut table = Table::new(1);
        table.insert(key(1, 9), entry(9.0));
        for position in 2..100 {
            table.insert(key(position, 1), entry(1.0));
        }
        assert_eq!(current(&table, &key(1, 9)), Some(entry(9.0)));
        assert_eq!(current(&table, &key(99, 1)), Some(entry(1.0)));
        table.insert(key(1000, 10), entry(10.0));
        assert_eq!(
            current(&table, &key(1, 9)),
            Some(entry(9.0)),
            "moves down, not out"
        );
    }

    #[test]
    fn the_deepest_entry_of_a_position_is_found_at_any_depth_and_inherits_its_move() {
        let mut table = Table::new(4);
        let mv = crate::game::Game::moves(&<Position as crate::game::Game>::start(&()))[3];
        let found = CacheEntry {
            best: Some(mv),
            ..entry(2.0)
        };
        table.insert(key(7, 2), found);
        assert_eq!(deepest(&table, &key(7, 9)), Some((2, found)));
        table.insert(key(7, 5), entry(5.0));
        let deeper = CacheEntry {
            best: Some(mv),
            ..entry(5.0)
        };
        assert_eq!(current(&table, &key(7, 2)), None);
        assert_eq!(deepest(&table, &key(7, 2)), Some((5, deeper)));
        table.insert(key(7, 1), entry(1.0));
        assert_eq!(current(&table, &key(7, 1)), Some(entry(1.0)));
        assert_eq!(deepest(&table, &key(7, 4)), Some((5, deeper)));
        assert_eq!(deepest(&table, &key(8, 1)), None);
    }

    #[test]
    fn replacing_always_keeps_the_latest() {
        let mut table = Table::with_replacement(1, Replacement::Always);
        for position in 0..50 {
            table.insert(key(position, 5), entry(position as f32));
        }
        let kept = (0..50)
            .filter(|p| current(&table, &key(*p, 5)).is_some())
            .count();
        assert!(kept <= 2);
    }

    proptest! {
        #[test]
        fn a_table_never_returns_an_entry_that_a_map_does_not(
            steps in prop::collection::vec((0_u64..40, 0_u8..4, any::<bool>(), -9_i8..9), 1..300),
        ) {
            let mut table = Table::new(3);
            let mut map = std::collections::HashMap::new();
            for (position, depth, shared, score) in steps {
                let key = CacheKey { position, depth, shared };
                if let Some(found) = current(&table, &key) {
                    prop_assert_eq!(Some(&found), map.get(&key));
                }
                table.insert(key, entry(score.into()));
                map.insert(key, entry(score.into()));
                prop_assert_eq!(current(&table, &key), Some(entry(score.into())));
            }
        }
    }
}
