//! The drawing itself, whatever is drawn on.
//!
//! Invariant: lengths are multiples of a unit, so that a picture of twice the size is the same
//! picture.

use super::{Plot, Series};
use plotters::coord::Shift;
use plotters::coord::types::RangedCoordf64;
use plotters::element::{PathElement, Rectangle, Text};
use plotters::prelude::*;
use plotters::style::{FontStyle, register_font};
use std::error::Error;
use std::sync::OnceLock;

pub(super) const WIDTH: u32 = 760;
const CHART: u32 = 300;
const TITLE: u32 = 26;
/// A row of the legend.
const ROW: u32 = 18;
const TEXT: f64 = 12.0;
const FAMILY: &str = "sans-serif";

/// Colors that people with color blindness tell apart, readable on light and dark ground.
pub(super) const COLOURS: [RGBColor; 8] = [
    RGBColor(0x1f, 0x83, 0xc7),
    RGBColor(0xd5, 0x5e, 0x00),
    RGBColor(0x00, 0x9e, 0x73),
    RGBColor(0xcc, 0x79, 0xa7),
    RGBColor(0xc9, 0x8f, 0x00),
    RGBColor(0x56, 0xb4, 0xe9),
    RGBColor(0x88, 0x88, 0x88),
    RGBColor(0x8a, 0x6f, 0xdf),
];

/// Letters come from the font that homi carries: a machine may have none.
static FONT: &[u8] = include_bytes!("font.ttf");

type Drawn = Result<(), Box<dyn Error + Send + Sync>>;

/// Returns the color of a line or a kind of band.
pub(super) fn colour(number: usize) -> RGBColor {
    let RGBColor(red, green, blue) = COLOURS[number % COLOURS.len()];
    // Later rounds differ so little that only what reads the picture can tell.
    let round = (number / COLOURS.len()).min(40) as u8;
    RGBColor(red, green, blue.wrapping_add(round))
}

/// Entry of the legend: name, color, whether it is a line.
type Entry = (String, RGBColor, bool);

impl Plot {
    /// Kinds of bands in order of their first.
    pub(super) fn kinds(&self) -> Vec<&str> {
        let mut kinds: Vec<&str> = Vec::new();
        for band in &self.bands {
            if !kinds.contains(&band.kind.as_str()) {
                kinds.push(&band.kind);
            }
        }
        kinds
    }

    fn legend(&self) -> Vec<Vec<Entry>> {
        let lines = self.series.iter().enumerate();
        let lines = lines.map(|(number, one)| (one.name.clone(), colour(number), true));
        let kinds = self.kinds().into_iter().enumerate();
        let first = self.series.len();
        let bands = kinds.map(|(number, kind)| (kind.to_string(), colour(first + number), false));
        let entries: Vec<Entry> = lines.chain(bands).collect();
        let mut rows: Vec<Vec<Entry>> = Vec::new();
        if entries.len() < 2 {
            return rows;
        }
        let mut used = WIDTH;
        for entry in entries {
            let wanted = entry_width(&entry.0);
            if used + wanted > WIDTH - 20 {
                rows.push(Vec::new());
                used = 0;
            }
            used += wanted;
            if let Some(row) = rows.last_mut() {
                row.push(entry);
            }
        }
        rows
    }

    pub(super) fn height(&self) -> u32 {
        TITLE + CHART + ROW * self.legend().len() as u32 + 6
    }

    /// Draws the figure in `ink` with `unit` dots per unit.
    pub(super) fn draw<B>(&self, root: &DrawingArea<B, Shift>, unit: u32, ink: RGBColor) -> Drawn
    where
        B: DrawingBackend,
        B::ErrorType: Send + Sync + 'static,
    {
        load_font()?;
        let unit_of = |length: u32| length * unit;
        let (top, rest) = root.split_vertically(unit_of(TITLE));
        let (chart, below) = rest.split_vertically(unit_of(CHART));
        let title = (FAMILY, (TEXT + 2.0) * f64::from(unit)).into_font();
        let at = (unit_of(10) as i32, unit_of(6) as i32);
        top.draw(&Text::new(self.title.clone(), at, title.color(&ink)))?;
        self.draw_chart(&chart, unit, ink)?;
        draw_legend(&below, &self.legend(), unit, ink)?;
        root.present()?;
        Ok(())
    }

    fn draw_chart<B>(&self, area: &DrawingArea<B, Shift>, unit: u32, ink: RGBColor) -> Drawn
    where
        B: DrawingBackend,
        B::ErrorType: Send + Sync + 'static,
    {
        let (end, top) = (self.end(), self.top());
        let mut chart = ChartBuilder::on(area)
            .margin_left(6 * unit)
            .margin_right(18 * unit)
            .margin_top(4 * unit)
            .x_label_area_size(40 * unit)
            .y_label_area_size(66 * unit)
            .build_cartesian_2d(0.0..end, 0.0..top)?;
        self.draw_bands(&mut chart, top)?;
        let text = (FAMILY, TEXT * f64::from(unit)).into_font().color(&ink);
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(ink.mix(0.15))
            .axis_style(ink.mix(0.4))
            .label_style(text)
            .x_labels(10)
            .y_labels(6)
            .x_label_formatter(&|value| in_short(*value))
            .y_label_formatter(&|value| in_short(*value))
            .x_desc(self.across.clone())
            .y_desc(self.upward.clone())
            .draw()?;
        for (number, series) in self.series.iter().enumerate() {
            let style = colour(number).stroke_width(2 * unit);
            let points = thinned(series, end);
            chart.draw_series(std::iter::once(PathElement::new(points, style)))?;
        }
        Ok(())
    }

