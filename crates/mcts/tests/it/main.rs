//! Whole searches, in one program: each links the search for several games, which takes longer than the tests.

mod any_recipe;
mod board_forms;
mod common;
mod connect_four;
mod evaluations;
mod go;
mod hex;
mod machine;
mod mixers;
mod models;
mod networks;
mod order;
mod recipes;
mod selectors;
mod symmetries;
mod temperature;
mod tiny;
mod widening;
