//! Players that are given exact values, from small sources of them.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod truth;

use std::collections::HashMap;
use std::sync::Arc;

use bagheera::game::{Exact, ExactValues, Game, Notation, Outcome};
use bagheera::games::bagh_chal::{ClaudeEvaluation, MaterialEvaluation, Position};
use bagheera::search::{
    Analysis, Limits, NoCache, Player, Search, SearchReport, Switches, Techniques,
    TranspositionTable,
};
use truth::{ExamCase, Positions, Sample, load};

type Move = <Position as Game>::Move;

/// Knows what a list says of positions.
#[derive(Debug)]
struct Listed(HashMap<u64, Exact>);

impl Listed {
    /// Values after moves of a position.
    fn after(position: &Position, moves: impl IntoIterator<Item = (Move, Exact)>) -> Self {
        let key = |(mv, exact)| (position.play(mv).key(), exact);
        Self(moves.into_iter().map(key).collect())
    }
}

impl ExactValues<Position> for Listed {
    fn probe(&self, position: &Position) -> Option<Exact> {
        self.0.get(&position.key()).copied()
    }

    fn digest(&self) -> &'static str {
        "listed"
    }
}

/// Techniques that leave the scores of plain minimax.
fn plain() -> Techniques {
    Techniques {
        on: Switches::PLAIN,
        ..Techniques::for_symmetry(true)
    }
}

/// Knows the value of what a plain search of a few plies proves, and not the distance.
#[derive(Debug)]
struct Proved(u32);

impl ExactValues<Position> for Proved {
    fn probe(&self, position: &Position) -> Option<Exact> {
        let limits = Limits::depth(self.0);
        let mut player = Search::new(MaterialEvaluation, NoCache, limits).with_techniques(plain());
        let forced = player.pick_move(position, &[]).forced?;
        Some(Exact::value(Outcome::win(forced.winner)))
    }

    fn digest(&self) -> &'static str {
        "proved"
    }
}

fn player(
    exact: Option<Arc<dyn ExactValues<Position>>>,
    depth: u32,
) -> impl Player<Position> + use<> {
    let table = TranspositionTable::<Position>::new(14);
    Search::new(ClaudeEvaluation, table, Limits::depth(depth))
        .with_techniques(plain())
        .with_exact(exact)
}

fn pick(
    position: &Position,
    exact: impl ExactValues<Position> + 'static,
    depth: u32,
) -> SearchReport<Move> {
    player(Some(Arc::new(exact)), depth).pick_move(position, &[])
}

fn analyse(
    position: &Position,
    exact: impl ExactValues<Position> + 'static,
    depth: u32,
) -> Analysis<Move> {
    let mut player = player(Some(Arc::new(exact)), depth);
    player.analyse(position, &[]).unwrap()
}

/// A position, its exact value, and the exact values after its moves.
type Known = (Position, Exact, Vec<(Move, Exact)>);

/// The positions of the exam.
fn exam() -> Vec<Known> {
    let exam: Positions<ExamCase> = load("exam");
    let cases = exam.positions.iter().map(|case| {
        let position = case.position();
        let moves = case.moves.iter();
        let moves = moves.map(|mv| (position.parse_move(&mv.text).unwrap(), mv.exact()));
        (position, case.exact(), moves.collect())
    });
    cases.collect()
}

/// An opening with many moves, none of them decided within a few plies.
fn opening() -> Position {
    Position::parse_position("1SS1T/T4/S3S/1T2S/1ST2 t 13").unwrap()
}

#[test]
fn a_known_win_takes_the_fewest_plies_and_a_known_loss_the_most() {
    let (mut won, mut lost) = (0, 0);
    for (position, exact, moves) in exam() {
        let text = position.format_position();
        let report = pick(&position, Listed::after(&position, moves.clone()), 1);
        let forced = report.forced.unwrap();
        assert_eq!(Some(forced.winner), exact.value.winner(), "{text}");
        assert_eq!(forced.plies, exact.plies, "{text}");
        let (_, after) = moves.iter().find(|(mv, _)| *mv == report.mv).unwrap();
        assert_eq!(after.value, exact.value, "{text}");
        assert_eq!(after.plies, exact.plies.map(|plies| plies - 1), "{text}");
        if Some(position.side_to_move()) == exact.value.winner() {
            won += 1;
        } else {
            lost += 1;
        }
    }
    assert!(won > 20 && lost > 3, "{won} won, {lost} lost");
}

