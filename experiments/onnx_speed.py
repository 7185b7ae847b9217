#!/usr/bin/env python3
"""How fast is our network engine beside onnxruntime? One KataGo network, one core, processor time.

    python3 experiments/onnx_speed.py NET.bin.gz --tengen PATH --size 9

The script reads a KataGo network file of version 8 (residual blocks and pooling blocks, such as b6c96), builds an ONNX graph
with the same weights, checks on the empty board that the graph says what `tengen gtp` says, and then times both in turns:
onnxruntime with each batch, `tengen net bench`, onnxruntime again, and so on. Medians over all windows are told, and the last line
is one JSON object. It needs the packages numpy, onnx and onnxruntime.

What is compared: onnxruntime computes in f32. Ours is the engine that `tengen net bench --json` times unless told otherwise: one
position at a time, in i16; the JSON line says which. Both get planes and give raw outputs; neither has to encode a position.
"""

import argparse
import gzip
import json
import math
import statistics
import subprocess
import sys
import time
import zlib
from pathlib import Path


def fail(reason):
    """Ends the script with a line that says why."""
    sys.exit(f"onnx_speed: {reason}")


try:
    import numpy as np
    import onnx
    import onnxruntime as ort
    from onnx import TensorProto, helper, numpy_helper
except ImportError as error:
    fail(f"cannot import the package {error.name}: pip install numpy onnx onnxruntime")

VERSION = 8
N_PLANES, N_GLOBALS = 22, 19
KOMI = 7.5
# What the file of version 8 does not tell: points in one unit of the lead.
LEAD_UNIT = 20.0
# How far the graph may be from tengen on the empty board. Tengen rounds to 16 bits, which is worth far less than this.
TOLERANCES = {"policy": 0.005, "win": 0.005, "lead": 0.1, "ownership": 0.02}


class NetError(Exception):
    """The file is not a network that this script reads."""


# ---- The file -------------------------------------------------------------------------------------------------------------


