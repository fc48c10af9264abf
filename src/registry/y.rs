//! The Game of Y as the program offers it.

use super::{neural, player, positions};
use crate::features::FeatureSet;
use crate::games::y::{Cells, DistanceEvaluation, Habits, Position, Rhombi};
use crate::kit::{
    Arithmetic, ExactSource, FeatureEncoder, Kit, MakePlayer, NoTables, PlayerError, SearchSetup,
    TunableParameters,
};
use crate::network::Network;
use crate::search::Player;

/// The empty board and boards that fill up.
const BENCH: &[&str] = &[
    "./../.../..../...../....../....... b",
    "./../.../..B./...../....../....... r",
    "./../.../.B../..R../....../....... b",
    "./../.R./..B./.B.../...R../....... b",
    "./../R../.B../..R.B/..B.../..R.... r",
    "./R./.B./.RB./..R.B/.RB.../....... b",
    "./../.../..../...../....../......./........ b",
];

/// The names of the evaluations with their habits: the usual ones, the exact count, those of a public
/// program one at a time, and these together.
const EVALUATIONS: [(&str, Habits); 5] = [
    ("distance", Habits::USUAL),
    (
        "distance-anywhere",
        Habits {
            meet_anywhere: true,
            ..Habits::USUAL
        },
    ),
    (
        "distance-alone",
        Habits {
            use_all_stones: false,
            ..Habits::USUAL
        },
    ),
    (
        "distance-near",
        Habits {
            look_everywhere: false,
            ..Habits::USUAL
        },
    ),
    (
        "bot",
        Habits {
            use_all_stones: false,
            look_everywhere: false,
            ..Habits::USUAL
        },
    ),
];

impl Kit for Position {
    type Tables = NoTables;

    const EVALUATIONS: &'static [&'static str] = &[
        EVALUATIONS[0].0,
        EVALUATIONS[1].0,
        EVALUATIONS[2].0,
        EVALUATIONS[3].0,
        EVALUATIONS[4].0,
    ];
    const BOOKS: &'static [&'static str] = &["gate", "tuning", "final"];
    const NETWORK: Option<&'static [u8]> = Some(include_bytes!("../../data/networks/y.net"));

    fn evaluation_player(
        name: &str,
        setup: &SearchSetup,
        exact: Option<ExactSource<Self>>,
    ) -> Option<Box<dyn Player<Self>>> {
        let (_, habits) = EVALUATIONS.iter().find(|(known, _)| *known == name)?;
        Some(player(
            DistanceEvaluation::with_habits(*habits),
            setup,
            exact,
        ))
    }

    fn tunable(name: &str) -> Option<TunableParameters<Self>> {
        (name == EVALUATIONS[0].0).then(|| TunableParameters {
            terms: DistanceEvaluation::terms(),
            weights: DistanceEvaluation::weights(),
            values: DistanceEvaluation::values,
            player: |weights, setup, exact| {
                player(DistanceEvaluation::with_weights(weights), setup, exact)
            },
        })
    }

    fn feature_sets() -> Vec<FeatureEncoder<Self>> {
        vec![
            FeatureEncoder::of::<Rhombi>(),
            FeatureEncoder::of::<Cells>(),
        ]
    }

    fn network_player(
        network: &Network,
        arithmetic: Arithmetic,
        setup: &SearchSetup,
        exact: Option<ExactSource<Self>>,
    ) -> Result<MakePlayer<Self>, PlayerError> {
        if network.architecture().features.name == <Rhombi as FeatureSet<Self>>::NAME {
            neural::<_, Rhombi>(network, arithmetic, setup, exact)
        } else {
            neural::<_, Cells>(network, arithmetic, setup, exact)
        }
    }

    fn book(name: &str) -> Option<&'static str> {
        match name {
            "gate" => Some(include_str!("../../data/openings/y/gate.txt")),
            "tuning" => Some(include_str!("../../data/openings/y/tuning.txt")),
            "final" => Some(include_str!("../../data/openings/y/final.txt")),
            _ => None,
        }
    }

    fn bench_positions() -> Vec<Self> {
        positions(BENCH)
    }
}
