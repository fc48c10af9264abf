//! The result of one game and of one pair of games, from the first player's view.
//! Both are enums, so that every result has a category.

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The result of a game for the first player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GameScore {
    /// The first player lost: 0 points.
    Loss,
    /// Nobody won: ½ point.
    Draw,
    /// The first player won: 1 point.
    Win,
}

impl GameScore {
    /// The points of the first player: 0, ½ or 1.
    pub fn points(self) -> f64 {
        f64::from(self as u8) / 2.0
    }

    /// The same game from the second player's view.
    pub fn reversed(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::Draw => Self::Draw,
            Self::Win => Self::Loss,
        }
    }
}

/// The result of the two games of one opening, sides swapped, for the first player.
///
/// In files it is the mean of the two games' points: 0, 0.25, 0.5, 0.75 or 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "f64", try_from = "f64")]
pub enum PairScore {
    /// Both games lost: 0 points.
    LossLoss,
    /// One lost, one drawn: ¼ point.
    LossDraw,
    /// Two draws, or a win and a loss: ½ point.
    Level,
    /// One won, one drawn: ¾ point.
    WinDraw,
    /// Both games won: 1 point.
    WinWin,
}

impl PairScore {
    /// Every result, worst first; the order of [`Pentanomial`](super::Pentanomial).
    pub const ALL: [Self; 5] = [
        Self::LossLoss,
        Self::LossDraw,
        Self::Level,
        Self::WinDraw,
        Self::WinWin,
    ];

    /// The result of a pair, in whichever order its games were played.
    pub fn of(one: GameScore, other: GameScore) -> Self {
        Self::ALL[one as usize + other as usize]
    }

    /// The mean of the two games' points: 0, ¼, ½, ¾ or 1.
    pub fn points(self) -> f64 {
        f64::from(self as u8) / 4.0
    }

    /// The same pair from the second player's view.
    pub fn reversed(self) -> Self {
        Self::ALL[Self::ALL.len() - 1 - self as usize]
    }
}

/// A number that is not the result of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[error("{0} is not the score of a pair; use 0, 0.25, 0.5, 0.75 or 1.")]
pub struct PairScoreError(pub f64);

impl TryFrom<f64> for PairScore {
    type Error = PairScoreError;

    fn try_from(points: f64) -> Result<Self, PairScoreError> {
        Self::ALL
            .into_iter()
            .find(|pair| pair.points() == points)
            .ok_or(PairScoreError(points))
    }
}

impl From<PairScore> for f64 {
    fn from(pair: PairScore) -> Self {
        pair.points()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAMES: [GameScore; 3] = [GameScore::Loss, GameScore::Draw, GameScore::Win];

    #[test]
    fn a_pair_is_worth_the_mean_of_its_games() {
        for one in GAMES {
            for other in GAMES {
                let mean = (one.points() + other.points()) / 2.0;
                assert_eq!(PairScore::of(one, other).points(), mean);
            }
        }
    }

    #[test]
    fn the_two_views_of_a_result_share_one_point() {
        for game in GAMES {
            assert_eq!(game.points() + game.reversed().points(), 1.0);
        }
        for pair in PairScore::ALL {
            assert_eq!(pair.points() + pair.reversed().points(), 1.0);
        }
    }

    #[test]
    fn a_pair_is_written_as_its_points() {
        assert_eq!(
            serde_json::to_string(&PairScore::ALL).unwrap(),
            "[0.0,0.25,0.5,0.75,1.0]"
        );
        let read: [PairScore; 2] = serde_json::from_str("[0, 0.75]").unwrap();
        assert_eq!(read, [PairScore::LossLoss, PairScore::WinDraw]);
        assert!(serde_json::from_str::<PairScore>("0.3").is_err());
    }
}
