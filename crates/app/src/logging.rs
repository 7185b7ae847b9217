//! Log messages beside the program's output: on standard error, warnings and errors always, more with -v.

use log::{LevelFilter, Log, Metadata, Record};

/// Writes each record as a line, harmless to whoever reads the error output together with a protocol.
struct LogLines;

impl Log for LogLines {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        // Other libraries have their own say only with -vvv.
        let is_ours =
            ["web", "player", "lab", "gtp", "tengen"].iter().any(|name| metadata.target().starts_with(name));
        is_ours || log::max_level() == LevelFilter::Trace
    }

    fn log(&self, record: &Record<'_>) {
        if self.enabled(record.metadata()) {
            let level = record.level().as_str().to_ascii_lowercase();
            gtp::stderr::log(&format!("tengen: {level}: {}", record.args()));
        }
    }

    fn flush(&self) {}
}

/// Starts telling; `n_verbose` is how often -v was given.
pub(crate) fn start(n_verbose: u8) {
    let level = match n_verbose {
        0 => LevelFilter::Warn,
        1 => LevelFilter::Info,
        2 => LevelFilter::Debug,
        _ => LevelFilter::Trace,
    };
    // The only failure is that somebody tells already.
    if log::set_logger(&LogLines).is_ok() {
        log::set_max_level(level);
    }
}
