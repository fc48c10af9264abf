//! The gate: the matches that decide whether a candidate becomes the best network.

use super::config::GateSettings;
use super::error::RunError;
use super::opponents::Opponents;
use super::state::HighWater;
use crate::arena::{Match, MatchRunner, MatchScore, MatchSettings, MismatchPolicy, PlayedMatch};
use crate::kit::{Kit, PlayerFactory};
use crate::record::{GateMatch, GateRecord, GenerationPaths, MatchRecord};
use crate::statistics::{PairScore, PairedDifference, Verdict};
use crate::workers::Context;

/// The settings, opponents and threads of all gate matches of a run.
#[derive(Debug)]
pub(super) struct Gate<'a, G> {
    pub settings: &'a GateSettings,
    pub opponents: Opponents<G>,
    pub match_settings: MatchSettings,
    pub context: Context<'a>,
}

/// The gate's verdict on a candidate.
#[derive(Debug)]
pub(super) struct GateVerdict {
    pub record: GateRecord,
    /// The candidate's score of each pair against the hand-written evaluation.
    pub pairs: Vec<PairScore>,
}

/// A network that is to be judged, and the folder of its generation.
#[derive(Debug)]
pub(super) struct Candidate<'a, G> {
    pub player: &'a PlayerFactory<G>,
    pub paths: &'a GenerationPaths,
}

/// Whether a candidate is promoted, why, and the match against the best network if that decided.
type Decision = (bool, String, Option<MatchRecord>);

impl<G: Kit> Gate<'_, G> {
    /// Plays a match of the gate; pairs in its games file are not played again.
    fn play(
        &self,
        gate_match: GateMatch,
        candidate: &Candidate<G>,
        opponent: &PlayerFactory<G>,
        policy: MismatchPolicy,
    ) -> Result<(MatchScore, MatchRecord), RunError> {
        let sprt = match gate_match {
            GateMatch::HandWritten | GateMatch::Random => None,
            GateMatch::Best => Some(self.settings.sprt()?),
        };
        let pairs = self.settings.pairs_of(gate_match) as usize;
        let (book, settings) = (&self.opponents.book, self.match_settings);
        let games = candidate.paths.games(gate_match);
        let runner = MatchRunner {
            matchup: Match::new(candidate.player, opponent, book, pairs, settings)?,
            label: format!("vs {}", opponent.name),
            games: Some((&games, policy)),
            sprt: sprt.as_ref(),
        };
        let PlayedMatch { score, interrupted } = runner.play(&self.context)?;
        if interrupted {
            return Err(RunError::Interrupted);
        }
        let record = runner.record(&score);
        Ok((score, record))
    }

    /// Plays a network against the hand-written evaluation.
    pub fn against_hand_written(
        &self,
        candidate: &Candidate<G>,
        policy: MismatchPolicy,
    ) -> Result<(MatchScore, MatchRecord), RunError> {
        let opponent = &self.opponents.hand_written;
        self.play(GateMatch::HandWritten, candidate, opponent, policy)
    }

    /// Plays the matches of a candidate and decides on it.
    pub fn judge(
        &self,
        candidate: &Candidate<G>,
        best: &PlayerFactory<G>,
        high_water: &HighWater,
    ) -> Result<GateVerdict, RunError> {
        // Foreign games were left by a run that has repaired itself since.
        let policy = MismatchPolicy::CutOff;
        let (score, hand_written) = self.against_hand_written(candidate, policy)?;
        let random = &self.opponents.random;
        let (_, random) = self.play(GateMatch::Random, candidate, random, policy)?;
        let pairs = score.pair_scores();
        let gain = PairedDifference::of(&pairs, &high_water.pairs)?;
        let saturated = high_water.score() >= self.settings.saturation;
        let (promoted, reason, against_best) = if saturated {
            self.second_test(candidate, best, &gain)?
        } else {
            first_test(&gain)
        };
        let record = GateRecord {
            candidate: candidate.player.digest.clone().unwrap_or_default(),
            best: best.digest.clone().unwrap_or_default(),
            hand_written,
            random,
            against_best,
            high_water: high_water.score(),
            gain: gain.mean,
            gain_error: gain.standard_error,
            promoted,
            reason,
        };
        Ok(GateVerdict { record, pairs })
    }

    /// Decides by a sequential test against the best network, as matches against the hand-written
    /// evaluation no longer tell networks apart.
    fn second_test(
        &self,
        candidate: &Candidate<G>,
        best: &PlayerFactory<G>,
        gain: &PairedDifference,
    ) -> Result<Decision, RunError> {
        let policy = MismatchPolicy::CutOff;
        let (score, record) = self.play(GateMatch::Best, candidate, best, policy)?;
        let sprt = self.settings.sprt()?;
        let verdict = sprt.verdict(score.pentanomial());
        let llr = sprt.llr(score.pentanomial());
        let (promoted, reason) = decide_against_best(verdict, llr, gain);
        Ok((promoted, reason, Some(record)))
    }
}

/// Decides by the gain in points against the hand-written evaluation.
fn first_test(gain: &PairedDifference) -> Decision {
    let gains = format!("gains {} on the best result so far", points(gain));
    if gain.gains(1.0) {
        return (true, gains, None);
    }
    let reason = format!("{gains}, which is not one standard error or more");
    (false, reason, None)
}

/// Decides by the result against the best network, unless points against the hand-written evaluation
/// fall.
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
    fn a_candidate_that_beats_the_best_network_is_promoted_unless_points_fall() {
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
