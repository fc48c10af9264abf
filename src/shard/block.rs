//! Blocks: the whole samples that are written, checked and read together.

mod check;

pub(super) use check::CheckRoom;

use serde::{Deserialize, Serialize};

use super::BLOCK_SAMPLES;
use super::codec;
use super::header::Augment;
use super::record::{MAX_RECORD_BYTES, Record};
use super::sample::Sample;
use crate::game::Game;

/// What every block begins with.
pub(super) const BLOCK_MARKER: [u8; 4] = *b"BLCK";
/// Bytes of a block before its payload.
pub(super) const BLOCK_HEAD_BYTES: usize = 20;
/// No block has more samples; the images of the last original may exceed [`BLOCK_SAMPLES`].
const MAX_BLOCK_SAMPLES: u32 = 2 * BLOCK_SAMPLES;
/// No payload is longer.
const MAX_PAYLOAD_BYTES: u32 = MAX_BLOCK_SAMPLES * MAX_RECORD_BYTES as u32;
/// The part of the head that the checksum covers, as it does the payload.
const CHECKED: std::ops::Range<usize> = 4..16;

/// What precedes the payload of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct BlockHead {
    marker: [u8; 4],
    length: u32,
    samples: u32,
    originals: u32,
    checksum: u32,
}

impl BlockHead {
    /// The head that `bytes` begin with, in a file that has `room` bytes after it.
    ///
    /// # Errors
    /// Says why there is none.
    pub(super) fn parse(bytes: &[u8], room: u64) -> Result<Self, String> {
        if bytes.len() < BLOCK_HEAD_BYTES {
            return Err("the file ends within its head".to_owned());
        }
        let head: Self = codec::read_all(&bytes[..BLOCK_HEAD_BYTES])?;
        if head.marker != BLOCK_MARKER {
            return Err("neither a block nor the end begins there".to_owned());
        }
        if head.length > MAX_PAYLOAD_BYTES {
            return Err(format!(
                "it claims {} bytes, and the limit is {MAX_PAYLOAD_BYTES}",
                head.length
            ));
        }
        if head.samples > MAX_BLOCK_SAMPLES || head.originals > head.samples || head.originals == 0
        {
            return Err(format!(
                "it claims {} originals and {} samples, which no block has",
                head.originals, head.samples
            ));
        }
        if u64::from(head.length) > room {
            return Err(format!(
                "it claims {} bytes, and the file ends after {room}",
                head.length
            ));
        }
        Ok(head)
    }

    /// Bytes of the payload.
    pub(super) fn payload_bytes(&self) -> usize {
        self.length as usize
    }

    /// Bytes of the block.
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

    /// The samples of the block: all of them, or the originals.
    ///
    /// # Errors
    /// Says what is wrong with the payload.
    pub(super) fn decode<G: Game>(
        &self,
        payload: &[u8],
        augment: Augment,
        wanted: Wanted,
    ) -> Result<Vec<Sample<G>>, String> {
        if self.checksum_of(payload)? != self.checksum {
            return Err("its checksum differs".to_owned());
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
            let (record, length) = codec::read::<Record<G::Code>>(rest).map_err(at_index)?;
            rest = &rest[length..];
            originals += u32::from(record.is_original());
            if !record.is_original() && (index == 0 || augment == Augment::Read) {
                return Err(at_index("it is an image without an original".to_owned()));
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
            return Err(format!("{} bytes follow its last sample", rest.len()));
        }
        if originals != self.originals {
            return Err(format!(
                "it claims {} originals and has {originals}",
                self.originals
            ));
        }
        if wanted == Wanted::All && samples.len() != self.samples as usize {
            return Err(format!(
                "it claims {} samples and has {}",
                self.samples,
                samples.len()
            ));
        }
        Ok(samples)
    }
}

/// Which samples of a block are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    All,
    Originals,
}

/// Where a block lies and what it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockEntry {
    pub(super) offset: u64,
    pub(super) head: BlockHead,
}

