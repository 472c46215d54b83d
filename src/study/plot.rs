//! Branches over time or work as SVG: a line for each arm, the mean of its runs.
//!
//! Invariant: a plot stands alone, loads nothing, and is readable on light and dark ground and
//! without colours: lines differ in their dashes, too.

use super::cell::Covered;
use super::results::{Count, Results};
use std::fmt::Write;

const WIDTH: f64 = 860.0;
const HEIGHT: f64 = 320.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 16.0;
const TOP: f64 = 34.0;
const BOTTOM: f64 = 40.0;
/// Room for a line of the legend.
const LINE: f64 = 16.0;
/// Places at which means are taken.
const PLACES: u32 = 200;

/// Colours that people with colour blindness tell apart, then dashes.
const COLOURS: [&str; 7] = [
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#888888",
];
const DASHES: [&str; 4] = ["", "7 3", "2 3", "9 3 2 3"];

const STYLE: &str = "svg{color:#222;background:#fff;font:12px sans-serif}\
@media(prefers-color-scheme:dark){svg{color:#ddd;background:#1c1c1c}}text{fill:currentColor}";

/// A curve of growth: places and branches covered by then.
type Steps = Vec<(u64, u64)>;

/// A line of a plot.
struct Series {
    name: String,
    points: Vec<(f64, f64)>,
}

/// The plot of a program; none if nothing was covered.
pub(super) fn plot(results: &Results, subject: &str, count: Count) -> Option<String> {
    let by_work = results.by_work(count);
    let steps = |covered: &Covered| match by_work {
        true => covered.by_work.clone(),
        false => covered.by_time.clone(),
    };
    let runs_of = |arm: &String| {
        let rows = results
            .rows_of(subject, arm)
            .filter(|row| row.outcome.counts());
        let runs = rows.filter_map(|row| count.of(row).map(steps));
        runs.collect::<Vec<_>>()
    };
    let runs: Vec<(String, Vec<Steps>)> = results
        .arms
        .iter()
        .map(|arm| (arm.clone(), runs_of(arm)))
        .collect();
    let ends = runs
        .iter()
        .flat_map(|(_, runs)| runs)
        .filter_map(|run| run.last());
    let end = ends.map(|(at, _)| *at).max().filter(|end| *end > 0)? as f64;
    let series: Vec<Series> = runs
        .into_iter()
        .filter(|(_, runs)| !runs.is_empty())
        .map(|(name, runs)| Series {
            name,
            points: mean_curve(&runs, end),
        })
        .collect();
    let (scale, unit) = match by_work {
        true => (1e-6, "M units of work"),
        false => (1e-3, "s"),
    };
    let title = format!("{subject}: branches, {}, mean of seeds", count.text());
    Some(svg(&title, unit, end, scale, &series))
}

/// The mean of several curves of growth.
fn mean_curve(runs: &[Steps], end: f64) -> Vec<(f64, f64)> {
    let place = |number: u32| end * f64::from(number) / f64::from(PLACES);
    let at = |run: &Steps, place: f64| {
        let before = run.iter().take_while(|(at, _)| *at as f64 <= place);
        before.last().map_or(0.0, |(_, branches)| *branches as f64)
    };
    (0..=PLACES)
        .map(place)
        .map(|place| {
            let sum: f64 = runs.iter().map(|run| at(run, place)).sum();
            (place, sum / runs.len() as f64)
        })
        .collect()
}

/// The least 1, 2 or 5 times a power of ten that is not below.
fn round_up(value: f64) -> f64 {
    let power = 10f64.powf(value.max(1e-6).log10().floor());
    let steps = [1.0, 2.0, 5.0].map(|step| step * power);
    steps
        .into_iter()
        .find(|step| *step >= value)
        .unwrap_or(10.0 * power)
}

