//! A match as it is played: shown while it lasts, kept in a file of games, judged pair by pair.

use std::ops::ControlFlow;
use std::path::Path;

use super::games::{GamesError, GamesFile, MismatchPolicy};
use super::match_play::Match;
use super::match_score::MatchScore;
use crate::game::Notation;
use crate::statistics::{Sprt, Verdict};
use crate::workers::{Context, Finish};

/// A match and what goes with it.
#[derive(Debug)]
pub struct MatchRunner<'a, G> {
    /// The match.
    pub contest: Match<'a, G>,
    /// What its progress is called.
    pub label: String,
    /// The file that its games are kept in, and that it goes on from.
    pub games: Option<(&'a Path, MismatchPolicy)>,
    /// The test that ends it as soon as it is decided.
    pub sprt: Option<&'a Sprt>,
}

/// How far a match came.
#[derive(Clone, Debug)]
pub struct Played {
    /// The pairs.
    pub tally: MatchScore,
    /// Whether a stop was requested before the end.
    pub interrupted: bool,
}

impl<G: Notation> MatchRunner<'_, G> {
    /// Plays the pairs that the file of games does not hold yet.
    ///
    /// # Errors
    /// If the file cannot be used or written; what it holds stays.
    pub fn play(&self, crew: &Context) -> Result<Played, GamesError> {
        let mut tally = MatchScore::default();
        let mut games = None;
        if let Some((path, strange)) = self.games {
            let (file, pairs) = GamesFile::open(path, &self.contest, strange)?;
            games = Some(file);
            for pair in pairs.iter().take(self.contest.pairs()) {
                if self.is_decided(&tally) {
                    break;
                }
                tally.add(pair.result());
            }
        }
        let finished = |tally, interrupted| Ok(Played { tally, interrupted });
        if self.is_decided(&tally) {
            return finished(tally, false);
        }
        let done = tally.pairs().len();
        let pairs = self.contest.pairs() as u64;
        let mut bar = crew.talk.bar(&self.label, "pairs", done as u64, pairs);
        let finish = self.contest.play(done, crew.pool, crew.interrupt, |pair| {
            if let Some(Err(error)) = games.as_mut().map(|games| games.add(&pair)) {
                return ControlFlow::Break(Some(error));
            }
            tally.add(pair.result());
            bar.at(tally.pairs().len() as u64, || tally.summary());
            if self.is_decided(&tally) {
                ControlFlow::Break(None)
            } else {
                ControlFlow::Continue(())
            }
        });
        bar.finish();
        match finish {
            Finish::Broke(Some(error)) => Err(error),
            Finish::Interrupted => finished(tally, true),
            Finish::Completed | Finish::Broke(None) => finished(tally, false),
        }
    }

    fn is_decided(&self, tally: &MatchScore) -> bool {
        let verdict = |sprt: &Sprt| sprt.verdict(tally.pentanomial());
        self.sprt
            .is_some_and(|sprt| verdict(sprt) != Verdict::Continue)
    }
}
