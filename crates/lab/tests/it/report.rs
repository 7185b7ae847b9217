//! Pages show any text as it is, in HTML and in Markdown.

use crate::report_common::{HOSTILE, check_xml};
use lab::plot::{Curve, MeasuredPoint, PlotAxis, Series, Unit};
use lab::report::{Figure, Page, PageBlock, ReportTable, TableCell, Text, Tone};

fn page(name: &str) -> Page {
    let mut page = Page::new(name);
    page.lead = Text::new().plain(name).strong(name).code(name).link(name, name);
    page.heading(name);
    page.paragraph(name);
    page.blocks.push(PageBlock::Warning(name.into()));
    page.blocks.push(PageBlock::Code(format!("{name}\n```\n{name}")));
    page.blocks.push(PageBlock::List(vec![name.into(), Text::new().code(name)]));
    page.blocks.push(PageBlock::Facts(vec![(name.to_owned(), name.into())]));
    let mut table = ReportTable::new(name, &["name", "#games"]);
    table.row(vec![TableCell::from(name), TableCell::from(Text::new().code(name)).toned(Tone::Strong)]);
    table.row(vec![TableCell::from(name)]);
    page.table(table);
    let curve = Curve {
        title: name.to_owned(),
        x: PlotAxis::linear(name, Unit::Plain),
        series: vec![Series::ours(name, vec![MeasuredPoint::new(1.0, 1.0)])],
        ..Curve::default()
    };
    page.figure(Figure::new(name, curve.svg(), name));
    page.blocks.push(PageBlock::Details(name.into(), vec![PageBlock::Paragraph(name.into())]));
    page.footer = name.into();
    page
}

#[test]
fn html_holds_hostile_names_as_text() {
    for name in HOSTILE {
        let html = page(name).html();
        check_xml(&html);
        let options = roxmltree::ParsingOptions { allow_dtd: true, ..roxmltree::ParsingOptions::default() };
        let document = roxmltree::Document::parse_with_options(&html, options).expect("well-formed");
        assert!(document.descendants().all(|node| !node.has_tag_name("script")), "{name}");
        assert!(document.descendants().all(|node| node.attribute("href") != Some("javascript:x")), "{name}");
        let heading = document.descendants().find(|node| node.has_tag_name("h1")).expect("a title");
        let expected: String = name
            .chars()
            .map(|letter| if letter.is_control() && letter != '\n' { '\u{fffd}' } else { letter })
            .collect();
        assert_eq!(heading.text(), Some(expected.as_str()));
    }
}

/// What readers of Markdown know beyond its core.
fn dialect() -> pulldown_cmark::Options {
    use pulldown_cmark::Options;
    Options::ENABLE_TABLES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_MATH
        | Options::ENABLE_GFM
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_TASKLISTS
}

#[test]
fn markdown_holds_hostile_names_as_text() {
    for name in HOSTILE {
        let markdown = page(name).markdown("pictures/");
        let mut html = String::from("<html>");
        pulldown_cmark::html::push_html(&mut html, pulldown_cmark::Parser::new_ext(&markdown, dialect()));
        html += "</html>";
        check_xml(&html);
        let document = roxmltree::Document::parse(&html).expect("well-formed");
        let all = |tag: &'static str| {
            let words = |node: roxmltree::Node<'_, '_>| -> String {
                node.descendants().filter_map(|each| each.is_text().then(|| each.text()).flatten()).collect()
            };
            document.descendants().filter(move |node| node.has_tag_name(tag)).map(words).collect::<Vec<_>>()
        };
        assert!(all("script").is_empty(), "{name}: {markdown}");
        assert!(document.descendants().all(|node| node.attribute("href") != Some("javascript:x")), "{name}");
        // Every block is still what it was, and says what it said; a line of Markdown has no control characters.
        let shown: String =
            name.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
        let shown = shown.trim();
        let trim = |words: Vec<String>| words.iter().map(|each| each.trim().to_owned()).collect::<Vec<_>>();
        assert_eq!(trim(all("h1")), [shown], "{markdown}");
        assert_eq!(trim(all("h2")), [shown], "{markdown}");
        assert_eq!(
            trim(all("strong")).iter().filter(|words| words.as_str() == shown).count(),
            2,
            "{markdown}"
        );
        assert_eq!(trim(all("th")), ["name", "games"], "{markdown}");
        assert_eq!(trim(all("td")), [shown, shown, shown, ""], "{markdown}");
        assert_eq!(all("li").len(), 3, "{markdown}");
        assert_eq!(all("details").len(), 1, "{markdown}");
    }
}

#[test]
fn a_small_page_word_for_word() {
    let mut page = Page::new("A < B");
    page.lead = Text::marked("Of `x|y`.");
    page.heading("Games");
    let mut table = ReportTable::new("Wins.", &["player", "#wins"]);
    table.row(vec!["a|b".into(), TableCell::from("22.7 %").toned(Tone::Good)]);
    page.table(table);
    page.footer = "End.".into();
    assert_eq!(
        page.markdown(""),
        "# A &lt; B\n\nOf `x|y`.\n\n## Games\n\n**Table 1.** Wins.\n\n| player | wins |\n|---|---:|\n| a\\|b | 22.7 % |\n\n---\n\nEnd.\n"
    );
    let html = page.html();
    let body = &html[html.find("<body>").expect("a body")..];
    assert_eq!(
        body,
        "<body>\n<h1>A &lt; B</h1>\n<p class=\"lead\">Of <code>x|y</code>.</p>\n<h2 id=\"games\">Games</h2>\n\
         <p class=\"caption\" id=\"caption-1\"><b>Table 1.</b> Wins.</p>\n\
         <div class=\"scroll\">\n<table id=\"table-1\" aria-labelledby=\"caption-1\">\n\
         <thead><tr><th scope=\"col\">player</th><th scope=\"col\" class=\"n\">wins</th></tr></thead>\n<tbody>\n\
         <tr><td>a|b</td><td class=\"n good\">22.7\u{a0}%</td></tr>\n</tbody>\n</table>\n</div>\n\
         <footer>End.</footer>\n</body>\n</html>\n"
    );
}

#[test]
fn files_lie_beside_each_other_and_name_each_other() {
    let folder = tempfile::tempdir().expect("a folder");
    let files = page("Some name").save(folder.path(), "first").expect("written");
    let names: Vec<_> =
        files.iter().map(|file| file.file_name().expect("a name").to_string_lossy().into_owned()).collect();
    assert_eq!(names, ["first.html", "first.md", "first-some-name.svg"]);
    let markdown = std::fs::read_to_string(&files[1]).expect("read");
    assert!(markdown.contains("(first-some-name.svg)"));
    check_xml(&std::fs::read_to_string(&files[2]).expect("read"));
}
