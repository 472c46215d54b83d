//! Tables for people: columns two spaces apart, without lines.

use comfy_table::{CellAlignment, ColumnConstraint, Table, Width, presets};

/// Columns between two columns.
const UNSUPPORTED: u16 = 2;

/// Alignment of the cells of a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    Left,
    Right,
}

/// A column of a table whose lines are printed one by one, before the last one is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Column {
    pub side: Side,
    /// Its width, but in lines whose cell is longer.
    pub width: u16,
}

/// A line of such a table.
pub fn table_line(columns: &[Column], cells: Vec<String>) -> String {
    let laid_out = columns.iter().map(|column| (column.side, column.width));
    laid_out_table(laid_out, [cells])
}

/// The rows as lines; each row has as many cells as there are `sides`.
pub fn table(sides: &[Side], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    laid_out_table(sides.iter().map(|side| (*side, 0)), rows)
}

/// The rows as lines, with the side and least width of each column.
fn laid_out_table(
    columns: impl Iterator<Item = (Side, u16)>,
    rows: impl IntoIterator<Item = Vec<String>>,
) -> String {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING);
    for row in rows {
        table.add_row(row);
    }
    for (column, (side, width)) in table.column_iter_mut().zip(columns) {
        column.set_padding((0, UNSUPPORTED));
        column.set_constraint(ColumnConstraint::LowerBoundary(Width::Fixed(
            width + UNSUPPORTED,
        )));
        column.set_cell_alignment(match side {
            Side::Left => CellAlignment::Left,
            Side::Right => CellAlignment::Right,
        });
    }
    let lines = table.lines();
    lines
        .map(|line| line.trim_end().to_string() + "\n")
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_stand_below_each_other() {
        let rows = [["name", "much", "end"], ["b", "7", "x y"]];
        let rows = rows.map(|row| row.map(str::to_string).to_vec());
        let text = table(&[Side::Left, Side::Right, Side::Left], rows);
        assert_eq!(text, "name  much  end\nb        7  x y\n");
        assert_eq!(table(&[Side::Left], []), "");
    }

    #[test]
    fn lines_that_are_printed_one_by_one_stand_below_each_other() {
        let left = Column {
            side: Side::Left,
            width: 6,
        };
        let right = Column {
            side: Side::Right,
            width: 4,
        };
        let line =
            |cells: [&str; 3]| table_line(&[left, right, left], cells.map(str::to_string).to_vec());
        assert_eq!(line(["a", "1", "x"]), "a          1  x\n");
        assert_eq!(
            line(["longer than it", "23", "y"]),
            "longer than it    23  y\n"
        );
    }
}
