//! Bagh-Chal as the program offers it.

mod tables;

use super::{neural, player, positions};
use crate::features::FeatureSet;
use crate::games::bagh_chal::endgame::Tables;
use crate::games::bagh_chal::{
    ClaudeEvaluation, MaterialEvaluation, Points, Position, Steps, WeightedEvaluation,
};
use crate::kit::{
    Arithmetic, ExactSource, FeatureEncoder, Kit, MakePlayer, PlayerError, SearchSetup,
    TunableParameters,
};
use crate::network::Network;
use crate::search::Player;

/// Openings, placing, the board filling up, and sliding without a quick end.
const BENCH: &[&str] = &[
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

impl Kit for Position {
    type Tables = Tables;

    const EVALUATIONS: &'static [&'static str] = &["claude", "material"];
    const BOOKS: &'static [&'static str] = &["gate", "tuning", "final"];
    const NETWORK: Option<&'static [u8]> =
        Some(include_bytes!("../../data/networks/bagh-chal.net"));

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

    fn tunable(name: &str) -> Option<TunableParameters<Self>> {
        (name == "claude").then(|| TunableParameters {
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
            neural::<_, Steps>(network, arithmetic, setup, exact)
        } else {
            neural::<_, Points>(network, arithmetic, setup, exact)
        }
    }

    fn book(name: &str) -> Option<&'static str> {
        match name {
            "gate" => Some(include_str!("../../data/openings/bagh-chal/gate.txt")),
            "tuning" => Some(include_str!("../../data/openings/bagh-chal/tuning.txt")),
            "final" => Some(include_str!("../../data/openings/bagh-chal/final.txt")),
            _ => None,
        }
    }

    fn bench_positions() -> Vec<Self> {
        positions(BENCH)
    }
}
