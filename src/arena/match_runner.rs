//! Plays a match: shows progress, keeps the games in a file and resumes from it, and stops early by SPRT.

use std::ops::ControlFlow;
use std::path::Path;

use super::games::{GamesError, GamesFile, MismatchPolicy};
use super::match_play::Match;
use super::match_score::MatchScore;
use crate::game::Notation;
use crate::record::MatchRecord;
use crate::statistics::{Sprt, Verdict};
use crate::workers::{Context, Finish};

/// A match and how to play it.
#[derive(Debug)]
pub struct MatchRunner<'a, G> {
    /// The match.
    pub matchup: Match<'a, G>,
    /// Label of its progress bar.
    pub label: String,
    /// The file that keeps its games; pairs in it are not played again.
    pub games: Option<(&'a Path, MismatchPolicy)>,
    /// The sequential test that ends the match once it is decided.
    pub sprt: Option<&'a Sprt>,
}

/// The pairs played so far.
#[derive(Clone, Debug)]
pub struct PlayedMatch {
    /// The score.
    pub score: MatchScore,
    /// Whether a stop was requested before the end.
    pub interrupted: bool,
}

impl<G: Notation> MatchRunner<'_, G> {
    /// Plays the pairs that the games file does not contain yet.
    ///
    /// # Errors
    /// If the file cannot be used or written; its content is kept.
    pub fn play(&self, context: &Context) -> Result<PlayedMatch, GamesError> {
        let mut score = MatchScore::default();
        let mut games = None;
        if let Some((path, policy)) = self.games {
            let (file, pairs) = GamesFile::open(path, &self.matchup, policy)?;
            games = Some(file);
            for pair in pairs.iter().take(self.matchup.pairs()) {
                if self.is_decided(&score) {
                    break;
                }
                score.add(pair.result());
            }
        }
        if self.is_decided(&score) {
            return Ok(PlayedMatch {
                score,
                interrupted: false,
            });
        }
        let done = score.pairs().len();
        let pairs = self.matchup.pairs() as u64;
        let mut bar = (context.reporter).bar(&self.label, "pairs", done as u64, pairs);
        let finish = self.matchup.play(done, context, |pair| {
            if let Some(Err(error)) = games.as_mut().map(|games| games.add(&pair)) {
                return ControlFlow::Break(Some(error));
            }
            score.add(pair.result());
            bar.at(score.pairs().len() as u64, || score.summary());
            if self.is_decided(&score) {
                ControlFlow::Break(None)
            } else {
                ControlFlow::Continue(())
            }
        });
        bar.finish();
        match finish {
            Finish::Broke(Some(error)) => Err(error),
            Finish::Completed | Finish::Broke(None) | Finish::Interrupted => Ok(PlayedMatch {
                interrupted: matches!(finish, Finish::Interrupted),
                score,
            }),
        }
    }

    /// Returns the record of the match with this score.
    #[must_use]
    pub fn record(&self, score: &MatchScore) -> MatchRecord {
        self.matchup.record(score, self.sprt)
    }

    fn is_decided(&self, score: &MatchScore) -> bool {
        let verdict = |sprt: &Sprt| sprt.verdict(score.pentanomial());
        self.sprt
            .is_some_and(|sprt| verdict(sprt) != Verdict::Continue)
    }
}
