//! Numbers with units as the user types them: `60s`, `10min`, `1h`, `500000i`, `5000000w`, `2GiB`.
//!
//! A bare number is seconds (durations) or megabytes of 2^20 bytes (sizes), as KLEE.

use homi_config::Budget;
use std::num::IntErrorKind;
use std::time::Duration;

/// Splits `12.5min` into 12.5 and `min`.
fn split(text: &str) -> Result<(f64, &str), String> {
    let end = text
        .find(|c: char| !(c.is_ascii_digit() || c == '.'))
        .unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let value = number
        .parse::<f64>()
        .map_err(|_| format!("`{text}` does not start with a number"))?;
    Ok((value, unit.trim()))
}

/// Parses a duration of wall time.
pub fn duration(text: &str) -> Result<Duration, String> {
    let (value, unit) = split(text)?;
    let seconds = match unit {
        "" | "s" | "sec" => 1.0,
        "us" => 1e-6,
        "ms" => 1e-3,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        "d" => 86_400.0,
        "i" => return Err("expected a time, not a number of instructions".to_string()),
        "w" => return Err("expected a time, not an amount of work".to_string()),
        _ => {
            return Err(format!(
                "unknown unit `{unit}` (use us, ms, s, min, h or d)"
            ));
        }
    };
    Duration::try_from_secs_f64(value * seconds).map_err(|_| format!("`{text}` is too long"))
}

/// Parses a duration of wall time, with suffix `i` a number of instructions, or with suffix `w` one
/// of units of work.
pub fn budget(text: &str) -> Result<Budget, String> {
    if let Some(number) = text.strip_suffix('i') {
        return count(text, number, "instructions").map(Budget::Instructions);
    }
    time_or_work(text)
}

/// Parses a duration of wall time, or with suffix `w` a number of units of work.
pub fn time_or_work(text: &str) -> Result<Budget, String> {
    match text.strip_suffix('w') {
        Some(number) => count(text, number, "units of work").map(Budget::Work),
        None => duration(text).map(Budget::Time),
    }
}

/// The whole number before the unit.
fn count(text: &str, number: &str, of: &str) -> Result<u64, String> {
    number.parse::<u64>().map_err(|error| match error.kind() {
        IntErrorKind::PosOverflow => format!("`{text}` is too large"),
        _ => format!("`{text}` is not a whole number of {of}"),
    })
}

/// Parses a size in bytes.
pub fn size(text: &str) -> Result<u64, String> {
    let (value, unit) = split(text)?;
    let factor: u64 = match unit {
        "B" => 1,
        "kB" | "KB" => 1000,
        "k" | "K" | "KiB" => 1 << 10,
        "" | "M" | "MiB" => 1 << 20,
        "MB" => 1_000_000,
        "G" | "GiB" => 1 << 30,
        "GB" => 1_000_000_000,
        "T" | "TiB" => 1 << 40,
        _ => {
            return Err(format!(
                "unknown unit `{unit}` (use B, KiB, MiB, GiB, kB, MB or GB)"
            ));
        }
    };
    let bytes = value * factor as f64;
    if bytes < u64::MAX as f64 {
        Ok(bytes as u64)
    } else {
        Err(format!("`{text}` is too large"))
    }
}

/// A span as the user types it.
pub fn show_budget(budget: Budget) -> String {
    match budget {
        Budget::Time(time) if time.is_zero() => "0".to_string(),
        Budget::Time(time) => {
            let seconds = time.as_secs_f64();
            let (value, unit) = [(3600.0, "h"), (60.0, "min"), (1.0, "s")]
                .into_iter()
                .find(|(unit, _)| seconds >= *unit && seconds % unit == 0.0)
                .map_or((seconds * 1000.0, "ms"), |(one, unit)| {
                    (seconds / one, unit)
                });
            format!("{value}{unit}")
        }
        Budget::Instructions(_) | Budget::Work(_) => budget.to_string(),
    }
}

/// Returns a size in the option's format, in the largest unit that divides it.
pub fn show_size(bytes: u64) -> String {
    let units = [(1u64 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
    let unit = units.iter().find(|(one, _)| bytes % one == 0);
    match unit {
        _ if bytes == 0 => "0".to_string(),
        Some((one, unit)) => format!("{}{unit}", bytes / one),
        None => format!("{bytes}B"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations() {
        for (text, milliseconds) in [
            ("60s", 60_000),
            ("10min", 600_000),
            ("1h", 3_600_000),
            ("1.5", 1_500),
            ("250ms", 250),
            ("2d", 172_800_000),
            ("0", 0),
        ] {
            assert_eq!(duration(text), Ok(Duration::from_millis(milliseconds)));
        }
        for text in ["", "s", "1y", "-1s", "1e400", "1.2.3s", "5i", "5w"] {
            assert!(duration(text).is_err(), "{text}");
        }
    }

    #[test]
    fn spans() {
        assert_eq!(budget("500i"), Ok(Budget::Instructions(500)));
        assert_eq!(budget("2min"), Ok(Budget::Time(Duration::from_secs(120))));
        assert_eq!(budget("5000000w"), Ok(Budget::Work(5_000_000)));
        let most = u64::MAX.to_string() + "w";
        assert_eq!(budget(&most), Ok(Budget::Work(u64::MAX)));
        for text in [
            "1.5i", "1.5w", "5ww", "5iw", "-1w", "w", "5 w", "5W", "1e9w",
        ] {
            assert!(budget(text).is_err(), "{text}");
        }
        let message = |text| budget(text).unwrap_err();
        assert_eq!(
            message("5ww"),
            "`5ww` is not a whole number of units of work"
        );
        assert_eq!(
            message("99999999999999999999w"),
            "`99999999999999999999w` is too large"
        );
    }

    #[test]
    fn a_solver_limit_is_not_in_instructions() {
        assert_eq!(time_or_work("5w"), Ok(Budget::Work(5)));
        assert_eq!(time_or_work("2s"), Ok(Budget::Time(Duration::from_secs(2))));
        assert!(time_or_work("5i").unwrap_err().contains("instructions"));
    }

    #[test]
    fn sizes() {
        for (text, bytes) in [
            ("2GiB", 2 << 30),
            ("2000", 2000 << 20),
            ("512MB", 512_000_000),
            ("0.5KiB", 512),
            ("7B", 7),
        ] {
            assert_eq!(size(text), Ok(bytes));
        }
        for text in ["", "GiB", "1XB", "99999999999TiB"] {
            assert!(size(text).is_err(), "{text}");
        }
    }

    #[test]
    fn what_is_shown_is_what_one_would_type() {
        for text in ["0", "1s", "2min", "5h", "250ms", "90s", "500i", "7w"] {
            assert_eq!(show_budget(budget(text).unwrap()), text);
        }
        for text in ["0", "2GiB", "64KiB", "1500MiB", "7B"] {
            assert_eq!(show_size(size(text).unwrap()), text);
        }
    }
}
