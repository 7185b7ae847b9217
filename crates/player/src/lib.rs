//! Players: our search, outside GTP engines, and a game between two of them.
