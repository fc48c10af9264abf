//! The files of a generation.

use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::path::Path;

use super::{GenerationInspection, Inspector, REPORT_ONLY, RESTORE};
use crate::arena::GamesSurvey;
use crate::kit::Kit;
use crate::network::Network;
use crate::pipeline::directory::times_path;
use crate::pipeline::state::load_json;
use crate::record::{GenerationRecord, MatchRecord, MetricsLine, StageTimes, TrainingRecord};
use crate::training::{CHECKPOINT_FILE, METRICS_FILE, read_checkpoint};

impl Inspector<'_> {
    /// Checks what there is of a generation; `begun` tells whether the run has a state.
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
        let folder = self.folder(generation);
        let network = self.network(generation, finished);
        inspection.network = network.as_ref().map(Network::digest);
        self.networks.push(inspection.network.clone());
        if generation == 0 {
            if finished {
                self.json::<f64>(&folder.join("points.json"), RESTORE);
            }
            inspection.match_games += self.games::<G>(&folder, "hand-written", None, finished);
            return inspection;
        }
        let mut record = None;
        if finished {
            record = self.json::<GenerationRecord>(&folder.join("record.json"), RESTORE);
        }
        self.shards::<G>(record.as_ref(), &mut inspection);
        self.training(&folder, record.as_ref(), network.as_ref(), &mut inspection);
        let gate = record.as_ref().map(|record| &record.gate);
        let matches = [
            ("hand-written", gate.map(|gate| &gate.hand_written)),
            ("random", gate.map(|gate| &gate.random)),
            ("best", gate.and_then(|gate| gate.against_best.as_ref())),
        ];
        for (name, played) in matches {
            inspection.match_games += self.games::<G>(&folder, name, played, finished);
        }
        match record {
            Some(record) => {
                self.gate(&folder, &record, inspection.network.as_ref());
                inspection.promoted = Some(record.gate.promoted);
                if record.gate.promoted {
                    self.best = Some(generation);
                }
            }
            // Whether its network was promoted is not known.
            None if finished => self.best = None,
            None => {}
        }
        let times = times_path(&folder);
        if let Err(error) = load_json::<StageTimes>(&times, "") {
            self.fault(&times, error, "remove it; the run goes on without it");
        }
        inspection
    }

    /// Compares the networks that the gate's record names with those that are there.
    fn gate(&mut self, folder: &Path, record: &GenerationRecord, network: Option<&String>) {
        let path = folder.join("record.json");
        let expected = folder.ends_with(format!("{:03}", record.generation));
        if !expected {
            let reason = format!("it is the record of generation {}", record.generation);
            self.fault(&path, reason, RESTORE);
        }
        if network.is_some_and(|network| *network != record.gate.candidate) {
            let reason = "it is another network than the candidate that record.json names";
            self.fault(&folder.join("candidate.net"), reason, RESTORE);
        }
        if let Some((best, digest)) = self.best_so_far()
            && digest != record.gate.best
        {
            let reason = format!("the best network that it names is not that of generation {best}");
            self.fault(&path, reason, RESTORE);
        }
    }

    /// Checks record, metrics and checkpoint of a training.
    fn training(
        &mut self,
        folder: &Path,
        record: Option<&GenerationRecord>,
        network: Option<&Network>,
        inspection: &mut GenerationInspection,
    ) {
        let path = folder.join("training.json");
        if record.is_some() || path.exists() {
            let training = self.json::<TrainingRecord>(&path, RESTORE);
            if let (Some(training), Some(record)) = (&training, record)
                && *training != record.training
            {
                let reason = "it tells of another training than record.json";
                self.fault(&path, reason, RESTORE);
            }
            if let (Some(training), Some(network)) = (&training, network)
                && network.metadata().data_digest.as_ref() != Some(&training.data_digest)
            {
                let reason = "it was trained on other samples than training.json tells";
                self.fault(&folder.join("candidate.net"), reason, RESTORE);
            }
        }
        self.metrics(&folder.join(METRICS_FILE), record.is_some());
        let path = folder.join(CHECKPOINT_FILE);
        if !path.exists() {
            return;
        }
        match read_checkpoint(&path) {
            Err(error) => {
                let remedy = "remove it, and the run begins this training anew";
                self.fault(&path, error, remedy);
            }
            Ok(checkpoint) => {
                inspection.step = Some(checkpoint.step);
                if checkpoint.generation != inspection.generation {
                    let reason = format!(
                        "it is of the training of generation {}",
                        checkpoint.generation
                    );
                    self.fault(
                        &path,
                        reason,
                        "remove it, and the run begins this training anew",
                    );
                }
            }
        }
    }

    /// Checks the lines of a file of metrics, of which the last may be torn while training lasts.
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

    /// Checks a file of the gate's games, and returns how many there are. While the generation is
    /// under way, the run itself cuts off what is torn or wrong.
    fn games<G: Kit>(
        &mut self,
        folder: &Path,
        name: &str,
        played: Option<&MatchRecord>,
        finished: bool,
    ) -> u64 {
        let path = folder.join(format!("gate-{name}.games"));
        if !path.exists() {
            return 0;
        }
        match GamesSurvey::read::<G>(&path) {
            Err(error) => {
                if finished {
                    self.fault(&path, error, REPORT_ONLY);
                }
                0
            }
            Ok(survey) => {
                let expected = played.map_or(0, |played| played.games);
                if finished && survey.torn_bytes > 0 {
                    let reason = format!("it is torn after {} bytes", survey.bytes);
                    self.fault(&path, reason, REPORT_ONLY);
                } else if finished && 2 * survey.pairs < expected {
                    let reason = format!(
                        "it holds {} whole pairs of games, and record.json tells of {expected} games",
                        survey.pairs
                    );
                    self.fault(&path, reason, REPORT_ONLY);
                }
                survey.games
            }
        }
    }
}
