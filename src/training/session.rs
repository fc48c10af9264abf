//! A training under way: the fit, how far it has come, and its files.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;

use super::checkpoint::{Best, Checkpoint, Identity, Progress};
use super::data_loader::Cursor;
use super::metrics::Metrics;
use super::plan::TrainingPlan;
use super::{Batch, CheckpointError, Fit, FitConfig, TrainError, TrainingJob};
use crate::files::FileError;
use crate::game::Game;
use crate::network::{Inference, Metadata, Network, Quantized, Weights};
pub use crate::record::{CANDIDATE_FILE, CHECKPOINT_FILE, METRICS_FILE};
use crate::record::{MetricsLine, TrainingRecord, ValidationRecord};

/// A training under way.
pub(super) struct Session<'a, G> {
    job: &'a TrainingJob<'a, G>,
    ground: &'a TrainingPlan,
    identity: Identity,
    fit: Fit,
    progress: Progress,
    /// The network of the best step so far.
    best: Option<Network>,
    metrics: Metrics,
    /// When the last line of metrics was written, and the step then.
    last_line: (Instant, u64),
}

/// Reads the checkpoint in the folder of a job, if there is one.
pub(super) fn find_checkpoint<G: Game>(
    job: &TrainingJob<G>,
) -> Result<Option<Checkpoint>, TrainError> {
    let path = job.folder.join(CHECKPOINT_FILE);
    Ok(Checkpoint::load(&path, &identity(job))?)
}

fn identity<G: Game>(job: &TrainingJob<G>) -> Identity {
    Identity {
        settings: job.settings.clone(),
        generation: job.generation,
        seed: job.seed,
        data: job.window.digest().to_owned(),
        start: job.start.digest(),
    }
}

impl<'a, G: Game> Session<'a, G> {
    /// Begins the training, by judging the network before the first step.
    pub fn begin(
        job: &'a TrainingJob<'a, G>,
        ground: &'a TrainingPlan,
    ) -> Result<Self, TrainError> {
        let before = judge(job, ground, job.start);
        let progress = Progress {
            step: 0,
            cursor: Cursor::default(),
            loss_sum: 0.0,
            loss_count: 0,
            before: before.clone(),
            best: None,
        };
        let fit = new_fit(job, job.start.weights())?;
        let mut session = Self::new(job, ground, fit, progress, None, None)?;
        session.write(&MetricsLine::Validation {
            step: 0,
            validation: before,
        })?;
        Ok(session)
    }

    /// Goes on where a checkpoint was written.
    pub fn resume(
        job: &'a TrainingJob<'a, G>,
        ground: &'a TrainingPlan,
        checkpoint: Checkpoint,
    ) -> Result<Self, TrainError> {
        let mut fit = new_fit(job, checkpoint.network.weights())?;
        fit.restore(&checkpoint.optimizer)?;
        let step = checkpoint.progress.step;
        let (steps, batch) = (ground.steps, job.settings.batch);
        let contradiction = checkpoint.contradiction(job.start.architecture(), steps, batch);
        let other_steps = (fit.steps() != step)
            .then(|| format!("its optimizer has taken {} steps, not {step}", fit.steps()));
        if let Some(reason) = contradiction.or(other_steps) {
            return Err(CheckpointError::Damaged {
                path: job.folder.join(CHECKPOINT_FILE),
                reason,
            }
            .into());
        }
        let (progress, best) = (checkpoint.progress, checkpoint.best);
        let last = Some(progress.step);
        Self::new(job, ground, fit, progress, best, last)
    }

    fn new(
        job: &'a TrainingJob<'a, G>,
        ground: &'a TrainingPlan,
        fit: Fit,
        progress: Progress,
        best: Option<Network>,
        last_metrics: Option<u64>,
    ) -> Result<Self, TrainError> {
        let path = job.folder.join(METRICS_FILE);
        let metrics = Metrics::open(&path, last_metrics).map_err(FileError::io("write", &path))?;
        Ok(Self {
            job,
            ground,
            identity: identity(job),
            fit,
            last_line: (Instant::now(), progress.step),
            progress,
            best,
            metrics,
        })
    }

    /// Steps taken.
    pub fn step(&self) -> u64 {
        self.progress.step
    }

    /// What was taken from the stream of samples.
    pub fn cursor(&self) -> Cursor {
        self.progress.cursor
    }

    /// The mean loss since the last line of metrics, and the samples a second, for a person.
    pub fn message(&self) -> String {
        let loss = self.progress.loss_sum / self.progress.loss_count.max(1) as f64;
        let rate = self.positions_per_second();
        format!("loss {loss:.4}  {rate:.0} positions/s")
    }

    /// Takes a step on `batch`, which ends at `cursor`.
    pub fn take_step(&mut self, batch: &Batch, cursor: Cursor) -> Result<(), TrainError> {
        let progress = &mut self.progress;
        let learning_rate = self.ground.learning_rate.at(progress.step);
        let fit = &mut self.fit;
        let loss = self
            .job
            .context
            .pool
            .install(|| fit.step(batch, learning_rate))
            .map_err(TrainError::step(progress.step, cursor))?;
        progress.step += 1;
        progress.cursor = cursor;
        progress.loss_sum += f64::from(loss);
        progress.loss_count += 1;
        Ok(())
    }