impl BlockEntry {
    /// Samples of the block, images included.
    #[must_use]
    pub fn samples(&self) -> usize {
        self.head.samples as usize
    }

    /// Samples of the block without the images.
    #[must_use]
    pub fn originals(&self) -> usize {
        self.head.originals as usize
    }

    /// The byte of the file with which the block begins.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// The payload of the block that `bytes` begin with, behind which they then begin.
    ///
    /// # Errors
    /// If it is not the block that was found here before.
    pub(super) fn payload<'a>(&self, bytes: &mut &'a [u8]) -> Result<&'a [u8], String> {
        let room = (bytes.len() as u64).saturating_sub(BLOCK_HEAD_BYTES as u64);
        if BlockHead::parse(bytes, room)? != self.head {
            return Err("it has changed since the shard was opened".to_owned());
        }
        let (block, rest) = bytes.split_at(self.head.block_bytes() as usize);
        *bytes = rest;
        Ok(&block[BLOCK_HEAD_BYTES..])
    }
}

/// A block that is being filled.
#[derive(Debug, Default)]
pub(super) struct BlockBuilder {
    payload: Vec<u8>,
    samples: u32,
    originals: u32,
}

impl BlockBuilder {
    /// Adds an original and, if `augment` says so, its images.
    ///
    /// # Errors
    /// If a sample has no record; the block is then as before.
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
            if let Err(reason) =
                codec::append(&Record::of(sample), MAX_RECORD_BYTES, &mut self.payload)
            {
                self.payload.truncate(before);
                return Err(reason);
            }
        }
        // Not more than the game has symmetries.
        self.samples += images.len() as u32;
        self.originals += 1;
        Ok(())
    }

    /// Samples so far, images that are not written included.
    pub(super) fn samples(&self) -> u32 {
        self.samples
    }

    /// Samples so far without images.
    pub(super) fn originals(&self) -> u32 {
        self.originals
    }

    /// The bytes of the block, which begins anew; nothing if it is empty.
    ///
    /// # Errors
    /// If it has grown beyond what a block may hold.
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

    /// The same head, made to fit a changed payload.
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
        fn both_modes_give_every_image_and_every_original(samples in samples(1..20)) {
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
        fn noise_with_a_right_checksum_is_refused_or_is_samples(
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
    fn a_block_that_has_been_taken_begins_anew() {
        let mut builder = BlockBuilder::default();
        builder.push(&sample(0), Augment::Write).unwrap();
        assert!(builder.take().unwrap().is_some());
        assert_eq!((builder.samples(), builder.originals()), (0, 0));
        assert_eq!(builder.take().unwrap(), None);
    }

    #[test]
    fn heads_that_claim_too_much_are_refused() {
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
                "which no block has",
            ),
            (
                BlockHead {
                    samples: 0,
                    originals: 0,
                    ..head
                },
                "which no block has",
            ),
            (
                BlockHead {
                    originals: 9,
                    samples: 8,
                    ..head
                },
                "which no block has",
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
    fn payloads_that_do_not_fit_their_head_are_refused() {
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
        assert_eq!(reason, "it claims 5 samples and has 4");
    }

    #[test]
    fn an_image_needs_its_original() {
        for augment in BOTH {
            let (head, mut payload) = built(&[sample(1)], augment);
            payload[18] = 0;
            let reason = refusal(&refitted(head, &payload), &payload, augment);
            assert_eq!(reason, "sample 0: it is an image without an original");
        }
    }

    #[test]
    fn an_illegal_position_is_named() {
        let (head, mut payload) = built(&[sample(0), sample(1)], Augment::Write);
        let crowded = Position::start(&()).encode() | 1 << 1;
        payload[19..27].copy_from_slice(&crowded.to_le_bytes());
        let reason = refusal(&refitted(head, &payload), &payload, Augment::Write);
        assert!(reason.starts_with("sample 1: the code"), "{reason}");
    }
}
