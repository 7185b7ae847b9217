//! The program `tengen`.
fn main() {}
