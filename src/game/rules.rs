//! The rules that players agree on, in config files and on the command line.

use super::Game;

/// Reads rules from a table; missing keys have their defaults.
///
/// # Errors
/// Names the key or value that the game does not have.
pub fn read_rules<G: Game>(table: &toml::Table) -> Result<G::Rules, String> {
    if table.is_empty() {
        return Ok(G::Rules::default());
    }
    if write_rules::<G>(&G::Rules::default()).is_empty() {
        return Err(format!("the game {} has no rules to set", G::NAME));
    }
    let rules: Result<G::Rules, _> = table.clone().try_into();
    rules.map_err(|error| error.message().to_owned())
}

/// Writes rules as a table with all keys.
pub fn write_rules<G: Game>(rules: &G::Rules) -> toml::Table {
    // Rules without keys are not a table.
    toml::Table::try_from(rules).unwrap_or_default()
}

/// Writes rules on one line, as in `side = 7`; empty if the game has none to set.
pub fn format_rules<G: Game>(rules: &G::Rules) -> String {
    let table = write_rules::<G>(rules);
    let pairs: Vec<String> = table
        .iter()
        .map(|(key, value)| format!("{key} = {value}"))
        .collect();
    pairs.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{bagh_chal, y};

    fn read<G: Game>(text: &str) -> Result<G::Rules, String> {
        read_rules::<G>(&text.parse().unwrap())
    }

    #[test]
    fn rules_round_trip_and_errors_name_the_key() {
        let small = read::<y::Position>("side = 3").unwrap();
        assert_eq!(small, y::Rules::new(3).unwrap());
        assert_eq!(
            write_rules::<y::Position>(&small),
            "side = 3".parse().unwrap()
        );
        assert_eq!(format_rules::<y::Position>(&small), "side = 3");
        assert_eq!(read::<y::Position>("").unwrap(), y::Rules::default());
        let error = read::<y::Position>("width = 3").unwrap_err();
        assert!(error.contains("unknown field `width`"), "{error}");
        assert!(read::<y::Position>("side = 99").is_err());

        read::<bagh_chal::Position>("").unwrap();
        assert!(write_rules::<bagh_chal::Position>(&()).is_empty());
        let error = read::<bagh_chal::Position>("side = 3").unwrap_err();
        assert!(error.contains("no rules to set"), "{error}");
    }
}
