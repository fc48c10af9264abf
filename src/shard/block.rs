//! Blocks: groups of samples that are written, checked and read as a unit.

mod check;

pub(super) use check::CheckRoom;

use serde::{Deserialize, Serialize};

use super::BLOCK_SAMPLES;
use super::codec;
use super::header::Augment;
use super::record::{MAX_RECORD_BYTES, SampleRecord};
use super::sample::Sample;
use crate::game::Game;

/// Magic of a block.
pub(super) const BLOCK_MARKER: [u8; 4] = *b"BLCK";
/// Size of the block head in bytes.
pub(super) const BLOCK_HEAD_BYTES: usize = 20;
/// Maximum number of samples in a block; the copies of the last base sample may exceed
/// [`BLOCK_SAMPLES`].
const MAX_BLOCK_SAMPLES: u32 = 2 * BLOCK_SAMPLES;
/// Maximum length of a payload.
const MAX_PAYLOAD_BYTES: u32 = MAX_BLOCK_SAMPLES * MAX_RECORD_BYTES as u32;
/// The part of the head that the checksum covers, in addition to the payload.
const CHECKED: std::ops::Range<usize> = 4..16;

/// The head of a block, which precedes its payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct BlockHead {
    marker: [u8; 4],
    length: u32,
    samples: u32,
    originals: u32,
    checksum: u32,
}

impl BlockHead {
    /// Parses the head at the start of `bytes`; `room` is the number of bytes in the file after it.
    ///
    /// # Errors
    /// Returns the reason if there is no valid head.
    pub(super) fn parse(bytes: &[u8], room: u64) -> Result<Self, String> {
        if bytes.len() < BLOCK_HEAD_BYTES {
            return Err("the file ends inside its head".to_owned());
        }
        let head: Self = codec::read_all(&bytes[..BLOCK_HEAD_BYTES])?;
        if head.marker != BLOCK_MARKER {
            return Err("neither a block nor the footer starts there".to_owned());
        }
        if head.length > MAX_PAYLOAD_BYTES {
            return Err(format!(
                "its payload length is {} bytes; the limit is {MAX_PAYLOAD_BYTES}",
                head.length
            ));
        }
        if head.samples > MAX_BLOCK_SAMPLES || head.originals > head.samples || head.originals == 0
        {
            return Err(format!(
                "its counts of {} base samples and {} samples are not possible",
                head.originals, head.samples
            ));
        }
        if u64::from(head.length) > room {
            return Err(format!(
                "its payload length is {} bytes, but the file ends after {room}",
                head.length
            ));
        }
        Ok(head)
    }

    /// Returns the length of the payload in bytes.
    pub(super) fn payload_bytes(&self) -> usize {
        self.length as usize
    }

    /// Returns the length of the block in bytes, head included.
    pub(super) fn block_bytes(&self) -> u64 {
        BLOCK_HEAD_BYTES as u64 + u64::from(self.length)
    }

    fn checksum_of(&self, payload: &[u8]) -> Result<u32, String> {
        let mut head = Vec::with_capacity(BLOCK_HEAD_BYTES);
        codec::append(self, BLOCK_HEAD_BYTES, &mut head)?;
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(&head[CHECKED]);
        hasher.update(payload);
        Ok(hasher.finalize())
    }

    /// Decodes the samples of the block: all of them, or base samples only.
    ///
    /// # Errors
    /// Returns the reason if the payload is damaged.
    pub(super) fn decode<G: Game>(
        &self,
        payload: &[u8],
        augment: Augment,
        wanted: Wanted,
    ) -> Result<Vec<Sample<G>>, String> {
        if self.checksum_of(payload)? != self.checksum {
            return Err("its checksum does not match".to_owned());
        }
        let records = match augment {
            Augment::Write => self.samples,
            Augment::Read => self.originals,
        };
        let mut samples = Vec::with_capacity(match wanted {
            Wanted::All => self.samples as usize,
            Wanted::Originals => self.originals as usize,
        });
        let (mut rest, mut originals) = (payload, 0);
        for index in 0..records {
            let at_index = |reason| format!("sample {index}: {reason}");
            let (record, length) = codec::read::<SampleRecord<G::Code>>(rest).map_err(at_index)?;
            rest = &rest[length..];
            originals += u32::from(record.is_original());
            if !record.is_original() && (index == 0 || augment == Augment::Read) {
                return Err(at_index("symmetric copy without a base sample".to_owned()));
            }
            if wanted == Wanted::Originals && !record.is_original() {
                continue;
            }
            let sample: Sample<G> = record.into_sample().map_err(at_index)?;
            match (augment, wanted) {
                (Augment::Read, Wanted::All) => samples.extend(sample.images()),
                _ => samples.push(sample),
            }
        }
        if !rest.is_empty() {
            return Err(format!("{} bytes follow the last sample", rest.len()));
        }
        if originals != self.originals {
            return Err(format!(
                "its head states {} base samples, but it has {originals}",
                self.originals
            ));
        }
        if wanted == Wanted::All && samples.len() != self.samples as usize {
            return Err(format!(
                "its head states {} samples, but it has {}",
                self.samples,
                samples.len()
            ));
        }
        Ok(samples)
    }
}

