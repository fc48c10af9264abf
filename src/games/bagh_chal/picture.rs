//! Bagh-Chal as vector graphics: the board's points lie 20 units apart.

use super::geometry::{PieceType, SIDE, on_line};
use super::position::Position;
use crate::game::Picture;

/// Distance of neighbours.
const STEP: i32 = 20;

fn place(coordinate: u8) -> i32 {
    STEP * i32::from(coordinate)
}

impl Picture for Position {
    const COLOURS: [[&'static str; 2]; 2] = [["#e07a1f", "#f4f1ea"], ["#d9752a", "#cfc9bc"]];
    const VIEW_BOX: &'static str = "-16 -12 108 122";

    fn draw_board((): &()) -> String {
        let mut svg = String::new();
        let mut line = |from: (u8, u8), to: (u8, u8)| {
            let ([x1, y1], [x2, y2]) = ([from.0, from.1].map(place), [to.0, to.1].map(place));
            svg.push_str(&format!(
                r#"<line class="line" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"/>"#
            ));
        };
        for y in 0..SIDE {
            for x in 0..SIDE {
                for (dx, dy) in [(1, 0), (0, 1), (1, 1), (-1, 1)] {
                    let to = (x as i8 + dx, y as i8 + dy);
                    let inside = |c: i8| (0..SIDE as i8).contains(&c);
                    if inside(to.0) && inside(to.1) {
                        let to = (to.0 as u8, to.1 as u8);
                        if on_line((x, y), to, 1) {
                            line((x, y), to);
                        }
                    }
                }
            }
        }
        for n in 0..SIDE {
            let (file, rank) = (char::from(b'a' + n), SIDE - n);
            let at = place(n);
            svg.push_str(&format!(
                r#"<text class="label" x="{at}" y="95" text-anchor="middle">{file}</text><text class="label" x="-12" y="{}" text-anchor="middle">{rank}</text>"#,
                at + 2
            ));
        }
        svg
    }

    fn draw_pieces(&self) -> String {
        let mut svg = String::new();
        for y in 0..SIDE {
            for x in 0..SIDE {
                let (class, letter) = match self.board.get((x, y)) {
                    PieceType::Tiger => ("max", "T"),
                    PieceType::Sheep => ("min", "S"),
                    PieceType::Empty => continue,
                };
                let (cx, cy) = (place(x), place(y));
                svg.push_str(&format!(
                    r#"<g class="{class}"><circle cx="{cx}" cy="{cy}" r="7"/><text x="{cx}" y="{}" text-anchor="middle">{letter}</text></g>"#,
                    cy + 3
                ));
            }
        }
        svg.push_str(&format!(
            r#"<text class="label" x="40" y="107" text-anchor="middle">{} sheep in hand, {} dead</text>"#,
            self.board.sheep_left(),
            self.board.dead_sheep()
        ));
        svg
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Notation;

    #[test]
    fn every_line_and_piece_is_drawn() {
        let board = Position::draw_board(&());
        // 40 along rows and columns, 16 diagonals.
        assert_eq!(board.matches("<line").count(), 56);
        let position = Position::parse_position("T3T/1S3/5/5/T3T t 18").unwrap();
        let pieces = position.draw_pieces();
        assert_eq!(pieces.matches(r#"<g class="max">"#).count(), 4);
        assert_eq!(pieces.matches(r#"<g class="min">"#).count(), 1);
        assert!(pieces.contains(r#"cx="20" cy="20""#));
        assert!(pieces.contains("18 sheep in hand, 1 dead"));
    }
}
