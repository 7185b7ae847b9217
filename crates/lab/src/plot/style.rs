//! Colours, widths and letters of all pictures, as one style sheet.
//!
//! The colours are those of Okabe and Ito, which people with any kind of colour blindness tell apart, a little darker
//! or lighter where the page needs it. Series differ by the shape of their marks too, so black and white paper serves.
//! Every picture lies on a background of its own, white or nearly black with the reader's setting, so that a picture
//! inside somebody else's page is readable whatever that page looks like. On paper it is always the light one.
//! Classes instead of variables, because programs that turn SVG into PDF know no CSS variables.

/// Our own series have classes `0` to `N_OWN - 1`: `k` strokes, `f` fills.
pub const N_OWN: usize = 7;
/// Published series come after them.
pub const N_PUBLISHED: usize = 3;

/// The style of every picture.
pub const STYLE: &str = "\
.tp{font-family:system-ui,-apple-system,'Segoe UI','Helvetica Neue',Arial,'DejaVu Sans',sans-serif;font-size:12px}
.tp .bg{fill:#fff}
.tp text{fill:#1f2328}
.tp .mu{fill:#59636e}
.tp .ti{font-size:15px;font-weight:600}
.tp .sm{font-size:11px}
.tp .b{font-weight:600}
.tp .e{text-anchor:end}
.tp .m{text-anchor:middle}
.tp .gr{stroke:#e1e5e9;stroke-width:1}
.tp .ax{stroke:#7d8590;stroke-width:1}
.tp .re{stroke:#7d8590;stroke-width:1;stroke-dasharray:2 3}
.tp .st{fill:#f4f6f8}
.tp .ln{fill:none;stroke-width:2;stroke-linejoin:round;stroke-linecap:round}
.tp .th{fill:none;stroke-width:1}
.tp .er{stroke-width:1.5}
.tp .da{stroke-dasharray:7 4}
.tp .ba{fill-opacity:.16}
.tp .mk{stroke:#fff;stroke-width:1}
.tp .ho{fill:#fff;stroke-width:1.8}
.tp .k0{stroke:#0072b2}.tp .f0{fill:#0072b2}
.tp .k1{stroke:#00805d}.tp .f1{fill:#00805d}
.tp .k2{stroke:#aa4a86}.tp .f2{fill:#aa4a86}
.tp .k3{stroke:#c98a00}.tp .f3{fill:#c98a00}
.tp .k4{stroke:#3b9fd8}.tp .f4{fill:#3b9fd8}
.tp .k5{stroke:#4b4b9b}.tp .f5{fill:#4b4b9b}
.tp .k6{stroke:#1f2328}.tp .f6{fill:#1f2328}
.tp .k7{stroke:#d55e00}.tp .f7{fill:#d55e00}
.tp .k8{stroke:#8a6100}.tp .f8{fill:#8a6100}
.tp .k9{stroke:#59636e}.tp .f9{fill:#59636e}
.tp .kx{stroke:#b6bdc5}.tp .fx{fill:#b6bdc5}
@media screen and (prefers-color-scheme:dark){
.tp .bg{fill:#0d1117}
.tp text{fill:#e6edf3}
.tp .mu{fill:#9ea7b1}
.tp .gr{stroke:#262c34}
.tp .ax,.tp .re{stroke:#7d8590}
.tp .st{fill:#151b23}
.tp .ba{fill-opacity:.24}
.tp .mk{stroke:#0d1117}
.tp .ho{fill:#0d1117}
.tp .k0{stroke:#4aa8e8}.tp .f0{fill:#4aa8e8}
.tp .k1{stroke:#35c49a}.tp .f1{fill:#35c49a}
.tp .k2{stroke:#e08fbf}.tp .f2{fill:#e08fbf}
.tp .k3{stroke:#f0b429}.tp .f3{fill:#f0b429}
.tp .k4{stroke:#9ad4f5}.tp .f4{fill:#9ad4f5}
.tp .k5{stroke:#a3a3f0}.tp .f5{fill:#a3a3f0}
.tp .k6{stroke:#e6edf3}.tp .f6{fill:#e6edf3}
.tp .k7{stroke:#ff8a3d}.tp .f7{fill:#ff8a3d}
.tp .k8{stroke:#cfa246}.tp .f8{fill:#cfa246}
.tp .k9{stroke:#9ea7b1}.tp .f9{fill:#9ea7b1}
.tp .kx{stroke:#4d555f}.tp .fx{fill:#4d555f}
}
";

/// The number of a colour: of our own series, or of a published one.
pub fn colour(own: bool, index: usize) -> usize {
    if own { index % N_OWN } else { N_OWN + index % N_PUBLISHED }
}

/// The width of text in pixels, when its letters are `size` pixels high.
///
/// Which letters the reader's machine has is not known here, so this is what the widest usual ones (DejaVu Sans) need:
/// places computed from it may be too wide and are never too narrow.
pub fn text_width(text: &str, size: f64) -> f64 {
    text.chars().map(letter_width).sum::<f64>() * size
}

fn letter_width(letter: char) -> f64 {
    match letter {
        'i' | 'j' | 'l' | '\'' | '|' | 'I' => 0.30,
        '.' | ',' | ':' | ';' | ' ' | '!' => 0.33,
        'f' | 't' | 'r' | '(' | ')' | '[' | ']' | '/' | '-' => 0.40,
        '\u{2009}' | '\u{202f}' => 0.2,
        '⁰'..='⁹' | '¹' | '²' | '³' | '⁻' => 0.42,
        'm' | 'w' | 'M' | 'W' | '%' | '@' | '…' => 0.98,
        '+' | '−' | '=' | '<' | '>' | '±' | '~' => 0.84,
        'A'..='Z' | '&' => 0.72,
        letter if letter as u32 >= 0x1100 => 1.05,
        _ => 0.63,
    }
}

/// The text, if it fits into `width` pixels; otherwise its beginning and its end with an ellipsis between them, because
/// names of recipes often differ at the end.
pub fn fit(text: &str, size: f64, width: f64) -> String {
    if text_width(text, size) <= width {
        return text.to_owned();
    }
    let letters: Vec<char> = text.chars().collect();
    for kept in (2..letters.len()).rev() {
        let (head, tail) = (kept.div_ceil(2), kept / 2);
        let short: String =
            letters[..head].iter().chain(&['…']).chain(&letters[letters.len() - tail..]).collect();
        if text_width(&short, size) <= width {
            return short;
        }
    }
    "…".to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_repeat_and_never_mix_ours_with_theirs() {
        let own: Vec<usize> = (0..20).map(|index| colour(true, index)).collect();
        let published: Vec<usize> = (0..20).map(|index| colour(false, index)).collect();
        assert_eq!(own[..8], [0, 1, 2, 3, 4, 5, 6, 0]);
        assert_eq!(published[..4], [7, 8, 9, 7]);
        for number in own.iter().chain(&published) {
            assert!(STYLE.contains(&format!(".tp .k{number}{{")), "{number}");
        }
    }

    #[test]
    fn names_too_long_keep_both_ends() {
        assert_eq!(fit("goyui-rave", 12.0, 200.0), "goyui-rave");
        let short = fit("goyui-rave@mixer.prior=1000,playouts=3000", 12.0, 120.0);
        assert!(short.starts_with("goyui") && short.ends_with("3000") && short.contains('…'), "{short}");
        assert!(text_width(&short, 12.0) <= 120.0);
        assert_eq!(fit("name", 12.0, 1.0), "…");
        assert_eq!(fit("", 12.0, 0.0), "");
    }
}
