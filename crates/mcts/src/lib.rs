//! The tree in columns, the search over it, and one folder per choice.
