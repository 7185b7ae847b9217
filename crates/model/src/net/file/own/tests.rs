//! Whole files of ours: what is written comes back, and whatever is damaged is refused with its place.

use super::*;
use crate::net::file::{self, Limits, NetFileError, NetFileReason};
use crate::net::graph::{Activation, Block, Graph};
use crate::net::sample::Maker;
use goban::{Rng, Size};

fn graph(version: u32, n_channels: usize) -> Graph {
    let activation = if version < 11 { Activation::Relu } else { Activation::Mish };
    let mut maker = Maker::new(u64::from(version), activation);
    let blocks = vec![maker.ordinary(n_channels), maker.pooling(n_channels)];
    let mut graph = maker.graph(version, n_channels, blocks);
    // The names that the reader gives.
    for (block, name) in graph.trunk.blocks.iter_mut().zip(["block1", "block2"]) {
        match block {
            Block::Ordinary(block) => block.name = name.into(),
            Block::Pooling(block) => block.name = name.into(),
            _ => {}
        }
    }
    graph
}

fn origin() -> NetworkOrigin {
    NetworkOrigin {
        game: "go".into(),
        boards: vec![Size::square(9).unwrap(), Size::new(13, 7).unwrap()],
        shape: "b2c6".into(),
        n_steps: 1200,
        trainer: "tengen train net --rows games.rows\n--steps 1200".into(),
        data: "games.rows: 300 rows".into(),
        teacher: String::new(),
        licence: "CC0, «as is»".into(),
    }
}

fn bytes() -> Vec<u8> {
    to_bytes(&graph(14, 6), &origin(), NumberForm::F32).unwrap()
}

fn refusal(bytes: &[u8]) -> NetFileError {
    file::read(bytes).expect_err("it should be refused")
}

/// A file in which the first `from` is replaced, with the checksum that fits.
fn changed(from: &str, to: &str) -> Vec<u8> {
    let bytes = bytes();
    let body = &bytes[..bytes.len() - 8];
    let at = body.windows(from.len()).position(|part| part == from.as_bytes()).expect("it is there");
    let mut changed = [&body[..at], to.as_bytes(), &body[at + from.len()..]].concat();
    changed.extend(file::checksum::Fnv1a::of(&changed).to_le_bytes());
    changed
}

#[test]
fn a_network_comes_back_with_its_origin() {
    for version in 8..15 {
        let graph = graph(version, 6);
        let bytes = to_bytes(&graph, &origin(), NumberForm::F32).unwrap();
        let read = file::read_within(&bytes[..], Limits::default()).unwrap();
        assert_eq!(read.graph, graph);
        let told = read.origin.unwrap();
        assert_eq!(told.trainer, "tengen train net --rows games.rows --steps 1200", "on one line");
        assert_eq!(NetworkOrigin { trainer: origin().trainer, ..told }, origin());
    }
}

#[test]
fn half_precision_keeps_three_digits_in_half_the_size() {
    let graph = graph(9, 8);
    let [whole, half] = NumberForm::ALL.map(|form| to_bytes(&graph, &origin(), form).unwrap());
    assert_eq!(whole.len() - half.len(), 2 * graph.n_weights());
    let read = file::read(&half[..]).unwrap();
    assert_eq!(read.n_weights(), graph.n_weights());
    for (kept, right) in read.trunk.conv.weights.iter().zip(&graph.trunk.conv.weights) {
        assert!((kept - right).abs() <= right.abs() / 2048.0 + 1e-7, "{kept} {right}");
    }
    // What was rounded once is not rounded again.
    assert_eq!(to_bytes(&read, &origin(), NumberForm::F16).unwrap(), half);
}

#[test]
fn a_file_cut_anywhere_or_with_more_behind_is_refused() {
    let bytes = bytes();
    for left in (0..bytes.len()).step_by(37).chain([bytes.len() - 1]) {
        let error = refusal(&bytes[..left]);
        let is_cut = matches!(error.reason, NetFileReason::Truncated(_) | NetFileReason::NotANetwork(_))
            // A file that ends inside of its first word may still become one of KataGo's.
            || left <= MAGIC.len() && matches!(error.reason, NetFileReason::Unexpected { .. });
        assert!(is_cut, "{left} bytes left: {error}");
        assert!(error.offset <= left as u64);
    }
    assert_eq!(refusal(&[&bytes[..], b"\n"].concat()).reason, NetFileReason::LeftOver);
}

