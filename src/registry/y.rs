//! The kit of the Game of Y.

use crate::games::y::{Cells, DistanceEvaluation, Habits, Position, Rhombi, Sides};
use crate::kit::{
    ExactSource, FeatureEncoder, HandWritten, Kit, NoTables, SearchSetup, TunableParameters, player,
};
use crate::search::Player;

impl Kit for Position {
    type Tables = NoTables;

    // The usual habits, the exact count, and those of a public program, one at a time and together.
    const EVALUATIONS: &'static [HandWritten<Self>] = &[
        HandWritten::of::<DistanceEvaluation>("distance").with_tunable(tunable_distance),
        HandWritten::new("distance-anywhere", habitual::<true, true, true>),
        HandWritten::new("distance-alone", habitual::<false, false, true>),
        HandWritten::new("distance-near", habitual::<false, true, false>),
        HandWritten::new("bot", habitual::<false, false, false>),
    ];

    const BOOKS: &'static [(&'static str, &'static str)] = &[
        ("gate", include_str!("../../data/openings/y/gate.txt")),
        ("tuning", include_str!("../../data/openings/y/tuning.txt")),
        ("final", include_str!("../../data/openings/y/final.txt")),
    ];

    const NETWORK: Option<&'static [u8]> = Some(include_bytes!("../../data/networks/y.net"));

    // The empty board and boards that fill up.
    const BENCH: &'static [&'static str] = &[
        "./../.../..../...../....../....... b",
        "./../.../..B./...../....../....... r",
        "./../.../.B../..R../....../....... b",
        "./../.R./..B./.B.../...R../....... b",
        "./../R../.B../..R.B/..B.../..R.... r",
        "./R./.B./.RB./..R.B/.RB.../....... b",
        "./../.../..../...../....../......./........ b",
    ];

    fn feature_sets() -> Vec<FeatureEncoder<Self>> {
        vec![
            FeatureEncoder::of::<Rhombi>(),
            FeatureEncoder::of::<Cells>(),
            FeatureEncoder::of::<Sides>(),
        ]
    }
}

/// Makes a player with the [`Habits`] in the order of their fields.
fn habitual<const ANYWHERE: bool, const ALL_STONES: bool, const EVERYWHERE: bool>(
    setup: &SearchSetup,
    exact: Option<ExactSource<Position>>,
) -> Box<dyn Player<Position>> {
    let habits = Habits {
        meet_anywhere: ANYWHERE,
        use_all_stones: ALL_STONES,
        look_everywhere: EVERYWHERE,
    };
    player(DistanceEvaluation::with_habits(habits), setup, exact)
}

fn tunable_distance() -> TunableParameters<Position> {
    TunableParameters {
        terms: DistanceEvaluation::terms(),
        weights: DistanceEvaluation::weights(),
        values: DistanceEvaluation::values,
        player: |weights, setup, exact| {
            player(DistanceEvaluation::with_weights(weights), setup, exact)
        },
    }
}
