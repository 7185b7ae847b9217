//! What a handler may do besides returning a text.

use crate::registry::Catalog;
use crate::{Interrupt, Response, reply, stderr};
use std::io::{self, Write};
use std::time::Duration;

/// The surroundings of one running command.
///
/// Most handlers ignore it. One that thinks for long asks [`Context::interrupt`] whether to stop. One that
/// reports while it works, an asynchronous command, begins its reply with [`Context::begin`], adds lines with
/// [`Context::line`] until [`Context::input_waiting`], and returns; the text it returns, if any, becomes the last
/// line (`play D4`), and the loop closes the reply.
pub struct Context<'a> {
    id: Option<u32>,
    catalog: &'a Catalog,
    interrupt: Interrupt,
    output: &'a mut dyn Write,
    streaming: bool,
    quitting: bool,
    broken: Option<io::Error>,
}

impl<'a> Context<'a> {
    pub(crate) fn new(
        id: Option<u32>,
        catalog: &'a Catalog,
        interrupt: Interrupt,
        output: &'a mut dyn Write,
    ) -> Self {
        Context { id, catalog, interrupt, output, streaming: false, quitting: false, broken: None }
    }

    /// Every command the engine knows.
    pub fn catalog(&self) -> &'a Catalog {
        self.catalog
    }

    /// The handle that tells when to stop; clone it for a search that runs elsewhere.
    pub fn interrupt(&self) -> &Interrupt {
        &self.interrupt
    }

    /// Whether a further line has arrived, which ends an asynchronous command.
    pub fn input_waiting(&self) -> bool {
        self.interrupt.input_waiting()
    }

    /// Waits for a further line, at most `timeout`; says whether one has arrived.
    pub fn wait_for_input(&self, timeout: Duration) -> bool {
        self.interrupt.wait_for_input(timeout)
    }

    /// Begins the reply now (`=` and the id), since controllers ignore reports before they have seen it.
    /// From here on the reply is a success, whatever the handler returns.
    pub fn begin(&mut self) {
        if !self.streaming {
            self.streaming = true;
            self.write(&reply::stream_head(self.id));
        }
    }

    /// Writes one more line of the reply, at once; begins the reply if need be. When the controller is
    /// gone the line is lost, and [`Context::input_waiting`] says that it is time to end.
    pub fn line(&mut self, text: &str) {
        self.begin();
        let text = reply::squeeze(text);
        if !text.is_empty() {
            self.write(&format!("{}\n", text.trim_start_matches('\n')));
        }
    }

    /// Ends the loop once this command has been answered.
    pub fn quit(&mut self) {
        self.quitting = true;
    }

    /// Writes or closes the reply; says whether the loop is to end, or why nothing can be written any more.
    pub(crate) fn finish(mut self, response: &Response) -> io::Result<bool> {
        if self.streaming {
            match response {
                Ok(text) => self.line(text),
                Err(error) => stderr::log(&format!("error in a reply already begun: {error}")),
            }
            self.write("\n");
        } else {
            self.write(&reply::frame(self.id, response));
        }
        self.broken.map_or(Ok(self.quitting), Err)
    }

    fn write(&mut self, text: &str) {
        if self.broken.is_none()
            && let Err(error) = self.output.write_all(text.as_bytes()).and_then(|()| self.output.flush())
        {
            self.broken = Some(error);
            self.interrupt.hang_up();
        }
    }
}
