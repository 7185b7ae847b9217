//! The loop as time passes: pipelining, asynchronous commands, interrupts, panics, controllers that go away.

use crate::common::{Live, Toy, answer, registry};
use gtp::End;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// The output for a script, without the reports whose number depends on how fast the script is read.
fn answer_once(input: &str) -> String {
    answer(input).replace("info more\n", "")
}

#[test]
fn pipelined_commands_are_answered_in_order() {
    let input: String = (0..2000).map(|i| format!("{i} echo {i}\n")).collect();
    let output: String = (0..2000).map(|i| format!("={i} {i}\n\n")).collect();
    assert_eq!(answer(input), output);
}

#[test]
fn every_reply_arrives_at_once() {
    let mut live = Live::start();
    live.send("1 echo a\n\n# comment\n");
    assert_eq!(live.reply(), "=1 a\n\n");
    live.send("2 echo b\n");
    assert_eq!(live.reply(), "=2 b\n\n");
    live.send("3 quit\n");
    assert_eq!(live.reply(), "=3 \n\n");
    assert_eq!(live.line(), "", "the output is closed although the input is still open");
    assert!(matches!(live.end(), End::Quit));
}

#[test]
fn the_end_of_the_input_ends_the_loop() {
    let mut live = Live::start();
    live.send("echo a\n");
    assert_eq!(live.reply(), "= a\n\n");
    live.input = None;
    assert_eq!(live.line(), "");
    assert!(matches!(live.end(), End::Eof));
}

#[test]
fn timed_any_line_ends_an_asynchronous_command() {
    for (stop, next) in
        [("32 echo x\n", "=32 x\n\n"), ("\n33 echo y\n", "=33 y\n\n"), ("# interrupt\necho\n", "= \n\n")]
    {
        let mut live = Live::start();
        live.send("31 analyze D4\n");
        assert_eq!(live.line(), "=31\n");
        assert_eq!(live.line(), "info first\n");
        assert_eq!(live.line(), "info more\n");
        let start = Instant::now();
        live.send(stop);
        let tail = live.reply();
        assert!(tail.ends_with("play D4\n\n"), "{tail:?}");
        assert_eq!(live.reply(), next);
        assert!(start.elapsed() < Duration::from_secs(2));
    }
}

#[test]
fn asynchronous_commands_in_a_row_report_once_each() {
    let once = "=\ninfo first\n\n";
    assert_eq!(answer_once("analyze\nanalyze\nquit\n"), format!("{once}{once}= \n\n"));
}

#[test]
fn the_end_of_the_input_ends_an_asynchronous_command() {
    let mut live = Live::start();
    live.send("analyze\n");
    assert_eq!(live.line(), "=\n");
    live.input = None;
    assert!(live.reply().ends_with("\n\n"));
    assert!(matches!(live.end(), End::Eof));
}

#[test]
fn an_asynchronous_command_that_fails_still_closes_its_reply() {
    assert_eq!(
        answer_once("1 analyze fail\n2 analyze panic\n3 echo\n"),
        "=1\ninfo first\n\n=2\ninfo first\n\n=3 \n\n"
    );
}

#[test]
fn an_interrupt_ends_the_running_command() {
    let mut live = Live::start();
    live.send("1 think 60000\n");
    std::thread::sleep(Duration::from_millis(20));
    live.send("# interrupt\r\n");
    assert_eq!(live.reply(), "=1 interrupted\n\n");
}

#[test]
fn an_interrupt_hits_what_was_sent_before_it_and_nothing_else() {
    let mut live = Live::start();
    live.send("# interrupt\n1 think 60000\n# interrupt\n2 think 20\n");
    assert_eq!(live.reply(), "=1 interrupted\n\n");
    assert_eq!(live.reply(), "=2 done\n\n");
    live.send("#interrupt\n# interrupt now\n3 think 20\n# an interrupt\n");
    assert_eq!(live.reply(), "=3 done\n\n");
}

