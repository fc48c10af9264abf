//! Playing strength, from a beginner's to the player's full strength.

use std::sync::Arc;

use super::MakePlayer;
use crate::game::Game;
use crate::search::{Limits, WeakenedPlayer};

/// Nodes per move and temperature of each level except the strongest.
const WEAKENED: [(u64, f32); 9] = [
    (30, 1.6),
    (60, 1.0),
    (120, 0.7),
    (250, 0.5),
    (500, 0.35),
    (1000, 0.25),
    (2000, 0.18),
    (4000, 0.12),
    (8000, 0.06),
];

/// A playing strength, from 1 to [`Level::STRONGEST`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level(usize);

impl Level {
    /// The level of full strength.
    pub const STRONGEST: u64 = WEAKENED.len() as u64 + 1;

    /// Returns the level of that number; `None` if it is out of range.
    #[must_use]
    pub fn new(number: u64) -> Option<Self> {
        (1..=Self::STRONGEST)
            .contains(&number)
            .then(|| Self(number as usize - 1))
    }

    /// The number of the level.
    #[must_use]
    pub fn number(self) -> u64 {
        self.0 as u64 + 1
    }

    /// The limits of its searches; `None` at the strongest level, where the player's own apply.
    #[must_use]
    pub fn limits(self) -> Option<Limits> {
        let (nodes, _) = WEAKENED.get(self.0)?;
        Some(Limits::nodes(*nodes))
    }

    /// Wraps a factory so that its players play at this level.
    #[must_use]
    pub fn weaken<G: Game>(self, make: MakePlayer<G>) -> MakePlayer<G> {
        match WEAKENED.get(self.0) {
            None => make,
            Some(&(_, temperature)) => {
                Arc::new(move || Box::new(WeakenedPlayer::new(make(), temperature)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn higher_levels_search_more_and_err_less() {
        let ordered = WEAKENED.is_sorted_by(|a, b| a.0 < b.0 && a.1 > b.1 && b.1 > 0.0);
        assert!(ordered);
        assert_eq!(Level::new(0), None);
        assert_eq!(Level::new(Level::STRONGEST + 1), None);
        let strongest = Level::new(Level::STRONGEST).unwrap();
        assert_eq!(strongest.limits(), None);
    }
}
