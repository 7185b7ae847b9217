//! Asks the questions of all drawn positions in `boards/`; its README explains the lines.

mod asked;

use std::path::Path;

use asked::Found;

use goban::{Color, EyeRule, IllegalReason, Position, Rules, Setup, Vertex};

type Answer<T = String> = Result<T, String>;

/// A position being asked about, and the stones that count as dead.
struct Case {
    position: Position,
    dead: Vec<Vertex>,
}

fn color(word: &str) -> Answer<Color> {
    Color::parse(word).ok_or_else(|| format!("{word} is no colour"))
}

fn yes(is_so: bool) -> String {
    if is_so { "yes" } else { "no" }.to_string()
}

impl Case {
    fn vertex(&self, word: &str) -> Answer<Vertex> {
        self.position.size().parse_vertex(word).map_err(|e| e.to_string())
    }

    /// Vertices as text in the order of the board.
    fn show(&self, mut vertices: Vec<Vertex>) -> String {
        vertices.sort();
        vertices.dedup();
        let words: Vec<String> = vertices.iter().map(|&vertex| self.position.size().show(vertex)).collect();
        if words.is_empty() { "none".to_string() } else { words.join(" ") }
    }

    /// The first stone of each of the chains that these stones are in.
    fn show_chains(&self, stones: &[Vertex]) -> String {
        let first = |&stone: &Vertex| self.position.board().chain(stone).into_iter().min();
        self.show(stones.iter().filter_map(first).collect())
    }

    /// The expected answer in the form in which [`Case::ask`] gives it.
    fn normal(&self, question: &str, answer: &str) -> Answer {
        let is_list = ["stones", "alive", "safe"].contains(&question) || asked::LISTS.contains(&question);
        if !is_list || answer == "none" {
            return Ok(answer.to_string());
        }
        let vertices: Vec<_> =
            answer.split_whitespace().map(|word| self.vertex(word)).collect::<Answer<_>>()?;
        Ok(if question == "alive" { self.show_chains(&vertices) } else { self.show(vertices) })
    }

    /// Carries out a command or answers a question.
    fn ask(&mut self, question: &[&str]) -> Answer {
        let board = self.position.board();
        Ok(match *question {
            ["rules", name] => {
                self.position.set_rules(name.parse::<Rules>().map_err(|e| e.to_string())?);
                String::new()
            }
            ["komi", komi] => {
                self.position.set_komi(komi.parse().map_err(|_| "no number")?).map_err(|e| e.to_string())?;
                String::new()
            }
            ["handicap", n] => {
                self.position.set_handicap(n.parse().map_err(|_| "no number")?);
                String::new()
            }
            ["turn", of] => {
                self.position.set_to_play(color(of)?);
                String::new()
            }
            ["play", by, at] => {
                let vertex = self.vertex(at)?;
                self.position.play(color(by)?, vertex).map_err(|e| e.to_string())?;
                String::new()
            }
            ["legal", by, at] => match self.position.legality(color(by)?, self.vertex(at)?) {
                Ok(()) => yes(true),
                Err(illegal) => match illegal.reason {
                    IllegalReason::Superko { .. } => "superko".to_string(),
                    reason => format!("{reason:?}").to_lowercase(),
                },
            },
            ["stones", of] => self.show(board.stones(color(of)?)),
            ["captured", of] => self.position.n_captured(color(of)?).to_string(),
            ["liberties", at] => board.n_liberties(self.vertex(at)?).to_string(),
            ["eye", of, at] => yes(board.is_eye(self.vertex(at)?, color(of)?, EyeRule::Standard)),
            ["eye-goyui", of, at] => yes(board.is_eye(self.vertex(at)?, color(of)?, EyeRule::GoYui)),
            ["alive", of] => self.show_chains(&board.pass_alive(color(of)?).stones),
            ["safe", of] => self.show(board.pass_alive(color(of)?).territory),
            ["score"] => {
                self.dead.clear();
                self.position.score().to_string()
            }
            ["score", "dead", ref dead @ ..] => {
                self.dead = dead.iter().map(|word| self.vertex(word)).collect::<Answer<_>>()?;
                self.position.score_with_dead(&self.dead).to_string()
            }
            ["tally", of] => {
                let score = self.position.score_with_dead(&self.dead);
                let t = score.of(color(of)?);
                [t.stones, t.territory, t.tax, t.prisoners, t.dead].map(|n| n.to_string()).join(" ")
            }
            _ => match asked::ask(board, question) {
                Some(Found::Points(points)) => self.show(points),
                Some(Found::Word(word)) => word,
                None => return Err("unknown question".to_string()),
            },
        })
    }

    /// Checks one line: a command, or a question, `=` and its answer.
    fn check(&mut self, line: &str) -> Answer<()> {
        let (question, answer) = line.split_once(" = ").unwrap_or((line, ""));
        let question: Vec<&str> = question.split_whitespace().collect();
        let found = self.ask(&question)?;
        let expected = self.normal(question[0], answer)?;
        if found == expected { Ok(()) } else { Err(format!("found {found}")) }
    }
}

/// Checks a title, a drawing and its questions; returns what failed.
fn check_case(text: &str) -> Vec<String> {
    let (title, body) = text.split_once('\n').unwrap_or((text, ""));
    let is_drawn = |line: &&str| line.split_whitespace().all(|word| [".", "X", "O"].contains(&word));
    let drawing: Vec<&str> = body.lines().take_while(is_drawn).collect();
    let position = Setup::parse(&drawing.join("\n"))
        .and_then(|setup| Position::from_setup(&setup, Color::Black, Rules::default()));
    let position = match position {
        Ok(position) => position,
        Err(error) => return vec![format!("{title}: {error}")],
    };
    let mut case = Case { position, dead: Vec::new() };
    let lines = body.lines().skip(drawing.len()).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let failures = lines.filter_map(|line| {
        let failure = case.check(line).err()?;
        Some(format!("{title}: {line}: {failure}"))
    });
    failures.collect()
}

/// Checks all files of a folder of drawn positions, and that they hold at least `n_least`.
fn check_folder(name: &str, n_least: usize) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../boards").join(name);
    let mut failures = Vec::new();
    let mut n_cases = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "txt") {
            let text = format!("\n{}", std::fs::read_to_string(&path).unwrap());
            for case in text.split("\n= ").skip(1) {
                n_cases += 1;
                let file = path.file_name().unwrap_or_default().to_string_lossy();
                failures.extend(check_case(case).iter().map(|failure| format!("{file}: {failure}")));
            }
        }
    }
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
    assert!(n_cases >= n_least, "only {n_cases} cases");
}

#[test]
fn drawn_positions_have_the_expected_answers() {
    check_folder("", 30);
}

#[test]
fn drawn_tactics_have_the_expected_answers() {
    check_folder("tactics", 100);
}
