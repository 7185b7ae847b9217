//! The drawn boards with right moves of this folder, for programs: a package of its own, so that the crates that build them in
//! can be published.

/// Positions with one right move. The text of each file of `solve/`.
pub mod solve {
    /// `captures.txt`.
    pub const CAPTURES: &str = include_str!("solve/captures.txt");
    /// `endgame.txt`.
    pub const ENDGAME: &str = include_str!("solve/endgame.txt");
    /// `ko.txt`.
    pub const KO: &str = include_str!("solve/ko.txt");
    /// `ladders.txt`.
    pub const LADDERS: &str = include_str!("solve/ladders.txt");
    /// `nakade.txt`.
    pub const NAKADE: &str = include_str!("solve/nakade.txt");
    /// `races.txt`.
    pub const RACES: &str = include_str!("solve/races.txt");
    /// `seki.txt`.
    pub const SEKI: &str = include_str!("solve/seki.txt");
}

/// Small tactical problems. The text of each file of `tactical/`.
pub mod tactical {
    /// `edge.txt`.
    pub const EDGE: &str = include_str!("tactical/edge.txt");
    /// `ko.txt`.
    pub const KO: &str = include_str!("tactical/ko.txt");
    /// `nakade.txt`.
    pub const NAKADE: &str = include_str!("tactical/nakade.txt");
    /// `seki.txt`.
    pub const SEKI: &str = include_str!("tactical/seki.txt");
    /// `semeai.txt`.
    pub const SEMEAI: &str = include_str!("tactical/semeai.txt");
    /// `snapback.txt`.
    pub const SNAPBACK: &str = include_str!("tactical/snapback.txt");
    /// `throw-in.txt`.
    pub const THROW_IN: &str = include_str!("tactical/throw-in.txt");
}
