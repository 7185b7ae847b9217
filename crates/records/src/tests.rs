//! Lists and records give the same games.

use std::fs;
use std::ops::ControlFlow;
use std::path::PathBuf;

use super::*;

/// Everything in the files, games by their place and number of moves, trouble by its text.
fn read_all(paths: &[PathBuf]) -> (Vec<RecordedGame>, Vec<String>) {
    let (mut games, mut trouble) = (Vec::new(), Vec::new());
    read(paths, |found| {
        match found {
            ReadItem::Game(game) => games.push(*game),
            ReadItem::Unreadable(why) => trouble.push(why),
        }
        ControlFlow::Continue(())
    });
    (games, trouble)
}

fn list_of(lines: &[&str]) -> (Vec<RecordedGame>, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("list.txt");
    fs::write(&path, lines.join("\n")).unwrap();
    read_all(&[path])
}

#[test]
fn a_line_and_a_record_are_the_same_game() {
    let folder = tempfile::tempdir().unwrap();
    let list = folder.path().join("a.txt");
    fs::write(&list, "9\t7\t2\tW+R\t?/?\togs:x:y\tgccg\teeedtt\n").unwrap();
    let record = folder.path().join("b.sgf");
    fs::write(&record, "(;SZ[9]KM[7]HA[2]RE[W+R]AB[gc][cg];W[ee];B[ed];W[])").unwrap();
    let (games, trouble) = read_all(&[list, record]);
    assert_eq!((games.len(), trouble.len()), (2, 0), "{trouble:?}");
    let [line, record] = [&games[0], &games[1]];
    assert_eq!((line.source.as_str(), record.source.as_str()), ("ogs", "sgf"));
    assert!(line.place.to_string().ends_with("a.txt:1"));
    assert_eq!(line.plays().collect::<Vec<_>>(), record.plays().collect::<Vec<_>>());
    assert_eq!(
        (line.komi, line.handicap, line.result, line.first),
        (record.komi, record.handicap, record.result, record.first)
    );
    let end = |game: &RecordedGame| {
        let mut last = None;
        game.replay(Rules::CHINESE, 0.0, |position, play| {
            last = Some((position.board().to_string(), position.komi(), play));
            Ok::<_, Infallible>(true)
        })
        .unwrap()
        .unwrap();
        last.unwrap()
    };
    assert_eq!(end(line), end(record));
    assert_eq!((end(line).1, end(line).2.vertex), (7.0, Vertex::PASS));
}

#[test]
fn positions_before_a_move() {
    let (games, _) = list_of(&["9\t?\t0\t?\t?/?\tx\t-\teeedee"]);
    let game = &games[0];
    let position = game.before_move(3, Rules::CHINESE, 6.5).unwrap_err();
    assert!(position.to_string().contains("list.txt:1: move 3: illegal move: Black E5"), "{position}");
    let position = game.before_move(2, Rules::CHINESE, 6.5).unwrap();
    assert_eq!((position.plays().len(), position.to_play(), position.komi()), (1, Color::White, 6.5));
    let (games, _) = list_of(&["9\t?\t0\t?\t?/?\tx\t-\teeed"]);
    let error = games[0].before_move(3, Rules::CHINESE, 6.5).unwrap_err().to_string();
    assert!(error.ends_with("move 3: the game has 2 moves"), "{error}");
}

#[test]
fn trouble_is_named_and_the_rest_is_read() {
    let good = "9\t7\t0\tB+R\t?/?\tx\t-\teeed";
    let (games, trouble) = list_of(&[good, "9\t7", "", "9\tx\t0\tB+R\t?/?\tx\t-\tee", good]);
    assert_eq!(games.iter().map(|game| game.place.number).collect::<Vec<_>>(), [1, 5]);
    assert!(trouble[0].ends_with("list.txt:2: number of fields 2: expected 8, separated by tabs"));
    assert!(trouble[1].ends_with("list.txt:4: komi \"x\": expected a number or ?"));
    let (games, trouble) = list_of(&["nonsense"; 50]);
    assert_eq!((games.len(), trouble.len()), (0, 11));
    let (games, trouble) = read_all(&[PathBuf::from("no/such/list")]);
    assert!(games.is_empty() && trouble[0].starts_with("no/such/list: "), "{trouble:?}");
}

#[test]
fn letters_are_the_reverse_of_points() {
    let vertices = [Vertex::new(0, 0), Vertex::new(18, 3), Vertex::PASS, Vertex::new(8, 8)];
    let text: String = vertices.into_iter().map(line::letters).collect();
    assert_eq!(text, "aasdttii");
    assert_eq!(line::points(&text).collect::<Result<Vec<_>, _>>().unwrap(), vertices);
}

#[test]
fn every_game_is_drawn_equally_often() {
    let lines: Vec<String> = (0..10).map(|komi| format!("9\t{komi}\t0\t?\t?/?\tx\t-\tee")).collect();
    let (games, _) = list_of(&lines.iter().map(String::as_str).collect::<Vec<_>>());
    let mut counts = [0; 10];
    for seed in 0..2000 {
        let mut sample = GameSample::drawn(3, seed);
        // The game with komi 4 is never fit.
        games.iter().for_each(|game| sample.offer(game.clone(), |game| game.komi != Some(4.0)));
        let drawn = sample.into_games();
        assert_eq!(drawn.len(), 3);
        assert!(drawn.is_sorted_by_key(|game| game.place.number));
        drawn.iter().for_each(|game| counts[game.komi.unwrap() as usize] += 1);
    }
    assert_eq!(counts[4], 0);
    // 2000 · 3 / 9 = 667 expected of each, with a standard deviation of about 21.
    assert!(counts.iter().enumerate().all(|(n, &count)| n == 4 || (580..755).contains(&count)), "{counts:?}");
    let mut sample = GameSample::first(2);
    for game in games {
        assert!(!sample.is_full() || game.komi > Some(1.0));
        sample.offer(game, |_| true);
    }
    assert_eq!(sample.into_games().iter().map(|game| game.komi).collect::<Vec<_>>(), [Some(0.0), Some(1.0)]);
}
