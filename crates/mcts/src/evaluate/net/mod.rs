//! A network evaluates leaves: the value of its answer is the sample, and its policy can be the prior (`prior=net`). [Silver
//! et al. 2017: AlphaGo Zero plays without playouts]
//!
//! In reading order: this file, the variant · [`symmetry`] how positions are turned
//! before it sees them · `cache` its answers by position · [`service`] the network with its queue, shared by all threads ·
//! [`asker`] one thread's questions to it, with or without playouts · [`no_net`] the word for none · [`loaded`] that for one from a file.

pub mod asker;
mod cache;
pub mod loaded;
pub mod no_net;
pub mod service;
pub mod symmetry;

use super::{Evaluation, Kit, Parts};
use crate::blueprint::Blueprint;
use asker::Mixture;
use recipe::Error;

recipe::params! {
    /// The value that a network gives.
    pub struct NetParams as "net" {}
}

/// Builds the evaluation.
///
/// # Errors
/// When the recipe names no network, or rewards margins.
pub fn build<G: Kit>(
    _params: &NetParams,
    parts: &Parts<'_, G>,
    _blueprint: &mut Blueprint<'_>,
) -> Result<Box<dyn Evaluation<G>>, Error> {
    parts.need_plain_wins("leaf=net")?;
    Ok(Box::new(Mixture::new(parts, parts.need_net(VARIANT.name)?, 0.0, None)))
}
