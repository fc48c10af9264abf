//! Player specifications: `claude@depth=6`, `neural@time=1s`, `neural:best.net@nodes=5000`,
//! `random@seed=1`.

mod error;
mod grammar;
mod source;

pub use error::SpecError;
pub use source::NetworkSource;

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

use super::{
    EndgameTables as _, ExactSource, Kit, Level, MakePlayer, PlayerFactory, SearchSetup,
    TunableParameters, evaluation_names, network_player, tables_folder,
};
use crate::search::{GreedyPlayer, Limits, RandomPlayer};

/// Nodes per move of a player without limits.
const DEFAULT_NODES: u64 = 10_000;

#[derive(Clone, Debug, PartialEq)]
enum Kind {
    Evaluation(String),
    Neural(NetworkSource),
    Random,
    Greedy,
}

/// The description of a player. As text it reads back the same, and equal specifications have equal
/// texts, which are the names of players in files.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayerSpec {
    kind: Kind,
    /// Its limits are those given; [`PlayerSpec::limits`] adds the defaults.
    setup: SearchSetup,
    exact: Exactness,
    weights: Option<PathBuf>,
    level: Option<Level>,
    seed: u64,
}

/// Where a player's endgame tables are.
#[derive(Clone, Debug, PartialEq)]
enum Exactness {
    Off,
    DefaultFolder,
    Folder(PathBuf),
}

impl fmt::Display for PlayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            Kind::Evaluation(name) => f.write_str(name)?,
            Kind::Neural(source) => f.write_str(&source.word())?,
            Kind::Random => f.write_str("random")?,
            Kind::Greedy => f.write_str("greedy")?,
        }
        let options = grammar::options(self);
        if options.is_empty() {
            return Ok(());
        }
        write!(f, "@{}", options.join(","))
    }
}

impl FromStr for PlayerSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        grammar::parse(text).map_err(|reason| SpecError::Syntax {
            text: text.to_owned(),
            reason,
        })
    }
}

impl PlayerSpec {
    fn new(kind: Kind, limits: Limits) -> Self {
        Self {
            kind,
            setup: SearchSetup::with_limits(limits),
            exact: Exactness::Off,
            weights: None,
            level: None,
            seed: 0,
        }
    }

    /// The hand-written evaluation of that name.
    #[must_use]
    pub fn evaluation(name: &str, limits: Limits) -> Self {
        Self::new(Kind::Evaluation(name.to_owned()), limits)
    }

    /// The evaluation that networks are measured against.
    #[must_use]
    pub fn hand_written<G: Kit>(limits: Limits) -> Self {
        Self::evaluation(G::hand_written().name, limits)
    }

    /// A network.
    #[must_use]
    pub fn network(source: NetworkSource, limits: Limits) -> Self {
        Self::new(Kind::Neural(source), limits)
    }

    /// The player of random moves.
    #[must_use]
    pub fn random(seed: u64) -> Self {
        Self {
            seed,
            ..Self::new(Kind::Random, Limits::default())
        }
    }

    /// Sets the level. Every level but the strongest replaces the limits by its own.
    ///
    /// A player that does not search has no levels and does not change.
    #[must_use]
    pub fn at_level(mut self, level: Level) -> Self {
        if self.searches() {
            if level.limits().is_some() {
                self.setup.limits = Limits::default();
            }
            self.level = Some(level);
        }
        self
    }

    /// Returns the text of the specification that `name` is, or else `name`: names in files may have
    /// their options in any order.
    #[must_use]
    pub fn canonical_name(name: &str) -> String {
        let spec = name.parse::<Self>();
        spec.map_or_else(|_| name.to_owned(), |spec| spec.to_string())
    }

    /// The level, if one is given.
    #[must_use]
    pub fn level(&self) -> Option<Level> {
        self.level
    }

    /// The limits of its searches: those given, or else the level's, or else the default.
    #[must_use]
    pub fn limits(&self) -> Limits {
        if self.setup.limits != Limits::default() {
            return self.setup.limits;
        }
        let limits = self.level.and_then(Level::limits);
        limits.unwrap_or(Limits::nodes(DEFAULT_NODES))
    }

    /// Its network, if it has one.
    #[must_use]
    pub fn network_source(&self) -> Option<&NetworkSource> {
        match &self.kind {
            Kind::Neural(source) => Some(source),
            _ => None,
        }
    }

    /// Whether the player searches, and so scores positions.
    #[must_use]
    pub fn searches(&self) -> bool {
        matches!(self.kind, Kind::Evaluation(_) | Kind::Neural(_))
    }

