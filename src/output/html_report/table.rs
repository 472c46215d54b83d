//! Tables of pages, which a click or a key sorts by a column.

use maud::{Markup, html};

/// A table.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// Anchor of the table, and key of its stored order; unique on a page.
    pub id: String,
    /// Caption of the table.
    pub caption: String,
    /// Titles of its columns, and whether they are numbers.
    pub columns: Vec<(String, bool)>,
    pub rows: Vec<Vec<Cell>>,
}

/// A cell of a table.
#[derive(Clone, Debug)]
pub struct Cell {
    body: Markup,
    /// Sort key, if it differs from the shown text.
    key: Option<f64>,
}

/// Rows from which on a table can be filtered.
const MANY: usize = 20;

impl Table {
    /// A table of texts and numbers; the first `left` columns are texts.
    pub fn new(id: &str, caption: &str, columns: &[&str], left: usize) -> Self {
        let columns = columns.iter().enumerate();
        let columns = columns.map(|(number, title)| ((*title).to_string(), number >= left));
        Self {
            id: id.to_string(),
            caption: caption.to_string(),
            columns: columns.collect(),
            rows: Vec::new(),
        }
    }

    /// The table; nothing if it has no rows.
    pub fn html(&self) -> Markup {
        if self.rows.is_empty() {
            return html! {};
        }
        let is_number = |column: usize| self.columns.get(column).is_some_and(|column| column.1);
        html! {
            div.scroll .long[self.rows.len() > MANY] tabindex="0" role="region" aria-label=(self.caption) {
                table.sortable #(self.id) data-filter[self.rows.len() > MANY] {
                    caption { (self.caption) }
                    thead { tr {
                        @for (number, (title, _)) in self.columns.iter().enumerate() {
                            th scope="col" .n[is_number(number)] { (title) }
                        }
                    } }
                    tbody {
                        @for row in &self.rows {
                            tr {
                                @for (number, cell) in row.iter().enumerate() {
                                    td .n[is_number(number)] data-key=[cell.key] { (cell.body) }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

impl Cell {
    /// Returns a cell that is sorted by its text.
    pub fn markup(body: Markup) -> Self {
        Self { body, key: None }
    }

    /// A text of a program or of homi.
    pub fn text(text: &str) -> Self {
        let text = super::text(text);
        Self::markup(html! { (text) })
    }

    /// A text in the letters of code.
    pub fn code(text: &str) -> Self {
        let text = super::text(text);
        Self::markup(html! { code { (text) } })
    }

    /// A whole number.
    pub fn count(count: u64) -> Self {
        Self::number(count as f64, &grouped(count))
    }

    /// A number as it is shown.
    pub fn number(number: f64, shown: &str) -> Self {
        Self::markup(html! { (shown) }).sorted_by(number)
    }

    /// Sets the number that represents the cell when rows are sorted.
    pub fn sorted_by(mut self, key: f64) -> Self {
        self.key = Some(key).filter(|key| key.is_finite());
        self
    }

    /// A share of 0 to 1 with a bar.
    pub fn share(part: u64, whole: u64) -> Self {
        let share = part as f64 / whole.max(1) as f64;
        let body = html! { (bar(share)) " " (format!("{:.1} %", 100.0 * share)) };
        Self::markup(body).sorted_by(share)
    }
}

/// A bar that is filled by a share.
pub(super) fn bar(share: f64) -> Markup {
    let style = format!("width:{:.1}%", 100.0 * share.clamp(0.0, 1.0));
    html! { span.bar aria-hidden="true" { span style=(style) {} } }
}

/// A number with its digits in groups of three.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place) % 3 == 0 {
            // A space that is narrow and does not break.
            out.push('\u{202f}');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_escaped_and_have_keys() {
        let mut table = Table::new("t", "a & b", &["name", "count"], 1);
        assert!(table.html().into_string().is_empty());
        table
            .rows
            .push(vec![Cell::code("<b>"), Cell::count(1_234_567)]);
        let text = table.html().into_string();
        assert!(text.contains("<code>&lt;b&gt;</code>"), "{text}");
        assert!(text.contains("data-key=\"1234567\""), "{text}");
        assert!(text.contains("1\u{202f}234\u{202f}567"), "{text}");
        assert!(!text.contains("data-filter"), "{text}");
    }
}