fn svg(title: &str, unit: &str, end: f64, scale: f64, series: &[Series]) -> String {
    let most = series
        .iter()
        .flat_map(|one| &one.points)
        .map(|(_, value)| *value)
        .fold(1.0, f64::max);
    let top = round_up(most / 5.0) * (most / round_up(most / 5.0)).ceil();
    let x = |at: f64| LEFT + (WIDTH - LEFT - RIGHT) * at / end;
    let y = |value: f64| HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * value / top;
    let height = HEIGHT + LINE * series.len() as f64;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\">\n\
         <style>{STYLE}</style>\n<title>{0}</title>\n<text x=\"{LEFT}\" y=\"18\">{0}</text>\n",
        escaped(title)
    );
    let step = round_up(most / 5.0);
    let mut value = 0.0;
    // Writing to a String cannot fail.
    while value <= top {
        let _ = writeln!(
            out,
            "<line x1=\"{LEFT}\" x2=\"{:.1}\" y1=\"{1:.1}\" y2=\"{1:.1}\" stroke=\"currentColor\" \
             stroke-opacity=\"0.15\"/><text x=\"{2:.1}\" y=\"{3:.1}\" text-anchor=\"end\">{value}</text>",
            WIDTH - RIGHT,
            y(value),
            LEFT - 6.0,
            y(value) + 4.0
        );
        value += step;
    }
    let step = round_up(end * scale / 8.0);
    let mut at = 0.0;
    while at <= end * scale {
        let label = (at * 1e6).round() / 1e6;
        let (place, below) = (x(at / scale), HEIGHT - BOTTOM + 16.0);
        let _ = writeln!(
            out,
            "<text x=\"{place:.1}\" y=\"{below:.1}\" text-anchor=\"middle\">{label}</text>"
        );
        at += step;
    }
    let _ = writeln!(
        out,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{unit}</text>",
        WIDTH - RIGHT,
        HEIGHT - 6.0
    );
    for (number, one) in series.iter().enumerate() {
        let colour = COLOURS[number % COLOURS.len()];
        let dashes = DASHES[number % DASHES.len()];
        let points: String = one
            .points
            .iter()
            .map(|(at, value)| format!("{:.1},{:.1} ", x(*at), y(*value)))
            .collect();
        let place = HEIGHT + LINE * number as f64 + 4.0;
        let last = one.points.last().map_or(0.0, |(_, value)| *value);
        let line = format!(
            "fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\" stroke-dasharray=\"{dashes}\""
        );
        let _ = writeln!(
            out,
            "<polyline {line} points=\"{points}\"/>\n<line {line} x1=\"{LEFT}\" x2=\"{}\" y1=\"{place}\" \
             y2=\"{place}\"/><text x=\"{}\" y=\"{}\">{} ({last:.1})</text>",
            LEFT + 36.0,
            LEFT + 44.0,
            place + 4.0,
            escaped(&one.name)
        );
    }
    out + "</svg>\n"
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_of_curves_is_taken_place_by_place() {
        let runs = vec![vec![(0, 2), (50, 10)], vec![(100, 20)]];
        let curve = mean_curve(&runs, 100.0);
        assert_eq!(curve[0], (0.0, 1.0));
        assert_eq!(curve[100], (50.0, 5.0));
        assert_eq!(curve[PLACES as usize], (100.0, 15.0));
    }

    #[test]
    fn a_plot_is_xml_that_loads_nothing() {
        let one = |name: &str| Series {
            name: name.to_string(),
            points: vec![(0.0, 0.0), (900.0, 47.0)],
        };
        let text = svg("a <b>", "s", 900.0, 1e-3, &[one("x & y"), one("z")]);
        let tree = roxmltree::Document::parse(&text).expect("it is XML");
        let lines = tree
            .descendants()
            .filter(|node| node.has_tag_name("polyline"));
        assert_eq!(lines.count(), 2);
        assert!(!text.contains("href") && !text.contains("NaN"), "{text}");
    }
}
