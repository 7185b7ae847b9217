//! Progress bars, for terminals only.

use indicatif::{ProgressBar, ProgressStyle};

/// Gives a bar this style.
pub(crate) fn styled(bar: ProgressBar, template: &str) -> ProgressBar {
    // A template that is wrong leaves the usual style, which is no reason to stop.
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar
}

/// A bar of `n` things with the time that is left, and a message.
pub(crate) fn timed(n: u64, message: &str) -> ProgressBar {
    let bar = styled(ProgressBar::new(n), "{bar:24} {pos}/{len} {elapsed_precise} (eta {eta_precise}) {msg}");
    bar.set_message(message.to_string());
    bar
}

/// Openings are being made, before the first game. A bar shows how many are found; where none is seen, one line says so,
/// since they take minutes.
pub(crate) fn show_openings(bar: &ProgressBar, found: usize, wanted: usize, has_said: &mut bool) {
    if !bar.is_hidden() {
        bar.set_message(format!("{found} of {wanted} balanced openings found"));
    } else if !std::mem::replace(has_said, true) {
        eprintln!("tengen: making {wanted} balanced openings before the first game");
    }
}
