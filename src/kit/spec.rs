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
    Arithmetic, EndgameTables as _, ExactSource, Kit, Level, MakePlayer, PlayerFactory,
    SearchSetup, TunableParameters, tables_folder,
};
use crate::search::{GreedyPlayer, Limits, RandomPlayer};

#[derive(Clone, Debug, PartialEq)]
enum Kind {
    Evaluation(String),
    Neural(NetworkSource),
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
        grammar::parse(text).map_err(|reason| SpecError::Syntax {
            text: text.to_owned(),
            reason,
        })
    }
}

impl PlayerSpec {
    /// The specification of a hand-written evaluation with given limits.
    #[must_use]
    pub fn evaluation(name: &str, limits: Limits) -> Self {
        Self::limited(name, Kind::Evaluation(name.to_owned()), limits)
    }

    /// The specification of the network that comes with the program, with given limits.
    #[must_use]
    pub fn shipped_network(limits: Limits) -> Self {
        Self::limited("neural", Kind::Neural(NetworkSource::Shipped), limits)
    }

    fn limited(name: &str, kind: Kind, limits: Limits) -> Self {
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
            kind,
            arithmetic: Arithmetic::default(),
            setup: SearchSetup::with_limits(limits),
            exact: Exactness::Off,
            weights: None,
            level: None,
            seed: 0,
        }
    }

    /// The same player at a level, whose limits take the place of its own but at the strongest.
    ///
    /// A player that does not search has no levels and stays as it is.
    #[must_use]
    pub fn at_level(mut self, level: Level) -> Self {
        if !self.searches() {
            return self;
        }
        if let Some(limits) = level.limits() {
            let (name, _) = grammar::split_options(grammar::split_folder(&self.text).0);
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

    /// The network that it plays by, if it does.
    #[must_use]
    pub fn network(&self) -> Option<&NetworkSource> {
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
    fn tunable<G: Kit>(&self, name: &str) -> Result<TunableParameters<G>, SpecError> {
        G::tunable(name).ok_or_else(|| SpecError::Syntax {
            text: self.text.clone(),
            reason: format!("\"{name}\" plays by no weights of one's own"),
        })
    }

    /// The player_factory that this specifies; reads the network and the tables if there are any.
    ///
    /// # Errors
    /// If the game has no such player, or the network or the tables cannot be used.
    pub fn player_factory<G: Kit>(&self) -> Result<PlayerFactory<G>, SpecError> {
        let player_factory = self.at_full_strength()?;
        Ok(match self.level {
            None => player_factory,
            Some(level) => player_factory.at_level(level),
        })
    }

    fn at_full_strength<G: Kit>(&self) -> Result<PlayerFactory<G>, SpecError> {
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
                            "there is no player \"{name}\"; there are {}, neural, neural:FILE, \
                             random and greedy",
                            G::EVALUATIONS.join(", ")
                        ),
                    });
                };
                let exact = self.exact_source()?;
                let Some(path) = &self.weights else {
                    let player_factory = PlayerFactory::of_evaluation(known, setup, exact);
                    return Ok(player_factory.named(self.text.clone()));
                };
                let tunable = self.tunable::<G>(known)?;
                let (weights, of_weights) = tunable.load(known, path)?;
                digest = Some(of_weights);
                tables = exact.as_ref().map(|exact| exact.digest().to_owned());
                Arc::new(move || (tunable.player)(&weights, &setup, exact.clone()))
            }
            Kind::Neural(source) => {
                let network = source.load::<G>()?;
                digest = Some(network.digest());
                let exact = self.exact_source::<G>()?;
                tables = exact.as_ref().map(|exact| exact.digest().to_owned());
                let make = G::network_player(&network, self.arithmetic, &setup, exact);
                make.map_err(|fault| SpecError::Player {
                    network: source.clone(),
                    source: fault,
                })?
            }
        };
        let deterministic = self.setup.limits.is_deterministic() || !self.searches();
        let player_factory = PlayerFactory::new(self.text.clone(), digest, deterministic, make);
        Ok(player_factory.with_tables(tables))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use proptest::prelude::*;

    use super::grammar::DEFAULT_NODES;
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
        fn any_words_are_refused_or_a_player_of_that_name(
            name in "(claude|neural|neural:[a@:=,.]{0,6}|random|greedy|[a-z@:]{0,4})",
            options in prop::collection::vec(
                "(depth|nodes|time|level|hash|seed|sharing|replace|body|exact|weights|[a-z]{1,4})\
                 (=([0-9]{0,21}|-?[0-9.e]{1,6}m?s|on|off|all|always|integer|[a-z@,./]{0,4}))?",
                0..4,
            ),
        ) {
            let text = format!("{name}@{}", options.join(","));
            if let Ok(spec) = text.parse::<PlayerSpec>() {
                prop_assert_eq!(spec.to_string(), text);
                prop_assert!((1..=64).contains(&spec.limits().max_depth()));
                let weakest = spec.clone().at_level(Level::new(1).unwrap());
                let again: PlayerSpec = weakest.to_string().parse().unwrap();
                prop_assert_eq!(again.network(), spec.network());
            }
        }
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
        let random = spec("random@seed=5");
        assert_eq!(random.clone().at_level(level(1)), random);
        let timed = spec("claude@time=1s");
        assert_eq!(timed.clone().at_level(level(10)).limits(), timed.limits());
        let second = timed.at_level(level(2));
        assert_eq!(second.limits(), Limits::nodes(60));
        assert_eq!(second.to_string(), "claude@level=2");
    }

    #[test]
    fn a_network_that_is_not_named_is_the_one_that_comes_with_the_program() {
        let shipped = spec("neural@nodes=50");
        assert_eq!(shipped.network(), Some(&NetworkSource::Shipped));
        let player_factory = shipped.player_factory::<Position>().unwrap();
        let network = NetworkSource::Shipped.load::<Position>().unwrap();
        assert_eq!(player_factory.digest, Some(network.digest()));
        let described = include_str!("../../data/networks/README.md");
        assert!(described.contains(&network.digest()));
        assert_eq!(player_factory.name, "neural@nodes=50");
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
            ("neural:", "names no file"),
            ("mystic:3", "no player \"mystic:\""),
            ("claude@6", "\"6\" is no option"),
            (",exact=@nodes=5", "a player is written NAME"),
            (",exact=,@nodes=5", "no player \",exact=,\""),
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
        let fault = spec("stockfish").player_factory::<Position>().unwrap_err();
        assert!(fault.to_string().contains("claude"), "{fault}");
    }

    #[test]
    fn a_missing_network_names_its_file() {
        let fault = spec("neural:nowhere.net")
            .player_factory::<Position>()
            .unwrap_err();
        assert!(fault.to_string().contains("nowhere.net"), "{fault}");
        assert!(!fault.is_usage());
    }
}