/// Which samples of a block to decode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    All,
    Originals,
}

/// Offset and head of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockEntry {
    pub(super) offset: u64,
    pub(super) head: BlockHead,
}

impl BlockEntry {
    /// Returns the number of samples in the block, symmetric copies included.
    #[must_use]
    pub fn samples(&self) -> usize {
        self.head.samples as usize
    }

    /// Returns the number of base samples in the block.
    #[must_use]
    pub fn originals(&self) -> usize {
        self.head.originals as usize
    }

    /// Returns the byte offset of the block in the file.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Splits the block off the front of `bytes` and returns its payload.
    ///
    /// # Errors
    /// If the head differs from the one found when the shard was opened.
    pub(super) fn payload<'a>(&self, bytes: &mut &'a [u8]) -> Result<&'a [u8], String> {
        let room = (bytes.len() as u64).saturating_sub(BLOCK_HEAD_BYTES as u64);
        if BlockHead::parse(bytes, room)? != self.head {
            return Err("it was changed after the shard was opened".to_owned());
        }
        let (block, rest) = bytes.split_at(self.head.block_bytes() as usize);
        *bytes = rest;
        Ok(&block[BLOCK_HEAD_BYTES..])
    }
}

/// A block under construction.
#[derive(Debug, Default)]
pub(super) struct BlockBuilder {
    payload: Vec<u8>,
    samples: u32,
    originals: u32,
}

impl BlockBuilder {
    /// Adds a base sample and, with [`Augment::Write`], its symmetric copies.
    ///
    /// # Errors
    /// If a sample cannot be encoded; the block is then unchanged.
    pub(super) fn push<G: Game>(
        &mut self,
        original: &Sample<G>,
        augment: Augment,
    ) -> Result<(), String> {
        let before = self.payload.len();
        let images = original.images();
        let written = match augment {
            Augment::Write => &images[..],
            Augment::Read => &images[..1],
        };
        for sample in written {
            if let Err(reason) = codec::append(
                &SampleRecord::of(sample),
                MAX_RECORD_BYTES,
                &mut self.payload,
            ) {
                self.payload.truncate(before);
                return Err(reason);
            }
        }
        // At most the number of the game's symmetries.
        self.samples += images.len() as u32;
        self.originals += 1;
        Ok(())
    }

    /// Returns the number of samples so far, including copies that are not written.
    pub(super) fn samples(&self) -> u32 {
        self.samples
    }

    /// Returns the number of base samples so far.
    pub(super) fn originals(&self) -> u32 {
        self.originals
    }

