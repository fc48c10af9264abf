//! Bad configurations and damaged files: one line that says what and where, and nothing touched.

use std::fs;

use bagheera::game::Game as _;
use bagheera::games::bagh_chal::{Points, Position};
use bagheera::network::{Activation, Architecture, FeatureId, Network};

use crate::{CONFIG, Files, HALF, Job, SMALL, WHOLE, config, error, files, output, word};

/// The faults of a configuration and what is said of each.
const FAULTS: [(&str, i32, &[&str]); 14] = [
    (
        "sead = 3",
        1,
        &["config.toml, line 1, column 1", "`sead`", "`seed`"],
    ),
    (
        "seed = 1\n[gate]\npears = 3",
        1,
        &["config.toml, line 3", "`pears`", "`pairs`"],
    ),
    (
        "seed = \"one\"",
        1,
        &["config.toml, line 1, column 8", "\"one\"", "u64"],
    ),
    (
        "\n[selfplay]\ngames = 2.5",
        1,
        &["config.toml, line 3, column 9", "u32"],
    ),
    (
        "[selfplay]\nopening_plies = [3]",
        1,
        &["config.toml, line 2", "size 2"],
    ),
    (
        "bootstrap = \"human\"",
        1,
        &[
            "config.toml, line 1",
            "`human`",
            "`random` or `hand-written`",
        ],
    ),
    ("[gate\n", 1, &["config.toml, line 1"]),
    (
        "[selfplay]\nrandom_move = 2.0",
        1,
        &["config.toml", "selfplay.random_move = 2", "0 to 1"],
    ),
    (
        "[training]\nbatch = 0",
        1,
        &["config.toml", "training.batch = 0", "1 to 65536"],
    ),
    (
        "[gate]\nbounds = [30.0, 0.0]",
        1,
        &["config.toml", "gate", "30", "0"],
    ),
    (
        "[network]\nhidden = []",
        1,
        &["from 1 to 3 hidden layers, not 0"],
    ),
    (
        "[network]\nfeatures = \"smells\"",
        1,
        &["\"smells\"", "it has points"],
    ),
    ("start_from = \"none.net\"", 1, &["none.net"]),
    ("game = \"go\"", 2, &["\"go\"", "bagh-chal"]),
];

#[test]
fn a_bad_config_is_refused_by_place_and_remedy_and_leaves_nothing() {
    for (text, code, parts) in FAULTS {
        let job = Job::new(text);
        let said = error(&job.begin(&[]), code);
        for part in parts {
            assert!(said.contains(part), "{part}: {said}");
        }
        assert!(!job.dir().exists(), "{text}");
        // The corrected configuration is welcome.
        fs::write(job.config(), config(&SMALL)).unwrap();
        error(&job.begin(&["--device", "abacus"]), 2);
        assert!(!job.dir().exists());
    }
}

#[test]
fn what_is_not_there_or_cannot_be_made_is_refused() {
    let job = Job::new(CONFIG);
    fs::remove_file(job.config()).unwrap();
    let said = error(&job.begin(&[]), 1);
    assert!(
        said.contains("cannot read") && said.contains("config.toml"),
        "{said}"
    );
    let said = error(&job.go_on(&[]), 1);
    assert!(
        said.contains("cannot read") && said.contains("run/config.toml"),
        "{said}"
    );
    fs::write(job.config(), CONFIG).unwrap();
    let config = job.config();
    for dir in [config.clone(), config.join("below")] {
        let said = error(
            &["run", "-q", "--config", word(&config), "--dir", word(&dir)],
            1,
        );
        assert!(
            said.contains(&dir.display().to_string())
                && (said.contains("cannot create") || said.contains("already exists")),
            "{said}"
        );
    }
    assert_eq!(fs::read_to_string(&config).unwrap(), CONFIG);
}

#[test]
fn a_book_that_is_too_short_or_missing_is_refused() {
    let job = Job::new("");
    let book = job.0.path().join("book.txt");
    fs::write(&book, "T3T/5/5/5/T3T s 20\nTS2T/5/5/5/T3T t 19\n").unwrap();
    let name = format!("{:?}", word(&book));
    for (name, code, parts) in [
        (
            name.as_str(),
            1,
            &["book.txt", "80 pairs", "2 openings", "gate.max_pairs"][..],
        ),
        ("\"none\"", 2, &["\"none\"", "gate, tuning, final"]),
    ] {
        fs::write(job.config(), config(&[("gate.book", name)])).unwrap();
        let said = error(&job.begin(&[]), code);
        for part in parts {
            assert!(said.contains(part), "{part}: {said}");
        }
        assert!(!job.dir().exists());
    }
}

