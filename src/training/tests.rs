//! Shards of random games for the tests.

use std::path::{Path, PathBuf};

use rand::RngExt;
use tempfile::TempDir;

use super::ReplayBuffer;
use crate::files::Existing;
use crate::game::{Game, Outcome};
use crate::games::bagh_chal::{ClaudeEvaluation, Points, Position};
use crate::kit::FeatureEncoder;
use crate::search::Evaluation;
use crate::seed::stream;
use crate::shard::{
    Augment, GameCounts, Manifest, OutcomeCounts, Sample, ShardEntry, ShardHeader, ShardWriter,
};

/// Games of each generation.
pub(super) const GAMES: u32 = 60;
/// Positions of each game, at most.
const PLIES: u16 = 40;

pub(super) fn encoder() -> FeatureEncoder<Position> {
    FeatureEncoder::of::<Points>()
}

/// Plays a random game; returns its positions and outcome.
fn random_game(generation: u32, game: u32) -> (Vec<Position>, Outcome) {
    let mut random = stream(&[generation.into(), game.into()]);
    let mut position = Position::start(&());
    let mut positions = Vec::new();
    for _ in 0..300 {
        if let Some(outcome) = position.outcome() {
            return (positions, outcome);
        }
        positions.push(position);
        let moves = position.moves();
        position = position.play(moves[random.random_range(0..moves.len())]);
    }
    (positions, Outcome::Draw)
}

/// Returns the samples of a random game, scored by a hand-written evaluation.
fn samples(generation: u32, game: u32) -> (Vec<Sample<Position>>, Outcome) {
    let (positions, outcome) = random_game(generation, game);
    let plies = 0..PLIES;
    let samples = positions
        .into_iter()
        .zip(plies)
        .map(|(position, ply)| Sample {
            position,
            score: ClaudeEvaluation.evaluate(&position),
            outcome: (ply % 7 != 0).then_some(outcome),
            ply,
            game,
            noisy: false,
            random: true,
            original: true,
        });
    (samples.collect(), outcome)
}

/// Writes a shard of a generation and its manifest.
pub(super) fn write_generation(
    folder: &Path,
    generation: u32,
    games: u32,
    augment: Augment,
) -> (PathBuf, PathBuf) {
    let (mut shards, manifest) = write_shards(folder, generation, games, 1, augment);
    (shards.remove(0), manifest)
}

fn write_shards(
    folder: &Path,
    generation: u32,
    games: u32,
    shards: u32,
    augment: Augment,
) -> (Vec<PathBuf>, PathBuf) {
    let mut outcomes = OutcomeCounts::default();
    let (mut paths, mut entries) = (Vec::new(), Vec::new());
    for shard in 0..shards {
        let header = ShardHeader {
            game: Position::NAME.to_owned(),
            seed: 1,
            generation,
            network: None,
            config: String::new(),
            first_game: shard * games,
            games,
            augment,
        };
        let name = format!("{generation}-{shard}.shard");
        let path = folder.join(&name);
        let mut writer = ShardWriter::create(&path, &header, Existing::Keep).unwrap();
        for game in header.first_game..header.first_game + games {
            let (samples, outcome) = samples(generation, game);
            outcomes.add(Some(outcome));
            samples
                .iter()
                .for_each(|sample| writer.push(sample).unwrap());
        }
        entries.push(ShardEntry::new(name, &header, &writer.finish().unwrap()));
        paths.push(path);
    }
    let manifest = Manifest {
        tables: None,
        game: Position::NAME.to_owned(),
        seed: 1,
        generation,
        network: None,
        config: String::new(),
        augment,
        shards: entries,
        games: GameCounts {
            outcomes,
            ..GameCounts::default()
        },
        duplicates: 0,
    };
    let path = folder.join(format!("{generation}.json"));
    manifest.save(&path).unwrap();
    (paths, path)
}

/// Two generations of two shards each, in a temporary folder.
pub(super) struct Fixture {
    _folder: TempDir,
    pub shards: Vec<PathBuf>,
    pub manifests: Vec<PathBuf>,
}

impl Fixture {
    pub fn new(augment: Augment) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (mut shards, mut manifests) = (Vec::new(), Vec::new());
        for generation in [1, 2] {
            let (paths, manifest) = write_shards(folder.path(), generation, GAMES / 2, 2, augment);
            shards.extend(paths);
            manifests.push(manifest);
        }
        Self {
            _folder: folder,
            shards,
            manifests,
        }
    }

    pub fn window(&self) -> ReplayBuffer<Position> {
        ReplayBuffer::of_manifests(&self.manifests).unwrap()
    }
}
