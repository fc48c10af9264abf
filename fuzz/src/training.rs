//! A tiny training whose checkpoints are read.

use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use bagheera::files::Existing;
use bagheera::game::{Game as _, Outcome};
use bagheera::interrupt::Interrupt;
use bagheera::kit::{FeatureEncoder, Kit as _};
use bagheera::network::{Activation, Architecture, Network};
use bagheera::shard::{Augment, ShardHeader, Sample, ShardWriter};
use bagheera::reporter::Reporter;
use bagheera::training::{
    CHECKPOINT_FILE, DeviceChoice, TrainError, Trained, TrainingJob, TrainingSettings, ReplayBuffer,
    train,
};
use bagheera::workers::{Context, pool};
use rayon::ThreadPool;
use serde_json::{Value, json};

use crate::Game;
use crate::scratch::Scratch;
use crate::seal::{self, Mode};

/// What all trainings of a process share.
pub struct TrainingPlan {
    _folder: Scratch,
    window: ReplayBuffer<Game>,
    settings: TrainingSettings,
    features: FeatureEncoder<Game>,
    start: Network,
    /// What checkpoints of this training say that it is.
    identity: Value,
    steps: u64,
    ended: Vec<u8>,
    pool: ThreadPool,
}

impl TrainingPlan {
    /// The ground of this process.
    pub fn shared() -> &'static Self {
        static GROUND: OnceLock<TrainingPlan> = OnceLock::new();
        GROUND.get_or_init(Self::new)
    }

    fn new() -> Self {
        let folder = Scratch::new();
        let path = folder.path("games.shard");
        write_games(&path);
        let features = Game::feature_sets().swap_remove(0);
        let architecture = Architecture::new(Game::NAME, features.id.clone(), &[2], Activation::ScRelu);
        let mut ground = Self {
            window: ReplayBuffer::of_shards(&[path]).expect("a shard just written can be read"),
            _folder: folder,
            settings: TrainingSettings {
                batch: 64,
                validation: 0.3,
                checkpoint_every: 1000,
                ..TrainingSettings::default()
            },
            features,
            start: Network::random(architecture, 1).expect("the architecture is possible"),
            identity: Value::Null,
            steps: 0,
            ended: Vec::new(),
            pool: pool(1).expect("a thread"),
        };
        let (trained, checkpoint) = ground.run(None);
        match trained {
            Ok(Trained::Complete { record, .. }) => ground.steps = record.steps,
            other => panic!("the training should end: {other:?}"),
        }
        // It stays until the record of the training is safe, which is not this function's concern.
        ground.ended = checkpoint.expect("a training that has ended leaves a checkpoint");
        let [state, ..] = seal::checkpoint_parts(&ground.ended).expect("it has four parts");
        let mut state: Value = serde_json::from_slice(&state).expect("the state is JSON");
        ground.identity = state["identity"].take();
        ground
    }

    /// The checkpoint of a training that has taken its last step.
    pub fn ended(&self) -> Vec<u8> {
        self.ended.clone()
    }

    /// The checkpoint of a training that has taken some step, with networks of a later one.
    pub fn at_step(&self, step: u64) -> Vec<u8> {
        let mut parts = seal::checkpoint_parts(&self.ended).expect("it has four parts");
        let [state, _, best, optimizer] = &mut parts;
        let mut read: Value = serde_json::from_slice(state).expect("the state is JSON");
        read["progress"]["step"] = step.into();
        if step == 0 {
            read["progress"]["best"] = Value::Null;
            read["progress"]["cursor"] = json!({"pass": 0, "group": 0, "offset": 0});
            best.clear();
            optimizer.truncate(8);
        } else {
            read["progress"]["best"]["step"] = step.into();
        }
        *state = read.to_string().into_bytes();
        put_steps(optimizer, step);
        seal::checkpoint(&parts)
    }

    /// Goes on from a checkpoint.
    ///
    /// # Errors
    /// Those of the training.
    pub fn go_on(&self, checkpoint: &[u8]) -> Result<Trained, TrainError> {
        self.run(Some(checkpoint)).0
    }

    /// The shape of what is trained.
    pub fn architecture(&self) -> &Architecture {
        self.start.architecture()
    }

    /// Steps of the whole training.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// A checkpoint of this training, made of whatever the bytes are.
    pub fn sealed(&self, bytes: &[u8], mode: Mode) -> Vec<u8> {
        let mut whole = bytes.to_vec();
        match mode {
            Mode::Nothing => {}
            Mode::Checksums => seal::checkpoint_checksums(&mut whole),
            Mode::Counts => {
                if let Some(mut parts) = seal::checkpoint_parts(bytes) {
                    self.seal_parts(&mut parts);
                    whole = seal::checkpoint(&parts);
                }
            }
        }
        whole
    }

    /// Trains in a folder of its own, from a checkpoint if given; returns what came of it, and the
    /// checkpoint that lies there then.
    fn run(&self, checkpoint: Option<&[u8]>) -> (Result<Trained, TrainError>, Option<Vec<u8>>) {
        let folder = Scratch::new();
        if let Some(checkpoint) = checkpoint {
            folder.file(CHECKPOINT_FILE, checkpoint);
        }
        let job = TrainingJob {
            settings: &self.settings,
            start: &self.start,
            features: self.features.clone(),
            window: &self.window,
            generation: 1,
            seed: 1,
            device: DeviceChoice::Cpu,
            folder: folder.folder(),
            context: Context {
                pool: &self.pool,
                interrupt: &Interrupt::default(),
                reporter: &Reporter::new(true),
            },
        };
        let trained = train(&job);
        let left = fs::read(folder.path(CHECKPOINT_FILE)).ok();
        (trained, left)
    }

    fn seal_parts(&self, [state, network, best, optimizer]: &mut [Vec<u8>; 4]) {
        let mut step = None;
        if let Ok(mut read) = serde_json::from_slice::<Value>(state)
            && let Some(fields) = read.as_object_mut()
        {
            fields.insert("identity".to_owned(), self.identity.clone());
            step = read["progress"]["step"].as_u64();
            *state = read.to_string().into_bytes();
        }
        seal::network(network, Mode::Counts);
        seal::network(best, Mode::Counts);
        // An optimizer state of odd length keeps its own number of steps.
        if let Some(step) = step.filter(|_| optimizer.len() % 2 == 0) {
            put_steps(optimizer, step);
        }
    }
}