/// The run after its first generation, in which further files of the whole run lie.
fn half_and(further: &[&str]) -> Files {
    let mut files = HALF.clone();
    files.insert("config.toml".to_owned(), WHOLE["config.toml"].clone());
    for (name, bytes) in WHOLE.iter() {
        if further.iter().any(|start| name.starts_with(start)) {
            files.insert(name.clone(), bytes.clone());
        }
    }
    files
}

/// Goes on with a run of whose files one is damaged, and gives what is said; nothing that was
/// there may change.
fn refusal(files: &Files, name: &str, damage: impl FnOnce(&mut Vec<u8>)) -> String {
    let mut files = files.clone();
    damage(files.get_mut(name).unwrap());
    let job = Job::of(&files);
    let said = error(&job.go_on(&[]), 1);
    let found = self::files(&job.dir());
    for (name, bytes) in &files {
        assert!(found[name] == *bytes, "{name}");
    }
    said
}

fn flip(place: usize) -> impl FnOnce(&mut Vec<u8>) {
    move |bytes| {
        let place = place % bytes.len();
        bytes[place] ^= 1;
    }
}

#[test]
fn a_damaged_state_is_refused() {
    let cuts: [fn(&mut Vec<u8>); 4] = [
        Vec::clear,
        |bytes| bytes.truncate(100),
        |bytes| bytes[0] ^= 1,
        |bytes| {
            *bytes = String::from_utf8_lossy(bytes)
                .replace("\"format\": 1", "\"format\": 2")
                .into()
        },
    ];
    for cut in cuts {
        let said = refusal(&half_and(&[]), "state.json", cut);
        assert!(said.contains("state.json is damaged"), "{said}");
        let remedies = ["remove it", "continue with the program that wrote it"];
        assert!(
            remedies.iter().any(|remedy| said.contains(remedy)),
            "{said}"
        );
    }
}

/// Goes on with a run of which files are gone, and checks that it ends like the whole one.
#[track_caller]
fn assert_made_again(mut files: Files, gone: &[&str]) {
    for name in gone {
        assert!(files.remove(*name).is_some(), "{name}");
    }
    let job = Job::of(&files);
    output(&job.go_on(&[]));
    crate::assert_same(&self::files(&job.dir()), &WHOLE);
}

#[test]
fn what_is_gone_of_a_finished_run_is_made_again_if_anything_goes_on_from_it() {
    let state: serde_json::Value = serde_json::from_slice(&WHOLE["state.json"]).unwrap();
    let best = state["best"]["generation"].as_u64().unwrap();
    // What only tells how a finished generation came about stays away.
    let told = |name: &str| {
        let ends = [".games", "metrics.jsonl", "times.json", "training.json"];
        let network = name.ends_with("candidate.net") && !name.contains(&format!("{best:03}"));
        network || name.contains("/shards/") || ends.iter().any(|end| name.ends_with(end))
    };
    for name in WHOLE.keys().filter(|name| *name != "config.toml") {
        let mut files = WHOLE.clone();
        files.remove(name);
        let job = Job::of(&files);
        fs::write(job.config(), CONFIG).unwrap();
        output(&job.begin(&[]));
        let (mut found, mut expected) = (self::files(&job.dir()), WHOLE.clone());
        for files in [&mut found, &mut expected] {
            files.retain(|other, _| other != name || !told(other));
        }
        crate::assert_same(&found, &expected);
    }
}

#[test]
fn what_is_damaged_and_then_removed_is_made_again() {
    for (name, damage) in [
        ("state.json", 0),
        ("generations/001/record.json", 300),
        ("generations/000/points.json", 0),
        ("generations/001/candidate.net", 3000),
        ("generations/000/candidate.net", 2000),
    ] {
        let files = half_and(&[]);
        let said = refusal(&files, name, |bytes| {
            bytes.truncate(damage);
        });
        let remedies = ["remove it", "opy it again"];
        let told = remedies.iter().any(|remedy| said.contains(remedy));
        assert!(said.contains(name) && told, "{said}");
        assert_made_again(files, &[name]);
    }
    let mut best = half_and(&[]);
    best.insert("best.net".to_owned(), vec![0; 10]);
    let job = Job::of(&best);
    output(&job.go_on(&[]));
    crate::assert_same(&self::files(&job.dir()), &WHOLE);
}

/// Changes a text in a file.
fn replace(from: &str, to: &str) -> impl FnOnce(&mut Vec<u8>) {
    move |bytes| {
        let text = String::from_utf8(bytes.clone()).unwrap();
        assert!(text.contains(from), "{text}");
        *bytes = text.replacen(from, to, 1).into_bytes();
    }
}

