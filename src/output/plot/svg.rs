//! A figure as SVG, for a page or as a file.
//!
//! Invariant: plotters writes colors as numbers. Black becomes `currentColor`, so that text has the
//! color of the page; lines get their dashes by their colors.

use super::draw::{WIDTH, colour};
use super::{Plot, PlotError};
use plotters::prelude::{BLACK, IntoDrawingArea, RGBColor, SVGBackend};

/// Dashes of the second line and those after it; the first is solid.
const DASHES: [&str; 4] = ["", "7 3", "2 3", "9 3 2 3"];

const STYLE: &str = "svg{color:#222;background:#fff}\
@media(prefers-color-scheme:dark){svg{color:#ddd;background:#1c1c1c}}";

impl Plot {
    /// Returns the figure as a complete file.
    ///
    /// # Errors
    ///
    /// Fails if it cannot be drawn.
    pub fn svg(&self) -> Result<String, PlotError> {
        self.drawn(&format!("<style>{STYLE}</style>"))
    }

    /// A part of a page, whose colors it takes.
    ///
    /// # Errors
    ///
    /// If it cannot be drawn.
    pub fn svg_in_page(&self) -> Result<String, PlotError> {
        self.drawn("")
    }

    fn drawn(&self, style: &str) -> Result<String, PlotError> {
        let (mut text, height) = (String::new(), self.height());
        {
            let area = SVGBackend::with_string(&mut text, (WIDTH, height)).into_drawing_area();
            self.draw(&area, 1, BLACK)
                .map_err(|why| self.failed(&why))?;
        }
        let begin = text.find("<svg").and_then(|begin| {
            let length = text[begin..].find('>')?;
            Some(begin + length + 1)
        });
        let body = &text[begin.unwrap_or(0)..];
        Ok(format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" \
             role=\"img\"><title>{}</title>{style}{}\n",
            escaped(&self.title),
            self.restyled(body).trim_end()
        ))
    }

    fn restyled(&self, body: &str) -> String {
        let mut body = body.replace("\"#000000\"", "\"currentColor\"");
        for number in 0..self.series.len() {
            let dashes = DASHES[number % DASHES.len()];
            if !dashes.is_empty() {
                let RGBColor(red, green, blue) = colour(number);
                let plain = format!("stroke=\"#{red:02X}{green:02X}{blue:02X}\"");
                let dashed = format!("{plain} stroke-dasharray=\"{dashes}\"");
                body = body.replace(&plain, &dashed);
            }
        }
        body
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
