//! Where a run begins or goes on, and the files that it makes again: state, best network, networks.

use std::fs;
use std::path::Path;

use super::{MAKE_AGAIN, Run};
use crate::arena::MismatchPolicy;
use crate::files::FileError;
use crate::kit::Kit;
use crate::network::Network;
use crate::pipeline::error::RunError;
use crate::pipeline::start::first_network;
use crate::pipeline::state::{State, load_json, save_json};
use crate::record::GenerationRecord;
use crate::statistics::PairScore;

/// What helps where a file is another one than it was and cannot be made again here.
const RESTORE: &str = "restore it from a copy, or begin again in another directory";

/// The folder of a generation in which its network is trained again.
const AGAIN: &str = "again";

impl<G: Kit> Run<'_, G> {
    /// The state to go on from. Where it is gone, or a record that it counts on, it is worked out
    /// from the records that there are, and the generations after them are gone through again.
    pub(super) fn begin(&self) -> Result<State, RunError> {
        let records = self.records()?;
        let start: Option<f64> = load_json(&self.start_score()?, MAKE_AGAIN)?;
        let state = match State::load(&self.directory.state())? {
            Some(state) if state.finished as usize <= records.len() && start.is_some() => {
                self.check(&state, &records)?;
                state
            }
            gone => {
                if gone.is_some() || !records.is_empty() {
                    self.talk.say(format!(
                        "Files of the run are gone; its state is worked out again from the records \
                         of {} generations.",
                        records.len()
                    ));
                }
                let state = self.state_after(&records)?;
                state.save(&self.directory.state())?;
                state
            }
        };
        let best = self.best_network(&state)?;
        let copy = self.directory.best();
        if !Network::load(&copy).is_ok_and(|copy| copy.digest() == state.best.digest) {
            best.save(&copy)?;
        }
        if state.finished > 0 {
            self.talk.say(format!(
                "Going on after generation {}; the best network is that of generation {}.",
                state.finished, state.best.generation
            ));
        }
        Ok(state)
    }

    /// Refuses a state that configuration, tables or records contradict.
    fn check(&self, state: &State, records: &[GenerationRecord]) -> Result<(), RunError> {
        if state.config != self.config.digest() {
            return Err(RunError::Damaged {
                path: crate::pipeline::RunDirectory::config_path(self.directory.root()),
                reason: "it is not the configuration that the run was begun with".to_owned(),
                remedy: "restore it, or begin again in another directory",
            });
        }
        self.tables
            .check_unchanged(&state.tables, self.directory.root())?;
        let counted = &records[..state.finished as usize];
        let promoted = counted.iter().rposition(|record| record.gate.promoted);
        let best = promoted.map_or(0, |place| place + 1);
        let contradicted = (
            state.best.generation as usize,
            state.rejected_in_a_row as usize,
        ) != (best, counted.len() - best)
            || promoted.is_some_and(|place| counted[place].gate.candidate != state.best.digest);
        if contradicted {
            return Err(RunError::Damaged {
                path: self.directory.state(),
                reason: "the records of the generations tell of another best network".to_owned(),
                remedy: MAKE_AGAIN,
            });
        }
        Ok(())
    }

    /// The state after generations of which these are the records.
    fn state_after(&self, records: &[GenerationRecord]) -> Result<State, RunError> {
        let first = self.network(0)?;
        let mut state = State::new(
            self.config.digest(),
            self.tables.digest(),
            first.digest(),
            self.points_of(&first, 0, records.first())?,
        );
        save_json(&self.start_score()?, &state.high_water.score())?;
        for (generation, record) in (1..).zip(records) {
            let tables = record.exam.as_ref().map(|exam| exam.tables.clone());
            self.tables
                .check_unchanged(&tables, self.directory.root())?;
            if record.generation != generation || record.gate.best != state.best.digest {
                return Err(RunError::Damaged {
                    path: self.directory.generation(generation)?.join("record.json"),
                    reason: "it does not follow from the records before it".to_owned(),
                    remedy: MAKE_AGAIN,
                });
            }
            let (mut promoted, mut pairs) = (None, Vec::new());
            if record.gate.promoted {
                let network = self.network(generation)?;
                pairs = self.points_of(&network, generation, Some(record))?;
                promoted = Some(network.digest());
            }
            state.conclude(generation, promoted, pairs);
        }
        Ok(state)
    }

    /// What a network made of each opening against the hand-written evaluation, which `record`, if
    /// it is that of its generation, has to agree with.
    fn points_of(
        &self,
        network: &Network,
        generation: u32,
        record: Option<&GenerationRecord>,
    ) -> Result<Vec<PairScore>, RunError> {
        let folder = self.directory.generation(generation)?;
        let player_factory = self.player_factory(network, generation)?;
        // Games that a record counts are not cut off.
        let strange = record.map_or(MismatchPolicy::CutOff, |_| MismatchPolicy::Refuse);
        let tally = (self.gate).against_hand_written(&folder, &player_factory, strange)?;
        let told = record.filter(|record| record.generation == generation);
        if told.is_some_and(|told| told.gate.hand_written.pairs != *tally.pentanomial()) {
            return Err(RunError::Damaged {
                path: folder.join("gate-hand-written.games"),
                reason: "its games end otherwise than record.json tells".to_owned(),
                remedy: MAKE_AGAIN,
            });
        }
        Ok(tally.pairs().iter().map(|pair| pair.score()).collect())
    }

    /// The network that a generation made, made again if it is gone; that of generation 0 is the
    /// one that it all began with.
    pub(super) fn network(&self, generation: u32) -> Result<Network, RunError> {
        let path = self.directory.network(generation)?;
        let expected = self.expected_network(generation)?;
        if !is_there(&path)? {
            match generation {
                0 => first_network(self.config, &self.encoder)?.save(&path)?,
                _ => self.train_again(generation, &path, expected.as_deref())?,
            }
        }
        let network = Network::load_for(&path, G::NAME, &self.encoder.id)?;
        if expected.is_some_and(|digest| digest != network.digest()) {
            return Err(RunError::Damaged {
                path,
                reason: "it is another network than the one that the records name".to_owned(),
                remedy: RESTORE,
            });
        }
        Ok(network)
    }

    /// The digest of a generation's network, where a record tells it.
    fn expected_network(&self, generation: u32) -> Result<Option<String>, RunError> {
        let of = generation.max(1);
        let record = self.directory.generation(of)?.join("record.json");
        let record: Option<GenerationRecord> = load_json(&record, MAKE_AGAIN)?;
        Ok(record.map(|record| match generation {
            0 => record.gate.best,
            _ => record.gate.candidate,
        }))
    }

    /// Trains the network of a finished generation again, and leaves it at `path` if it comes out
    /// the same.
    fn train_again(
        &self,
        generation: u32,
        path: &Path,
        expected: Option<&str>,
    ) -> Result<(), RunError> {
        self.talk.say(format!(
            "The network of generation {generation} is gone, and is trained again."
        ));
        let folder = self.directory.generation(generation)?.join(AGAIN);
        fs::create_dir_all(&folder).map_err(FileError::io("create", &folder))?;
        let mut before = self.records()?;
        before.truncate(generation as usize - 1);
        let state = self.state_after(&before)?;
        let (network, _) = self.train_in(&folder, generation, &state)?;
        let same = expected.is_none_or(|digest| digest == network.digest());
        if same {
            network.save(path)?;
        }
        fs::remove_dir_all(&folder).map_err(FileError::io("remove", &folder))?;
        if same {
            return Ok(());
        }
        Err(RunError::Damaged {
            path: path.to_owned(),
            reason: "it is gone, and was trained again to another one, as happens on another kind \
                     of processor or device"
                .to_owned(),
            remedy: RESTORE,
        })
    }

    /// The best network, which is the one that the state names.
    pub(super) fn best_network(&self, state: &State) -> Result<Network, RunError> {
        let network = self.network(state.best.generation)?;
        if network.digest() != state.best.digest {
            return Err(RunError::Damaged {
                path: self.directory.network(state.best.generation)?,
                reason: "it is another network than the one that state.json names".to_owned(),
                remedy: RESTORE,
            });
        }
        Ok(network)
    }
}

/// Whether there is a file of that name; one that cannot be looked at is not taken for gone.
pub(super) fn is_there(path: &Path) -> Result<bool, RunError> {
    Ok(path.try_exists().map_err(FileError::io("read", path))?)
}
