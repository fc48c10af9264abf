//! The games file of a match, from which a stopped match resumes.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::match_play::Match;
use super::pair::PlayedPair;
use crate::files::FileError;
use crate::game::{Game, GameReader, Notation, RecordError};

/// Why a games file cannot be used.
#[derive(Debug, Error)]
pub enum GamesError {
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The file is not a games file, or is damaged.
    #[error("games file {}, {source}; correct it or choose another file", path.display())]
    Text {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: RecordError,
    },
    /// The file contains games of another match.
    #[error(
        "games file {} belongs to another match: its game {game} has another {what}; choose another \
         file or remove this one",
        path.display()
    )]
    Foreign {
        /// The file.
        path: PathBuf,
        /// The first game that does not belong to the match, from 1.
        game: u64,
        /// What differs.
        what: &'static str,
    },
    /// Something other than games follows the match's games.
    #[error(
        "{}: unexpected content after byte {bytes}, where this match's games end; truncate the file \
         there or choose another",
        path.display()
    )]
    Other {
        /// The file.
        path: PathBuf,
        /// Where the match's own games end.
        bytes: u64,
    },
    /// Another process uses the file.
    #[error("another process uses games file {}; wait for it or choose another file", path.display())]
    Busy {
        /// The file.
        path: PathBuf,
    },
}

/// How to treat content of a games file that does not belong to the match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MismatchPolicy {
    /// Keep it and report an error.
    Refuse,
    /// Truncate the file there; the match plays the missing games again.
    CutOff,
}

/// A file to which the games of a match are appended pair by pair.
///
/// An incomplete pair left by a killed process is truncated when the file is opened again.
#[derive(Debug)]
pub struct GamesFile {
    file: File,
    path: PathBuf,
}

impl GamesFile {
    /// Opens the file of a match and returns the pairs in it.
    ///
    /// # Errors
    /// If it cannot be read or written, or contains anything else and `policy` refuses that.
    pub fn open<G: Notation>(
        path: &Path,
        matchup: &Match<'_, G>,
        policy: MismatchPolicy,
    ) -> Result<(Self, Vec<PlayedPair<G>>), GamesError> {
        let mut file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .read(true)
            .write(true)
            .open(path)
            .map_err(FileError::io("open", path))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let path = path.to_owned();
                return Err(GamesError::Busy { path });
            }
            Err(TryLockError::Error(source)) => {
                return Err(FileError::io("lock", path)(source).into());
            }
        }
        let FileContent {
            pairs,
            end,
            mismatch,
        } = read(&mut file, path, matchup)?;
        if let Some(error) = mismatch.filter(|_| policy == MismatchPolicy::Refuse) {
            return Err(error);
        }
        // An empty line separates games.
        let gap: &[u8] = if end > 0 { b"\n" } else { b"" };
        file.set_len(end)
            .and_then(|()| file.seek(SeekFrom::Start(end)))
            .and_then(|_| file.write_all(gap))
            .map_err(FileError::io("write", path))?;
        let path = path.to_owned();
        Ok((Self { file, path }, pairs))
    }

    /// Appends a pair.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn add<G: Notation>(&mut self, pair: &PlayedPair<G>) -> Result<(), GamesError> {
        let [max, min] = pair.games();
        let text = format!("{max}\n{min}\n");
        let written = self.file.write_all(text.as_bytes());
        written.map_err(FileError::io("write", &self.path))?;
        Ok(())
    }
}

/// The content of a games file.
struct FileContent<G: Game> {
    /// The complete pairs at its beginning.
    pairs: Vec<PlayedPair<G>>,
    /// Their size in bytes.
    end: u64,
    /// Why the rest does not belong to the match; an incomplete pair is not an error.
    mismatch: Option<GamesError>,
}

fn read<G: Notation>(
    file: &mut File,
    path: &Path,
    matchup: &Match<'_, G>,
) -> Result<FileContent<G>, GamesError> {
    let mut reader = GameReader::new(BufReader::new(&mut *file));
    let (mut pairs, mut end, mut mismatch) = (Vec::new(), 0, None);
    loop {
        match next_pair(&mut reader, pairs.len(), path, matchup) {
            Ok(Some(pair)) => pairs.push(pair),
            Ok(None) => break,
            Err(GamesError::Text {
                source: RecordError::Io(source),
                ..
            }) => return Err(FileError::io("read", path)(source).into()),
            Err(error) => {
                mismatch = Some(error);
                break;
            }
        }
        end = reader.bytes();
    }
    if mismatch.is_none() {
        // A file may contain more pairs than requested now, but not more than the book has openings.
        let next = matchup.begun(pairs.len());
        let own = next.map_or_else(String::new, |game| game.to_string());
        let own = own.trim_end_matches("*\n").as_bytes();
        let tail = tail(file, end, own.len()).map_err(FileError::io("read", path))?;
        mismatch = (!is_unfinished(&tail, own)).then(|| GamesError::Other {
            path: path.to_owned(),
            bytes: end,
        });
    }
    Ok(FileContent {
        pairs,
        end,
        mismatch,
    })
}