    fn draw_bands<B>(
        &self,
        chart: &mut ChartContext<'_, B, Cartesian2d<RangedCoordf64, RangedCoordf64>>,
        top: f64,
    ) -> Drawn
    where
        B: DrawingBackend,
        B::ErrorType: Send + Sync + 'static,
    {
        let kinds = self.kinds();
        let lanes = self.bands.iter().map(|band| band.lane + 1).max();
        let lane = top / lanes.unwrap_or(1) as f64;
        for band in &self.bands {
            let kind = kinds.iter().position(|kind| *kind == band.kind);
            let colour = colour(self.series.len() + kind.unwrap_or(0)).mix(0.16);
            let above = top - lane * band.lane as f64;
            let corners = [(band.from, above), (band.to, above - lane)];
            chart.draw_series(std::iter::once(Rectangle::new(corners, colour.filled())))?;
        }
        Ok(())
    }

    fn end(&self) -> f64 {
        let last = |series: &Series| series.points.last().map_or(0.0, |point| point.0);
        let lines = self.series.iter().map(last);
        let bands = self.bands.iter().map(|band| band.to);
        positive(lines.chain(bands).fold(0.0, f64::max))
    }

    /// A little above the highest point.
    fn top(&self) -> f64 {
        let points = self.series.iter().flat_map(|series| &series.points);
        positive(1.04 * points.map(|point| point.1).fold(0.0, f64::max))
    }
}

/// A range of nothing cannot be drawn.
fn positive(length: f64) -> f64 {
    if length > 0.0 { length } else { 1.0 }
}

fn load_font() -> Drawn {
    static LOADED: OnceLock<bool> = OnceLock::new();
    let load = || register_font(FAMILY, FontStyle::Normal, FONT).is_ok();
    if *LOADED.get_or_init(load) {
        Ok(())
    } else {
        Err("the font is corrupt".into())
    }
}

fn entry_width(name: &str) -> u32 {
    48 + 7 * name.chars().count() as u32
}

fn draw_legend<B>(
    area: &DrawingArea<B, Shift>,
    rows: &[Vec<Entry>],
    unit: u32,
    ink: RGBColor,
) -> Drawn
where
    B: DrawingBackend,
    B::ErrorType: Send + Sync + 'static,
{
    let place = |across: u32, down: u32| ((across * unit) as i32, (down * unit) as i32);
    for (number, row) in rows.iter().enumerate() {
        let mut across = 20;
        let down = ROW * number as u32 + 5;
        for (name, colour, is_line) in row {
            let (from, to) = (place(across, down + 6), place(across + 26, down + 6));
            if *is_line {
                let style = colour.stroke_width(2 * unit);
                area.draw(&PathElement::new(vec![from, to], style))?;
            } else {
                let corners = [place(across + 6, down), place(across + 20, down + 12)];
                area.draw(&Rectangle::new(corners, colour.mix(0.3).filled()))?;
            }
            let style = (FAMILY, TEXT * f64::from(unit)).into_font().color(&ink);
            area.draw(&Text::new(name.clone(), place(across + 31, down), style))?;
            across += entry_width(name);
        }
    }
    Ok(())
}

/// A number on an axis.
fn in_short(value: f64) -> String {
    let units = [(1e9, " G"), (1e6, " M"), (1e4, " k")];
    let unit = units.into_iter().find(|(one, _)| value.abs() >= *one);
    let (scaled, unit) = match unit {
        Some((1e4, unit)) => (value / 1e3, unit),
        Some((one, unit)) => (value / one, unit),
        None => (value, ""),
    };
    format!("{}{unit}", (scaled * 1e3).round() / 1e3)
}

/// Thins a line with more points than columns of dots to the first, least, greatest and last of
/// each column.
fn thinned(series: &Series, end: f64) -> Vec<(f64, f64)> {
    const COLUMNS: f64 = 700.0;
    if series.points.len() < 2 * COLUMNS as usize {
        return series.points.clone();
    }
    let column = |point: &(f64, f64)| (COLUMNS * point.0 / end) as u64;
    let by_height = |one: &&(f64, f64), other: &&(f64, f64)| one.1.total_cmp(&other.1);
    let mut kept = Vec::new();
    for points in series
        .points
        .chunk_by(|one, other| column(one) == column(other))
    {
        let ends = [points.first(), points.last()];
        let heights = [
            points.iter().min_by(by_height),
            points.iter().max_by(by_height),
        ];
        let mut chosen: Vec<(f64, f64)> =
            ends.into_iter().chain(heights).flatten().copied().collect();
        chosen.sort_by(|one, other| one.0.total_cmp(&other.0));
        chosen.dedup();
        kept.extend(chosen);
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_on_axes_are_short() {
        let shown = [0.0, 0.1, 9000.0, 12_000.0, 2.5e6, 3e9].map(in_short);
        assert_eq!(shown, ["0", "0.1", "9000", "12 k", "2.5 M", "3 G"]);
    }

    #[test]
    fn long_lines_keep_their_ends_and_peaks() {
        let value = |number: u32| if number == 77_777 { 9.0 } else { 1.0 };
        let points = (0..100_000).map(|number| (f64::from(number), value(number)));
        let series = Series::line("x", points);
        let kept = thinned(&series, 100_000.0);
        assert!(kept.len() < 3000, "{}", kept.len());
        assert_eq!(kept.first(), series.points.first());
        assert_eq!(kept.last(), series.points.last());
        assert!(kept.contains(&(77_777.0, 9.0)));
        assert!(kept.is_sorted_by(|one, other| one.0 <= other.0));
    }
}
