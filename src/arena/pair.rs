//! One opening played twice with sides swapped: the unit of every match.

use serde::{Deserialize, Serialize};

use crate::game::{End, Game, Playthrough, Side};
use crate::search::Player;
use crate::seed;
use crate::statistics::{GameScore, PairScore};

/// One game of a match, from the first player's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameResult {
    /// The first player's side.
    pub side: Side,
    /// How the game ended.
    pub end: End,
    /// Plies played after the opening.
    pub plies: u32,
    /// Stands for the opening and all moves: equal for equal games.
    pub moves: u64,
}

impl GameResult {
    /// What the first player made of the game.
    #[must_use]
    pub fn score(&self) -> GameScore {
        match self.end.outcome().winner() {
            None => GameScore::Draw,
            Some(winner) if winner == self.side => GameScore::Win,
            Some(_) => GameScore::Loss,
        }
    }
}

/// Both games of an opening, the first player being `Max` in the first one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PairResult {
    /// The pair's number, which is its opening's place in the book.
    pub pair: u32,
    /// The games.
    pub games: [GameResult; 2],
}

impl PairResult {
    /// What the first player made of the pair.
    #[must_use]
    pub fn score(&self) -> PairScore {
        PairScore::of(self.games[0].score(), self.games[1].score())
    }
}

/// Plays an opening twice with sides swapped; whatever players leave to chance follows from `seed`.
pub fn play_pair<G: Game>(
    first: &mut dyn Player<G>,
    second: &mut dyn Player<G>,
    opening: &G,
    pair: u32,
    quiet_limit: u32,
    seed: u64,
) -> PairResult {
    let games = [Side::Max, Side::Min].map(|side| {
        let game_seed = seed::derive(&[seed, pair.into(), side as u64]);
        first.new_game(seed::derive(&[game_seed, 1]));
        second.new_game(seed::derive(&[game_seed, 2]));
        play_game(first, second, opening, side, quiet_limit)
    });
    PairResult { pair, games }
}

fn play_game<G: Game>(
    first: &mut dyn Player<G>,
    second: &mut dyn Player<G>,
    opening: &G,
    side: Side,
    quiet_limit: u32,
) -> GameResult {
    let mut game = Playthrough::new(opening.clone(), quiet_limit);
    let mut fingerprint = crate::game::Key::fold(opening.key());
    loop {
        if let Some(end) = game.end() {
            return GameResult {
                side,
                end,
                plies: game.moves().len() as u32,
                moves: fingerprint,
            };
        }
        let mover: &mut dyn Player<G> = if game.side_to_move() == side {
            first
        } else {
            second
        };
        let mv = mover.pick_move(game.position(), game.history()).mv;
        fingerprint = seed::derive(&[fingerprint, G::move_index(mv) as u64]);
        game.play(mv);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::bagh_chal::Position;
    use crate::search::{GreedyPlayer, RandomPlayer};

    fn pair(seed: u64) -> PairResult {
        let mut greedy = GreedyPlayer::new(3);
        let mut random = RandomPlayer::new(4);
        play_pair(&mut greedy, &mut random, &Position::start(&()), 5, 60, seed)
    }

    #[test]
    fn a_seed_repeats_its_pair_and_another_gives_another() {
        assert_eq!(pair(1), pair(1));
        assert_ne!(pair(1), pair(2));
    }

    #[test]
    fn each_player_has_each_side_once() {
        let pair = pair(1);
        assert_eq!(pair.games.map(|game| game.side), [Side::Max, Side::Min]);
        assert_ne!(pair.games[0].moves, pair.games[1].moves);
    }

    #[test]
    fn what_a_player_played_before_changes_nothing() {
        let mut greedy = GreedyPlayer::new(3);
        let mut random = RandomPlayer::new(4);
        let start = Position::start(&());
        play_pair(&mut greedy, &mut random, &start, 9, 60, 7);
        let later = play_pair(&mut greedy, &mut random, &start, 5, 60, 1);
        assert_eq!(later, pair(1));
    }
}