    /// Returns the encoded block and starts an empty one; `None` if there are no samples.
    ///
    /// # Errors
    /// If the block exceeds the maximum size.
    pub(super) fn take(&mut self) -> Result<Option<Vec<u8>>, String> {
        let block = std::mem::take(self);
        if block.originals == 0 {
            return Ok(None);
        }
        let mut head = BlockHead {
            marker: BLOCK_MARKER,
            length: u32::try_from(block.payload.len()).map_err(|error| error.to_string())?,
            samples: block.samples,
            originals: block.originals,
            checksum: 0,
        };
        head.checksum = head.checksum_of(&block.payload)?;
        let mut bytes = Vec::with_capacity(BLOCK_HEAD_BYTES + block.payload.len());
        codec::append(&head, BLOCK_HEAD_BYTES, &mut bytes)?;
        bytes.extend(block.payload);
        Ok(Some(bytes))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::tests::{sample, samples};
    use super::*;
    use crate::game::Game;
    use crate::games::bagh_chal::Position;

    pub(super) const BOTH: [Augment; 2] = [Augment::Write, Augment::Read];

    pub(super) fn built(samples: &[Sample<Position>], augment: Augment) -> (BlockHead, Vec<u8>) {
        let mut builder = BlockBuilder::default();
        for sample in samples {
            builder.push(sample, augment).unwrap();
        }
        let bytes = builder.take().unwrap().unwrap();
        let payload = bytes[BLOCK_HEAD_BYTES..].to_vec();
        let head = BlockHead::parse(&bytes, payload.len() as u64).unwrap();
        (head, payload)
    }

    /// Returns the head with length and checksum adapted to a changed payload.
    pub(super) fn refitted(head: BlockHead, payload: &[u8]) -> BlockHead {
        let mut head = BlockHead {
            length: payload.len() as u32,
            ..head
        };
        head.checksum = head.checksum_of(payload).unwrap();
        head
    }

    fn refusal(head: &BlockHead, payload: &[u8], augment: Augment) -> String {
        head.decode::<Position>(payload, augment, Wanted::All)
            .unwrap_err()
    }

    proptest! {
        #[test]
        fn both_modes_return_all_samples_and_all_base_samples(samples in samples(1..20)) {
            let images: Vec<_> = samples.iter().flat_map(Sample::images).collect();
            for augment in BOTH {
                let (head, payload) = built(&samples, augment);
                let all = head.decode(&payload, augment, Wanted::All).unwrap();
                let originals = head.decode(&payload, augment, Wanted::Originals).unwrap();
                prop_assert_eq!(&all, &images);
                prop_assert_eq!(&originals, &samples);
            }
        }
    }

    proptest! {
        #[test]
        fn noise_with_a_valid_checksum_is_rejected_or_decodes_to_samples(
            payload in prop::collection::vec(any::<u8>(), 1..200),
            splice in any::<prop::sample::Index>(),
            originals in 1_u32..4,
        ) {
            for augment in BOTH {
                let (head, good) = built(&[sample(1), sample(3), sample(0)], augment);
                let kept = splice.index(good.len() + 1);
                let payload = [&good[..kept], &payload].concat();
                let head = refitted(BlockHead { originals, ..head }, &payload);
                if let Ok(samples) = head.decode::<Position>(&payload, augment, Wanted::All) {
                    prop_assert_eq!(samples.len(), head.samples as usize);
                    prop_assert!(samples.iter().all(|sample| sample.score.is_finite()));
                }
            }
        }
    }

    #[test]
    fn taking_a_block_starts_an_empty_one() {
        let mut builder = BlockBuilder::default();
        builder.push(&sample(0), Augment::Write).unwrap();
        assert!(builder.take().unwrap().is_some());
        assert_eq!((builder.samples(), builder.originals()), (0, 0));
        assert_eq!(builder.take().unwrap(), None);
    }

    #[test]
    fn impossible_heads_are_rejected() {
        let (head, payload) = built(&[sample(0)], Augment::Write);
        let room = payload.len() as u64;
        let most = MAX_BLOCK_SAMPLES + 1;
        for (claim, reason) in [
            (
                BlockHead {
                    length: u32::MAX,
                    ..head
                },
                "limit",
            ),
            (
                BlockHead {
                    length: head.length + 1,
                    ..head
                },
                "file ends after",
            ),
            (
                BlockHead {
                    samples: most,
                    ..head
                },
                "not possible",
            ),
            (
                BlockHead {
                    samples: 0,
                    originals: 0,
                    ..head
                },
                "not possible",
            ),
            (
                BlockHead {
                    originals: 9,
                    samples: 8,
                    ..head
                },
                "not possible",
            ),
            (
                BlockHead {
                    marker: *b"BLOC",
                    ..head
                },
                "neither",
            ),
        ] {
            let mut bytes = Vec::new();
            codec::append(&claim, BLOCK_HEAD_BYTES, &mut bytes).unwrap();
            let refusal = BlockHead::parse(&bytes, room).unwrap_err();
            assert!(refusal.contains(reason), "{refusal}");
            assert!(BlockHead::parse(&bytes[..19], room).is_err());
        }
    }

    #[test]
    fn payloads_that_do_not_match_their_head_are_rejected() {
        for augment in BOTH {
            let (head, payload) = built(&[sample(1), sample(2)], augment);
            let longer = [&payload[..], &[0]].concat();
            let shorter = &payload[..payload.len() - 1];
            let other_originals = BlockHead {
                originals: 1,
                ..head
            };
            assert!(refusal(&head, &longer, augment).contains("checksum"));
            for (head, payload) in [
                (head, &longer[..]),
                (head, shorter),
                (other_originals, &payload),
            ] {
                let reason = refusal(&refitted(head, payload), payload, augment);
                assert!(!reason.contains("checksum"), "{reason}");
            }
        }
        let (head, payload) = built(&[sample(1)], Augment::Read);
        let head = BlockHead {
            samples: head.samples + 1,
            ..head
        };
        let reason = refusal(&refitted(head, &payload), &payload, Augment::Read);
        assert_eq!(reason, "its head states 5 samples, but it has 4");
    }

    #[test]
    fn a_symmetric_copy_needs_its_base_sample() {
        for augment in BOTH {
            let (head, mut payload) = built(&[sample(1)], augment);
            payload[18] = 0;
            let reason = refusal(&refitted(head, &payload), &payload, augment);
            assert_eq!(reason, "sample 0: symmetric copy without a base sample");
        }
    }

    #[test]
    fn an_illegal_position_is_reported_with_its_index() {
        let (head, mut payload) = built(&[sample(0), sample(1)], Augment::Write);
        let crowded = Position::start(&()).encode() | 1 << 1;
        payload[19..27].copy_from_slice(&crowded.to_le_bytes());
        let reason = refusal(&refitted(head, &payload), &payload, Augment::Write);
        assert!(reason.starts_with("sample 1: the code"), "{reason}");
    }
}
