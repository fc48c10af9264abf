//! The files of a run, separated by zeros: the status and the report of whatever they hold are
//! made or refused, and what is read is written and read again as the same.
#![no_main]

use bagheera::pipeline::{
    Config, RunState, inspect_run, records, report, status, table, write_report,
};

use bagheera::record::{GenerationRecord, LadderRecord, MetricsLine, RunPaths, StageTimes};
use bagheera::reporter::Reporter;
use bagheera_fuzz::Game;
use bagheera_fuzz::pool;
use bagheera_fuzz::scratch::Scratch;
use libfuzzer_sys::fuzz_target;

/// The files in their order.
const FILES: [&str; 6] = [
    "state.json",
    "generations/001/record.json",
    "generations/001/times.json",
    "generations/001/metrics.jsonl",
    "generations/000/points.json",
    "ladder/ladder.json",
];

fuzz_target!(|data: &[u8]| {
    let scratch = Scratch::new();
    let config = toml::to_string(&Config::default()).expect("the default can be written");
    scratch.file("config.toml", config.as_bytes());
    for (name, content) in FILES.iter().zip(data.split(|byte| *byte == 0)) {
        // An empty part stands for a file that is not there.
        if !content.is_empty() {
            scratch.file(name, content);
        }
        same::<GenerationRecord>(content);
        same::<StageTimes>(content);
        same::<MetricsLine>(content);
        same::<LadderRecord>(content);
    }
    let path = scratch.path("state.json");
    if let Ok(Some(state)) = RunState::load(&path) {
        let copy = scratch.path("copy.json");
        state.save(&copy).expect("a state can be written");
        let read = RunState::load(&copy).expect("a written state can be read");
        assert_eq!(read, Some(state));
    }
    let paths = RunPaths::new(scratch.folder());
    let _ = status(&paths);
    inspect_run::<Game>(&paths, pool(), &Reporter::new(true)).expect("the config is whole");
    if let Ok(records) = records(&paths) {
        assert!(!table::<Game>(&records, None).is_empty());
    }
    if let Ok(told) = report::<Game>(&paths, |_| None) {
        write_report::<Game>(&paths, &told).expect("a report can be written");
    }
});

/// Checks that what JSON holds is written and read again as the same.
fn same<T>(json: &[u8])
where
    T: serde::Serialize + serde::de::DeserializeOwned + PartialEq + std::fmt::Debug,
{
    if let Ok(value) = serde_json::from_slice::<T>(json) {
        let written = serde_json::to_string(&value).expect("a record can be written");
        let read: T = serde_json::from_str(&written).expect("a written record can be read");
        assert_eq!(read, value);
    }
}
