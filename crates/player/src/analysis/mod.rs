//! The JSON analysis protocol of KataGo, as KaTrain and other tools speak it: one object a line, questions in, answers out
//! in any order, many questions at the same time.
//!
//! In reading order: [`ask`] (what is asked), [`read`] (from a line to that), `field` (its fields one by one), `answer`
//! (what is told), `job` (one position at work), `queue` (who is searched when), this file (the loop).
//!
//! A question names a game and the turns of it that are wanted; every turn is a job and gets exactly one last answer,
//! whatever happens to it, and answers before that if it asks for them. The most urgent jobs are searched first, as many
//! at a time as there are threads, each by one thread, so that the same question has the same answer every time.
//! Everything is bounded: the length of a line, the moves of a game, the jobs that wait, the memory of all trees.

mod answer;
pub mod ask;
mod field;
mod job;
mod queue;
pub mod read;

use std::io::{self, BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use gtp::bounded::{Length, read_line, skip_line};
use gtp::stderr;
use mcts::Settings;
use model::net::output::NetEvaluation;
use recipe::Recipe;
use serde_json::Value;

use crate::nets::NetFile;
use ask::{AnalysisRequest, Fault, QueryAction, Viewer};
use job::{AnalysisJob, JobProgress};
use queue::{AnalysisQueue, MAX_SUSPENDED};
use read::QueryReader;

/// The longest line that is read, in bytes.
const MAX_LINE: usize = 4 << 20;

/// How questions are answered that do not say it themselves.
#[derive(Clone, Debug)]
pub struct Options {
    /// What is searched with.
    pub recipe: Recipe,
    /// Seed of every search, and the memory of all of them together. Each search has one thread.
    pub settings: Settings,
    /// The network that the settings name, with its file; its own opinion of a position is told beside that of the search.
    pub net: Option<NetFile>,
    /// Positions that are searched at the same time.
    pub n_threads: usize,
    /// Visits of a position.
    pub max_visits: u64,
    /// Whose values are told.
    pub viewer: Viewer,
    /// Whether the end of the input ends all searches, instead of waiting for them.
    pub quits_at_once: bool,
    /// What `query_version` answers.
    pub version: String,
}

/// The state that all threads share.
struct Service<W> {
    options: Options,
    queue: AnalysisQueue,
    output: Mutex<W>,
}

/// Answers questions until the input has ended and all is answered, or nobody reads the answers any more.
///
/// Questions that were asked before the input ended are answered in full, except those without a real limit
/// ([`ask::OPEN_ENDED`] visits), which end then. The input is read in a thread of its own, which is left behind if the
/// output is closed first.
///
/// # Errors
/// When the output fails, or the system has no threads to give.
pub fn serve(
    options: Options,
    input: impl BufRead + Send + 'static,
    output: impl Write + Send + 'static,
) -> io::Result<()> {
    let n_threads = options.n_threads.max(1);
    let service = Arc::new(Service { options, queue: AnalysisQueue::default(), output: Mutex::new(output) });
    let mut workers = Vec::new();
    for _ in 0..n_threads {
        let service = Arc::clone(&service);
        workers.push(thread::Builder::new().name("analysis".to_string()).spawn(move || service.work())?);
    }
    let reader = Arc::clone(&service);
    thread::Builder::new().name("questions".to_string()).spawn(move || reader.read(input))?;
    let closed = service.queue.wait_for_the_end();
    for worker in workers {
        // Panics were caught inside.
        let _ = worker.join();
    }
    closed.map_or(Ok(()), Err)
}

impl<W: Write> Service<W> {
    /// The reader's life.
    fn read(&self, mut input: impl BufRead) {
        let mut reader = QueryReader::new(self.options.max_visits, self.options.viewer);
        let mut raw = Vec::new();
        while let Some(length) = read_line(&mut input, &mut raw, MAX_LINE) {
            if length == Length::Cut {
                skip_line(&mut input);
                self.tell(
                    &Fault::new(None, "", format!("line too long: expected at most {MAX_LINE} bytes"))
                        .to_json(),
                );
                continue;
            }
            if raw.iter().all(u8::is_ascii_whitespace) {
                continue;
            }
            match reader.read(&raw) {
                Ok((ask, warnings)) => {
                    warnings.iter().for_each(|warning| self.tell(warning));
                    self.take(ask);
                }
                Err(fault) => self.tell(&fault.to_json()),
            }
        }
        for job in self.queue.end_searches(self.options.quits_at_once) {
            self.tell(&answer::nothing(&job));
        }
        self.queue.end_input();
    }

    /// Does what is asked, or sees to it that it is done.
    fn take(&self, ask: AnalysisRequest) {
        match ask {
            AnalysisRequest::Query(query) => {
                let jobs = AnalysisJob::of(&Arc::new(*query));
                let id = jobs.first().map(|job| job.query.id.clone());
                if let Err(why) = self.queue.submit(jobs) {
                    self.tell(&Fault::new(id, "", why).to_json());
                }
            }
            AnalysisRequest::Action { action, echo } => {
                let mut echo = echo;
                match action {
                    QueryAction::Terminate { id, turns } => {
                        for job in self.queue.terminate(id.as_deref(), turns.as_deref()) {
                            self.tell(&answer::nothing(&job));
                        }
                    }
                    // Nothing is kept from one question to the next.
                    QueryAction::ClearCache => {}
                    QueryAction::QueryVersion => {
                        echo.insert("version".to_string(), self.options.version.clone().into());
                        echo.insert("git_hash".to_string(), "<omitted>".into());
                    }
                    QueryAction::QueryModels => {
                        echo.insert("models".to_string(), self.models());
                    }
                }
                self.tell(&Value::Object(echo));
            }
        }
    }

    /// A worker's life.
    fn work(&self) {
        while let Some(mut job) = self.queue.take() {
            loop {
                let attempt = catch_unwind(AssertUnwindSafe(|| self.slice(&mut job)));
                let is_done = attempt.unwrap_or_else(|_| {
                    let why = "internal error: the search of this position has failed".to_string();
                    self.tell(&Fault::new(Some(job.query.id.clone()), "", why).to_json());
                    true
                });
                if is_done {
                    self.queue.finish(&job);
                    break;
                }
                match self.queue.make_way(job) {
                    Some(same) => job = same,
                    None => break,
                }
            }
        }
    }

    /// Searches a job for a while and tells what there is to tell; true if that was all.
    fn slice(&self, job: &mut AnalysisJob) -> bool {
        let Options { recipe, settings, n_threads, .. } = &self.options;
        let memory = settings.memory / (n_threads + MAX_SUSPENDED);
        let settings = Settings { memory, threads: 1, ..settings.clone() };
        match job.slice(recipe, &settings) {
            JobProgress::More => false,
            JobProgress::Partial(survey) => {
                self.tell(&answer::found(job, &survey, self.raw(job), true));
                false
            }
            JobProgress::Done(survey) => {
                self.tell(&answer::found(job, &survey, self.raw(job), false));
                true
            }
            JobProgress::Failed(field, why) => {
                self.tell(&Fault::new(Some(job.query.id.clone()), field, why).to_json());
                true
            }
            JobProgress::Nothing => {
                self.tell(&answer::nothing(job));
                true
            }
        }
    }

    /// What is searched with: the recipe, or the network that it asks.
    fn models(&self) -> Value {
        let recipe = self.options.recipe.to_string();
        let Some(file) = &self.options.net else { return serde_json::json!([{ "name": recipe }]) };
        serde_json::json!([{
            "name": file.name(),
            "internalName": file.net.name(),
            "version": file.net.graph().version,
            "usesHumanSLProfile": false,
            "recipe": recipe,
        }])
    }

    /// What the network says of the position by itself, if there is one.
    fn raw<'a>(&self, job: &'a AnalysisJob) -> Option<&'a NetEvaluation> {
        self.options.net.as_ref().and_then(|file| job.raw(file))
    }

    /// Writes one line. When nobody reads any more, everything ends.
    fn tell(&self, value: &Value) {
        let line = format!("{value}\n");
        let mut output = self.output.lock().unwrap_or_else(PoisonError::into_inner);
        if let Err(error) = output.write_all(line.as_bytes()).and_then(|()| output.flush()) {
            drop(output);
            stderr::log(&format!("analysis: the answers cannot be written: {error}"));
            self.queue.close(error);
        }
    }
}
