//! The text of specifications.

use std::time::Duration;

use super::{Exactness, Kind, NetworkSource, PlayerSpec};
use crate::kit::Level;
use crate::search::{Limits, MAX_DEPTH, Sharing, Switches};

/// The syntax, for messages.
const GRAMMAR: &str = "a player is written NAME, neural, neural:FILE, random or greedy, then options like \
     @depth=6, @nodes=5000, @time=10ms or @exact=on, separated by commas; a folder of tables, exact=DIR, \
     comes last";

/// Splits off a folder of tables, which comes last because it may contain separators.
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

/// Splits off the options: the text after the last @ if it contains a =. File names may contain an @ too.
fn split_options(text: &str) -> (&str, &str) {
    match text.rsplit_once('@') {
        Some((name, options)) if options.contains('=') => (name, options),
        _ => (text, ""),
    }
}

pub(super) fn parse(whole: &str) -> Result<PlayerSpec, String> {
    let (text, folder) = split_folder(whole);
    let (name, options) = split_options(text);
    if let Some((_, options)) = name.split_once('@')
        && !name.starts_with("neural:")
    {
        return Err(format!("\"{options}\" is not an option; {GRAMMAR}"));
    }
    let kind = match name.split_once(':') {
        Some(("neural", "")) => return Err(format!("neural: names no file; {GRAMMAR}")),
        Some(("neural", path)) => Kind::Neural(NetworkSource::File(path.into())),
        Some((other, _)) => return Err(format!("there is no player \"{other}:\"; {GRAMMAR}")),
        None => match name {
            "random" => Kind::Random,
            "greedy" => Kind::Greedy,
            "neural" => Kind::Neural(NetworkSource::Shipped),
            "" => return Err(GRAMMAR.to_owned()),
            // A name with a separator would not read back.
            name if name.contains(|c: char| !c.is_ascii_alphanumeric() && c != '-') => {
                return Err(format!("there is no player \"{name}\"; {GRAMMAR}"));
            }
            name => Kind::Evaluation(name.to_owned()),
        },
    };
    let mut spec = PlayerSpec::new(kind, Limits::default());
    for option in options.split(',').filter(|option| !option.is_empty()) {
        let Some((key, value)) = option.split_once('=') else {
            return Err(format!("\"{option}\" is not an option; {GRAMMAR}"));
        };
        read_option(&mut spec, key, value)?;
    }
    if let Some(folder) = folder {
        read_option(&mut spec, "exact", folder)?;
    }
    Ok(spec)
}

/// Returns the options of a specification that differ from the defaults, in a fixed order that
/// [`parse`] reads.
pub(super) fn options(spec: &PlayerSpec) -> Vec<String> {
    let (setup, mut on, mut usual) = (&spec.setup, spec.setup.on, Switches::default());
    let limits = setup.limits;
    let seed = (spec.seed != 0).then_some(spec.seed);
    let named = [
        seed.map(|seed| format!("seed={seed}")),
        limits.depth.map(|depth| format!("depth={depth}")),
        limits.nodes.map(|nodes| format!("nodes={nodes}")),
        limits
            .time
            .map(|time| format!("time={}", format_duration(time))),
        spec.level.map(|level| format!("level={}", level.number())),
        setup.hash_bits.map(|bits| format!("hash={bits}")),
        setup.sharing.map(|sharing| {
            let sharing = match sharing {
                Sharing::Off => "off",
                Sharing::Unrepeatable => "on",
                Sharing::All => "all",
            };
            format!("sharing={sharing}")
        }),
        setup.always_replace.then(|| "replace=always".to_owned()),
        (spec.weights.as_ref()).map(|weights| format!("weights={}", weights.display())),
    ];
    let switches = Switches::NAMES.iter().filter_map(|(name, _)| {
        let (on, usual) = (*on.by_name(name)?, *usual.by_name(name)?);
        (on != usual).then(|| format!("{name}={}", if on { "on" } else { "off" }))
    });
    let exact = match &spec.exact {
        Exactness::Off => None,
        Exactness::DefaultFolder => Some("exact=on".to_owned()),
        Exactness::Folder(folder) => Some(format!("exact={}", folder.display())),
    };
    let options = named.into_iter().flatten();
    options.chain(switches).chain(exact).collect()
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
            // Earlier versions also played networks in floating point.
            if value != "integer" {
                return Err("networks play in integers; leave out body".to_owned());
            }
        }
        ("exact", true) => {
            spec.exact = match value {
                "" => return Err("exact is on, off or a folder of tables".to_owned()),
                "on" => Exactness::DefaultFolder,
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
                let names = Switches::NAMES.iter().map(|(name, _)| *name);
                let names: Vec<_> = names.collect();
                return Err(format!(
                    "has no option \"{key}\"; there are depth, nodes, time, level, exact, weights, \
                     hash, sharing, replace and {}",
                    names.join(", ")
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

fn format_duration(time: Duration) -> String {
    match time.as_secs() {
        0 => format!("{}ms", time.as_nanos() as f64 / 1e6),
        _ => format!("{}s", time.as_secs_f64()),
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
