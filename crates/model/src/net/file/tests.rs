//! Whole files: every kind of layer comes back as it was written, and whatever is wrong is refused.

use super::*;
use crate::net::graph::{Activation, Block};
use crate::net::sample::{self, Form, Maker, write};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write;

fn pack(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// The reason why a file is refused.
fn refusal(file: &[u8]) -> NetFileError {
    read(file).expect_err("it should be refused")
}

/// The binary file of a small network with the first `from` replaced by `to`.
fn changed(version: u32, from: &str, to: &str) -> Vec<u8> {
    let file = write(&sample::graph(version, 6, 1), Form::Binary);
    let at = file.windows(from.len()).position(|bytes| bytes == from.as_bytes()).expect("it is there");
    [&file[..at], to.as_bytes(), &file[at + from.len()..]].concat()
}

#[test]
fn every_version_and_block_comes_back_in_every_form() {
    for version in VERSIONS {
        let graph = sample::graph(version, 6, u64::from(version));
        for form in [Form::Text, Form::Binary] {
            let file = write(&graph, form);
            assert_eq!(read(&file[..]).unwrap(), graph, "version {version}, {form:?}");
            assert_eq!(read(&pack(&file)[..]).unwrap(), graph, "version {version}, {form:?}, packed");
        }
    }
}

#[test]
fn activations_of_every_kind_are_told_apart() {
    for activation in [Activation::Identity, Activation::Relu, Activation::Mish, Activation::Silu] {
        let mut maker = Maker::new(3, activation);
        let blocks = vec![maker.ordinary(4)];
        let graph = maker.graph(14, 4, blocks);
        assert_eq!(read(&write(&graph, Form::Text)[..]).unwrap(), graph);
    }
}

#[test]
fn a_norm_is_folded() {
    let mut maker = Maker::new(3, Activation::Relu);
    let graph = maker.graph(8, 1, Vec::new());
    let text = String::from_utf8(write(&graph, Form::Text)).unwrap();
    // Mean, variance, scale and bias of the norm at the tip.
    let tip = text.find("norm\n1\n0\n1\n1\n").unwrap();
    let rest = text[tip..].splitn(10, '\n').nth(9).unwrap();
    let folded = |norm: &str| {
        let file = format!("{}{norm}{rest}", &text[..tip]);
        match read(file.as_bytes()).map(|graph| graph.trunk.tip) {
            Ok(TipNorm::Batch(norm)) => Ok((norm.scale[0], norm.bias[0])),
            Ok(TipNorm::Rms(_)) => panic!("another norm"),
            Err(error) => Err(error),
        }
    };
    // s = 3/√(3.5 + 0.5) = 1.5; b = 7 − 1.5·2 = 4.
    assert_eq!(folded("norm\n1\n0.5\n1\n1\n2\n3.5\n3\n7\n"), Ok((1.5, 4.0)));
    assert_eq!(folded("norm\n1\n0.5\n0\n1\n2\n3.5\n7\n"), Ok((0.5, 6.0)));
    assert_eq!(folded("norm\n1\n0.5\n1\n0\n2\n3.5\n3\n"), Ok((1.5, -3.0)));
    assert_eq!(folded("norm\n1\n0.5\n0\n0\n2\n3.5\n"), Ok((0.5, -1.0)));
    for bad in ["norm\n1\n0\n1\n1\n2\n-1\n3\n7\n", "norm\n1\n0\n1\n1\n2\n0\n3\n7\n"] {
        assert_eq!(folded(bad).unwrap_err().reason, NetFileReason::BadNorm(0));
    }
}

#[test]
fn a_file_cut_anywhere_or_with_more_behind_is_refused() {
    for (version, form) in [(8, Form::Binary), (17, Form::Binary), (15, Form::Text)] {
        let file = write(&sample::graph(version, 4, 1), form);
        for left in (0..file.len()).step_by(61).chain([file.len() - 1]) {
            // A text that lacks its last white space is refused as well, since a digit might be missing.
            let left = if form == Form::Text && left == file.len() - 1 { left - 1 } else { left };
            let error = refusal(&file[..left]);
            assert!(
                matches!(error.reason, NetFileReason::Truncated(_) | NetFileReason::Unexpected { .. }),
                "version {version}, {left} bytes left: {error}"
            );
            assert!(error.offset <= left as u64);
        }
        for more in ["x", "\nx", "0.5 "] {
            let longer = [&file[..], more.as_bytes()].concat();
            assert_eq!(refusal(&longer).reason, NetFileReason::LeftOver);
        }
        let packed = pack(&file);
        assert!(matches!(refusal(&packed[..packed.len() - 1]).reason, NetFileReason::Truncated(_)));
        assert!(read(&[&packed[..], b"x"].concat()[..]).is_err());
    }
}

#[test]
fn a_byte_missing_or_doubled_anywhere_is_refused() {
    let graph = sample::conv_graph(14, 2, 5);
    let file = write(&graph, Form::Binary);
    for at in (0..file.len()).step_by(5) {
        let without = [&file[..at], &file[at + 1..]].concat();
        let doubled = [&file[..=at], &file[at..]].concat();
        for damaged in [without, doubled] {
            // Names, multipliers and white space between words may change without harm to the weights.
            if let Ok(read) = read(&damaged[..]) {
                assert_eq!(read.trunk.conv, graph.trunk.conv, "byte {at}");
                assert_eq!(read.value.ownership, graph.value.ownership, "byte {at}");
                assert_eq!(read.n_weights(), graph.n_weights(), "byte {at}");
            }
        }
    }
}

#[test]
fn whatever_is_damaged_nothing_panics_and_weights_are_numbers() {
    let mut rng = goban::Rng::new(7);
    for (version, form) in [(8, Form::Binary), (15, Form::Text), (17, Form::Binary)] {
        let file = write(&sample::graph(version, 2, 1), form);
        for _ in 0..300 {
            let mut damaged = file.clone();
            for _ in 0..=rng.below(4) {
                let at = rng.below(damaged.len() as u32) as usize;
                damaged[at] = rng.next_u64() as u8;
            }
            if let Ok(graph) = read(&damaged[..]) {
                assert!(graph.trunk.conv.weights.iter().all(|weight| weight.is_finite()));
            }
        }
    }
}

#[test]
fn what_is_no_network_or_of_another_version_is_refused_by_name() {
    let check = |file: &[u8], words: &str| {
        let error = refusal(file).to_string();
        assert!(error.contains(words), "{error}");
    };
    check(b"", "the file ends before a model name");
    check(
        b"\x89PNG\r\n\x1a\n",
        "this is not a KataGo network and none of Tengen's: it begins with `\\x89PNG`",
    );
    check(b"(;GM[1]FF[4])", "this is not a KataGo network");
    check(&vec![0; 1 << 20], "this is not a KataGo network");
    check(format!("{} 8", "a".repeat(97)).as_bytes(), "this is not a KataGo network");
    check(b"net 7 22 19", "networks of version 7 are not supported, only versions 8 to 17");
    check(b"net 18 22 19", "networks of version 18 are not supported");
    check(b"net -1", "networks of version -1 are not supported");
    check(b"net eight", "expected the version, found `eight`");
    check(b"net 8 17 19", "the number of input planes is 17");
    check(b"net 8 22 20", "the number of global inputs is 20");
    check(b"net 15 22 19 20 20 20 20 40 1 30 1 0", "human-SL nets are not supported");
    check(b"net 15 22 19 20 20 20 20 40 1 30 0 0 0 0 5", "the header option 5 is not supported");
    check(b"net 13 22 19 20 nan", "expected the multiplier of the mean score, found `nan`");
}

#[test]
fn layers_that_do_not_fit_are_refused_with_their_name() {
    let check = |version: u32, from: &str, to: &str, layer: &str, words: &str| {
        let error = refusal(&changed(version, from, to));
        assert!(error.to_string().contains(words), "{error}");
        assert_eq!(error.layer, layer, "{error}");
    };
    check(8, "conv1\n3\n3\n6", "conv1\n3\n3\n7", "conv1", "the number of input channels is 7");
    check(8, "conv2\n3\n3\n7\n6", "conv2\n3\n3\n7\n5", "conv2", "the number of output channels is 5");
    check(
        8,
        "first\n5\n5\n22\n6",
        "first\n5\n5\n22\n99999",
        "first",
        "the number of output channels is 99999",
    );
    check(8, "conv1\n3\n3\n6\n7", "conv1\n3\n3\n6\n99999", "conv1", "outside 1 to 16384");
    check(8, "conv1\n3\n3", "conv1\n3\n2", "conv1", "a kernel of even size 2 is not supported");
    check(8, "conv1\n3\n3", "conv1\n3\n999", "conv1", "the width of the kernel is 999");
    check(8, "conv1\n3\n3\n6\n7\n1\n1", "conv1\n3\n3\n6\n7\n1\n2", "conv1", "dilation 2 is not supported");
    check(8, "p1\n1\n1", "p1\n3\n3", "p1", "a line end after the weights");
    check(8, "v3\n7\n3", "v3\n7\n4", "v3", "the number of output channels is 4");
    check(8, "score\n7\n4", "score\n7\n6", "score", "4 is needed");
    check(8, "norm\n6", "norm\n5", "norm", "the number of channels is 5");
    check(8, "gpool_block", "other_block", "conv2", "expected the kind of a block, found `other_block`");
    check(8, "trunk\n9\n6", "trunk\n9000000\n6", "trunk", "the number of blocks is 9000000");
    check(14, "ACTIVATION_MISH", "ACTIVATION_TANH", "act", "found `ACTIVATION_TANH`");
    check(8, "attention0\n4\n2\n", "attention0\n4\n3\n", "attention0", "4 heads over 3 key heads");
    check(8, "attention1\n4\n2\n8", "attention1\n4\n2\n6", "attention1", "queries of 6 channels");
    check(8, "rope\n2\n4\n2", "rope\n2\n3\n2", "rope", "the number of channel pairs is 3");
    check(8, "feed-forward\n6\n12\n1", "feed-forward\n6\n12\n0", "feed-forward", "without a gate");
    check(17, "policy\n4\n", "policy\n3\n", "policy", "a policy of 3 channels");
    check(17, "value\n0\n", "value\n1\n", "value", "the value option 1");
}

#[test]
fn weights_that_are_no_numbers_are_refused_with_their_layer_and_place() {
    let mut graph = sample::graph(8, 6, 1);
    if let Block::Ordinary(block) = &mut graph.trunk.blocks[0] {
        block.first.weights[11] = f32::NAN;
    }
    for form in [Form::Text, Form::Binary] {
        let error = refusal(&write(&graph, form));
        assert_eq!(error.layer, "conv1");
        assert!(error.to_string().contains("weight 11 is NaN"), "{error}");
    }
}

#[test]
fn enormous_claims_cost_nothing() {
    // Sixteen thousand channels of sixteen thousand: a gigabyte that never comes.
    let mut file = b"net 8 22 19 trunk 1 16384 1 1 1 1 first 19 19 22 16384 1 1 @BIN@".to_vec();
    file.extend([0; 1000]);
    assert!(matches!(refusal(&file).reason, NetFileReason::Truncated(_)));
    // The same with zeros that unpack from nearly nothing.
    file.resize(60 << 20, 0);
    let bomb = pack(&file);
    let error = refusal(&bomb);
    assert_eq!((error.reason, error.layer.as_str()), (NetFileReason::Bomb(20), "first"));
    assert!(error.offset < 32 << 20);
    let limits = Limits { unpacked: 1 << 20, ..Limits::default() };
    assert_eq!(read_within(&file[..], limits).unwrap_err().reason, NetFileReason::TooLarge(1 << 20));
}

#[test]
fn bottlenecks_without_end_are_refused() {
    let mut text = String::from("net 8 22 19 trunk 1 1 1 1 1 1 first 1 1 22 1 1 1");
    text.push_str(&" 0".repeat(22));
    text.push_str(" globals 19 1");
    text.push_str(&" 0".repeat(19));
    for _ in 0..1000 {
        text.push_str(" nested_bottleneck_block b 1 n 1 0 0 0 0 1 a enter 1 1 1 1 1 1 0");
    }
    let error = refusal(text.as_bytes()).to_string();
    assert!(error.contains("a bottleneck inside of 4 bottlenecks is not supported"), "{error}");
}

/// `cargo test -p tengen-model --lib seeds_of_the_fuzz_target -- --ignored` writes them anew.
#[test]
#[ignore = "writes the seeds of the fuzz target `net`"]
fn seeds_of_the_fuzz_target() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds/net");
    std::fs::create_dir_all(&folder).unwrap();
    let save = |name: &str, bytes: &[u8]| std::fs::write(folder.join(name), bytes).unwrap();
    save("oldest.bin", &write(&sample::conv_graph(8, 2, 1), Form::Binary));
    save("oldest.txt", &write(&sample::conv_graph(8, 2, 1), Form::Text));
    save("middle.bin.gz", &pack(&write(&sample::conv_graph(14, 2, 1), Form::Binary)));
    save("newest.bin", &write(&sample::graph(17, 2, 1), Form::Binary));
    let origin = NetworkOrigin { game: "go".into(), shape: "b2c2".into(), ..NetworkOrigin::default() };
    let ours = own::to_bytes(&sample::plain_graph(8, 2, 1), &origin, own::NumberForm::F16).unwrap();
    save("ours.net", &ours);
}