class Reader:
    """Reads the words and the blocks of weights of a network file, in the order in which they stand there."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def skip_space(self):
        while self.data[self.at : self.at + 1].isspace():
            self.at += 1

    def word(self):
        self.skip_space()
        start = self.at
        while self.at < len(self.data) and not self.data[self.at : self.at + 1].isspace():
            self.at += 1
        if start == self.at:
            raise NetError("the file ends too early")
        return self.data[start : self.at].decode("ascii", "replace")

    def number(self, kind):
        word = self.word()
        try:
            return kind(word)
        except ValueError:
            raise NetError(f"{word[:24]!r} at byte {self.at} where a number should be") from None

    def ints(self, n):
        return [self.number(int) for _ in range(n)]

    def expect(self, found, expected, what):
        if found != expected:
            raise NetError(f"{found} {what}, expected {expected}")

    def weights(self, *shape):
        self.skip_space()
        end = self.at + 5 + 4 * math.prod(shape)
        if self.data[self.at : self.at + 5] != b"@BIN@" or min(shape) < 1 or end > len(self.data):
            raise NetError(f"no binary weights of shape {shape} at byte {self.at}")
        found = np.frombuffer(self.data[self.at + 5 : end], "<f4").reshape(shape)
        if not np.isfinite(found).all():
            raise NetError(f"weights before byte {end} are not finite")
        self.at = end
        return found.astype(np.float64)

    def conv(self):
        """A kernel in ONNX's order (out, in, y, x). The file has (y, x, in, out)."""
        self.word()
        height, width, n_in, n_out, *dilation = self.ints(6)
        self.expect(dilation, [1, 1], "as dilation")
        return self.weights(height, width, n_in, n_out).transpose(3, 2, 0, 1)

    def norm(self):
        """A batch norm and the name of the ReLU behind it, as what is multiplied and what is added."""
        self.word()
        (n,), epsilon, (has_scale, has_bias) = self.ints(1), self.number(float), self.ints(2)
        mean, variance = self.weights(n), self.weights(n)
        scale = self.weights(n) if has_scale else np.ones(n)
        bias = self.weights(n) if has_bias else np.zeros(n)
        self.word()
        scale = scale / np.sqrt(variance + epsilon)
        return scale, bias - scale * mean

    def product(self):
        self.word()
        return self.weights(*self.ints(2))

    def bias(self):
        self.word()
        return self.weights(*self.ints(1))

    def fields(self, **layers):
        """Layers by name, read in the order in which they are asked for."""
        return {name: read() for name, read in layers.items()}

    def block(self):
        kind = self.word()
        self.word()
        conv, norm = self.conv, self.norm
        if kind == "ordinary_block":
            return kind, self.fields(pre=norm, first=conv, mid=norm, last=conv)
        if kind == "gpool_block":
            return kind, self.fields(
                pre=norm, first=conv, pool=conv, pool_norm=norm, to_bias=self.product, mid=norm, last=conv
            )
        raise NetError(f"a block of kind {kind[:40]!r}, expected ordinary_block or gpool_block")

    def net(self):
        name, version = self.word(), self.number(int)
        if version != VERSION:
            raise NetError(f"a network file of version {version}, this script reads version {VERSION}")
        self.expect(self.ints(2), [N_PLANES, N_GLOBALS], "input planes and globals")
        conv, norm, product, bias = self.conv, self.norm, self.product, self.bias
        self.word()
        n_blocks = self.ints(6)[0]
        trunk = self.fields(conv=conv, globals=product)
        trunk["blocks"] = [self.block() for _ in range(n_blocks)]
        trunk["tip"] = norm()
        self.word()
        policy = self.fields(
            first=conv, pool=conv, pool_norm=norm, to_bias=product, mid=norm, last=conv, pass_move=product
        )
        self.word()
        value = self.fields(first=conv, norm=norm, hidden=product, hidden_bias=bias)
        self.word()
        value |= self.fields(winner=product, winner_bias=bias, score=product, score_bias=bias, ownership=conv)
        self.skip_space()
        if self.at != len(self.data):
            raise NetError(f"{len(self.data) - self.at} bytes too many")
        return name, trunk, policy, value


