//! Exercises: the drawn positions with a right move that are built into the program. Files of problems are read by `record`.

use board_files::{solve, tactical};
use goban::{Color, Position};
use player::solve::{Case, parse};

use crate::protocol::spot::{SetupStep, Spot, SpotStep, point};
use crate::protocol::tell::{Problem, ProblemSet};

/// Every file by the name of its theme; those of one theme follow each other.
static FILES: &[(&str, &str)] = &[
    ("captures", solve::CAPTURES),
    ("snapback", tactical::SNAPBACK),
    ("throw-in", tactical::THROW_IN),
    ("edge", tactical::EDGE),
    ("ladders", solve::LADDERS),
    ("nakade", solve::NAKADE),
    ("nakade", tactical::NAKADE),
    ("semeai", solve::RACES),
    ("semeai", tactical::SEMEAI),
    ("seki", solve::SEKI),
    ("seki", tactical::SEKI),
    ("ko", solve::KO),
    ("ko", tactical::KO),
    ("endgame", solve::ENDGAME),
];

/// All sets, each theme once.
pub(crate) fn sets() -> Vec<ProblemSet> {
    let mut sets: Vec<ProblemSet> = Vec::new();
    for (theme, text) in FILES {
        // A file that cannot be read would be found by the test below.
        let problems = parse(text).unwrap_or_default().iter().map(problem).collect::<Vec<_>>();
        match sets.last_mut().filter(|set| set.theme == *theme) {
            Some(set) => set.problems.extend(problems),
            None => sets.push(ProblemSet { theme, problems }),
        }
    }
    sets
}

fn problem(case: &Case) -> Problem {
    let size = case.position.size();
    let points = |vertices: &[goban::Vertex]| vertices.iter().map(|&to| point(size, to)).collect();
    Problem {
        title: case.title.clone(),
        spot: spot(&case.position),
        right: points(&case.best),
        wrong: points(&case.avoid),
    }
}

/// A position as messages write it: what stood at first, then the moves.
fn spot(position: &Position) -> Spot {
    let (size, start) = (position.size(), position.board_after(0));
    let stones = |color: Color| {
        size.vertices().filter(|&at| start.stone(at) == Some(color)).map(|at| point(size, at)).collect()
    };
    let plays = position.plays();
    let first = plays.first().map_or(position.to_play(), |play| play.color);
    let mut steps = vec![SpotStep::Setup(SetupStep {
        black: stones(Color::Black),
        white: stones(Color::White),
        empty: Vec::new(),
        to_play: Some(first.into()),
    })];
    steps.extend(plays.iter().map(|play| SpotStep::Play(play.color.into(), point(size, play.vertex))));
    if plays.last().is_some_and(|play| play.color == position.to_play()) {
        steps.push(SpotStep::Setup(SetupStep {
            to_play: Some(position.to_play().into()),
            ..SetupStep::default()
        }));
    }
    Spot {
        width: size.width(),
        height: size.height(),
        komi: position.komi(),
        rules: position.rules().to_string(),
        handicap: position.handicap(),
        steps,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::spot::stones;

    #[test]
    fn every_problem_is_the_position_of_its_file() {
        let mut cases = FILES.iter().flat_map(|(_, text)| parse(text).unwrap());
        let sets = sets();
        assert_eq!(sets.len(), 10);
        for problem in sets.iter().flat_map(|set| &set.problems) {
            let case = cases.next().unwrap();
            let position = problem.spot.position(100).unwrap();
            assert_eq!(stones(&position), stones(&case.position), "{}", problem.title);
            assert_eq!(position.to_play(), case.position.to_play(), "{}", problem.title);
            let same = [position.komi() == case.position.komi(), position.rules() == case.position.rules()];
            assert!(
                same == [true; 2] && !(problem.right.is_empty() && problem.wrong.is_empty()),
                "{}",
                problem.title
            );
            for &to in &problem.right {
                let to = crate::protocol::vertex(position.size(), to).unwrap();
                assert!(position.is_legal(position.to_play(), to), "{}", problem.title);
            }
        }
        assert!(cases.next().is_none());
    }
}
