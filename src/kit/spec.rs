//! Player specifications: `claude@depth=6`, `neural:best.net@nodes=5000`, `random@seed=1`.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use thiserror::Error;

use super::{
    Arithmetic, Contestant, EndgameTables as _, ExactSource, Kit, Level, MakePlayer, PlayerError,
    SearchSetup, TablesError, Weighing, WeightsError, tables_folder,
};
use crate::network::{Network, NetworkError};
use crate::search::{GreedyPlayer, Limits, MAX_DEPTH, RandomPlayer, Sharing, Switches};

/// Nodes of a move where a specification gives no limit.
const DEFAULT_NODES: u64 = 10_000;

/// How specifications are written.
const GRAMMAR: &str = "a player is written NAME, neural:FILE, random or greedy, then options like \
     @depth=6, @nodes=5000, @time=10ms or @exact=on, separated by commas; a folder of tables, as in \
     exact=DIR, comes last";

/// Why a player specification is refused.
#[derive(Debug, Error)]
pub enum SpecError {
    /// The text cannot be understood.
    #[error("player \"{text}\": {reason}")]
    Syntax {
        /// The text as given.
        text: String,
        /// What is wrong and what would be right.
        reason: String,
    },
    /// The network cannot be read.
    #[error(transparent)]
    Network(#[from] NetworkError),
    /// The network is not for this game, or not for integers.
    #[error("The network file {}: {source}", path.display())]
    Player {
        /// The network file.
        path: PathBuf,
        /// What does not fit.
        source: PlayerError,
    },
    /// The tables of exact values cannot be used.
    #[error(transparent)]
    Tables(#[from] TablesError),
    /// The weights cannot be used.
    #[error(transparent)]
    Weights(#[from] WeightsError),
    /// The system has no place for tables.
    #[error("player \"{text}\": there is no data directory; write exact=DIR")]
    NoTablesFolder {
        /// The text as given.
        text: String,
    },
}

impl SpecError {
    /// Whether the text itself is wrong, rather than what it names.
    #[must_use]
    pub fn is_usage(&self) -> bool {
        matches!(self, Self::Syntax { .. })
    }
}

#[derive(Clone, Debug, PartialEq)]
enum Kind {
    Evaluation(String),
    Neural(PathBuf),
    Random,
    Greedy,
}

/// What a player is, as text says it.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayerSpec {
    text: String,
    kind: Kind,
    arithmetic: Arithmetic,
    setup: SearchSetup,
    exact: Exactness,
    weights: Option<PathBuf>,
    level: Option<Level>,
    seed: u64,
}

/// Where a player has exact values from.
#[derive(Clone, Debug, PartialEq)]
enum Exactness {
    Off,
    UsualFolder,
    Folder(PathBuf),
}

impl fmt::Display for PlayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FromStr for PlayerSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        parse(text).map_err(|reason| SpecError::Syntax {
            text: text.to_owned(),
            reason,
        })
    }
}

/// Cuts off a folder of tables, which comes last since it may hold whatever separates options.
fn split_folder(text: &str) -> (&str, Option<&str>) {
    for separator in ["@exact=", ",exact="] {
        if let Some((before, folder)) = text.split_once(separator) {
            let word = folder.split(',').next().unwrap_or_default();
            if !["", "on", "off"].contains(&word) {
                return (before, Some(folder));
            }
        }
    }
    (text, None)
}

/// Cuts off the options. A file name may hold an @ too: options are what follows the last one and has
/// a =.
fn split_options(text: &str) -> (&str, &str) {
    match text.rsplit_once('@') {
        Some((name, options)) if options.contains('=') => (name, options),
        _ => (text, ""),
    }
}

