//! A training from its samples to its candidate.

use std::panic::resume_unwind;
use std::path::Path;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;

use super::checkpoint::Checkpoint;
use super::data_loader::{Cursor, DataLoader, FeedError};
use super::plan::TrainingPlan;
use super::session::{Session, find_checkpoint};
use super::{Batch, DeviceChoice, ReplayBuffer, ScanError, TrainError, TrainingSettings};
use crate::game::Game;
use crate::kit::FeatureEncoder;
use crate::network::Network;
use crate::record::TrainingRecord;
use crate::workers::Context;

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
    pub window: &'a ReplayBuffer<G>,
    /// The generation of the candidate.
    pub generation: u32,
    /// What all choices follow from. The same games are held out in all trainings of a seed.
    pub seed: u64,
    /// What takes the steps.
    pub device: DeviceChoice,
    /// Where the candidate, the metrics and the checkpoint lie; it exists.
    pub folder: &'a Path,
    /// Threads that read and validate, stop request and progress output.
    pub context: Context<'a>,
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
pub fn train<G: Game>(job: &TrainingJob<G>) -> Result<Trained, TrainError> {
    train_watched(job, |_| ())
}

/// The same; `watch` hears of each step when all that belongs to it is done.
fn train_watched<G: Game>(
    job: &TrainingJob<G>,
    mut watch: impl FnMut(u64),
) -> Result<Trained, TrainError> {
    job.settings.check()?;
    job.start.expect(G::NAME, &job.features.id)?;
    let checkpoint = find_checkpoint(job)?;
    let Context {
        interrupt,
        reporter,
        ..
    } = job.context;
    let ground = match TrainingPlan::survey(job, &job.context) {
        Err(TrainError::Scan(ScanError::Interrupted)) => {
            let step = checkpoint.map_or(0, |checkpoint| checkpoint.progress.step);
            return Ok(Trained::Interrupted { step });
        }
        ground => ground?,
    };
    reporter.say(preamble(job, &ground, checkpoint.as_ref()));
    let mut session = match checkpoint {
        Some(checkpoint) => Session::resume(job, &ground, checkpoint)?,
        None => Session::begin(job, &ground)?,
    };
    let mut bar = reporter.bar("training", "steps", session.step(), ground.steps);
    thread::scope(|scope| {
        let (sender, batches) = sync_channel(BATCHES_AHEAD);
        let feed = DataLoader::new(ground.feed_source(job), session.cursor());
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
    ground: &TrainingPlan,
    mut feed: DataLoader<G>,
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
    ground: &TrainingPlan,
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
mod tests;
