//! The self-play job of a generation: from workers to shards and manifest.

use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;

use super::error::SelfplayError;
use super::game::{GameSettings, PlayedGame};
use super::log::{self, Counter, GameSummary};
use crate::files::{FileError, remove_leftovers};
use crate::game::{Notation, Outcome};
use crate::kit::PlayerFactory;
use crate::mismatch::first_mismatch;
use crate::reporter::Bar;
use crate::shard::{
    MANIFEST_FILE, Manifest, OutcomeTally, Sample, ShardEntry, ShardHeader, ShardReader,
    ShardWriter,
};
use crate::workers::{Context, Finish, ordered};

/// How self-play ended.
#[derive(Debug, PartialEq)]
pub enum Produced {
    /// All shards and the manifest are written.
    Complete(Box<Manifest>),
    /// Interrupted; `shards` of `of` shards are written.
    Interrupted {
        /// Shards written.
        shards: u32,
        /// Shards of the generation.
        of: u32,
    },
}

/// The self-play job of a generation.
#[derive(Debug)]
pub struct SelfplayJob<'a, G> {
    /// The settings of the games.
    pub game: GameSettings<G>,
    /// The player of both sides.
    pub teacher: &'a PlayerFactory<G>,
    /// Digest of the settings that define the run.
    pub config: String,
    /// The folder of shards and manifest.
    pub folder: &'a Path,
}

/// A shard that is being written.
struct OpenShard<G: Notation> {
    writer: ShardWriter<G>,
    tally: OutcomeTally<G>,
    games: Vec<GameSummary>,
}

/// The progress of writing.
struct Progress<G: Notation> {
    entries: Vec<ShardEntry>,
    counter: Counter,
    duplicates: u64,
    open: Option<OpenShard<G>>,
    /// The numbers of the missing shards.
    missing: Vec<u32>,
}