    fn exact_source<G: Kit>(&self) -> Result<Option<ExactSource<G>>, SpecError> {
        let folder = match &self.exact {
            Exactness::Off => return Ok(None),
            Exactness::Folder(folder) => folder.clone(),
            Exactness::DefaultFolder => {
                tables_folder(G::NAME).ok_or_else(|| SpecError::NoTablesFolder {
                    text: self.to_string(),
                })?
            }
        };
        Ok(Some(Arc::new(G::Tables::open(&folder)?)))
    }

    fn tunable<G: Kit>(&self, name: &str) -> Result<TunableParameters<G>, SpecError> {
        G::tunable(name).ok_or_else(|| SpecError::Syntax {
            text: self.to_string(),
            reason: format!("\"{name}\" has no tunable weights"),
        })
    }

    /// Makes the factory of the player; reads its network, weights and tables.
    ///
    /// # Errors
    /// If the game has no such player, or a file cannot be used.
    pub fn player_factory<G: Kit>(&self) -> Result<PlayerFactory<G>, SpecError> {
        let player_factory = self.at_full_strength()?;
        Ok(match self.level {
            None => player_factory,
            Some(level) => player_factory.at_level(level),
        })
    }

    fn at_full_strength<G: Kit>(&self) -> Result<PlayerFactory<G>, SpecError> {
        let seed = self.seed;
        let setup = SearchSetup {
            limits: self.limits(),
            ..self.setup
        };
        let (mut digest, mut tables) = (None, None);
        let make: MakePlayer<G> = match &self.kind {
            Kind::Random => Arc::new(move || Box::new(RandomPlayer::new(seed))),
            Kind::Greedy => Arc::new(move || Box::new(GreedyPlayer::new(seed))),
            Kind::Evaluation(name) => {
                let evaluation = G::evaluation(name).ok_or_else(|| SpecError::Syntax {
                    text: self.to_string(),
                    reason: format!(
                        "there is no player \"{name}\"; there are {}, neural, neural:FILE, random \
                         and greedy",
                        evaluation_names::<G>()
                    ),
                })?;
                let exact = self.exact_source()?;
                let Some(path) = &self.weights else {
                    let player_factory = PlayerFactory::of_evaluation(evaluation, setup, exact);
                    return Ok(player_factory.named(self.to_string()));
                };
                let tunable = self.tunable::<G>(name)?;
                let (weights, of_weights) = tunable.load(name, path)?;
                digest = Some(of_weights);
                tables = exact.as_ref().map(|exact| exact.digest().to_owned());
                Arc::new(move || (tunable.player)(&weights, &setup, exact.clone()))
            }
            Kind::Neural(source) => {
                let network = source.load::<G>()?;
                digest = Some(network.digest());
                let exact = self.exact_source::<G>()?;
                tables = exact.as_ref().map(|exact| exact.digest().to_owned());
                let make = network_player::<G>(&network, &setup, exact);
                make.map_err(|fault| SpecError::Player {
                    network: source.clone(),
                    source: fault,
                })?
            }
        };
        let deterministic = setup.limits.is_deterministic() || !self.searches();
        let player_factory = PlayerFactory::new(self.to_string(), digest, deterministic, make);
        Ok(player_factory.with_tables(tables))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use proptest::prelude::*;

    use super::*;
    use crate::games::bagh_chal::Position;
    use crate::search::Sharing;

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
        assert_eq!(
            both.kind,
            Kind::Neural(NetworkSource::File("a@b/best.net".into()))
        );
        assert_eq!(
            (both.limits().nodes, both.limits().depth),
            (Some(5000), Some(3))
        );
        assert_eq!(both.setup.sharing, Some(Sharing::Unrepeatable));
    }

    proptest! {
        #[test]
        fn any_text_is_rejected_or_reads_back(
            name in "(claude|neural|neural:[a@:=,.]{0,6}|random|greedy|[a-z@:]{0,4})",
            options in prop::collection::vec(
                "(depth|nodes|time|level|hash|seed|sharing|replace|exact|weights|[a-z]{1,4})\
                 (=([0-9]{0,21}|-?[0-9.e]{1,6}m?s|on|off|all|always|integer|[a-z@,./]{0,4}))?",
                0..4,
            ),
        ) {
            let text = format!("{name}@{}", options.join(","));
            if let Ok(spec) = text.parse::<PlayerSpec>() {
                prop_assert!((1..=64).contains(&spec.limits().max_depth()));
                let weakest = spec.clone().at_level(Level::new(1).unwrap());
                for spec in [spec, weakest] {
                    let again: PlayerSpec = spec.to_string().parse().unwrap();
                    prop_assert_eq!(again, spec);
                }
            }
        }
    }

