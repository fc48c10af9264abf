//! A training in progress: the gradient descent, its progress, and its files.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;

use super::checkpoint::{Best, Checkpoint, Identity, Progress};
use super::checkpoint_format::FORMAT;
use super::data_loader::Cursor;
use super::metrics::Metrics;
use super::plan::TrainingPlan;
use super::{
    Batch, CheckpointError, GradientDescent, GradientDescentSettings, TrainError, TrainingJob,
};
use crate::files::FileError;
use crate::game::Game;
use crate::network::{Metadata, Network, Quantized, Weights};
pub use crate::record::{CANDIDATE_FILE, CHECKPOINT_FILE, METRICS_FILE};
use crate::record::{MetricsLine, TrainingRecord, ValidationRecord};

/// A training in progress.
pub(super) struct Session<'a, G> {
    job: &'a TrainingJob<'a, G>,
    plan: &'a TrainingPlan,
    identity: Identity,
    descent: GradientDescent,
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
    /// Begins the training by validating the initial network.
    pub fn begin(job: &'a TrainingJob<'a, G>, plan: &'a TrainingPlan) -> Result<Self, TrainError> {
        let before = validation(job, plan, job.start)?;
        let progress = Progress {
            step: 0,
            cursor: Cursor::default(),
            loss_sum: 0.0,
            loss_count: 0,
            before: before.clone(),
            best: None,
        };
        let descent = gradient_descent(job, job.start.weights())?;
        let mut session = Self::new(job, plan, descent, progress, None, None)?;
        session.write(&MetricsLine::Validation {
            step: 0,
            validation: before,
        })?;
        Ok(session)
    }

    /// Resumes the training from a checkpoint.
    pub fn resume(
        job: &'a TrainingJob<'a, G>,
        plan: &'a TrainingPlan,
        checkpoint: Checkpoint,
    ) -> Result<Self, TrainError> {
        let mut descent = gradient_descent(job, checkpoint.network.weights())?;
        descent.restore(&checkpoint.optimizer)?;
        let step = checkpoint.progress.step;
        let (steps, batch) = (plan.steps, job.settings.batch);
        let contradiction = checkpoint.contradiction(job.start.architecture(), steps, batch);
        let other_steps = (descent.steps() != step).then(|| {
            format!(
                "its optimizer has taken {} steps, not {step}",
                descent.steps()
            )
        });
        if let Some(reason) = contradiction.or(other_steps) {
            let path = job.folder.join(CHECKPOINT_FILE);
            return Err(CheckpointError::from(FORMAT.damaged(&path, reason)).into());
        }
        let (progress, best) = (checkpoint.progress, checkpoint.best);
        let last = Some(progress.step);
        Self::new(job, plan, descent, progress, best, last)
    }

    fn new(
        job: &'a TrainingJob<'a, G>,
        plan: &'a TrainingPlan,
        descent: GradientDescent,
        progress: Progress,
        best: Option<Network>,
        last_metrics: Option<u64>,
    ) -> Result<Self, TrainError> {
        let path = job.folder.join(METRICS_FILE);
        let metrics = Metrics::open(&path, last_metrics).map_err(FileError::io("write", &path))?;
        Ok(Self {
            job,
            plan,
            identity: identity(job),
            descent,
            last_line: (Instant::now(), progress.step),
            progress,
            best,
            metrics,
        })
    }

    /// Returns the number of steps taken.
    pub fn step(&self) -> u64 {
        self.progress.step
    }

    /// Returns the place in the stream of samples.
    pub fn cursor(&self) -> Cursor {
        self.progress.cursor
    }

    /// Returns the mean loss since the last line of metrics and the speed, for the progress bar.
    pub fn message(&self) -> String {
        let loss = self.progress.loss_sum / self.progress.loss_count.max(1) as f64;
        let rate = self.positions_per_second();
        format!("loss {loss:.4}  {rate:.0} positions/s")
    }

    /// Takes a step on `batch`, which ends at `cursor`.
    pub fn take_step(&mut self, batch: &Batch, cursor: Cursor) -> Result<(), TrainError> {
        let progress = &mut self.progress;
        let learning_rate = self.plan.learning_rate.at(progress.step);
        let descent = &mut self.descent;
        let loss = self
            .job
            .context
            .pool
            .install(|| descent.step(batch, learning_rate))
            .map_err(TrainError::step(progress.step, cursor))?;
        progress.step += 1;
        progress.cursor = cursor;
        progress.loss_sum += f64::from(loss);
        progress.loss_count += 1;
        Ok(())
    }

    /// Writes a line of metrics about the steps since the last line.
    pub fn report(&mut self) -> Result<(), TrainError> {
        let rate = self.positions_per_second();
        let progress = &mut self.progress;
        let last = progress.step.saturating_sub(1);
        let line = MetricsLine::Training {
            step: progress.step,
            loss: progress.loss_sum / progress.loss_count.max(1) as f64,
            learning_rate: self.plan.learning_rate.at(last),
            result_weight: self.plan.result_weight.at(last),
            positions_per_second: rate,
        };
        (progress.loss_sum, progress.loss_count) = (0.0, 0);
        self.last_line = (Instant::now(), progress.step);
        self.write(&line)
    }

    /// Validates the network, and keeps it if it is the best so far.
    pub fn validate(&mut self) -> Result<(), TrainError> {
        let network = self.network()?;
        let validation = validation(self.job, self.plan, &network)?;
        let best = self.progress.best.as_ref();
        // Of equal ones the earlier is kept.
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
        // Lines come first: those before the checkpoint are not written again.
        self.metrics.sync().map_err(FileError::io("write", &path))?;
        let checkpoint = Checkpoint {
            progress: self.progress.clone(),
            network: self.network()?,
            best: self.best.clone(),
            optimizer: self.descent.state()?,
        };
        let path = self.job.folder.join(CHECKPOINT_FILE);
        Ok(checkpoint.save(&path, &self.identity)?)
    }

    /// Writes the best network as the candidate. The checkpoint stays until the record is written.
    pub fn complete(self) -> Result<(Network, TrainingRecord), TrainError> {
        let path = self.metrics_path();
        self.metrics.sync().map_err(FileError::io("write", &path))?;
        let Progress {
            step, before, best, ..
        } = self.progress;
        let (Some(best), Some(candidate)) = (best, self.best) else {
            unreachable!("the last step is validated");
        };
        candidate.save(self.job.folder.join(CANDIDATE_FILE))?;
        let positions_seen = step * u64::from(self.job.settings.batch);
        let record = TrainingRecord {
            steps: step,
            window_samples: self.job.window.samples(),
            training_samples: self.plan.training_samples,
            positions_seen,
            replay: positions_seen as f64 / self.plan.training_samples as f64,
            validation_before: before,
            validation: best.validation,
            best_step: best.step,
            data_digest: self.identity.data,
        };
        Ok((candidate, record))
    }

    /// Returns the current network.
    fn network(&self) -> Result<Network, TrainError> {
        let metadata = Metadata {
            architecture: self.job.start.architecture().clone(),
            generation: self.job.generation,
            seed: self.job.seed,
            training: self.job.settings.identity().into(),
            data_digest: Some(self.identity.data.clone()),
        };
        Ok(Network::new(metadata, self.descent.weights()?)?)
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

fn gradient_descent<G>(
    job: &TrainingJob<G>,
    weights: &Weights,
) -> Result<GradientDescent, TrainError> {
    let config = GradientDescentSettings {
        loss: job.settings.loss,
        weight_clip: Some(job.settings.weight_clip as f32),
        weight_decay: job.settings.weight_decay as f32,
    };
    let architecture = job.start.architecture();
    Ok(GradientDescent::new(
        architecture,
        weights,
        &config,
        job.device,
    )?)
}

/// Measures a network as it plays, in integers.
fn validation<G>(
    job: &TrainingJob<G>,
    plan: &TrainingPlan,
    network: &Network,
) -> Result<ValidationRecord, TrainError> {
    let quantized = Quantized::new(network, job.features.max_active)?;
    let (measure, pool) = (plan.measure, job.context.pool);
    Ok(plan.validation.evaluate(&quantized, measure, pool))
}

/// Removes the checkpoint of a training in `folder` after its record is written.
///
/// # Errors
/// If it exists and cannot be removed.
pub fn remove_checkpoint(folder: &Path) -> Result<(), TrainError> {
    let path = folder.join(CHECKPOINT_FILE);
    match fs::remove_file(&path) {
        Err(source) if source.kind() != io::ErrorKind::NotFound => {
            Err(FileError::io("remove", path)(source).into())
        }
        _ => Ok(()),
    }
}