#[test]
fn every_bit_counts() {
    let bytes = to_bytes(&graph(9, 2), &origin(), NumberForm::F16).unwrap();
    for at in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1 << (at % 8);
        assert!(file::read(&damaged[..]).is_err(), "byte {at}");
    }
    let last = bytes.len() - 20;
    let mut damaged = bytes;
    damaged[last] ^= 1;
    let error = refusal(&damaged);
    assert_eq!((error.reason, error.layer.as_str()), (NetFileReason::Checksum, "the checksum"));
}

#[test]
fn whatever_is_damaged_nothing_panics() {
    let mut rng = Rng::new(3);
    let bytes = bytes();
    let header = bytes.windows(8).position(|part| part == b"weights ").unwrap();
    for n in 0..400 {
        let mut damaged = bytes.clone();
        for _ in 0..=rng.below(3) {
            let end = if n % 2 == 0 { header } else { bytes.len() };
            damaged[rng.below(end as u32) as usize] = rng.next_u64() as u8;
        }
        let _ = file::read(&damaged[..]);
    }
}

#[test]
fn nonsense_is_refused_with_place_and_reason() {
    for (from, to, expected) in [
        ("tengen-net 1\n", "tengen-net 2\n", "expected the format 1 of tengen-net, found `2`"),
        ("tengen-net 1\n", "tengen-net\n", "expected a space and the version of the format"),
        ("game go", "game g o", "expected a game, found `g o`"),
        ("\nboards 9x9 13x7", "\nboards 9x99", "expected boards such as `9x9 13x13`"),
        ("\nsteps 1200", "\nstops 1200", "expected a line `steps …`, found `stops 1200`"),
        ("\noutputs 14", "\noutputs 17", "expected outputs of version 8 to 14"),
        ("\ntrunk 6 3", "\ntrunk 99999999 3", "is 99999999, outside 1 to 16384"),
        ("\ntrunk 6 3", "\ntrunk 6 2", "a kernel of size 2"),
        // As many weights as no memory holds are read until the file ends.
        ("\ntrunk 6 3", "\ntrunk 16384 3", "(byte"),
        ("\nblocks 2", "\nblocks 9999999", "expected a number of blocks"),
        ("\nblock ordinary", "\nblock attention", "expected an ordinary or pooling block"),
        ("\nblock ordinary 7", "\nblock ordinary 8", "(byte"),
        ("\nmultipliers 20", "\nmultipliers nan", "expected seven multipliers"),
        ("\nactivation mish", "\nactivation silu", "expected relu or mish"),
        ("\nweights f32", "\nweights f64", "expected f32 or f16"),
    ] {
        let error = refusal(&changed(from, to)).to_string();
        assert!(error.contains(expected) && error.contains("(byte "), "{to}: {error}");
    }
    let long = "x".repeat(4000);
    assert!(
        refusal(&changed("\nlicence CC0", &format!("\nlicence {long}")))
            .to_string()
            .contains("a longer line")
    );
}

#[test]
fn a_weight_that_is_no_number_is_refused_by_writer_and_reader() {
    let mut graph = graph(9, 4);
    graph.policy.pass.weights[2] = f32::NAN;
    let error = to_bytes(&graph, &origin(), NumberForm::F32).unwrap_err().to_string();
    assert!(error.contains("weight 2 of the policy head is NaN"), "{error}");
    graph.policy.pass.weights[2] = 1e6;
    let error = to_bytes(&graph, &origin(), NumberForm::F16).unwrap_err().to_string();
    assert!(error.contains("1000000, which has no f16 number"), "{error}");
    let mut bytes = to_bytes(&graph, &origin(), NumberForm::F32).unwrap();
    let at = bytes.windows(4).position(|part| part == 1e6f32.to_le_bytes()).unwrap();
    bytes[at..at + 4].copy_from_slice(&f32::INFINITY.to_le_bytes());
    let error = refusal(&bytes);
    assert!(matches!(error.reason, NetFileReason::NotFinite { index: 2, .. }), "{error}");
    assert_eq!(error.layer, "the policy head");
}

#[test]
fn other_kinds_of_layers_are_not_written() {
    let mut maker = Maker::new(1, Activation::Relu);
    let blocks = vec![maker.bottleneck(4, 2)];
    let bottleneck = maker.graph(9, 4, blocks);
    let mut mixed = graph(14, 4);
    mixed.value.hidden_activation = Activation::Relu;
    let mut unnamed = graph(9, 4);
    unnamed.name = "a b".into();
    for (graph, expected) in [
        (bottleneck, "the block bottleneck; expected ordinary and pooling ones"),
        (crate::net::sample::conv_graph(15, 4, 1), "version 15 of the outputs"),
        (mixed, "more than one activation"),
        (unnamed, "the name `a b`; expected letters"),
    ] {
        let error = to_bytes(&graph, &origin(), NumberForm::F32).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
}