#[test]
fn an_analysis_tells_the_known_result_of_every_move() {
    for (position, exact, moves) in exam() {
        let text = position.format_position();
        let analysis = analyse(&position, Listed::after(&position, moves.clone()), 3);
        assert_eq!(analysis.moves.len(), moves.len());
        for (mv, after) in &moves {
            let scored = analysis.moves.iter().find(|row| row.mv == *mv).unwrap();
            let winner = scored.forced.map(|forced| forced.winner);
            assert_eq!(winner, after.value.winner(), "{text}");
            let plies = scored.forced.and_then(|forced| forced.plies);
            assert_eq!(plies, after.plies.map(|plies| plies + 1), "{text}");
            assert_eq!(scored.score == 0.0, after.value == Outcome::Draw);
        }
        let best = analysis.best().forced.unwrap();
        assert_eq!(best.plies, exact.plies, "{text}");
    }
}

#[test]
fn known_leaves_prove_what_a_deeper_plain_search_proves() {
    let sample: Positions<Sample> = load("tablebase_sample");
    let (mut proved, mut open) = (0, 0);
    for case in sample.positions.iter().step_by(5) {
        let position = case.place.position();
        if position.outcome().is_some() {
            continue;
        }
        let text = position.format_position();
        let mut player = player(Some(Arc::new(Proved(2))), 2);
        let report = player.pick_move(&position, &[]);
        let winner = report.forced.map(|forced| forced.winner);
        match case.plies {
            Some(plies) if plies <= 4 => {
                assert_eq!(winner, case.exact().value.winner(), "{text}");
                proved += 1;
            }
            Some(_) => assert_eq!(winner, None, "{text}"),
            None => {
                assert_eq!(winner, None, "{text}");
                open += 1;
            }
        }
        // The source knows no distances, so one that is told was searched to the end.
        let plies = report.forced.and_then(|forced| forced.plies);
        assert!(plies.is_none() || plies == case.plies, "{text}: {plies:?}");
    }
    assert!(proved > 20 && open > 20, "{proved} proved, {open} open");
}

#[test]
fn drawing_moves_are_chosen_among_as_if_nothing_were_known() {
    let position = opening();
    let draws = |mv: &Move| (*mv, Exact::draw());
    let all = Listed::after(&position, position.moves().iter().map(draws));
    let report = pick(&position, all, 4);
    let plain = player(None, 4).pick_move(&position, &[]);
    assert_eq!((report.mv, report.depth), (plain.mv, 4));
    assert_eq!((report.score, report.forced), (Some(0.0), None));
}

#[test]
fn losing_moves_are_left_alone_while_others_draw() {
    let position = opening();
    let analysis = player(None, 3).analyse(&position, &[]).unwrap();
    // The two that the player itself likes least.
    let worst = &analysis.moves[analysis.moves.len() - 2..];
    assert_ne!(worst[0].score, worst[1].score);
    let values = analysis.moves.iter().map(|row| {
        let drawn = worst.iter().any(|drawn| drawn.mv == row.mv);
        let lost = Exact::value(Outcome::Min);
        (row.mv, if drawn { Exact::draw() } else { lost })
    });
    let report = pick(&position, Listed::after(&position, values), 3);
    assert_eq!(report.mv, worst[0].mv);
    assert_eq!((report.score, report.forced), (Some(0.0), None));
}

#[test]
fn a_win_of_unknown_distance_is_kept_and_has_no_plies() {
    let position = opening();
    for &winning in &position.moves() {
        let values = position.moves().into_iter().map(|mv| {
            let won = Exact::value(Outcome::Max);
            (mv, if mv == winning { won } else { Exact::draw() })
        });
        let report = pick(&position, Listed::after(&position, values), 2);
        assert_eq!(report.mv, winning);
        assert_eq!(report.score, Some(f32::INFINITY));
        assert_eq!(report.forced.unwrap().plies, None);
    }
}

