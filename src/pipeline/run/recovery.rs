//! Where a run begins or goes on, and the files that it makes again: state, best network, networks.

use super::Run;
use crate::kit::Kit;
use crate::network::Network;
use crate::pipeline::error::RunError;
use crate::pipeline::start::first_network;
use crate::pipeline::state::{State, load_json, save_json};
use crate::record::GenerationRecord;
use crate::statistics::PairScore;

/// What helps where a network is another one than it was.
const OTHER_NETWORK: &str = "restore it from a copy, or remove it, and the run trains it again (to the same bits on the same \
     kind of processor)";

impl<G: Kit> Run<'_, G> {
    /// The state to go on from. Where it is gone, or a record that it counts on, it is worked out
    /// from the records that there are, and the generations after them are gone through again.
    pub(super) fn begin(&self) -> Result<State, RunError> {
        let records = self.records()?;
        let known = State::load(&self.directory.state())?;
        if let Some(state) = &known {
            (self.tables).check_unchanged(state, self.directory.root())?;
        }
        let whole = |state: &State| state.finished as usize <= records.len();
        let state = match known {
            Some(state) if whole(&state) && self.start_score()?.exists() => state,
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
        for generation in 0..=state.finished {
            self.network(generation)?;
        }
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

    /// The state after generations of which these are the records.
    fn state_after(&self, records: &[GenerationRecord]) -> Result<State, RunError> {
        let first = self.network(0)?;
        let mut state = State::new(
            self.config.digest(),
            self.tables.digest(),
            first.digest(),
            self.points_of(&first, 0)?,
        );
        save_json(&self.start_score()?, &state.high_water.score())?;
        for record in records {
            let (mut promoted, mut pairs) = (None, Vec::new());
            if record.gate.promoted {
                let network = self.network(record.generation)?;
                pairs = self.points_of(&network, record.generation)?;
                promoted = Some(network.digest());
            }
            state.conclude(record.generation, promoted, pairs);
        }
        Ok(state)
    }

    /// What a network made of each opening against the hand-written evaluation.
    fn points_of(&self, network: &Network, generation: u32) -> Result<Vec<PairScore>, RunError> {
        let folder = self.directory.generation(generation)?;
        let contestant = self.contestant(network, generation)?;
        let tally = self.gate.against_hand_written(&folder, &contestant)?;
        Ok(tally.pairs().iter().map(|pair| pair.score()).collect())
    }

    /// The network that a generation made, made again if it is gone; that of generation 0 is the
    /// one that it all began with.
    pub(super) fn network(&self, generation: u32) -> Result<Network, RunError> {
        let path = self.directory.network(generation)?;
        let network = if path.exists() {
            Network::load_for(&path, G::NAME, &self.encoder.id)?
        } else if generation == 0 {
            let network = first_network(self.config, &self.encoder)?;
            network.save(&path)?;
            network
        } else {
            self.talk.say(format!(
                "The network of generation {generation} is gone, and is trained again."
            ));
            let mut before = self.records()?;
            before.truncate(generation as usize - 1);
            self.training(generation, &self.state_after(&before)?)?.0
        };
        let record = self.directory.generation(generation)?.join("record.json");
        let record: Option<GenerationRecord> = load_json(&record, super::MAKE_AGAIN)?;
        match record {
            Some(record) if record.gate.candidate != network.digest() => Err(RunError::Damaged {
                path,
                reason: "it is another network than the one that record.json names".to_owned(),
                remedy: OTHER_NETWORK,
            }),
            _ => Ok(network),
        }
    }

    /// The best network, which is the one that the state names.
    pub(super) fn best_network(&self, state: &State) -> Result<Network, RunError> {
        let network = self.network(state.best.generation)?;
        if network.digest() != state.best.digest {
            return Err(RunError::Damaged {
                path: self.directory.network(state.best.generation)?,
                reason: "it is another network than the one that state.json names".to_owned(),
                remedy: OTHER_NETWORK,
            });
        }
        Ok(network)
    }
}
