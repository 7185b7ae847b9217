//! What was learned, at work: anything that looks at a position and says which moves are likely and who is winning.
//! For now only the models that know nothing, which are always built: they prove that a search survives whatever a
//! network may answer.
//!
//! In reading order: this file, the trait · [`uniform`] the smallest example · [`fake`] · [`random`] · [`nan`].

/// What a model is asked about. Models that look at the board get their features here in time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Query {
    /// The hash of the position and its mover.
    pub key: u64,
    /// The number of actions a policy is spread over.
    pub n_actions: usize,
}

/// What a model answers; the buffer is reused from question to question.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Evaluation {
    /// The probability of each action, in 0..=1, by action index; sums to 1.
    pub policy: Vec<f32>,
    /// The probability that the mover wins, in 0..=1.
    pub value: f32,
}

impl Evaluation {
    /// Whether every number is finite; a search asks before it believes.
    pub fn is_finite(&self) -> bool {
        self.value.is_finite() && self.policy.iter().all(|p| p.is_finite())
    }
}

/// Something that evaluates positions.
pub trait Model: Send {
    /// Answers one question.
    fn evaluate(&mut self, query: Query, out: &mut Evaluation);
}

recipe::variants! {
    /// What looks at a position and says which moves are likely and who is winning.
    pub static FAMILY = "model";
    pub fn build(choice) -> Box<dyn Model>;
    uniform, fake, random, nan
}

#[cfg(test)]
mod tests {
    use super::*;
    use recipe::Choice;

    fn ask(name: &str, key: u64) -> Evaluation {
        let choice = Choice::new(FAMILY.get(name).unwrap());
        let mut out = Evaluation::default();
        build(&choice).unwrap().evaluate(Query { key, n_actions: 82 }, &mut out);
        out
    }

    #[test]
    fn every_model_but_nan_answers_in_range() {
        for variant in FAMILY.variants.iter().filter(|variant| variant.name != "nan") {
            let out = ask(variant.name, 5);
            assert!(out.is_finite(), "{}", variant.name);
            assert_eq!(out.policy.len(), 82);
            assert!((out.policy.iter().sum::<f32>() - 1.0).abs() < 1e-4, "{}", variant.name);
            assert!((0.0..=1.0).contains(&out.value));
            assert!(!variant.summary().is_empty());
        }
    }
}
