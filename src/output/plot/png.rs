//! A figure as PNG, on white, with twice as many dots as the SVG has units.

use super::draw::WIDTH;
use super::{Plot, PlotError};
use plotters::prelude::{BitMapBackend, IntoDrawingArea, RGBColor, WHITE};

const UNIT: u32 = 2;
const INK: RGBColor = RGBColor(0x22, 0x22, 0x22);

impl Plot {
    /// The file.
    ///
    /// # Errors
    ///
    /// If it cannot be drawn.
    pub fn png(&self) -> Result<Vec<u8>, PlotError> {
        let (width, height) = (UNIT * WIDTH, UNIT * self.height());
        let mut dots = vec![0; 3 * width as usize * height as usize];
        {
            let backend = BitMapBackend::with_buffer(&mut dots, (width, height));
            let area = backend.into_drawing_area();
            area.fill(&WHITE).map_err(|why| self.failed(&why))?;
            self.draw(&area, UNIT, INK)
                .map_err(|why| self.failed(&why))?;
        }
        encoded(&dots, (width, height)).map_err(|why| self.failed(&why))
    }
}

fn encoded(dots: &[u8], (width, height): (u32, u32)) -> Result<Vec<u8>, png::EncodingError> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(dots)?;
    writer.finish()?;
    Ok(file)
}
