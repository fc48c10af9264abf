//! What the program needs of a game beyond its rules: players, feature sets, books.

mod factory;
mod level;
mod spec;
mod tables;
mod tunable;

pub use factory::{MakePlayer, PlayerFactory};
pub use level::Level;
pub use spec::{NetworkSource, PlayerSpec, SpecError};
pub use tables::{EndgameTables, NoTables, TablesError, TablesReport, tables_folder};
pub use tunable::{TunableParameters, WeightsError};

use std::sync::Arc;

use thiserror::Error;

use crate::features::FeatureSet;
use crate::game::{ExactValues, Game, Picture};
use crate::network::{FeatureId, MismatchError, Network, QuantizeError};
use crate::search::{
    Limits, Player, Replacement, Sharing, Switches, Techniques, TranspositionTable,
};

/// Nodes that a search looks at in a second, so that its table fits what a limit of time leaves.
const NODES_A_SECOND: f64 = 3e6;

/// Exact values that all players of a player_factory share.
pub type ExactSource<G> = Arc<dyn ExactValues<G>>;

/// A feature set as training uses it: without its type.
#[derive(Clone, Debug)]
pub struct FeatureEncoder<G> {
    /// What files say of the set.
    pub id: FeatureId,
    /// The most features that one position switches on.
    pub max_active: usize,
    encode: fn(&G, &mut Vec<u16>),
}

impl<G: Game> FeatureEncoder<G> {
    /// The encoder of the feature set `F`.
    #[must_use]
    pub fn of<F: FeatureSet<G>>() -> Self {
        Self {
            id: FeatureId::of::<G, F>(),
            max_active: F::MAX_ACTIVE,
            encode: |position, active| {
                F::visit_active(position, |feature| active.push(feature as u16));
            },
        }
    }

    /// Replaces the content of `active` with the position's active features.
    pub fn encode(&self, position: &G, active: &mut Vec<u16>) {
        active.clear();
        (self.encode)(position, active);
    }
}

/// What a network is computed in by the search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Arithmetic {
    /// Floating point, each position from its beginning.
    Float,
    /// Integers, the first layer following the search.
    #[default]
    Integer,
}

/// Why a network makes no player.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PlayerError {
    /// It is of another game or sees features that the game does not have.
    #[error(transparent)]
    Mismatch(#[from] MismatchError),
    /// It cannot be computed in integers.
    #[error(transparent)]
    Quantize(#[from] QuantizeError),
}

/// How a searching player is set up, whatever its evaluation.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SearchSetup {
    /// When its searches stop.
    pub limits: Limits,
    /// Slots of its table, as a power of two; chosen by the limits if not given.
    pub hash_bits: Option<u32>,
    /// Which positions share entries with their images; chosen by the evaluation if not given.
    pub sharing: Option<Sharing>,
    /// Techniques that are on or off.
    pub on: Switches,
    /// Whether its table replaces always, for comparison.
    pub always_replace: bool,
}

impl SearchSetup {
    /// A setup with limits and nothing else out of the ordinary.
    #[must_use]
    pub fn with_limits(limits: Limits) -> Self {
        Self {
            limits,
            ..Self::default()
        }
    }

    /// The table that the setup asks for.
    #[must_use]
    pub fn table<G: Game>(&self) -> TranspositionTable<G> {
        // A small search stays in a small table, which stays in the processor's cache.
        let by_time = self.limits.time.map(|time| {
            let nodes = time.as_secs_f64() * NODES_A_SECOND;
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

    /// The techniques that the setup asks for.
    #[must_use]
    pub fn techniques(&self, symmetric: bool) -> Techniques {
        let usual = Techniques::for_symmetry(symmetric);
        Techniques {
            sharing: self.sharing.unwrap_or(usual.sharing),
            on: self.on,
        }
    }
}

/// A game with everything that the program offers for it.
pub trait Kit: Picture {
    /// The game's endgame tables.
    type Tables: EndgameTables<Self>;

    /// Names of the hand-written evaluations, the one that networks are measured by first.
    const EVALUATIONS: &'static [&'static str];

    /// The player of a hand-written evaluation, by its name, with exact values if given.
    fn evaluation_player(
        name: &str,
        setup: &SearchSetup,
        exact: Option<ExactSource<Self>>,
    ) -> Option<Box<dyn Player<Self>>>;

    /// What a hand-written evaluation weighs, by its name, if it can play by other weights.
    fn tunable(name: &str) -> Option<TunableParameters<Self>>;

    /// The feature sets that networks can be trained on, the usual one first.
    fn feature_sets() -> Vec<FeatureEncoder<Self>>;

    /// The player that a network makes, with exact values if given.
    ///
    /// # Errors
    /// If the network is of another game, no feature set here is the one that it was trained on, or
    /// its weights are too large for integers.
    fn network_player(
        network: &Network,
        arithmetic: Arithmetic,
        setup: &SearchSetup,
        exact: Option<ExactSource<Self>>,
    ) -> Result<MakePlayer<Self>, PlayerError>;

    /// The content of the network file that comes with the program, if one does; it has learnt the game by
    /// its usual rules.
    const NETWORK: Option<&'static [u8]>;

    /// The text of a tracked opening book, by its name.
    fn book(name: &str) -> Option<&'static str>;

    /// The names of the tracked opening books.
    const BOOKS: &'static [&'static str];

    /// Positions of all phases that measure the search.
    fn bench_positions() -> Vec<Self>;
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
