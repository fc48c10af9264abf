//! Validation on held-out games.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};

use super::ValidationSet;
use crate::game::Game;
use crate::kit::FeatureEncoder;
use crate::shard::Sample;
use crate::training::ReplayBuffer;
use crate::training::hold_out::HoldOut;
use crate::training::replay_buffer::ScanError;
use crate::workers::Context;

impl ValidationSet {
    /// Returns the drawn base samples of held-out games, each marked as unseen unless some symmetry makes
    /// it equal to a base sample of the training games.
    pub(in crate::training) fn of_held_out<G: Game>(
        samples: &[Sample<G>],
        features: &FeatureEncoder<G>,
        window: &ReplayBuffer<G>,
        hold_out: HoldOut,
        context: &Context,
    ) -> Result<Self, ScanError> {
        let keys: Vec<_> = samples.iter().map(canonical_key).collect();
        let seen: HashMap<_, _> = keys
            .iter()
            .map(|&key| (key, AtomicBool::new(false)))
            .collect();
        window.scan(
            "comparing",
            context,
            |reader, block| {
                let generation = reader.header().generation;
                for sample in reader.read_originals(block)? {
                    if !hold_out.holds(generation, sample.game)
                        && let Some(mark) = seen.get(&canonical_key(&sample))
                    {
                        mark.store(true, Ordering::Relaxed);
                    }
                }
                Ok(())
            },
            |()| (),
        )?;
        let unseen = keys.iter().map(|key| !seen[key].load(Ordering::Relaxed));
        Ok(Self {
            unseen: Some(unseen.collect()),
            ..Self::new(samples, features)
        })
    }
}

fn canonical_key<G: Game>(sample: &Sample<G>) -> G::Key {
    sample.position.canonical().0.key()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::super::tests::{MEASURE, originals, quantized};
    use super::*;
    use crate::shard::Augment;
    use crate::training::tests::{Fixture, encoder};
    use crate::workers::with_context;

    #[test]
    fn positions_of_training_games_are_distinguished_from_unseen_ones() {
        let fixture = Fixture::new(Augment::Write);
        let window = fixture.window();
        let hold_out = HoldOut::new(7, 0.2, &window);
        let (held, trained): (Vec<_>, Vec<_>) = originals(&window)
            .into_iter()
            .partition(|(generation, sample)| hold_out.holds(*generation, sample.game));
        let held: Vec<_> = held.into_iter().map(|(_, sample)| sample).collect();
        let trained: HashSet<_> = trained
            .iter()
            .map(|(_, sample)| canonical_key(sample))
            .collect();
        let set = with_context(2, |context| {
            ValidationSet::of_held_out(&held, &encoder(), &window, hold_out, context).unwrap()
        });
        let expected: Vec<_> = held
            .iter()
            .map(|sample| !trained.contains(&canonical_key(sample)))
            .collect();
        assert!(expected.contains(&true) && expected.contains(&false));
        assert_eq!(set.unseen, Some(expected.clone()));
        let record = with_context(1, |context| {
            set.evaluate(&quantized(), MEASURE, context.pool)
        });
        let unseen = expected.iter().filter(|unseen| **unseen).count();
        assert_eq!(record.unseen_positions, Some(unseen as u64));
        assert_ne!(record.unseen_loss, Some(record.loss));
    }
}