    #[test]
    fn levels_have_limits_of_their_own() {
        assert_eq!(spec("claude@level=1").limits().nodes, Some(30));
        assert_eq!(spec("claude@level=1,depth=4").limits(), Limits::depth(4));
        assert_eq!(
            spec("claude@level=10").limits(),
            Limits::nodes(DEFAULT_NODES)
        );
        let level = |number| Level::new(number).unwrap();
        let random = spec("random@seed=5");
        assert_eq!(random.clone().at_level(level(1)), random);
        let timed = spec("claude@time=1s");
        assert_eq!(timed.clone().at_level(level(10)).limits(), timed.limits());
        let second = timed.at_level(level(2));
        assert_eq!(second.limits(), Limits::nodes(60));
        assert_eq!(second.to_string(), "claude@level=2");
    }

    #[test]
    fn the_default_network_is_the_shipped_one() {
        let shipped = spec("neural@nodes=50");
        assert_eq!(shipped.network_source(), Some(&NetworkSource::Shipped));
        let player_factory = shipped.player_factory::<Position>().unwrap();
        let network = NetworkSource::Shipped.load::<Position>().unwrap();
        assert_eq!(player_factory.digest, Some(network.digest()));
        let described = include_str!("../../data/networks/README.md");
        assert!(described.contains(&network.digest()));
        assert_eq!(player_factory.name, "neural@nodes=50");
    }

    #[test]
    fn the_older_option_for_integers_is_ignored() {
        let plain = spec("neural:a.net@nodes=5");
        assert_eq!(spec("neural:a.net@nodes=5,body=integer"), plain);
    }

    #[test]
    fn tables_are_off_by_default() {
        assert_eq!(spec("claude@depth=6").exact, Exactness::Off);
        assert_eq!(spec("claude@exact=off").exact, Exactness::Off);
        let on = spec("claude@exact=on");
        assert_eq!(on.exact, Exactness::DefaultFolder);
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
            (both.exact.clone(), both.limits()),
            (Exactness::DefaultFolder, Limits::nodes(5))
        );
    }

    #[test]
    fn the_error_of_missing_tables_names_their_folder_and_the_remedy() {
        let folder = tempfile::tempdir().unwrap();
        let text = format!("claude@nodes=5,exact={}", folder.path().display());
        let fault = spec(&text).player_factory::<Position>().unwrap_err();
        let folder = folder.path().to_str().unwrap();
        assert!(fault.to_string().contains(folder), "{fault}");
        assert!(
            fault.to_string().contains("bagheera endgame build"),
            "{fault}"
        );
        assert!(!fault.is_usage());
    }

    #[test]
    fn constructed_specifications_read_back() {
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
    fn options_have_one_order() {
        for (text, name) in [
            ("claude", "claude"),
            ("claude@nodes=10000", "claude@nodes=10000"),
            (
                "claude@nodes=5,exact=off,killers=off,depth=3",
                "claude@depth=3,nodes=5,killers=off",
            ),
            (
                "neural:a.net@exact=on,replace=always,time=0.5s,sharing=all",
                "neural:a.net@time=500ms,sharing=all,replace=always,exact=on",
            ),
            ("greedy@seed=0", "greedy"),
            ("generation 3@nodes=5", "generation 3@nodes=5"),
        ] {
            assert_eq!(PlayerSpec::canonical_name(text), name);
        }
    }

    #[test]
    fn syntax_errors_name_the_remedy() {
        for (text, reason) in [
            ("", "a player is written"),
            ("neural:", "names no file"),
            ("mystic:3", "no player \"mystic:\""),
            ("claude@6", "\"6\" is not an option"),
            (",exact=@nodes=5", "a player is written NAME"),
            (",exact=,@nodes=5", "no player \",exact=,\""),
            ("claude@depth=0", "from 1 to 64"),
            ("claude@depth=6,fast", "\"fast\" is not an option"),
            ("claude@time=10", "like 10ms"),
            ("claude@time=0s", "like 10ms"),
            ("claude@seed=1", "no option \"seed\""),
            ("random@depth=3", "there is seed"),
            ("greedy@exact=on", "there is seed"),
            ("claude@exact=", "a folder of tables"),
            ("claude@killers=maybe", "on or off"),
            ("neural:a.net@body=float", "play in integers"),
            ("claude@body=integer", "no option \"body\""),
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
    fn the_error_of_an_unknown_evaluation_lists_the_known_ones() {
        let fault = spec("stockfish").player_factory::<Position>().unwrap_err();
        assert!(fault.to_string().contains("claude"), "{fault}");
    }

    #[test]
    fn the_error_of_a_missing_network_names_its_file() {
        let fault = spec("neural:nowhere.net")
            .player_factory::<Position>()
            .unwrap_err();
        assert!(fault.to_string().contains("nowhere.net"), "{fault}");
        assert!(!fault.is_usage());
    }
}
