//! The kits of the games of this crate.

mod bagh_chal;
mod y;

use std::sync::Arc;

use crate::features::FeatureSet;
use crate::game::{Game, Notation};
use crate::kit::{Arithmetic, ExactSource, MakePlayer, PlayerError, SearchSetup};
use crate::network::{
    FeatureId, Inference, IntegerEvaluation, Network, NeuralEvaluation, Quantized,
};
use crate::search::{Evaluation, Player, Search};

/// The player that an evaluation makes.
fn player<G: Game, E: Evaluation<G> + 'static>(
    evaluation: E,
    setup: &SearchSetup,
    exact: Option<ExactSource<G>>,
) -> Box<dyn Player<G>> {
    let techniques = setup.techniques(evaluation.is_symmetric());
    let player = Search::new(evaluation, setup.table(), setup.limits);
    Box::new(player.with_techniques(techniques).with_exact(exact))
}

/// Makes the players of a network that sees the features `F`.
fn neural<G: Game, F: FeatureSet<G>>(
    network: &Network,
    arithmetic: Arithmetic,
    setup: &SearchSetup,
    exact: Option<ExactSource<G>>,
) -> Result<MakePlayer<G>, PlayerError> {
    network.expect(G::NAME, &FeatureId::of::<G, F>())?;
    let setup = *setup;
    Ok(match arithmetic {
        Arithmetic::Float => {
            let inference = Arc::new(Inference::new(network));
            Arc::new(move || {
                let evaluation = NeuralEvaluation::<G, F>::new(Arc::clone(&inference));
                player(evaluation, &setup, exact.clone())
            })
        }
        Arithmetic::Integer => {
            let quantized = Arc::new(Quantized::new(network, F::MAX_ACTIVE)?);
            Arc::new(move || {
                let evaluation = IntegerEvaluation::<G, F>::new(Arc::clone(&quantized));
                player(evaluation, &setup, exact.clone())
            })
        }
    })
}

/// Positions that a list of this file's neighbours holds as text.
fn positions<G: Notation>(texts: &[&str]) -> Vec<G> {
    let positions = texts.iter().map(|text| G::parse_position(text));
    #[expect(clippy::expect_used, reason = "a test reads every line of the lists")]
    positions
        .collect::<Result<_, _>>()
        .expect("the list holds positions")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{bagh_chal, y};
    use crate::kit::Kit;
    use crate::network::{Activation, Architecture};
    use crate::search::Limits;

    fn networks_make_players<G: Kit>() {
        for set in G::feature_sets() {
            let architecture = Architecture {
                game: G::NAME.to_owned(),
                features: set.id.clone(),
                hidden: vec![8],
                activation: Activation::ScRelu,
            };
            let network = Network::random(architecture, 1).unwrap();
            let setup = SearchSetup::with_limits(Limits::depth(2));
            for arithmetic in [Arithmetic::Float, Arithmetic::Integer] {
                let make = G::network_player(&network, arithmetic, &setup, None).unwrap();
                let report = make().pick_move(&G::start(&G::Rules::default()), &[]);
                assert_eq!(report.depth, 2, "{} {arithmetic:?}", set.id.name);
            }
        }
    }

    fn what_is_listed_exists<G: Kit>() {
        let positions = G::bench_positions();
        let mut outcomes = positions.iter().map(G::outcome);
        assert!(outcomes.all(|outcome| outcome.is_none()));
        let setup = SearchSetup::default();
        for name in G::EVALUATIONS {
            let player = G::evaluation_player(name, &setup, None);
            assert!(player.is_some(), "{name}");
        }
        for name in G::BOOKS {
            assert!(G::book(name).is_some(), "{name}");
        }
    }

    #[test]
    fn a_network_of_every_feature_set_makes_a_player() {
        networks_make_players::<bagh_chal::Position>();
        networks_make_players::<y::Position>();
    }

    #[test]
    fn bench_positions_go_on_and_every_player_and_book_exists() {
        what_is_listed_exists::<bagh_chal::Position>();
        what_is_listed_exists::<y::Position>();
    }
}
