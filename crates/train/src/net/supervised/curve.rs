//! A point of the curve of a run that learns from rows.

use crate::net::run::curve::CurveLine;

/// Losses, or measures of a network on rows that it did not learn from; means over rows.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Measures {
    /// The policy's cross-entropy in nats.
    pub policy: f32,
    /// The share of rows in which the likeliest move of the network is that of the target.
    pub top1: f32,
    /// The result's cross-entropy in nats.
    pub value: f32,
    /// The squared error of the result, 0 to 1.
    pub value_error: f32,
    /// The mean error of the score in points.
    pub score_error: f32,
    /// The owners' cross-entropy in nats.
    pub ownership: f32,
}

/// A point of the curve.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct LossPoint {
    /// Steps done.
    pub step: u64,
    /// The learning rate of the last of them.
    pub learning_rate: f32,
    /// Means over the steps since the point before.
    pub trained: Measures,
    /// Of the averaged network on the rows held out, at checkpoints.
    pub held_out: Option<Measures>,
    /// Rows learned from in a second.
    pub rows_per_second: f32,
}

impl Measures {
    const NONE: [&str; 6] = [""; 6];

    fn to_fields(self) -> [String; 6] {
        let Measures { policy, top1, value, value_error, score_error, ownership } = self;
        [policy, top1, value, value_error, score_error, ownership].map(|number| format!("{number:.6}"))
    }

    fn parse(fields: &[&str]) -> Option<Measures> {
        let numbers: Vec<f32> = fields.iter().map(|field| field.parse().ok()).collect::<Option<_>>()?;
        let [policy, top1, value, value_error, score_error, ownership] = numbers.try_into().ok()?;
        Some(Measures { policy, top1, value, value_error, score_error, ownership })
    }
}

impl CurveLine for LossPoint {
    const COLUMNS: &'static str = "step,learning_rate,policy,top1,value,value_error,score_error,ownership,held_out_policy,held_out_top1,\
                                   held_out_value,held_out_value_error,held_out_score_error,held_out_ownership,rows_per_second";

    fn step(&self) -> u64 {
        self.step
    }

    fn line(&self) -> String {
        let held_out = self.held_out.map_or(Measures::NONE.map(String::from), Measures::to_fields);
        format!(
            "{},{:e},{},{},{:.1}",
            self.step,
            self.learning_rate,
            self.trained.to_fields().join(","),
            held_out.join(","),
            self.rows_per_second
        )
    }

    fn parse(line: &str) -> Option<LossPoint> {
        let fields: Vec<&str> = line.split(',').collect();
        let [step, learning_rate, .., rows_per_second] = fields[..] else { return None };
        let held_out = fields.get(8..14)?;
        Some(LossPoint {
            step: step.parse().ok()?,
            learning_rate: learning_rate.parse().ok()?,
            trained: Measures::parse(fields.get(2..8)?)?,
            held_out: if held_out == Measures::NONE { None } else { Some(Measures::parse(held_out)?) },
            rows_per_second: rows_per_second.parse().ok()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::run::curve::{Curve, FILE};
    use crate::net::run::folder::TrainingFolder;
    use std::fs;

    fn point(step: u64) -> LossPoint {
        let trained = Measures {
            policy: 2.5,
            top1: 0.25,
            value: 0.5,
            value_error: 0.125,
            score_error: 1.5,
            ownership: 0.75,
        };
        let held_out = step.is_multiple_of(200).then_some(Measures { policy: 2.75, ..trained });
        LossPoint { step, learning_rate: 0.001, trained, held_out, rows_per_second: 321.5 }
    }

    #[test]
    fn points_behind_the_checkpoint_are_dropped() {
        let dir = tempfile::tempdir().unwrap();
        let folder =
            TrainingFolder::open(&dir.path().join("run"), &"batch = 64".parse().unwrap(), &[]).unwrap();
        let mut curve = Curve::<LossPoint>::open(&folder, 0).unwrap();
        (1..=5).for_each(|n| curve.push(point(100 * n)).unwrap());
        drop(curve);
        let text = fs::read_to_string(folder.file(FILE)).unwrap();
        assert_eq!(
            text.lines().nth(1).unwrap(),
            "100,1e-3,2.500000,0.250000,0.500000,0.125000,1.500000,0.750000,,,,,,,321.5"
        );
        assert_eq!(
            text.lines().next().unwrap().split(',').count(),
            text.lines().nth(2).unwrap().split(',').count()
        );
        // The last line is torn.
        fs::write(folder.file(FILE), &text[..text.len() - 30]).unwrap();
        let curve = Curve::<LossPoint>::open(&folder, 400).unwrap();
        assert_eq!(curve.points, [100, 200, 300, 400].map(point));
        drop(curve);
        assert_eq!(Curve::<LossPoint>::open(&folder, 200).unwrap().points.len(), 2);
        assert_eq!(fs::read_to_string(folder.file(FILE)).unwrap().lines().count(), 3);
        fs::write(folder.file(FILE), "step\nnonsense\n").unwrap();
        let error = Curve::<LossPoint>::open(&folder, 200).err().unwrap().to_string();
        assert!(error.contains("curve.csv: expected 15 numbers, found `nonsense`"), "{error}");
    }
}
