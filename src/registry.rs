//! The one place where games are named.

mod tables;

use std::sync::Arc;

use crate::features::FeatureSet;
use crate::game::{Game as _, Notation as _};
use crate::games::bagh_chal::endgame::Tables;
use crate::games::bagh_chal::{
    ClaudeEvaluation, MaterialEvaluation, Points, Position, Steps, WeightedEvaluation,
};
use crate::kit::{
    Arithmetic, ExactSource, FeatureEncoder, Kit, MakePlayer, PlayerError, SearchSetup, Weighing,
};
use crate::network::{
    FeatureId, Inference, IntegerEvaluation, Network, NeuralEvaluation, Quantized,
};
use crate::search::{Evaluation, EvaluationPlayer, Player};

/// The names of all games, the usual one first.
pub const GAMES: &[&str] = &["bagh-chal"];

/// Calls a function that is generic over the game with the game named by a text; gives `None` if
/// there is no such game.
///
/// `with_game!(name, run(arguments))` calls `run::<G>(arguments)`.
#[macro_export]
macro_rules! with_game {
    ($name:expr, $function:ident($($argument:expr),* $(,)?)) => {
        match $name {
            "bagh-chal" => Some($function::<$crate::games::bagh_chal::Position>($($argument),*)),
            _ => None,
        }
    };
}

/// Openings, placing, the board filling up, and sliding without a quick end.
const BAGH_CHAL_BENCH: &[&str] = &[
    "T3T/5/5/5/T3T s 20",
    "T1S1T/5/5/5/T3T t 19",
    "T1S1T/5/S2T1/4S/T4 s 17",
    "1SS1T/T4/S3S/1T2S/1ST2 t 13",
    "SSS1T/T4/S1T1S/4S/1SS1T s 10",
    "SSS1S/S1T1S/ST2S/T3S/1SS1T t 6",
    "SSSSS/S1T1S/ST2S/ST2S/SSS1T s 2",
    "SSSSS/S1T1S/ST2S/ST2S/SSSST t 1",
    "STSSS/T1SSS/SS1TS/1SSTS/SSS1S s 0",
    "TSTSS/ST1SS/SSSSS/S1SS1/SSSTS t 0",
    "2TSS/1STSS/SSSSS/TSSS1/TSS1S s 0",
    "SSSSS/TS1SS/STSST/SS1SS/SSTSS t 0",
    "SSSS1/SSTST/1STTS/SSS1S/SSSS1 t 0",
];

fn player<E: Evaluation<Position> + 'static>(
    evaluation: E,
    setup: &SearchSetup,
    exact: Option<ExactSource<Position>>,
) -> Box<dyn Player<Position>> {
    let techniques = setup.techniques(evaluation.is_symmetric());
    let player = EvaluationPlayer::new(evaluation, setup.table(), setup.limits);
    Box::new(player.with_techniques(techniques).with_exact(exact))
}

fn neural<F: FeatureSet<Position>>(
    network: &Network,
    arithmetic: Arithmetic,
    setup: &SearchSetup,
    exact: Option<ExactSource<Position>>,
) -> Result<MakePlayer<Position>, PlayerError> {
    network.expect(Position::NAME, &FeatureId::of::<Position, F>())?;
    let setup = *setup;
    Ok(match arithmetic {
        Arithmetic::Float => {
            let inference = Arc::new(Inference::new(network));
            Arc::new(move || {
                let evaluation = NeuralEvaluation::<Position, F>::new(Arc::clone(&inference));
                player(evaluation, &setup, exact.clone())
            })
        }
        Arithmetic::Integer => {
            let quantized = Arc::new(Quantized::new(network, F::MAX_ACTIVE)?);
            Arc::new(move || {
                let evaluation = IntegerEvaluation::<Position, F>::new(Arc::clone(&quantized));
                player(evaluation, &setup, exact.clone())
            })
        }
    })
}

impl Kit for Position {
    type Tables = Tables;

