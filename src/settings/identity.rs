//! The part of a configuration that identifies what was made with it.

use serde_json::{Map, Value};

use super::path;

/// The keys of version 0.1. This list never changes: see [`identity`].
const FIRST_KEYS: &str = "
    game seed quiet_limit bootstrap start_from continue_from rules
    selfplay.games selfplay.nodes selfplay.depth selfplay.opening_plies selfplay.opening_choices
    selfplay.random_move selfplay.branches selfplay.score_limit selfplay.exact
    selfplay.games_per_shard selfplay.augment
    network.features network.hidden network.activation
    training.window training.replay training.batch training.learning_rate
    training.learning_rate_end training.warmup training.loss training.result_weight
    training.result_weight_end training.weight_clip training.weight_decay training.age_decay
    training.validation training.validation_samples training.validate_every
    training.checkpoint_every
    gate.nodes gate.book gate.pairs gate.random_pairs gate.saturation gate.bounds gate.alpha
    gate.beta gate.max_pairs
    exam.positions";

/// Reduces the values of settings to those that identify them in digests and files: every key of
/// version 0.1, and later keys that depart from their default. So a key added by a new version, whose
/// default must keep the old behaviour, leaves runs of earlier versions what they were.
///
/// `section` is the key of the values in a configuration, empty for all of it.
pub fn identity(section: &str, values: &mut Map<String, Value>, defaults: &Map<String, Value>) {
    values.retain(|key, value| {
        let key_path = path(section, key);
        match (value, defaults.get(key)) {
            (Value::Object(values), Some(Value::Object(defaults))) => {
                identity(&key_path, values, defaults);
                !values.is_empty()
            }
            (value, default) => {
                let mut first = FIRST_KEYS.split_whitespace();
                first.any(|first| first == key_path) || Some(&*value) != default
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn identified(mut values: Value, defaults: &Value) -> Value {
        let map = values.as_object_mut().unwrap();
        identity("", map, defaults.as_object().unwrap());
        values
    }

    #[test]
    fn a_new_key_changes_no_identity_until_it_departs_from_its_default() {
        let first = json!({"seed": 1, "gate": {"pairs": 100, "nodes": 7}});
        let defaults = json!({
            "seed": 1, "mood": "calm", "gate": {"pairs": 100, "new": [2], "nodes": 9},
            "evening": {"length": 3},
        });
        let mut values = defaults.clone();
        values["gate"]["nodes"] = json!(7);
        assert_eq!(
            identified(values.clone(), &defaults).to_string(),
            first.to_string()
        );
        values["gate"]["new"] = json!([3]);
        values["mood"] = json!("wild");
        assert_eq!(
            identified(values, &defaults),
            json!({"seed": 1, "mood": "wild", "gate": {"pairs": 100, "nodes": 7, "new": [3]}})
        );
    }
}
