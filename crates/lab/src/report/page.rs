//! A page as data: headings, paragraphs, tables, figures. [`Page::html`] and [`Page::markdown`] write it.

use crate::plot::Svg;

use super::text::Text;

/// The footer of a page that says only by which program it was written.
pub fn written_by() -> String {
    format!("Written by Tengen {}", env!("CARGO_PKG_VERSION"))
}

/// A page.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Page {
    /// Its title.
    pub title: String,
    /// A line or two below the title.
    pub lead: Text,
    /// What it says, from the top.
    pub blocks: Vec<PageBlock>,
    /// The last line, for example which program wrote it.
    pub footer: Text,
}

/// A part of a page.
#[derive(Clone, Debug, PartialEq)]
pub enum PageBlock {
    /// A heading; level 2 is the highest, the title being 1.
    Heading(u8, Text),
    /// A paragraph.
    Paragraph(Text),
    /// A list of points.
    List(Vec<Text>),
    /// Names with what is known of them, for example the machine.
    Facts(Vec<(String, Text)>),
    /// Lines of a program or file, as they are.
    Code(String),
    /// Something that must not be overlooked, for example games lost by a crash.
    Warning(Text),
    /// A table.
    Table(ReportTable),
    /// A picture with a caption.
    Figure(Figure),
    /// Small pictures side by side, for example boards.
    Gallery(Vec<Figure>),
    /// Blocks that most readers skip, shown on demand.
    Details(Text, Vec<PageBlock>),
}

/// A table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReportTable {
    /// What it shows.
    pub caption: Text,
    /// Its columns.
    pub columns: Vec<TableColumn>,
    /// Its rows. Missing cells are empty, cells beyond the columns are not shown.
    pub rows: Vec<Vec<TableCell>>,
}

impl ReportTable {
    /// A table without rows; columns whose name begins with `#` are of numbers and stand flush right (the `#` is not
    /// shown).
    pub fn new(caption: impl Into<Text>, columns: &[&str]) -> Self {
        let column = |name: &&str| match name.strip_prefix('#') {
            Some(name) => TableColumn { name: name.into(), numeric: true },
            None => TableColumn { name: (*name).into(), numeric: false },
        };
        Self { caption: caption.into(), columns: columns.iter().map(column).collect(), rows: Vec::new() }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: Vec<TableCell>) {
        self.rows.push(cells);
    }
}

/// A column of a table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TableColumn {
    /// Its head.
    pub name: Text,
    /// Whether it stands flush right.
    pub numeric: bool,
}

/// A cell of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TableCell {
    /// What it says.
    pub text: Text,
    /// What that means.
    pub tone: Tone,
}

impl TableCell {
    /// The cell in another tone.
    pub fn toned(self, tone: Tone) -> Self {
        Self { tone, ..self }
    }
}

impl<T: Into<Text>> From<T> for TableCell {
    fn from(text: T) -> Self {
        Self { text: text.into(), tone: Tone::Plain }
    }
}

/// The tone of a cell. It is never the only sign of a meaning: not everybody sees colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tone {
    /// Nothing special.
    #[default]
    Plain,
    /// As hoped for.
    Good,
    /// Not as hoped for.
    Bad,
    /// Of less importance.
    Quiet,
    /// The one to look at.
    Strong,
}

/// A picture with a caption.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// The name of its file without `.svg`; letters, digits and dashes.
    pub name: String,
    /// The picture.
    pub svg: Svg,
    /// What it shows.
    pub caption: Text,
}

impl Figure {
    /// A figure whose file name is made from any text.
    pub fn new(name: &str, svg: Svg, caption: impl Into<Text>) -> Self {
        Self { name: slug(name), svg, caption: caption.into() }
    }
}

