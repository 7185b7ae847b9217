//! Pictures are well-formed whatever the data, hold no number that is none, and are the same every time.

use crate::report_common::{HOSTILE, check_xml};
use lab::plot::{
    Categories, Category, Curve, Ladder, MeasuredBy, MeasuredPoint, PlotAxis, PlotValue, PredictionPlot,
    PredictorCurve, Reference, Rung, Series, Svg, TraceCurve, Traces, Unit,
};

/// The sweep of GoYui's prior [You, table 5.2], with numbers of ours made up for the test.
fn sweep() -> Curve {
    let published = [
        (10.0, 0.1475),
        (20.0, 0.1862),
        (30.0, 0.2090),
        (50.0, 0.2103),
        (70.0, 0.2264),
        (100.0, 0.2271),
        (1000.0, 0.2197),
        (10_000.0, 0.21),
    ];
    let ours = published.map(|(x, y)| MeasuredPoint::new(x, y + 0.02).within([y - 0.03, y + 0.08]));
    Curve {
        title: "Wins by prior".into(),
        subtitle: "9×9, 3000 simulations".into(),
        x: PlotAxis::log("P(RAVE)/P(MC)", Unit::Plain),
        y: PlotAxis::linear("wins", Unit::Percent),
        series: vec![
            Series::ours("ours", ours.to_vec()),
            Series::published("published", published.map(|(x, y)| MeasuredPoint::new(x, y)).to_vec()),
        ],
        references: vec![Reference { y: 0.25, name: "a quarter".into() }],
    }
}

fn ladder(names: &[&str]) -> Ladder {
    let rung = |(index, name): (usize, &&str)| {
        let elo = index as f64 * -73.0;
        Rung {
            name: (*name).to_owned(),
            rating: PlotValue::new(elo).within([elo - 30.0, elo + 35.0]),
            published: (index == 2).then(|| PlotValue::new(-100.0)),
            anchor: index == 1,
        }
    };
    Ladder {
        title: "Ladder".into(),
        rungs: names.iter().enumerate().map(rung).collect(),
        ..Ladder::default()
    }
}

fn check(svg: &Svg) -> String {
    let text = svg.file();
    check_xml(&text);
    for word in ["NaN", "inf"] {
        assert!(!text.to_lowercase().contains(&format!("\"{}", word.to_lowercase())), "{word} in {text}");
    }
    assert!(!text.contains("NaN"), "{text}");
    text
}

/// All places where attributes of shapes with this name lie.
fn attribute(text: &str, element: &str, class: &str, name: &str) -> Vec<f64> {
    let document = roxmltree::Document::parse(text).expect("well-formed");
    let found = document.descendants().filter(|node| {
        node.has_tag_name(("http://www.w3.org/2000/svg", element))
            && node.attribute("class").is_some_and(|classes| classes.split(' ').any(|each| each == class))
    });
    found.map(|node| node.attribute(name).expect(name).parse().expect("a number")).collect()
}

#[test]
fn the_same_data_give_the_same_bytes() {
    assert_eq!(sweep().svg().file(), sweep().svg().file());
    assert_eq!(ladder(&["a", "b"]).svg(), ladder(&["a", "b"]).svg());
}

#[test]
fn error_bars_lie_inside_the_picture_and_at_their_values() {
    let text = check(&sweep().svg());
    let ends = attribute(&text, "line", "er", "y1");
    assert_eq!(ends.len(), 8 * 3, "a bar and two caps for each measurement of ours");
    // The highest interval ends at 0.2271 + 0.08 = 0.3071; the axis goes from 0 to 35 % in steps of 5 at most.
    let grid = attribute(&text, "line", "gr", "y1");
    let (top, bottom) =
        (grid.iter().copied().fold(f64::MAX, f64::min), grid.iter().copied().fold(0.0, f64::max));
    assert!(ends.iter().all(|y| (top..=bottom).contains(y)), "{ends:?} within {top} to {bottom}");
    // Three measurements by hand: log10 goes from 1 to 4, with 4 % of room (0.12) at both ends.
    let marks = attribute(&text, "circle", "mk", "cx");
    // The first mark of all is the one in the key.
    let share = |x: f64| (x.log10() - 0.88) / (4.12 - 0.88);
    let (left, right) = (marks[1], *marks.last().expect("marks"));
    let middle = left + (right - left) * (share(100.0) - share(10.0)) / (share(10_000.0) - share(10.0));
    assert!(marks.iter().any(|x| (x - middle).abs() < 0.11), "{middle} among {marks:?}");
}

