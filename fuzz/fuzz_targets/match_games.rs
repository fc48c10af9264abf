//! The games of a match, from which it goes on: what is refused stays as it is, and once the rest is
//! cut off, the same pairs are read and nothing is refused.
#![no_main]

use std::fs;
use std::sync::OnceLock;

use bagheera::arena::{Book, Match, GamesFile, PlayedPair, MatchSettings, MismatchPolicy};
use bagheera::kit::{PlayerFactory, Kit as _, PlayerSpec};
use bagheera_fuzz::Game;
use bagheera_fuzz::scratch::Scratch;
use libfuzzer_sys::fuzz_target;

/// The players and the book of the match that the seeds are of.
fn terms() -> &'static ([PlayerFactory<Game>; 2], Book<Game>) {
    static TERMS: OnceLock<([PlayerFactory<Game>; 2], Book<Game>)> = OnceLock::new();
    TERMS.get_or_init(|| {
        let players = ["random@seed=1", "greedy@seed=2"].map(|text| {
            let spec: PlayerSpec = text.parse().expect("a player");
            spec.player_factory().expect("a player_factory")
        });
        let text = Game::book("gate").expect("the book of the gate");
        (players, Book::parse("gate", text).expect("a book"))
    })
}

fuzz_target!(|text: &[u8]| {
    let ([first, second], book) = terms();
    let referee = MatchSettings {
        quiet_limit: 100,
        seed: 5,
    };
    let contest = Match::new(first, second, book, 3, referee).expect("the book is long enough");
    let scratch = Scratch::new();
    let path = scratch.file("a.games", text);
    if GamesFile::open(&path, &contest, MismatchPolicy::Refuse).is_err() {
        assert_eq!(fs::read(&path).expect("it lies there still"), text);
    }
    let opened = GamesFile::open(&path, &contest, MismatchPolicy::CutOff);
    let (file, pairs) = opened.expect("whatever else there is can be cut off");
    drop(file);
    let again = GamesFile::open(&path, &contest, MismatchPolicy::Refuse);
    let (_, again) = again.expect("what is left is of the match");
    assert_eq!(texts(&again), texts(&pairs));
});

fn texts(pairs: &[PlayedPair<Game>]) -> Vec<String> {
    let games = pairs.iter().flat_map(PlayedPair::games);
    games.map(ToString::to_string).collect()
}
