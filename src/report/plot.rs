//! Vector graphics of curves, shares and bars, drawn by kuva in the page's colours.

use std::sync::Arc;

use kuva::prelude::{
    BarPlot, Layout, LegendPosition, LinePlot, Plot, ReferenceLine, ScatterPlot, StackedAreaPlot,
    Theme, TickFormat,
};

/// What the library's names of parts begin with.
const NAME: &str = "kuva-clip-";
/// Size of a figure in user units.
const WIDTH: f64 = 540.0;
const HEIGHT: f64 = 280.0;

/// Colours of series, in order; the page says what they are.
pub(super) const COLOURS: [&str; 5] = [
    "var(--series-1)",
    "var(--series-2)",
    "var(--series-3)",
    "var(--series-4)",
    "var(--series-5)",
];

/// A point of a curve with how far it may reach below and above.
pub(super) type Point = (f64, f64, f64, f64);

/// A curve.
#[derive(Clone, Debug)]
pub(super) struct Curve {
    pub name: String,
    pub points: Vec<Point>,
    /// Whether points are marked and have their error bars.
    pub marked: bool,
}

impl Curve {
    /// A curve through points that are known exactly.
    pub fn plain(name: &str, points: impl IntoIterator<Item = (f64, f64)>) -> Self {
        Self {
            name: name.to_owned(),
            points: points.into_iter().map(|(x, y)| (x, y, 0.0, 0.0)).collect(),
            marked: false,
        }
    }

    /// A curve through points with error bars.
    pub fn with_errors(name: &str, points: impl IntoIterator<Item = Point>) -> Self {
        Self {
            name: name.to_owned(),
            points: points.into_iter().collect(),
            marked: true,
        }
    }
}

/// What axes are called and where they begin and end, if that is not for the data to say.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Axes<'a> {
    pub x: &'a str,
    pub y: &'a str,
    pub y_range: Option<(f64, f64)>,
    /// Where a line lies that values are compared with.
    pub level: Option<f64>,
    /// Whether there is nothing between the whole numbers of the x axis.
    pub counts: bool,
}

/// Curves over one axis.
pub(super) fn curves(curves: &[Curve], axes: Axes<'_>) -> String {
    let mut plots: Vec<Plot> = Vec::new();
    for (curve, colour) in curves.iter().zip(COLOURS.iter().cycle()) {
        let points: Vec<(f64, f64)> = curve.points.iter().map(|(x, y, ..)| (*x, *y)).collect();
        let line = LinePlot::new()
            .with_data(points.clone())
            .with_color(*colour)
            .with_stroke_width(2.0);
        let line = if curves.len() > 1 {
            line.with_legend(curve.name.as_str())
        } else {
            line
        };
        plots.push(line.into());
        if curve.marked {
            let errors: Vec<(f64, f64)> = curve
                .points
                .iter()
                .map(|(_, _, low, high)| (*low, *high))
                .collect();
            let marks = ScatterPlot::new()
                .with_data(points)
                .with_y_err_asymmetric(errors)
                .with_color(*colour)
                .with_size(3.5);
            plots.push(marks.into());
        }
    }
    draw(plots, axes)
}

/// Shares of a whole that change along an axis, the first at the bottom.
pub(super) fn shares(x: &[f64], parts: &[(String, Vec<f64>)], axes: Axes<'_>) -> String {
    let mut area = StackedAreaPlot::new()
        .with_x(x.to_vec())
        .with_fill_opacity(0.75)
        .with_legend_position(LegendPosition::OutsideRightTop);
    for ((name, values), colour) in parts.iter().zip(COLOURS.iter().cycle()) {
        area = area
            .with_series(values.clone())
            .with_color(*colour)
            .with_legend(name.as_str());
    }
    draw(vec![area.into()], axes)
}

