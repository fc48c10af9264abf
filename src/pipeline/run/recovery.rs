//! Where a run begins or resumes.

use super::{MAKE_AGAIN, Run};
use crate::kit::Kit;
use crate::network::Network;
use crate::pipeline::error::RunError;
use crate::pipeline::state::RunState;
use crate::record::GenerationRecord;

impl<G: Kit> Run<'_, G> {
    /// Returns the state from which to continue, and restores the copy of the best network.
    ///
    /// If the state or a record that it counts is missing, the state is computed again from the records
    /// that exist, and the later generations are run again.
    pub(super) fn begin(&self) -> Result<RunState, RunError> {
        let reporter = self.context.reporter;
        let records = self.records()?;
        let has_start = self.start_score()?.is_some();
        let state_path = self.paths().state();
        let state = match RunState::load(&state_path)? {
            Some(state) if state.finished as usize <= records.len() && has_start => {
                self.check(&state, &records)?;
                state
            }
            incomplete => {
                if incomplete.is_some() || !records.is_empty() {
                    reporter.say(format!(
                        "Files of the run are missing; computing its state again from the records of \
                         {} generations.",
                        records.len()
                    ));
                }
                let state = self.rebuild_state(&records)?;
                state.save(&state_path)?;
                state
            }
        };
        let best = self.ensure_best_network(&state)?;
        let copy = self.paths().best();
        if !Network::load(&copy).is_ok_and(|copy| copy.digest() == state.best.digest) {
            best.save(&copy)?;
        }
        if state.finished > 0 {
            reporter.say(format!(
                "Resuming after generation {}; the best network is that of generation {}.",
                state.finished, state.best.generation
            ));
        }
        Ok(state)
    }

    /// Refuses a state that contradicts the configuration, the tables or the records.
    fn check(&self, state: &RunState, records: &[GenerationRecord]) -> Result<(), RunError> {
        if state.config != self.config.digest() {
            return Err(RunError::Damaged {
                path: self.paths().config(),
                reason: "it is not the configuration with which the run was begun".to_owned(),
                remedy: "restore it, or start again in another directory",
            });
        }
        let root = self.paths().root();
        self.tables.check_unchanged(&state.tables, root)?;
        let counted = &records[..state.finished as usize];
        let promoted = counted.iter().rposition(|record| record.gate.promoted);
        let best = promoted.map_or(0, |index| index + 1);
        let contradicted = (
            state.best.generation as usize,
            state.rejected_in_a_row as usize,
        ) != (best, counted.len() - best)
            || promoted.is_some_and(|index| counted[index].gate.candidate != state.best.digest);
        if contradicted {
            return Err(RunError::Damaged {
                path: self.paths().state(),
                reason: "the records of the generations name another best network".to_owned(),
                remedy: MAKE_AGAIN,
            });
        }
        Ok(())
    }
}
