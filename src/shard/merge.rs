//! New shards from the samples of others.
//!
//! A new shard holds samples of one generation of one run, under the header of the shards that they
//! come from: a game keeps its number, so that whatever holds games out of a training holds out the
//! same ones as before.

mod error;
mod union;

pub use error::MergeError;

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

use serde::Serialize;

use self::union::union;
use super::collection::{CollectedShard, Collection, FilterRecord, is_collection};
use super::filter::Filter;
use super::header::{Header, is_shard};
use super::listing::Listing;
use super::manifest::{MANIFEST_FILE, is_manifest};
use super::reader::ShardReader;
use super::sample::Sample;
use super::writer::ShardWriter;
use crate::files::{AtomicFolder, Existing, FileError, beginning};
use crate::game::Game;
use crate::interrupt::Interrupt;
use crate::reporter::{Bar, Reporter};

/// Opens shards, and the shards that manifests and collections list.
///
/// # Errors
/// If a file is neither, or a shard is damaged outside its samples or is not the one listed.
pub fn open_inputs<G: Game>(paths: &[PathBuf]) -> Result<Vec<ShardReader<G>>, MergeError> {
    let mut readers = Vec::new();
    for path in paths {
        let start = beginning(path).map_err(FileError::io("read", path))?;
        if is_shard(&start) {
            readers.push(ShardReader::open(path)?);
        } else if is_manifest(&start) || is_collection(&start) {
            readers.extend(Listing::load(path)?.open_shards(path)?);
        } else {
            return Err(MergeError::Foreign { path: path.clone() });
        }
    }
    Ok(readers)
}

/// Shards that are to be put together.
#[derive(Debug)]
pub struct MergeJob<'a, G> {
    /// The shards to take samples from, in whatever order.
    pub inputs: Vec<ShardReader<G>>,
    /// Which samples are taken.
    pub filter: Filter<'a, G>,
    /// The same in the game's words.
    pub record: FilterRecord,
    /// Originals from which on a new shard is complete, with all of the game at hand.
    pub shard_originals: usize,
    /// The folder that is made.
    pub out: &'a Path,
}

/// What became of the samples, images aside.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct MergeReport {
    /// Samples of the inputs.
    pub read: u64,
    /// Samples of other generations than those asked for.
    pub other_generations: u64,
    /// Samples that another input has too.
    pub repeated: u64,
    /// Samples that the filter left out by phase or outcome.
    pub filtered: u64,
    /// Samples left out since a symmetry makes their position equal to one kept.
    pub folded: u64,
    /// Samples kept.
    pub kept: u64,
}

/// New shards.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Merged {
    /// What became of the samples.
    pub report: MergeReport,
    /// The new shards.
    pub collection: Collection,
}

/// A run's generation, which all games of a shard are of.
fn origin(header: &Header) -> (u32, u64, &Option<String>, &String) {
    let Header {
        generation,
        seed,
        network,
        config,
        ..
    } = header;
    (*generation, *seed, network, config)
}

