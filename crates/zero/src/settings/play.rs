//! The table `[play]`: how games are played.

recipe::words! {
    /// What of a full search the policy learns.
    pub enum Target {
        /// The shares of the visits. [Silver et al. 2017]
        Visits = "visits",
        /// The policy that the values improve, with the values of arms without visits filled in; for select=gumbel. [Danihelka et al. 2022]
        Improved = "improved",
    }
}

recipe::params! {
    /// How games are played.
    pub struct PlaySettings as "play" {
        visits: u32 = 100, 1..=1_000_000, "simulations of a full search, of which the network learns";
        fast_visits: u32 = 20, 1..=1_000_000, "simulations of the other searches, which only move the game on and explore nothing";
        full_share: f32 = 0.25, 0.01..=1.0, "share of the moves that get a full search";
        target: word(Target) = Target::Visits, "the part of a full search that the policy learns";
        temperature: f32 = 1.0, 0.0..=10.0, "moves of the beginning are drawn by shares to the power of 1/temperature";
        temperature_moves: u32 = 10, 0..=10_000, "moves of a game that count as its beginning, those drawn blindly included";
        late_temperature: f32 = 0.0, 0.0..=10.0, "the temperature afterwards; 0 plays the recipe's choice";
        start_share: f32 = 0.0, 0.0..=1.0, "share of the games that begin with moves drawn blindly";
        start_moves: u32 = 8, 1..=1000, "the most of them; each number is as likely";
        max_moves: u32 = 0, 0..=100_000, "moves after which a game ends as the board stands; 0: three for each point";
        resign_below: f32 = 0.0, 0.0..=0.5, "a player that expects fewer wins than this resigns; 0: never";
        resign_errors: f32 = 0.05, 0.0..=1.0, "largest share of resigned games that were not lost; above it the limit is lowered";
        check_share: f32 = 0.1, 0.0..=1.0, "share of the games without resigning, in which this is counted";
        value_mix: f32 = 0.0, 0.0..=1.0, "part of the search's own value in what the value learns; the rest is the result";
    }
}
