//! Move sets with the features of playouts.

use goban::{EyeRule, Move, Point, Position, Tactical, Vertex, with_board};
use model::PositionView;
use model::ranking::Teams;
use playout::bt::list::GROUPS;
use playout::bt::{BtGeometry, BtScene};
use records::RecordedGame;

use crate::ranking::DrawSettings;
use crate::ranking::draw::draw_into;
use crate::ranking::sets::MoveSets;

/// Draws positions from games until there are no more games or no more memory; tells the number of games that were used. A position in
/// which a playout would not consider the played move (a pass, an own eye) is left out.
pub fn draw(games: &[RecordedGame], settings: &DrawSettings) -> (MoveSets, usize) {
    let mut sets = MoveSets::of_groups(GROUPS.iter().map(|group| group.n_levels));
    let mut teams = Teams::default();
    let n_games = draw_into(&mut sets, games, settings, &mut |sets, position, played| {
        if let Some(played) = read(position, played, &mut teams) {
            sets.push(&teams, played);
        }
    });
    (sets, n_games)
}

/// Reads the features of all moves of a position; the number of the move that was played, if it is one of them.
fn read(position: &Position, played: Vertex, teams: &mut Teams) -> Option<usize> {
    teams.clear();
    with_board!(position.board(), |board| {
        let view = PositionView::of_position(board, position);
        let geometry = BtGeometry::of(board);
        let recent = view.recent.map(|mv| mv.unwrap_or(Move::PASS));
        // The kind of board that playouts have, so that the code is theirs.
        let board = board.keeping::<Tactical>();
        let scene = BtScene::new(&board, &geometry, view.to_play, recent);
        let is_move = |point: &Point| {
            board.is_legal(view.to_play, *point) && !board.is_eye(*point, view.to_play, EyeRule::Standard)
        };
        let mut found = None;
        for point in board.empties().filter(is_move) {
            if Move::at(point) == board.to_move(played) {
                found = Some(teams.len());
            }
            scene.team(point, &mut |feature| teams.push(feature as u32));
            teams.end();
        }
        found
    })
}
