//! Connect Four on 7×6 with Bagheera's whole command line.

mod notation;
mod player;
mod position;

use std::process::ExitCode;

use bagheera::kit::{FeatureEncoder, HandWritten, Kit, NoTables};
use position::Position;

impl Kit for Position {
    type Tables = NoTables;

    const EVALUATIONS: &'static [HandWritten<Self>] =
        &[HandWritten::of::<player::Threats>("threats")];

    const BOOKS: &'static [(&'static str, &'static str)] = &[
        ("gate", include_str!("../books/gate.txt")),
        ("tuning", include_str!("../books/tuning.txt")),
    ];

    fn feature_sets() -> Vec<FeatureEncoder<Self>> {
        vec![FeatureEncoder::of::<player::Cells>()]
    }
}

fn main() -> ExitCode {
    bagheera::app().game::<Position>().run()
}