fn parse(whole: &str) -> Result<PlayerSpec, String> {
    let (text, folder) = split_folder(whole);
    let (name, options) = split_options(text);
    if let Some((_, options)) = name.split_once('@')
        && !name.starts_with("neural:")
    {
        return Err(format!("\"{options}\" is no option; {GRAMMAR}"));
    }
    let kind = match name.split_once(':') {
        Some(("neural", "")) => return Err(format!("neural: names no file; {GRAMMAR}")),
        Some(("neural", path)) => Kind::Neural(path.into()),
        Some((other, _)) => return Err(format!("there is no player \"{other}:\"; {GRAMMAR}")),
        None => match name {
            "random" => Kind::Random,
            "greedy" => Kind::Greedy,
            "neural" => return Err("which network? Write neural:FILE".to_owned()),
            "" => return Err(GRAMMAR.to_owned()),
            name => Kind::Evaluation(name.to_owned()),
        },
    };
    let mut spec = PlayerSpec {
        text: whole.to_owned(),
        kind,
        arithmetic: Arithmetic::default(),
        setup: SearchSetup::default(),
        exact: Exactness::Off,
        weights: None,
        level: None,
        seed: 0,
    };
    for option in options.split(',').filter(|option| !option.is_empty()) {
        let Some((key, value)) = option.split_once('=') else {
            return Err(format!("\"{option}\" is no option; {GRAMMAR}"));
        };
        read_option(&mut spec, key, value)?;
    }
    if let Some(folder) = folder {
        read_option(&mut spec, "exact", folder)?;
    }
    if spec.setup.limits == Limits::default() {
        let limits = spec.level.and_then(Level::limits);
        spec.setup.limits = limits.unwrap_or(Limits::nodes(DEFAULT_NODES));
    }
    Ok(spec)
}

fn read_option(spec: &mut PlayerSpec, key: &str, value: &str) -> Result<(), String> {
    let searches = !matches!(spec.kind, Kind::Random | Kind::Greedy);
    let neural = matches!(spec.kind, Kind::Neural(_));
    let setup = &mut spec.setup;
    match (key, searches) {
        ("seed", false) => spec.seed = number(key, value, 0, u64::MAX)?,
        ("depth", true) => {
            setup.limits.depth = Some(number(key, value, 1, MAX_DEPTH.into())? as u32);
        }
        ("nodes", true) => setup.limits.nodes = Some(number(key, value, 1, u64::MAX)?),
        ("time", true) => setup.limits.time = Some(duration(value)?),
        ("level", true) => {
            let number = number(key, value, 1, Level::STRONGEST)?;
            spec.level = Level::new(number);
        }
        ("hash", true) => setup.hash_bits = Some(number(key, value, 1, 26)? as u32),
        ("sharing", true) => {
            setup.sharing = Some(match value {
                "off" => Sharing::Off,
                "on" => Sharing::Unrepeatable,
                "all" => Sharing::All,
                _ => return Err(format!("sharing is off, on or all, not \"{value}\"")),
            });
        }
        ("replace", true) => {
            setup.always_replace = match value {
                "always" => true,
                "depth" => false,
                _ => return Err(format!("replace is depth or always, not \"{value}\"")),
            };
        }
        ("body", _) if neural => {
            spec.arithmetic = match value {
                "float" => Arithmetic::Float,
                "integer" => Arithmetic::Integer,
                _ => return Err(format!("body is float or integer, not \"{value}\"")),
            };
        }
        ("exact", true) => {
            spec.exact = match value {
                "" => return Err("exact is on, off or a folder of tables".to_owned()),
                "on" => Exactness::UsualFolder,
                "off" => Exactness::Off,
                folder => Exactness::Folder(folder.into()),
            };
        }
        ("weights", true) if matches!(spec.kind, Kind::Evaluation(_)) => {
            if value.is_empty() {
                return Err("weights= names no file".to_owned());
            }
            spec.weights = Some(value.into());
        }
        (_, true) => {
            let Some(on) = setup.on.by_name(key) else {
                return Err(format!(
                    "has no option \"{key}\"; there are depth, nodes, time, level, exact, weights, \
                     hash, sharing, replace, {}, and body for networks",
                    Switches::NAMES.join(", ")
                ));
            };
            *on = switch(key, value)?;
        }
        (_, false) => return Err(format!("has no option \"{key}\"; there is seed")),
    }
    Ok(())
}

