//! `--events`: each event as a line of JSON, as it happens.
//!
//! Invariant: the first line names the version of the schema; each line is whole before the next
//! event is heard.

use homi_ir::util::clock::Moment;
use homi_report::{EVENTS_SCHEMA, Event, Listener};
use serde::Serialize;
use std::io::{self, Write};

/// The first line.
#[derive(Serialize)]
struct Head {
    event: &'static str,
    schema: u32,
    homi: &'static str,
}

/// An event with the seconds since the stream began.
#[derive(Serialize)]
struct Line<'e> {
    #[serde(flatten)]
    event: &'e Event,
    at_s: f64,
}

/// Writes events.
pub struct JsonLines<W> {
    writer: W,
    began: Moment,
    has_begun: bool,
}

impl<W: Write> JsonLines<W> {
    /// Returns an exporter that writes nothing before the first event.
    pub fn new(writer: W) -> Self {
        Self {
            writer,
            began: Moment::now(),
            has_begun: false,
        }
    }

    fn line(&mut self, line: &impl Serialize) -> io::Result<()> {
        let mut text = serde_json::to_vec(line)?;
        text.push(b'\n');
        self.writer.write_all(&text)?;
        self.writer.flush()
    }
}

impl<W: Write + Send> Listener for JsonLines<W> {
    fn on_event(&mut self, event: &Event) -> io::Result<()> {
        if !self.has_begun {
            self.has_begun = true;
            self.line(&Head {
                event: "stream",
                schema: EVENTS_SCHEMA,
                homi: env!("CARGO_PKG_VERSION"),
            })?;
        }
        let at_s = self.began.elapsed().as_secs_f64();
        self.line(&Line { event, at_s })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use homi_report::{CoverageGrew, Level, Message};

    #[test]
    fn the_first_line_says_the_schema_and_lines_come_back_as_events() {
        let mut written = Vec::new();
        let events = [
            Event::Message(Message {
                level: Level::Warning,
                text: "two\nlines".to_string(),
            }),
            Event::CoverageGrew(CoverageGrew {
                branches: 3,
                branches_total: 8,
            }),
        ];
        let mut lines = JsonLines::new(&mut written);
        for event in &events {
            lines.on_event(event).unwrap();
        }
        let text = String::from_utf8(written).unwrap();
        let (head, rest) = text.split_once('\n').unwrap();
        assert!(head.starts_with(r#"{"event":"stream","schema":1,"homi":""#));
        let read: Vec<Event> = rest
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        assert_eq!(read, events);
        assert!(
            rest.contains(r#"{"event":"coverage-grew","branches":3,"branches_total":8,"at_s":"#)
        );
    }
}
