//! The training plan, computed before the first step: held-out games, number of samples and steps,
//! validation positions.

use super::data_loader::{BlockSource, DataLoaderError, GROUP_SAMPLES, age_chance};
use super::hold_out::HoldOut;
use super::validation::{SampleDraw, draw_number};
use super::{
    LearningRate, Measure, ResultWeight, TrainError, TrainingJob, TrainingSettings, ValidationSet,
};
use crate::game::Game;
use crate::shard::Sample;
use crate::workers::Context;

/// The plan of a training and its validation positions.
#[derive(Debug)]
pub(super) struct TrainingPlan {
    pub hold_out: HoldOut,
    pub validation: ValidationSet,
    pub measure: Measure,
    /// Samples of games that are not held out, symmetric copies included.
    pub training_samples: u64,
    pub steps: u64,
    pub learning_rate: LearningRate,
    pub result_weight: ResultWeight,
    /// Steps between two validations.
    pub validate_every: u64,
    /// Steps between two lines of metrics.
    pub report_every: u64,
}

/// The samples of a block.
struct BlockSurvey<G> {
    training_samples: u64,
    /// The same, each weighted by the probability that an epoch uses it.
    used_samples: f64,
    held_out: Vec<(u64, Sample<G>)>,
}

impl TrainingPlan {
    /// Reads the replay buffer of `job`.
    pub fn survey<G: Game>(job: &TrainingJob<G>, context: &Context) -> Result<Self, TrainError> {
        let settings = job.settings;
        let hold_out = HoldOut::new(job.seed, settings.validation, job.window);
        let mut draw = SampleDraw::new(settings.validation_samples as usize);
        let (mut training_samples, mut used_samples) = (0, 0.0);
        job.window.scan(
            "reading",
            context,
            |reader, block| {
                let generation = reader.header().generation;
                let samples = reader.read_block(block)?;
                Ok(survey_block(job, hold_out, generation, samples))
            },
            |block| {
                training_samples += block.training_samples;
                used_samples += block.used_samples;
                draw.extend(block.held_out);
            },
        )?;
        let held_out = draw.finish();
        if held_out.is_empty() {
            let samples = job.window.samples();
            return Err(TrainError::NothingHeldOut { samples });
        }
        if training_samples == 0 {
            return Err(DataLoaderError::Empty.into());
        }
        let validation =
            ValidationSet::of_held_out(&held_out, &job.features, job.window, hold_out, context)?;
        let steps = steps(settings, used_samples);
        Ok(Self {
            hold_out,
            validation,
            measure: Measure {
                loss: settings.loss,
                result_weight: settings.final_result_weight(),
            },
            training_samples,
            steps,
            learning_rate: LearningRate::new(settings, steps),
            result_weight: ResultWeight::new(settings, steps),
            validate_every: match settings.validate_every {
                0 => (steps / 20).max(1),
                every => every,
            },
            report_every: (steps / 200).max(1),
        })
    }

    /// Returns the stream of training samples.
    pub fn block_source<'a, G: Game>(&self, job: &'a TrainingJob<G>) -> BlockSource<'a, G> {
        BlockSource {
            window: job.window,
            features: &job.features,
            hold_out: self.hold_out,
            seed: job.seed,
            generation: job.generation,
            age_decay: job.settings.age_decay,
            group_samples: GROUP_SAMPLES,
            pool: job.context.pool,
        }
    }
}

fn survey_block<G: Game>(
    job: &TrainingJob<G>,
    hold_out: HoldOut,
    generation: u32,
    samples: Vec<Sample<G>>,
) -> BlockSurvey<G> {
    let mut held_out = Vec::new();
    let mut training_samples = 0;
    for sample in samples {
        if !hold_out.holds(generation, sample.game) {
            training_samples += 1;
        } else if sample.original {
            held_out.push((draw_number(job.seed, generation, &sample), sample));
        }
    }
    let chance = age_chance(job.settings.age_decay, generation, job.window);
    BlockSurvey {
        training_samples,
        used_samples: chance * training_samples as f64,
        held_out,
    }
}

/// Returns the number of steps that take the samples of `replay` epochs, at least one.
fn steps(settings: &TrainingSettings, used_samples: f64) -> u64 {
    let steps = settings.replay * used_samples / f64::from(settings.batch);
    (steps.round() as u64).max(1)
}