/// Reads the next complete pair, if there is one.
fn next_pair<G: Notation>(
    reader: &mut GameReader<impl BufRead>,
    pair: usize,
    path: &Path,
    matchup: &Match<'_, G>,
) -> Result<Option<PlayedPair<G>>, GamesError> {
    let mut next = |half: usize| {
        let game = match reader.next_game::<G>() {
            Ok(game) => game,
            Err(RecordError::Cut { .. }) => None,
            Err(RecordError::Line { .. }) if reader.is_cut() => None,
            Err(source) => {
                let path = path.to_owned();
                return Err(GamesError::Text { path, source });
            }
        };
        let mismatch = game
            .as_ref()
            .and_then(|game| matchup.mismatch(game, pair, half));
        match mismatch {
            None => Ok(game),
            Some(what) => Err(GamesError::Foreign {
                path: path.to_owned(),
                game: 2 * pair as u64 + half as u64 + 1,
                what,
            }),
        }
    };
    let Some(max) = next(0)? else {
        return Ok(None);
    };
    let Some(min) = next(1)? else {
        return Ok(None);
    };
    let whole = !reader.is_cut();
    Ok(PlayedPair::new(pair as u32, [max, min]).filter(|_| whole))
}

/// Reads what follows the first `end` bytes, up to the length of the beginning of a game.
fn tail(file: &mut File, end: u64, beginning: usize) -> io::Result<Vec<u8>> {
    let mut tail = Vec::new();
    file.seek(SeekFrom::Start(end))?;
    // An empty line precedes a game.
    file.take(beginning as u64 + 1).read_to_end(&mut tail)?;
    Ok(tail)
}

