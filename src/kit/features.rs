//! Feature sets without their type, and the players of networks trained on them.

use std::sync::Arc;

use thiserror::Error;

use super::{ExactSource, Kit, MakePlayer, SearchSetup, feature_set_names, player};
use crate::features::{EncodedPositions, FeatureSet};
use crate::game::{Game, Side};
use crate::network::{
    Architecture, FeatureId, MismatchError, Network, NeuralEvaluation, QuantizeError, Quantized,
};

/// Why a network makes no player.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PlayerError {
    /// It is for another game or another feature set.
    #[error(transparent)]
    Mismatch(#[from] MismatchError),
    /// It cannot be quantised.
    #[error(transparent)]
    Quantize(#[from] QuantizeError),
    /// The game has no feature sets.
    #[error("the game {0} has no feature sets, so no network plays it")]
    NoFeatureSets(&'static str),
}

/// The game has no feature set with a name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the game {game} has no feature set \"{name}\"; it has {known}")]
pub struct UnknownFeatureSet {
    game: &'static str,
    name: String,
    known: String,
}

/// Returns the feature set `name` of the game, or its default one if the name is empty.
///
/// # Errors
/// If the game has no such set.
pub fn encoder<G: Kit>(name: &str) -> Result<FeatureEncoder<G>, UnknownFeatureSet> {
    G::feature_set(name).ok_or_else(|| UnknownFeatureSet {
        game: G::NAME,
        name: name.to_owned(),
        known: feature_set_names::<G>(),
    })
}

/// Makes the factory of a network's players.
type NetworkPlayers<G> =
    fn(&Network, &SearchSetup, Option<ExactSource<G>>) -> Result<MakePlayer<G>, PlayerError>;

/// A feature set without its type.
#[derive(Clone, Debug)]
pub struct FeatureEncoder<G> {
    /// Its identity in files.
    pub id: FeatureId,
    /// Largest number of features that are active at once in one view.
    pub max_active: usize,
    /// Views of the network that it encodes for.
    views: usize,
    /// Output buckets of that network.
    output_buckets: usize,
    encode: fn(&mut EncodedPositions, &G, usize),
    perspective: fn(&G) -> Side,
    players: NetworkPlayers<G>,
}

impl<G: Game> FeatureEncoder<G> {
    /// The feature set `F`, for networks with all of its views and one output bucket.
    #[must_use]
    pub fn of<F: FeatureSet<G>>() -> Self {
        Self {
            id: FeatureId::of::<G, F>(),
            max_active: F::MAX_ACTIVE,
            views: F::VIEWS,
            output_buckets: 1,
            encode: EncodedPositions::encode::<G, F>,
            perspective: F::perspective,
            players: network_players::<G, F>,
        }
    }

    /// Returns the encoder for the views and output buckets of a network.
    ///
    /// # Errors
    /// If the network is for another game or another feature set.
    pub fn for_network(&self, network: &Architecture) -> Result<Self, MismatchError> {
        network.expect(G::NAME, &self.id)?;
        Ok(Self {
            views: network.views,
            output_buckets: network.output_buckets,
            ..self.clone()
        })
    }

    /// Creates an empty list with room for `size` encoded positions.
    #[must_use]
    pub fn list(&self, size: usize) -> EncodedPositions {
        EncodedPositions::with_capacity(self.views, size, self.max_active.min(64))
    }

    /// Adds a position to `list`.
    pub fn encode(&self, position: &G, list: &mut EncodedPositions) {
        (self.encode)(list, position, self.output_buckets);
    }

    /// Returns the side whose score networks return for `position`.
    #[must_use]
    pub fn perspective(&self, position: &G) -> Side {
        (self.perspective)(position)
    }
}

/// Makes the factory of a network's players, which use tablebase values if given.
///
/// # Errors
/// If the network is for another game, the game does not have its feature set in this version, or its
/// weights are too large to be quantised.
pub fn network_player<G: Kit>(
    network: &Network,
    setup: &SearchSetup,
    exact: Option<ExactSource<G>>,
) -> Result<MakePlayer<G>, PlayerError> {
    let name = &network.architecture().features.name;
    // Of an unknown set, the error of the default one names both.
    let set = G::feature_set(name).or_else(|| G::feature_set(""));
    let set = set.ok_or(PlayerError::NoFeatureSets(G::NAME))?;
    (set.players)(network, setup, exact)
}

fn network_players<G: Game, F: FeatureSet<G>>(
    network: &Network,
    setup: &SearchSetup,
    exact: Option<ExactSource<G>>,
) -> Result<MakePlayer<G>, PlayerError> {
    network.expect(G::NAME, &FeatureId::of::<G, F>())?;
    let setup = *setup;
    let quantized = Arc::new(Quantized::new(network, F::MAX_ACTIVE)?);
    Ok(Arc::new(move || {
        let evaluation = NeuralEvaluation::<G, F>::new(Arc::clone(&quantized));
        player(evaluation, &setup, exact.clone())
    }))
}
