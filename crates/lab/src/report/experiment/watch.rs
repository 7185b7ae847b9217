//! Searches that were watched: how the values of moves and the weights of the models went.

use crate::plot::{PlotAxis, TraceCurve, Traces, Unit};

use super::super::page::{Figure, Page, PageBlock};
use super::super::text::Text;
use super::quantity::heading;
use super::study::{ExperimentResults, WatchedSearch};

/// Lines that a figure has at most; the least visited moves are left out.
const MOST_LINES: usize = 25;
/// Lines of a figure of weights, where every line should be seen.
const MOST_WEIGHTS: usize = 7;

/// Adds a section for each search.
pub(super) fn sections(page: &mut Page, study: &ExperimentResults) {
    for watched in &study.traces {
        let several = study.traces.iter().filter(|other| other.name == watched.name).count() > 1;
        let title =
            if several { format!("{}: {}", watched.name, watched.player) } else { watched.name.clone() };
        page.heading(heading(&title));
        page.prose(&watched.text);
        let table = Looks::parse(&watched.csv);
        let mut about = Text::new().plain("A search by ").code(watched.player.as_str());
        let setting = |key: &str| watched.settings.get(key).and_then(serde_json::Value::as_u64);
        if let (Some(playouts), Some(seed)) = (setting("playouts"), setting("seed")) {
            about = about.plain(format!(", {} playouts, seed {seed}.", Unit::Plain.bare(playouts as f64)));
        }
        page.paragraph(about);
        for figure in figures(watched, &table) {
            page.figure(figure);
        }
        if let Some(position) = watched.settings.get("position").and_then(serde_json::Value::as_str) {
            let blocks = vec![PageBlock::Code(position.to_owned())];
            page.blocks.push(PageBlock::Details("The position".into(), blocks));
        }
    }
}

/// The table of a search: a row for each move at each look.
#[derive(Clone, Debug, Default)]
struct Looks {
    columns: Vec<String>,
    /// Simulations, move, and the numbers of the columns behind these two.
    rows: Vec<(f64, String, Vec<f64>)>,
}

impl Looks {
    /// Reads what `tengen explain --trace` writes; rows that are not of that form are left out.
    fn parse(csv: &str) -> Self {
        let mut lines = csv.lines();
        let columns = lines.next().unwrap_or_default().split(',').skip(2).map(str::to_owned).collect();
        let row = |line: &str| {
            let mut cells = line.split(',');
            let simulations: f64 = cells.next()?.trim().parse().ok()?;
            let name = cells.next()?.trim().to_owned();
            Some((simulations, name, cells.map(|cell| cell.trim().parse().unwrap_or(f64::NAN)).collect()))
        };
        Self { columns, rows: lines.filter_map(row).collect() }
    }

    fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column == name)
    }

    /// Names of the models that have weights.
    fn models(&self) -> Vec<&str> {
        self.columns.iter().filter_map(|column| column.strip_suffix(".beta")).collect()
    }

    /// All moves, the named ones first, then by their visits in the end.
    fn moves(&self, named: &[String]) -> Vec<&str> {
        let visits = self.column("visits").unwrap_or_default();
        let last = self.rows.iter().map(|row| row.0).fold(0.0, f64::max);
        let mut moves: Vec<(&str, f64)> = Vec::new();
        for (simulations, name, numbers) in &self.rows {
            let n = if *simulations == last { numbers.get(visits).copied().unwrap_or_default() } else { 0.0 };
            match moves.iter_mut().find(|(other, _)| other == name) {
                Some((_, most)) => *most = most.max(n),
                None => moves.push((name, n)),
            }
        }
        let rank =
            |name: &str| named.iter().position(|each| each.eq_ignore_ascii_case(name)).unwrap_or(named.len());
        moves.sort_by(|a, b| rank(a.0).cmp(&rank(b.0)).then(b.1.total_cmp(&a.1)).then_with(|| a.0.cmp(b.0)));
        moves.into_iter().map(|(name, _)| name).collect()
    }

    fn traces(&self, moves: &[&str], column: usize) -> Vec<TraceCurve> {
        let points = |name: &str| {
            let mine = self.rows.iter().filter(|row| row.1 == name);
            mine.filter_map(|row| Some([row.0, *row.2.get(column)?])).collect()
        };
        moves.iter().map(|name| TraceCurve { name: (*name).to_owned(), points: points(name) }).collect()
    }
}

