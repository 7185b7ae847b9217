//! Options in a file. Each line of it becomes the option of the same name, before those of the command line, so that there is
//! one place that knows what an option is.

use std::ffi::OsString;
use std::path::Path;

use anyhow::{Context, Result, bail};
use clap::{Args, Command, FromArgMatches};
use toml::Value;

use super::Options;

/// The options of a file, and over them those of the command line.
pub(super) fn with_file(path: &Path, arguments: impl Iterator<Item = OsString>) -> Result<Options> {
    let place = || format!("--config {}", path.display());
    let text = std::fs::read_to_string(path).with_context(|| format!("{}: cannot read it", place()))?;
    let command = Options::augment_args(Command::new("tengen cgos").no_binary_name(true));
    let known: Vec<&str> = command.get_arguments().filter_map(|option| option.get_long()).collect();
    let words = words(&text, &known).with_context(place)?;
    let all = words.into_iter().map(OsString::from).chain(arguments);
    let matches = command.try_get_matches_from(all).map_err(|error| match error.kind() {
        clap::error::ErrorKind::DisplayHelp => anyhow::Error::new(error),
        _ => anyhow::anyhow!("{}: {}", place(), first_line(&error.to_string())),
    })?;
    Ok(Options::from_arg_matches(&matches)?)
}

fn first_line(text: &str) -> &str {
    let line = text.lines().next().unwrap_or_default();
    line.strip_prefix("error: ").unwrap_or(line)
}

/// The lines of a file as words of a command line that has these options.
fn words(text: &str, known: &[&str]) -> Result<Vec<String>> {
    let table: toml::Table = text.parse()?;
    let mut words = Vec::new();
    for (key, value) in table {
        if key == "config" {
            bail!("config: a file cannot name another one");
        }
        if !known.contains(&key.as_str()) {
            let others: Vec<&str> = known.iter().copied().filter(|&name| name != "config").collect();
            bail!("{key}: no such option; expected one of {}", others.join(", "));
        }
        match value {
            Value::Boolean(true) => words.push(format!("--{key}")),
            Value::Boolean(false) => {}
            Value::String(text) => words.push(format!("--{key}={text}")),
            Value::Integer(number) => words.push(format!("--{key}={number}")),
            Value::Float(number) => words.push(format!("--{key}={number}")),
            other => {
                bail!(
                    "{key}: {} is not an option; expected a text, a number, true or false",
                    other.type_str()
                )
            }
        }
    }
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_become_options() {
        let text = "server = \"localhost\"\nport = 6809\nno-resign = true\nponder = false\nlag = 0.5\n";
        let known = ["config", "server", "port", "no-resign", "ponder", "lag", "games"];
        let words = |text| words(text, &known);
        let mut all = words(text).unwrap();
        all.sort();
        assert_eq!(all, ["--lag=0.5", "--no-resign", "--port=6809", "--server=localhost"]);
        assert!(words("games = [1, 2]").unwrap_err().to_string().contains("games: array is not an option"));
        assert!(words("config = \"x\"").unwrap_err().to_string().contains("cannot name another"));
    }

    #[test]
    fn the_command_line_goes_before_the_file() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "user = \"file\"\nport = 1\nplayouts = 7\n").unwrap();
        let given = ["--config", "x", "--user", "line"].map(OsString::from);
        let options = with_file(file.path(), given.into_iter()).unwrap();
        assert_eq!((options.user.as_deref(), options.port), (Some("line"), Some(1)));
        assert_eq!(options.think.playouts, Some(7));
        std::fs::write(file.path(), "usr = \"x\"\n").unwrap();
        let Err(error) = with_file(file.path(), std::iter::empty()) else { panic!("an unknown key passes") };
        let error = format!("{error:#}");
        assert!(error.contains("usr: no such option"), "{error}");
    }
}
