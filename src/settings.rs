//! Sections of a configuration: each key with its default, range and help, stated once.

mod identity;
mod range;

use serde::Serialize;
use serde_json::{Map, Value};
use thiserror::Error;

pub use identity::identity;
pub use range::{ValueRange, above_to, between};

/// A key of a configuration.
#[derive(Clone, Debug, PartialEq)]
pub struct SettingKey {
    /// Its dotted path in a configuration, such as `training.batch`.
    pub path: String,
    /// Its type in Rust, such as `u32` or `Option < f64 >`.
    pub kind: &'static str,
    /// What it means.
    pub help: String,
    /// The range of its number or numbers, if it is restricted.
    pub range: Option<ValueRange>,
    /// Its default; null if absent by default.
    pub default: Value,
}

/// A value outside the range of its key.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{path} = {value} is out of range: {allowed}")]
pub struct SettingsError {
    /// The dotted path of the key.
    pub path: String,
    /// Its value.
    pub value: String,
    /// The values allowed.
    pub allowed: String,
}

impl SettingsError {
    /// Returns `Ok` if `fits`, and otherwise the error of `value` at `path`.
    pub(crate) fn unless(
        fits: bool,
        path: &str,
        value: impl ToString,
        allowed: impl ToString,
    ) -> Result<(), Self> {
        if fits {
            return Ok(());
        }
        Err(Self {
            path: path.to_owned(),
            value: value.to_string(),
            allowed: allowed.to_string(),
        })
    }
}

/// A section of a configuration, or all of it, as `settings!` declares
/// it.
pub trait Section: Default + Serialize {
    /// The dotted path of the section; empty for the whole configuration.
    const PATH: &'static str;

    /// Returns the keys in the order of the fields.
    fn keys() -> Vec<SettingKey>;

    /// Checks each value against the range of its key.
    ///
    /// # Errors
    /// If a value is out of range; names the first one.
    fn check_ranges(&self) -> Result<(), SettingsError>;

    /// Returns the values as JSON, by key.
    #[must_use]
    fn values(&self) -> Map<String, Value> {
        match serde_json::to_value(self) {
            Ok(Value::Object(values)) => values,
            _ => unreachable!("settings are a struct of plain values"),
        }
    }
}

/// Returns the dotted path of a key of a section.
pub(crate) fn path(section: &str, key: &str) -> String {
    match section {
        "" => key.to_owned(),
        _ => format!("{section}.{key}"),
    }
}

/// Declares the struct of a section of a configuration, with `Default`, serde and [`Section`].
///
/// Each key is one entry, of which help, default, range, check and error message follow:
///
/// ```text
/// /// Help. Becomes the field's documentation.
/// name: Type = default, in RANGE;
/// ```
///
/// `in RANGE` is optional: `1..=9`, `1..`, `above_to(0.0, 1.0)` or `between(0.0, 0.5)`. A block
/// `sections { … }` after the struct declares fields that are sections themselves.
///
/// To add a key, add its entry. Its default must keep the behaviour of earlier versions, since runs
/// that they began have it (see [`identity`]).
macro_rules! settings {
    (
        $(#[doc = $about:literal])+
        pub struct $name:ident at $section:literal {
            $(
                $(#[doc = $help:literal])+
                $(#[serde($($serde:tt)+)])?
                $key:ident: $type:ty = $default:expr $(, in $range:expr)?;
            )+
        }
        $(sections {
            $(
                $(#[doc = $part_help:literal])+
                $part:ident: $part_type:ty;
            )+
        })?
    ) => {
        $(#[doc = $about])+
        #[derive(Clone, Debug, PartialEq, ::serde::Serialize, ::serde::Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct $name {
            $(
                $(#[doc = $help])+
                $(#[doc = concat!("\n\nRange: `", stringify!($range), "`.")])?
                $(#[serde($($serde)+)])?
                pub $key: $type,
            )+
            $($(
                $(#[doc = $part_help])+
                pub $part: $part_type,
            )+)?
        }

        impl Default for $name {
            fn default() -> Self {
                Self {
                    $($key: $default,)+
                    $($($part: <$part_type>::default(),)+)?
                }
            }
        }

        impl $crate::settings::Section for $name {
            const PATH: &'static str = $section;

            fn keys() -> Vec<$crate::settings::SettingKey> {
                let defaults = Self::default().values();
                let keys = [$($crate::settings::SettingKey {
                    path: $crate::settings::path($section, stringify!($key)),
                    kind: stringify!($type),
                    help: concat!($($help),+).trim().to_owned(),
                    range: None $(.or(Some($crate::settings::ValueRange::of($range))))?,
                    default: defaults.get(stringify!($key)).cloned().unwrap_or_default(),
                }),+];
                #[allow(unused_mut, reason = "not every section has parts")]
                let mut keys = Vec::from(keys);
                $($(keys.extend(<$part_type>::keys());)+)?
                keys
            }

            fn check_ranges(&self) -> Result<(), $crate::settings::SettingsError> {
                $($(
                    let range = $crate::settings::ValueRange::of($range);
                    range.check($section, stringify!($key), &self.$key)?;
                )?)+
                $($(self.$part.check_ranges()?;)+)?
                Ok(())
            }
        }
    };
}
pub(crate) use settings;
