//! The file of a match's games, from which the match goes on where it stopped.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::match_play::Match;
use super::pair::PlayedPair;
use crate::files::FileError;
use crate::game::{Game, GameReader, Notation, RecordError};

/// Why a file of games cannot be used.
#[derive(Debug, Error)]
pub enum GamesError {
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The file is no file of games, or a damaged one.
    #[error("The games {}, {source}. Correct that, or name another file.", path.display())]
    Text {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: RecordError,
    },
    /// The file holds the games of another match.
    #[error(
        "The games {} are of another match: its game {game} has another {what}. Name another file, \
         or remove this one.",
        path.display()
    )]
    Foreign {
        /// The file.
        path: PathBuf,
        /// The first game that is not of the match, from 1.
        game: u64,
        /// What differs.
        what: &'static str,
    },
    /// The file holds something else.
    #[error(
        "The file {} holds, after {bytes} bytes of games of the match, something that is none of them. \
         Cut it there, or name another file.",
        path.display()
    )]
    Other {
        /// The file.
        path: PathBuf,
        /// Where the match's own games end.
        bytes: u64,
    },
    /// Another process writes the file.
    #[error("Another process is at work on the games {}; wait for it, or name another file.", path.display())]
    Busy {
        /// The file.
        path: PathBuf,
    },
}

/// What becomes of what a file holds that is not of the match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MismatchPolicy {
    /// It stays, and the file is refused.
    Refuse,
    /// It is cut off, and the match makes it again.
    CutOff,
}

/// A file that takes the games of a match pair by pair.
///
/// A pair that a killed program left unfinished is cut off when the file is opened again.
#[derive(Debug)]
pub struct GamesFile {
    file: File,
    path: PathBuf,
}

impl GamesFile {
    /// Opens the file of a match, and gives the pairs that it holds.
    ///
    /// # Errors
    /// If it cannot be read or written, or holds anything else and that is to be refused.
    pub fn open<G: Notation>(
        path: &Path,
        contest: &Match<'_, G>,
        other: MismatchPolicy,
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
        let Found {
            pairs,
            end,
            strange,
        } = read(&mut file, path, contest)?;
        if let Some(error) = strange.filter(|_| other == MismatchPolicy::Refuse) {
            return Err(error);
        }
        // Games stand an empty line apart.
        let gap: &[u8] = if end > 0 { b"\n" } else { b"" };
        file.set_len(end)
            .and_then(|()| file.seek(SeekFrom::Start(end)))
            .and_then(|_| file.write_all(gap))
            .map_err(FileError::io("write", path))?;
        let path = path.to_owned();
        Ok((Self { file, path }, pairs))
    }

    /// Adds a pair.
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

/// What a file holds.
struct Found<G: Game> {
    /// The whole pairs that it begins with.
    pairs: Vec<PlayedPair<G>>,
    /// The bytes that they take.
    end: u64,
    /// Why what follows is none of the match; nothing is wrong with a pair that is not finished.
    strange: Option<GamesError>,
}

fn read<G: Notation>(
    file: &mut File,
    path: &Path,
    contest: &Match<'_, G>,
) -> Result<Found<G>, GamesError> {
    let mut reader = GameReader::new(BufReader::new(&mut *file));
    let (mut pairs, mut end, mut strange) = (Vec::new(), 0, None);
    loop {
        match next_pair(&mut reader, pairs.len(), path, contest) {
            Ok(Some(pair)) => pairs.push(pair),
            Ok(None) => break,
            Err(GamesError::Text {
                source: RecordError::Io(source),
                ..
            }) => return Err(FileError::io("read", path)(source).into()),
            Err(error) => {
                strange = Some(error);
                break;
            }
        }
        end = reader.bytes();
    }
    if strange.is_none() {
        // A file may hold more pairs than are asked for now, but not than there are openings.
        let next = contest.opened(pairs.len());
        let own = next.map_or_else(String::new, |game| game.to_string());
        let own = own.trim_end_matches("*\n").as_bytes();
        let tail = tail(file, end, own.len()).map_err(FileError::io("read", path))?;
        strange = (!is_unfinished(&tail, own)).then(|| GamesError::Other {
            path: path.to_owned(),
            bytes: end,
        });
    }
    Ok(Found {
        pairs,
        end,
        strange,
    })
}

/// The next whole pair, if there is one.
fn next_pair<G: Notation>(
    reader: &mut GameReader<impl BufRead>,
    pair: usize,
    path: &Path,
    contest: &Match<'_, G>,
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
        let different = game
            .as_ref()
            .and_then(|game| contest.difference(game, pair, half));
        match different {
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

/// What follows the first `end` bytes, as much of it as the beginning of a game takes.
fn tail(file: &mut File, end: u64, beginning: usize) -> io::Result<Vec<u8>> {
    let mut tail = Vec::new();
    file.seek(SeekFrom::Start(end))?;
    // An empty line stands before a game.
    file.take(beginning as u64 + 1).read_to_end(&mut tail)?;
    Ok(tail)
}

/// Whether a text is what is left of the match's own next game, which begins like `own`; zeros are what
/// a power cut leaves of it.
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
    use crate::arena::{Book, MatchRunner, MatchSettings, Played};
    use crate::games::bagh_chal::Position;
    use crate::interrupt::Interrupt;
    use crate::kit::{PlayerFactory, PlayerSpec};
    use crate::reporter::Reporter;
    use crate::workers::{Context, pool};

    const BOOK: &str = "T3T/5/5/5/T3T s 20\nTS2T/5/5/5/T3T t 19\nT1S1T/5/5/5/T3T t 19\n\
                        T3T/5/2S2/5/T3T t 19";

    /// A match of some pairs, kept in a file.
    struct Kept {
        players: [PlayerFactory<Position>; 2],
        book: Book<Position>,
        referee: MatchSettings,
    }

    impl Kept {
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
                referee: MatchSettings {
                    quiet_limit: 40,
                    seed: 11,
                },
            }
        }

        fn play(
            &self,
            pairs: usize,
            path: &Path,
            other: MismatchPolicy,
        ) -> Result<Played, GamesError> {
            let [first, second] = &self.players;
            let series = MatchRunner {
                contest: Match::new(first, second, &self.book, pairs, self.referee).unwrap(),
                label: "test".to_owned(),
                games: Some((path, other)),
                sprt: None,
            };
            let (pool, interrupt) = (pool(2).unwrap(), Interrupt::default());
            series.play(&Context {
                pool: &pool,
                interrupt: &interrupt,
                talk: &Reporter::new(true),
            })
        }
    }