#[test]
fn rungs_are_sorted_and_hostile_names_are_text() {
    let text = check(&ladder(&HOSTILE).svg());
    assert!(!text.contains("<script"));
    let mut mixed = ladder(&["strong", "middle", "weak"]);
    mixed.rungs.reverse();
    let text = check(&mixed.svg());
    let place = |name: &str| text.find(&format!(">{name}<")).expect(name);
    assert!(place("strong") < place("middle") && place("middle") < place("weak"));
}

#[test]
fn nothing_and_extremes_can_be_drawn() {
    check(&Curve::default().svg());
    check(&Ladder::default().svg());
    check(&Traces::default().svg());
    check(&Categories::default().svg());
    check(&PredictionPlot::default().svg());
    for y in [0.0, 1.0, f64::NAN, f64::INFINITY] {
        for interval in
            [None, Some([0.0, 1.0]), Some([f64::NAN, 1.0]), Some([f64::NEG_INFINITY, f64::INFINITY])]
        {
            let point = MeasuredPoint { x: 0.0, y, interval, note: "0 games".into() };
            for x in [PlotAxis::log("", Unit::Plain), PlotAxis::linear("", Unit::Elo)] {
                for band in [false, true] {
                    let series = Series { band, ..Series::ours("one", vec![point.clone()]) };
                    let y = PlotAxis::linear("", Unit::Percent);
                    check(&Curve { x: x.clone(), y, series: vec![series], ..Curve::default() }.svg());
                }
            }
            let value = PlotValue { value: y, interval, note: String::new() };
            let rung = Rung { name: "one".into(), rating: value.clone(), published: None, anchor: true };
            check(&Ladder { rungs: vec![rung], ..Ladder::default() }.svg());
            let category = Category { name: "one".into(), values: vec![Some(value), None, None] };
            let sources = vec![MeasuredBy::default(), MeasuredBy { name: "p".into(), published: true }];
            check(&Categories { categories: vec![category], sources, ..Categories::default() }.svg());
            let trace = TraceCurve { name: "E5".into(), points: vec![[0.0, y], [10.0, 0.5]] };
            check(
                &Traces { x: PlotAxis::log("", Unit::Plain), traces: vec![trace; 9], ..Traces::default() }
                    .svg(),
            );
        }
    }
}

#[test]
fn an_unbounded_rating_is_an_arrow() {
    let rung = |low: f64, high: f64| Rung {
        name: "all won".into(),
        rating: PlotValue::new(300.0).within([low, high]),
        published: None,
        anchor: false,
    };
    let arrows = |low, high| {
        let svg = check(&Ladder { rungs: vec![rung(low, high)], ..Ladder::default() }.svg());
        svg.matches("<polyline").count()
    };
    assert_eq!(arrows(200.0, 400.0), 0);
    assert_eq!(arrows(200.0, f64::INFINITY), 1);
    assert_eq!(arrows(f64::NEG_INFINITY, f64::INFINITY), 2);
}

#[test]
fn names_of_traces_do_not_overlap() {
    let trace = |index: i32| TraceCurve {
        name: format!("move {index}"),
        points: (1..200).map(|n| [f64::from(n), 0.5 + f64::from(index) * 0.001]).collect(),
    };
    let traces = Traces {
        x: PlotAxis::log("simulations", Unit::Plain),
        y: PlotAxis::linear("value", Unit::Percent),
        traces: (0..12).map(trace).collect(),
        ..Traces::default()
    };
    let text = check(&traces.svg());
    let mut heights = attribute(&text, "text", "b", "y");
    heights.sort_by(f64::total_cmp);
    assert_eq!(heights.len(), 7);
    assert!(heights.windows(2).all(|pair| pair[1] - pair[0] > 14.0), "{heights:?}");
    assert!(text.contains("5 others"));
}

#[test]
fn a_long_prediction_has_a_line_and_a_short_one_marks() {
    let long = PredictorCurve {
        name: "ours".into(),
        found: (1..=50).map(|t| (t, 1.0 - 0.7 / f64::from(t))).collect(),
        published: false,
    };
    let short =
        PredictorCurve { name: "published".into(), found: vec![(1, 0.35), (20, 0.84)], published: true };
    let text = check(&PredictionPlot { predictors: vec![long, short], ..PredictionPlot::default() }.svg());
    assert_eq!(text.matches("<circle").count(), 0);
    // Two marks and the one in the key.
    assert_eq!(attribute_count(&text, "polygon", "ho"), 3);
}

fn attribute_count(text: &str, element: &str, class: &str) -> usize {
    let document = roxmltree::Document::parse(text).expect("well-formed");
    document
        .descendants()
        .filter(|node| node.tag_name().name() == element)
        .filter(|node| {
            node.attribute("class").is_some_and(|classes| classes.split(' ').any(|each| each == class))
        })
        .count()
}
