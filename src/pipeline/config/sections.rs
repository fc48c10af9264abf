//! The sections of a configuration: each key with its default, range and help.

use serde::{Deserialize, Serialize};

use crate::network::Activation;
use crate::record::GateMatch;
use crate::settings::{between, settings};
use crate::statistics::{EloModel, Sprt, SprtError};

/// Who plays the games of the first generation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Bootstrap {
    /// A network with random weights, so that the run uses no human knowledge.
    #[default]
    Random,
    /// The hand-written evaluation (HCE).
    HandWritten,
}

/// Which network the training of a generation starts from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ContinueFrom {
    /// The last candidate, promoted or not.
    #[default]
    Candidate,
    /// The best network.
    Best,
}

settings! {
    /// The shape of the network.
    pub struct NetworkSettings at "network" {
        /// Name of the feature set; empty for the game's default.
        features: String = String::new();
        /// Sizes of the hidden layers, one to three of them. The first layer is the feature
        /// transformer.
        hidden: Vec<usize> = vec![64, 16];
        /// Activation of hidden units: "sc_relu" or "c_relu".
        activation: Activation = Activation::ScRelu;
        /// Views that feed the feature transformer, 1 or 2 (side to move and opponent); those of the
        /// feature set if absent.
        #[serde(skip_serializing_if = "Option::is_none")]
        views: Option<usize> = None;
        /// Output buckets: rows of output weights, one of which the position selects.
        output_buckets: usize = 1;
    }
}

settings! {
    /// How candidates are tested.
    pub struct GateSettings at "gate" {
        /// Nodes of each search, for all players.
        nodes: u64 = 2000, in 1..;
        /// Opening book: "gate", "tuning", "final" or a file.
        book: String = "gate".to_owned();
        /// Pairs of games against the hand-written evaluation (HCE).
        pairs: u32 = 100, in 2..;
        /// Pairs of games against random moves.
        random_pairs: u32 = 20, in 1..;
        /// Score of the best network against the hand-written evaluation, as a share of the points,
        /// from which on candidates have to beat the best network too.
        saturation: f64 = 0.6, in 0.0..=1.0;
        /// The hypotheses of the SPRT against the best network, in normalised Elo.
        bounds: [f64; 2] = [0.0, 30.0];
        /// Error rate of the SPRT: the chance of promoting a candidate whose strength is the lower
        /// bound.
        alpha: f64 = 0.05, in between(0.0, 0.5);
        /// Error rate of the SPRT: the chance of rejecting a candidate whose strength is the upper
        /// bound.
        beta: f64 = 0.05, in between(0.0, 0.5);
        /// Maximum number of pairs of the SPRT; after these, the sign of its log-likelihood ratio
        /// decides.
        max_pairs: u32 = 400, in 1..;
    }
}

impl GateSettings {
    /// Returns the number of pairs of a match, or the maximum number against the best network.
    pub(in crate::pipeline) fn pairs_of(&self, gate_match: GateMatch) -> u32 {
        match gate_match {
            GateMatch::HandWritten => self.pairs,
            GateMatch::Random => self.random_pairs,
            GateMatch::Best => self.max_pairs,
        }
    }

    /// Returns the SPRT against the best network.
    ///
    /// # Errors
    /// If the bounds or error rates are not valid.
    pub fn sprt(&self) -> Result<Sprt, SprtError> {
        Sprt::new(EloModel::Normalised, self.bounds, self.alpha, self.beta)
    }
}

settings! {
    /// How the best network is tested against tablebases, if there are any.
    pub struct ExamSettings at "exam" {
        /// Positions of each set. Searches have as many nodes as the gate's.
        positions: u32 = 1000, in 1..;
    }
}

settings! {
    /// What only operates a run and may change whenever the run is continued.
    pub struct OperationSettings at "operation" {
        /// Generations after which the run ends.
        generations: u32 = 10, in 1..;
        /// Candidates rejected in a row after which the run ends; 0 for never.
        patience: u32 = 0;
        /// Minutes after which no further generation begins; 0 for no limit.
        budget_minutes: u32 = 0;
        /// Finished generations whose shards are kept, the newest ones; never fewer than
        /// training.window. 0 keeps all.
        keep_shards: u32 = 0;
        /// Threads; 0 for one per core. Results do not depend on it.
        threads: usize = 0;
        /// Folder of the endgame tablebases, or "default" for the game's own in the user's data
        /// directory; empty for none. The folder may change, the tables may not, and none may be
        /// added: their values are part of the run.
        tables: String = String::new();
        /// Training device: "cpu", and "gpu" or "cuda" where built in.
        device: String = "cpu".to_owned();
    }
}
