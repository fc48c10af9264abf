//! Checks the files of a generation.

use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::path::Path;

use super::{GenerationInspection, Inspector, REPORT_ONLY, RESTORE};
use crate::arena::GamesSurvey;
use crate::kit::Kit;
use crate::network::Network;
use crate::pipeline::state::load_json;
use crate::record::{
    GateMatch, GenerationPaths, GenerationRecord, MatchRecord, MetricsLine, StageTimes,
    TrainingRecord,
};
use crate::training::read_checkpoint;

impl Inspector<'_> {
    /// Checks the folder of a generation; `begun` is true if the run has a state.
    pub(super) fn generation<G: Kit>(
        &mut self,
        generation: u32,
        begun: bool,
    ) -> GenerationInspection {
        let finished = begun && generation <= self.finished;
        let mut inspection = GenerationInspection {
            generation,
            finished,
            ..GenerationInspection::default()
        };
        let paths = self.paths.generation(generation);
        let network = self.network(generation, finished);
        inspection.network = network.as_ref().map(Network::digest);
        self.networks.push(inspection.network.clone());
        if generation == 0 {
            if finished {
                self.json::<f64>(&paths.start_score(), RESTORE);
            }
            inspection.match_games +=
                self.games::<G>(&paths.games(GateMatch::HandWritten), None, finished);
            return inspection;
        }
        let mut record = None;
        if finished {
            record = self.json::<GenerationRecord>(&paths.record(), RESTORE);
        }
        self.shards::<G>(record.as_ref(), &mut inspection);
        self.training(&paths, record.as_ref(), network.as_ref(), &mut inspection);
        for gate_match in GateMatch::ALL {
            let played = record
                .as_ref()
                .and_then(|record| record.gate.of(gate_match));
            let path = paths.games(gate_match);
            inspection.match_games += self.games::<G>(&path, played, finished);
        }
        match record {
            Some(record) => {
                self.gate(&paths, &record, inspection.network.as_ref());
                inspection.promoted = Some(record.gate.promoted);
                if record.gate.promoted {
                    self.best = Some(generation);
                }
            }
            // It is unknown whether its network was promoted.
            None if finished => self.best = None,
            None => {}
        }
        let times = paths.times();
        if let Err(error) = load_json::<StageTimes>(&times, "") {
            self.fault(&times, error, "remove it; the run continues without it");
        }
        inspection
    }

    /// Compares the networks that the gate's record names with the existing ones.
    fn gate(
        &mut self,
        paths: &GenerationPaths,
        record: &GenerationRecord,
        network: Option<&String>,
    ) {
        let path = paths.record();
        let expected = paths
            .folder()
            .ends_with(format!("{:03}", record.generation));
        if !expected {
            let reason = format!("it is the record of generation {}", record.generation);
            self.fault(&path, reason, RESTORE);
        }
        if network.is_some_and(|network| *network != record.gate.candidate) {
            let reason = "it is not the candidate that record.json names";
            self.fault(&paths.network(), reason, RESTORE);
        }
        if let Some((best, digest)) = self.best_so_far()
            && digest != record.gate.best
        {
            let reason = format!("the best network that it names is not that of generation {best}");
            self.fault(&path, reason, RESTORE);
        }
    }

    /// Checks the record, metrics and checkpoint of a training.
    fn training(
        &mut self,
        paths: &GenerationPaths,
        record: Option<&GenerationRecord>,
        network: Option<&Network>,
        inspection: &mut GenerationInspection,
    ) {
        let path = paths.training_record();
        if record.is_some() || path.exists() {
            let training = self.json::<TrainingRecord>(&path, RESTORE);
            if let (Some(training), Some(record)) = (&training, record)
                && *training != record.training
            {
                let reason = "it describes another training than record.json";
                self.fault(&path, reason, RESTORE);
            }
            if let (Some(training), Some(network)) = (&training, network)
                && network.metadata().data_digest.as_ref() != Some(&training.data_digest)
            {
                let reason = "it was trained on other samples than training.json states";
                self.fault(&paths.network(), reason, RESTORE);
            }
        }
        self.metrics(&paths.metrics(), record.is_some());
        let path = paths.checkpoint();
        if !path.exists() {
            return;
        }
        let remedy = "remove it, and the run starts this training again";
        match read_checkpoint(&path) {
            Err(error) => self.fault(&path, error, remedy),
            Ok(checkpoint) => {
                inspection.step = Some(checkpoint.step);
                if checkpoint.generation != inspection.generation {
                    let reason = format!(
                        "it belongs to the training of generation {}",
                        checkpoint.generation
                    );
                    self.fault(&path, reason, remedy);
                }
            }
        }
    }

    /// Checks the lines of a metrics file; the last one may be incomplete during a training.
    fn metrics(&mut self, path: &Path, finished: bool) {
        let Ok(file) = File::open(path) else {
            return;
        };
        let mut lines = BufReader::new(file).lines().enumerate().peekable();
        while let Some((index, line)) = lines.next() {
            let wrong = match &line {
                Ok(line) => serde_json::from_str::<MetricsLine>(line)
                    .err()
                    .map(|error| error.to_string()),
                Err(error) => Some(error.to_string()),
            };
            if let Some(reason) = wrong
                && (finished || lines.peek().is_some())
            {
                let reason = format!("line {}: {reason}", index + 1);
                return self.fault(path, reason, REPORT_ONLY);
            }
        }
    }

    /// Checks a games file of the gate, and returns the number of games. In an unfinished generation the
    /// run itself truncates torn or foreign games.
    fn games<G: Kit>(&mut self, path: &Path, played: Option<&MatchRecord>, finished: bool) -> u64 {
        if !path.exists() {
            return 0;
        }
        match GamesSurvey::read::<G>(path) {
            Err(error) => {
                if finished {
                    self.fault(path, error, REPORT_ONLY);
                }
                0
            }
            Ok(survey) => {
                let expected = played.map_or(0, |played| played.games);
                if finished && survey.torn_bytes > 0 {
                    let reason = format!("it is incomplete after byte {}", survey.bytes);
                    self.fault(path, reason, REPORT_ONLY);
                } else if finished && 2 * survey.pairs < expected {
                    let reason = format!(
                        "it has {} complete pairs, but record.json counts {expected} games",
                        survey.pairs
                    );
                    self.fault(path, reason, REPORT_ONLY);
                }
                survey.games
            }
        }
    }
}
