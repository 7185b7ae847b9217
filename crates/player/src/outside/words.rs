//! Rules and scores in the words that engines use.

use goban::{Color, Rules, Scoring};

/// The rules as KataGo reads them: a name, or each switch.
pub(super) fn kata_rules(rules: Rules) -> String {
    if let Some(name) = rules.name() {
        return name.to_string();
    }
    let quoted = |key: &str, value: &str| match key {
        "suicide" | "button" | "friendly-pass" => value.to_string(),
        _ => format!("\"{}\"", value.to_uppercase()),
    };
    let name = |key: &str| match key {
        "bonus" => "whiteHandicapBonus".to_string(),
        "button" => "hasButton".to_string(),
        "friendly-pass" => "friendlyPassOk".to_string(),
        plain => plain.to_string(),
    };
    let pairs: Vec<String> = rules
        .switches()
        .iter()
        .map(|(key, value)| format!("\"{}\":{}", name(key), quoted(key, value)))
        .collect();
    format!("{{{}}}", pairs.join(","))
}

/// The name of the rules in `kgs-rules`, if it has one.
pub(super) fn kgs_rules(rules: Rules) -> Option<&'static str> {
    match rules {
        _ if rules.scoring == Scoring::Territory => Some("japanese"),
        Rules::AGA => Some("aga"),
        Rules::NEW_ZEALAND => Some("new_zealand"),
        Rules::CHINESE | Rules::CHINESE_SERVER => Some("chinese"),
        _ => None,
    }
}

/// `B+3.5`, `W+1`, `0`; whatever follows the score is passed over.
pub(super) fn parse_score(text: &str) -> Option<f32> {
    let word = text.split_whitespace().next()?.to_ascii_uppercase();
    if ["0", "DRAW", "JIGO"].contains(&word.as_str()) {
        return Some(0.0);
    }
    let (winner, points) = word.split_once('+')?;
    let points: f32 = points.parse().ok().filter(|points: &f32| points.is_finite() && *points >= 0.0)?;
    match Color::parse(winner)? {
        Color::Black => Some(points),
        Color::White => Some(-points),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_read_in_the_usual_spellings() {
        let scores =
            ["B+3.5", "w+12.0", "0", "Draw", "W+0.5 (upper bound)", "B+R", "B+inf", "B+-3", "", "12"];
        let expected =
            [Some(3.5), Some(-12.0), Some(0.0), Some(0.0), Some(-0.5), None, None, None, None, None];
        assert_eq!(scores.map(parse_score), expected);
    }

    #[test]
    fn rules_without_a_name_are_told_switch_by_switch() {
        let rules: Rules = "chinese,suicide=true,button=true".parse().unwrap();
        assert_eq!(kata_rules(Rules::AGA), "aga");
        assert_eq!(
            kata_rules(rules),
            "{\"ko\":\"SIMPLE\",\"suicide\":true,\"scoring\":\"AREA\",\"tax\":\"NONE\",\
             \"whiteHandicapBonus\":\"N\",\"hasButton\":true,\"friendlyPassOk\":true}"
        );
    }
}
