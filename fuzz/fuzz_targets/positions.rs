//! Positions as text, in the game's notation and in other programs': what is read is written and
//! read again as the same.
#![no_main]

use bagheera::game::{Game as _, Notation as _, read_position};
use bagheera_fuzz::Game;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Ok(position) = read_position::<Game>(text) else {
        return;
    };
    for notation in Game::foreign_notations() {
        let written = notation.format_position(&position);
        assert!(notation.owns_position(&written));
        assert_eq!(read_position(&written).as_ref(), Ok(&position));
    }
    let written = position.format_position();
    assert_eq!(Game::parse_position(&written).as_ref(), Ok(&position));
    assert_eq!(Game::decode(position.encode()).as_ref(), Ok(&position));
    assert!(!position.draw().is_empty());
    for image in position.images() {
        assert_eq!(Game::parse_position(&image.format_position()), Ok(image));
    }
});