def read_net(path):
    try:
        with gzip.open(path) as file:
            return Reader(file.read()).net()
    except (OSError, EOFError, zlib.error, NetError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else error
        fail(f"{path}: {reason}")


# ---- The graph ------------------------------------------------------------------------------------------------------------


class GraphBuilder:
    """Adds nodes to an ONNX graph. Each method returns the name of the new node's output."""

    def __init__(self):
        self.nodes, self.constants = [], []

    def constant(self, array, dtype=np.float32):
        name = f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(array, dtype), name))
        return name

    def node(self, kind, *inputs, to=None, **attributes):
        to = to or f"n{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [to], **attributes))
        return to

    def conv(self, x, kernel, bias=None, **options):
        """A convolution that keeps the size of the board."""
        height, width = kernel.shape[2:]
        pads = [height // 2, width // 2] * 2
        bias = [] if bias is None else [self.constant(bias)]
        return self.node(
            "Conv", x, self.constant(kernel), *bias, kernel_shape=[height, width], pads=pads, **options
        )

    def conv_norm(self, x, kernel, norm):
        """A convolution with the batch norm behind it merged into its weights."""
        scale, bias = norm
        return self.conv(x, kernel * scale[:, None, None, None], bias)

    def linear(self, x, matrix, bias=None, **options):
        bias = [] if bias is None else [self.constant(bias)]
        return self.node("Gemm", x, self.constant(matrix), *bias, **options)

    def relu(self, x):
        return self.node("Relu", x)

    def norm_relu(self, x, norm):
        """A batch norm that no convolution can take in, because the trunk goes on without it."""
        scale, bias = (self.constant(part[:, None, None]) for part in norm)
        return self.relu(self.node("Add", self.node("Mul", x, scale), bias))

    def add_to_points(self, x, vector):
        """Adds one number for each channel to all points of it."""
        return self.node("Add", x, self.node("Unsqueeze", vector, self.constant([2, 3], np.int64)))

    def mean_and_max(self, x):
        """The mean of each channel, then the maximum of each."""
        pooled = [self.node(f"Global{kind}Pool", x) for kind in ("Average", "Max")]
        return self.node("Flatten", self.node("Concat", *pooled, axis=1))


def pooling_matrix(matrix, size):
    """The rows of `matrix` belong to mean, mean * k and maximum. As k is known here, the first two kinds become one."""
    mean, scaled, largest = np.split(matrix, 3)
    return np.concatenate([mean + scaled * (size - 14) * 0.1, largest])


def value_pooling_matrix(matrix, size):
    """The value head's pooling has the mean alone, times 1, k and a square of k."""
    mean, scaled, squared = np.split(matrix, 3)
    return mean + scaled * (size - 14) * 0.1 + squared * ((size - 14) ** 2 * 0.01 - 0.1)


def pooled_bias(g, x, y, layers, size):
    """Adds to y what `layers` make of the whole board x, with the norm behind the sum merged into y and the matrix; then a
    ReLU. Also returns what was pooled."""
    scale, _ = layers["mid"]
    pooled = g.mean_and_max(g.relu(g.conv_norm(x, layers["pool"], layers["pool_norm"])))
    bias = g.linear(pooled, pooling_matrix(layers["to_bias"], size) * scale)
    return g.relu(g.add_to_points(y, bias)), pooled


def build_model(net, size, batch):
    """The network for `batch` positions at a time on boards that fill the whole input, so that nothing is masked."""
    _, trunk, policy, value = net
    g = GraphBuilder()
    x = g.add_to_points(g.conv("planes", trunk["conv"]), g.linear("globals", trunk["globals"]))
    for kind, block in trunk["blocks"]:
        inner = g.norm_relu(x, block["pre"])
        y = g.conv_norm(inner, block["first"], block["mid"])
        if kind == "gpool_block":
            y, _ = pooled_bias(g, inner, y, block, size)
        else:
            y = g.relu(y)
        x = g.node("Add", g.conv(y, block["last"]), x)
    x = g.norm_relu(x, trunk["tip"])

    y, pooled = pooled_bias(g, x, g.conv_norm(x, policy["first"], policy["mid"]), policy, size)
    board = g.node("Flatten", g.conv(y, policy["last"]))
    pass_move = g.linear(pooled, pooling_matrix(policy["pass_move"], size))
    g.node("Concat", board, pass_move, axis=1, to="policy")

    y = g.relu(g.conv_norm(x, value["first"], value["norm"]))
    g.conv(y, value["ownership"], to="ownership")
    mean = g.node("Flatten", g.node("GlobalAveragePool", y))
    hidden = g.relu(g.linear(mean, value_pooling_matrix(value["hidden"], size), value["hidden_bias"]))
    g.linear(hidden, value["winner"], value["winner_bias"], to="winner")
    g.linear(hidden, value["score"], value["score_bias"], to="score")

    def tensor(name, *shape):
        return helper.make_tensor_value_info(name, TensorProto.FLOAT, [batch, *shape])

    inputs = [tensor("planes", N_PLANES, size, size), tensor("globals", N_GLOBALS)]
    outputs = [
        tensor("policy", size * size + 1),
        tensor("winner", 3),
        tensor("score", 4),
        tensor("ownership", 1, size, size),
    ]
    graph = helper.make_graph(g.nodes, "katago", inputs, outputs, g.constants)
    # Old numbers, which every onnxruntime of the last years reads.
    model = helper.make_model(graph, ir_version=8, opset_imports=[helper.make_opsetid("", 17)])
    onnx.checker.check_model(model, full_check=True)
    return model.SerializeToString()


def open_session(model):
    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_ENABLE_ALL
    return ort.InferenceSession(model, options, providers=["CPUExecutionProvider"])


# ---- The check ------------------------------------------------------------------------------------------------------------


def run_tengen(tengen, *words, commands=None):
    """What the program prints."""
    try:
        done = subprocess.run([tengen, *words], input=commands, capture_output=True, text=True, check=False)
    except OSError as error:
        fail(f"{tengen}: {error.strerror}")
    if done.returncode != 0:
        lines = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
        fail(f"{tengen} {words[0]}: {lines[0]}")
    return done.stdout


def asked_of_tengen(tengen, path, size):
    """What tengen's network says of the empty board, from Black's side."""
    commands = ["kata-set-rules chinese", f"boardsize {size}", f"komi {KOMI}", "kata-raw-nn 0", "quit"]
    out = run_tengen(tengen, "gtp", "--net", str(path), commands="\n".join(commands) + "\n")
    refused = [line for line in out.splitlines() if line.startswith("?")]
    if refused or "policyPass" not in out:
        fail(f"{tengen} gtp: {refused[0] if refused else 'no answer to kata-raw-nn'}")
    words = out.split()

    def after(name, n):
        start = words.index(name) + 1
        return np.array(words[start : start + n], np.float64)

    return {
        "policy": np.append(after("policy", size * size), after("policyPass", 1)),
        "win": after("whiteLoss", 1),
        "lead": -after("whiteLead", 1),
        "ownership": -after("whiteOwnership", size * size),
    }


def softmax(logits):
    powers = np.exp(logits - logits.max())
    return powers / powers.sum()


def asked_of_onnx(net, size):
    """The same from the ONNX graph: Black is to play on an empty board under Chinese rules."""
    planes = np.zeros((1, N_PLANES, size, size), np.float32)
    planes[:, 0] = 1  # on the board
    inputs = np.zeros((1, N_GLOBALS), np.float32)
    inputs[:, 5] = -KOMI / 20
    # The wave of komi, which depends on whether the number of points is odd.
    inputs[:, 18] = -0.5 if size % 2 else 0.5
    session = open_session(build_model(net, size, 1))
    policy, winner, score, ownership = session.run(None, {"planes": planes, "globals": inputs})
    win, _, no_result = softmax(winner[0].astype(np.float64))
    return {
        "policy": softmax(policy[0].astype(np.float64)),
        "win": np.array([win]),
        "lead": np.array([score[0, 2] * LEAD_UNIT * (1 - no_result)]),
        "ownership": np.tanh(ownership.ravel()),
    }


def check(net, tengen, path, size):
    """Ends the script if graph and program differ; returns the largest differences."""
    ours, theirs = asked_of_tengen(tengen, path, size), asked_of_onnx(net, size)
    differences = {what: float(np.abs(ours[what] - theirs[what]).max()) for what in TOLERANCES}
    for what, difference in differences.items():
        if not difference <= TOLERANCES[what]:
            fail(f"the ONNX graph is not the network: {what} differs by {difference:.6f} on the empty board")
    return differences


# ---- The timing -----------------------------------------------------------------------------------------------------------


def onnx_rate(session, inputs, batch, seconds):
    """Evaluations per second of this process's processor time."""
    start, n_calls, spent = time.process_time(), 0, 0.0
    while spent < seconds:
        session.run(None, inputs)
        n_calls += 1
        spent = time.process_time() - start
    return n_calls * batch / spent


def measure(net, args):
    """Everything takes its turn in each window. Returns onnxruntime's rates by batch, and tengen's JSON lines."""
    random = np.random.default_rng(1)
    sessions = {}
    for batch in args.batches:
        planes = random.integers(0, 2, (batch, N_PLANES, args.size, args.size)).astype(np.float32)
        numbers = random.integers(0, 2, (batch, N_GLOBALS)).astype(np.float32)
        session = open_session(build_model(net, args.size, batch))
        sessions[batch] = session, {"planes": planes, "globals": numbers}
        session.run(None, sessions[batch][1])  # what is touched for the first time is not timed
    rates, ours = {batch: [] for batch in args.batches}, []
    words = ["net", "bench", str(args.net), "--size", str(args.size), "--json", "--seconds", str(args.seconds)]
    for window in range(args.windows):
        for batch, (session, inputs) in sessions.items():
            rates[batch].append(onnx_rate(session, inputs, batch, args.seconds))
        ours.append(json.loads(run_tengen(args.tengen, *words)))
        shown = ", ".join(f"{rates[batch][-1]:.1f} (batch {batch})" for batch in args.batches)
        print(f"window {window + 1}: onnxruntime {shown}; tengen {ours[-1]['evals_per_cpu_second']:.1f}", flush=True)
    return rates, ours


def report(net, args, differences, rates, ours):
    medians = {batch: statistics.median(found) for batch, found in rates.items()}
    best = max(medians, key=medians.get)

    def ours_median(key):
        return statistics.median(line[key] for line in ours)

    rate = ours_median("evals_per_cpu_second")
    kind = f"{ours[0]['engine']}, {ours[0]['instructions']}, batch {ours[0]['batch']}"
    print(f"medians of {args.windows} windows, evaluations per second of processor time, {args.size}x{args.size}:")
    for batch, median in medians.items():
        print(f"  onnxruntime {ort.__version__} (f32, batch {batch}): {median:.1f}; tengen is {rate / median:.2f} times as fast")
    print(f"  tengen ({kind}): {rate:.1f}, {ours_median('share_of_peak'):.2f} of the f32 peak")
    summary = {
        "net": net[0],
        "size": args.size,
        "windows": args.windows,
        "seconds": args.seconds,
        "onnxruntime": ort.__version__,
        "onnx_evals_per_cpu_second": {str(batch): round(median, 2) for batch, median in medians.items()},
        "onnx_best_batch": best,
        "tengen_evals_per_cpu_second": round(rate, 2),
        "tengen_engine": ours[0]["engine"],
        "tengen_instructions": ours[0]["instructions"],
        "tengen_batch": ours[0]["batch"],
        "ratio_to_onnx_batch_1": round(rate / medians[1], 3),
        "ratio_to_onnx_best_batch": round(rate / medians[best], 3),
        "peak_gmacs": round(ours_median("peak_gmacs"), 2),
        "share_of_peak": round(ours_median("share_of_peak"), 4),
        "differences": {what: round(difference, 6) for what, difference in differences.items()},
    }
    print(json.dumps(summary))


def in_range(kind, least, most):
    """Reads the number of an option."""

    def parse(text):
        try:
            number = kind(text)
        except ValueError:
            number = math.nan
        if not least <= number <= most:
            raise argparse.ArgumentTypeError(f"{text!r}, expected a number from {least} to {most}")
        return number

    return parse


def batch_list(text):
    """Batch 1 is always among them, as ratios are to it."""
    return sorted({1} | {in_range(int, 1, 256)(part) for part in text.split(",")})


class Parser(argparse.ArgumentParser):
    """Tells errors in one line."""

    def error(self, message):
        fail(message)


def main():
    parser = Parser(description=__doc__.splitlines()[0])
    parser.add_argument("net", type=Path, metavar="NET.bin.gz", help="a KataGo network file of version 8")
    parser.add_argument("--tengen", required=True, metavar="PATH", help="the program")
    parser.add_argument("--size", type=in_range(int, 5, 19), default=9, help="side of the board (default 9)")
    parser.add_argument("--batches", type=batch_list, default="1,8,16", help="onnxruntime's batches (default 1,8,16)")
    parser.add_argument("--windows", type=in_range(int, 1, 1000), default=7, help="rounds (default 7)")
    parser.add_argument("--seconds", type=in_range(float, 0.01, 600), default=1.0, help="length of each turn (default 1)")
    args = parser.parse_args()
    net = read_net(args.net)
    differences = check(net, args.tengen, args.net, args.size)
    shown = ", ".join(f"{what} {difference:.6f}" for what, difference in differences.items())
    print(f"{net[0]}: largest differences on the empty {args.size}x{args.size} board: {shown}", flush=True)
    rates, ours = measure(net, args)
    report(net, args, differences, rates, ours)


if __name__ == "__main__":
    main()