impl<G: Notation> SelfplayJob<'_, G> {
    /// The path of the manifest in a folder of shards.
    #[must_use]
    pub fn manifest_path(folder: &Path) -> PathBuf {
        folder.join(MANIFEST_FILE)
    }

    /// Plays the missing games and writes the missing shards and the manifest.
    ///
    /// Existing shards are kept, and the others are the same as if all had been made at once.
    ///
    /// # Errors
    /// If the folder has shards of another job, or a file cannot be read or written.
    pub fn produce(&self, context: &Context) -> Result<Produced, SelfplayError> {
        if self.game.ends_at_start() {
            return Err(SelfplayError::AllKnown);
        }
        std::fs::create_dir_all(self.folder).map_err(FileError::io("write", self.folder))?;
        remove_leftovers(self.folder).map_err(FileError::io("write", self.folder))?;
        let mut progress = self.written()?;
        let (settings, start) = (&self.game.settings, Instant::now());
        let done = progress
            .entries
            .iter()
            .map(|entry| entry.games)
            .sum::<u32>();
        let missing = std::mem::take(&mut progress.missing);
        let game_of = |task: u64| {
            // Only the last shard may have fewer games.
            let per_shard = u64::from(settings.games_per_shard);
            let shard = missing[(task / per_shard) as usize];
            shard * settings.games_per_shard + (task % per_shard) as u32
        };
        let before = (progress.counter.samples, progress.counter.nodes);
        let mut bar =
            (context.reporter).bar("self-play", "games", done.into(), settings.games.into());
        let finish = ordered(
            context,
            0..u64::from(settings.games - done),
            || self.teacher.player(),
            |player, task| self.game.play(player.as_mut(), game_of(task)),
            |task, game| {
                let number = game_of(task);
                let Some(game) = game else {
                    return ControlFlow::Break(SelfplayError::NoOpening { game: number });
                };
                match self.write(&mut progress, number, &game) {
                    Ok(()) => {
                        let done = u64::from(done) + task + 1;
                        self.show(&mut bar, done, &progress.counter, before, start);
                        ControlFlow::Continue(())
                    }
                    Err(error) => ControlFlow::Break(error),
                }
            },
        );
        bar.finish();
        match finish {
            Finish::Broke(error) => Err(error),
            Finish::Interrupted => Ok(Produced::Interrupted {
                shards: progress.entries.len() as u32,
                of: settings.games.div_ceil(settings.games_per_shard),
            }),
            Finish::Completed => {
                progress.entries.sort_by_key(|entry| entry.first_game);
                let logs: Vec<PathBuf> = progress
                    .entries
                    .iter()
                    .map(|entry| log_path(&self.folder.join(&entry.file)))
                    .collect();
                let unique = log::unique(&logs, progress.counter.games())
                    .map_err(FileError::io("write", self.folder))?;
                let manifest = Manifest {
                    game: G::NAME.to_owned(),
                    seed: self.game.seed,
                    generation: self.game.generation,
                    network: self.teacher.digest.clone(),
                    tables: self.game.tables(),
                    config: self.config.clone(),
                    augment: settings.augment,
                    shards: progress.entries,
                    games: progress.counter.counts(unique),
                    duplicates: progress.duplicates,
                };
                manifest.save(&Self::manifest_path(self.folder))?;
                Ok(Produced::Complete(Box::new(manifest)))
            }
        }
    }

    /// Reads the existing shards.
    fn written(&self) -> Result<Progress<G>, SelfplayError> {
        let mut progress = Progress {
            entries: Vec::new(),
            counter: Counter::default(),
            duplicates: 0,
            open: None,
            missing: Vec::new(),
        };
        let settings = &self.game.settings;
        for shard in 0..settings.games.div_ceil(settings.games_per_shard) {
            let path = self.shard_path(shard);
            if !path.exists() {
                progress.missing.push(shard);
                continue;
            }
            let reader = ShardReader::<G>::open(&path)?;
            let expected = self.header(shard);
            if let Some(what) = difference(reader.header(), &expected) {
                return Err(SelfplayError::OtherJob { path, what });
            }
            let mut tally = OutcomeTally::default();
            for sample in reader.originals() {
                tally.add(&sample?);
            }
            progress.duplicates += tally.finish().duplicates;
            let log = log_path(&path);
            let games = log::read(&log).map_err(|source| SelfplayError::Log {
                path: log.clone(),
                source,
            })?;
            let kept: u64 = games.iter().map(|game| u64::from(game.samples)).sum();
            let whole =
                games.len() == expected.games as usize && kept == reader.summary().originals;
            if !whole {
                let reason = "it does not tell of the games of its shard";
                return Err(SelfplayError::Log {
                    path: log,
                    source: io::Error::new(io::ErrorKind::InvalidData, reason),
                });
            }
            games.iter().for_each(|game| progress.counter.add(game));
            let entry = ShardEntry::new(file_name(&path), &expected, reader.summary());
            progress.entries.push(entry);
        }
        Ok(progress)
    }

    fn shard_path(&self, shard: u32) -> PathBuf {
        self.folder.join(format!("shard-{shard:05}.bin"))
    }

    fn header(&self, shard: u32) -> ShardHeader {
        let settings = &self.game.settings;
        let first_game = shard * settings.games_per_shard;
        ShardHeader {
            game: G::NAME.to_owned(),
            seed: self.game.seed,
            generation: self.game.generation,
            network: self.teacher.digest.clone(),
            config: self.config.clone(),
            first_game,
            games: settings.games_per_shard.min(settings.games - first_game),
            augment: settings.augment,
        }
    }

    /// Writes a game, and finishes its shard after the last game of it.
    fn write(
        &self,
        progress: &mut Progress<G>,
        index: u32,
        game: &PlayedGame<G>,
    ) -> Result<(), SelfplayError> {
        let settings = &self.game.settings;
        let shard = index / settings.games_per_shard;
        let path = self.shard_path(shard);
        let mut open = match progress.open.take() {
            Some(open) => open,
            None => OpenShard {
                writer: ShardWriter::create(
                    &path,
                    &self.header(shard),
                    crate::files::Existing::Keep,
                )?,
                tally: OutcomeTally::default(),
                games: Vec::new(),
            },
        };
        for sample in &game.samples {
            let sample: &Sample<G> = sample;
            open.writer.push(sample)?;
            open.tally.add(sample);
        }
        open.games.push(game.summary);
        progress.counter.add(&game.summary);
        let header = self.header(shard);
        if index + 1 < header.first_game + header.games {
            progress.open = Some(open);
            return Ok(());
        }
        // The shard is written last: if it exists, its log does too.
        let log = log_path(&path);
        log::write(&log, &open.games).map_err(|source| SelfplayError::Log { path: log, source })?;
        let summary = open.writer.finish()?;
        let entry = ShardEntry::new(file_name(&path), &header, &summary);
        progress.entries.push(entry);
        progress.duplicates += open.tally.finish().duplicates;
        Ok(())
    }

    fn show(
        &self,
        bar: &mut Bar,
        done: u64,
        counter: &Counter,
        before: (u64, u64),
        start: Instant,
    ) {
        bar.at(done, || {
            let seconds = start.elapsed().as_secs_f64().max(1e-9);
            let share = |outcome| 100.0 * counter.outcomes().share(outcome);
            let shares: Vec<String> = [Outcome::Max, Outcome::Draw, Outcome::Min]
                .map(|outcome| format!("{} {:.0} %", G::outcome_name(outcome), share(outcome)))
                .into();
            format!(
                "{:.1} k positions/s, {:.2} M nodes/s, {}, {:.0} plies",
                (counter.samples - before.0) as f64 / seconds / 1e3,
                (counter.nodes - before.1) as f64 / seconds / 1e6,
                shares.join(", "),
                counter.mean_length()
            )
        });
    }
}