fn number(key: &str, value: &str, least: u64, most: u64) -> Result<u64, String> {
    let number = value.parse().ok().filter(|n| (least..=most).contains(n));
    number.ok_or_else(|| format!("{key} is a number from {least} to {most}, not \"{value}\""))
}

fn switch(key: &str, value: &str) -> Result<bool, String> {
    match value {
        "on" => Ok(true),
        "off" => Ok(false),
        _ => Err(format!("{key} is on or off, not \"{value}\"")),
    }
}

fn duration(value: &str) -> Result<Duration, String> {
    let wrong = || format!("time is written like 10ms or 1.5s, not \"{value}\"");
    let (number, unit) = match value.strip_suffix("ms") {
        Some(number) => (number, 1e-3),
        None => (value.strip_suffix('s').ok_or_else(wrong)?, 1.0),
    };
    let number: f64 = number.parse().map_err(|_| wrong())?;
    let limit = Duration::try_from_secs_f64(number * unit).map_err(|_| wrong())?;
    if limit.is_zero() {
        Err(wrong())
    } else {
        Ok(limit)
    }
}

impl PlayerSpec {
    /// The specification of a hand-written evaluation with given limits.
    #[must_use]
    pub fn evaluation(name: &str, limits: Limits) -> Self {
        let limit = match limits {
            Limits {
                depth: Some(depth), ..
            } => format!("depth={depth}"),
            Limits {
                nodes: Some(nodes), ..
            } => format!("nodes={nodes}"),
            Limits { time, .. } => format!("time={}ms", time.unwrap_or_default().as_millis()),
        };
        Self {
            text: format!("{name}@{limit}"),
            kind: Kind::Evaluation(name.to_owned()),
            arithmetic: Arithmetic::default(),
            setup: SearchSetup::with_limits(limits),
            exact: Exactness::Off,
            weights: None,
            level: None,
            seed: 0,
        }
    }

    /// The same player at a level, whose limits take the place of its own but at the strongest.
    #[must_use]
    pub fn at_level(mut self, level: Level) -> Self {
        if let Some(limits) = level.limits() {
            let (name, _) = split_options(split_folder(&self.text).0);
            self.text = format!("{name}@level={}", level.number());
            self.setup.limits = limits;
        }
        self.level = Some(level);
        self
    }

    /// The level that the player is to play at, if one is named.
    #[must_use]
    pub fn level(&self) -> Option<Level> {
        self.level
    }

    /// Limits of its searches.
    #[must_use]
    pub fn limits(&self) -> Limits {
        self.setup.limits
    }

    /// The network file that it plays by, if it does.
    #[must_use]
    pub fn network(&self) -> Option<&Path> {
        match &self.kind {
            Kind::Neural(path) => Some(path),
            _ => None,
        }
    }

    /// Whether the player searches, and so scores positions.
    #[must_use]
    pub fn searches(&self) -> bool {
        matches!(self.kind, Kind::Evaluation(_) | Kind::Neural(_))
    }

    /// Opens the tables that the player has exact values from.
    fn exact_source<G: Kit>(&self) -> Result<Option<ExactSource<G>>, SpecError> {
        let folder = match &self.exact {
            Exactness::Off => return Ok(None),
            Exactness::Folder(folder) => folder.clone(),
            Exactness::UsualFolder => {
                tables_folder(G::NAME).ok_or_else(|| SpecError::NoTablesFolder {
                    text: self.text.clone(),
                })?
            }
        };
        Ok(Some(Arc::new(G::Tables::open(&folder)?)))
    }

    /// What the evaluation of a name weighs.
    fn weighing<G: Kit>(&self, name: &str) -> Result<Weighing<G>, SpecError> {
        G::weighing(name).ok_or_else(|| SpecError::Syntax {
            text: self.text.clone(),
            reason: format!("\"{name}\" plays by no weights of one's own"),
        })
    }

    /// The contestant that this specifies; reads the network file and the tables if there are any.
    ///
    /// # Errors
    /// If the game has no such player, or the network or the tables cannot be used.
    pub fn contestant<G: Kit>(&self) -> Result<Contestant<G>, SpecError> {
        let contestant = self.at_full_strength()?;
        Ok(match self.level {
            None => contestant,
            Some(level) => contestant.at_level(level),
        })
    }

