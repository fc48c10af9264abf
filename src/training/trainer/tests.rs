//! Trainings of the tests: stopped, killed, resumed, and refused.

use std::fs;

use serde_json::json;
use tempfile::TempDir;

use super::super::checkpoint_format::FORMAT;
use super::super::session::{CANDIDATE_FILE, CHECKPOINT_FILE, METRICS_FILE};
use super::super::tests::{Fixture, encoder};
use super::*;
use crate::files::sealed::{seal, unseal};
use crate::games::bagh_chal::Position;
use crate::interrupt::Interrupt;
use crate::network::{Activation, Architecture};
use crate::record::MetricsLine;
use crate::reporter::Reporter;
use crate::shard::Augment;
use crate::workers::{pool, with_context};

fn settings() -> TrainingSettings {
    TrainingSettings {
        replay: 1.0,
        batch: 700,
        learning_rate: 0.01,
        result_weight: 0.2,
        result_weight_end: Some(0.6),
        age_decay: 0.8,
        validation: 0.1,
        validation_samples: 300,
        validate_every: 6,
        checkpoint_every: 7,
        ..TrainingSettings::default()
    }
}

fn start() -> Network {
    let architecture = Architecture::new(Position::NAME, encoder().id, &[8], Activation::ScRelu);
    Network::random(architecture, 3).unwrap()
}

/// A training of the tests: its data, its recipe, and its folder.
struct Bench {
    fixture: Fixture,
    settings: TrainingSettings,
    folder: TempDir,
    threads: usize,
}

impl Bench {
    fn new(augment: Augment, threads: usize) -> Self {
        Self {
            fixture: Fixture::new(augment),
            settings: settings(),
            folder: tempfile::tempdir().unwrap(),
            threads,
        }
    }

    /// Trains until the step after which a person stops it, or to the end.
    fn run(&self, stop_after: Option<u64>) -> Result<Trained, TrainError> {
        self.watched(stop_after, |_| ())
    }

    fn watched(
        &self,
        stop_after: Option<u64>,
        mut watch: impl FnMut(u64),
    ) -> Result<Trained, TrainError> {
        let (window, start) = (self.fixture.window(), start());
        let pool = pool(self.threads).unwrap();
        let interrupt = Interrupt::default();
        let reporter = Reporter::new(true);
        let job = TrainingJob {
            settings: &self.settings,
            start: &start,
            features: encoder(),
            window: &window,
            generation: 3,
            seed: 5,
            device: DeviceChoice::Cpu,
            folder: self.folder.path(),
            context: Context {
                pool: &pool,
                interrupt: &interrupt,
                reporter: &reporter,
            },
        };
        train_watched(&job, |step| {
            if Some(step) == stop_after {
                interrupt.request();
            }
            watch(step);
        })
    }

    fn complete(&self) -> (Network, TrainingRecord) {
        match self.run(None).unwrap() {
            Trained::Complete { candidate, record } => (candidate, record),
            stopped => panic!("{stopped:?}"),
        }
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.folder.path().join(name)
    }

    /// The metrics with the rates taken out.
    fn metrics(&self) -> Vec<MetricsLine> {
        let text = fs::read_to_string(self.path(METRICS_FILE)).unwrap();
        let mut lines: Vec<_> = text
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        for line in &mut lines {
            if let MetricsLine::Training {
                positions_per_second,
                ..
            } = line
            {
                assert!(*positions_per_second > 0.0);
                *positions_per_second = 0.0;
            }
        }
        lines
    }
}

#[test]
fn a_training_stopped_and_resumed_equals_one_that_never_stopped() {
    let straight = Bench::new(Augment::Write, 2);
    let expected = straight.complete();
    assert!(expected.1.steps > 30, "{}", expected.1.steps);
    let stopped = Bench::new(Augment::Write, 1);
    // Before, at and after validations, checkpoints and lines, and at the last step.
    for step in [1, 6, 7, 20, expected.1.steps - 1] {
        let ended = stopped.run(Some(step)).unwrap();
        assert_eq!(ended, Trained::Interrupted { step });
        assert!(stopped.path(CHECKPOINT_FILE).exists());
        assert!(!stopped.path(CANDIDATE_FILE).exists());
    }
    assert_eq!(stopped.complete(), expected);
    assert_eq!(stopped.metrics(), straight.metrics());
    let candidate = |bench: &Bench| fs::read(bench.path(CANDIDATE_FILE)).unwrap();
    assert_eq!(candidate(&stopped), candidate(&straight));
    assert_eq!(
        Network::load(stopped.path(CANDIDATE_FILE)).unwrap(),
        expected.0
    );
}

/// Edits how far a checkpoint says that it has come, and seals it again.
fn edit_progress(path: &Path, edit: impl FnOnce(&mut serde_json::Value)) {
    let bytes = fs::read(path).unwrap();
    let [state, network, best, optimizer] = unseal(&FORMAT, &bytes, path).unwrap();
    let mut state: serde_json::Value = serde_json::from_slice(state).unwrap();
    edit(&mut state["progress"]);
    let state = state.to_string().into_bytes();
    let edited = seal(&FORMAT, [&state, network, best, optimizer]);
    fs::write(path, edited).unwrap();
}