/// The first difference between the headers of a shard and of this job.
fn difference(found: &ShardHeader, expected: &ShardHeader) -> Option<&'static str> {
    first_mismatch([
        (found.seed != expected.seed, "the seed"),
        (found.generation != expected.generation, "the generation"),
        (found.network != expected.network, "the network that plays"),
        (found.config != expected.config, "the configuration"),
        (found.augment != expected.augment, "the augmentation"),
        (
            (found.first_game, found.games) != (expected.first_game, expected.games),
            "the games it holds",
        ),
    ])
}

/// The path of a shard's game log.
fn log_path(shard: &Path) -> PathBuf {
    shard.with_extension("games.jsonl")
}

fn file_name(path: &Path) -> String {
    path.file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::super::game::Opening;
    use std::sync::Arc;
    use std::time::Duration;

    use super::super::settings::{ExactUse, SelfplaySettings};
    use super::*;
    use crate::game::{Exact, ExactValues, Game as _};
    use crate::games::bagh_chal::{Move, Position};
    use crate::kit::PlayerSpec;
    use crate::search::{Analysis, Player, SearchReport};
    use crate::seed;
    use crate::workers::with_context;

    fn teacher() -> PlayerFactory<Position> {
        let spec: PlayerSpec = "claude@nodes=30".parse().unwrap();
        spec.player_factory().unwrap()
    }

    fn generation<'a>(
        teacher: &'a PlayerFactory<Position>,
        folder: &'a Path,
        seed: u64,
    ) -> SelfplayJob<'a, Position> {
        SelfplayJob {
            game: GameSettings {
                settings: SelfplaySettings {
                    games: 10,
                    games_per_shard: 4,
                    ..SelfplaySettings::default()
                },
                opening: Opening::Start(Position::start(&())),
                quiet_limit: 40,
                exact: None,
                seed,
                generation: 1,
            },
            teacher,
            config: "digest".to_owned(),
            folder,
        }
    }

    fn produce(folder: &Path, seed: u64, threads: usize) -> Result<Produced, SelfplayError> {
        let teacher = teacher();
        let job = generation(&teacher, folder, seed);
        with_context(threads, |context| job.produce(context))
    }

    /// A player that panics in the game of a seed after the shards before it are written.
    struct Faulty {
        inner: Box<dyn Player<Position>>,
        seed: u64,
        written: PathBuf,
    }

    impl Player<Position> for Faulty {
        fn pick_move(&mut self, position: &Position, history: &[Position]) -> SearchReport<Move> {
            self.inner.pick_move(position, history)
        }

        fn analyse(&mut self, position: &Position, history: &[Position]) -> Option<Analysis<Move>> {
            self.inner.analyse(position, history)
        }

        fn new_game(&mut self, seed: u64) {
            if seed == self.seed {
                while !self.written.exists() {
                    std::thread::sleep(Duration::from_millis(1));
                }
                panic!("no more games");
            }
            self.inner.new_game(seed);
        }
    }

    #[test]
    fn a_fault_in_one_worker_ends_the_work_and_leaves_whole_shards_to_go_on_from() {
        let (whole, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        produce(whole.path(), 1, 2).unwrap();
        let first = folder.path().join("shard-00000.bin");
        let make = move || -> Box<dyn Player<Position>> {
            Box::new(Faulty {
                inner: teacher().player(),
                // It belongs to the second shard of four games each.
                seed: seed::derive(&[1, 1, 6]),
                written: first.clone(),
            })
        };
        let player = PlayerFactory::new("faulty", teacher().digest, true, Arc::new(make));
        let work = || {
            let job = generation(&player, folder.path(), 1);
            with_context(2, |context| job.produce(context))
        };
        let panic = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)).unwrap_err();
        assert_eq!(panic.downcast_ref(), Some(&"no more games"));
        let (left, expected) = (bytes(folder.path()), bytes(whole.path()));
        // The log of a shard is written before it.
        assert!(left.len() >= 2, "{left:?}");
        assert!(left.iter().all(|file| expected.contains(file)), "{left:?}");
        produce(folder.path(), 1, 2).unwrap();
        assert_eq!(bytes(folder.path()), expected);
    }

    fn bytes(folder: &Path) -> Vec<(String, Vec<u8>)> {
        let entries = std::fs::read_dir(folder).unwrap();
        let mut files: Vec<_> = entries
            .map(|entry| entry.unwrap().path())
            .map(|path| (file_name(&path), std::fs::read(&path).unwrap()))
            .collect();
        files.sort();
        files
    }

    #[test]
    fn files_do_not_depend_on_the_number_of_threads() {
        let (one, three) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let produced = produce(one.path(), 1, 1).unwrap();
        produce(three.path(), 1, 3).unwrap();
        assert_eq!(bytes(one.path()), bytes(three.path()));
        let Produced::Complete(manifest) = produced else {
            panic!("{produced:?}");
        };
        assert_eq!(manifest.shards.len(), 3);
        assert_eq!(manifest.games.outcomes.total(), 10);
    }

    /// A source in which every position is a draw.
    #[derive(Debug)]
    struct Drawn;

    impl ExactValues<Position> for Drawn {
        fn probe(&self, _: &Position) -> Option<Exact> {
            Some(Exact::draw())
        }

        fn digest(&self) -> &'static str {
            "drawn"
        }
    }

    #[test]
    fn games_that_would_end_at_the_start_are_refused_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let teacher = teacher();
        let mut job = generation(&teacher, folder.path(), 1);
        job.game.exact = Some(Arc::new(Drawn));
        let mut produce = |exact| {
            job.game.settings.exact = exact;
            with_context(1, |context| job.produce(context))
        };
        let error = produce(ExactUse::End).unwrap_err();
        assert!(matches!(error, SelfplayError::AllKnown), "{error}");
        let Ok(Produced::Complete(manifest)) = produce(ExactUse::Label) else {
            panic!("games with labels are played");
        };
        assert_eq!(manifest.tables.as_deref(), Some("drawn"));
    }

    #[test]
    fn what_is_there_is_kept_and_the_rest_made_as_before() {
        let (whole, broken) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        produce(whole.path(), 1, 2).unwrap();
        produce(broken.path(), 1, 2).unwrap();
        let notes = "shard-00002.games.jsonl";
        for lost in [
            &["manifest.json"][..],
            &["shard-00000.bin"],
            &["shard-00001.bin", "shard-00002.bin", notes],
            &["shard-00000.bin", "shard-00002.bin"],
        ] {
            for lost in lost {
                std::fs::remove_file(broken.path().join(lost)).unwrap();
            }
            std::fs::write(broken.path().join(".tmp-half"), b"half a shard").unwrap();
            produce(broken.path(), 1, 2).unwrap();
            assert_eq!(bytes(whole.path()), bytes(broken.path()), "{lost:?}");
        }
    }

    #[test]
    fn shards_of_another_job_are_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        produce(folder.path(), 1, 2).unwrap();
        let before = bytes(folder.path());
        let fault = produce(folder.path(), 2, 2).unwrap_err().to_string();
        assert!(
            fault.contains("shard-00000.bin") && fault.contains("the seed"),
            "{fault}"
        );
        assert_eq!(bytes(folder.path()), before);
    }

    #[test]
    fn an_interrupt_leaves_whole_shards_only() {
        let folder = tempfile::tempdir().unwrap();
        let teacher = teacher();
        let job = generation(&teacher, folder.path(), 1);
        let produced = with_context(2, |context| {
            context.interrupt.request();
            job.produce(context).unwrap()
        });
        assert_eq!(produced, Produced::Interrupted { shards: 0, of: 3 });
        assert_eq!(bytes(folder.path()), []);
    }
}
