//! Validation: how well a network predicts positions that it was not trained on.

#[cfg(feature = "train")]
mod held_out;

use rayon::ThreadPool;
use rayon::prelude::*;

use super::loss::{expected_score, target};
use super::replay_buffer::ScanError;
use super::{Loss, ReplayBuffer};
use crate::features::EncodedPositions;
use crate::game::{Game, Key as _, Outcome, Side};
use crate::kit::FeatureEncoder;
use crate::network::Quantized;
use crate::record::{CalibrationRecord, ValidationRecord};
use crate::seed::derive;
use crate::shard::Sample;
use crate::workers::Context;

const DRAWN: u64 = u64::from_be_bytes(*b"judgment");

/// Positions summed together, so that the order of sums is fixed.
const CHUNK: usize = 1024;

/// The loss and its target.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measure {
    /// The loss.
    pub loss: Loss,
    /// WDL weight: the weight of the game's outcome in the target, 0 to 1.
    pub result_weight: f64,
}

/// Validation positions in memory, without symmetric copies.
#[derive(Debug, Clone)]
pub struct ValidationSet {
    strata: &'static [&'static str],
    positions: EncodedPositions,
    cases: Vec<ValidationCase>,
    /// Whether each case does not occur in training; `None` without a training.
    unseen: Option<Vec<bool>>,
}

#[derive(Debug, Clone, Copy)]
struct ValidationCase {
    /// The side whose score networks return.
    perspective: Side,
    score: f32,
    outcome: Option<Outcome>,
    stratum: usize,
}

/// Draws a bounded number of base samples from a stream of any length: those with the smallest numbers.
#[derive(Debug)]
pub(super) struct SampleDraw<G> {
    most: usize,
    drawn: Vec<(u64, Sample<G>)>,
}

/// Returns the number that decides whether a base sample is drawn.
pub(super) fn draw_number<G: Game>(seed: u64, generation: u32, sample: &Sample<G>) -> u64 {
    let (game, ply) = (sample.game.into(), sample.ply.into());
    let key = sample.position.key().fold();
    derive(&[seed, DRAWN, generation.into(), game, ply, key])
}

impl<G: Game> SampleDraw<G> {
    pub fn new(most: usize) -> Self {
        Self {
            most,
            drawn: Vec::new(),
        }
    }

    pub fn extend(&mut self, numbered: Vec<(u64, Sample<G>)>) {
        self.drawn.extend(numbered);
        if self.drawn.len() >= 2 * self.most {
            self.cut();
        }
    }

    fn cut(&mut self) {
        // A stable sort keeps equal numbers in the order of the stream.
        self.drawn.sort_by_key(|(number, _)| *number);
        self.drawn.truncate(self.most);
    }

    /// Returns the samples drawn, in the order of their numbers.
    pub fn finish(mut self) -> Vec<Sample<G>> {
        self.cut();
        self.drawn.into_iter().map(|(_, sample)| sample).collect()
    }
}

impl ValidationSet {
    /// Draws at most `most` base samples of a window by `seed`; none counts as seen in training.
    ///
    /// # Errors
    /// If a shard is damaged or cannot be read, or on an interrupt.
    pub fn of_window<G: Game>(
        window: &ReplayBuffer<G>,
        features: &FeatureEncoder<G>,
        most: usize,
        seed: u64,
        context: &Context,
    ) -> Result<Self, ScanError> {
        let mut draw = SampleDraw::new(most);
        window.scan(
            "reading",
            context,
            |reader, block| {
                let originals = reader.read_originals(block)?;
                let generation = reader.header().generation;
                let numbered = originals.into_iter().map(|sample: Sample<G>| {
                    let number = draw_number(seed, generation, &sample);
                    (number, sample)
                });
                Ok(numbered.collect::<Vec<_>>())
            },
            |numbered| draw.extend(numbered),
        )?;
        Ok(Self::new(&draw.finish(), features))
    }

    fn new<G: Game>(samples: &[Sample<G>], features: &FeatureEncoder<G>) -> Self {
        let mut positions = features.list(samples.len());
        let cases = samples.iter().map(|sample| {
            features.encode(&sample.position, &mut positions);
            ValidationCase {
                perspective: features.perspective(&sample.position),
                score: sample.score,
                outcome: sample.outcome,
                stratum: sample.position.stratum(),
            }
        });
        Self {
            cases: cases.collect(),
            strata: G::STRATA,
            positions,
            unseen: None,
        }
    }

