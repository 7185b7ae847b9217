//! The items of GoGui's menu: value, line, policy and picture of a search. A position is thought about once; the
//! items after the first are answered from what was found.

use goban::Color;
use gtp::{Args, Context, Entry, GtpError, Registry, RegistryError, Response};

use super::think::Purpose;
use super::{Engine, graphics, input};
use crate::study::{Onlooker, StudyQuestion};
use crate::survey::{Survey, Wants};

/// A survey and its position.
pub(super) struct Studied {
    color: Color,
    komi: f32,
    /// The whole way to the position.
    hashes: Vec<u64>,
    survey: Survey,
}

pub(super) fn register(registry: &mut Registry<Engine>) -> Result<(), RegistryError> {
    let commands = [
        Entry::new(
            "tengen-value",
            "[COLOUR]",
            "Who is expected to win, how often and by how much.",
            |engine: &mut Engine, args, cx| engine.survey(args, cx).map(|survey| graphics::sentence(&survey)),
        ),
        Entry::new("tengen-pv", "[COLOUR]", "The expected line of play.", |engine, args, cx| {
            let survey = engine.survey(args, cx)?;
            let line = survey.candidates.first().map(|best| best.line.clone()).unwrap_or_default();
            Ok(input::show_all(survey.size, line.into_iter().take_while(|vertex| !vertex.is_pass())))
        }),
        Entry::new(
            "tengen-policy",
            "[COLOUR]",
            "The prior of each move in percent, or the share of its visits where the recipe has no prior.",
            |engine, args, cx| {
                let survey = engine.survey(args, cx)?;
                Ok(pairs(&survey, |idx| 100.0 * survey.candidates[idx].prior))
            },
        ),
        Entry::new(
            "tengen-winrate",
            "[COLOUR]",
            "How often each move that was tried is won, in percent.",
            |engine, args, cx| {
                let mut survey = engine.survey(args, cx)?;
                survey.candidates.retain(|candidate| candidate.visits > 0);
                Ok(pairs(&survey, |idx| 100.0 * survey.candidates[idx].win))
            },
        ),
        Entry::new("tengen-gfx", "[COLOUR]", "The search as a picture.", |engine, args, cx| {
            engine.survey(args, cx).map(|survey| graphics::draw(&survey))
        }),
        Entry::new("tengen-param", "[NAME VALUE]", "Settings, as GoGui shows them; changes one.", param),
    ];
    registry.group("study", &commands).map(|_| ())
}

/// Points with numbers, those that round to nothing left out.
fn pairs(survey: &Survey, value: impl Fn(usize) -> f32) -> String {
    let candidates =
        survey.candidates.iter().enumerate().filter(|(_, candidate)| !candidate.vertex.is_pass());
    let pairs = candidates.filter(|&(idx, _)| value(idx) >= 0.05).map(|(idx, candidate)| {
        let value = value(idx);
        let digits = usize::from(value < 9.95);
        format!("{} {value:.digits$}", survey.size.show(candidate.vertex))
    });
    pairs.collect::<Vec<_>>().join(" ")
}

/// GoGui's form: a type in brackets, a name, a value.
fn param(engine: &mut Engine, args: &mut Args<'_>, _: &mut Context<'_>) -> Response {
    if args.is_empty() {
        let options = &engine.options;
        let playouts = options.playouts.map_or_else(String::new, |n| n.to_string());
        let seconds = options.time.map_or_else(String::new, |time| time.as_secs_f64().to_string());
        return Ok(format!(
            "[bool] live_graphics {}\n[string] playouts {playouts}\n[string] seconds {seconds}",
            u8::from(engine.is_live)
        ));
    }
    let names = [("live_graphics", 0), ("playouts", 1), ("seconds", 2)];
    match args.choice("name of a setting", &names)? {
        0 => engine.is_live = args.flag("live_graphics")?,
        1 if args.is_empty() => engine.options.playouts = None,
        1 => engine.options.playouts = Some(args.int("number of playouts", 1..)?),
        _ if args.is_empty() => engine.options.time = None,
        _ => engine.options.time = Some(crate::clock::seconds(args.float("seconds", 0.001..1e9)?)),
    }
    engine.studied = None;
    Ok(String::new())
}

impl Engine {
    /// What the player thinks of the position, from the last time it was asked or from a search.
    fn survey(&mut self, args: &mut Args<'_>, cx: &Context<'_>) -> Result<Survey, GtpError> {
        let color = if args.is_empty() { self.position.to_play() } else { input::color(args)? };
        let (komi, hashes) = (self.position.komi(), self.position.hashes());
        let is_same = |old: &&Studied| old.color == color && old.komi == komi && old.hashes == hashes;
        if let Some(old) = self.studied.as_ref().filter(is_same) {
            return Ok(old.survey.clone());
        }
        let is_live = self.is_live;
        let mut found = None;
        let mut tell = |survey: &Survey| {
            if is_live {
                graphics::show_live(survey);
            }
            found = Some(survey.clone());
        };
        let question = StudyQuestion {
            wants: Wants { ownership: true, ..Wants::default() },
            ..StudyQuestion::default()
        };
        let mut onlooker = Onlooker::new(question, graphics::EVERY, &mut tell);
        self.genmove_watched(color, Purpose::Study, cx.interrupt(), Some(&mut onlooker))?;
        let survey = found.ok_or("the player does not show its analysis")?;
        self.studied =
            Some(Studied { color, komi, hashes: self.position.hashes().to_vec(), survey: survey.clone() });
        Ok(survey)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use goban::{Position, Rules, Size, Vertex};

    #[test]
    fn small_numbers_keep_a_digit_and_nothing_is_left_out() {
        let position = Position::new(Size::square(5).unwrap(), Rules::CHINESE);
        let mut survey = Survey::settled(&position, Color::Black);
        let values = [55.4, 9.94, 0.04, 100.0, 0.06];
        survey.candidates = (0..5)
            .map(|idx| crate::Candidate { vertex: Vertex::new(idx, 0), ..survey.candidates[0].clone() })
            .collect();
        assert_eq!(pairs(&survey, |idx| values[idx]), "A5 55 B5 9.9 D5 100 E5 0.1");
    }
}
