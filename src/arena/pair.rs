//! One opening played twice with sides swapped: the unit of every match.

use super::MatchSettings;
use crate::game::{End, Game, GameRecord, Key as _, Participant, Playthrough, RecordedMove, Side};
use crate::search::Player;
use crate::seed;
use crate::statistics::{GameScore, PairScore};

/// One game of a match, from the first player's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    /// The result of a game in which the first player had `side`; none if it was broken off.
    fn of<G: Game>(record: &GameRecord<G>, side: Side) -> Option<Self> {
        let mut moves = record.start.key().fold();
        for recorded in &record.moves {
            moves = seed::derive(&[moves, G::move_index(recorded.mv) as u64]);
        }
        Some(Self {
            side,
            end: record.end?,
            plies: record.moves.len() as u32,
            moves,
        })
    }

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

/// What came of both games of an opening, the first player being `Max` in the first one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

/// Both games of an opening, move by move, the first player being `Max` in the first one.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayedPair<G: Game> {
    games: [GameRecord<G>; 2],
    result: PairResult,
}

impl<G: Game> PlayedPair<G> {
    /// The pair of a number whose games these are; none if one of them was broken off.
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

    /// What came of them.
    #[must_use]
    pub fn result(&self) -> PairResult {
        self.result
    }
}

/// Plays an opening twice with sides swapped; whatever players leave to chance follows from the
/// referee's seed and the pair's number.
pub fn play_pair<G: Game>(
    players: [&mut dyn Player<G>; 2],
    names: &[Participant; 2],
    opening: &G,
    pair: u32,
    referee: MatchSettings,
) -> PlayedPair<G> {
    let [first, second] = players;
    let [max, min] = [Side::Max, Side::Min].map(|side| {
        let game_seed = seed::derive(&[referee.seed, pair.into(), side as u64]);
        first.new_game(seed::derive(&[game_seed, 1]));
        second.new_game(seed::derive(&[game_seed, 2]));
        let [one, other] = names.clone();
        let (seated, players): ([&mut dyn Player<G>; 2], _) = match side {
            Side::Max => ([first, second], [one, other]),
            Side::Min => ([second, first], [other, one]),
        };
        let (moves, end) = play_game(seated, opening, referee.quiet_limit);
        GameRecord {
            round: Some(pair + 1),
            seed: Some(referee.seed),
            quiet_limit: Some(referee.quiet_limit),
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

/// A game from an opening between the players of `Max` and `Min`.
fn play_game<G: Game>(
    players: [&mut dyn Player<G>; 2],
    opening: &G,
    quiet_limit: u32,
) -> (Vec<RecordedMove<G::Move>>, End) {
    let mut game = Playthrough::new(opening.clone(), quiet_limit);
    let mut moves = Vec::new();
    loop {
        if let Some(end) = game.end() {
            return (moves, end);
        }
        let mover = &mut *players[game.side_to_move() as usize];
        let found = mover.pick_move(game.position(), game.history());
        moves.push(RecordedMove {
            mv: found.mv,
            score: found.score,
        });
        game.play(found.mv);
    }
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
        let referee = MatchSettings {
            quiet_limit: 60,
            seed,
        };
        play_pair(
            [greedy, random],
            &names,
            &Position::start(&()),
            pair,
            referee,
        )
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
    fn a_seed_repeats_its_pair_and_another_gives_another() {
        assert_eq!(pair(1), pair(1));
        assert_ne!(pair(1), pair(2));
    }

    #[test]
    fn each_player_has_each_side_once() {
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
    fn what_a_player_played_before_changes_nothing() {
        let (mut greedy, mut random) = (GreedyPlayer::new(3), RandomPlayer::new(4));
        play(&mut greedy, &mut random, 9, 7);
        assert_eq!(play(&mut greedy, &mut random, 5, 1), pair(1));
    }

    #[test]
    fn a_game_broken_off_makes_no_pair() {
        let [max, min] = pair(1).games().clone();
        assert!(PlayedPair::new(5, [max.clone(), min.clone()]).is_some());
        let open = GameRecord { end: None, ..min };
        assert_eq!(PlayedPair::new(5, [max, open]), None);
    }
}
