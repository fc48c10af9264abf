//! The trainer: from samples to a candidate.

use std::panic::resume_unwind;
use std::path::Path;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;

use super::checkpoint::Checkpoint;
use super::data_loader::{Cursor, DataLoader, DataLoaderError};
use super::plan::TrainingPlan;
use super::session::{Session, find_checkpoint};
use super::{Batch, DeviceChoice, ReplayBuffer, ScanError, TrainError, TrainingSettings};
use crate::game::Game;
use crate::kit::FeatureEncoder;
use crate::network::Network;
use crate::record::TrainingRecord;
use crate::workers::Context;

/// Batches prepared ahead of their steps, to cover the loading of a group.
const BATCHES_AHEAD: usize = 32;

/// A training.
#[derive(Debug)]
pub struct TrainingJob<'a, G> {
    /// The settings.
    pub settings: &'a TrainingSettings,
    /// The network with the initial weights.
    pub start: &'a Network,
    /// The feature set of the network.
    pub features: FeatureEncoder<G>,
    /// The samples.
    pub window: &'a ReplayBuffer<G>,
    /// The generation of the candidate.
    pub generation: u32,
    /// Random seed. All trainings of a seed hold out the same games.
    pub seed: u64,
    /// The device of the steps.
    pub device: DeviceChoice,
    /// Existing folder for the candidate, the metrics and the checkpoint.
    pub folder: &'a Path,
    /// Threads that read and validate, stop request and progress output.
    pub context: Context<'a>,
}

/// The end of a training.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "a training makes only one")]
pub enum Trained {
    /// All steps were taken and the candidate is written; the checkpoint is to be removed when the record
    /// is written too.
    Complete {
        /// The network with the least validation loss.
        candidate: Network,
        /// The record of the training.
        record: TrainingRecord,
    },
    /// It was interrupted; the same job resumes it.
    Interrupted {
        /// Steps taken and saved.
        step: u64,
    },
}

/// Runs a training, or resumes it if its folder has a checkpoint.
///
/// The result is the same, bit for bit, however often the training was interrupted, whatever the number
/// of threads, and whether symmetric copies come from the shards or not; on another kind of processor or
/// device the last bits may differ.
///
/// # Errors
/// If a setting is out of range, the network does not have the features, the checkpoint belongs to
/// another training, a shard is damaged, a step fails, or a file cannot be written.
pub fn train<G: Game>(job: &TrainingJob<G>) -> Result<Trained, TrainError> {
    train_watched(job, |_| ())
}

/// Like [`train`]; calls `watch` with each step after everything that belongs to it.
fn train_watched<G: Game>(
    job: &TrainingJob<G>,
    mut watch: impl FnMut(u64),
) -> Result<Trained, TrainError> {
    job.settings.check()?;
    let job = &TrainingJob {
        features: job.features.for_network(job.start.architecture())?,
        ..*job
    };
    let checkpoint = find_checkpoint(job)?;
    let Context {
        interrupt,
        reporter,
        ..
    } = job.context;
    let plan = match TrainingPlan::survey(job, &job.context) {
        Err(TrainError::Scan(ScanError::Interrupted)) => {
            let step = checkpoint.map_or(0, |checkpoint| checkpoint.progress.step);
            return Ok(Trained::Interrupted { step });
        }
        plan => plan?,
    };
    reporter.say(preamble(job, &plan, checkpoint.as_ref()));
    let mut session = match checkpoint {
        Some(checkpoint) => Session::resume(job, &plan, checkpoint)?,
        None => Session::begin(job, &plan)?,
    };
    let mut bar = reporter.bar("training", "steps", session.step(), plan.steps);
    thread::scope(|scope| {
        let (sender, batches) = sync_channel(BATCHES_AHEAD);
        let stream = DataLoader::new(plan.block_source(job), session.cursor());
        let steps = session.step()..plan.steps;
        let loader = scope.spawn({
            let plan = &plan;
            move || load(job, plan, stream, steps, &sender)
        });
        while session.step() < plan.steps {
            if interrupt.requested() {
                bar.finish();
                session.save_checkpoint()?;
                let step = session.step();
                return Ok(Trained::Interrupted { step });
            }
            let Ok(item) = batches.recv() else {
                match loader.join() {
                    Err(panic) => resume_unwind(panic),
                    Ok(()) => unreachable!("the loader sends a batch for each step, or an error"),
                }
            };
            let (batch, cursor) = item?;
            session.take_step(&batch, cursor)?;
            bar.at(session.step(), || session.message());
            let due = |every| session.step().is_multiple_of(every) || session.step() == plan.steps;
            let (reports, validates) = (due(plan.report_every), due(plan.validate_every));
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

/// A batch and the place in the stream where it ends.
type Item = Result<(Batch, Cursor), DataLoaderError>;

/// Sends the batches of `steps` until the receiver is gone or the samples cannot be read.
fn load<G: Game>(
    job: &TrainingJob<G>,
    plan: &TrainingPlan,
    mut loader: DataLoader<G>,
    steps: std::ops::Range<u64>,
    sender: &SyncSender<Item>,
) {
    for step in steps {
        let batch = loader.batch(job.settings.batch as usize, plan.result_weight.at(step));
        let item = batch.map(|batch| (batch, loader.cursor()));
        let failed = item.is_err();
        if sender.send(item).is_err() || failed {
            return;
        }
    }
}

/// Describes the training.
fn preamble<G: Game>(
    job: &TrainingJob<G>,
    plan: &TrainingPlan,
    checkpoint: Option<&Checkpoint>,
) -> String {
    let (oldest, newest) = job.window.generations();
    let generations = match oldest == newest {
        true => format!("generation {newest}"),
        false => format!("generations {oldest} to {newest}"),
    };
    let from = checkpoint.map_or(String::new(), |checkpoint| {
        format!(", resumed from step {}", checkpoint.progress.step)
    });
    format!(
        "training generation {} on {}: {} samples of {generations}, {} validation positions of \
         held-out games; {} steps of {} samples{from}; {} parameters",
        job.generation,
        job.device,
        plan.training_samples,
        plan.validation.len(),
        plan.steps,
        job.settings.batch,
        job.start.architecture().parameters(),
    )
}

#[cfg(test)]
mod tests;
