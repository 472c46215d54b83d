//! A moment as a date.

use chrono::{DateTime, SecondsFormat, Utc};

/// `2026-11-27T14:05:09Z`, of seconds since 1970.
pub fn utc_date(unix_seconds: u64) -> String {
    let seconds = i64::try_from(unix_seconds).unwrap_or(i64::MAX);
    let moment = DateTime::from_timestamp(seconds, 0).unwrap_or(DateTime::<Utc>::MAX_UTC);
    moment.to_rfc3339_opts(SecondsFormat::Secs, true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_dates() {
        assert_eq!(utc_date(0), "1970-01-01T00:00:00Z");
        assert_eq!(utc_date(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(utc_date(1_795_788_309), "2026-11-27T14:05:09Z");
    }
}