/// Returns true if `tail` is an incomplete copy of the match's next game, which begins with `own`. A
/// power failure may leave zeros in its place.
fn is_unfinished(tail: &[u8], own: &[u8]) -> bool {
    let tail = tail.trim_ascii_start();
    let zeros = tail.iter().position(|byte| *byte == 0);
    let text = &tail[..zeros.unwrap_or(tail.len())];
    let begins = !own.is_empty() && text.starts_with(own);
    begins || own.starts_with(text)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::arena::{Book, MatchRunner, MatchSettings, PlayedMatch};
    use crate::games::bagh_chal::Position;
    use crate::kit::{PlayerFactory, PlayerSpec};
    use crate::workers::with_context;

    const BOOK: &str = "T3T/5/5/5/T3T s 20\nTS2T/5/5/5/T3T t 19\nT1S1T/5/5/5/T3T t 19\n\
                        T3T/5/2S2/5/T3T t 19";

    /// A match whose games are kept in a file.
    struct TestMatch {
        players: [PlayerFactory<Position>; 2],
        book: Book<Position>,
        settings: MatchSettings,
    }

    impl TestMatch {
        fn new(second: &str) -> Self {
            let player_factory = |spec: &str| {
                spec.parse::<PlayerSpec>()
                    .unwrap()
                    .player_factory()
                    .unwrap()
            };
            Self {
                players: [player_factory("claude@nodes=50"), player_factory(second)],
                book: Book::parse("test", BOOK).unwrap(),
                settings: MatchSettings {
                    quiet_limit: 40,
                    seed: 11,
                },
            }
        }

        fn play(
            &self,
            pairs: usize,
            path: &Path,
            policy: MismatchPolicy,
        ) -> Result<PlayedMatch, GamesError> {
            let [first, second] = &self.players;
            let runner = MatchRunner {
                matchup: Match::new(first, second, &self.book, pairs, self.settings).unwrap(),
                label: "test".to_owned(),
                games: Some((path, policy)),
                sprt: None,
            };
            with_context(2, |context| runner.play(context))
        }
    }

    #[test]
    fn a_match_resumes_from_a_file_truncated_anywhere() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("match.games");
        let kept = TestMatch::new("random@seed=4");
        let all = kept.play(3, &path, MismatchPolicy::Refuse).unwrap().score;
        let whole = fs::read(&path).unwrap();
        for length in (0..whole.len()).step_by(37).chain([whole.len() - 1]) {
            fs::write(&path, &whole[..length]).unwrap();
            let score = kept.play(3, &path, MismatchPolicy::Refuse).unwrap().score;
            assert_eq!(score.pairs(), all.pairs(), "cut to {length} bytes");
            assert_eq!(fs::read(&path).unwrap(), whole, "cut to {length} bytes");
        }
    }

    #[test]
    fn zeros_after_a_power_failure_are_truncated() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("match.games");
        let kept = TestMatch::new("random@seed=4");
        kept.play(2, &path, MismatchPolicy::Refuse).unwrap();
        let whole = fs::read(&path).unwrap();
        let second = whole.len() / 2;
        for length in [0, 5, second, whole.len() - 1] {
            let mut zeroed = whole.clone();
            zeroed[length..].fill(0);
            fs::write(&path, zeroed).unwrap();
            kept.play(2, &path, MismatchPolicy::Refuse).unwrap();
            assert_eq!(fs::read(&path).unwrap(), whole, "zeros from {length}");
        }
    }

    #[test]
    fn a_file_in_use_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("match.games");
        let kept = TestMatch::new("random@seed=4");
        let held = File::create(&path).unwrap();
        held.lock().unwrap();
        let error = kept.play(2, &path, MismatchPolicy::CutOff).unwrap_err();
        assert!(matches!(error, GamesError::Busy { .. }), "{error}");
    }

    #[test]
    fn a_match_can_be_extended_and_shortened() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("match.games");
        let kept = TestMatch::new("random@seed=4");
        let two = kept.play(2, &path, MismatchPolicy::Refuse).unwrap().score;
        let four = kept.play(4, &path, MismatchPolicy::Refuse).unwrap().score;
        assert_eq!(four.pairs()[..2], *two.pairs());
        let whole = fs::read(&path).unwrap();
        let again = kept.play(2, &path, MismatchPolicy::Refuse).unwrap().score;
        assert_eq!(again.pairs(), two.pairs());
        assert_eq!(fs::read(&path).unwrap(), whole);
    }

    #[test]
    fn foreign_content_is_refused_or_truncated() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("match.games");
        let kept = TestMatch::new("random@seed=4");
        kept.play(2, &path, MismatchPolicy::Refuse).unwrap();
        let games = fs::read_to_string(&path).unwrap();
        let other_limit = TestMatch {
            settings: MatchSettings {
                quiet_limit: 50,
                ..kept.settings
            },
            ..TestMatch::new("random@seed=4")
        };
        for (text, of, reason) in [
            (
                games.clone(),
                TestMatch::new("greedy"),
                "its game 1 has another player",
            ),
            (
                games.clone(),
                other_limit,
                "its game 1 has another no-progress limit",
            ),
            (
                games.replacen("[round \"2\"]", "[round \"7\"]", 1),
                TestMatch::new("random@seed=4"),
                "its game 3 has another round",
            ),
            (
                games.replacen("   1 ", "   1 zz ", 1),
                TestMatch::new("random@seed=4"),
                "line 8: ply 1",
            ),
            (
                "my diary".to_owned(),
                TestMatch::new("random@seed=4"),
                "unexpected content",
            ),
            (
                "# a comment\n".to_owned(),
                TestMatch::new("random@seed=4"),
                "unexpected content",
            ),
            (
                "[game \"bagh-chal\"]\n[tiger \"me\"]\n[sheep \"you\"]\n".to_owned(),
                TestMatch::new("random@seed=4"),
                "unexpected content",
            ),
            (
                format!("{games}\n[game \"bagh-chal\"]\n[tiger \"me\"]\nc3"),
                TestMatch::new("random@seed=4"),
                "truncate the file there",
            ),
            (
                "[game \"chess\"]\n".to_owned(),
                TestMatch::new("random@seed=4"),
                "a game of chess",
            ),
        ] {
            fs::write(&path, &text).unwrap();
            let error = of
                .play(2, &path, MismatchPolicy::Refuse)
                .unwrap_err()
                .to_string();
            assert!(error.contains(reason), "{error}");
            assert_eq!(fs::read_to_string(&path).unwrap(), text, "nothing is lost");
            let score = of.play(2, &path, MismatchPolicy::CutOff).unwrap().score;
            assert_eq!(score.pairs().len(), 2);
            let now = fs::read_to_string(&path).unwrap();
            of.play(2, &path, MismatchPolicy::Refuse).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), now);
        }
    }
}