    #[test]
    fn a_match_goes_on_from_whatever_its_file_was_cut_to() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("match.games");
        let kept = Kept::new("random@seed=4");
        let all = kept.play(3, &path, MismatchPolicy::Refuse).unwrap().tally;
        let whole = fs::read(&path).unwrap();
        for length in (0..whole.len()).step_by(37).chain([whole.len() - 1]) {
            fs::write(&path, &whole[..length]).unwrap();
            let tally = kept.play(3, &path, MismatchPolicy::Refuse).unwrap().tally;
            assert_eq!(tally.pairs(), all.pairs(), "cut to {length} bytes");
            assert_eq!(fs::read(&path).unwrap(), whole, "cut to {length} bytes");
        }
    }

    #[test]
    fn zeros_that_a_power_cut_left_are_cut_off() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("match.games");
        let kept = Kept::new("random@seed=4");
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
    fn two_processes_do_not_write_one_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("match.games");
        let kept = Kept::new("random@seed=4");
        let held = File::create(&path).unwrap();
        held.lock().unwrap();
        let error = kept.play(2, &path, MismatchPolicy::CutOff).unwrap_err();
        assert!(matches!(error, GamesError::Busy { .. }), "{error}");
    }

    #[test]
    fn a_match_is_lengthened_and_its_first_pairs_count_alone_when_fewer_are_asked_for() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("match.games");
        let kept = Kept::new("random@seed=4");
        let two = kept.play(2, &path, MismatchPolicy::Refuse).unwrap().tally;
        let four = kept.play(4, &path, MismatchPolicy::Refuse).unwrap().tally;
        assert_eq!(four.pairs()[..2], *two.pairs());
        let whole = fs::read(&path).unwrap();
        let again = kept.play(2, &path, MismatchPolicy::Refuse).unwrap().tally;
        assert_eq!(again.pairs(), two.pairs());
        assert_eq!(fs::read(&path).unwrap(), whole);
    }

    #[test]
    fn what_is_not_of_the_match_is_refused_or_cut_off() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("match.games");
        let kept = Kept::new("random@seed=4");
        kept.play(2, &path, MismatchPolicy::Refuse).unwrap();
        let games = fs::read_to_string(&path).unwrap();
        let other_limit = Kept {
            referee: MatchSettings {
                quiet_limit: 50,
                ..kept.referee
            },
            ..Kept::new("random@seed=4")
        };
        for (text, of, reason) in [
            (
                games.clone(),
                Kept::new("greedy"),
                "its game 1 has another player",
            ),
            (
                games.clone(),
                other_limit,
                "its game 1 has another limit of quiet plies",
            ),
            (
                games.replacen("[round \"2\"]", "[round \"7\"]", 1),
                Kept::new("random@seed=4"),
                "its game 3 has another round",
            ),
            (
                games.replacen("   1 ", "   1 zz ", 1),
                Kept::new("random@seed=4"),
                "line 8: ply 1",
            ),
            (
                "my diary".to_owned(),
                Kept::new("random@seed=4"),
                "something that is none",
            ),
            (
                "# a comment\n".to_owned(),
                Kept::new("random@seed=4"),
                "something that is none",
            ),
            (
                "[game \"bagh-chal\"]\n[tiger \"me\"]\n[sheep \"you\"]\n".to_owned(),
                Kept::new("random@seed=4"),
                "something that is none",
            ),
            (
                format!("{games}\n[game \"bagh-chal\"]\n[tiger \"me\"]\nc3"),
                Kept::new("random@seed=4"),
                "Cut it there",
            ),
            (
                "[game \"chess\"]\n".to_owned(),
                Kept::new("random@seed=4"),
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
            let tally = of.play(2, &path, MismatchPolicy::CutOff).unwrap().tally;
            assert_eq!(tally.pairs().len(), 2);
            let now = fs::read_to_string(&path).unwrap();
            of.play(2, &path, MismatchPolicy::Refuse).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), now);
        }
    }
}
