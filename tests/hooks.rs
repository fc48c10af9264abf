//! The hooks of a game in the search: checks, exchanges, order of noisy moves, verdicts on
//! repetition, by a game that uses all of them.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::sync::atomic::{AtomicUsize, Ordering};

use bagheera::game::{End, Game, Key as _, Outcome, Playthrough, Side, random_move};
use bagheera::games::bagh_chal;
use bagheera::search::{
    Evaluation, Limits, NoCache, Player, Search, Switches, Techniques, TranspositionTable,
    reference,
};
use bagheera::seed;

type Inner = bagh_chal::Position;

/// Counts calls in which a hook differs from its default.
static CHECKS: AtomicUsize = AtomicUsize::new(0);
static LOSING: AtomicUsize = AtomicUsize::new(0);
static VERDICTS: AtomicUsize = AtomicUsize::new(0);

/// Bagh-Chal with arbitrary checks, exchange values and marks, in which marks decide repetitions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Position(Inner);

impl Position {
    fn hash(&self) -> u64 {
        self.0.key().fold().wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40
    }

    /// Rare, so that quiescence, which searches all moves in check, comes to an end.
    fn checks(&self) -> bool {
        self.hash().is_multiple_of(40)
    }

    fn is_marked(&self) -> bool {
        self.hash().is_multiple_of(2)
    }
}

impl Game for Position {
    type Rules = ();
    type Move = <Inner as Game>::Move;
    type Moves = <Inner as Game>::Moves;
    type Key = <Inner as Game>::Key;
    type Code = <Inner as Game>::Code;

    const NAME: &'static str = "hooked";
    const MOVE_INDICES: usize = Inner::MOVE_INDICES;
    const HAS_CHECKS: bool = true;
    const HAS_EXCHANGES: bool = true;
    const ORDERS_NOISY_MOVES: bool = true;
    const HAS_REPETITION_MARKS: bool = true;

    fn start(rules: &()) -> Self {
        Self(Inner::start(rules))
    }

    fn rules(&self) {}

    fn side_to_move(&self) -> Side {
        self.0.side_to_move()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.0.outcome()
    }

    fn moves_into(&self, moves: &mut Self::Moves) {
        self.0.moves_into(moves);
    }

    fn play(&self, mv: Self::Move) -> Self {
        Self(self.0.play(mv))
    }

    fn is_noisy(&self, mv: Self::Move) -> bool {
        self.0.is_noisy(mv)
    }

    fn is_irreversible(&self, mv: Self::Move) -> bool {
        self.0.is_irreversible(mv)
    }

    fn can_repeat(&self) -> bool {
        self.0.can_repeat()
    }

    fn can_return_to(&self, earlier: &Self) -> bool {
        self.0.can_return_to(&earlier.0)
    }

    fn move_index(mv: Self::Move) -> usize {
        Inner::move_index(mv)
    }

    fn key(&self) -> Self::Key {
        self.0.key()
    }

    fn encode(&self) -> Self::Code {
        self.0.encode()
    }

    fn decode(code: Self::Code) -> Result<Self, String> {
        Inner::decode(code).map(Self)
    }

    fn in_check(&self) -> bool {
        CHECKS.fetch_add(usize::from(self.checks()), Ordering::Relaxed);
        self.checks()
    }

    fn noisy_order(&self, mv: Self::Move) -> i32 {
        (Inner::move_index(mv) * 7 % 5) as i32
    }

    fn exchange_reaches(&self, mv: Self::Move, _threshold: i32) -> bool {
        let loses = (self.hash() as usize + Inner::move_index(mv)).is_multiple_of(4);
        LOSING.fetch_add(usize::from(loses), Ordering::Relaxed);
        !loses
    }

    fn repetition_mark(&self) -> u32 {
        u32::from(self.is_marked())
    }

    /// A side whose opponent was marked with every move of the cycle loses, unless both were, as by
    /// perpetual check.
    fn repetition_outcome(&self, cycle: &[u32]) -> Outcome {
        // The last mark is the position's own, so every second one from the end is of its side.
        let is_perpetual = |skip: usize| {
            let mut marks = cycle.iter().rev().skip(skip).step_by(2);
            cycle.len() > skip && marks.all(|mark| *mark == 1)
        };
        let to_move = self.side_to_move();
        let outcome = match (is_perpetual(0), is_perpetual(1)) {
            (true, false) => Outcome::win(to_move),
            (false, true) => Outcome::win(to_move.other()),
            _ => Outcome::Draw,
        };
        VERDICTS.fetch_add(usize::from(outcome != Outcome::Draw), Ordering::Relaxed);
        outcome
    }
}

