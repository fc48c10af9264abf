//! Errors of a run.

use std::path::PathBuf;

use thiserror::Error;

use super::config::ConfigError;
use crate::arena::{BookError, GamesError, MatchError};
use crate::files::FileError;
use crate::kit::{SpecError, UnknownFeatureSet};
use crate::network::{Architecture, ArchitectureError, NetworkError};
use crate::selfplay::SelfplayError;
use crate::statistics::{PairedError, SprtError};
use crate::training::{ReplayBufferError, TrainError};

/// Why a run failed; the files written so far are kept, and the run can be resumed.
#[derive(Debug, Error)]
pub enum RunError {
    /// A stop was requested; the run can be resumed.
    #[error("stopped; run the same command again to resume")]
    Interrupted,
    /// The configuration is invalid.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The directory belongs to a run with another configuration.
    #[error(
        "the run in {} was begun with another configuration: {}; use another --dir or the original \
         configuration",
        directory.display(),
        differences.join("; ")
    )]
    OtherRun {
        /// The run's directory.
        directory: PathBuf,
        /// The keys that differ.
        differences: Vec<String>,
    },
    /// The run was begun with other tables, or without tables.
    #[error(
        "the run in {} was begun with {begun}, but operation.tables names {now}; use the original \
         tables (layers added since can be moved elsewhere until the run has ended)",
        directory.display()
    )]
    OtherTables {
        /// The run's directory.
        directory: PathBuf,
        /// The original tables.
        begun: String,
        /// The tables named now.
        now: String,
    },
    /// Another process uses the directory.
    #[error("another process is running in {}; wait for it or stop it", directory.display())]
    Busy {
        /// The run's directory.
        directory: PathBuf,
    },
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// A file of the run is damaged or does not belong to it.
    #[error("{} is damaged: {reason}; {remedy}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
        /// The remedy.
        remedy: &'static str,
    },
    /// The configured network is impossible.
    #[error("the configured network is impossible: {0}")]
    Architecture(#[from] ArchitectureError),
    /// The network to start from is not the one that the configuration describes.
    #[error(
        "the network {} to start from has hidden layers {:?}, {:?}, {} views and {} output buckets; \
         set hidden, activation, views and output_buckets under [network] to these values",
        path.display(), found.hidden, found.activation, found.views, found.output_buckets
    )]
    OtherShape {
        /// The network file.
        path: PathBuf,
        /// Its description.
        found: Box<Architecture>,
    },
    /// The game has no such feature set.
    #[error(transparent)]
    Features(#[from] UnknownFeatureSet),
    /// The gate's book has other rules than the run.
    #[error(
        "book {book} has an opening with {opening}, but the run is played with {run}; make a book by \
         `bagheera openings --game {game} --rules RULES` and name it in gate.book"
    )]
    BookRules {
        /// The game.
        game: &'static str,
        /// The book.
        book: String,
        /// The rules of an opening.
        opening: String,
        /// The rules of the run.
        run: String,
    },
    /// The gate's book is too short.
    #[error(
        "the gate plays {pairs} pairs, but book {book} has {openings} openings; lower gate.pairs, \
         gate.random_pairs and gate.max_pairs, or name a longer gate.book"
    )]
    ShortBook {
        /// The book.
        book: String,
        /// Its openings.
        openings: usize,
        /// The most pairs that a match of the gate has.
        pairs: u32,
    },
    /// An opponent of the gate cannot be created.
    #[error(transparent)]
    Player(#[from] SpecError),
    /// The settings of the sequential test are invalid.
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
    /// A match cannot be played.
    #[error(transparent)]
    Match(#[from] MatchError),
    /// The games file of a match cannot be used.
    #[error(transparent)]
    Games(#[from] GamesError),
    /// The gate's book cannot be read.
    #[error(transparent)]
    Book(#[from] BookError),
    /// Two matches do not have the same openings.
    #[error(transparent)]
    Paired(#[from] PairedError),
}

impl RunError {
    /// Returns true if an argument or a configured name is wrong, rather than a file or an operation.
    #[must_use]
    pub fn is_usage(&self) -> bool {
        match self {
            Self::Book(error) => matches!(error, BookError::Unknown { .. }),
            Self::Player(error) => error.is_usage(),
            _ => false,
        }
    }
}
