//! Merging and filtering shards into new ones.
//!
//! Each new shard contains samples of one generation of one run and keeps the header of its source.
//! Games keep their numbers, so training holds out the same games as before.

mod error;
mod union;

pub use error::MergeError;

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

use serde::Serialize;

use self::union::union;
use super::collection::{CollectedShard, Collection, FilterRecord, is_collection};
use super::filter::Filter;
use super::header::{ShardHeader, is_shard};
use super::listing::Listing;
use super::manifest::{MANIFEST_FILE, is_manifest};
use super::reader::ShardReader;
use super::sample::Sample;
use super::writer::ShardWriter;
use crate::files::{AtomicFolder, Existing, FileError, beginning};
use crate::game::Game;
use crate::interrupt::Interrupt;
use crate::reporter::{Bar, Reporter};

/// Opens shards, and all shards listed by manifests and collections.
///
/// # Errors
/// If a file is neither, or a shard is damaged outside its samples or differs from the listed one.
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

/// A merge of shards.
#[derive(Debug)]
pub struct MergeJob<'a, G> {
    /// The source shards, in any order.
    pub inputs: Vec<ShardReader<G>>,
    /// Which samples are kept.
    pub filter: Filter<'a, G>,
    /// The filter as it is recorded in the collection.
    pub record: FilterRecord,
    /// A new shard is closed after the game in which it reaches this number of base samples.
    pub shard_originals: usize,
    /// The folder to create.
    pub out: &'a Path,
}

/// Numbers of base samples read and kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct MergeReport {
    /// Samples of the inputs.
    pub read: u64,
    /// Samples of generations that the filter excludes.
    pub other_generations: u64,
    /// Samples that another input contains too.
    pub repeated: u64,
    /// Samples excluded by phase or outcome.
    pub filtered: u64,
    /// Samples whose position equals, under symmetry, one already kept.
    pub folded: u64,
    /// Samples kept.
    pub kept: u64,
}

/// Result of a merge.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Merged {
    /// Numbers of samples read and kept.
    pub report: MergeReport,
    /// The list of the new shards.
    pub collection: Collection,
}

/// Returns the fields that identify a run's generation, the common origin of a shard's games.
fn origin(header: &ShardHeader) -> (u32, u64, &Option<String>, &String) {
    let ShardHeader {
        generation,
        seed,
        network,
        config,
        ..
    } = header;
    (*generation, *seed, network, config)
}

impl<G: Game> MergeJob<'_, G> {
    /// Creates the folder with the new shards and their collection, atomically.
    ///
    /// The result does not depend on the order of the inputs. Memory holds a block of each shard
    /// whose games overlap, the base samples of one new shard and, for folding, 10 to 21 bytes per
    /// distinct position kept (half as much again while the set of keys grows).
    ///
    /// # Errors
    /// If shards store symmetric copies differently, no sample is left, the folder exists, a stop
    /// was requested, or a file cannot be read or written.
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
        let mut merge = Merge {
            job: &self,
            place: folder.place(),
            interrupt,
            bar: talk.bar("merging", "samples", 0, total(&self.inputs)),
            report: MergeReport::default(),
            seen: HashSet::new(),
            numbers: BTreeMap::new(),
        };
        let mut groups: Vec<Vec<CollectedShard>> = Vec::new();
        // Of equal positions, the one of the newest generation is kept: its score is the best
        // informed.
        let origins = self
            .inputs
            .chunk_by(|a, b| origin(a.header()) == origin(b.header()));
        for readers in origins.rev() {
            if self
                .filter
                .generations
                .contains(&readers[0].header().generation)
            {
                groups.push(merge.take_over(readers)?);
            } else {
                merge.report.read += total(readers);
                merge.report.other_generations += total(readers);
            }
        }
        merge.bar.finish();
        let report = merge.report;
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

    /// Returns the augmentation mode, which must be the same for all inputs.
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

/// State of a running merge.
struct Merge<'a, G: Game> {
    job: &'a MergeJob<'a, G>,
    place: &'a Path,
    interrupt: &'a Interrupt,
    bar: Bar,
    report: MergeReport,
    /// Keys of the positions kept, if duplicates are folded.
    seen: HashSet<G::Key>,
    /// Number of new shards of each generation.
    numbers: BTreeMap<u32, u32>,
}

impl<G: Game> Merge<'_, G> {
    /// Copies the samples of shards of one origin.
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

    /// Writes a shard of at least one sample.
    fn write(
        &mut self,
        of: &ShardHeader,
        samples: &[Sample<G>],
    ) -> Result<CollectedShard, MergeError> {
        let (first, last) = (samples[0].game, samples[samples.len() - 1].game);
        let header = ShardHeader {
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
