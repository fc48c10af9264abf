//! Why a run stopped short.

use std::path::PathBuf;

use thiserror::Error;

use super::config::ConfigError;
use crate::arena::{BookError, ContestError, GamesError};
use crate::files::FileError;
use crate::network::{Activation, ArchitectureError, NetworkError};
use crate::selfplay::SelfplayError;
use crate::statistics::{PairedError, SprtError};
use crate::training::{ReplayBufferError, TrainError};

/// Why a run stopped short; what it had written stays and can be continued.
#[derive(Debug, Error)]
pub enum RunError {
    /// A stop was requested; the run can be continued.
    #[error("The run was stopped; the same command goes on with it.")]
    Interrupted,
    /// The configuration is no good.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The directory belongs to a run of another configuration.
    #[error(
        "The run in {} was begun with another configuration: {}; give another --dir, or the \
         configuration that it was begun with.",
        directory.display(),
        differences.join("; ")
    )]
    OtherRun {
        /// The run's directory.
        directory: PathBuf,
        /// The keys that differ.
        differences: Vec<String>,
    },
    /// The run was begun with other tables, or without.
    #[error(
        "The run in {} was begun with {begun}, and operation.tables names {now}; name those that it \
         was begun with (layers added since can be moved away, and back afterwards).",
        directory.display()
    )]
    OtherTables {
        /// The run's directory.
        directory: PathBuf,
        /// The tables that it was begun with.
        begun: String,
        /// Those that it is to go on with.
        now: String,
    },
    /// Another process works in the directory.
    #[error("Another process is at work in {}; wait for it, or stop it.", directory.display())]
    Busy {
        /// The run's directory.
        directory: PathBuf,
    },
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// A file of the run is not what it should be.
    #[error("The file {} is damaged: {reason}; {remedy}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
        /// What helps.
        remedy: &'static str,
    },
    /// The configuration asks for a network that cannot be.
    #[error("The configuration asks for a network that cannot be: {0}")]
    Architecture(#[from] ArchitectureError),
    /// The network to start from has another shape than the configuration says.
    #[error(
        "The network {} that the run is to start from has hidden layers {hidden:?} and {activation:?}; \
         write these under [network].",
        path.display()
    )]
    OtherShape {
        /// The network file.
        path: PathBuf,
        /// Its hidden layers.
        hidden: Vec<usize>,
        /// Its activation.
        activation: Activation,
    },
    /// The game has no such feature set.
    #[error("The game {game} has no feature set \"{name}\"; it has {known}.")]
    Features {
        /// The game.
        game: &'static str,
        /// What was asked for.
        name: String,
        /// What there is.
        known: String,
    },
    /// The test against the best network cannot be.
    #[error(transparent)]
    Sprt(#[from] SprtError),
    /// A network cannot be read, written or used.
    #[error(transparent)]
    Network(#[from] NetworkError),
    /// Self-play failed.
    #[error(transparent)]
    Selfplay(#[from] SelfplayError),
    /// Training failed.
    #[error(transparent)]
    Training(#[from] TrainError),
    /// The shards to train on cannot be opened.
    #[error(transparent)]
    ReplayBuffer(#[from] ReplayBufferError),
    /// The gate's book is too short.
    #[error(transparent)]
    Match(#[from] ContestError),
    /// The games of a match cannot be kept.
    #[error(transparent)]
    Games(#[from] GamesError),
    /// The gate's book cannot be read.
    #[error(transparent)]
    Book(#[from] BookError),
    /// Two matches that should be over the same openings are not.
    #[error(transparent)]
    Paired(#[from] PairedError),
}
