//! What a game leaves to be agreed, as configurations and the command line have it.

use super::Game;

/// The rules that a table names; what it leaves out is as usual.
///
/// # Errors
/// Says which key or value the game does not have.
pub fn read_rules<G: Game>(table: &toml::Table) -> Result<G::Rules, String> {
    if table.is_empty() {
        return Ok(G::Rules::default());
    }
    if write_rules::<G>(&G::Rules::default()).is_empty() {
        return Err(format!("the game {} leaves nothing to be agreed", G::NAME));
    }
    let rules: Result<G::Rules, _> = table.clone().try_into();
    rules.map_err(|error| error.message().to_owned())
}

/// Rules as a table that names all that the game leaves to be agreed.
pub fn write_rules<G: Game>(rules: &G::Rules) -> toml::Table {
    // Rules that leave nothing open are no table at all.
    toml::Table::try_from(rules).unwrap_or_default()
}

/// Rules on one line, as in `side = 7`; empty if nothing is left to be agreed.
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
    fn rules_come_back_and_faults_are_named() {
        let small = read::<y::Position>("side = 3").unwrap();
        assert_eq!(small, y::Rules::new(3).unwrap());
        assert_eq!(
            write_rules::<y::Position>(&small),
            "side = 3".parse().unwrap()
        );
        assert_eq!(format_rules::<y::Position>(&small), "side = 3");
        assert_eq!(read::<y::Position>("").unwrap(), y::Rules::default());
        let fault = read::<y::Position>("width = 3").unwrap_err();
        assert!(fault.contains("unknown field `width`"), "{fault}");
        assert!(read::<y::Position>("side = 99").is_err());

        read::<bagh_chal::Position>("").unwrap();
        assert!(write_rules::<bagh_chal::Position>(&()).is_empty());
        let fault = read::<bagh_chal::Position>("side = 3").unwrap_err();
        assert!(fault.contains("nothing to be agreed"), "{fault}");
    }
}