/// Bars in groups, one for each label, of a value for each name.
pub(super) fn bars(
    names: &[&str],
    groups: &[(String, Vec<f64>)],
    stacked: bool,
    axes: Axes<'_>,
) -> String {
    let mut bars = BarPlot::new();
    for (label, values) in groups {
        let coloured = values.iter().copied().zip(COLOURS.iter().cycle().copied());
        bars = bars.with_group(label.as_str(), coloured);
    }
    let bars = bars.with_legend(names.to_vec());
    let bars = if stacked { bars.with_stacked() } else { bars };
    draw(vec![bars.into()], axes)
}

fn draw(plots: Vec<Plot>, axes: Axes<'_>) -> String {
    let mut layout = Layout::auto_from_plots(&plots)
        .with_width(WIDTH)
        .with_height(HEIGHT)
        .with_x_label(axes.x)
        .with_y_label(axes.y)
        .with_theme(theme());
    if let Some((low, high)) = axes.y_range {
        layout = layout.with_y_axis_min(low).with_y_axis_max(high);
    }
    if axes.counts {
        let whole = |x: f64| match x.fract() {
            0.0 => format!("{x}"),
            _ => String::new(),
        };
        layout = layout.with_x_tick_format(TickFormat::Custom(Arc::new(whole)));
    }
    if let Some(level) = axes.level {
        layout = layout.with_reference_line(ReferenceLine::horizontal(level));
    }
    responsive(&kuva::render_to_svg(plots, layout))
}

/// The page's colours.
fn theme() -> Theme {
    let [ink, grid, none] = ["var(--ink)", "var(--grid)", "none"].map(str::to_owned);
    Theme {
        background: none.clone(),
        axis_color: ink.clone(),
        grid_color: grid,
        tick_color: ink.clone(),
        text_color: ink,
        legend_bg: none.clone(),
        legend_border: none,
        font_family: Some("system-ui, sans-serif".to_owned()),
        ..Theme::light()
    }
}

/// A drawing that takes the width it is given.
fn responsive(svg: &str) -> String {
    let number = |name: &str| {
        let rest = svg.split_once(&format!(" {name}=\""))?.1;
        rest.split_once('"')?.0.parse::<f64>().ok()
    };
    match (number("width"), number("height")) {
        (Some(width), Some(height)) => {
            let view = format!("<svg viewBox=\"0 0 {width} {height}\" ");
            svg.replacen("<svg ", &view, 1)
        }
        _ => svg.to_owned(),
    }
}

/// A drawing whose parts are named after the figure's number on the page: the library counts through all
/// that a process draws, and equal runs should have equal pages.
pub(super) fn with_own_names(svg: &str, figure: usize) -> String {
    let mut pieces = svg.split(NAME);
    let mut renamed = pieces.next().unwrap_or_default().to_owned();
    let mut known: Vec<&str> = Vec::new();
    for piece in pieces {
        let end = piece
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(piece.len());
        let (number, rest) = piece.split_at(end);
        let place = known.iter().position(|other| *other == number);
        let place = place.unwrap_or_else(|| {
            known.push(number);
            known.len() - 1
        });
        renamed.push_str(&format!("figure-{figure}-{place}{rest}"));
    }
    renamed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_axis_of_counts_has_whole_numbers_only() {
        let draw = |counts| {
            let curve = Curve::plain("a", [(1.0, 0.0), (2.0, 100.0)]);
            let axes = Axes {
                counts,
                ..Axes::default()
            };
            curves(&[curve], axes)
        };
        assert!(draw(false).contains(">1.2<"));
        assert!(!draw(true).contains(">1.2<") && draw(true).contains(">2<"));
    }

    #[test]
    fn equal_figures_are_equal_texts_whatever_was_drawn_before() {
        let draw = |figure| {
            let curve = Curve::with_errors("a", [(1.0, 2.0, 0.5, 0.5), (2.0, 3.0, 0.1, 0.2)]);
            with_own_names(&curves(&[curve], Axes::default()), figure)
        };
        let first = draw(3);
        assert_eq!(draw(3), first);
        assert!(
            first.contains("figure-3-0") && !first.contains(NAME),
            "{first}"
        );
        assert!(first.starts_with("<svg viewBox=\"0 0 "), "{first}");
        assert_ne!(draw(4), first);
    }
}
