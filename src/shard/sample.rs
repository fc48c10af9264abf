//! One training position with what is known of it.

use crate::game::{Game, Outcome};

/// A position, its search score and how its game went.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample<G> {
    /// The position; not a finished one.
    pub position: G,
    /// The search's score in logits for `Max`; finite, so forced wins are capped.
    pub score: f32,
    /// How the game ended; nothing for positions beside the game.
    pub outcome: Option<Outcome>,
    /// Plies before the position, from the start of its game.
    pub ply: u16,
    /// The index of the game in its generation.
    pub game: u32,
    /// Whether the move played was noisy, so that the score may rest on an exchange.
    pub noisy: bool,
    /// Whether the move played was drawn at random rather than found by the search.
    pub random: bool,
    /// Whether the position is the one of the game rather than an image of it.
    pub original: bool,
}

impl<G: Game> Sample<G> {
    /// The samples of the distinct images of the position, this one first.
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

    /// Whether a shard may hold the sample.
    ///
    /// # Errors
    /// Says in a sentence why it may not.
    pub(super) fn check(&self) -> Result<(), String> {
        if !self.score.is_finite() {
            return Err(format!("its score is {}, which is not finite", self.score));
        }
        if self.position.outcome().is_some() {
            return Err("its position is finished and has nothing to learn".to_owned());
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
        fn images_share_everything_but_the_board(samples in samples(1..2)) {
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
