//! The kit of Bagh-Chal.

mod tables;

use crate::games::bagh_chal::endgame::Tables;
use crate::games::bagh_chal::{
    ClaudeEvaluation, MaterialEvaluation, Points, Position, Steps, WeightedEvaluation,
};
use crate::kit::{FeatureEncoder, HandWritten, Kit, TunableParameters, player};

impl Kit for Position {
    type Tables = Tables;

    const EVALUATIONS: &'static [HandWritten<Self>] = &[
        HandWritten::of::<ClaudeEvaluation>("claude").with_tunable(tunable_claude),
        HandWritten::of::<MaterialEvaluation>("material"),
    ];

    const BOOKS: &'static [(&'static str, &'static str)] = &[
        (
            "gate",
            include_str!("../../data/openings/bagh-chal/gate.txt"),
        ),
        (
            "tuning",
            include_str!("../../data/openings/bagh-chal/tuning.txt"),
        ),
        (
            "final",
            include_str!("../../data/openings/bagh-chal/final.txt"),
        ),
    ];

    const NETWORK: Option<&'static [u8]> =
        Some(include_bytes!("../../data/networks/bagh-chal.net"));

    // Openings, placing, the board filling up, and sliding without a quick end.
    const BENCH: &'static [&'static str] = &[
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

    fn feature_sets() -> Vec<FeatureEncoder<Self>> {
        vec![
            FeatureEncoder::of::<Points>(),
            FeatureEncoder::of::<Steps>(),
        ]
    }
}

fn tunable_claude() -> TunableParameters<Position> {
    TunableParameters {
        terms: ClaudeEvaluation::terms(),
        weights: ClaudeEvaluation::weights(),
        values: ClaudeEvaluation::values,
        player: |weights, setup, exact| player(WeightedEvaluation::new(weights), setup, exact),
    }
}
