//! Validation of a block without decoding its symmetric copies.

use super::BlockHead;
use crate::game::Game;
use crate::shard::codec;
use crate::shard::header::Augment;
use crate::shard::record::{MAX_RECORD_BYTES, SampleRecord, TAIL_BYTES, image_tail};
use crate::shard::sample::Sample;

/// Reusable buffers for checking blocks.
#[derive(Debug)]
pub(in crate::shard) struct CheckRoom<G> {
    images: Vec<G>,
    /// The encoded records of a base sample's symmetric copies.
    records: Vec<u8>,
}

impl<G> Default for CheckRoom<G> {
    fn default() -> Self {
        Self {
            images: Vec::new(),
            records: Vec::new(),
        }
    }
}

impl BlockHead {
    /// Checks everything in the payload, including that each symmetric copy is the copy of its base
    /// sample. Calls `each`, which may reject it, with each base sample and all symmetric copies of
    /// its position.
    ///
    /// Copies are compared as bytes, which is several times as fast as decoding them.
    ///
    /// # Errors
    /// Returns what is wrong with the payload.
    pub(in crate::shard) fn check<G: Game>(
        &self,
        payload: &[u8],
        augment: Augment,
        room: &mut CheckRoom<G>,
        mut each: impl FnMut(&Sample<G>, &[G]) -> Result<(), String>,
    ) -> Result<(), String> {
        if self.checksum_of(payload)? != self.checksum {
            return Err("its checksum does not match".to_owned());
        }
        let CheckRoom { images, records } = room;
        let (mut rest, mut index) = (payload, 0);
        let (mut samples, mut originals) = (0_u32, 0_u32);
        while !rest.is_empty() {
            let place = index;
            let at_index = move |reason: String| format!("sample {place}: {reason}");
            let (original, length) =
                codec::read::<SampleRecord<G::Code>>(rest).map_err(at_index)?;
            if !original.is_original() {
                let reason = "surplus symmetric copy, or not a copy of the preceding base sample";
                return Err(at_index(reason.to_owned()));
            }
            let sample: Sample<G> = original.into_sample().map_err(at_index)?;
            sample.check().map_err(at_index)?;
            let (head, after) = rest.split_at(length);
            sample.position.images_into(images);
            each(&sample, images).map_err(at_index)?;
            (rest, index) = (after, index + 1);
            (samples, originals) = (samples + images.len() as u32, originals + 1);
            if augment == Augment::Read {
                continue;
            }
            let Some(tail) = head.last_chunk::<TAIL_BYTES>() else {
                return Err(at_index("it is too short".to_owned()));
            };
            let tail = image_tail(*tail);
            records.clear();
            for image in &images[1..] {
                codec::append(&image.encode(), MAX_RECORD_BYTES, records)?;
                records.extend(tail);
            }
            // Compared in one go: many short comparisons are slower.
            let count = images.len() - 1;
            rest = rest.strip_prefix(records.as_slice()).ok_or_else(|| {
                let mut bytes = rest.iter().zip(records.iter());
                let same = bytes.position(|(found, expected)| found != expected);
                let whole = same.unwrap_or(rest.len()) * count / records.len().max(1);
                let place = index + whole;
                format!("sample {place}: not the expected symmetric copy of its base sample")
            })?;
            index += count;
        }
        if (samples, originals) != (self.samples, self.originals) {
            return Err(format!(
                "its head states {} base samples and {} samples, but it has {originals} and {samples}",
                self.originals, self.samples
            ));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{BOTH, built, refitted};
    use super::*;
    use crate::games::bagh_chal::Position;
    use crate::shard::tests::{finished_position, sample};

    /// A modification of a payload.
    type Change = fn(&mut Vec<u8>);

    /// Returns the error of checking a payload whose checksum is adapted to it.
    fn complaint(head: BlockHead, payload: &[u8], augment: Augment) -> String {
        let mut room = CheckRoom::<Position>::default();
        let head = refitted(head, payload);
        let checked = head.check(payload, augment, &mut room, |_, _| Ok(()));
        checked.unwrap_err()
    }

    #[test]
    fn wrong_symmetric_copies_are_detected() {
        let (head, whole) = built(&[sample(3), sample(1)], Augment::Write);
        let mut room = CheckRoom::<Position>::default();
        let mut sizes = Vec::new();
        head.check(&whole, Augment::Write, &mut room, |sample, images| {
            sizes.push((sample.ply, images.len()));
            Ok(())
        })
        .unwrap();
        assert_eq!(sizes, [(3, 8), (1, 4)]);
        let changed = |change: Change| {
            let mut payload = whole.clone();
            change(&mut payload);
            complaint(head, &payload, Augment::Write)
        };
        let changes: [(Change, &str); 10] = [
            (|payload| payload[4 * 19 + 9] ^= 1, "sample 4"),
            (|payload| payload[4 * 19] ^= 3, "sample 4"),
            (
                |payload| payload[4 * 19..6 * 19].rotate_left(19),
                "sample 4",
            ),
            (|payload| payload[3 * 19 + 18] |= 1 << 4, "sample 3"),
            (|payload| drop(payload.drain(..19)), "sample 0"),
            (|payload| drop(payload.drain(7 * 19..8 * 19)), "sample 7"),
            (|payload| payload.truncate(9 * 19), "sample 9"),
            (|payload| payload.truncate(8 * 19), "has 1 and 8"),
            (|payload| payload.extend_from_within(11 * 19..), "sample 12"),
            (|payload| payload.truncate(8 * 19 + 5), "sample 8"),
        ];
        for (change, place) in changes {
            let said = changed(change);
            assert!(said.contains(place), "{place}: {said}");
        }
    }

    #[test]
    fn finished_positions_are_detected_in_both_modes() {
        let finished = Sample {
            position: finished_position(),
            ..sample(0)
        };
        for augment in BOTH {
            let (head, payload) = built(&[finished], augment);
            let said = complaint(head, &payload, augment);
            assert!(said.contains("is finished"), "{said}");
        }
    }
}