#[test]
fn files_that_contradict_each_other_are_refused() {
    for (name, from, to, words) in [
        ("config.toml", "seed = 5", "seed = 6", "was begun"),
        (
            "state.json",
            "\"rejected_in_a_row\": 1",
            "\"rejected_in_a_row\": 0",
            "another best network",
        ),
        (
            "generations/001/shards/manifest.json",
            "\"generation\": 1",
            "\"generation\": 3",
            "manifest.json",
        ),
    ] {
        let said = refusal(&half_and(&["generations/001"]), name, replace(from, to));
        assert!(said.contains(words), "{said}");
    }
    // Worked out again, a state has to follow from what there is.
    let mut files = half_and(&[]);
    files.remove("state.json").unwrap();
    let digest = |name: &str| {
        let record: serde_json::Value = serde_json::from_slice(&files[name]).unwrap();
        record["gate"]["best"].as_str().unwrap().to_owned()
    };
    let record = "generations/001/record.json";
    let best = digest(record);
    let named = |digest: &str| format!("\"best\": \"{digest}\"");
    let said = refusal(
        &files,
        record,
        replace(&named(&best), &named(&"0".repeat(64))),
    );
    assert!(said.contains("not the network"), "{said}");
    let games = "generations/000/gate-hand-written.games";
    let said = refusal(&files, games, replace("[round \"3\"]", "[round \"9\"]"));
    assert!(said.contains("gate-hand-written.games"), "{said}");
}

#[test]
fn a_network_that_cannot_be_made_again_is_told_and_nothing_is_lost() {
    let mut files = half_and(&[]);
    let record = "generations/001/record.json";
    let candidate: serde_json::Value = serde_json::from_slice(&files[record]).unwrap();
    let candidate = candidate["gate"]["candidate"].as_str().unwrap().to_owned();
    // As if another kind of processor had trained it.
    let other = "1".repeat(64);
    replace(&candidate, &other)(files.get_mut(record).unwrap());
    let state = files.get_mut("state.json").unwrap();
    if String::from_utf8_lossy(state).contains(&candidate) {
        replace(&candidate, &other)(state);
    }
    files.remove("generations/001/candidate.net").unwrap();
    let job = Job::of(&files);
    let said = error(&job.go_on(&[]), 1);
    assert!(
        said.contains("training it again gave another network"),
        "{said}"
    );
    let found = self::files(&job.dir());
    for (name, bytes) in &files {
        assert!(found[name] == *bytes, "{name}");
    }
    assert!(
        !found.keys().any(|name| name.contains("again")),
        "{found:?}"
    );
}

#[test]
fn without_its_config_the_files_of_a_run_are_not_taken_for_another_one() {
    let job = Job::of(&half_and(&[]));
    for name in ["config.toml", "state.json"] {
        fs::remove_file(job.dir().join(name)).unwrap();
    }
    fs::write(job.config(), config(&[("seed", "6")])).unwrap();
    let said = error(&job.begin(&[]), 1);
    assert!(said.contains("run/config.toml"), "{said}");
}

#[test]
fn a_run_of_which_much_is_gone_comes_out_the_same() {
    for gone in [
        &["state.json", "best.net"][..],
        &["state.json", "generations/001/record.json"],
        &["generations/001/candidate.net", "best.net", "state.json"],
        &[
            "generations/000/candidate.net",
            "generations/001/candidate.net",
        ],
        &[
            "generations/000/points.json",
            "generations/000/gate-hand-written.games",
        ],
    ] {
        assert_made_again(half_and(&[]), gone);
    }
}

#[test]
fn a_damaged_network_is_refused() {
    // The best one, which the next generation's games need.
    let state: serde_json::Value = serde_json::from_slice(&HALF["state.json"]).unwrap();
    let best = state["best"]["generation"].as_u64().unwrap();
    let network = |generation| format!("generations/{generation:03}/candidate.net");
    let (name, other) = (&network(best), &network(1 - best));
    let shards = half_and(&["generations/002/shards"]);
    for place in [0, 30, 2000, usize::MAX] {
        let said = refusal(&shards, name, flip(place));
        assert!(said.contains(name), "{said}");
    }
    let said = refusal(&shards, name, |bytes| bytes.truncate(1000));
    assert!(said.contains(name), "{said}");
    // A whole network, but not the one that belongs there.
    let said = refusal(&half_and(&[]), name, |bytes| {
        bytes.clone_from(&WHOLE[other]);
    });
    assert!(
        said.contains(name) && said.contains("not the network"),
        "{said}"
    );
}