#[test]
fn a_dead_controller_is_not_thought_for_but_a_script_is() {
    assert_eq!(answer("think 60000\nthink 60000\n"), "= interrupted\n\n= interrupted\n\n");
    assert_eq!(answer("think 20\nquit\n"), "= done\n\n= \n\n");
}

#[test]
fn a_panic_fails_one_command_only() {
    assert_eq!(answer("1 panic oh\n\n2 echo a\n"), "?1 internal error: oh\n\n=2 a\n\n");
}

#[test]
fn a_line_that_is_too_long_is_refused_and_its_rest_dropped() {
    let long = vec![b'x'; 65 << 20];
    let line = |start: &[u8]| [start, &long, b"\n"].concat();
    let input = [line(b"7 echo "), line(b"8 echo a #"), line(b"#"), b"9 echo b\n".to_vec()].concat();
    assert_eq!(answer(input), "?7 line too long: expected at most 67108864 bytes\n\n=8 a\n\n=9 b\n\n");
}

#[test]
fn an_output_nobody_reads_ends_the_loop() {
    let mut live = Live::start();
    live.output = None;
    live.send("echo a\n");
    let input = live.input.take();
    assert!(matches!(live.end(), End::OutputClosed(_)));
    drop(input);
}

#[test]
fn an_output_nobody_reads_ends_an_asynchronous_command() {
    let mut live = Live::start();
    live.send("analyze\n");
    assert_eq!(live.line(), "=\n");
    live.output = None;
    let input = live.input.take();
    assert!(matches!(live.end(), End::OutputClosed(_)));
    drop(input);
}

/// Many commands, the last of them `quit`, and how many bytes of them were read.
struct Flood {
    n_read: Arc<AtomicUsize>,
    n_commands: usize,
    rest: Vec<u8>,
}

impl std::io::Read for Flood {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        if self.rest.is_empty() && self.n_commands > 0 {
            self.n_commands -= 1;
            self.rest = if self.n_commands == 0 { b"quit\n".to_vec() } else { b"echo x\n".to_vec() };
        }
        let n = self.rest.len().min(out.len());
        out[..n].copy_from_slice(&self.rest[..n]);
        self.rest.drain(..n);
        self.n_read.fetch_add(n, Ordering::Relaxed);
        Ok(n)
    }
}

/// Notes how much was read when the first reply is written: by then the reader has had time to run ahead.
struct Watch {
    n_read: Arc<AtomicUsize>,
    ahead: Option<usize>,
    n_replies: usize,
}

impl std::io::Write for Watch {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let n_read = self.n_read.load(Ordering::Relaxed);
        self.ahead.get_or_insert(n_read);
        self.n_replies += bytes.windows(2).filter(|pair| pair == b"\n\n").count();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_controller_that_sends_too_many_commands_waits_for_the_engine() {
    let n_read = Arc::new(AtomicUsize::new(0));
    let flood = Flood { n_read: Arc::clone(&n_read), n_commands: 60_000, rest: b"think 300\n".to_vec() };
    let mut watch = Watch { n_read: Arc::clone(&n_read), ahead: None, n_replies: 0 };
    let end = gtp::serve(&registry(), &mut Toy::default(), std::io::BufReader::new(flood), &mut watch);
    // While the first command was thought about, no more was read than the inbox and the reader's buffer hold.
    let ahead = watch.ahead.unwrap();
    assert!(ahead < 200_000, "{ahead} bytes of {} were read ahead", n_read.load(Ordering::Relaxed));
    assert!(matches!(end, End::Quit));
    assert_eq!(watch.n_replies, 60_001, "everything is answered, quit included");
}

#[test]
fn an_interrupt_behind_many_commands_still_ends_the_running_one() {
    let mut live = Live::start();
    live.send("1 think 60000\n");
    live.send(&"echo x\n".repeat(5000));
    live.send("# interrupt\n");
    assert_eq!(live.reply(), "=1 interrupted\n\n");
}
