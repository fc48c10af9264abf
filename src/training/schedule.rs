//! Schedules: values that change from step to step.

use super::TrainingSettings;

/// The learning rate: linear warm-up, then cosine decay (Loshchilov and Hutter 2017).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LearningRate {
    peak: f64,
    end: f64,
    warmup: u64,
    steps: u64,
}

impl LearningRate {
    /// Returns the schedule of a training of `steps` steps.
    #[must_use]
    pub fn new(settings: &TrainingSettings, steps: u64) -> Self {
        Self {
            peak: settings.learning_rate,
            end: settings.learning_rate_end,
            warmup: (settings.warmup * steps as f64).ceil() as u64,
            steps,
        }
    }

    /// Returns the rate of step `step`, from 0: above 0.
    #[must_use]
    pub fn at(&self, step: u64) -> f64 {
        if step < self.warmup {
            return self.peak * (step + 1) as f64 / self.warmup as f64;
        }
        let done = share(step - self.warmup, self.steps - self.warmup.min(self.steps));
        let height = (1.0 + libm::cos(std::f64::consts::PI * done)) / 2.0;
        self.end + (self.peak - self.end) * height
    }
}

/// WDL weight: the weight of the game's outcome in the target, linear from the first step to the last.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ResultWeight {
    start: f64,
    end: f64,
    steps: u64,
}

impl ResultWeight {
    /// Returns the schedule of a training of `steps` steps.
    #[must_use]
    pub fn new(settings: &TrainingSettings, steps: u64) -> Self {
        Self {
            start: settings.result_weight,
            end: settings.final_result_weight(),
            steps,
        }
    }

    /// Returns the weight of step `step`, from 0: 0 to 1.
    #[must_use]
    pub fn at(&self, step: u64) -> f64 {
        let done = share(step, self.steps);
        let weight = self.start + done * (self.end - self.start);
        // Rounding stays within the ends.
        weight.clamp(self.start.min(self.end), self.start.max(self.end))
    }
}

/// Returns the progress of step `step` from the first of `steps` steps to the last: 0 to 1.
fn share(step: u64, steps: u64) -> f64 {
    (step as f64 / steps.saturating_sub(1).max(1) as f64).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings() -> TrainingSettings {
        TrainingSettings {
            learning_rate: 0.1,
            learning_rate_end: 0.001,
            warmup: 0.1,
            result_weight: 0.2,
            result_weight_end: Some(0.8),
            ..TrainingSettings::default()
        }
    }

    #[test]
    fn the_learning_rate_rises_to_its_peak_and_falls_to_its_end() {
        let rate = LearningRate::new(&settings(), 100);
        let rates: Vec<_> = (0..100).map(|step| rate.at(step)).collect();
        assert!((rates[0] - 0.01).abs() < 1e-12);
        assert!(rates[..10].windows(2).all(|pair| pair[0] < pair[1]));
        assert_eq!((rates[9], rates[10]), (0.1, 0.1));
        assert!(rates[10..].windows(2).all(|pair| pair[0] > pair[1]));
        assert!((rates[99] - 0.001).abs() < 1e-12);
    }

    #[test]
    fn the_shortest_trainings_have_valid_rates_and_weights() {
        for steps in 1..4 {
            let rate = LearningRate::new(&settings(), steps);
            let weight = ResultWeight::new(&settings(), steps);
            for step in 0..steps {
                assert!(rate.at(step) > 0.0 && rate.at(step) <= 0.1);
                assert!((0.2..=0.8).contains(&weight.at(step)));
            }
        }
    }

    #[test]
    fn the_result_weight_is_linear() {
        let weight = ResultWeight::new(&settings(), 101);
        for (step, expected) in [(0, 0.2), (50, 0.5), (100, 0.8)] {
            assert!((weight.at(step) - expected).abs() < 1e-12);
        }
        let constant = TrainingSettings {
            result_weight_end: None,
            ..settings()
        };
        assert_eq!(ResultWeight::new(&constant, 101).at(77), 0.2);
    }
}