#[test]
fn a_damaged_shard_is_refused_wherever_its_bit_is_flipped() {
    let shards = half_and(&["generations/002/shards"]);
    for name in [
        "generations/002/shards/shard-00002.bin",
        "generations/001/shards/shard-00005.bin",
    ] {
        let length = shards[name].len();
        for place in [3, 60, 500, length / 2, length - 100, length - 5] {
            let said = refusal(&shards, name, flip(place));
            assert!(said.contains(name), "{place}: {said}");
        }
        let said = refusal(&shards, name, |bytes| bytes.truncate(length - 1));
        assert!(said.contains(name), "{said}");
    }
}

#[test]
fn shards_that_are_gone_are_played_again() {
    let mut files = half_and(&["generations/002/shards"]);
    for gone in [
        "generations/001/shards/shard-00001.bin",
        "generations/001/shards/shard-00004.bin",
        "generations/001/shards/shard-00004.games.jsonl",
        "generations/002/shards/shard-00002.bin",
        "generations/002/shards/manifest.json",
    ] {
        files.remove(gone).unwrap();
    }
    let job = Job::of(&files);
    output(&job.go_on(&[]));
    crate::assert_same(&self::files(&job.dir()), &WHOLE);
    // With nothing left of it, an earlier generation comes out the same as well.
    files.retain(|name, _| !name.starts_with("generations/001/shards"));
    let job = Job::of(&files);
    output(&job.go_on(&[]));
    crate::assert_same(&self::files(&job.dir()), &WHOLE);
}

#[test]
fn a_damaged_manifest_or_record_is_refused() {
    let whole = half_and(&[
        "generations/002/shards",
        "generations/002/candidate.net",
        "generations/002/training.json",
    ]);
    for name in [
        "generations/002/shards/manifest.json",
        "generations/002/training.json",
    ] {
        let said = refusal(&whole, name, |bytes| bytes.truncate(200));
        assert!(said.contains(name), "{said}");
    }
}

#[test]
fn a_shard_taken_for_another_one_is_refused() {
    let shards = half_and(&["generations/002/shards"]);
    let name = "generations/002/shards/shard-00002.bin";
    let said = refusal(&shards, name, |bytes| {
        bytes.clone_from(&WHOLE["generations/002/shards/shard-00001.bin"]);
    });
    assert!(said.contains(name), "{said}");
}

#[test]
fn a_damaged_checkpoint_is_refused() {
    let mut files = half_and(&["generations/002/shards"]);
    let name = "generations/002/checkpoint.bin";
    files.insert(name.to_owned(), b"BagheerC\x02\0\0\0 and so on".to_vec());
    let said = refusal(&files, name, |_| ());
    assert!(said.contains(name) && said.contains("remove it"), "{said}");
    assert_made_again(files, &[name]);
}

#[test]
fn a_run_without_its_config_is_refused() {
    let job = Job::of(&HALF);
    fs::remove_file(job.dir().join("config.toml")).unwrap();
    fs::write(job.config(), config(&[("seed", "6")])).unwrap();
    let said = error(&job.begin(&[]), 1);
    assert!(
        said.contains("run/config.toml") && said.contains("restore it"),
        "{said}"
    );
    assert!(!job.dir().join("config.toml").exists());
}

#[test]
fn half_a_game_at_the_end_of_a_file_does_no_harm() {
    let mut files = half_and(&["generations/002"]);
    for name in [
        "gate-hand-written.games",
        "gate-random.games",
        "gate-best.games",
    ] {
        let games = files.get_mut(&format!("generations/002/{name}")).unwrap();
        let length = games.len();
        games.truncate(length * 2 / 3);
    }
    let job = Job::of(&files);
    output(&job.go_on(&[]));
    crate::assert_same(&self::files(&job.dir()), &WHOLE);
}

#[test]
fn a_first_network_of_other_features_or_a_flipped_bit_is_refused() {
    let job = Job::new("");
    let path = job.0.path().join("given.net");
    fs::write(
        job.config(),
        config(&[("start_from", &format!("{:?}", word(&path)))]),
    )
    .unwrap();
    other_features().save(&path).unwrap();
    let said = error(&job.begin(&[]), 1);
    assert!(
        said.contains("given.net") && said.contains("smells"),
        "{said}"
    );
    let mut bytes = WHOLE["best.net"].clone();
    bytes[3000] ^= 1;
    fs::write(&path, bytes).unwrap();
    let said = error(&job.begin(&[]), 1);
    assert!(said.contains("given.net"), "{said}");
    assert!(!job.dir().exists());
}

/// A whole network that sees what no feature set of the game shows.
pub fn other_features() -> Network {
    let features = FeatureId {
        name: "smells".to_owned(),
        ..FeatureId::of::<Position, Points>()
    };
    let architecture = Architecture::new(Position::NAME, features, &[16], Activation::ScRelu);
    Network::random(architecture, 1).unwrap()
}
