//! The result of a match, pair by pair.

use std::collections::{BTreeMap, HashSet};

use super::book::Book;
use super::match_play::MatchSettings;
use super::pair::PairResult;
use crate::game::{End, Notation};
use crate::kit::PlayerFactory;
use crate::record::{MatchRecord, SequentialRecord, WinDrawLoss};
use crate::statistics::{Counts as _, Estimate, Pentanomial, Sprt, Trinomial};

/// Counts the pairs of a match.
#[derive(Clone, Debug, Default)]
pub struct MatchScore {
    pairs: Vec<PairResult>,
    pentanomial: Pentanomial,
}

impl MatchScore {
    /// Counts one more pair.
    pub fn add(&mut self, pair: PairResult) {
        self.pentanomial.add(pair.score());
        self.pairs.push(pair);
    }

    /// The pairs so far, in the book's order.
    #[must_use]
    pub fn pairs(&self) -> &[PairResult] {
        &self.pairs
    }

    /// The pairs by points.
    #[must_use]
    pub fn pentanomial(&self) -> &Pentanomial {
        &self.pentanomial
    }

    /// How strong the first player is; none before the first pair.
    #[must_use]
    pub fn estimate(&self) -> Option<Estimate> {
        Estimate::of(&self.pentanomial)
    }

    /// One line for people: points, interval, Elo.
    #[must_use]
    pub fn summary(&self) -> String {
        match self.estimate() {
            None => "no pair yet".to_owned(),
            Some(estimate) => format!(
                "{:.1} % [{:.1}, {:.1}]",
                100.0 * estimate.score,
                100.0 * estimate.score_interval[0],
                100.0 * estimate.score_interval[1]
            ),
        }
    }

    /// The whole record.
    #[must_use]
    pub fn record<G: Notation>(
        &self,
        first: &PlayerFactory<G>,
        second: &PlayerFactory<G>,
        book: &Book<G>,
        referee: MatchSettings,
        sprt: Option<&Sprt>,
    ) -> MatchRecord {
        let games = || self.pairs.iter().flat_map(|pair| &pair.games);
        let mut total = WinDrawLoss::default();
        let mut by_side: BTreeMap<String, WinDrawLoss> = BTreeMap::new();
        let mut ends: BTreeMap<String, u64> = BTreeMap::new();
        let mut trinomial = Trinomial::default();
        for game in games() {
            let score = game.score();
            trinomial.add(score);
            let side = by_side
                .entry(G::side_name(game.side).to_owned())
                .or_default();
            for count in [&mut total, side] {
                count.count(score);
            }
            *ends.entry(end_name::<G>(game.end)).or_default() += 1;
        }
        let played = total.games();
        let unique: HashSet<u64> = games().map(|game| game.moves).collect();
        let plies: u64 = games().map(|game| u64::from(game.plies)).sum();
        MatchRecord {
            first: first.name.clone(),
            second: second.name.clone(),
            tables: [first.tables.clone(), second.tables.clone()],
            book: book.name().to_owned(),
            book_digest: book.digest().to_owned(),
            seed: referee.seed,
            score: trinomial.score(),
            games: played,
            pairs: self.pentanomial,
            total,
            by_side,
            ends,
            unique_games: unique.len() as u64,
            mean_plies: plies as f64 / played.max(1) as f64,
            estimate: self.estimate(),
            sequential: sprt.map(|sprt| SequentialRecord {
                elo_bounds: sprt.elo_bounds(),
                llr: sprt.llr(&self.pentanomial),
                llr_bounds: sprt.bounds(),
                verdict: sprt.verdict(&self.pentanomial),
            }),
            deterministic: first.deterministic && second.deterministic,
        }
    }
}

/// What people call an end.
fn end_name<G: Notation>(end: End) -> String {
    match end {
        End::Rules(outcome) => format!("{} won", G::outcome_name(outcome)),
        End::Repetition(_) => "repetition".to_owned(),
        End::QuietPlies => "quiet plies".to_owned(),
        End::Known(_) => "known".to_owned(),
    }
}
