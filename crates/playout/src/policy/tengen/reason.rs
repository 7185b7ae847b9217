//! The rules of the policy by name, to count which of them decide.

/// The rule that decided a move, in the order in which they are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveReason {
    /// A last good reply.
    Reply,
    /// A fresh ko.
    Ko,
    /// A chain in atari around the last move.
    Atari,
    /// A chain of two liberties around the last move.
    TwoLiberty,
    /// A race around the last move.
    Race,
    /// An eye about to become false.
    Repair,
    /// A vital point.
    Nakade,
    /// A pattern.
    Pattern,
    /// A capture elsewhere.
    Capture,
    /// Any move.
    Random,
    /// A better move in place of a bad random one.
    Redirect,
    /// No move was left.
    Pass,
}

impl MoveReason {
    /// All of them.
    pub const ALL: [MoveReason; 12] = [
        MoveReason::Reply,
        MoveReason::Ko,
        MoveReason::Atari,
        MoveReason::TwoLiberty,
        MoveReason::Race,
        MoveReason::Repair,
        MoveReason::Nakade,
        MoveReason::Pattern,
        MoveReason::Capture,
        MoveReason::Random,
        MoveReason::Redirect,
        MoveReason::Pass,
    ];
}
