//! Tables for people: columns two spaces apart, without lines.

use comfy_table::{CellAlignment, Table, presets};

/// To which side the cells of a column go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    Left,
    Right,
}

/// The rows as lines; each row has as many cells as there are `sides`.
pub fn table(sides: &[Side], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING);
    for row in rows {
        table.add_row(row);
    }
    for (column, side) in table.column_iter_mut().zip(sides) {
        column.set_padding((0, 2));
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
}
