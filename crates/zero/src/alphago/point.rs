//! A point of the curve of a run of reinforcement.

use train::net::run::curve::CurveLine;

/// How a run stands after some batches; means over the batches since the point before.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ReinforcePoint {
    /// Batches done.
    pub batch: u64,
    /// The learning rate of the last of them.
    pub learning_rate: f32,
    /// The share of games won against opponents from the pool.
    pub won_pool: f32,
    /// Moves of a game.
    pub moves: f32,
    /// The mean of −ln p over the moves that were drawn: how undecided the policy is, in nats.
    pub policy_loss: f32,
    /// The length of the gradient before it was clipped.
    pub gradient: f32,
    /// The mean squared error of the winning probability that the network expected.
    pub value_error: f32,
    /// The share of games won against the first network.
    pub won_first: f32,
    /// Those games.
    pub first_games: u32,
    /// Games of the batches in a second.
    pub games_per_second: f32,
}

impl CurveLine for ReinforcePoint {
    const COLUMNS: &'static str = "batch,learning_rate,won_pool,moves,policy_loss,gradient,value_error,won_first,first_games,games_per_second";

    fn step(&self) -> u64 {
        self.batch
    }

    fn line(&self) -> String {
        let means =
            [self.won_pool, self.moves, self.policy_loss, self.gradient, self.value_error, self.won_first];
        let means = means.map(|mean| format!("{mean:.6}")).join(",");
        let Self { batch, learning_rate, first_games, games_per_second, .. } = self;
        format!("{batch},{learning_rate:e},{means},{first_games},{games_per_second:.2}")
    }

    fn parse(line: &str) -> Option<Self> {
        let fields: Vec<&str> = line.split(',').collect();
        let [batch, learning_rate, .., first_games, games_per_second] = fields[..] else { return None };
        let means: Vec<f32> =
            fields.get(2..8)?.iter().map(|field| field.parse().ok()).collect::<Option<_>>()?;
        let [won_pool, moves, policy_loss, gradient, value_error, won_first] = means.try_into().ok()?;
        if fields.len() != Self::COLUMNS.split(',').count() {
            return None;
        }
        Some(Self {
            batch: batch.parse().ok()?,
            learning_rate: learning_rate.parse().ok()?,
            won_pool,
            moves,
            policy_loss,
            gradient,
            value_error,
            won_first,
            first_games: first_games.parse().ok()?,
            games_per_second: games_per_second.parse().ok()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_back() {
        let point = ReinforcePoint {
            batch: 40,
            learning_rate: 0.001,
            won_pool: 0.5,
            moves: 61.25,
            policy_loss: 1.5,
            gradient: 0.125,
            value_error: 0.25,
            won_first: 0.625,
            first_games: 100,
            games_per_second: 12.5,
        };
        assert_eq!(point.line(), "40,1e-3,0.500000,61.250000,1.500000,0.125000,0.250000,0.625000,100,12.50");
        assert_eq!(ReinforcePoint::parse(&point.line()), Some(point));
        for wrong in ["", "40,1e-3,0.5", "a,1e-3,1,2,3,4,5,6,100,1", "40,1e-3,1,2,3,4,5,6,7,100,1"] {
            assert_eq!(ReinforcePoint::parse(wrong), None, "{wrong}");
        }
    }
}
