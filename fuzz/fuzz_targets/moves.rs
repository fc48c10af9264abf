//! A position on the first line and moves on the others: moves that are read are legal, and all
//! that are legal are written and read again as the same.
#![no_main]

use bagheera::game::{Game as _, Notation as _};
use bagheera_fuzz::Game;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let mut lines = text.lines();
    let Ok(mut position) = Game::parse_position(lines.next().unwrap_or_default()) else {
        return;
    };
    for word in lines {
        let legal = if position.outcome().is_some() {
            Vec::new()
        } else {
            position.moves().to_vec()
        };
        for mv in &legal {
            assert_eq!(position.parse_move(&position.format_move(*mv)), Ok(*mv));
        }
        let Ok(mv) = position.parse_move(word) else {
            continue;
        };
        assert!(legal.contains(&mv), "{word} is not legal");
        position = position.play(mv);
    }
});