    /// Returns the number of positions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.cases.len()
    }

    /// Returns true if there are no positions.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.cases.is_empty()
    }

    /// Measures how well a network predicts the positions; the result does not depend on the number of
    /// threads.
    ///
    /// # Panics
    /// If the positions are encoded for another network.
    #[must_use]
    pub fn evaluate(
        &self,
        network: &Quantized,
        measure: Measure,
        pool: &ThreadPool,
    ) -> ValidationRecord {
        let chunks = self.len().div_ceil(CHUNK);
        let sums: Vec<ValidationSums> = pool.install(|| {
            let chunks = (0..chunks).into_par_iter();
            chunks
                .map(|chunk| self.sums(chunk, network, measure))
                .collect()
        });
        let mut total = ValidationSums::new(self.strata.len());
        sums.iter().for_each(|sums| total.add(sums));
        total.record(self.strata, self.unseen.is_some())
    }

    fn sums(&self, chunk: usize, network: &Quantized, measure: Measure) -> ValidationSums {
        let mut sums = ValidationSums::new(self.strata.len());
        let start = chunk * CHUNK;
        let end = self.len().min(start + CHUNK);
        for index in start..end {
            let case = self.cases[index];
            let views = self.positions.position(index);
            let logit = network.forward(&views, self.positions.bucket(index));
            let logit = f64::from(case.perspective.sign() * logit);
            let target = target(case.score, case.outcome, measure.result_weight);
            let loss = measure.loss.of(logit, target);
            sums.all.add(loss);
            if self.unseen.as_ref().is_some_and(|unseen| unseen[index]) {
                sums.unseen.add(loss);
            }
            let Some(outcome) = case.outcome else {
                continue;
            };
            if let Some(winner) = outcome.winner() {
                let correct = f64::from(winner.sign()) * logit > 0.0;
                sums.signs.add(f64::from(u8::from(correct)));
            }
            let [predicted, happened] = &mut sums.strata[case.stratum];
            predicted.add(expected_score(logit));
            happened.add(outcome.points(Side::Max).into());
        }
        sums
    }
}

#[derive(Debug, Clone, Copy, Default)]
struct Mean {
    count: u64,
    sum: f64,
}

impl Mean {
    fn add(&mut self, value: f64) {
        self.count += 1;
        self.sum += value;
    }

    fn join(&mut self, other: &Self) {
        self.count += other.count;
        self.sum += other.sum;
    }

    fn value(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum / self.count as f64)
    }
}

#[derive(Debug, Clone)]
struct ValidationSums {
    all: Mean,
    unseen: Mean,
    signs: Mean,
    /// Predicted and real points of each stratum.
    strata: Vec<[Mean; 2]>,
}

impl ValidationSums {
    fn new(strata: usize) -> Self {
        Self {
            all: Mean::default(),
            unseen: Mean::default(),
            signs: Mean::default(),
            strata: vec![[Mean::default(); 2]; strata],
        }
    }

    fn add(&mut self, other: &Self) {
        self.all.join(&other.all);
        self.unseen.join(&other.unseen);
        self.signs.join(&other.signs);
        let strata = self.strata.as_flattened_mut().iter_mut();
        for (mean, other) in strata.zip(other.strata.as_flattened()) {
            mean.join(other);
        }
    }

