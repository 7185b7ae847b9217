//! The table of commands. Groups of handlers register themselves; the commands every engine has
//! because it speaks the protocol are there from the start.

use crate::{Args, Context, GtpError, Response};

/// Answers one command over the engine state `E`.
pub type Handler<E> = fn(&mut E, &mut Args<'_>, &mut Context<'_>) -> Response;

/// A command to be registered.
pub struct Entry<E> {
    /// The name on the wire.
    pub name: &'static str,
    /// Its arguments, as `help` shows them: `COLOUR VERTEX`; empty when there are none.
    pub synopsis: &'static str,
    /// What it does, in one line.
    pub doc: &'static str,
    /// What runs.
    pub handler: Handler<E>,
}

impl<E> Entry<E> {
    /// A line of a table of commands.
    pub const fn new(
        name: &'static str,
        synopsis: &'static str,
        doc: &'static str,
        handler: Handler<E>,
    ) -> Self {
        Entry { name, synopsis, doc, handler }
    }
}

/// What there is to know about a registered command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandInfo {
    /// The name on the wire.
    pub name: &'static str,
    /// Its arguments.
    pub synopsis: &'static str,
    /// What it does.
    pub doc: &'static str,
    /// The group that registered it.
    pub group: &'static str,
}

/// Every registered command, in the order of registration, which begins with `protocol_version`.
#[derive(Clone, Debug, Default)]
pub struct Catalog(Vec<CommandInfo>);

impl Catalog {
    /// The commands, in order.
    pub fn iter(&self) -> std::slice::Iter<'_, CommandInfo> {
        self.0.iter()
    }

    /// Whether there is such a command.
    pub fn knows(&self, name: &str) -> bool {
        self.position(name).is_some()
    }

    fn position(&self, name: &str) -> Option<usize> {
        self.0.iter().position(|info| info.name == name)
    }
}

/// Why a table of commands cannot be built.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RegistryError {
    /// Two groups claim one name.
    #[error("command {name:?} of group {group:?} is already registered by group {first:?}")]
    Duplicate {
        /// The name both want.
        name: &'static str,
        /// Who came second.
        group: &'static str,
        /// Who came first.
        first: &'static str,
    },
    /// No line could ever call such a command.
    #[error("command name {name:?} of group {group:?} must be one word, without '#', and not a number")]
    BadName {
        /// The name.
        name: &'static str,
        /// Who wants it.
        group: &'static str,
    },
}

/// The table of commands over an engine state `E`.
pub struct Registry<E> {
    catalog: Catalog,
    /// In the order of the catalog.
    handlers: Vec<Handler<E>>,
}

impl<E> Default for Registry<E> {
    fn default() -> Self {
        Self::new()
    }
}

impl<E> Registry<E> {
    /// A table of the commands that belong to the protocol itself. `name` and `version` are the engine's to add.
    pub fn new() -> Self {
        let mut registry = Registry { catalog: Catalog::default(), handlers: Vec::new() };
        for entry in builtins() {
            registry.add("protocol", &entry);
        }
        registry
    }

    /// Adds a group of commands; refuses a name that is taken or that no line could call.
    pub fn group(&mut self, group: &'static str, entries: &[Entry<E>]) -> Result<&mut Self, RegistryError> {
        for entry in entries {
            let name = entry.name;
            if !callable(name) {
                return Err(RegistryError::BadName { name, group });
            }
            if let Some(idx) = self.catalog.position(name) {
                return Err(RegistryError::Duplicate { name, group, first: self.catalog.0[idx].group });
            }
            self.add(group, entry);
        }
        Ok(self)
    }

    /// Every registered command.
    pub fn catalog(&self) -> &Catalog {
        &self.catalog
    }

    /// The handler of a command.
    pub fn handler(&self, name: &str) -> Option<Handler<E>> {
        self.catalog.position(name).map(|idx| self.handlers[idx])
    }

    fn add(&mut self, group: &'static str, entry: &Entry<E>) {
        let &Entry { name, synopsis, doc, handler } = entry;
        self.catalog.0.push(CommandInfo { name, synopsis, doc, group });
        self.handlers.push(handler);
    }
}

/// Whether a line with this name would reach its handler.
fn callable(name: &str) -> bool {
    let cleaned = crate::line::clean(name.as_bytes());
    crate::line::parse(&cleaned).is_some_and(|command| command.name == name)
}

fn builtins<E>() -> [Entry<E>; 5] {
    [
        // First, because LizzieYzy reads the list of commands only when it begins with this one.
        Entry::new("protocol_version", "", "The version of the protocol: 2.", |_, _, _| Ok("2".to_owned())),
        Entry::new("known_command", "COMMAND", "Whether there is such a command.", |_, args, cx| {
            Ok(cx.catalog().knows(args.word("command name")?).to_string())
        }),
        Entry::new("list_commands", "", "Every command, one per line.", |_, _, cx| {
            let names: Vec<&str> = cx.catalog().iter().map(|info| info.name).collect();
            Ok(names.join("\n"))
        }),
        Entry::new("help", "[COMMAND]", "What a command does, or every command.", |_, args, cx| {
            help(cx.catalog(), args.next())
        }),
        Entry::new("quit", "", "Ends the session.", |_, _, cx| {
            cx.quit();
            Ok(String::new())
        }),
    ]
}

fn help(catalog: &Catalog, wanted: Option<&str>) -> Response {
    let lines: Vec<String> = catalog
        .iter()
        .filter(|info| wanted.is_none_or(|name| name == info.name))
        .map(|info| {
            let space = if info.synopsis.is_empty() { "" } else { " " };
            format!("{}{space}{}: {}", info.name, info.synopsis, info.doc)
        })
        .collect();
    if lines.is_empty() { Err(GtpError::from("unknown command")) } else { Ok(lines.join("\n")) }
}
