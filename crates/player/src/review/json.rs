//! A review for programs.

use goban::{Size, Vertex};
use serde_json::{Value, json};

use super::{Estimate, MoveReview, Review};

/// The moves with what they cost and the course of the game. Win rates and losses go from 0 to 1; those of a move are its
/// player's, those of the course Black's.
pub fn review(review: &Review, size: Size) -> Value {
    json!({
        "moves": review.moves.iter().map(|one| move_review(one, size)).collect::<Vec<_>>(),
        "mistakes": review.mistakes().iter().map(|one| one.number).collect::<Vec<_>>(),
        "unsure": review.unsure().map(|one| one.number).collect::<Vec<_>>(),
        "black_wins": review.black,
        "black_score": review.score,
    })
}

fn move_review(one: &MoveReview, size: Size) -> Value {
    let line: Vec<String> =
        one.better.iter().flat_map(|better| &better.line).map(|&vertex| show(size, vertex)).collect();
    let answer: Vec<String> = one.answer.iter().map(|&vertex| show(size, vertex)).collect();
    json!({
        "number": one.number,
        "color": one.play.color.to_string().to_lowercase(),
        "move": show(size, one.play.vertex),
        "verdict": one.grade.word(),
        "win_lost": interval(&one.loss),
        "points_lost": interval(&one.points),
        "win_best": one.best,
        "win_played": one.left,
        "better": line.first(),
        "line": line,
        "answer": answer,
        "duels": one.n_duels,
    })
}

fn interval(estimate: &Estimate) -> Value {
    json!({"mean": estimate.mean, "low": estimate.low, "high": estimate.high})
}

fn show(size: Size, vertex: Vertex) -> String {
    size.show(vertex)
}