/// Overwrites the number of steps of an optimizer state.
fn put_steps(optimizer: &mut [u8], steps: u64) {
    if let Some(field) = optimizer.first_chunk_mut::<8>() {
        *field = steps.to_le_bytes();
    }
}

/// Games whose moves follow from their numbers, a shard of them.
pub fn write_games(path: &Path) {
    const GAMES: u32 = 12;
    let header = ShardHeader {
        game: Game::NAME.to_owned(),
        seed: 1,
        generation: 1,
        network: None,
        config: "c0ffee".to_owned(),
        first_game: 0,
        games: GAMES,
        augment: Augment::Write,
    };
    let mut writer = ShardWriter::create(path, &header, Existing::Replace).expect("a shard");
    for game in 0..GAMES {
        let mut position = Game::start(&());
        for ply in 0..4_u16 {
            let moves = position.moves();
            let choice = (7 * game as usize + 5 * usize::from(ply)) % moves.len();
            position = position.play(moves[choice]);
            let sample = Sample {
                position,
                score: f32::from(ply) - game as f32 / 4.0,
                outcome: (game % 3 > 0).then_some(Outcome::Min),
                ply,
                game,
                noisy: false,
                random: game % 5 == 0,
                original: true,
            };
            writer.push(&sample).expect("a sample");
        }
    }
    writer.finish().expect("a shard");
}
