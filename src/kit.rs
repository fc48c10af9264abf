//! Everything that the program needs of a game besides its rules: evaluations, feature sets, books,
//! tables, a network.

mod evaluation;
mod factory;
mod features;
mod level;
mod setup;
mod spec;
mod tables;
mod tunable;

pub use evaluation::{HandWritten, player};
pub use factory::{MakePlayer, PlayerFactory};
pub use features::{FeatureEncoder, PlayerError, UnknownFeatureSet, encoder, network_player};
pub use level::Level;
pub use setup::SearchSetup;
pub use spec::{NetworkSource, PlayerSpec, SpecError};
pub use tables::{EndgameTables, NoTables, TablesError, TablesReport, tables_folder};
pub use tunable::{TunableParameters, WeightsError};

use std::sync::Arc;

use crate::game::{ExactValues, Picture};

/// Tablebase values that the players of a factory share.
pub type ExactSource<G> = Arc<dyn ExactValues<G>>;

/// A game with everything that the program offers for it.
///
/// A game sets `Tables` and `EVALUATIONS`; to train networks for it, also
/// [`Kit::feature_sets`]. Everything else is optional.
pub trait Kit: Picture {
    /// The game's endgame tables; [`NoTables`] if there are none.
    type Tables: EndgameTables<Self>;

    /// The hand-written evaluations, at least one. Networks are measured against the first.
    const EVALUATIONS: &'static [HandWritten<Self>];

    /// The opening books that the program contains, as name and text. Commands use `gate` and
    /// `tuning` by default.
    const BOOKS: &'static [(&'static str, &'static str)] = &[];

    /// The network file that the program contains, trained by the default rules.
    const NETWORK: Option<&'static [u8]> = None;

    /// Unfinished positions of all phases that `bench` searches; the start of a game if empty.
    const BENCH: &'static [&'static str] = &[];

    /// Returns the feature sets that networks can be trained on, the default one first.
    #[must_use]
    fn feature_sets() -> Vec<FeatureEncoder<Self>> {
        Vec::new()
    }

    /// Returns the feature set of that name, the default one if the name is empty.
    #[must_use]
    fn feature_set(name: &str) -> Option<FeatureEncoder<Self>> {
        let mut sets = Self::feature_sets().into_iter();
        sets.find(|set| name.is_empty() || set.id.name == name)
    }

    /// Returns the evaluation that networks are measured against.
    #[must_use]
    fn hand_written() -> &'static HandWritten<Self> {
        const { &Self::EVALUATIONS[0] }
    }

    /// Returns the hand-written evaluation of that name.
    #[must_use]
    fn evaluation(name: &str) -> Option<&'static HandWritten<Self>> {
        Self::EVALUATIONS.iter().find(|known| known.name == name)
    }

    /// Returns the tunable parameters of the hand-written evaluation of that name, if it has any.
    #[must_use]
    fn tunable(name: &str) -> Option<TunableParameters<Self>> {
        Self::evaluation(name)?.tunable.map(|tunable| tunable())
    }

    /// Returns the text of the opening book of that name.
    #[must_use]
    fn book(name: &str) -> Option<&'static str> {
        let mut books = Self::BOOKS.iter();
        books
            .find(|(known, _)| *known == name)
            .map(|(_, text)| *text)
    }

    /// Returns the positions of [`Kit::BENCH`].
    #[must_use]
    fn bench_positions() -> Vec<Self> {
        if Self::BENCH.is_empty() {
            return vec![Self::start(&Self::Rules::default())];
        }
        let positions = Self::BENCH.iter().map(|text| Self::parse_position(text));
        #[expect(clippy::expect_used, reason = "the conformance tests parse every line")]
        positions
            .collect::<Result<_, _>>()
            .expect("BENCH holds positions")
    }
}

/// Returns the names of a game's hand-written evaluations, for messages.
pub(crate) fn evaluation_names<G: Kit>() -> String {
    let names: Vec<&str> = G::EVALUATIONS.iter().map(|known| known.name).collect();
    names.join(", ")
}

/// Returns the names of a game's feature sets, for messages.
pub(crate) fn feature_set_names<G: Kit>() -> String {
    let names = G::feature_sets().into_iter().map(|set| set.id.name);
    names.collect::<Vec<_>>().join(", ")
}

/// Returns the names of a game's opening books, for messages.
pub(crate) fn book_names<G: Kit>() -> String {
    let names: Vec<&str> = G::BOOKS.iter().map(|(name, _)| *name).collect();
    names.join(", ")
}
