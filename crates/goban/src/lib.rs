//! Rules and board of Go: positions, legality, scoring.
