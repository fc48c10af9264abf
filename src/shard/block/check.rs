//! Checking a block without making samples of its images.

use super::BlockHead;
use crate::game::Game;
use crate::shard::codec;
use crate::shard::header::Augment;
use crate::shard::record::{MAX_RECORD_BYTES, Record, TAIL_BYTES, image_tail};
use crate::shard::sample::Sample;

/// What checking a block needs room for; one for many blocks saves time.
#[derive(Debug)]
pub(in crate::shard) struct CheckRoom<G> {
    images: Vec<G>,
    /// The records that the images of an original have.
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
    /// Checks everything in the payload, that images are images included, and hands each original
    /// with the images of its position to `each`, which may refuse it.
    ///
    /// Images are compared as bytes, which is several times as fast as reading them.
    ///
    /// # Errors
    /// Says what is wrong with the payload.
    pub(in crate::shard) fn check<G: Game>(
        &self,
        payload: &[u8],
        augment: Augment,
        room: &mut CheckRoom<G>,
        mut each: impl FnMut(&Sample<G>, &[G]) -> Result<(), String>,
    ) -> Result<(), String> {
        if self.checksum_of(payload)? != self.checksum {
            return Err("its checksum differs".to_owned());
        }
        let CheckRoom { images, records } = room;
        let (mut rest, mut index) = (payload, 0);
        let (mut samples, mut originals) = (0_u32, 0_u32);
        while !rest.is_empty() {
            let place = index;
            let at_index = move |reason: String| format!("sample {place}: {reason}");
            let (original, length) = codec::read::<Record<G::Code>>(rest).map_err(at_index)?;
            if !original.is_original() {
                let reason = "it is not an image of the original before it, or one too many";
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
            // Together, since many short comparisons take longer.
            let count = images.len() - 1;
            rest = rest.strip_prefix(records.as_slice()).ok_or_else(|| {
                let mut bytes = rest.iter().zip(records.iter());
                let same = bytes.position(|(found, expected)| found != expected);
                let whole = same.unwrap_or(rest.len()) * count / records.len().max(1);
                let place = index + whole;
                format!("sample {place}: it is not the image of the original that it should be")
            })?;
            index += count;
        }
        if (samples, originals) != (self.samples, self.originals) {
            return Err(format!(
                "it claims {} originals and {} samples, and has {originals} and {samples}",
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

    /// Damage done to a payload.
    type Change = fn(&mut Vec<u8>);

    /// What checking says of a payload, the checksum fitting.
    fn complaint(head: BlockHead, payload: &[u8], augment: Augment) -> String {
        let mut room = CheckRoom::<Position>::default();
        let head = refitted(head, payload);
        let checked = head.check(payload, augment, &mut room, |_, _| Ok(()));
        checked.unwrap_err()
    }

    #[test]
    fn images_that_are_none_are_found() {
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
    fn finished_positions_are_found_in_both_modes() {
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
