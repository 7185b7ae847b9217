//! Pages that people read: a small model of a document, written as HTML and as Markdown.
//!
//! In reading order: [`text`] (words, code, links), [`page`] (blocks, tables, figures), `html` and `markdown` (the
//! writers), `save` (the files), [`experiment`] (the report of an experiment). Anything in the laboratory that has something
//! to show builds a [`Page`]; nothing else knows a tag. All text is escaped by the writers, so names of players may contain
//! anything.

pub mod experiment;
mod html;
mod markdown;
pub mod page;
mod save;
pub mod text;

pub use page::{Figure, Page, PageBlock, ReportTable, TableCell, TableColumn, Tone, written_by};
pub use text::{Text, TextSpan};
