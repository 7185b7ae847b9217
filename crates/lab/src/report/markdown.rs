//! A page as Markdown (the dialect of GitHub), with pictures as files beside it.
//!
//! Every sign that could mean something to Markdown or HTML is escaped, so that a name is always shown as it is: no
//! name can end a cell, begin a heading or become a tag.

use std::fmt::Write;

use super::page::{Figure, Page, PageBlock, ReportTable, TableCell, Tone};
use super::text::{Text, TextSpan, is_safe};

/// Writes the page; the files of its pictures begin with the prefix.
pub(super) fn write(page: &Page, prefix: &str) -> String {
    let pictures = page.pictures(prefix).into_iter();
    let mut writer = MarkdownWriter { out: String::new(), pictures, n_tables: 0, n_figures: 0 };
    writer.part(&format!("# {}", escape(&page.title)));
    if !page.lead.is_empty() {
        writer.part(&line(&page.lead));
    }
    writer.blocks(&page.blocks);
    if !page.footer.is_empty() {
        writer.part(&format!("---\n\n{}", line(&page.footer)));
    }
    writer.out
}

struct MarkdownWriter {
    out: String,
    /// Files of the pictures that are still to come.
    pictures: std::vec::IntoIter<String>,
    n_tables: usize,
    n_figures: usize,
}

impl MarkdownWriter {
    fn part(&mut self, text: &str) {
        if !self.out.is_empty() {
            self.out.push('\n');
        }
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn blocks(&mut self, blocks: &[PageBlock]) {
        for block in blocks {
            self.block(block);
        }
    }

    fn block(&mut self, block: &PageBlock) {
        match block {
            PageBlock::Heading(level, text) => {
                let signs = "#".repeat(usize::from((*level).clamp(2, 4)));
                self.part(&format!("{signs} {}", line(text)));
            }
            PageBlock::Paragraph(text) => self.part(&line(text)),
            PageBlock::Warning(text) => self.part(&format!("> **Note.** {}", line(text))),
            PageBlock::Code(code) => {
                let code: String = code.trim_end().chars().map(visible).collect();
                let fence = fence(&code, 3);
                self.part(&format!("{fence}text\n{code}\n{fence}"));
            }
            PageBlock::List(items) => {
                let items: Vec<String> = items.iter().map(|item| format!("- {}", line(item))).collect();
                self.part(&items.join("\n"));
            }
            PageBlock::Facts(facts) => {
                let fact =
                    |(name, text): &(String, Text)| format!("- {}: {}", escape(name), spans(text, false));
                self.part(&facts.iter().map(fact).collect::<Vec<_>>().join("\n"));
            }
            PageBlock::Table(table) => self.table(table),
            PageBlock::Figure(figure) => {
                self.n_figures += 1;
                let caption = format!("**Figure {}.** {}", self.n_figures, spans(&figure.caption, false));
                let image = self.image(figure);
                self.part(&image);
                self.part(&caption);
            }
            PageBlock::Gallery(figures) => {
                for figure in figures {
                    let part = format!("{} {}", self.image(figure), spans(&figure.caption, false));
                    self.part(part.trim_end());
                }
            }
            PageBlock::Details(summary, blocks) => {
                // HTML inside Markdown: the summary is escaped for HTML, which Markdown leaves alone.
                let summary = crate::plot::svg::escape(&one_line(&summary.words()));
                self.part(&format!("<details>\n<summary>{summary}</summary>"));
                self.blocks(blocks);
                self.part("</details>");
            }
        }
    }

    fn image(&mut self, figure: &Figure) -> String {
        let file = self.pictures.next().unwrap_or_default();
        format!("![{}]({})", escape(&figure.caption.words()), escape_address(&file))
    }

    fn table(&mut self, table: &ReportTable) {
        self.n_tables += 1;
        self.part(&format!("**Table {}.** {}", self.n_tables, spans(&table.caption, false)));
        let mut out = String::from("|");
        for column in &table.columns {
            let _ = write!(out, " {} |", spans(&column.name, true));
        }
        out += "\n|";
        for column in &table.columns {
            out += if column.numeric { "---:|" } else { "---|" };
        }
        let empty = TableCell::default();
        for row in &table.rows {
            out += "\n|";
            for index in 0..table.columns.len() {
                let cell = row.get(index).unwrap_or(&empty);
                let text = spans(&cell.text, true);
                let text = if cell.tone == Tone::Strong { strong(&text, true) } else { text };
                let _ = write!(out, " {text} |");
            }
        }
        self.part(&out);
    }
}

/// Text at the beginning of a line, where more signs have a meaning.
fn line(text: &Text) -> String {
    let out = spans(text, false);
    let trimmed = out.trim_start();
    let digits = trimmed.bytes().take_while(u8::is_ascii_digit).count();
    let first = trimmed.as_bytes().get(digits).copied().unwrap_or_default();
    let at = match digits {
        0 if matches!(first, b'-' | b'+' | b'=' | b'[') => 0,
        1.. if matches!(first, b'.' | b')') => digits,
        _ => return trimmed.to_owned(),
    };
    format!("{}\\{}", &trimmed[..at], &trimmed[at..])
}

fn spans(text: &Text, in_table: bool) -> String {
    let mut out = String::new();
    for (index, span) in text.0.iter().enumerate() {
        let words = span.words();
        let _ = match span {
            TextSpan::Plain(_) if has_harmless_brackets(words, index + 1 == text.0.len()) => {
                write!(out, "{}", escape(words).replace("\\[", "[").replace("\\]", "]"))
            }
            TextSpan::Plain(_) => write!(out, "{}", escape(words)),
            TextSpan::Strong(_) => {
                let is_apart = out.is_empty() || out.ends_with(' ');
                write!(out, "{}", strong(&escape(words), is_apart))
            }
            TextSpan::Emphasis(_) => write!(out, "<em>{}</em>", escape(words)),
            TextSpan::Code(_) => write!(out, "{}", code(words, in_table)),
            TextSpan::Link { address, .. } if is_safe(address) => {
                write!(out, "[{}]({})", escape(words), escape_address(address.trim()))
            }
            TextSpan::Link { .. } => write!(out, "{}", escape(words)),
        };
    }
    out
}

/// Whether brackets cannot be taken for a link: `[18.2, 28.1]` may stand as it is, which is easier to read.
fn has_harmless_brackets(text: &str, is_last: bool) -> bool {
    let mut after = text.match_indices(']').map(|(at, _)| text[at + 1..].chars().next());
    !text.contains("[^") && after.all(|next| next.map_or(is_last, |next| !matches!(next, '(' | '[' | ':')))
}

/// Strong text. Stars are not seen as signs beside some others, which a tag does not mind; those before the sign of a number
/// are, if a blank or nothing is before them.
fn strong(text: &str, is_apart: bool) -> String {
    let text = text.trim();
    let is_word = |letter: Option<char>| letter.is_some_and(char::is_alphanumeric);
    let signs = |letter: char| is_apart && "+-−".contains(letter);
    match text {
        "" => String::new(),
        _ if is_word(text.trim_start_matches(signs).chars().next()) && is_word(text.chars().next_back()) => {
            format!("**{text}**")
        }
        _ => format!("<strong>{text}</strong>"),
    }
}

/// A piece of code in a line. Inside a table even code must escape the bar.
fn code(text: &str, in_table: bool) -> String {
    let text = one_line(text);
    if text.trim().is_empty() {
        return String::new();
    }
    let fence = fence(&text, 1);
    let gap = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    let text = if in_table { text.replace('|', "\\|") } else { text };
    format!("{fence}{gap}{text}{gap}{fence}")
}

/// More backticks in a row than the text has anywhere, but `at_least` of them.
fn fence(text: &str, at_least: usize) -> String {
    let longest = text.split(|letter| letter != '`').map(str::len).max().unwrap_or(0);
    "`".repeat(at_least.max(longest + 1))
}

/// A letter of a block of code: control characters are shown as something that is none.
fn visible(letter: char) -> char {
    if letter.is_control() && letter != '\n' && letter != '\t' { '\u{fffd}' } else { letter }
}

fn one_line(text: &str) -> String {
    text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}

/// Plain words with every sign escaped that Markdown or HTML could see a meaning in.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in one_line(text).chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '#' | '|' | '~' | '$' => {
                out.push('\\');
                out.push(letter);
            }
            letter => out.push(letter),
        }
    }
    out
}

