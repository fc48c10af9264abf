//! A pair: one opening played twice with sides swapped. Every match consists of pairs.

use super::MatchSettings;
use crate::game::{End, Game, GameRecord, Participant, Playthrough, RecordedMove, Side, game_hash};
use crate::search::Player;
use crate::seed;
use crate::statistics::{GameScore, PairScore};

/// The result of one game of a match, from the first player's point of view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameResult {
    /// The first player's side.
    pub side: Side,
    /// How the game ended.
    pub end: End,
    /// Plies played after the opening.
    pub plies: u32,
    /// Hash of the opening and all moves: equal for equal games.
    pub moves: u64,
}

impl GameResult {
    /// Returns the result of a game in which the first player had `side`; `None` if it is unfinished.
    fn of<G: Game>(record: &GameRecord<G>, side: Side) -> Option<Self> {
        let moves = record.moves.iter().map(|recorded| recorded.mv);
        Some(Self {
            side,
            end: record.end?,
            plies: record.moves.len() as u32,
            moves: game_hash(&record.start, moves),
        })
    }

    /// Returns the first player's result.
    #[must_use]
    pub fn score(&self) -> GameScore {
        match self.end.outcome().winner() {
            None => GameScore::Draw,
            Some(winner) if winner == self.side => GameScore::Win,
            Some(_) => GameScore::Loss,
        }
    }
}

/// The results of both games of a pair; the first player is `Max` in the first one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairResult {
    /// The pair's number, from 0: the index of its opening in the book.
    pub pair: u32,
    /// The games.
    pub games: [GameResult; 2],
}

impl PairResult {
    /// Returns the first player's score of the pair.
    #[must_use]
    pub fn score(&self) -> PairScore {
        PairScore::of(self.games[0].score(), self.games[1].score())
    }
}

/// Both games of a pair with their moves; the first player is `Max` in the first one.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayedPair<G: Game> {
    games: [GameRecord<G>; 2],
    result: PairResult,
}

impl<G: Game> PlayedPair<G> {
    /// Returns pair number `pair` with these games; `None` if one of them is unfinished.
    #[must_use]
    pub fn new(pair: u32, games: [GameRecord<G>; 2]) -> Option<Self> {
        let results = [
            GameResult::of(&games[0], Side::Max)?,
            GameResult::of(&games[1], Side::Min)?,
        ];
        let result = PairResult {
            pair,
            games: results,
        };
        Some(Self { games, result })
    }

    /// The games.
    #[must_use]
    pub fn games(&self) -> &[GameRecord<G>; 2] {
        &self.games
    }

    /// The result.
    #[must_use]
    pub fn result(&self) -> PairResult {
        self.result
    }
}

/// Plays an opening twice with sides swapped. All randomness of the players derives from the seed of the
/// match and the pair's number.
pub fn play_pair<G: Game>(
    players: [&mut dyn Player<G>; 2],
    names: &[Participant; 2],
    opening: &G,
    pair: u32,
    settings: MatchSettings,
) -> PlayedPair<G> {
    let [first, second] = players;
    let [max, min] = [Side::Max, Side::Min].map(|side| {
        let game_seed = seed::derive(&[settings.seed, pair.into(), side as u64]);
        first.new_game(seed::derive(&[game_seed, 1]));
        second.new_game(seed::derive(&[game_seed, 2]));
        let [one, other] = names.clone();
        let (seated, players): ([&mut dyn Player<G>; 2], _) = match side {
            Side::Max => ([first, second], [one, other]),
            Side::Min => ([second, first], [other, one]),
        };
        let (moves, end) = play_game(seated, opening, settings.quiet_limit);
        GameRecord {
            round: Some(pair + 1),
            seed: Some(settings.seed),
            quiet_limit: Some(settings.quiet_limit),
            players,
            start: opening.clone(),
            moves,
            end: Some(end),
        }
    });
    let games = [max, min];
    #[expect(clippy::expect_used, reason = "games are played to their ends")]
    PlayedPair::new(pair, games).expect("both games have ended")
}

/// Plays a game from an opening; `players` are those of `Max` and `Min`.
fn play_game<G: Game>(
    players: [&mut dyn Player<G>; 2],
    opening: &G,
    quiet_limit: u32,
) -> (Vec<RecordedMove<G::Move>>, End) {
    let mut game = Playthrough::new(opening.clone(), quiet_limit);
    let mut moves = Vec::new();
    let end = game.play_out(|game| {
        let player = &mut *players[game.side_to_move() as usize];
        let found = player.pick_move(game.position(), game.history());
        moves.push(RecordedMove {
            mv: found.mv,
            score: found.score,
        });
        found.mv
    });
    (moves, end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::bagh_chal::Position;
    use crate::search::{GreedyPlayer, RandomPlayer};

    fn play(
        greedy: &mut GreedyPlayer<Position>,
        random: &mut RandomPlayer<Position>,
        pair: u32,
        seed: u64,
    ) -> PlayedPair<Position> {
        let names = ["greedy", "random"].map(Participant::named);
        let settings = MatchSettings {
            quiet_limit: 60,
            seed,
        };
        let players: [&mut dyn Player<_>; 2] = [greedy, random];
        play_pair(players, &names, &Position::start(&()), pair, settings)
    }

    fn pair(seed: u64) -> PlayedPair<Position> {
        play(
            &mut GreedyPlayer::new(3),
            &mut RandomPlayer::new(4),
            5,
            seed,
        )
    }

    #[test]
    fn a_pair_is_determined_by_the_seed() {
        assert_eq!(pair(1), pair(1));
        assert_ne!(pair(1), pair(2));
    }

    #[test]
    fn each_player_plays_each_side_once() {
        let pair = pair(1);
        let result = pair.result();
        assert_eq!(result.games.map(|game| game.side), [Side::Max, Side::Min]);
        assert_ne!(result.games[0].moves, result.games[1].moves);
        for (game, first) in pair.games().iter().zip([Side::Max, Side::Min]) {
            assert_eq!(game.player(first).name, "greedy");
            assert_eq!(game.player(first.other()).name, "random");
            assert_eq!(game.playthrough(usize::MAX).end(), game.end);
        }
    }

    #[test]
    fn earlier_games_of_a_player_do_not_influence_a_pair() {
        let (mut greedy, mut random) = (GreedyPlayer::new(3), RandomPlayer::new(4));
        play(&mut greedy, &mut random, 9, 7);
        assert_eq!(play(&mut greedy, &mut random, 5, 1), pair(1));
    }

    #[test]
    fn a_pair_with_an_unfinished_game_is_rejected() {
        let [max, min] = pair(1).games().clone();
        assert!(PlayedPair::new(5, [max.clone(), min.clone()]).is_some());
        let open = GameRecord { end: None, ..min };
        assert_eq!(PlayedPair::new(5, [max, open]), None);
    }
}