#[test]
fn a_checkpoint_that_cannot_be_of_the_training_is_refused() {
    let bench = Bench::new(Augment::Read, 1);
    bench.run(Some(8)).unwrap();
    let path = bench.path(CHECKPOINT_FILE);
    let whole = fs::read(&path).unwrap();
    for (key, value, reason) in [
        ("/step", json!(u64::MAX), "it is at step"),
        ("/step", json!(9), "its optimizer has taken 8 steps, not 9"),
        ("/best/step", json!(9), "no best network"),
        ("/cursor/pass", json!(u64::MAX), "too large for 8 steps"),
        ("/loss_count", json!(u64::MAX), "too large for 8 steps"),
    ] {
        fs::write(&path, &whole).unwrap();
        edit_progress(&path, |progress| {
            *progress.pointer_mut(key).unwrap() = value
        });
        let error = bench.run(None).unwrap_err().to_string();
        assert!(error.contains("checkpoint.bin is damaged"), "{error}");
        assert!(error.contains(reason), "{error}");
    }
    fs::write(&path, &whole).unwrap();
    bench.complete();
}

#[test]
fn a_killed_training_goes_on_from_its_last_checkpoint() {
    let straight = Bench::new(Augment::Read, 1);
    let expected = straight.complete();
    let killed = Bench::new(Augment::Read, 1);
    let mut last = Vec::new();
    let path = killed.path(CHECKPOINT_FILE);
    let ended = killed.watched(Some(26), |step| {
        if step == 25 {
            last = fs::read(&path).unwrap();
        }
    });
    assert_eq!(ended.unwrap(), Trained::Interrupted { step: 26 });
    // As if killed after step 26: the checkpoint is the one of step 21.
    fs::write(&path, last).unwrap();
    assert_eq!(killed.complete(), expected);
    assert_eq!(killed.metrics(), straight.metrics());
    // As if killed before the first checkpoint.
    assert_eq!(killed.complete(), expected);
    assert_eq!(killed.metrics(), straight.metrics());
}

#[test]
fn neither_augmentation_nor_threads_change_the_weights() {
    let (written, record) = Bench::new(Augment::Write, 1).complete();
    let (read, other) = Bench::new(Augment::Read, 2).complete();
    assert_eq!(written.weights(), read.weights());
    assert_eq!(record.validation, other.validation);
    assert_eq!(record.validation_before, other.validation_before);
}

#[test]
fn training_lowers_the_validation_loss_and_the_record_tells_of_it() {
    let mut bench = Bench::new(Augment::Read, 2);
    bench.settings.replay = 4.0;
    bench.settings.age_decay = 1.0;
    bench.settings.validate_every = 0;
    let (candidate, record) = bench.complete();
    let (before, after) = (&record.validation_before, &record.validation);
    assert!(
        after.loss < before.loss - 0.05,
        "{} {}",
        before.loss,
        after.loss
    );
    assert!(after.unseen_loss.unwrap() < before.unseen_loss.unwrap() - 0.05);
    assert!(after.sign_accuracy > Some(0.5));
    assert_eq!(after.positions, 300);
    let window = bench.fixture.window();
    assert_eq!(record.window_samples, window.samples());
    assert!(record.training_samples < window.samples());
    assert!((record.replay - 4.0).abs() < 0.05, "{}", record.replay);
    assert_eq!(record.positions_seen, 700 * record.steps);
    let metadata = candidate.metadata();
    assert_eq!((metadata.generation, metadata.seed), (3, 5));
    assert_eq!(metadata.data_digest.as_deref(), Some(window.digest()));
    assert_eq!(metadata.training["batch"], 700);
    let validations: Vec<_> = bench
        .metrics()
        .into_iter()
        .filter_map(|line| match line {
            MetricsLine::Validation { step, validation } => Some((step, validation)),
            MetricsLine::Training { .. } => None,
        })
        .collect();
    assert!((20..=23).contains(&validations.len()));
    assert_eq!(validations[0], (0, before.clone()));
    let best = validations[1..]
        .iter()
        .min_by(|a, b| a.1.loss.total_cmp(&b.1.loss));
    assert_eq!(best, Some(&(record.best_step, after.clone())));
}

#[test]
fn a_checkpoint_of_other_settings_is_refused_and_left_alone() {
    let mut bench = Bench::new(Augment::Read, 1);
    bench.run(Some(3)).unwrap();
    bench.settings.learning_rate = 0.02;
    let error = bench.run(None).unwrap_err().to_string();
    assert!(error.contains("the setting learning_rate"), "{error}");
    bench.settings = settings();
    bench.settings.checkpoint_every = 100;
    bench.complete();
}

#[test]
fn bad_settings_are_refused_before_anything_is_read() {
    let mut bench = Bench::new(Augment::Read, 1);
    bench.settings.batch = 0;
    assert!(matches!(bench.run(None), Err(TrainError::Settings(_))));
    assert!(!bench.path(METRICS_FILE).exists());
}

#[test]
fn a_damaged_shard_is_named() {
    let bench = Bench::new(Augment::Write, 2);
    let mut bytes = fs::read(&bench.fixture.shards[2]).unwrap();
    bytes[1000] ^= 1;
    fs::write(&bench.fixture.shards[2], bytes).unwrap();
    let error = bench.run(None).unwrap_err().to_string();
    assert!(error.contains("2-0.shard"), "{error}");
}

#[test]
fn an_interrupt_before_the_first_step_costs_nothing() {
    let bench = Bench::new(Augment::Read, 1);
    let (window, start) = (bench.fixture.window(), start());
    let ended = with_context(1, |context| {
        context.interrupt.request();
        train(&TrainingJob {
            settings: &bench.settings,
            start: &start,
            features: encoder(),
            window: &window,
            generation: 3,
            seed: 5,
            device: DeviceChoice::Cpu,
            folder: bench.folder.path(),
            context: *context,
        })
        .unwrap()
    });
    assert_eq!(ended, Trained::Interrupted { step: 0 });
}