/// An address without the signs that would end it.
fn escape_address(address: &str) -> String {
    let mut out = String::new();
    for letter in address.chars() {
        match letter {
            ' ' => out.push_str("%20"),
            '(' => out.push_str("%28"),
            ')' => out.push_str("%29"),
            '<' => out.push_str("%3C"),
            '>' => out.push_str("%3E"),
            '|' => out.push_str("%7C"),
            '\\' => out.push_str("%5C"),
            '"' => out.push_str("%22"),
            letter => out.push(letter),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_lose_their_meaning() {
        assert_eq!(escape("<b>|a*b_c`#\n$x$"), "&lt;b&gt;\\|a\\*b\\_c\\`\\# \\$x\\$");
        assert_eq!(line(&"1. x".into()), "1\\. x");
        assert_eq!(line(&"- x".into()), "\\- x");
        assert_eq!(line(&"=== x".into()), "\\=== x");
        assert_eq!(line(&"12 games".into()), "12 games");
        // Brackets stay where they cannot begin a link or a box to tick.
        assert_eq!(line(&"1 [2, 3]".into()), "1 [2, 3]");
        assert_eq!(line(&"[x] y".into()), "\\[x] y");
        assert_eq!(line(&"a [b](c)".into()), "a \\[b\\](c)");
        assert_eq!(line(&Text::new().plain("a [b]").plain("(c)")), "a \\[b\\](c)");
        assert_eq!(line(&"".into()), "");
    }

    #[test]
    fn strong_numbers_are_all_written_alike() {
        let number = |value: &str| line(&Text::new().strong(value).plain(" Elo"));
        assert_eq!([number("+833"), number("0")], ["**+833** Elo", "**0** Elo"]);
        // Beside a letter the stars would stay stars.
        assert_eq!(line(&Text::new().plain("a").strong("+1")), "a<strong>+1</strong>");
    }

    #[test]
    fn code_survives_backticks_and_bars() {
        assert_eq!(code("a|b", true), "`a\\|b`");
        assert_eq!(code("a|b", false), "`a|b`");
        assert_eq!(code("a``b", false), "```a``b```");
        assert_eq!(code("`a", false), "`` `a ``");
        assert_eq!(code("a\nb", false), "`a b`");
    }
}
