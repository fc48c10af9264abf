//! A sample as the bytes of a block hold it.

use serde::{Deserialize, Serialize};

use super::sample::Sample;
use crate::game::{Game, Outcome};

/// No record takes more bytes.
pub(super) const MAX_RECORD_BYTES: usize = 512;

/// The bits of the marks that hold the outcome: 0 for none, 1 `Max`, 2 a draw, 3 `Min`.
const OUTCOME: u8 = 0b11;
const NOISY: u8 = 1 << 2;
const RANDOM: u8 = 1 << 3;
const ORIGINAL: u8 = 1 << 4;

/// Bytes of a record after the position's code: score, game, ply and, last, the marks.
pub(super) const TAIL_BYTES: usize = 11;

/// What follows the code in the record of an image of the original whose record ends with `tail`.
pub(super) fn image_tail(mut tail: [u8; TAIL_BYTES]) -> [u8; TAIL_BYTES] {
    tail[TAIL_BYTES - 1] &= !ORIGINAL;
    tail
}

/// A sample, field by field.
#[derive(Serialize, Deserialize)]
pub(super) struct Record<C> {
    code: C,
    score: f32,
    game: u32,
    ply: u16,
    marks: u8,
}

impl<C> Record<C> {
    /// The record of a sample.
    pub(super) fn of<G: Game<Code = C>>(sample: &Sample<G>) -> Self {
        let outcome = match sample.outcome {
            None => 0,
            Some(Outcome::Max) => 1,
            Some(Outcome::Draw) => 2,
            Some(Outcome::Min) => 3,
        };
        let mark = |set, mark| if set { mark } else { 0 };
        Self {
            code: sample.position.encode(),
            score: sample.score,
            game: sample.game,
            ply: sample.ply,
            marks: outcome
                | mark(sample.noisy, NOISY)
                | mark(sample.random, RANDOM)
                | mark(sample.original, ORIGINAL),
        }
    }

    /// Whether the sample is an original.
    pub(super) fn is_original(&self) -> bool {
        self.marks & ORIGINAL != 0
    }

    /// The sample of a record.
    ///
    /// # Errors
    /// Says in a sentence why there is none.
    pub(super) fn into_sample<G: Game<Code = C>>(self) -> Result<Sample<G>, String> {
        if self.marks & !(OUTCOME | NOISY | RANDOM | ORIGINAL) != 0 {
            return Err(format!("the marks {:#04x} mean nothing", self.marks));
        }
        if !self.score.is_finite() {
            return Err(format!("the score {} is not finite", self.score));
        }
        let outcome = match self.marks & OUTCOME {
            0 => None,
            1 => Some(Outcome::Max),
            2 => Some(Outcome::Draw),
            _ => Some(Outcome::Min),
        };
        Ok(Sample {
            position: G::decode(self.code)?,
            score: self.score,
            outcome,
            ply: self.ply,
            game: self.game,
            noisy: self.marks & NOISY != 0,
            random: self.marks & RANDOM != 0,
            original: self.marks & ORIGINAL != 0,
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::codec;
    use super::super::tests::samples;
    use super::*;
    use crate::games::bagh_chal::Position;

    proptest! {
        #[test]
        fn a_record_gives_back_its_sample_and_takes_nineteen_bytes(samples in samples(1..2)) {
            let mut bytes = Vec::new();
            codec::append(&Record::of(&samples[0]), MAX_RECORD_BYTES, &mut bytes).unwrap();
            prop_assert_eq!(bytes.len(), 19);
            let record: Record<u64> = codec::read_all(&bytes).unwrap();
            prop_assert_eq!(record.into_sample::<Position>().unwrap(), samples[0]);
        }
    }

    #[test]
    fn records_of_no_sample_are_refused() {
        let record = |code, score, marks| Record {
            code,
            score,
            game: 0,
            ply: 0,
            marks,
        };
        let start = Position::start(&()).encode();
        for (record, reason) in [
            (record(start, 0.0, 1 << 5), "mean nothing"),
            (record(start, f32::NAN, 0), "not finite"),
            (record(start, f32::INFINITY, 0), "not finite"),
            (record(start | 1 << 1, 0.0, 0), "5 tigers"),
        ] {
            let refusal = record.into_sample::<Position>().unwrap_err();
            assert!(refusal.contains(reason), "{refusal}");
        }
    }
}