    /// Writes a line of metrics about the steps since the last one.
    pub fn report(&mut self) -> Result<(), TrainError> {
        let rate = self.positions_per_second();
        let progress = &mut self.progress;
        let last = progress.step.saturating_sub(1);
        let line = MetricsLine::Training {
            step: progress.step,
            loss: progress.loss_sum / progress.loss_count.max(1) as f64,
            learning_rate: self.ground.learning_rate.at(last),
            result_weight: self.ground.result_weight.at(last),
            positions_per_second: rate,
        };
        (progress.loss_sum, progress.loss_count) = (0.0, 0);
        self.last_line = (Instant::now(), progress.step);
        self.write(&line)
    }

    /// Judges the network, and keeps it if it is the best so far.
    pub fn validate(&mut self) -> Result<(), TrainError> {
        let network = self.network()?;
        let validation = judge(self.job, self.ground, &network);
        let best = self.progress.best.as_ref();
        // Of equals the earlier one stays.
        if best.is_none_or(|best| validation.loss < best.validation.loss) {
            self.best = Some(network);
            self.progress.best = Some(Best {
                step: self.progress.step,
                validation: validation.clone(),
            });
        }
        self.write(&MetricsLine::Validation {
            step: self.progress.step,
            validation,
        })
    }

    /// Writes the checkpoint of this step.
    pub fn save_checkpoint(&self) -> Result<(), TrainError> {
        let path = self.metrics_path();
        // The lines come first, since none before the checkpoint is written again.
        self.metrics.sync().map_err(FileError::io("write", &path))?;
        let checkpoint = Checkpoint {
            progress: self.progress.clone(),
            network: self.network()?,
            best: self.best.clone(),
            optimizer: self.fit.state()?,
        };
        let path = self.job.folder.join(CHECKPOINT_FILE);
        Ok(checkpoint.save(&path, &self.identity)?)
    }

    /// Writes the best network as the candidate; the checkpoint stays until the record is safe.
    pub fn complete(self) -> Result<(Network, TrainingRecord), TrainError> {
        let path = self.metrics_path();
        self.metrics.sync().map_err(FileError::io("write", &path))?;
        let Progress {
            step, before, best, ..
        } = self.progress;
        let (Some(best), Some(candidate)) = (best, self.best) else {
            unreachable!("the last step is validated");
        };
        Quantized::new(&candidate, self.job.features.max_active)?;
        candidate.save(self.job.folder.join(CANDIDATE_FILE))?;
        let positions_seen = step * u64::from(self.job.settings.batch);
        let record = TrainingRecord {
            steps: step,
            window_samples: self.job.window.samples(),
            training_samples: self.ground.training_samples,
            positions_seen,
            replay: positions_seen as f64 / self.ground.training_samples as f64,
            validation_before: before,
            validation: best.validation,
            best_step: best.step,
            data_digest: self.identity.data,
        };
        Ok((candidate, record))
    }

    /// The network as it is now.
    fn network(&self) -> Result<Network, TrainError> {
        let metadata = Metadata {
            architecture: self.job.start.architecture().clone(),
            generation: self.job.generation,
            seed: self.job.seed,
            training: self.job.settings.identity().into(),
            data_digest: Some(self.identity.data.clone()),
        };
        Ok(Network::new(metadata, self.fit.weights()?)?)
    }

    fn positions_per_second(&self) -> f64 {
        let (since, step) = self.last_line;
        let positions = (self.progress.step - step) * u64::from(self.job.settings.batch);
        positions as f64 / since.elapsed().as_secs_f64().max(1e-9)
    }

    fn write(&mut self, line: &MetricsLine) -> Result<(), TrainError> {
        let path = self.metrics_path();
        self.metrics
            .write(line)
            .map_err(FileError::io("write", &path))?;
        Ok(())
    }

    fn metrics_path(&self) -> PathBuf {
        self.job.folder.join(METRICS_FILE)
    }
}

fn new_fit<G>(job: &TrainingJob<G>, weights: &Weights) -> Result<Fit, TrainError> {
    let config = FitConfig {
        loss: job.settings.loss,
        weight_clip: Some(job.settings.weight_clip as f32),
        weight_decay: job.settings.weight_decay as f32,
    };
    let architecture = job.start.architecture();
    Ok(Fit::new(architecture, weights, &config, job.device)?)
}

fn judge<G>(job: &TrainingJob<G>, ground: &TrainingPlan, network: &Network) -> ValidationRecord {
    let inference = Inference::new(network);
    ground
        .validation
        .evaluate(&inference, ground.measure, job.context.pool)
}

/// Removes the checkpoint of a training in `folder` whose record is safe.
///
/// # Errors
/// If it is there and cannot be removed.
pub fn remove_checkpoint(folder: &Path) -> Result<(), TrainError> {
    let path = folder.join(CHECKPOINT_FILE);
    match fs::remove_file(&path) {
        Err(source) if source.kind() != io::ErrorKind::NotFound => {
            Err(FileError::io("remove", path)(source).into())
        }
        _ => Ok(()),
    }
}
