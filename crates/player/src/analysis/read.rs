//! From a line of JSON to a question or an action, or a fault that names the field and what was expected.
//!
//! Fields and settings that mean nothing to us are told once each in a warning and then passed over.

use std::collections::BTreeSet;

use goban::{Color, Position, Scoring, Size, Vertex};
use serde_json::{Value, json};

use super::ask::{AnalysisRequest, Fault, Includes, QueriedTurn, Query, QueryAction, Viewer, tolerant};
use super::field::{Fields, quote, short};

/// The most visits of a search.
const MAX_VISITS: u64 = 1_000_000_000;
/// Moves of a game.
const MAX_MOVES: usize = 4_000;
/// Characters of a question's name.
const MAX_ID: usize = 10_000;
/// Fields and settings of which it is remembered that they were warned of.
const MAX_WARNED: usize = 1_000;

/// How the settings begin that belong to KataGo's human-like networks.
const HUMAN: &str = "humanSL";

/// Reads lines.
pub struct QueryReader {
    max_visits: u64,
    viewer: Viewer,
    warned: BTreeSet<String>,
}

impl QueryReader {
    /// A reader that fills in what a question leaves open.
    pub fn new(max_visits: u64, viewer: Viewer) -> Self {
        Self { max_visits, viewer, warned: BTreeSet::new() }
    }

    /// Reads one line: what is asked, and warnings to be told before it is answered.
    ///
    /// # Errors
    /// Names the field and what was expected there.
    pub fn read(&mut self, line: &[u8]) -> Result<(AnalysisRequest, Vec<Value>), Fault> {
        let value: Value = serde_json::from_slice(line).map_err(|error| {
            let start = short(&String::from_utf8_lossy(line));
            Fault::new(None, "", format!("{start:?} is not JSON: {error}; expected one object a line"))
        })?;
        let Value::Object(object) = value else {
            let why = "expected a JSON object, such as {\"id\":\"1\",\"moves\":[],…}, got";
            return Err(Fault::new(None, "", format!("{why} {}", quote(&value))));
        };
        let id = match object.get("id") {
            Some(Value::String(id)) if id.len() <= MAX_ID => id.clone(),
            Some(Value::String(_)) => {
                return Err(Fault::new(
                    None,
                    "id",
                    format!("id is too long: expected at most {MAX_ID} bytes"),
                ));
            }
            Some(id) => {
                return Err(Fault::new(None, "id", format!("id must be a string, got {}", quote(id))));
            }
            None => return Err(Fault::new(None, "id", "id is missing: expected a string")),
        };
        let mut fields = Fields::new(&id, &object);
        if let Some(action) = object.get("action") {
            let action = action_of(action, &mut fields)?;
            return Ok((AnalysisRequest::Action { action, echo: object.clone() }, Vec::new()));
        }
        let mut query = query(&id, &mut fields, self.max_visits, self.viewer)?;
        settings(&mut query, &mut fields)?;
        let warnings = self.warnings(&id, &fields);
        Ok((AnalysisRequest::Query(Box::new(query)), warnings))
    }

    /// What was passed over, unless that was said before.
    fn warnings(&mut self, id: &str, fields: &Fields<'_>) -> Vec<Value> {
        let mut warnings = Vec::new();
        for (field, why) in fields.passed_over() {
            if self.warned.len() < MAX_WARNED && self.warned.insert(field.clone()) {
                warnings.push(json!({ "warning": why, "field": field, "id": id }));
            }
        }
        warnings
    }
}

fn action_of(action: &Value, fields: &mut Fields<'_>) -> Result<QueryAction, Fault> {
    let turns = |fields: &mut Fields<'_>| {
        fields.optional("turnNumbers", "a list of turns", |value| {
            value.as_array()?.iter().map(|turn| usize::try_from(turn.as_u64()?).ok()).collect()
        })
    };
    match action.as_str() {
        Some("terminate") => {
            let id = fields
                .required("terminateId", "the id of a question", |id| Some(id.as_str()?.to_string()))?;
            Ok(QueryAction::Terminate { id: Some(id), turns: turns(fields)? })
        }
        Some("terminate_all") => Ok(QueryAction::Terminate { id: None, turns: turns(fields)? }),
        Some("clear_cache") => Ok(QueryAction::ClearCache),
        Some("query_version") => Ok(QueryAction::QueryVersion),
        Some("query_models") => Ok(QueryAction::QueryModels),
        _ => {
            let known = "terminate, terminate_all, clear_cache, query_version, query_models";
            Err(fields.fault("action", &format!("expected one of {known}, got {}", quote(action))))
        }
    }
}

