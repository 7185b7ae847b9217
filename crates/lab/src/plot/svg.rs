//! The picture itself: shapes in, SVG text out.
//!
//! Only what plots and boards need. Places are in pixels of a picture shown at its natural size, x to the right and y
//! downwards. Colours, widths and anchors are classes of [`style`](super::style), so that one picture suits light and
//! dark pages and paper. Numbers are rounded to a tenth of a pixel and are always finite, so equal data give equal bytes.

use std::fmt::Write;

use super::style::STYLE;

/// A place: x, y.
pub type PlotPoint = [f64; 2];

/// A finished picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Svg {
    /// The opening tag's attributes without the namespace, and the shapes.
    attributes: String,
    shapes: String,
}

impl Svg {
    /// A picture that brings colours and all of its own, for example a board: the attributes of its opening tag without
    /// the namespace, and its shapes, both escaped where they need it.
    pub fn new(attributes: String, shapes: String) -> Self {
        Self { attributes, shapes }
    }

    /// The text of a file of its own: it carries its namespace and its style.
    pub fn file(&self) -> String {
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" {}>\n<style>{STYLE}</style>\n{}</svg>\n",
            self.attributes, self.shapes
        )
    }

    /// The text for a page of HTML that holds [`STYLE`] once for all its pictures.
    pub fn inline(&self) -> String {
        format!("<svg {}>\n{}</svg>\n", self.attributes, self.shapes)
    }
}

/// A picture that is being drawn.
#[derive(Debug)]
pub struct Canvas {
    width: f64,
    height: f64,
    shapes: String,
    /// Names of the elements that are open.
    open: Vec<&'static str>,
}

impl Canvas {
    /// An empty picture of this size.
    pub fn new(width: f64, height: f64) -> Self {
        let mut canvas = Self { width, height, shapes: String::new(), open: Vec::new() };
        canvas.rect("bg", [0.0, 0.0], [width, height]);
        canvas
    }

    /// The picture; `alt` says in words what it shows, for those who cannot see it.
    pub fn finish(mut self, alt: &str) -> Svg {
        while !self.open.is_empty() {
            self.close();
        }
        let (width, height) = (number(self.width), number(self.height));
        let attributes = format!(
            "class=\"tp\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{}\"",
            escape(alt)
        );
        Svg { attributes, shapes: self.shapes }
    }

