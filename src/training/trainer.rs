//! A training from its samples to its candidate.

use std::panic::resume_unwind;
use std::path::Path;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;

use rayon::ThreadPool;

use super::checkpoint::Checkpoint;
use super::feed::{Cursor, Feed, FeedError};
use super::ground::Ground;
use super::session::{Session, find_checkpoint};
use super::{Batch, DeviceChoice, ScanError, TrainError, TrainingSettings, Window};
use crate::game::Game;
use crate::interrupt::Interrupt;
use crate::kit::FeatureEncoder;
use crate::network::Network;
use crate::record::TrainingRecord;
use crate::talk::Talk;
use crate::workers::Crew;

/// Batches that wait for their steps: they bridge the loading of a group.
const BATCHES_AHEAD: usize = 32;

/// A training to be done.
#[derive(Debug)]
pub struct TrainingJob<'a, G> {
    /// The recipe.
    pub settings: &'a TrainingSettings,
    /// The network with whose weights training begins.
    pub start: &'a Network,
    /// The features that it sees.
    pub features: FeatureEncoder<G>,
    /// The samples.
    pub window: &'a Window<G>,
    /// The generation of the candidate.
    pub generation: u32,
    /// What all choices follow from. The same games are held out in all trainings of a seed.
    pub seed: u64,
    /// What takes the steps.
    pub device: DeviceChoice,
    /// Where the candidate, the metrics and the checkpoint lie; it exists.
    pub folder: &'a Path,
    /// The threads that read and judge; the caller's is none of them.
    pub pool: &'a ThreadPool,
}

/// How a training ended.
#[derive(Debug, Clone, PartialEq)]
#[expect(
    clippy::large_enum_variant,
    reason = "a training makes one, and a box would only burden its reader"
)]
pub enum Trained {
    /// All steps were taken and the candidate is written; the checkpoint waits to be removed when
    /// the record is safe too.
    Complete {
        /// The network with the least validation loss of those trained.
        candidate: Network,
        /// What was done.
        record: TrainingRecord,
    },
    /// A person stopped it; the same job goes on from here.
    Interrupted {
        /// Steps that need not be taken again.
        step: u64,
    },
}

/// Does a training, or what is left of it if its folder has a checkpoint.
///
/// The result is the same, bit for bit, however often it was stopped, whatever the number of
/// threads, and whoever makes the images of the samples; on another kind of processor or device
/// the last bits may differ.
///
/// # Errors
/// If a setting is out of range, the network does not fit the features, the checkpoint is of
/// another training, a shard is damaged, a step fails, or a file cannot be written.
pub fn train<G: Game>(
    job: &TrainingJob<G>,
    interrupt: &Interrupt,
    talk: &Talk,
) -> Result<Trained, TrainError> {
    train_watched(job, interrupt, talk, |_| ())
}

/// The same; `watch` hears of each step when all that belongs to it is done.
fn train_watched<G: Game>(
    job: &TrainingJob<G>,
    interrupt: &Interrupt,
    talk: &Talk,
    mut watch: impl FnMut(u64),
) -> Result<Trained, TrainError> {
    job.settings.check()?;
    job.start.expect(G::NAME, &job.features.id)?;
    let checkpoint = find_checkpoint(job)?;
    let crew = Crew {
        pool: job.pool,
        interrupt,
        talk,
    };
    let ground = match Ground::survey(job, &crew) {
        Err(TrainError::Scan(ScanError::Interrupted)) => {
            let step = checkpoint.map_or(0, |checkpoint| checkpoint.progress.step);
            return Ok(Trained::Interrupted { step });
        }
        ground => ground?,
    };
    talk.say(preamble(job, &ground, checkpoint.as_ref()));
    let mut session = match checkpoint {
        Some(checkpoint) => Session::resume(job, &ground, checkpoint)?,
        None => Session::begin(job, &ground)?,
    };
    let mut bar = talk.bar("training", "steps", session.step(), ground.steps);
    thread::scope(|scope| {
        let (sender, batches) = sync_channel(BATCHES_AHEAD);
        let feed = Feed::new(ground.feed_source(job), session.cursor());
        let steps = session.step()..ground.steps;
        let loader = scope.spawn({
            let ground = &ground;
            move || load(job, ground, feed, steps, &sender)
        });
        while session.step() < ground.steps {
            if interrupt.requested() {
                bar.finish();
                session.save_checkpoint()?;
                let step = session.step();
                return Ok(Trained::Interrupted { step });
            }
            let Ok(item) = batches.recv() else {
                match loader.join() {
                    Err(panic) => resume_unwind(panic),
                    Ok(()) => unreachable!("the loader sends a batch for each step or an error"),
                }
            };
            let (batch, cursor) = item?;
            session.take_step(&batch, cursor)?;
            bar.at(session.step(), || session.message());
            let due =
                |every| session.step().is_multiple_of(every) || session.step() == ground.steps;
            let (reports, validates) = (due(ground.report_every), due(ground.validate_every));
            let saves = due(job.settings.checkpoint_every);
            if reports {
                session.report()?;
            }
            if validates {
                session.validate()?;
            }
            if saves {
                session.save_checkpoint()?;
            }
            watch(session.step());
        }
        bar.finish();
        let (candidate, record) = session.complete()?;
        Ok(Trained::Complete { candidate, record })
    })
}

