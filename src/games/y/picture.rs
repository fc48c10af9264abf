//! Y as vector graphics: hexagons in rows, the top vertex above.

use super::geometry::{LARGEST_SIDE, bit, bits, index, row_and_column};
use super::position::{Position, Rules};
use crate::game::{Picture, Side};

/// Distance of neighbours on the largest board; smaller boards are drawn in the same box.
const STEP: f32 = 16.0;

/// The distance of neighbours, and the middle of the top cell.
fn frame(side: u8) -> (f32, (f32, f32)) {
    let most = f32::from(LARGEST_SIDE);
    let step = STEP * most / f32::from(side);
    (step, (STEP * most / 2.0, step / 2.0))
}

/// The middle of a cell.
fn middle(cell: u32, side: u8) -> (f32, f32) {
    let (step, (x, y)) = frame(side);
    let (row, column) = row_and_column(cell);
    let (row, column) = (f32::from(row), f32::from(column));
    (
        x + step * (column - row / 2.0),
        y + step * row * 3f32.sqrt() / 2.0,
    )
}

impl Picture for Position {
    const COLOURS: [[&'static str; 2]; 2] = [["#2f74c0", "#d0433a"], ["#5a9be0", "#de5f55"]];
    const VIEW_BOX: &'static str = "-2 -2 132 120";

    fn draw_board(rules: &Rules) -> String {
        let side = rules.side();
        let radius = frame(side).0 / 3f32.sqrt();
        let mut svg = String::new();
        for row in 0..side {
            for column in 0..=row {
                let cell = bit(row, column);
                let (x, y) = middle(cell, side);
                let corners: Vec<String> = [
                    (0.0, -1.0),
                    (0.866, -0.5),
                    (0.866, 0.5),
                    (0.0, 1.0),
                    (-0.866, 0.5),
                    (-0.866, -0.5),
                ]
                .iter()
                .map(|(dx, dy)| format!("{:.1},{:.1}", x + radius * dx, y + radius * dy))
                .collect();
                svg.push_str(&format!(
                    r#"<polygon class="line" fill="none" points="{}"/><text class="label" x="{x:.1}" y="{:.1}" text-anchor="middle">{}</text>"#,
                    corners.join(" "),
                    y + 2.5,
                    index(cell)
                ));
            }
        }
        svg
    }

    fn draw_pieces(&self) -> String {
        let side = self.side();
        let radius = frame(side).0 * 0.42;
        let mut svg = String::new();
        for (player, class, letter) in [(Side::Max, "max", "B"), (Side::Min, "min", "R")] {
            for cell in bits(self.stones(player)) {
                let (x, y) = middle(cell, side);
                svg.push_str(&format!(
                    r#"<g class="{class}"><circle cx="{x:.1}" cy="{y:.1}" r="{radius:.1}"/><text x="{x:.1}" y="{:.1}" text-anchor="middle">{letter}</text></g>"#,
                    y + 3.0
                ));
            }
        }
        svg
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Notation;

    #[test]
    fn every_cell_and_stone_is_drawn_in_the_box() {
        for side in super::super::SMALLEST_SIDE..=LARGEST_SIDE {
            let board = Position::draw_board(&Rules::new(side).unwrap());
            assert_eq!(
                board.matches("<polygon").count(),
                super::super::geometry::cells(side)
            );
        }
        let (x, y) = middle(bit(7, 7), 8);
        assert!((119.0..121.0).contains(&x) && y < 108.0, "{x} {y}");
        let pieces = Position::parse_position("B/.R/B.. r")
            .unwrap()
            .draw_pieces();
        assert_eq!(pieces.matches(r#"<g class="max">"#).count(), 2);
        assert_eq!(pieces.matches(r#"<g class="min">"#).count(), 1);
    }
}
