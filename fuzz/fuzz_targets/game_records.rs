//! Files of games: what is read is written and read again as the same game, scores as shown; what
//! another program's notation can say of it too.
#![no_main]

use bagheera::game::{GameReader, GameRecord, Notation as _, read_games};
use bagheera_fuzz::Game;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &[u8]| {
    for game in read_games::<Game>(text).unwrap_or_default() {
        for notation in Game::foreign_notations() {
            let Ok(written) = notation.format_game(&game) else {
                continue;
            };
            let read = notation
                .parse_games(&written)
                .expect("a written game can be read");
            assert_eq!(read.len(), 1);
            assert_eq!(moves(&read[0]), moves(&game));
            assert_eq!(read[0].start, game.start);
        }
    }
    let mut reader = GameReader::new(text);
    while let Ok(Some(game)) = reader.next_game::<Game>() {
        let written = game.to_string();
        let mut again = GameReader::new(written.as_bytes());
        let read: GameRecord<Game> = again
            .next_game()
            .expect("a written game can be read")
            .expect("there is one");
        assert_eq!(again.next_game::<Game>().ok(), Some(None));
        assert!(!again.is_cut());
        assert_eq!(again.bytes(), written.len() as u64);
        assert_eq!(read.to_string(), written);
        assert_eq!(moves(&read), moves(&game));
        assert_eq!((read.start, read.end), (game.start, game.end));
        assert_eq!(
            read.playthrough(usize::MAX).end(),
            game.playthrough(usize::MAX).end()
        );
    }
    assert!(reader.bytes() <= text.len() as u64);
});

fn moves(game: &GameRecord<Game>) -> Vec<<Game as bagheera::game::Game>::Move> {
    game.moves.iter().map(|recorded| recorded.mv).collect()
}