/// A batch and where in the stream it ends.
type Item = Result<(Batch, Cursor), FeedError>;

/// Makes the batches of `steps` until nobody wants more or the samples cannot be read.
fn load<G: Game>(
    job: &TrainingJob<G>,
    ground: &Ground,
    mut feed: Feed<G>,
    steps: std::ops::Range<u64>,
    sender: &SyncSender<Item>,
) {
    for step in steps {
        let batch = feed.batch(job.settings.batch as usize, ground.result_weight.at(step));
        let item = batch.map(|batch| (batch, feed.cursor()));
        let failed = item.is_err();
        if sender.send(item).is_err() || failed {
            return;
        }
    }
}

/// What will be done, in words.
fn preamble<G: Game>(
    job: &TrainingJob<G>,
    ground: &Ground,
    checkpoint: Option<&Checkpoint>,
) -> String {
    let (oldest, newest) = job.window.generations();
    let generations = match oldest == newest {
        true => format!("generation {newest}"),
        false => format!("generations {oldest} to {newest}"),
    };
    let from = checkpoint.map_or(String::new(), |checkpoint| {
        format!(", on from step {}", checkpoint.progress.step)
    });
    format!(
        "Training generation {} on {}: {} samples of {generations}, judged on {} positions of \
         games held out; {} steps of {} samples{from}; {} parameters.",
        job.generation,
        job.device,
        ground.training_samples,
        ground.validation.len(),
        ground.steps,
        job.settings.batch,
        job.start.architecture().parameters(),
    )
}

#[cfg(test)]
mod tests {
    use std::fs;

    use tempfile::TempDir;

    use super::super::session::{CANDIDATE_FILE, CHECKPOINT_FILE, METRICS_FILE};
    use super::super::tests::{Fixture, encoder};
    use super::*;
    use crate::games::bagh_chal::Position;
    use crate::network::{Activation, Architecture};
    use crate::record::MetricsLine;
    use crate::shard::Augment;
    use crate::workers::pool;

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
        let architecture = Architecture {
            game: Position::NAME.to_owned(),
            features: encoder().id,
            hidden: vec![8],
            activation: Activation::ScRelu,
        };
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
            let job = TrainingJob {
                settings: &self.settings,
                start: &start,
                features: encoder(),
                window: &window,
                generation: 3,
                seed: 5,
                device: DeviceChoice::Cpu,
                folder: self.folder.path(),
                pool: &pool,
            };
            train_watched(&job, &interrupt, &Talk::new(true), |step| {
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
        let (window, start, pool) = (bench.fixture.window(), start(), pool(1).unwrap());
        let interrupt = Interrupt::default();
        interrupt.request();
        let job = TrainingJob {
            settings: &bench.settings,
            start: &start,
            features: encoder(),
            window: &window,
            generation: 3,
            seed: 5,
            device: DeviceChoice::Cpu,
            folder: bench.folder.path(),
            pool: &pool,
        };
        let ended = train(&job, &interrupt, &Talk::new(true)).unwrap();
        assert_eq!(ended, Trained::Interrupted { step: 0 });
    }
}