fn figures(watched: &WatchedSearch, table: &Looks) -> Vec<Figure> {
    let mut figures = Vec::new();
    if table.rows.is_empty() {
        return figures;
    }
    let moves = table.moves(&watched.moves);
    let most_named = if watched.moves.is_empty() { MOST_WEIGHTS } else { watched.moves.len() };
    let few: Vec<&str> = moves.iter().copied().take(most_named.clamp(1, MOST_WEIGHTS)).collect();
    let many: Vec<&str> = moves.iter().copied().take(MOST_LINES).collect();
    let plot = |title: String, y: PlotAxis, traces: Vec<TraceCurve>| Traces {
        title,
        subtitle: format!("{}, {}", watched.name, watched.player),
        x: PlotAxis::log("simulations", Unit::Plain),
        y,
        traces,
    };
    let file = |what: &str| format!("{}-{}-{what}", watched.name, watched.player);
    let models = table.models();
    // Two weights are one: the other is what is left.
    let shown = if models.len() == 2 { 1 } else { models.len() };
    for model in models.iter().take(shown).filter(|_| models.len() > 1) {
        if let Some(column) = table.column(&format!("{model}.beta")) {
            let y = PlotAxis {
                range: Some([0.0, 1.0]),
                ..PlotAxis::linear(format!("weight of {model}"), Unit::Plain)
            };
            let svg = plot(format!("How much {model} counts"), y, table.traces(&few, column)).svg();
            let caption = match models[..] {
                [one, other] => format!(
                    "The weight of {one} in the value of a move; what is left is the weight of {other}."
                ),
                _ => format!("The weight of {model} in the value of a move."),
            };
            figures.push(Figure::new(&file(&format!("weight-{model}")), svg, caption));
        }
    }
    if let Some(column) = table.column("value") {
        let y = PlotAxis::linear("value", Unit::Percent);
        let svg = plot("Value of the moves".into(), y, table.traces(&many, column)).svg();
        let caption =
            "The value of each move, as its player sees it; the most visited or named ones in colour.";
        figures.push(Figure::new(&file("value"), svg, caption));
    }
    figures
}

#[cfg(test)]
mod tests {
    use super::*;

    const CSV: &str = "simulation,move,visits,mc.n,mc.q,mc.beta,rave.n,rave.q,rave.beta,value\n\
                       10,E5,6,6,0.5,0.2,9,0.6,0.8,0.58\n10,C3,4,4,0.4,0.1,9,0.5,0.9,0.49\n\
                       20,E5,9,9,0.5,0.3,9,0.6,0.7,0.57\n20,C3,11,11,0.6,0.4,9,0.5,0.6,0.54\n20,D4,0,0,NaN,0,0,NaN,1,0.5\nnonsense\n";

    #[test]
    fn tables_of_searches_are_read() {
        let table = Looks::parse(CSV);
        assert_eq!(table.models(), ["mc", "rave"]);
        assert_eq!(table.moves(&[]), ["C3", "E5", "D4"]);
        assert_eq!(table.moves(&["d4".into()]), ["D4", "C3", "E5"]);
        let column = table.column("rave.beta").unwrap();
        let trace = &table.traces(&["E5"], column)[0];
        assert_eq!(trace.points, [[10.0, 0.8], [20.0, 0.7]]);
    }

    #[test]
    fn two_models_have_one_weight_and_a_value() {
        let watched = WatchedSearch {
            name: "figure 5.5".into(),
            player: "bma".into(),
            csv: CSV.into(),
            ..WatchedSearch::default()
        };
        let names: Vec<String> =
            figures(&watched, &Looks::parse(CSV)).iter().map(|figure| figure.name.clone()).collect();
        assert_eq!(names, ["figure-5-5-bma-weight-mc", "figure-5-5-bma-value"]);
        assert!(figures(&watched, &Looks::parse("")).is_empty());
    }
}
