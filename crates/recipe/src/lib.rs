//! Names and parameters. Every research choice of the engine is a *variant* of a *family*, declared in one place with
//! its parameters ([`params!`], [`variants!`]); an engine is a [`Recipe`], a line of text such as
//! `models=mc+rave mixer=bma mixer.prior=100`. This crate reads recipes, refuses what was never declared (naming the
//! nearest known word), fills in the defaults, prints the full canonical text again and lists all there is.
//!
//! In reading order: [`declare`] the declarations as data · `macros` that write them from one line per parameter ·
//! [`choice`] a variant with a value for each parameter · [`text`] the grammar · [`resolve`] text applied to a choice ·
//! [`recipe`](mod@recipe) the whole · [`list`] listings for people and tuners · [`error`].

pub mod choice;
pub mod declare;
pub mod error;
pub mod list;
mod macros;
pub mod recipe;
pub mod resolve;
pub mod text;

pub use choice::{Choice, ParamValue};
pub use declare::{Family, Param, ParamKind, Variant};
pub use error::Error;
pub use list::{Listing, RecipeEntry};
#[doc(hidden)]
pub use macros::__hyphenate;
pub use recipe::{Recipe, Shelf};