    fn record(&self, strata: &[&str], compared: bool) -> ValidationRecord {
        let calibration = strata.iter().zip(&self.strata);
        let calibration = calibration.map(|(stratum, [predicted, outcome])| CalibrationRecord {
            stratum: (*stratum).to_owned(),
            positions: predicted.count,
            predicted: predicted.value(),
            outcome: outcome.value(),
        });
        ValidationRecord {
            positions: self.all.count,
            loss: self.all.value().unwrap_or(0.0),
            unseen_positions: compared.then_some(self.unseen.count),
            unseen_loss: self.unseen.value(),
            decided_positions: self.signs.count,
            sign_accuracy: self.signs.value(),
            calibration: calibration.collect(),
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::tests::{Fixture, encoder};
    use super::*;
    use crate::games::bagh_chal::Position;
    use crate::network::{Activation, Architecture, Network};
    use crate::shard::Augment;
    use crate::workers::with_context;

    pub(super) const MEASURE: Measure = Measure {
        loss: Loss::CrossEntropy,
        result_weight: 0.4,
    };

    pub(super) fn network() -> Network {
        let architecture =
            Architecture::new(Position::NAME, encoder().id, &[8], Activation::ScRelu);
        Network::random(architecture, 3).unwrap()
    }

    pub(super) fn quantized() -> Quantized {
        Quantized::new(&network(), encoder().max_active).unwrap()
    }

    pub(super) fn originals(window: &ReplayBuffer<Position>) -> Vec<(u32, Sample<Position>)> {
        let shards = window.shards().iter();
        shards
            .flat_map(|reader| {
                let generation = reader.header().generation;
                reader
                    .originals()
                    .map(move |sample| (generation, sample.unwrap()))
            })
            .collect()
    }

    #[test]
    fn the_record_equals_plain_sums() {
        let fixture = Fixture::new(Augment::Read);
        let window = fixture.window();
        let network = quantized();
        let record = with_context(2, |context| {
            let set = ValidationSet::of_window(&window, &encoder(), 1 << 20, 1, context).unwrap();
            set.evaluate(&network, MEASURE, context.pool)
        });
        let (mut loss, mut right, mut decided) = (0.0, 0.0, 0.0);
        let mut strata = [[0.0; 3]; 6];
        let originals = originals(&window);
        for (_, sample) in &originals {
            let mut list = encoder().list(1);
            encoder().encode(&sample.position, &mut list);
            let logit = f64::from(network.forward(&list.position(0), 0));
            loss += MEASURE
                .loss
                .of(logit, target(sample.score, sample.outcome, 0.4));
            if let Some(outcome) = sample.outcome {
                let points = f64::from(outcome.points(Side::Max));
                let sums = &mut strata[sample.position.stratum()];
                sums[0] += 1.0;
                sums[1] += expected_score(logit);
                sums[2] += points;
                if outcome != Outcome::Draw {
                    decided += 1.0;
                    right += f64::from(u8::from((logit > 0.0) == (points > 0.5)));
                }
            }
        }
        let close = |found: Option<f64>, expected: f64| {
            assert!(
                (found.unwrap() - expected).abs() < 1e-9,
                "{found:?} {expected}"
            );
        };
        assert_eq!(record.positions, originals.len() as u64);
        close(Some(record.loss), loss / originals.len() as f64);
        assert_eq!(record.decided_positions as f64, decided);
        close(record.sign_accuracy, right / decided);
        assert_eq!((record.unseen_positions, record.unseen_loss), (None, None));
        for (found, [count, predicted, points]) in record.calibration.iter().zip(strata) {
            assert_eq!(found.positions as f64, count);
            if count > 0.0 {
                close(found.predicted, predicted / count);
                close(found.outcome, points / count);
            } else {
                assert_eq!((found.predicted, found.outcome), (None, None));
            }
        }
    }

    #[test]
    fn the_record_depends_neither_on_threads_nor_on_augmentation() {
        let network = quantized();
        let records = [(1, Augment::Write), (2, Augment::Write), (3, Augment::Read)];
        let records = records.map(|(threads, augment)| {
            let fixture = Fixture::new(augment);
            let window = fixture.window();
            with_context(threads, |context| {
                let set = ValidationSet::of_window(&window, &encoder(), 3000, 1, context).unwrap();
                set.evaluate(&network, MEASURE, context.pool)
            })
        });
        assert_eq!(records[0].positions, 3000);
        assert!(records.iter().all(|record| *record == records[0]));
    }

    #[test]
    fn a_draw_is_bounded_and_determined_by_the_numbers() {
        let fixture = Fixture::new(Augment::Read);
        let originals = originals(&fixture.window());
        let numbered: Vec<_> = originals
            .into_iter()
            .map(|(generation, sample)| (draw_number(1, generation, &sample), sample))
            .collect();
        let mut draw = SampleDraw::new(100);
        for numbered in numbered.chunks(37) {
            draw.extend(numbered.to_vec());
            assert!(draw.drawn.len() < 200 + 37);
        }
        let mut sorted = numbered;
        sorted.sort_by_key(|(number, _)| *number);
        let expected: Vec<_> = sorted.into_iter().map(|(_, sample)| sample).collect();
        assert_eq!(draw.finish(), expected[..100]);
    }
}
