//! Weights of hand-written evaluations: weights that are read are written and read again as the
//! same, and make a player.
#![no_main]

use bagheera::kit::{Kit as _, SearchSetup};
use bagheera::search::Limits;
use bagheera_fuzz::Game;
use bagheera_fuzz::scratch::Scratch;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|json: &[u8]| {
    let scratch = Scratch::new();
    let path = scratch.file("weights.json", json);
    for evaluation in Game::EVALUATIONS {
        let name = evaluation.name;
        let Some(tunable) = Game::tunable(name) else {
            continue;
        };
        let Ok((weights, _)) = tunable.load(name, &path) else {
            continue;
        };
        let copy = scratch.path("copy.json");
        tunable
            .save(name, &weights, &copy)
            .expect("weights can be written");
        let (read, _) = tunable
            .load(name, &copy)
            .expect("written weights can be read");
        assert_eq!(read, weights);
        let setup = SearchSetup {
            hash_bits: Some(8),
            ..SearchSetup::with_limits(Limits::nodes(30))
        };
        let position = &Game::bench_positions()[0];
        let report = (tunable.player)(&weights, &setup, None).pick_move(position, &[]);
        assert!(report.score.is_some_and(|score| !score.is_nan()));
    }
});
