//! The result as a page: the best values, how strength depends on each, what was played, how to do it again.

use super::axis::AxisScale;
use super::verdict::DO_NOT_TELL;
use super::verdict::{Best, TuneResult, ValueStrength};
use crate::plot;
use crate::report::{Figure, Page, PageBlock, ReportTable, Text};

impl TuneResult {
    /// The page, for `report.html` and `report.md`.
    pub fn page(&self) -> Page {
        let mut page = Page::new(if self.title.is_empty() { self.name.clone() } else { self.title.clone() });
        page.lead = format!(
            "{} of {} games; {}, with a fit to {:.0} games near the top. Intervals are 95 %.",
            self.games,
            self.planned,
            self.method.words(),
            self.fitted
        )
        .into();
        let mut table = ReportTable::new(
            "The best values",
            &[
                "parameter",
                "#best",
                "#95 % interval",
                "#base",
                "#tried",
                "#gain over the base in this alone, Elo",
            ],
        );
        for best in &self.parameters {
            table.row(vec![
                Text::new().code(best.key.clone()).into(),
                best.value.to_string().into(),
                format!("{} to {}", best.low, best.high).into(),
                best.start.to_string().into(),
                format!("{} to {}", best.tried[0], best.tried[1]).into(),
                best.gain.to_string().into(),
            ]);
        }
        page.table(table);
        page.paragraph(match self.tells() {
            true => format!("Together they are worth {} Elo over the base, by the fit.", self.gain),
            false => format!(
                "{DO_NOT_TELL}, so that the gain over the base is not known; the fit alone says {} Elo.",
                self.gain
            ),
        });
        for warning in self.warnings() {
            page.blocks.push(PageBlock::Warning(warning.into()));
        }
        page.blocks.push(PageBlock::Code(self.recipe.clone()));
        for best in &self.parameters {
            page.heading(Text::new().code(best.key.clone()));
            let caption = "Strength against the best value, the other parameters at their best, with its 95 % interval. The \
                           best value is the mean over several regions in which curves were fitted, so that it need not \
                           be the top of the one that is drawn.";
            page.figure(Figure::new(&best.key, self.picture(best).svg(), caption));
            if !best.bins.is_empty() {
                page.table(bins(best));
            }
        }
        page.heading("How to do it again");
        page.blocks.push(PageBlock::Code(format!("tengen tune {}", self.file)));
        page
    }

    /// Whether the games rule out some value of some parameter. If not, best values and gain are but a guess.
    pub fn tells(&self) -> bool {
        self.parameters.iter().any(|best| best.low > best.tried[0] || best.high < best.tried[1])
    }

    /// What a reader must not overlook.
    pub fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        for Best { key, low, high, tried: [least, most], .. } in &self.parameters {
            let why = if low <= least && high >= most {
                "the games leave its best value open; play more, or leave it as it is".to_string()
            } else if low <= least {
                format!("the best may be below {least}, where nothing was tried")
            } else if high >= most {
                format!("the best may be above {most}, where nothing was tried")
            } else {
                continue;
            };
            warnings.push(format!("{key}: {why}"));
        }
        warnings
    }

    /// Strength along one axis, with its band; for a reader the top is at 0.
    fn picture(&self, best: &Best) -> plot::Curve {
        let point = |place: &ValueStrength| {
            plot::MeasuredPoint::new(place.value, place.elo.elo).within([place.elo.low, place.elo.high])
        };
        let mut curve = plot::Series::ours("", best.curve.iter().map(point).collect());
        (curve.band, curve.smooth) = (true, true);
        let mut x = if best.scale == AxisScale::Log {
            plot::PlotAxis::log(best.key.clone(), plot::Unit::default())
        } else {
            plot::PlotAxis::linear(best.key.clone(), plot::Unit::default())
        };
        x.range = Some(best.tried);
        let subtitle =
            format!("best {}, {} to {} with 95 %; {} games", best.value, best.low, best.high, self.games);
        plot::Curve {
            title: self.title.clone(),
            subtitle,
            x,
            y: plot::PlotAxis::linear("Elo against the best", plot::Unit::default()),
            series: vec![curve],
            references: vec![],
        }
    }
}

/// Games and scores by values.
fn bins(best: &Best) -> ReportTable {
    let caption = "Games in groups of equal size, against all opponents; the other parameters had any value";
    let mut table = ReportTable::new(caption, &["#from", "#to", "#games", "#points, %", "#95 % interval"]);
    for bin in &best.bins {
        let percent = |share: f64| format!("{:.1}", 100.0 * share);
        table.row(vec![
            bin.low.to_string().into(),
            bin.high.to_string().into(),
            bin.games.to_string().into(),
            percent(bin.rate).into(),
            format!("{} to {}", percent(bin.rate95[0]), percent(bin.rate95[1])).into(),
        ]);
    }
    table
}