/// The question itself, without its settings.
fn query(id: &str, fields: &mut Fields<'_>, max_visits: u64, viewer: Viewer) -> Result<Query, Fault> {
    let start = start(fields)?;
    let size = start.size();
    let moves = plays(fields, "moves", "a list of moves such as [\"B\",\"D4\"]", size)?
        .ok_or_else(|| fields.fault("moves", "missing: expected a list of moves, which may be empty"))?;
    if moves.len() > MAX_MOVES {
        return Err(fields.fault("moves", &format!("{} moves: expected at most {MAX_MOVES}", moves.len())));
    }
    let player = fields.optional("initialPlayer", "\"B\" or \"W\"", color)?;
    let mut start = start;
    start.set_to_play(player.or(moves.first().map(|play| play.0)).unwrap_or(Color::Black));
    let mut after = start.clone();
    after.set_rules(tolerant(start.rules()));
    for (idx, &(color, vertex)) in moves.iter().enumerate() {
        // KaTrain looks for these two words.
        after.play(color, vertex).map_err(|error| {
            fields.fault("moves", &format!("Illegal move {}: {}: {error}", idx, size.show(vertex)))
        })?;
    }
    let turns = turns(fields, moves.len())?;
    let flag = |fields: &mut Fields<'_>, name: &'static str| -> Result<bool, Fault> {
        Ok(fields.optional(name, "true or false", Value::as_bool)?.unwrap_or(false))
    };
    let includes = Includes {
        policy: flag(fields, "includePolicy")?,
        ownership: flag(fields, "includeOwnership")?,
        moves_ownership: flag(fields, "includeMovesOwnership")?,
        pv_visits: flag(fields, "includePVVisits")?,
    };
    let report_every = fields.seconds("reportDuringSearchEvery")?;
    let first_report = fields.seconds("firstReportDuringSearchAfter")?.or(report_every);
    Ok(Query {
        id: id.to_string(),
        avoid: restrictions(fields, "avoidMoves", size)?,
        allow: restrictions(fields, "allowMoves", size)?,
        start,
        moves,
        turns,
        max_visits: fields.visits("maxVisits", MAX_VISITS)?.unwrap_or(max_visits),
        max_time: None,
        first_report,
        report_every: report_every.or(first_report),
        viewer,
        includes,
        pv_len: fields.count("analysisPVLen")?.unwrap_or(usize::MAX).max(1),
    })
}

/// The board before the first move, with rules and komi.
fn start(fields: &mut Fields<'_>) -> Result<Position, Fault> {
    let side = |fields: &mut Fields<'_>, name| {
        fields.required(name, "a side of the board, 2 to 25", |value| usize::try_from(value.as_u64()?).ok())
    };
    let (width, height) = (side(fields, "boardXSize")?, side(fields, "boardYSize")?);
    let wrong = if Size::square(width).is_err() { "boardXSize" } else { "boardYSize" };
    let size = Size::new(width, height).map_err(|error| fields.fault(wrong, &error.to_string()))?;
    let rules = fields.rules()?;
    let stones = plays(fields, "initialStones", "a list of stones such as [\"B\",\"D4\"]", size)?;
    let stones = stones.unwrap_or_default();
    if stones.len() > size.area() {
        let why = format!("{} stones: expected at most one on each point", stones.len());
        return Err(fields.fault("initialStones", &why));
    }
    if let Some(idx) = stones.iter().position(|(_, vertex)| vertex.is_pass()) {
        let why = format!("entry {idx} is a pass: expected a point of the board");
        return Err(fields.fault("initialStones", &why));
    }
    for (idx, (_, vertex)) in stones.iter().enumerate() {
        if stones[..idx].iter().any(|(_, other)| other == vertex) {
            let why = format!("entry {idx}: {} has a stone already: expected one", size.show(*vertex));
            return Err(fields.fault("initialStones", &why));
        }
    }
    let mut position = Position::new(size, rules);
    let placed: Vec<_> = stones.iter().map(|&(color, vertex)| (vertex, Some(color))).collect();
    position
        .setup(&placed, Color::Black)
        .map_err(|error| fields.fault("initialStones", &error.to_string()))?;
    // Black stones alone are a handicap.
    if stones.iter().all(|(color, _)| *color == Color::Black) {
        position.set_handicap(stones.len());
    }
    let usual = if rules.scoring == Scoring::Area { 7.5 } else { 6.5 };
    let komi = fields.optional("komi", "a number of points", Value::as_f64)?.unwrap_or(usual);
    position.set_komi(komi as f32).map_err(|error| fields.fault("komi", &error.to_string()))?;
    Ok(position)
}

/// Which positions are wanted, and how urgently; the last one if none is named.
fn turns(fields: &mut Fields<'_>, n_moves: usize) -> Result<Vec<QueriedTurn>, Fault> {
    let integer = |value: &Value| Some(value.as_i64()?.clamp(i64::from(i32::MIN), i64::from(i32::MAX)));
    let numbers = fields.optional("analyzeTurns", "a list of turns", |value| {
        value.as_array()?.iter().map(|turn| usize::try_from(turn.as_u64()?).ok()).collect::<Option<Vec<_>>>()
    })?;
    let numbers = numbers.unwrap_or_else(|| vec![n_moves]);
    if let Some(turn) = numbers.iter().find(|&&turn| turn > n_moves) {
        return Err(fields.fault(
            "analyzeTurns",
            &format!("turn {turn}: expected at most {n_moves}, the number of moves"),
        ));
    }
    if numbers.is_empty() || numbers.len() > MAX_MOVES + 1 {
        return Err(fields
            .fault("analyzeTurns", &format!("{} turns: expected 1 to {}", numbers.len(), MAX_MOVES + 1)));
    }
    let priority = fields.optional("priority", "an integer", integer)?.unwrap_or(0);
    let priorities = fields.optional("priorities", "a list of integers", |value| {
        value.as_array()?.iter().map(integer).collect::<Option<Vec<_>>>()
    })?;
    let priorities = priorities.unwrap_or_else(|| vec![priority; numbers.len()]);
    if priorities.len() != numbers.len() {
        let why = format!("{} priorities for {} turns: expected as many", priorities.len(), numbers.len());
        return Err(fields.fault("priorities", &why));
    }
    Ok(numbers
        .into_iter()
        .zip(priorities)
        .map(|(number, priority)| QueriedTurn { number, priority })
        .collect())
}

