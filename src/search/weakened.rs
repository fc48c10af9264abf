//! A player that errs as people do: the less a move loses, the more often it is played.

use rand::distr::weighted::WeightedIndex;
use rand::prelude::Distribution as _;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::analysis::Analysis;
use super::player::{Player, SearchReport};
use super::{MoveScore, ScoreType};
use crate::game::{Game, Side};
use crate::seed;

/// Scores beyond this many logits count as equal to a proven result.
const CLEAR: ScoreType = 8.0;

/// A player whose moves are drawn by their scores.
///
/// A move that is worth d logits less than the best one is e^(−d/t) times as likely, with the
/// temperature t (Boltzmann's distribution, as in the softmax policies of reinforcement learning).
/// Errors of its search come on top.
pub struct WeakenedPlayer<G> {
    player: Box<dyn Player<G>>,
    temperature: f32,
    rng: Xoshiro256PlusPlus,
}

impl<G: Game> WeakenedPlayer<G> {
    /// A player of a temperature above 0, in logits, around one that scores moves.
    #[must_use]
    pub fn new(player: Box<dyn Player<G>>, temperature: f32) -> Self {
        Self {
            player,
            temperature,
            rng: seed::stream(&[0]),
        }
    }

    /// Draws one of the moves of an analysis, which has the best one first.
    fn draw<'a>(&mut self, analysis: &'a Analysis<G::Move>, side: Side) -> &'a MoveScore<G::Move> {
        let worth = |scored: &MoveScore<G::Move>| (side.sign() * scored.score).clamp(-CLEAR, CLEAR);
        let best = worth(analysis.best());
        let chances = analysis
            .moves
            .iter()
            .map(|scored| ((worth(scored) - best) / self.temperature).exp());
        match WeightedIndex::new(chances) {
            Ok(index) => &analysis.moves[index.sample(&mut self.rng)],
            // The best move's chance is 1, so that there is one to draw.
            Err(_) => analysis.best(),
        }
    }
}

impl<G: Game> Player<G> for WeakenedPlayer<G> {
    fn pick_move(&mut self, position: &G, history: &[G]) -> SearchReport<G::Move> {
        let Some(analysis) = self.player.analyse(position, history) else {
            return self.player.pick_move(position, history);
        };
        let drawn = self.draw(&analysis, position.side_to_move());
        SearchReport {
            mv: drawn.mv,
            score: Some(drawn.score),
            depth: analysis.depth,
            nodes: analysis.nodes,
            forced: drawn.forced,
        }
    }

    fn analyse(&mut self, position: &G, history: &[G]) -> Option<Analysis<G::Move>> {
        self.player.analyse(position, history)
    }

    fn static_score(&mut self, position: &G) -> Option<ScoreType> {
        self.player.static_score(position)
    }

    fn new_game(&mut self, seed: u64) {
        self.rng = seed::stream(&[seed]);
        self.player.new_game(seed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Notation;
    use crate::games::bagh_chal::{ClaudeEvaluation, Position};
    use crate::search::{Limits, Search, TranspositionTable};

    fn weakened(temperature: f32) -> WeakenedPlayer<Position> {
        let table = TranspositionTable::new(14);
        let player = Search::new(ClaudeEvaluation, table, Limits::nodes(500));
        WeakenedPlayer::new(Box::new(player), temperature)
    }

    #[test]
    fn a_higher_temperature_loses_more() {
        let position = Position::parse_position("TS3/1S3/2S2/5/TT2T t 17").unwrap();
        let analysis = weakened(1.0).analyse(&position, &[]).unwrap();
        let loss = |temperature| {
            let mut player = weakened(temperature);
            let mut loss = 0.0;
            for game in 0..200 {
                player.new_game(game);
                let best = analysis.best().score.min(CLEAR);
                loss += best - player.draw(&analysis, Side::Max).score.clamp(-CLEAR, CLEAR);
            }
            loss / 200.0
        };
        let losses = [0.01, 0.3, 1.0, 5.0].map(loss);
        assert!(losses.is_sorted(), "{losses:?}");
        assert!(
            losses[0] < 0.02 && losses[3] > 2.0 * losses[1],
            "{losses:?}"
        );
    }

    #[test]
    fn games_derive_from_their_seeds() {
        let position = Position::start(&());
        let moves = |seed| {
            let mut player = weakened(2.0);
            player.new_game(seed);
            [0; 6].map(|_| player.pick_move(&position, &[]).mv)
        };
        assert_eq!(moves(1), moves(1));
        assert_ne!(moves(1), moves(2));
    }
}