impl Page {
    /// A page with a title only.
    pub fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), ..Self::default() }
    }

    /// Adds a heading of the second level.
    pub fn heading(&mut self, text: impl Into<Text>) {
        self.blocks.push(PageBlock::Heading(2, text.into()));
    }

    /// Adds a paragraph.
    pub fn paragraph(&mut self, text: impl Into<Text>) {
        self.blocks.push(PageBlock::Paragraph(text.into()));
    }

    /// Adds text as people write it in a file: paragraphs between empty lines, lists of lines that begin with `- `, and
    /// the marks of [`Text::marked`].
    pub fn prose(&mut self, source: &str) {
        for part in paragraphs(source) {
            let items: Vec<&str> = part.lines().map(str::trim).collect();
            if items[0].starts_with("- ") {
                self.blocks.push(PageBlock::List(list_items(&items)));
            } else {
                self.paragraph(Text::marked(&items.join(" ")));
            }
        }
    }

    /// Adds a table.
    pub fn table(&mut self, table: ReportTable) {
        self.blocks.push(PageBlock::Table(table));
    }

    /// Adds a figure.
    pub fn figure(&mut self, figure: Figure) {
        self.blocks.push(PageBlock::Figure(figure));
    }

    /// All its figures, in order, also those inside other blocks.
    pub fn figures(&self) -> Vec<&Figure> {
        fn collect<'a>(blocks: &'a [PageBlock], found: &mut Vec<&'a Figure>) {
            for block in blocks {
                match block {
                    PageBlock::Figure(figure) => found.push(figure),
                    PageBlock::Gallery(figures) => found.extend(figures),
                    PageBlock::Details(_, blocks) => collect(blocks, found),
                    _ => {}
                }
            }
        }
        let mut found = Vec::new();
        collect(&self.blocks, &mut found);
        found
    }

    /// The page as a file of HTML that needs nothing else.
    pub fn html(&self) -> String {
        super::html::write(self)
    }

    /// The page as Markdown; its pictures are the files that [`Page::pictures`] names.
    pub fn markdown(&self, prefix: &str) -> String {
        super::markdown::write(self, prefix)
    }

    /// A file name for each of its figures: the prefix (for example `pictures/` or `first-`), the figure's name, a number
    /// where two figures have the same name, and `.svg`.
    pub fn pictures(&self, prefix: &str) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for figure in self.figures() {
            let numbered = (2..).map(|number| format!("{prefix}{}-{number}.svg", figure.name));
            let mut candidates = std::iter::once(format!("{prefix}{}.svg", figure.name)).chain(numbered);
            names.extend(candidates.find(|name| !names.contains(name)));
        }
        names
    }
}

fn paragraphs(source: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    for line in source.lines() {
        let last = parts.len() - 1;
        if line.trim().is_empty() {
            parts.push(String::new());
        } else {
            parts[last] += line;
            parts[last].push('\n');
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}

fn list_items(lines: &[&str]) -> Vec<Text> {
    let mut items: Vec<String> = Vec::new();
    for line in lines {
        match (line.strip_prefix("- "), items.last_mut()) {
            (None, Some(item)) => {
                item.push(' ');
                item.push_str(line);
            }
            (item, _) => items.push(item.unwrap_or(line).to_owned()),
        }
    }
    items.iter().map(|item| Text::marked(item)).collect()
}

/// A name for files and places on a page: small letters, digits, and single dashes for everything else.
pub fn slug(text: &str) -> String {
    let mut out = String::new();
    for letter in text.chars().flat_map(char::to_lowercase) {
        if letter.is_ascii_alphanumeric() {
            out.push(letter);
        } else if !out.is_empty() && !out.ends_with('-') {
            out.push('-');
        }
    }
    let out = out.trim_end_matches('-');
    if out.is_empty() { "untitled".to_owned() } else { out.chars().take(80).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_has_paragraphs_and_lists() {
        let mut page = Page::new("x");
        page.prose("First `line`\nand second.\n\n- one\n  goes on\n- two\n\n\nLast.");
        assert_eq!(
            page.blocks,
            [
                PageBlock::Paragraph(Text::new().plain("First ").code("line").plain(" and second.")),
                PageBlock::List(vec!["one goes on".into(), "two".into()]),
                PageBlock::Paragraph("Last.".into()),
            ]
        );
        let mut empty = Page::new("x");
        empty.prose(" \n\n");
        assert!(empty.blocks.is_empty());
    }

    #[test]
    fn no_two_pictures_share_a_file() {
        let mut page = Page::new("x");
        for name in ["Curve", "curve", "curve-2", "ladder"] {
            page.figure(Figure::new(name, crate::plot::Canvas::new(1.0, 1.0).finish(""), ""));
        }
        assert_eq!(page.pictures("a-"), ["a-curve.svg", "a-curve-2.svg", "a-curve-2-2.svg", "a-ladder.svg"]);
    }

    #[test]
    fn names_of_files_are_harmless() {
        assert_eq!(slug("../../etc/Pass wd <b>"), "etc-pass-wd-b");
        assert_eq!(slug("β"), "untitled");
        assert!(slug(&"x".repeat(500)).len() <= 80);
    }
}