    const EVALUATIONS: &'static [&'static str] = &["claude", "material"];
    const BOOKS: &'static [&'static str] = &["gate", "tuning", "final"];
    const NETWORK: Option<&'static [u8]> = Some(include_bytes!("../data/networks/bagh-chal.net"));

    fn evaluation_player(
        name: &str,
        setup: &SearchSetup,
        exact: Option<ExactSource<Self>>,
    ) -> Option<Box<dyn Player<Self>>> {
        match name {
            "claude" => Some(player(ClaudeEvaluation, setup, exact)),
            "material" => Some(player(MaterialEvaluation, setup, exact)),
            _ => None,
        }
    }

    fn weighing(name: &str) -> Option<Weighing<Self>> {
        (name == "claude").then(|| Weighing {
            terms: ClaudeEvaluation::terms(),
            weights: ClaudeEvaluation::weights(),
            values: ClaudeEvaluation::values,
            player: |weights, setup, exact| player(WeightedEvaluation::new(weights), setup, exact),
        })
    }

    fn feature_sets() -> Vec<FeatureEncoder<Self>> {
        vec![
            FeatureEncoder::of::<Points>(),
            FeatureEncoder::of::<Steps>(),
        ]
    }

    fn network_player(
        network: &Network,
        arithmetic: Arithmetic,
        setup: &SearchSetup,
        exact: Option<ExactSource<Self>>,
    ) -> Result<MakePlayer<Self>, PlayerError> {
        if network.architecture().features.name == <Steps as FeatureSet<Self>>::NAME {
            neural::<Steps>(network, arithmetic, setup, exact)
        } else {
            neural::<Points>(network, arithmetic, setup, exact)
        }
    }

    fn book(name: &str) -> Option<&'static str> {
        match name {
            "gate" => Some(include_str!("../data/openings/bagh-chal/gate.txt")),
            "tuning" => Some(include_str!("../data/openings/bagh-chal/tuning.txt")),
            "final" => Some(include_str!("../data/openings/bagh-chal/final.txt")),
            _ => None,
        }
    }

    fn bench_positions() -> Vec<Self> {
        let positions = BAGH_CHAL_BENCH
            .iter()
            .map(|text| Self::parse_position(text));
        #[expect(
            clippy::expect_used,
            reason = "a test reads every line of the constant"
        )]
        positions
            .collect::<Result<_, _>>()
            .expect("the list holds positions")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::network::{Activation, Architecture};
    use crate::search::Limits;

    #[test]
    fn a_network_of_every_feature_set_makes_a_player() {
        for set in Position::feature_sets() {
            let architecture = Architecture {
                game: Position::NAME.to_owned(),
                features: set.id.clone(),
                hidden: vec![8],
                activation: Activation::ScRelu,
            };
            let network = Network::random(architecture, 1).unwrap();
            let setup = SearchSetup::with_limits(Limits::depth(2));
            for arithmetic in [Arithmetic::Float, Arithmetic::Integer] {
                let make = Position::network_player(&network, arithmetic, &setup, None).unwrap();
                let report = make().pick_move(&Position::start(&()), &[]);
                assert_eq!(report.depth, 2, "{} {arithmetic:?}", set.id.name);
            }
        }
    }

    fn name_of<G: Game>() -> &'static str {
        G::NAME
    }

    #[test]
    fn every_listed_game_is_found_by_its_name() {
        for game in GAMES {
            assert_eq!(with_game!(*game, name_of()), Some(*game));
        }
        assert_eq!(with_game!("chess", name_of()), None);
    }

    #[test]
    fn bench_positions_go_on_and_every_player_and_book_exists() {
        let positions = Position::bench_positions();
        assert!(
            positions
                .iter()
                .all(|position| position.outcome().is_none())
        );
        let setup = SearchSetup::default();
        for name in Position::EVALUATIONS {
            assert!(
                Position::evaluation_player(name, &setup, None).is_some(),
                "{name}"
            );
        }
        for name in Position::BOOKS {
            assert!(Position::book(name).is_some(), "{name}");
        }
    }
}
