//! `bagheera evaluate --exact`: players against the tables.

use bagheera::games::bagh_chal::{Points, Position};
use bagheera::network::{Activation, Architecture, FeatureId, Network};
use bagheera::record::{ExamPlayerRecord, ExamRecord, ExamSetRecord, GradeCounts};

use crate::{bagheera, error, json, tables, text};

fn folder() -> &'static str {
    tables().folder().to_str().unwrap()
}

fn exam(arguments: &[&str]) -> ExamRecord {
    let exam = ["evaluate", "-q", "--json", "--tables", folder()];
    let few = ["--exam-positions", "150", "--seed", "7"];
    serde_json::from_value(json(&[&exam[..], &few, arguments].concat())).unwrap()
}

/// Checks that counts add up, in all and by every kind of position.
fn assert_adds_up(set: &ExamSetRecord, player: &ExamPlayerRecord) {
    let sum = |counts: &GradeCounts| {
        counts.kept + counts.win_to_draw + counts.draw_to_loss + counts.win_to_loss
    };
    assert_eq!(player.total.positions, set.critical as u64);
    assert_eq!(sum(&player.total), player.total.positions);
    for by in ["phase", "side", "stratum"] {
        let parts = || player.parts.iter().filter(|part| part.by == by);
        let positions: u64 = parts().map(|part| part.counts.positions).sum();
        let kept: u64 = parts().map(|part| part.counts.kept).sum();
        assert_eq!(
            (positions, kept),
            (player.total.positions, player.total.kept)
        );
        assert!(parts().count() >= 2, "{by}");
    }
}

#[test]
fn the_network_that_comes_with_the_program_is_examined_at_several_limits() {
    let record = exam(&["neural"]);
    let set = &record.sets[0];
    let names: Vec<_> = set.players.iter().map(|player| &player.player).collect();
    for nodes in ["nodes=100", "nodes=1000", "nodes=10000"] {
        for name in ["claude", "neural"] {
            assert!(names.contains(&&format!("{name}@{nodes}")), "{names:?}");
        }
    }
    assert_eq!(set.evaluations.last().unwrap().evaluation, "neural");
}

#[test]
fn better_players_throw_less_away_and_exact_ones_nothing() {
    let exact = format!("claude@nodes=1,exact={}", folder());
    let players = ["random", "greedy", "claude@nodes=1000", &exact];
    let record = exam(&players);
    assert_eq!(record.sets.len(), 2);
    for set in &record.sets {
        assert_eq!(set.critical, 150, "{}", set.set);
        let names: Vec<_> = set.players.iter().map(|player| &player.player).collect();
        assert_eq!(names, players);
        for player in &set.players {
            assert_adds_up(set, player);
        }
        let kept: Vec<u64> = set.players.iter().map(|player| player.total.kept).collect();
        assert!(kept.is_sorted() && kept[0] < 100, "{kept:?}");
        assert_eq!(kept[3], 150);
        let difference = set.players[2].against_earlier[0];
        let expected = (kept[2] - kept[0]) as f64 / 150.0;
        assert!((difference.difference - expected).abs() < 1e-9);
        assert!(difference.interval[0] > 0.0 && difference.interval[1] < 1.0);
        // The hand-written evaluations are judged without search too.
        let claude = &set.evaluations[0];
        assert_eq!(claude.evaluation, "claude");
        assert!(claude.ranking.win_over_loss.unwrap().share > 0.9);
        let scored: u64 = claude.calibration.iter().map(|bin| bin.positions).sum();
        assert_eq!(scored, set.general as u64);
    }
}

#[test]
fn the_exam_does_not_depend_on_threads() {
    let players = ["random", "claude@nodes=50"];
    let [one, three] =
        ["1", "3"].map(|threads| exam(&[&players[..], &["--threads", threads]].concat()));
    assert_eq!(one, three);
}

#[test]
fn a_network_file_is_examined_at_several_limits_beside_the_hand_written_evaluation() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("best.net");
    let architecture = Architecture::new(
        "bagh-chal",
        FeatureId::of::<Position, Points>(),
        &[8],
        Activation::ScRelu,
    );
    let network = Network::random(architecture, 1).unwrap();
    network.save(&path).unwrap();
    let path = path.to_str().unwrap();
    let record = exam(&[path]);
    // The directory of a run stands for its best network.
    let of_run = exam(&[folder.path().to_str().unwrap()]);
    assert_eq!(of_run, record);
    let set = &record.sets[0];
    assert_eq!(set.players.len(), 6);
    assert!(
        set.players[..3]
            .iter()
            .all(|player| player.digest.is_none())
    );
    let digest = Some(network.digest());
    assert!(
        set.players[3..]
            .iter()
            .all(|player| player.digest == digest)
    );
    assert_eq!(set.players[5].player, format!("neural:{path}@nodes=10000"));
    let last = set.evaluations.last().unwrap();
    assert_eq!(last.evaluation, format!("neural:{path}"));
}

#[test]
fn the_exam_is_told_in_tables() {
    let exam = [
        "evaluate",
        "-q",
        "--tables",
        folder(),
        "--exam-positions",
        "20",
    ];
    let mut command = bagheera(&[&exam[..], &["greedy", "claude@nodes=9"]].concat());
    let said = text(&command.assert().success().get_output().stdout);
    for words in [
        "games: 20 positions",
        "2 claude@nodes=9",
        "than 1",
        "draw to loss",
        "uniform:",
    ] {
        assert!(said.contains(words), "{words}: {said}");
    }
}

#[test]
fn wrong_words_are_told_with_the_remedy() {
    let exact = ["evaluate", "--tables", folder()];
    for (arguments, code, told) in [
        (&["nobody"][..], 2, "no network file of that name"),
        (&["claude", "--shards", "x"], 2, "--shards"),
        (&["claude", "--nodes", "5"], 2, "--nodes"),
        (&["neural:none.net"], 1, "none.net"),
    ] {
        let said = error(&[&exact[..], arguments].concat(), code);
        assert!(said.contains(told), "{said}");
    }
    let said = error(&["evaluate", "claude", "--tables", "nowhere"], 1);
    assert!(said.contains("bagheera endgame build"), "{said}");
    let said = error(&["evaluate", "claude", "--exam-positions", "9"], 2);
    assert!(said.contains("--exact"), "{said}");
    let said = error(&["evaluate", "claude", "random"], 2);
    assert!(said.contains("--exact"), "{said}");
}