#[test]
fn one_known_position_settles_its_move_and_leaves_the_others_to_the_search() {
    let position = opening();
    let first = position.moves()[0];
    let lost = || Listed::after(&position, [(first, Exact::value(Outcome::Min))]);
    let analysis = analyse(&position, lost(), 3);
    let last = analysis.moves.last().unwrap();
    assert_eq!((last.mv, last.score), (first, f32::NEG_INFINITY));
    let plain = player(None, 3).analyse(&position, &[]).unwrap();
    for row in &analysis.moves[..analysis.moves.len() - 1] {
        let other = plain.moves.iter().find(|other| other.mv == row.mv).unwrap();
        assert_eq!(row.score, other.score);
    }
    assert_ne!(pick(&position, lost(), 3).mv, first);
}

#[test]
fn a_loss_of_unknown_distance_is_defended_as_if_nothing_were_known() {
    let position = opening();
    let lost = |mv: &Move| (*mv, Exact::value(Outcome::Min));
    let all = Listed::after(&position, position.moves().iter().map(lost));
    let report = pick(&position, all, 4);
    assert_eq!(report.mv, player(None, 4).pick_move(&position, &[]).mv);
    assert_eq!(report.score, Some(f32::NEG_INFINITY));
    assert_eq!(report.forced.unwrap().plies, None);
}

/// The position before a move that leads to a third occurrence, the positions before it, and the
/// move.
fn before_a_repetition() -> (Position, Vec<Position>, Move) {
    let start = Position::parse_position("T3T/SSSSS/SS1SS/SSSSS/TS1ST t 0").unwrap();
    let game = ["a5-b5", "d1-c1", "b5-a5", "c1-d1"].repeat(2);
    let mut positions = vec![start];
    for text in &game[..7] {
        let position = positions[positions.len() - 1];
        positions.push(position.play(position.parse_move(text).unwrap()));
    }
    let position = positions.pop().unwrap();
    let mv = position.parse_move(game[7]).unwrap();
    assert_eq!(position.play(mv), start);
    (position, positions, mv)
}

#[test]
fn a_third_occurrence_saves_a_lost_game_and_is_no_way_to_win_one() {
    let (position, history, repeating) = before_a_repetition();
    let picked = |outcome, history: &[Position]| {
        let values = position.moves().into_iter().map(|mv| {
            let plies = Some(if mv == repeating { 2 } else { 4 });
            let value = outcome;
            (mv, Exact { value, plies })
        });
        let values = Listed::after(&position, values);
        player(Some(Arc::new(values)), 2).pick_move(&position, history)
    };
    let saved = picked(Outcome::Max, &history);
    assert_eq!(
        (saved.mv, saved.score, saved.forced),
        (repeating, Some(0.0), None)
    );
    let won = picked(Outcome::Min, &history);
    assert_ne!(won.mv, repeating);
    assert_eq!(won.forced.unwrap().plies, Some(5));
    // A second occurrence ends nothing.
    let lost = picked(Outcome::Max, &history[4..]);
    assert_eq!(lost.forced.unwrap().plies, Some(5));
    let won = picked(Outcome::Min, &history[4..]);
    assert_eq!((won.mv, won.forced.unwrap().plies), (repeating, Some(3)));
}

#[test]
fn an_analysis_tells_that_a_third_occurrence_draws() {
    let (position, history, repeating) = before_a_repetition();
    let lost = |mv: &Move| (*mv, Exact::value(Outcome::Max));
    let all = Listed::after(&position, position.moves().iter().map(lost));
    let analysis = player(Some(Arc::new(all)), 2).analyse(&position, &history);
    let analysis = analysis.unwrap();
    assert_eq!(
        (analysis.best().mv, analysis.best().score),
        (repeating, 0.0)
    );
    assert!(
        analysis.moves[1..]
            .iter()
            .all(|row| row.score == f32::INFINITY)
    );
}