#[derive(Clone, Copy)]
struct Judge;

impl Evaluation<Position> for Judge {
    fn evaluate(&mut self, position: &Position) -> f32 {
        (position.hash() % 1000) as f32 / 100.0 - 5.0
    }

    fn is_symmetric(&self) -> bool {
        false
    }
}

/// Positions of random games, with the games before them.
fn positions() -> Vec<(Position, Vec<Position>)> {
    let mut positions = Vec::new();
    for line in 0..200 {
        let mut rng = seed::stream(&[7, line]);
        let mut game = Playthrough::new(Position::start(&()), u32::MAX);
        while game.end().is_none() && game.moves().len() < 30 + line as usize % 60 {
            let mv = random_move(game.position(), &mut rng);
            game.play(mv);
        }
        if game.end().is_none() {
            positions.push((*game.position(), game.history().to_vec()));
        }
    }
    positions
}

#[test]
fn exact_techniques_leave_every_score_of_a_game_with_hooks() {
    let positions = positions();
    assert!(positions.len() > 10);
    for (position, history) in &positions {
        for quiescence in [false, true] {
            let expected =
                reference::minimax(position, history, 4, quiescence, &mut |p| Judge.evaluate(p));
            let plain = Switches {
                quiescence,
                ..Switches::PLAIN
            };
            let exact = Switches {
                history: true,
                pvs: true,
                ..plain
            };
            for on in [plain, exact] {
                let techniques = Techniques {
                    on,
                    ..Techniques::for_symmetry(false)
                };
                let mut search =
                    Search::new(Judge, NoCache, Limits::depth(4)).with_techniques(techniques);
                let score = search.fixed_depth_score(position, history, 4, None);
                assert_eq!(score, expected, "{position:?} {on:?}");
            }
        }
    }
    for (hook, name) in [
        (&CHECKS, "checks"),
        (&LOSING, "exchanges"),
        (&VERDICTS, "verdicts"),
    ] {
        assert!(hook.load(Ordering::Relaxed) > 0, "no {name}");
    }
}

#[test]
fn selective_techniques_search_a_game_with_hooks() {
    for (position, history) in positions().iter().step_by(4) {
        let table = TranspositionTable::new(14);
        let techniques = Techniques {
            on: Switches {
                null_move: true,
                ..Switches::default()
            },
            ..Techniques::for_symmetry(false)
        };
        let mut search = Search::new(Judge, table, Limits::nodes(3000)).with_techniques(techniques);
        let report = search.pick_move(position, history);
        assert!(position.moves().contains(&report.mv));
        // A verdict on a repetition proves nothing.
        assert_eq!(report.forced.is_some(), report.score.unwrap().is_infinite());
    }
}

#[test]
fn games_end_by_the_verdict_on_their_cycle() {
    // Random sliding games until a position occurs for the third time.
    let mut ends = [0, 0];
    for line in 0..3000 {
        let mut rng = seed::stream(&[8, line]);
        let mut game = Playthrough::new(Position::start(&()), u32::MAX);
        while game.end().is_none() && game.moves().len() < 400 {
            // Back and forth where that is legal, so that positions come back.
            let moves = game.position().moves();
            let back = game.history().len().checked_sub(3).and_then(|ply| {
                let earlier = game.history()[ply];
                let twice_ago = game.moves()[ply];
                moves.iter().copied().find(|mv| {
                    *mv != twice_ago && game.position().play(*mv).0.board == earlier.0.board
                })
            });
            let mv = back.unwrap_or_else(|| random_move(game.position(), &mut rng));
            game.play(mv);
        }
        if let Some(End::Repetition(outcome)) = game.end() {
            let key = game.position().key();
            let since = game.history().iter().rposition(|p| p.key() == key).unwrap();
            let mut cycle: Vec<u32> = game.history()[since + 1..]
                .iter()
                .map(Game::repetition_mark)
                .collect();
            cycle.push(game.position().repetition_mark());
            assert_eq!(outcome, game.position().repetition_outcome(&cycle));
            ends[usize::from(outcome != Outcome::Draw)] += 1;
        }
    }
    assert!(ends[0] > 0 && ends[1] > 0, "{ends:?}");
}