impl<G: Game> MergeJob<'_, G> {
    /// Makes the folder with the new shards and the collection that lists them, whole or not at all.
    ///
    /// The result does not depend on the order of the inputs. In memory are a block of each shard
    /// whose games overlap, the originals of one new shard and, for folding, 10 to 21 bytes for each
    /// distinct position kept (half as much again while the set of keys grows).
    ///
    /// # Errors
    /// If shards have their images in different places, no sample is left, the folder exists, a
    /// stop was requested, or something cannot be read or written.
    pub fn run(mut self, interrupt: &Interrupt, talk: &Reporter) -> Result<Merged, MergeError> {
        self.inputs.sort_by(|a, b| {
            let first = |shard: &ShardReader<G>| shard.header().first_game;
            origin(a.header())
                .cmp(&origin(b.header()))
                .then_with(|| first(a).cmp(&first(b)))
                .then_with(|| a.summary().digest.cmp(&b.summary().digest))
        });
        let augment = self.augment()?;
        let folder = AtomicFolder::create(self.out).map_err(FileError::io("create", self.out))?;
        let total = |readers: &[ShardReader<G>]| -> u64 {
            readers
                .iter()
                .map(|reader| reader.summary().originals)
                .sum()
        };
        let mut pass = Pass {
            job: &self,
            place: folder.place(),
            interrupt,
            bar: talk.bar("taking over", "samples", 0, total(&self.inputs)),
            report: MergeReport::default(),
            seen: HashSet::new(),
            numbers: BTreeMap::new(),
        };
        let mut groups: Vec<Vec<CollectedShard>> = Vec::new();
        // Of equal positions the newest generation's is kept, whose score is the best informed.
        let origins = self
            .inputs
            .chunk_by(|a, b| origin(a.header()) == origin(b.header()));
        for readers in origins.rev() {
            if self
                .filter
                .generations
                .contains(&readers[0].header().generation)
            {
                groups.push(pass.take_over(readers)?);
            } else {
                pass.report.read += total(readers);
                pass.report.other_generations += total(readers);
            }
        }
        pass.bar.finish();
        let report = pass.report;
        if report.kept == 0 {
            return Err(MergeError::NothingLeft { read: report.read });
        }
        let collection = Collection {
            game: G::NAME.to_owned(),
            augment,
            filter: self.record.clone(),
            shards: groups.into_iter().rev().flatten().collect(),
        };
        collection.save(&folder.place().join(MANIFEST_FILE))?;
        folder.commit().map_err(FileError::io("create", self.out))?;
        Ok(Merged { report, collection })
    }

    /// Where the images lie, which is the same for all inputs.
    fn augment(&self) -> Result<super::Augment, MergeError> {
        let first = self
            .inputs
            .first()
            .ok_or(MergeError::NothingLeft { read: 0 })?;
        let augment = first.header().augment;
        let other = self
            .inputs
            .iter()
            .find(|shard| shard.header().augment != augment);
        match other {
            None => Ok(augment),
            Some(other) => Err(MergeError::Augment {
                first: first.path().to_owned(),
                second: other.path().to_owned(),
            }),
        }
    }
}

/// A merge under way.
struct Pass<'a, G: Game> {
    job: &'a MergeJob<'a, G>,
    place: &'a Path,
    interrupt: &'a Interrupt,
    bar: Bar,
    report: MergeReport,
    /// A key for each position kept, if duplicates are folded.
    seen: HashSet<G::Key>,
    /// New shards of each generation.
    numbers: BTreeMap<u32, u32>,
}

impl<G: Game> Pass<'_, G> {
    /// Takes over the samples of shards of one origin.
    fn take_over(&mut self, readers: &[ShardReader<G>]) -> Result<Vec<CollectedShard>, MergeError> {
        let header = readers[0].header();
        let mut shards = Vec::new();
        let mut kept: Vec<Sample<G>> = Vec::new();
        for game in union(readers) {
            let game = game?;
            if self.interrupt.requested() {
                return Err(MergeError::Interrupted);
            }
            if kept.len() >= self.job.shard_originals {
                shards.push(self.write(header, &kept)?);
                kept.clear();
            }
            let before = kept.len();
            self.report.read += game.samples.len() as u64 + game.repeated;
            self.report.repeated += game.repeated;
            for sample in game.samples {
                if !self.job.filter.keeps(&sample) {
                    self.report.filtered += 1;
                } else if self.is_duplicate(&sample) {
                    self.report.folded += 1;
                } else {
                    kept.push(sample);
                }
            }
            self.report.kept += (kept.len() - before) as u64;
            let report = self.report;
            self.bar.at(report.read, || format!("{} kept", report.kept));
        }
        if !kept.is_empty() {
            shards.push(self.write(header, &kept)?);
        }
        Ok(shards)
    }

    fn is_duplicate(&mut self, sample: &Sample<G>) -> bool {
        self.job.filter.fold && !self.seen.insert(sample.position.canonical().0.key())
    }

    /// Writes a shard of samples, of which there are some.
    fn write(&mut self, of: &Header, samples: &[Sample<G>]) -> Result<CollectedShard, MergeError> {
        let (first, last) = (samples[0].game, samples[samples.len() - 1].game);
        let header = Header {
            first_game: first,
            games: last - first + 1,
            ..of.clone()
        };
        let number = self.numbers.entry(of.generation).or_default();
        let file = format!("shard-{:03}-{number:05}.bin", of.generation);
        *number += 1;
        let path = self.place.join(&file);
        let mut writer = ShardWriter::create(&path, &header, Existing::Keep)?;
        for sample in samples {
            writer.push(sample)?;
        }
        Ok(CollectedShard {
            file,
            header,
            summary: writer.finish()?,
        })
    }
}

#[cfg(test)]
mod tests;
