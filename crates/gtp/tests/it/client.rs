//! The controller's side against real child processes: shell scripts that behave and misbehave, our own example
//! engine, and GNU Go where it is installed.

use gtp::{Client, ClientError};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

const LONG: Duration = Duration::from_secs(20);
const SHORT: Duration = Duration::from_millis(100);

/// Echoes commands with their ids; `slow` takes its time, `bad` is refused.
const ECHO: &str = r#"sh -c 'while read id words; do
    case "$words" in
        slow) sleep 0.8;;
        never) sleep 60;;
        quit) exit 0;;
    esac
    if [ "$words" = bad ]; then printf "?$id no\n\n"; else printf "=$id $words\n\n"; fi
done'"#;

fn start(command_line: &str) -> Client {
    Client::start(command_line).expect("the engine starts")
}

fn kill(pid: u32) {
    let killed = Command::new("kill").args(["-9", &pid.to_string()]).status().expect("kill runs");
    assert!(killed.success());
}

/// Whether a process runs; one that only waits to be reaped does not.
fn is_running(pid: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit(") ").next().is_some_and(|fields| !fields.is_empty() && !fields.starts_with(['Z', 'X']))
}

/// Whether a process is gone, or goes within a moment: who is killed still needs time to die.
fn is_gone(pid: u32) -> bool {
    (0..200).any(|_| {
        std::thread::sleep(Duration::from_millis(10));
        !is_running(pid)
    })
}

#[test]
fn asks_and_is_answered() {
    let mut echo = start(ECHO);
    assert_eq!(echo.ask("play b D4 # why not\n", LONG).expect("a reply"), "play b D4");
    let refused = echo.ask("bad", LONG);
    assert!(matches!(&refused, Err(ClientError::Failure(text)) if text == "no"), "{refused:?}");
    for word in ["a", "b", "c"] {
        echo.send(word).expect("a command");
    }
    for word in ["a", "b", "c"] {
        assert_eq!(echo.receive(LONG).expect("a reply"), word);
    }
    assert!(matches!(echo.ask(" # nothing", LONG), Err(ClientError::NotACommand(_))));
}