    fn at_full_strength<G: Kit>(&self) -> Result<Contestant<G>, SpecError> {
        let (seed, setup) = (self.seed, self.setup);
        let (mut digest, mut tables) = (None, None);
        let make: MakePlayer<G> = match &self.kind {
            Kind::Random => Arc::new(move || Box::new(RandomPlayer::new(seed))),
            Kind::Greedy => Arc::new(move || Box::new(GreedyPlayer::new(seed))),
            Kind::Evaluation(name) => {
                let known = G::EVALUATIONS.iter().find(|known| *known == name);
                let Some(&known) = known else {
                    return Err(SpecError::Syntax {
                        text: self.text.clone(),
                        reason: format!(
                            "there is no player \"{name}\"; there are {}, neural:FILE, random and \
                             greedy",
                            G::EVALUATIONS.join(", ")
                        ),
                    });
                };
                let exact = self.exact_source()?;
                let Some(path) = &self.weights else {
                    let contestant = Contestant::of_evaluation(known, setup, exact);
                    return Ok(contestant.named(self.text.clone()));
                };
                let weighing = self.weighing::<G>(known)?;
                let (weights, of_weights) = weighing.load(known, path)?;
                digest = Some(of_weights);
                tables = exact.as_ref().map(|exact| exact.digest().to_owned());
                Arc::new(move || (weighing.player)(&weights, &setup, exact.clone()))
            }
            Kind::Neural(path) => {
                let network = Network::load(path)?;
                digest = Some(network.digest());
                let exact = self.exact_source::<G>()?;
                tables = exact.as_ref().map(|exact| exact.digest().to_owned());
                let make = G::network_player(&network, self.arithmetic, &setup, exact);
                make.map_err(|source| SpecError::Player {
                    path: path.clone(),
                    source,
                })?
            }
        };
        let deterministic = self.setup.limits.is_deterministic() || !self.searches();
        let contestant = Contestant::new(self.text.clone(), digest, deterministic, make);
        Ok(contestant.with_tables(tables))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::bagh_chal::Position;

    fn spec(text: &str) -> PlayerSpec {
        text.parse().unwrap()
    }

    #[test]
    fn limits_are_read() {
        assert_eq!(spec("claude@depth=6").limits(), Limits::depth(6));
        let time = Limits::time(Duration::from_millis(10));
        assert_eq!(spec("claude@time=10ms").limits(), time);
        assert_eq!(spec("claude@time=0.01s").limits(), time);
        assert_eq!(spec("claude").limits(), Limits::nodes(DEFAULT_NODES));
        let both = spec("neural:a@b/best.net@nodes=5000,depth=3,sharing=on");
        assert_eq!(both.kind, Kind::Neural("a@b/best.net".into()));
        assert_eq!(
            (both.limits().nodes, both.limits().depth),
            (Some(5000), Some(3))
        );
        assert_eq!(both.setup.sharing, Some(Sharing::Unrepeatable));
    }

    #[test]
    fn levels_bring_their_limits() {
        assert_eq!(spec("claude@level=1").limits().nodes, Some(30));
        assert_eq!(spec("claude@level=1,depth=4").limits(), Limits::depth(4));
        assert_eq!(
            spec("claude@level=10").limits(),
            Limits::nodes(DEFAULT_NODES)
        );
        let level = |number| Level::new(number).unwrap();
        let timed = spec("claude@time=1s");
        assert_eq!(timed.clone().at_level(level(10)).limits(), timed.limits());
        let second = timed.at_level(level(2));
        assert_eq!(second.limits(), Limits::nodes(60));
        assert_eq!(second.to_string(), "claude@level=2");
    }

    #[test]
    fn networks_are_computed_in_integers_unless_asked_otherwise() {
        let arithmetic = |text| spec(text).arithmetic;
        assert_eq!(arithmetic("neural:a.net@nodes=5"), Arithmetic::Integer);
        assert_eq!(arithmetic("neural:a.net@body=float"), Arithmetic::Float);
        assert_eq!(
            arithmetic("neural:a.net@nodes=5,body=integer"),
            Arithmetic::Integer
        );
    }

    #[test]
    fn exact_values_are_off_unless_asked_for() {
        assert_eq!(spec("claude@depth=6").exact, Exactness::Off);
        assert_eq!(spec("claude@exact=off").exact, Exactness::Off);
        let on = spec("claude@exact=on");
        assert_eq!(on.exact, Exactness::UsualFolder);
        assert_eq!(on.limits(), Limits::nodes(DEFAULT_NODES));
        let folder = spec("neural:a.net@nodes=5,exact=some/tables");
        assert_eq!(folder.exact, Exactness::Folder("some/tables".into()));
        assert_eq!(folder.to_string(), "neural:a.net@nodes=5,exact=some/tables");
        for (text, folder) in [
            ("claude@exact=/home/me@work/a,b", "/home/me@work/a,b"),
            ("neural:a@b.net@nodes=5,exact=me@work", "me@work"),
        ] {
            assert_eq!(spec(text).exact, Exactness::Folder(folder.into()));
        }
        let both = spec("claude@exact=on,nodes=5");
        assert_eq!(
            (both.exact, both.setup.limits),
            (Exactness::UsualFolder, Limits::nodes(5))
        );
    }

    #[test]
    fn missing_tables_are_named_with_what_makes_them() {
        let folder = tempfile::tempdir().unwrap();
        let text = format!("claude@nodes=5,exact={}", folder.path().display());
        let fault = spec(&text).contestant::<Position>().unwrap_err();
        let folder = folder.path().to_str().unwrap();
        assert!(fault.to_string().contains(folder), "{fault}");
        assert!(
            fault.to_string().contains("bagheera endgame build"),
            "{fault}"
        );
        assert!(!fault.is_usage());
    }

    #[test]
    fn specifications_written_by_the_program_read_back() {
        for limits in [
            Limits::depth(4),
            Limits::nodes(9),
            Limits::time(Duration::from_secs(2)),
        ] {
            let written = PlayerSpec::evaluation("claude", limits);
            assert_eq!(spec(&written.to_string()), written);
        }
    }

    #[test]
    fn faults_are_named_with_their_remedy() {
        for (text, reason) in [
            ("", "a player is written"),
            ("neural", "neural:FILE"),
            ("neural:", "names no file"),
            ("mystic:3", "no player \"mystic:\""),
            ("claude@6", "\"6\" is no option"),
            ("claude@depth=0", "from 1 to 64"),
            ("claude@depth=6,fast", "\"fast\" is no option"),
            ("claude@time=10", "like 10ms"),
            ("claude@time=0s", "like 10ms"),
            ("claude@seed=1", "no option \"seed\""),
            ("random@depth=3", "there is seed"),
            ("greedy@exact=on", "there is seed"),
            ("claude@exact=", "a folder of tables"),
            ("claude@killers=maybe", "on or off"),
            ("neural:a.net@body=double", "float or integer"),
            ("claude@body=integer", "body for networks"),
            ("claude@level=11", "from 1 to 10"),
            ("random@level=3", "no option \"level\""),
            ("claude@weights=", "names no file"),
            ("neural:a.net@weights=b", "no option \"weights\""),
        ] {
            let fault = text.parse::<PlayerSpec>().unwrap_err();
            assert!(fault.to_string().contains(reason), "{fault}");
            assert!(fault.is_usage());
        }
    }

    #[test]
    fn unknown_evaluations_list_the_known_ones() {
        let fault = spec("stockfish").contestant::<Position>().unwrap_err();
        assert!(fault.to_string().contains("claude"), "{fault}");
    }

    #[test]
    fn a_missing_network_names_its_file() {
        let fault = spec("neural:nowhere.net")
            .contestant::<Position>()
            .unwrap_err();
        assert!(fault.to_string().contains("nowhere.net"), "{fault}");
        assert!(!fault.is_usage());
    }
}
