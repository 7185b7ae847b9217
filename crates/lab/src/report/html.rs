//! A page as one file of HTML: style and pictures inside, no scripts, readable on a phone and on paper.
//!
//! The text is well-formed XML too, so that any reader of XML can look into it, which the tests do.

use std::fmt::Write;

use crate::plot::style::STYLE as PLOT_STYLE;
use crate::plot::svg::escape;

use super::page::{Figure, Page, PageBlock, ReportTable, TableCell, Tone, slug};
use super::text::{Text, TextSpan, is_safe};

/// The style of every page.
const STYLE: &str = "\
:root{color-scheme:light dark;--ink:#1f2328;--quiet:#59636e;--line:#d8dee4;--soft:#f4f6f8;--page:#fff;--link:#0757a8;--good:#00694c;--bad:#a83c00;--warn:#fff4e0}
@media screen and (prefers-color-scheme:dark){:root{--ink:#e6edf3;--quiet:#9ea7b1;--line:#2f363e;--soft:#151b23;--page:#0d1117;--link:#6cb6ff;--good:#4fd1a5;--bad:#ff9a57;--warn:#33260c}}
*{box-sizing:border-box}
body{margin:0 auto;padding:1.5rem 1rem 3rem;max-width:66rem;background:var(--page);color:var(--ink);font:1rem/1.55 system-ui,-apple-system,'Segoe UI','Helvetica Neue',Arial,sans-serif;overflow-wrap:break-word}
h1{font-size:1.75rem;line-height:1.25;margin:.5rem 0}
h2{font-size:1.3rem;margin:2.2rem 0 .6rem;padding-bottom:.25rem;border-bottom:1px solid var(--line)}
h3{font-size:1.08rem;margin:1.6rem 0 .4rem}
.lead{font-size:1.08rem;color:var(--quiet);margin:.25rem 0 1.5rem}
p,ul,ol,dl,details,figure,.warning{max-width:56rem}
a{color:var(--link)}
code,pre{font:.875em/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;background:var(--soft);border-radius:4px}
code{padding:.1em .3em}td code{overflow-wrap:anywhere}
pre{padding:.75rem 1rem;overflow-x:auto;white-space:pre-wrap;overflow-wrap:anywhere}
.scroll{overflow-x:auto;margin:0 0 1.25rem}
table{border-collapse:collapse;min-width:60%;font-size:.92rem;font-variant-numeric:tabular-nums}
.caption{color:var(--quiet);font-size:.92rem;margin:1.5rem 0 .4rem}
.caption b,figcaption b{color:var(--ink)}
th,td{padding:.35rem .6rem;text-align:left;vertical-align:baseline;border-bottom:1px solid var(--line)}
th{border-bottom:2px solid var(--line);font-weight:600;white-space:nowrap}td:last-child{min-width:7rem}
.n{text-align:right;white-space:nowrap}
.good{color:var(--good)}.bad{color:var(--bad)}.quiet{color:var(--quiet)}.strong{font-weight:600}
figure{margin:1.5rem 0}
figure .scroll{margin:0}
figure svg{display:block;width:100%;min-width:30rem;height:auto;border-radius:6px}
figcaption{color:var(--quiet);font-size:.92rem;margin-top:.4rem}
.gallery{display:flex;flex-wrap:wrap;gap:1rem}
.gallery figure{margin:0;flex:0 1 13rem}
.gallery figure svg{min-width:0}
.warning{border-left:4px solid var(--bad);background:var(--warn);padding:.6rem 1rem;border-radius:0 4px 4px 0}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.25rem 1rem;font-size:.95rem}
dt{color:var(--quiet)}dd{margin:0;min-width:0}
details{margin:1rem 0}summary{cursor:pointer;font-weight:600}
footer{margin-top:3rem;padding-top:.75rem;border-top:1px solid var(--line);color:var(--quiet);font-size:.875rem}
@media (max-width:34rem){dl{grid-template-columns:1fr;gap:0}dd{margin-bottom:.5rem}th,td{padding:.3rem .45rem}}
@media print{body{max-width:none;padding:0;font-size:10pt}figure,table,pre{break-inside:avoid}h2,h3{break-after:avoid}figure svg{min-width:0;max-width:15cm}.scroll{overflow:visible}a{color:inherit}}
";

/// Writes the page.
pub(super) fn write(page: &Page) -> String {
    let mut out = String::from("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n");
    out += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n";
    let _ = writeln!(out, "<title>{}</title>", escape(&page.title));
    let plots = if page.figures().is_empty() { "" } else { PLOT_STYLE };
    // A style sheet is not escaped in HTML but would be in XML: ours has neither `<` nor `&`.
    let _ = writeln!(out, "<style>\n{STYLE}{plots}</style>\n</head>\n<body>");
    let _ = writeln!(out, "<h1>{}</h1>", escape(&page.title));
    if !page.lead.is_empty() {
        let _ = writeln!(out, "<p class=\"lead\">{}</p>", spans(&page.lead));
    }
    HtmlWriter { out: &mut out, n_tables: 0, n_figures: 0, ids: Vec::new() }.blocks(&page.blocks);
    if !page.footer.is_empty() {
        let _ = writeln!(out, "<footer>{}</footer>", spans(&page.footer));
    }
    out + "</body>\n</html>\n"
}

/// Writes blocks and counts what has a number.
struct HtmlWriter<'a> {
    out: &'a mut String,
    n_tables: usize,
    n_figures: usize,
    /// Names of headings that are taken.
    ids: Vec<String>,
}