#[test]
fn ids_can_be_left_out() {
    let mut engine = start(r#"sh -c 'while read line; do printf "= got $line\n\n"; done'"#);
    engine.numbered = false;
    assert_eq!(engine.ask("name", LONG).expect("a reply"), "got name");
}

#[test]
fn long_and_odd_replies_are_read() {
    let mut engine = start(r#"sh -c 'printf "\r\n=1\r\n  a b\r\n1 x\r\n\r\n\n\n?2oh\n\n"; cat >/dev/null'"#);
    assert_eq!(engine.ask("showboard", LONG).expect("a reply"), "\n  a b\n1 x");
    assert!(matches!(engine.ask("x", LONG), Err(ClientError::Failure(text)) if text == "oh"));
}

#[test]
fn a_late_reply_is_not_taken_for_the_next() {
    let mut echo = start(ECHO);
    for numbered in [true, false] {
        if !numbered {
            echo = start(r#"sh -c 'while read w; do [ $w = slow ] && sleep 0.8; printf "= $w\n\n"; done'"#);
            echo.numbered = false;
        }
        assert!(matches!(echo.ask("slow", SHORT), Err(ClientError::Timeout(SHORT))));
        assert!(matches!(echo.ask("soon", SHORT), Err(ClientError::Timeout(SHORT))));
        assert_eq!(echo.ask("next", LONG).expect("a reply"), "next");
    }
}

#[test]
fn a_death_is_reported_with_the_last_words() {
    let mut engine = start("sh -c 'read x; echo first >&2; echo cannot go on >&2; exit 3'");
    for _ in 0..2 {
        match engine.ask("name", LONG) {
            Err(error @ ClientError::Died { .. }) => {
                let text = error.to_string();
                assert!(text.contains("exit status: 3") && text.ends_with("first | cannot go on"), "{text}");
            }
            other => panic!("expected a death, got {other:?}"),
        }
    }
}

#[test]
fn timed_a_killed_engine_is_noticed_at_once() {
    let mut echo = start(ECHO);
    echo.send("never").expect("a command");
    let start = Instant::now();
    kill(echo.pid());
    match echo.receive(LONG) {
        Err(ClientError::Died { status: Some(status), .. }) => assert_eq!(status.signal(), Some(9)),
        other => panic!("expected a death, got {other:?}"),
    }
    assert!(start.elapsed() < Duration::from_secs(2));
}

#[test]
fn half_a_reply_is_no_reply() {
    let mut engine = start(r#"sh -c 'read x; printf "=1 half\n"'"#);
    assert!(matches!(engine.ask("name", LONG), Err(ClientError::Died { .. })));
}

#[test]
fn garbage_is_called_garbage() {
    let mut engine = start(
        r#"sh -c 'read x; echo hello; printf "=1 late\n\n"; read x; printf "=2 good\n\n=9 wrong\n\n"; cat'"#,
    );
    assert!(matches!(engine.ask("a", LONG), Err(ClientError::Garbage(line)) if line == "hello"));
    assert_eq!(engine.ask("b", LONG).expect("a reply"), "good");
    assert!(matches!(engine.ask("c", LONG), Err(ClientError::Garbage(line)) if line.contains("wrong")));
}

#[test]
fn endless_lines_are_cut() {
    for (start, quote) in [("", "\0\0"), ("=1 move", "=1 move\0")] {
        let mut engine = start_with(&format!("printf \"{start}\"; cat /dev/zero"));
        let error = engine.ask("name", LONG);
        let is_quoted = |line: &str| line.starts_with(quote) && line.chars().count() <= 201;
        assert!(matches!(&error, Err(ClientError::Garbage(line)) if is_quoted(line)), "{start:?}");
    }
    // A reply whose single lines are short enough, and one after it.
    let mut engine =
        start_with("printf \"=1 \"; yes $(printf %01000d 0) | head -n 70000; printf \"\n=2 good\n\n\"; cat");
    assert!(matches!(engine.ask("a", LONG), Err(ClientError::Garbage(_))));
    assert_eq!(engine.ask("b", LONG).expect("a reply"), "good");
    let mut engine =
        start_with("head -c 100000000 /dev/zero >&2; echo >&2; echo end >&2; printf \"=1 x\n\n\"; cat");
    assert_eq!(engine.ask("name", LONG).expect("a reply"), "x");
    assert!(engine.stderr().iter().all(|line| line.len() <= 4096));
}

fn start_with(script: &str) -> Client {
    start(&format!("sh -c 'read x; {script}'"))
}

#[test]
fn timed_a_stopped_wait_ends_at_once() {
    let mut echo = start(ECHO);
    let stop = Arc::clone(&echo.stop);
    let start = Instant::now();
    std::thread::spawn(move || {
        std::thread::sleep(SHORT);
        stop.store(true, Ordering::Relaxed);
    });
    assert!(matches!(echo.ask("never", LONG), Err(ClientError::Stopped)));
    assert!(start.elapsed() < Duration::from_secs(2));
}

#[test]
fn a_talkative_engine_does_not_block() {
    let noise = r"i=0; while [ $i -lt 5000 ]; do echo a line of noise number $i >&2; i=$((i+1)); done";
    let mut engine = start(&format!(r#"sh -c 'read x; {noise}; printf "=1 done\n\n"; cat'"#));
    assert_eq!(engine.ask("name", LONG).expect("a reply"), "done");
    assert!(engine.stderr().len() <= 20);
}

#[test]
fn an_engine_that_does_not_listen_does_not_block() {
    let mut engine = start("sleep 60");
    let command = "x".repeat(1 << 20);
    assert!(matches!(engine.ask(&command, SHORT), Err(ClientError::Timeout(_))));
    let pid = engine.pid();
    drop(engine);
    assert!(is_gone(pid));
}

#[test]
fn dropping_leaves_nothing_running() {
    // The engine ignores quit and the end of its input, and has a child that holds its output open.
    let mut engine = start(r#"sh -c 'sleep 60 & printf "=1 $!\n\n"; while :; do sleep 60; done'"#);
    let child: u32 = engine.ask("child", LONG).expect("a reply").parse().expect("a process id");
    let pid = engine.pid();
    if !is_running(pid) {
        println!("skipped: this system does not show its processes under /proc");
        return;
    }
    assert!(is_running(child));
    drop(engine);
    assert!(is_gone(pid) && is_gone(child));
}

#[test]
fn timed_a_dead_engine_is_dead_although_its_child_holds_the_output() {
    let mut engine = start(r#"sh -c 'sleep 60 & printf "=1 $!\n\n"; read x; read y; exit 1'"#);
    let child: u32 = engine.ask("child", LONG).expect("a reply").parse().expect("a process id");
    let start = Instant::now();
    assert!(matches!(engine.ask("name", LONG), Err(ClientError::Died { status: Some(_), .. })));
    assert!(start.elapsed() < Duration::from_secs(2));
    assert!(is_gone(child));
}

#[test]
fn bad_command_lines_are_explained() {
    for (command_line, reason) in [("", "no program"), ("  ", "no program"), ("sh -c 'x", "quote")] {
        let text = Client::start(command_line).err().expect("an error").to_string();
        assert!(text.contains(reason), "{text}");
    }
    let text = Client::start("no-such-engine --gtp").err().expect("an error").to_string();
    assert!(text.starts_with("cannot start \"no-such-engine --gtp\": "), "{text}");
}

/// The example engine, which cargo builds beside the tests.
fn example() -> Option<String> {
    let exe = std::env::current_exe().expect("the path of this test");
    let path: PathBuf = exe.parent()?.parent()?.join("examples/echo_engine");
    path.exists().then(|| shell_words::quote(&path.to_string_lossy()).into_owned())
}

#[test]
fn both_ends_understand_each_other() {
    let Some(command_line) = example() else {
        println!("skipped: the example echo_engine has not been built");
        return;
    };
    let mut engine = start(&command_line);
    assert_eq!(engine.ask("name", LONG).expect("a reply"), "Echo");
    assert!(engine.ask("list_commands", LONG).expect("a reply").starts_with("protocol_version\n"));
    assert!(matches!(engine.ask("set 101", LONG), Err(ClientError::Failure(_))));
    engine.send("count").expect("a command");
    std::thread::sleep(SHORT);
    assert_eq!(engine.ask("echo on", LONG).expect("the first reply").lines().next(), Some(""));
    assert_eq!(engine.receive(LONG).expect("a reply"), "on");
    assert_eq!(engine.ask("quit", LONG).expect("a reply"), "");
    assert!(
        matches!(engine.ask("name", LONG), Err(ClientError::Died { status: Some(s), .. }) if s.success())
    );
}

#[test]
fn gnu_go_plays() {
    let Some(gnugo) =
        ["/usr/games/gnugo", "/usr/bin/gnugo"].into_iter().find(|path| Path::new(path).exists())
    else {
        println!("skipped: GNU Go is not installed");
        return;
    };
    let mut engine = start(&format!("{gnugo} --mode gtp --level 1"));
    assert_eq!(engine.ask("name", LONG).expect("a reply"), "GNU Go");
    for command in ["boardsize 9", "clear_board", "play b E5", "play w E5", "genmove w"] {
        engine.send(command).expect("a command");
    }
    let replies: Vec<_> = (0..5).map(|_| engine.receive(LONG)).collect();
    assert!(matches!(&replies[3], Err(ClientError::Failure(text)) if text == "illegal move"), "{replies:?}");
    assert!(replies.iter().enumerate().all(|(idx, reply)| idx == 3 || reply.is_ok()), "{replies:?}");
    assert!(engine.ask("showboard", LONG).expect("a reply").lines().count() > 9);
    kill(engine.pid());
    assert!(matches!(engine.ask("name", LONG), Err(ClientError::Died { .. })));
}

/// Names the file in which the engine of a controller that will be killed writes its number.
const KILLED_CONTROLLER: &str = "GTP_TEST_KILLED_CONTROLLER";

/// The controller of the next test, in a process of its own.
#[test]
#[ignore = "a part of the test below"]
fn a_controller_that_will_be_killed() {
    let Ok(path) = std::env::var(KILLED_CONTROLLER) else { return };
    // The engine tells its number itself, so that the controller may be killed at the first moment.
    let script = format!("trap \"\" HUP INT TERM PIPE; echo $$ > {path}; while :; do sleep 1; done");
    let _engine = start(&format!("sh -c '{script}'"));
    std::thread::sleep(Duration::from_secs(60));
}

#[test]
fn an_engine_does_not_outlive_a_controller_that_is_killed() {
    (0..10).for_each(kill_a_controller);
}

fn kill_a_controller(round: usize) {
    let path = std::env::temp_dir().join(format!("gtp-killed-{}-{round}", std::process::id()));
    let mut controller = Command::new(std::env::current_exe().expect("this program"))
        .args(["--exact", "client::a_controller_that_will_be_killed", "--ignored", "--nocapture"])
        .env(KILLED_CONTROLLER, &path)
        .stdout(std::process::Stdio::null())
        .spawn()
        .expect("this program starts");
    let deadline = Instant::now() + LONG;
    let engine: u32 = loop {
        assert!(Instant::now() < deadline, "no engine was started");
        match std::fs::read_to_string(&path) {
            Ok(text) if text.ends_with('\n') => break text.trim().parse().expect("a number"),
            _ => std::thread::sleep(Duration::from_millis(10)),
        }
    };
    assert!(is_running(engine));
    kill(controller.id());
    controller.wait().expect("it is reaped");
    let _ = std::fs::remove_file(&path);
    let killed = Instant::now();
    while is_running(engine) {
        assert!(killed.elapsed() < LONG, "the engine goes on for nobody");
        std::thread::sleep(Duration::from_millis(10));
    }
}
