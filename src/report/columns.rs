//! Text tables as lists of columns.

/// A column of a text table whose rows are of type `R`.
pub struct Column<'a, R> {
    header: String,
    width: usize,
    left: bool,
    cell: Box<dyn Fn(&R) -> String + 'a>,
}

impl<'a, R> Column<'a, R> {
    /// A right-aligned column that is at least `width` characters wide.
    pub fn new(header: impl Into<String>, width: usize, cell: impl Fn(&R) -> String + 'a) -> Self {
        Self {
            header: header.into(),
            width,
            left: false,
            cell: Box::new(cell),
        }
    }

    /// The same column, left-aligned.
    #[must_use]
    pub fn left(self) -> Self {
        Self { left: true, ..self }
    }

    fn pad(&self, text: &str) -> String {
        let width = self.width;
        if self.left {
            format!("{text:width$}")
        } else {
            format!("{text:>width$}")
        }
    }
}

/// Formats a header and a line per row, without blanks at the ends of lines.
pub fn text_table<R>(columns: &[Column<R>], rows: impl IntoIterator<Item = R>) -> String {
    let line = |text: &dyn Fn(&Column<R>) -> String| {
        let cells: Vec<String> = columns
            .iter()
            .map(|column| column.pad(&text(column)))
            .collect();
        cells.join("  ").trim_end().to_owned()
    };
    let mut lines = vec![line(&|column| column.header.clone())];
    lines.extend(
        rows.into_iter()
            .map(|row| line(&|column| (column.cell)(&row))),
    );
    lines.join("\n")
}

/// The cell of a missing value.
#[must_use]
pub fn dash() -> String {
    "–".to_owned()
}

/// Formats a share, 0 to 1, in percent.
#[must_use]
pub fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}
