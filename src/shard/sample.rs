//! A training sample.

use crate::game::{Game, Outcome};

/// A position with its search score and the outcome of its game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample<G> {
    /// The position; never a finished one.
    pub position: G,
    /// Search score in logits, positive when `Max` is better. Always finite: mate scores are
    /// capped.
    pub score: f32,
    /// Outcome of the game; `None` for off-game exploration positions without a tablebase value.
    pub outcome: Option<Outcome>,
    /// Number of plies from the start of the game to this position.
    pub ply: u16,
    /// Index of the game within its generation.
    pub game: u32,
    /// Whether the move played was noisy. The score of such a position may depend on an exchange.
    pub noisy: bool,
    /// Whether the move played was random instead of the search's choice.
    pub random: bool,
    /// Whether this is a base sample: the position as it occurred, not a symmetric copy of it.
    pub original: bool,
}

impl<G: Game> Sample<G> {
    /// Returns one sample for each distinct symmetric copy of the position, this one first.
    #[must_use]
    pub fn images(&self) -> Vec<Self> {
        let images = self.position.images().into_iter().enumerate();
        images
            .map(|(index, position)| Self {
                position,
                original: self.original && index == 0,
                ..*self
            })
            .collect()
    }

    /// Checks that the sample may be stored in a shard.
    ///
    /// # Errors
    /// Returns the reason if it may not.
    pub(super) fn check(&self) -> Result<(), String> {
        if !self.score.is_finite() {
            return Err(format!("the score {} is not finite", self.score));
        }
        if self.position.outcome().is_some() {
            return Err(
                "the position is finished, so there is nothing to learn from it".to_owned(),
            );
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::tests::samples;
    use super::*;

    proptest! {
        #[test]
        fn symmetric_copies_differ_in_the_board_only(samples in samples(1..2)) {
            let images = samples[0].images();
            prop_assert_eq!(&images[0], &samples[0]);
            prop_assert!(images[1..].iter().all(|image| !image.original));
            for image in images {
                prop_assert_eq!(image.position.canonical().0, samples[0].position.canonical().0);
                let restored = Sample { position: samples[0].position, original: true, ..image };
                prop_assert_eq!(restored, samples[0]);
            }
        }
    }
}
