//! The score of a match, pair by pair, and its record.

use std::collections::{BTreeMap, HashSet};

use super::match_play::Match;
use super::pair::PairResult;
use crate::game::{End, Notation};
use crate::record::{MatchRecord, SequentialRecord, WinDrawLoss};
use crate::statistics::{Counts as _, Estimate, PairScore, Pentanomial, Sprt, Trinomial};

/// The score of a match: the results of its pairs so far.
#[derive(Clone, Debug, Default)]
pub struct MatchScore {
    pairs: Vec<PairResult>,
    pentanomial: Pentanomial,
}

impl MatchScore {
    /// Adds a pair.
    pub fn add(&mut self, pair: PairResult) {
        self.pentanomial.add(pair.score());
        self.pairs.push(pair);
    }

    /// The pairs so far, in the book's order.
    #[must_use]
    pub fn pairs(&self) -> &[PairResult] {
        &self.pairs
    }

    /// The first player's score of each pair, in the book's order.
    #[must_use]
    pub fn pair_scores(&self) -> Vec<PairScore> {
        self.pairs.iter().map(PairResult::score).collect()
    }

    /// Counts of pairs by points.
    #[must_use]
    pub fn pentanomial(&self) -> &Pentanomial {
        &self.pentanomial
    }

    /// Estimates the first player's strength; `None` before the first pair.
    #[must_use]
    pub fn estimate(&self) -> Option<Estimate> {
        Estimate::of(&self.pentanomial)
    }

    /// Formats points and their 95 % interval on one line.
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
}

impl<G: Notation> Match<'_, G> {
    /// Returns the record of the match with this score; `sprt` is the test that judged it, if any.
    #[must_use]
    pub fn record(&self, score: &MatchScore, sprt: Option<&Sprt>) -> MatchRecord {
        let Self {
            first,
            second,
            book,
            settings,
            ..
        } = self;
        let games = || score.pairs.iter().flat_map(|pair| &pair.games);
        let mut total = WinDrawLoss::default();
        let mut by_side: BTreeMap<String, WinDrawLoss> = BTreeMap::new();
        let mut ends: BTreeMap<String, u64> = BTreeMap::new();
        let mut trinomial = Trinomial::default();
        for game in games() {
            let result = game.score();
            trinomial.add(result);
            let side = by_side
                .entry(G::side_name(game.side).to_owned())
                .or_default();
            for count in [&mut total, side] {
                count.count(result);
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
            seed: settings.seed,
            score: trinomial.score(),
            games: played,
            pairs: score.pentanomial,
            total,
            by_side,
            ends,
            unique_games: unique.len() as u64,
            mean_plies: plies as f64 / played.max(1) as f64,
            estimate: score.estimate(),
            sequential: sprt.map(|sprt| SequentialRecord {
                elo_bounds: sprt.elo_bounds(),
                llr: sprt.llr(&score.pentanomial),
                llr_bounds: sprt.bounds(),
                verdict: sprt.verdict(&score.pentanomial),
            }),
            deterministic: first.deterministic && second.deterministic,
        }
    }
}

/// Names an end in the record.
fn end_name<G: Notation>(end: End) -> String {
    match end {
        End::Rules(outcome) => format!("{} won", G::outcome_name(outcome)),
        End::Repetition(_) => "repetition".to_owned(),
        End::QuietPlies => "quiet plies".to_owned(),
        End::Known(_) => "known".to_owned(),
    }
}