    /// A straight line.
    pub fn line(&mut self, class: &str, from: PlotPoint, to: PlotPoint) {
        let ([x1, y1], [x2, y2]) = (from.map(number), to.map(number));
        self.shape("line", class, &format!(r#"x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}""#));
    }

    /// A rectangle by its upper left corner and its size.
    pub fn rect(&mut self, class: &str, corner: PlotPoint, size: PlotPoint) {
        let ([x, y], [w, h]) = (corner.map(number), size.map(|side| number(side.max(0.0))));
        self.shape("rect", class, &format!(r#"x="{x}" y="{y}" width="{w}" height="{h}""#));
    }

    /// A circle.
    pub fn circle(&mut self, class: &str, center: PlotPoint, radius: f64) {
        let ([x, y], r) = (center.map(number), number(radius.max(0.0)));
        self.shape("circle", class, &format!(r#"cx="{x}" cy="{y}" r="{r}""#));
    }

    /// A line through all these places.
    pub fn polyline(&mut self, class: &str, places: &[PlotPoint]) {
        self.shape("polyline", class, &format!(r#"points="{}""#, join(places)));
    }

    /// A closed shape with these corners.
    pub fn polygon(&mut self, class: &str, places: &[PlotPoint]) {
        self.shape("polygon", class, &format!(r#"points="{}""#, join(places)));
    }

    /// Text on a base line. Its class says which end of it is at the place: `e` the right one, `m` the middle, otherwise
    /// the left one.
    pub fn text(&mut self, class: &str, place: PlotPoint, text: &str) {
        self.indent();
        let [x, y] = place.map(number);
        let _ = writeln!(self.shapes, r#"<text{} x="{x}" y="{y}">{}</text>"#, class_of(class), escape(text));
    }

    /// Shapes that belong together; `hint` is shown by browsers when the pointer rests on one of them, unless it is
    /// empty.
    pub fn group(&mut self, class: &str, hint: &str, draw: impl FnOnce(&mut Self)) {
        self.indent();
        let _ = writeln!(self.shapes, "<g{}>", class_of(class));
        self.open.push("g");
        if !hint.is_empty() {
            self.indent();
            let _ = writeln!(self.shapes, "<title>{}</title>", escape(hint));
        }
        draw(self);
        self.close();
    }

    /// Shapes seen through a rectangle: what lies outside is cut off, places stay those of the picture.
    pub fn window(&mut self, corner: PlotPoint, size: PlotPoint, draw: impl FnOnce(&mut Self)) {
        self.indent();
        let ([x, y], [w, h]) = (corner.map(number), size.map(|side| number(side.max(0.0))));
        let _ = writeln!(
            self.shapes,
            r#"<svg x="{x}" y="{y}" width="{w}" height="{h}" viewBox="{x} {y} {w} {h}">"#
        );
        self.open.push("svg");
        draw(self);
        self.close();
    }

    fn shape(&mut self, name: &str, class: &str, geometry: &str) {
        self.indent();
        let _ = writeln!(self.shapes, "<{name}{} {geometry}/>", class_of(class));
    }

    fn close(&mut self) {
        if let Some(name) = self.open.pop() {
            self.indent();
            let _ = writeln!(self.shapes, "</{name}>");
        }
    }

    fn indent(&mut self) {
        for _ in 0..self.open.len() {
            self.shapes.push(' ');
        }
    }
}

fn class_of(class: &str) -> String {
    if class.is_empty() { String::new() } else { format!(" class=\"{}\"", escape(class)) }
}

fn join(places: &[PlotPoint]) -> String {
    let pairs: Vec<String> = places.iter().map(|&[x, y]| format!("{},{}", number(x), number(y))).collect();
    pairs.join(" ")
}

/// A length or place with at most one decimal. What is not a number, or lies beyond any picture, is drawn at its rim.
fn number(value: f64) -> String {
    let value = if value.is_nan() { 0.0 } else { value.clamp(-1e5, 1e5) };
    let tenths = (value * 10.0).round() as i64;
    if tenths % 10 == 0 {
        return (tenths / 10).to_string();
    }
    let sign = if tenths < 0 { "-" } else { "" };
    format!("{sign}{}.{}", tenths.abs() / 10, tenths.abs() % 10)
}

/// Text as it may stand inside elements and attributes of SVG and HTML. Characters that XML has no room for (controls)
/// are replaced.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' | '\t' => out.push(letter),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            letter if letter.is_control() => out.push('\u{fffd}'),
            letter => out.push(letter),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_finite() {
        let cases = [
            (0.0, "0"),
            (-0.04, "0"),
            (12.0, "12"),
            (12.34, "12.3"),
            (-0.26, "-0.3"),
            (f64::NAN, "0"),
            (f64::INFINITY, "100000"),
        ];
        for (value, text) in cases {
            assert_eq!(number(value), text, "{value}");
        }
    }

    #[test]
    fn text_cannot_leave_its_element() {
        assert_eq!(escape("<a b=\"c\">&'\u{0}"), "&lt;a b=&quot;c&quot;&gt;&amp;&#39;\u{fffd}");
    }

    #[test]
    fn shapes_nest_and_close() {
        let mut canvas = Canvas::new(10.0, 5.0);
        canvas.group("k0", "hint <1>", |canvas| canvas.line("", [0.0, 0.0], [1.0, 1.5]));
        let svg = canvas.finish("a \"line\"").inline();
        assert_eq!(
            svg,
            "<svg class=\"tp\" width=\"10\" height=\"5\" viewBox=\"0 0 10 5\" role=\"img\" aria-label=\"a &quot;line&quot;\">\n\
             <rect class=\"bg\" x=\"0\" y=\"0\" width=\"10\" height=\"5\"/>\n\
             <g class=\"k0\">\n <title>hint &lt;1&gt;</title>\n <line x1=\"0\" y1=\"0\" x2=\"1\" y2=\"1.5\"/>\n</g>\n</svg>\n"
        );
    }
}
