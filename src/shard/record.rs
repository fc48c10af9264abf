//! A sample as it is encoded in a block.

use serde::{Deserialize, Serialize};

use super::sample::Sample;
use crate::game::{Game, Outcome};

/// Maximum size of a record in bytes.
pub(super) const MAX_RECORD_BYTES: usize = 512;

/// Flag bits of the outcome: 0 none, 1 `Max` won, 2 draw, 3 `Min` won.
const OUTCOME: u8 = 0b11;
const NOISY: u8 = 1 << 2;
const RANDOM: u8 = 1 << 3;
const ORIGINAL: u8 = 1 << 4;

/// Bytes of a record after the encoded position: score, game, ply and finally the flags.
pub(super) const TAIL_BYTES: usize = 11;

/// Returns the last bytes of the record of a symmetric copy, given those of its base sample.
pub(super) fn image_tail(mut tail: [u8; TAIL_BYTES]) -> [u8; TAIL_BYTES] {
    tail[TAIL_BYTES - 1] &= !ORIGINAL;
    tail
}

/// The fields of a sample in the order in which they are encoded.
#[derive(Serialize, Deserialize)]
pub(super) struct SampleRecord<C> {
    code: C,
    score: f32,
    game: u32,
    ply: u16,
    flags: u8,
}

impl<C> SampleRecord<C> {
    /// Encodes a sample.
    pub(super) fn of<G: Game<Code = C>>(sample: &Sample<G>) -> Self {
        let outcome = match sample.outcome {
            None => 0,
            Some(Outcome::Max) => 1,
            Some(Outcome::Draw) => 2,
            Some(Outcome::Min) => 3,
        };
        let flag = |set, flag| if set { flag } else { 0 };
        Self {
            code: sample.position.encode(),
            score: sample.score,
            game: sample.game,
            ply: sample.ply,
            flags: outcome
                | flag(sample.noisy, NOISY)
                | flag(sample.random, RANDOM)
                | flag(sample.original, ORIGINAL),
        }
    }

    /// Returns true for a base sample.
    pub(super) fn is_original(&self) -> bool {
        self.flags & ORIGINAL != 0
    }

    /// Decodes the sample.
    ///
    /// # Errors
    /// Returns the reason if the record is not valid.
    pub(super) fn into_sample<G: Game<Code = C>>(self) -> Result<Sample<G>, String> {
        if self.flags & !(OUTCOME | NOISY | RANDOM | ORIGINAL) != 0 {
            return Err(format!("the flags {:#04x} are not valid", self.flags));
        }
        if !self.score.is_finite() {
            return Err(format!("the score {} is not finite", self.score));
        }
        let outcome = match self.flags & OUTCOME {
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
            noisy: self.flags & NOISY != 0,
            random: self.flags & RANDOM != 0,
            original: self.flags & ORIGINAL != 0,
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
        fn a_record_round_trips_and_takes_nineteen_bytes(samples in samples(1..2)) {
            let mut bytes = Vec::new();
            codec::append(&SampleRecord::of(&samples[0]), MAX_RECORD_BYTES, &mut bytes).unwrap();
            prop_assert_eq!(bytes.len(), 19);
            let record: SampleRecord<u64> = codec::read_all(&bytes).unwrap();
            prop_assert_eq!(record.into_sample::<Position>().unwrap(), samples[0]);
        }
    }

    #[test]
    fn invalid_records_are_rejected() {
        let record = |code, score, flags| SampleRecord {
            code,
            score,
            game: 0,
            ply: 0,
            flags,
        };
        let start = Position::start(&()).encode();
        for (record, reason) in [
            (record(start, 0.0, 1 << 5), "are not valid"),
            (record(start, f32::NAN, 0), "not finite"),
            (record(start, f32::INFINITY, 0), "not finite"),
            (record(start | 1 << 1, 0.0, 0), "5 tigers"),
        ] {
            let refusal = record.into_sample::<Position>().unwrap_err();
            assert!(refusal.contains(reason), "{refusal}");
        }
    }
}