impl HtmlWriter<'_> {
    /// A name for a heading that no other has.
    fn id(&mut self, wanted: &str) -> String {
        let numbered = (2..).map(|number| format!("{wanted}-{number}"));
        let mut candidates = std::iter::once(wanted.to_owned()).chain(numbered);
        let id = candidates.find(|id| !self.ids.contains(id)).unwrap_or_default();
        self.ids.push(id.clone());
        id
    }

    fn blocks(&mut self, blocks: &[PageBlock]) {
        for block in blocks {
            self.block(block);
        }
    }

    fn block(&mut self, block: &PageBlock) {
        match block {
            PageBlock::Heading(level, text) => {
                let level = (*level).clamp(2, 4);
                let id = self.id(&slug(&text.words()));
                self.line(&format!("<h{level} id=\"{id}\">{}</h{level}>", spans(text)));
            }
            PageBlock::Paragraph(text) => self.line(&format!("<p>{}</p>", spans(text))),
            PageBlock::Warning(text) => {
                self.line(&format!("<p class=\"warning\" role=\"note\">{}</p>", spans(text)));
            }
            PageBlock::Code(code) => {
                self.line(&format!("<pre>{}</pre>", escape(code.trim_end())));
            }
            PageBlock::List(items) => {
                self.line("<ul>");
                for item in items {
                    self.line(&format!("<li>{}</li>", spans(item)));
                }
                self.line("</ul>");
            }
            PageBlock::Facts(facts) => {
                self.line("<dl>");
                for (name, text) in facts {
                    self.line(&format!("<dt>{}</dt><dd>{}</dd>", escape(name), spans(text)));
                }
                self.line("</dl>");
            }
            PageBlock::Table(table) => self.table(table),
            PageBlock::Figure(figure) => {
                self.n_figures += 1;
                let number = self.n_figures;
                self.figure(
                    figure,
                    &format!("<b>Figure {number}.</b> "),
                    &format!(" id=\"figure-{number}\""),
                );
            }
            PageBlock::Gallery(figures) => {
                self.line("<div class=\"gallery\">");
                for figure in figures {
                    self.figure(figure, "", "");
                }
                self.line("</div>");
            }
            PageBlock::Details(summary, blocks) => {
                self.line(&format!("<details>\n<summary>{}</summary>", spans(summary)));
                self.blocks(blocks);
                self.line("</details>");
            }
        }
    }

    fn figure(&mut self, figure: &Figure, number: &str, id: &str) {
        self.line(&format!("<figure{id}>\n<div class=\"scroll\">"));
        self.out.push_str(&figure.svg.inline());
        self.line("</div>");
        if !number.is_empty() || !figure.caption.is_empty() {
            self.line(&format!("<figcaption>{number}{}</figcaption>", spans(&figure.caption)));
        }
        self.line("</figure>");
    }

    fn table(&mut self, table: &ReportTable) {
        self.n_tables += 1;
        // A caption inside a table is as wide as the table, which on a phone is wider than the page.
        let n = self.n_tables;
        self.line(&format!(
            "<p class=\"caption\" id=\"caption-{n}\"><b>Table {n}.</b> {}</p>",
            spans(&table.caption)
        ));
        self.line(&format!(
            "<div class=\"scroll\">\n<table id=\"table-{n}\" aria-labelledby=\"caption-{n}\">"
        ));
        let mut head = String::from("<thead><tr>");
        for column in &table.columns {
            let class = if column.numeric { " class=\"n\"" } else { "" };
            let _ = write!(head, "<th scope=\"col\"{class}>{}</th>", spans(&column.name));
        }
        self.line(&(head + "</tr></thead>\n<tbody>"));
        let empty = TableCell::default();
        for row in &table.rows {
            let mut line = String::from("<tr>");
            for (index, column) in table.columns.iter().enumerate() {
                let cell = row.get(index).unwrap_or(&empty);
                let classes: Vec<&str> =
                    column.numeric.then_some("n").into_iter().chain(tone_class(cell.tone)).collect();
                let class = if classes.is_empty() {
                    String::new()
                } else {
                    format!(" class=\"{}\"", classes.join(" "))
                };
                let _ = write!(line, "<td{class}>{}</td>", spans(&cell.text));
            }
            self.line(&(line + "</tr>"));
        }
        self.line("</tbody>\n</table>\n</div>");
    }

    fn line(&mut self, text: &str) {
        self.out.push_str(text);
        self.out.push('\n');
    }
}

fn tone_class(tone: Tone) -> Option<&'static str> {
    match tone {
        Tone::Plain => None,
        Tone::Good => Some("good"),
        Tone::Bad => Some("bad"),
        Tone::Quiet => Some("quiet"),
        Tone::Strong => Some("strong"),
    }
}

fn spans(text: &Text) -> String {
    let mut out = String::new();
    for span in &text.0 {
        let words = match span {
            // A per cent sign stays with its number.
            TextSpan::Plain(_) | TextSpan::Strong(_) | TextSpan::Emphasis(_) => {
                escape(&span.words().replace(" %", "\u{a0}%"))
            }
            TextSpan::Code(_) | TextSpan::Link { .. } => escape(span.words()),
        };
        let _ = match span {
            TextSpan::Plain(_) => write!(out, "{words}"),
            TextSpan::Strong(_) => write!(out, "<strong>{words}</strong>"),
            TextSpan::Emphasis(_) => write!(out, "<em>{words}</em>"),
            TextSpan::Code(_) => write!(out, "<code>{words}</code>"),
            TextSpan::Link { address, .. } if is_safe(address) => {
                write!(out, "<a href=\"{}\">{words}</a>", escape(address.trim()))
            }
            TextSpan::Link { .. } => write!(out, "{words}"),
        };
    }
    out
}
