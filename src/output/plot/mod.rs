//! Figures: lines over time, work or executions, as SVG, PNG and CSV.
//!
//! Owns: how figures look and how they are written. Never: what is plotted; it is handed numbers,
//! by `page` for runs and by `study` for studies. Invariant: one drawing serves SVG and PNG. An SVG
//! loads nothing, is readable on light and dark ground, and without colors: its lines differ in
//! their dashes, too.

mod csv;
mod draw;
mod png;
mod svg;

/// A figure.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Plot {
    /// Name of its files without their endings.
    pub name: String,
    pub title: String,
    /// Labels of the axes.
    pub across: String,
    pub upward: String,
    pub series: Vec<Series>,
    /// Bands behind the lines.
    pub bands: Vec<Band>,
}

/// A line of a figure.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Series {
    pub name: String,
    /// In order of the first number.
    pub points: Vec<(f64, f64)>,
}

/// A stretch of time with a name of its kind, such as a run of a campaign with its policy.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Band {
    pub kind: String,
    pub from: f64,
    pub to: f64,
    /// Subpaths that overlap lie in lanes one below the other.
    pub lane: usize,
}

/// Reason why a figure could not be drawn.
#[derive(Debug, thiserror::Error)]
#[error("cannot draw {name}: {why}")]
pub struct PlotError {
    name: String,
    why: String,
}

/// The endings of the files that a figure is written to.
pub const ENDINGS: [&str; 3] = ["svg", "png", "csv"];

impl Plot {
    /// True if there is nothing to see: two points, as of a run of one second, are not a curve.
    pub fn is_empty(&self) -> bool {
        self.series.iter().all(|series| series.points.len() < 3)
    }

    /// The file with an ending of [`ENDINGS`].
    ///
    /// # Errors
    ///
    /// If it cannot be drawn, or if there is no such ending.
    pub fn file(&self, ending: &str) -> Result<Vec<u8>, PlotError> {
        match ending {
            "svg" => self.svg().map(String::into_bytes),
            "png" => self.png(),
            "csv" => Ok(self.csv().into_bytes()),
            _ => Err(self.failed(&format!("no form is called {ending}"))),
        }
    }

    fn failed(&self, why: &dyn std::fmt::Display) -> PlotError {
        PlotError {
            name: self.name.clone(),
            why: why.to_string(),
        }
    }
}

impl Series {
    /// A line that keeps its height until the next point: what counts things.
    pub fn steps(name: &str, points: impl IntoIterator<Item = (f64, f64)>) -> Self {
        let mut stepped: Vec<(f64, f64)> = Vec::new();
        for (at, value) in points {
            if let Some(&(_, before)) = stepped.last() {
                stepped.push((at, before));
            }
            stepped.push((at, value));
        }
        Self::line(name, stepped)
    }

    /// A line from point to point.
    pub fn line(name: &str, points: impl IntoIterator<Item = (f64, f64)>) -> Self {
        let finite = |point: &(f64, f64)| point.0.is_finite() && point.1.is_finite();
        Self {
            name: name.to_string(),
            points: points.into_iter().filter(finite).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn example() -> Plot {
        Plot {
            name: "example".to_string(),
            title: "branches of </svg> & \"more\"".to_string(),
            across: "seconds".to_string(),
            upward: "branches".to_string(),
            series: vec![
                Series::steps("a <b>", [(0.0, 1.0), (5.0, 40.0), (60.0, 47.0)]),
                Series::line("z, \"y\"", [(0.0, 0.0), (60.0, 12.5), (f64::NAN, 1.0)]),
            ],
            bands: vec![Band {
                kind: "explore".to_string(),
                from: 3.0,
                to: 20.0,
                lane: 0,
            }],
        }
    }

    #[test]
    fn an_svg_is_xml_that_loads_nothing() {
        let text = example().svg().unwrap();
        let tree = roxmltree::Document::parse(&text).expect("it is XML");
        let title = tree.descendants().find(|node| node.has_tag_name("title"));
        assert_eq!(title.and_then(|node| node.text()), Some(&*example().title));
        let dashed = tree.descendants();
        let dashed = dashed.filter(|node| node.has_attribute("stroke-dasharray"));
        // The second line, and what stands for it in the legend.
        assert_eq!(dashed.count(), 2, "{text}");
        for loaded in ["href", "url(", "@import", "NaN", "<script"] {
            assert!(!text.contains(loaded), "{loaded}: {text}");
        }
        assert!(!text.contains("#000000"), "ink is the ground's: {text}");
    }

    #[test]
    fn a_png_has_something_on_it() {
        let file = example().file("png").unwrap();
        assert!(file.starts_with(b"\x89PNG") && file.len() > 4000);
    }

    #[test]
    fn numbers_come_back_from_csv() {
        let text = example().csv();
        let expected = "series,seconds,branches\n\"a <b>\",0,1\n\"a <b>\",5,1\n";
        assert!(text.starts_with(expected), "{text}");
        assert!(text.ends_with("\"z, \"\"y\"\"\",60,12.5\n"), "{text}");
    }

    #[test]
    fn a_figure_of_nothing_can_be_drawn() {
        let empty = Plot::default();
        assert!(empty.is_empty());
        for ending in ENDINGS {
            assert!(empty.file(ending).is_ok(), "{ending}");
        }
        let flat = Plot {
            series: vec![Series::line("", [(0.0, 0.0), (0.0, 0.0)])],
            ..Plot::default()
        };
        assert!(flat.svg().is_ok() && flat.png().is_ok());
        assert!(flat.file("gif").is_err());
    }
}
