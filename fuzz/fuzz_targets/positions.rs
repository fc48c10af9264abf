//! Positions as text: what is read is written and read again as the same.
#![no_main]

use bagheera::game::{Game as _, Notation as _};
use bagheera_fuzz::Game;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Ok(position) = Game::parse_position(text) else {
        return;
    };
    let written = position.format_position();
    assert_eq!(Game::parse_position(&written).as_ref(), Ok(&position));
    assert_eq!(Game::decode(position.encode()).as_ref(), Ok(&position));
    assert!(!position.draw().is_empty());
    for image in position.images() {
        assert_eq!(Game::parse_position(&image.format_position()), Ok(image));
    }
});