/// `overrideSettings`: those that mean something to us.
fn settings(query: &mut Query, fields: &mut Fields<'_>) -> Result<(), Fault> {
    let Some(object) =
        fields.optional("overrideSettings", "an object", |value| value.as_object().cloned())?
    else {
        return Ok(());
    };
    let mut settings = fields.below("overrideSettings", &object);
    if let Some(name) = object.keys().find(|name| name.starts_with(HUMAN)) {
        let why = "human-like networks are not supported: expected no setting of theirs";
        return Err(settings.fault(&short(name), why));
    }
    if let Some(word) =
        settings.optional("reportAnalysisWinratesAs", "BLACK, WHITE or SIDETOMOVE", |value| {
            Viewer::parse(value.as_str()?)
        })?
    {
        query.viewer = word;
    }
    query.max_time = settings.seconds("maxTime")?.map(|time| time.as_secs_f64());
    for name in ["maxVisits", "maxPlayouts"] {
        if let Some(most) = settings.visits(name, MAX_VISITS)? {
            query.max_visits = if name == "maxVisits" { most } else { query.max_visits.min(most) };
        }
    }
    let passed_over = settings.into_passed_over();
    fields.adopt(passed_over);
    Ok(())
}

/// `[{"player":"B","moves":["D4"],"untilDepth":1}]`.
fn restrictions(
    fields: &mut Fields<'_>,
    name: &'static str,
    size: Size,
) -> Result<Vec<(Color, Vec<Vertex>)>, Fault> {
    let mut is_deep = false;
    let expected = "a list of objects such as {\"player\":\"B\",\"moves\":[\"D4\"],\"untilDepth\":1}";
    let read = entries(fields, name, expected, |value| {
        let part =
            |name: &str| value.get(name).ok_or_else(|| format!("{name} is missing: expected {expected}"));
        let depth = part("untilDepth")?;
        let depth = depth.as_u64().filter(|&depth| depth > 0);
        is_deep |= depth.ok_or("untilDepth: expected a number from 1")? > 1;
        let moves = part("moves")?.as_array().ok_or("moves: expected a list of points")?;
        let moves = moves.iter().map(|at| point(at, size)).collect::<Result<Vec<_>, _>>()?;
        Ok((side(part("player")?)?, moves))
    })?;
    if is_deep {
        fields.pass_over(name, "an untilDepth beyond 1 holds for the position itself only");
    }
    Ok(read.unwrap_or_default())
}

fn color(value: &Value) -> Option<Color> {
    match value.as_str()?.to_ascii_lowercase().as_str() {
        "b" | "black" => Some(Color::Black),
        "w" | "white" => Some(Color::White),
        _ => None,
    }
}

/// `[["B","D4"],["W","pass"]]`.
fn plays(
    fields: &mut Fields<'_>,
    name: &'static str,
    expected: &str,
    size: Size,
) -> Result<Option<Vec<(Color, Vertex)>>, Fault> {
    entries(fields, name, expected, |value| match value.as_array().map(Vec::as_slice) {
        Some([player, at]) => Ok((side(player)?, point(at, size)?)),
        _ => Err("expected a colour and a point, such as [\"B\",\"D4\"]".to_string()),
    })
}

fn side(value: &Value) -> Result<Color, String> {
    color(value).ok_or_else(|| format!("{} is not a colour: expected \"B\" or \"W\"", quote(value)))
}

fn point(value: &Value, size: Size) -> Result<Vertex, String> {
    let text = value.as_str().ok_or_else(|| format!("{} is not a point: expected a text", quote(value)))?;
    size.parse_vertex(text).map_err(|error| error.to_string())
}

/// A field that holds a list. Of a long one an error names the entry that is wrong.
fn entries<T>(
    fields: &mut Fields<'_>,
    name: &'static str,
    expected: &str,
    mut read: impl FnMut(&Value) -> Result<T, String>,
) -> Result<Option<Vec<T>>, Fault> {
    let Some(list) = fields.optional(name, expected, |value| value.as_array().cloned())? else {
        return Ok(None);
    };
    let one = |(idx, value): (usize, &Value)| {
        read(value).map_err(|why| fields.fault(name, &format!("entry {idx} is {}: {why}", quote(value))))
    };
    list.iter().enumerate().map(one).collect::<Result<_, _>>().map(Some)
}
