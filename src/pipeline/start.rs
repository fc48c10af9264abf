//! What a run begins with.

use super::config::Config;
use super::error::RunError;
use crate::kit::{FeatureEncoder, Kit, feature_set_names};
use crate::network::{Architecture, Network};
use crate::seed;

/// What the random weights of the first network are derived for. Matches are 2.
const WEIGHTS: u64 = 1;

/// The network that a run begins with.
pub(super) fn first_network<G: Kit>(
    config: &Config,
    encoder: &FeatureEncoder<G>,
) -> Result<Network, RunError> {
    if config.start_from.is_empty() {
        let architecture = Architecture {
            game: G::NAME.to_owned(),
            features: encoder.id.clone(),
            hidden: config.network.hidden.clone(),
            activation: config.network.activation,
        };
        let seed = seed::derive(&[config.seed, WEIGHTS]);
        return Ok(Network::random(architecture, seed)?);
    }
    let network = Network::load_for(&config.start_from, G::NAME, &encoder.id)?;
    let shape = network.architecture();
    if (&shape.hidden, shape.activation) != (&config.network.hidden, config.network.activation) {
        return Err(RunError::OtherShape {
            path: config.start_from.clone().into(),
            hidden: shape.hidden.clone(),
            activation: shape.activation,
        });
    }
    Ok(network)
}

/// The feature set of a name, or the game's usual one if the name is empty.
///
/// # Errors
/// If the game has no such set.
pub fn encoder<G: Kit>(name: &str) -> Result<FeatureEncoder<G>, RunError> {
    G::feature_set(name).ok_or_else(|| RunError::Features {
        game: G::NAME,
        name: name.to_owned(),
        known: feature_set_names::<G>(),
    })
}
