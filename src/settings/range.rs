//! The range of a number in a configuration.

use std::fmt;
use std::ops::{Bound, RangeBounds};

use super::{SettingsError, path};

/// The range of a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ValueRange {
    least: Bound<f64>,
    most: Bound<f64>,
}

/// Returns the range from `least`, excluded, to `most`, included.
#[must_use]
pub fn above_to(least: f64, most: f64) -> (Bound<f64>, Bound<f64>) {
    (Bound::Excluded(least), Bound::Included(most))
}

/// Returns the range from `least` to `most`, both excluded.
#[must_use]
pub fn between(least: f64, most: f64) -> (Bound<f64>, Bound<f64>) {
    (Bound::Excluded(least), Bound::Excluded(most))
}

impl ValueRange {
    /// Converts a range of Rust.
    #[must_use]
    pub fn of<T: Copy + Into<f64>>(range: impl RangeBounds<T>) -> Self {
        let number = |bound: Bound<&T>| bound.map(|number| (*number).into());
        Self {
            least: number(range.start_bound()),
            most: number(range.end_bound()),
        }
    }

    /// Returns true if `number` lies in the range; NaN lies in none.
    #[must_use]
    pub fn contains(&self, number: f64) -> bool {
        !number.is_nan() && (self.least, self.most).contains(&number)
    }

    /// Checks the value of a key of a section.
    ///
    /// # Errors
    /// If one of its numbers is out of range.
    pub fn check(
        &self,
        section: &str,
        key: &str,
        value: &impl Numbers,
    ) -> Result<(), SettingsError> {
        let numbers = value.numbers();
        let fits = numbers.iter().all(|number| self.contains(*number));
        let numbers: Vec<_> = numbers.iter().map(f64::to_string).collect();
        let value = match &numbers[..] {
            [number] => number.clone(),
            _ => format!("[{}]", numbers.join(", ")),
        };
        SettingsError::unless(fits, &path(section, key), value, self)
    }
}

impl fmt::Display for ValueRange {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        if let (Bound::Included(least), Bound::Included(most)) = (self.least, self.most) {
            return write!(formatter, "{least} to {most}");
        }
        let least = match self.least {
            Bound::Included(least) => Some(format!("at least {least}")),
            Bound::Excluded(least) => Some(format!("above {least}")),
            Bound::Unbounded => None,
        };
        let most = match self.most {
            Bound::Included(most) => Some(format!("at most {most}")),
            Bound::Excluded(most) => Some(format!("below {most}")),
            Bound::Unbounded => None,
        };
        let parts: Vec<_> = least.into_iter().chain(most).collect();
        formatter.write_str(&parts.join(", "))
    }
}

/// A value of a configuration that consists of numbers.
pub trait Numbers {
    /// Returns the numbers; none if the value is absent.
    fn numbers(&self) -> Vec<f64>;
}

macro_rules! numbers {
    ($($type:ty)+) => {
        $(impl Numbers for $type {
            fn numbers(&self) -> Vec<f64> {
                vec![*self as f64]
            }
        })+
    };
}
numbers!(u32 u64 f32 f64);

impl<T: Numbers> Numbers for Option<T> {
    fn numbers(&self) -> Vec<f64> {
        self.as_ref().map(T::numbers).unwrap_or_default()
    }
}

impl<T: Numbers> Numbers for (T, T) {
    fn numbers(&self) -> Vec<f64> {
        [self.0.numbers(), self.1.numbers()].concat()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_is_checked_as_it_is_described() {
        for (range, text, inside, outside) in [
            (
                ValueRange::of(1..=9),
                "1 to 9",
                &[1.0, 9.0][..],
                &[0.9, 10.0][..],
            ),
            (ValueRange::of(4..), "at least 4", &[4.0, 1e30], &[3.0]),
            (
                ValueRange::of(0.0..=0.5),
                "0 to 0.5",
                &[0.0, 0.5],
                &[-1e-9, 0.6],
            ),
            (
                ValueRange::of(above_to(0.0, 1.0)),
                "above 0, at most 1",
                &[1e-9, 1.0],
                &[0.0, 1.1, f64::INFINITY],
            ),
            (
                ValueRange::of(between(0.0, 0.5)),
                "above 0, below 0.5",
                &[0.3],
                &[0.0, 0.5],
            ),
        ] {
            assert_eq!(range.to_string(), text);
            assert!(
                inside.iter().all(|number| range.contains(*number)),
                "{text}"
            );
            let mut outside = outside.iter().chain(&[f64::NAN]);
            assert!(outside.all(|number| !range.contains(*number)), "{text}");
        }
    }

    #[test]
    fn an_error_names_key_value_and_range() {
        let error = |value: &dyn Fn(ValueRange) -> Result<(), SettingsError>| {
            value(ValueRange::of(1..=9)).unwrap_err().to_string()
        };
        assert_eq!(
            error(&|range| range.check("", "seed", &12_u32)),
            "seed = 12 is out of range: 1 to 9"
        );
        assert_eq!(
            error(&|range| range.check("a", "b", &Some(0.5))),
            "a.b = 0.5 is out of range: 1 to 9"
        );
        assert_eq!(
            error(&|range| range.check("a", "b", &(3_u32, 10_u32))),
            "a.b = [3, 10] is out of range: 1 to 9"
        );
        assert_eq!(ValueRange::of(1..=9).check("a", "b", &None::<f64>), Ok(()));
    }
}
