//! What was learned, at work: pattern weights, shapes, networks.
