//! What a training begins with: features, first network and window of generations.

use std::ops::RangeInclusive;

use super::config::{Config, NetworkSettings};
use super::error::RunError;
use crate::kit::{FeatureEncoder, Kit};
use crate::network::{Architecture, Network};
use crate::seed;

/// Purpose of the random numbers of the first network's weights; matches have number 2.
const WEIGHTS: u64 = 1;

/// Returns the generations on whose games the network of `generation` is trained.
pub(super) fn training_window(config: &Config, generation: u32) -> RangeInclusive<u32> {
    let first = (generation + 1).saturating_sub(config.training.window);
    first.max(1)..=generation
}

/// Creates or loads the network with which a run begins.
pub(super) fn first_network<G: Kit>(
    config: &Config,
    encoder: &FeatureEncoder<G>,
) -> Result<Network, RunError> {
    let expected = architecture(&config.network, encoder);
    if config.start_from.is_empty() {
        let seed = seed::derive(&[config.seed, WEIGHTS]);
        return Ok(Network::random(expected, seed)?);
    }
    let network = Network::load_for(&config.start_from, G::NAME, &encoder.id)?;
    let found = network.architecture();
    if *found != expected {
        return Err(RunError::OtherShape {
            path: config.start_from.clone().into(),
            found: Box::new(found.clone()),
        });
    }
    Ok(network)
}

/// Returns the network that a configuration describes.
pub fn architecture<G: Kit>(
    settings: &NetworkSettings,
    features: &FeatureEncoder<G>,
) -> Architecture {
    let id = features.id.clone();
    Architecture {
        views: settings.views.unwrap_or(id.views),
        output_buckets: settings.output_buckets,
        ..Architecture::new(G::NAME, id, &settings.hidden, settings.activation)
    }
}
