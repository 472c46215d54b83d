//! Numbers with units as the user types them: `60s`, `10min`, `1h`, `500000i`, `2GiB`.
//!
//! A bare number is seconds (durations) or megabytes of 2^20 bytes (sizes), as KLEE.

use crate::config::Span;
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
pub(super) fn duration(text: &str) -> Result<Duration, String> {
    let (value, unit) = split(text)?;
    let seconds = match unit {
        "" | "s" | "sec" => 1.0,
        "us" => 1e-6,
        "ms" => 1e-3,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        "d" => 86_400.0,
        "i" => return Err("a number of instructions makes no sense here".to_string()),
        _ => {
            return Err(format!(
                "unknown unit `{unit}` (use us, ms, s, min, h or d)"
            ));
        }
    };
    Duration::try_from_secs_f64(value * seconds).map_err(|_| format!("`{text}` is too long"))
}

/// Parses a duration of wall time, or with suffix `i` a number of instructions.
pub(super) fn span(text: &str) -> Result<Span, String> {
    match text.strip_suffix('i') {
        Some(count) => count
            .parse()
            .map(Span::Instructions)
            .map_err(|_| format!("`{text}` is no whole number of instructions")),
        None => duration(text).map(Span::Time),
    }
}

/// Parses a size in bytes.
pub(super) fn size(text: &str) -> Result<u64, String> {
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
        for text in ["", "s", "1y", "-1s", "1e400", "1.2.3s", "5i"] {
            assert!(duration(text).is_err(), "{text}");
        }
    }

    #[test]
    fn spans() {
        assert_eq!(span("500i"), Ok(Span::Instructions(500)));
        assert_eq!(span("2min"), Ok(Span::Time(Duration::from_secs(120))));
        assert!(span("1.5i").is_err());
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
}
