//! The gate: the matches that decide whether a candidate becomes the best network.

use std::path::Path;

use super::config::GateSettings;
use super::error::RunError;
use super::state::HighWater;
use crate::arena::{Book, Match, MatchRunner, MatchScore, MatchSettings, MismatchPolicy, Played};
use crate::kit::{Kit, PlayerFactory};
use crate::record::{GateRecord, MatchRecord};
use crate::statistics::{PairScore, PairedDifference, Sprt, Verdict};
use crate::workers::Context;

/// Who and what judges candidates.
#[derive(Debug)]
pub(super) struct Gate<'a, G> {
    pub settings: &'a GateSettings,
    pub book: Book<G>,
    pub hand_written: PlayerFactory<G>,
    pub random: PlayerFactory<G>,
    pub referee: MatchSettings,
    pub crew: Context<'a>,
}

/// What the gate found.
#[derive(Debug)]
pub(super) struct Judged {
    pub record: GateRecord,
    /// What the candidate made of each opening against the hand-written evaluation.
    pub pairs: Vec<PairScore>,
}

impl<G: Kit> Gate<'_, G> {
    /// Plays a match, going on from the pairs that its file of games holds.
    fn play(
        &self,
        games: &Path,
        first: &PlayerFactory<G>,
        second: &PlayerFactory<G>,
        pairs: u32,
        sprt: Option<&Sprt>,
        strange: MismatchPolicy,
    ) -> Result<MatchScore, RunError> {
        let contest = Match::new(first, second, &self.book, pairs as usize, self.referee)?;
        let series = MatchRunner {
            contest,
            label: format!("vs {}", second.name),
            games: Some((games, strange)),
            sprt,
        };
        let Played { tally, interrupted } = series.play(&self.crew)?;
        if interrupted {
            return Err(RunError::Interrupted);
        }
        Ok(tally)
    }

    /// Plays a network against the hand-written evaluation.
    pub fn against_hand_written(
        &self,
        folder: &Path,
        network: &PlayerFactory<G>,
        strange: MismatchPolicy,
    ) -> Result<MatchScore, RunError> {
        let games = folder.join("gate-hand-written.games");
        self.play(
            &games,
            network,
            &self.hand_written,
            self.settings.pairs,
            None,
            strange,
        )
    }

    /// Decides on a candidate.
    pub fn judge(
        &self,
        folder: &Path,
        candidate: &PlayerFactory<G>,
        best: &PlayerFactory<G>,
        high_water: &HighWater,
    ) -> Result<Judged, RunError> {
        // What is not of the match was left by a run that repaired itself since.
        let strange = MismatchPolicy::CutOff;
        let hand_written = self.against_hand_written(folder, candidate, strange)?;
        let random = self.play(
            &folder.join("gate-random.games"),
            candidate,
            &self.random,
            self.settings.random_pairs,
            None,
            strange,
        )?;
        let pairs: Vec<PairScore> = hand_written
            .pairs()
            .iter()
            .map(|pair| pair.score())
            .collect();
        let gain = PairedDifference::of(&pairs, &high_water.pairs)?;
        let saturated = high_water.score() >= self.settings.saturation;

        let mut against_best = None;
        let (promoted, reason) = if saturated {
            let sprt = self.settings.sprt()?;
            let games = folder.join("gate-best.games");
            let max_pairs = self.settings.max_pairs;
            let tally = self.play(&games, candidate, best, max_pairs, Some(&sprt), strange)?;
            let record = self.record(&tally, candidate, best, Some(&sprt));
            let verdict = sprt.verdict(tally.pentanomial());
            let llr = sprt.llr(tally.pentanomial());
            against_best = Some(record);
            decide_against_best(verdict, llr, &gain)
        } else if gain.gains(1.0) {
            (
                true,
                format!("gains {} on the best result so far", points(&gain)),
            )
        } else {
            let reason = format!(
                "gains {} on the best result so far, which is not one standard error or more",
                points(&gain)
            );
            (false, reason)
        };
        let record = GateRecord {
            candidate: candidate.digest.clone().unwrap_or_default(),
            best: best.digest.clone().unwrap_or_default(),
            hand_written: self.record(&hand_written, candidate, &self.hand_written, None),
            random: self.record(&random, candidate, &self.random, None),
            against_best,
            high_water: high_water.score(),
            gain: gain.mean,
            gain_error: gain.standard_error,
            promoted,
            reason,
        };
        Ok(Judged { record, pairs })
    }

    fn record(
        &self,
        tally: &MatchScore,
        first: &PlayerFactory<G>,
        second: &PlayerFactory<G>,
        sprt: Option<&Sprt>,
    ) -> MatchRecord {
        tally.record(first, second, &self.book, self.referee, sprt)
    }
}

/// The verdict once matches against the hand-written evaluation alone tell too little.
fn decide_against_best(verdict: Verdict, llr: f64, gain: &PairedDifference) -> (bool, String) {
    let better = match verdict {
        Verdict::AcceptH1 => true,
        Verdict::AcceptH0 => false,
        Verdict::Continue => llr > 0.0,
    };
    let how = match verdict {
        Verdict::Continue => format!("at the last pair, LLR {llr:+.2}"),
        _ => format!("by the sequential test, LLR {llr:+.2}"),
    };
    match (better, gain.falls_short(1.0)) {
        (false, _) => (false, format!("does not beat the best network {how}")),
        (true, true) => {
            let reason = format!(
                "beats the best network {how}, but falls {} short of the best result against the \
                 hand-written evaluation",
                points(gain)
            );
            (false, reason)
        }
        (true, false) => (true, format!("beats the best network {how}")),
    }
}

fn points(gain: &PairedDifference) -> String {
    format!(
        "{:+.1} ± {:.1} %",
        100.0 * gain.mean,
        100.0 * gain.standard_error
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gain(mean: f64) -> PairedDifference {
        PairedDifference {
            mean,
            standard_error: 0.02,
            pairs: 100,
        }
    }

    #[test]
    fn beating_the_best_network_promotes_unless_points_fall() {
        for (verdict, llr, mean, promoted) in [
            (Verdict::AcceptH1, 3.0, 0.0, true),
            (Verdict::AcceptH1, 3.0, -0.01, true),
            (Verdict::AcceptH1, 3.0, -0.03, false),
            (Verdict::AcceptH0, -3.0, 0.1, false),
            (Verdict::Continue, 0.4, 0.0, true),
            (Verdict::Continue, -0.4, 0.0, false),
        ] {
            let (found, reason) = decide_against_best(verdict, llr, &gain(mean));
            assert_eq!(found, promoted, "{reason}");
        }
    }
}
