#!/usr/bin/env python3
"""Compares `tengen train net` with PyTorch on the processor: samples per second of processor time, and the loss that both reach.

    python3 experiments/torch_speed.py --tengen target/release/tengen --rows 9.rows --held-out 9-held.rows --net b6c64 --steps 2000

Needs the packages torch and numpy. Both train the same network (layers, first weights drawn from the same distributions), with the same loss,
optimiser, schedule, batch and turned boards, on all rows of the same file in an order of its own, each with one thread and at the same time, so that whatever
else the machine does slows both. PyTorch has all rows unpacked in memory before its time begins; Tengen's time has everything in it.
The losses are those of the averaged weights on the first rows held out.
"""

import argparse
import csv
import math
import os
import struct
import subprocess
import sys
import tempfile
import threading
import time
import zlib

import numpy
import torch
import torch.nn.functional as F

N_PLANES, N_GLOBALS = 22, 19
SCORE_FACTOR, SCORE_KNEE = 20.0, 0.5


def read_rows(path, limit=math.inf):
    """The rows of a file as arrays, the first ones; all must be of one board."""
    with open(path, "rb") as file:
        data = file.read()
    at = 0
    while True:  # The header: lines of text, the last one `check`.
        end = data.index(b"\n", at)
        line, at = data[at:end], end + 1
        if line.startswith(b"check "):
            break
    rows = []
    while at + 32 <= len(data) and data[at : at + 4] == b"TROW" and len(rows) < limit:
        _, packed_size, _ = struct.unpack_from("<III", data, at + 4)
        raw = zlib.decompress(data[at + 32 : at + 32 + packed_size], -15)
        at += 32 + packed_size
        place = 0
        while place < len(raw) and len(rows) < limit:
            row, place = read_row(raw, place)
            rows.append(row)
    return {key: numpy.stack([row[key] for row in rows]) for key in rows[0]}


def read_row(raw, at):
    width, height, flags, n_policy = struct.unpack_from("<BBBH", raw, at)
    at += 5
    points = width * height
    weight, = struct.unpack_from("<f", raw, at)
    at += 4
    value = score = math.nan
    if flags & 1:
        value, = struct.unpack_from("<f", raw, at)
        at += 4
    if flags & 2:
        score, = struct.unpack_from("<f", raw, at)
        at += 4
    global_inputs = numpy.frombuffer(raw, "<f4", N_GLOBALS, at)
    at += 4 * N_GLOBALS

    def bits(n):
        nonlocal at
        size = (n + 7) // 8
        taken = numpy.frombuffer(raw, numpy.uint8, size, at)
        at += size
        return numpy.unpackbits(taken, bitorder="little")[:n]

    planes, legal = bits(N_PLANES * points), bits(points + 1)
    policy = numpy.zeros(points + 1, numpy.float32)
    for _ in range(n_policy):
        move, p = struct.unpack_from("<Hf", raw, at)
        at += 6
        policy[move] = p
    owners = numpy.full(points, math.nan, numpy.float32)
    if flags & 4:
        owners = numpy.frombuffer(raw, numpy.int8, points, at).astype(numpy.float32) / 127
        at += points
    row = {
        "planes": planes.reshape(N_PLANES, height, width),
        "globals": global_inputs,
        "legal": legal,
        "policy": policy,
        "value": numpy.float32(value),
        "score": numpy.float32(score),
        "owners": owners,
        "weight": numpy.float32(weight),
    }
    return row, at


def init(shape, n_added, gain):
    return torch.nn.Parameter(gain * math.sqrt(6.0 / n_added) * (2 * torch.rand(shape) - 1))


class Conv(torch.nn.Module):
    def __init__(self, side, n_in, n_out, gain):
        super().__init__()
        self.kernel = init((n_out, n_in, side, side), side * side * n_in, gain)

    def forward(self, x):
        return F.conv2d(x, self.kernel, padding=self.kernel.shape[-1] // 2)


class Product(torch.nn.Module):
    def __init__(self, n_in, n_out, gain):
        super().__init__()
        self.kernel = init((n_out, n_in), n_in, gain)

    def forward(self, x):
        return F.linear(x, self.kernel)


class Channels(torch.nn.Module):
    """Scale and shift of each channel, and a ReLU."""

    def __init__(self, n):
        super().__init__()
        self.scale, self.bias = torch.nn.Parameter(torch.ones(n, 1, 1)), torch.nn.Parameter(torch.zeros(n, 1, 1))

    def forward(self, x):
        return F.relu(x * self.scale + self.bias)


def pooled(x, last):
    side = math.sqrt(x.shape[-1] * x.shape[-2]) - 14
    mean = x.mean((2, 3))
    third = x.amax((2, 3)) if last == "maximum" else mean * (side * side * 0.01 - 0.1)
    return torch.cat([mean, mean * side * 0.1, third], 1)


class Ordinary(torch.nn.Module):
    def __init__(self, n):
        super().__init__()
        self.pre, self.first, self.mid, self.second = Channels(n), Conv(3, n, n, 1.0), Channels(n), Conv(3, n, n, 0.0)

    def forward(self, x):
        return x + self.second(self.mid(self.first(self.pre(x))))


class Pooling(torch.nn.Module):
    def __init__(self, n):
        super().__init__()
        n_pool = (n // 4 + 15) // 16 * 16
        n_regular = max(n - n_pool, 16)
        self.pre, self.mid, self.pool_act = Channels(n), Channels(n_regular), Channels(n_pool)
        self.regular, self.pool = Conv(3, n, n_regular, 1.0), Conv(3, n, n_pool, 1.0)
        self.to_bias, self.last = Product(3 * n_pool, n_regular, 0.5), Conv(3, n_regular, n, 0.0)

    def forward(self, x):
        y = self.pre(x)
        bias = self.to_bias(pooled(self.pool_act(self.pool(y)), "maximum"))
        return x + self.last(self.mid(self.regular(y) + bias[:, :, None, None]))


class Net(torch.nn.Module):
    def __init__(self, blocks, n):
        super().__init__()
        n_head, n_pool = (16 if n < 64 else 32), (16 if n < 96 else 32)
        n_hidden = 3 * n_head // 2
        self.conv, self.to_trunk = Conv(3, N_PLANES, n, 0.5), Product(N_GLOBALS, n, 0.25)
        self.blocks = torch.nn.Sequential(*[Pooling(n) if block % 3 == 2 else Ordinary(n) for block in range(blocks)])
        self.tip = Channels(n)
        self.p_regular, self.p_pool = Conv(1, n, n_head, 1.0), Conv(1, n, n_pool, 1.0)
        self.p_pool_act, self.p_act = Channels(n_pool), Channels(n_head)
        self.p_to_bias, self.p_out, self.p_pass = Product(3 * n_pool, n_head, 0.5), Conv(1, n_head, 1, 0.25), Product(3 * n_pool, 1, 0.25)
        self.v_regular, self.v_act = Conv(1, n, n_head, 1.0), Channels(n_head)
        self.v_hidden, self.v_hidden_bias = Product(3 * n_head, n_hidden, 1.0), torch.nn.Parameter(torch.zeros(n_hidden))
        self.v_winner, self.v_winner_bias = Product(n_hidden, 3, 0.25), torch.nn.Parameter(torch.tensor([0.0, 0.0, -4.0]))
        self.v_score, self.v_score_bias = Product(n_hidden, 4, 0.0), torch.nn.Parameter(torch.zeros(4))
        self.v_owner = Conv(1, n_head, 1, 0.25)

    def forward(self, planes, global_inputs):
        x = self.conv(planes) + self.to_trunk(global_inputs)[:, :, None, None]
        x = self.tip(self.blocks(x))
        pool = pooled(self.p_pool_act(self.p_pool(x)), "maximum")
        points = self.p_out(self.p_act(self.p_regular(x) + self.p_to_bias(pool)[:, :, None, None]))
        policy = torch.cat([points.flatten(1), self.p_pass(pool)], 1)
        head = self.v_act(self.v_regular(x))
        hidden = F.relu(self.v_hidden(pooled(head, "side")) + self.v_hidden_bias)
        winner, score = self.v_winner(hidden) + self.v_winner_bias, self.v_score(hidden) + self.v_score_bias
        return policy, winner, score, self.v_owner(head).flatten(1)


def losses(outputs, batch):
    """The losses of a batch, each the mean over the rows that have the target, and the loss that is followed."""
    policy, winner, score, owners = outputs
    n = policy.shape[0]
    legal = batch["legal"].bool() | (batch["policy"] > 0)
    log_p = F.log_softmax(policy.masked_fill(~legal, -math.inf), 1)
    policy_rows = batch["policy"].sum(1) > 0
    per_policy = -(batch["policy"] * log_p.masked_fill(~legal, 0)).sum(1)
    has_value, has_score, has_owners = ~batch["value"].isnan(), ~batch["score"].isnan(), ~batch["owners"].isnan().any(1)
    value = batch["value"].nan_to_num()
    log_winner = F.log_softmax(winner, 1)
    per_value = -(value * log_winner[:, 0] + (1 - value) * log_winner[:, 1]) * has_value
    error = score[:, [0, 2]] - batch["score"].nan_to_num()[:, None] / SCORE_FACTOR
    near = error.clamp(-SCORE_KNEE, SCORE_KNEE)
    per_score = (near * (error - 0.5 * near)).mean(1) * has_score
    wanted = 0.5 + 0.5 * batch["owners"].nan_to_num()
    per_owner = (wanted * F.softplus(-2 * owners) + (1 - wanted) * F.softplus(2 * owners)).mean(1) * has_owners
    total = (per_policy + per_value + 0.25 * per_score + 0.5 * per_owner).sum() / n
    mean = lambda sums, there: float(sums.detach().sum() / there.sum().clamp(min=1))
    return total, {"policy": mean(per_policy, policy_rows), "value": mean(per_value, has_value), "ownership": mean(per_owner, has_owners)}


def turnings(side):
    """The places of points under the eight symmetries of a square."""
    board = numpy.arange(side * side).reshape(side, side)
    turned = [numpy.rot90(part, turns) for part in (board, board.T) for turns in range(4)]
    return torch.from_numpy(numpy.stack([part.reshape(-1) for part in turned]).copy())


def take(rows, idx, turned):
    batch = {key: rows[key][idx] for key in rows}
    n, side = len(idx), batch["planes"].shape[-1]
    places = turned[torch.randint(0, len(turned), (n,))]
    planes = batch["planes"].float().flatten(2).gather(2, places[:, None, :].expand(-1, N_PLANES, -1))
    batch["planes"] = planes.view(n, N_PLANES, side, side)
    batch["owners"] = batch["owners"].gather(1, places)
    with_pass = torch.cat([places, torch.full((n, 1), side * side)], 1)
    for key in ("policy", "legal"):
        batch[key] = batch[key].gather(1, with_pass)
    return batch


def train_torch(options, rows, held):
    torch.manual_seed(options.seed)
    blocks, channels = (int(part) for part in options.net[1:].split("c"))
    net = Net(blocks, channels)
    if options.channels_last:
        net = net.to(memory_format=torch.channels_last)
    kernels = [p for name, p in net.named_parameters() if name.endswith("kernel")]
    others = [p for name, p in net.named_parameters() if not name.endswith("kernel")]
    groups = [{"params": kernels, "weight_decay": 1e-4}, {"params": others, "weight_decay": 0.0}]
    optimiser = torch.optim.AdamW(groups, lr=options.rate, betas=(0.9, 0.999), eps=1e-8, fused=True)
    averages = [p.detach().clone() for p in net.parameters()]
    turned, n_rows = turnings(rows["planes"].shape[-1]), len(rows["value"])
    order = torch.randperm(n_rows)
    start = time.thread_time()
    for step in range(options.steps):
        warm = min(1.0, (step + 1) / 500)
        past = max(0.0, (step - 500) / max(1, options.steps - 500))
        rate = options.rate * (warm if step < 500 else 0.01 + 0.99 * (0.5 + 0.5 * math.cos(math.pi * past)))
        for group in optimiser.param_groups:
            group["lr"] = rate
        first = step * options.batch % (n_rows - options.batch)
        batch = take(rows, order[first : first + options.batch], turned)
        if options.channels_last:
            batch["planes"] = batch["planes"].contiguous(memory_format=torch.channels_last)
        total, _ = losses(net(batch["planes"], batch["globals"]), batch)
        optimiser.zero_grad()
        total.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimiser.step()
        with torch.no_grad():
            # The average forgets the first steps sooner.
            torch._foreach_lerp_(averages, list(net.parameters()), 1 - min(0.999, (1 + step) / (10 + step)))
    seconds = time.thread_time() - start
    with torch.no_grad():
        for p, average in zip(net.parameters(), averages):
            p.copy_(average)
        _, found = losses(net(held["planes"].float(), held["globals"]), held)
    return seconds, found


def train_tengen(options, folder):
    command = [options.tengen, "train", "net", "--rows", options.rows, "--held-out", options.held_out, "--net", options.net,
               "--steps", options.steps, "--batch", options.batch, "--learning-rate", options.rate, "--threads", 1,
               "--curve-every", options.steps, "--checkpoint-points", 1, "--seed", options.seed, "--out", folder]
    process = subprocess.Popen([str(part) for part in command], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"tengen failed with status {status}")
    with open(os.path.join(folder, "curve.csv"), encoding="utf-8") as file:
        last = list(csv.DictReader(file))[-1]
    found = {key: float(last[f"held_out_{key}"]) for key in ("policy", "value", "ownership")}
    return usage.ru_utime + usage.ru_stime, found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tengen", required=True)
    parser.add_argument("--rows", required=True, help="a file of `tengen train rows`, all of one board")
    parser.add_argument("--held-out", required=True)
    parser.add_argument("--net", default="b6c64")
    parser.add_argument("--steps", type=int, default=2000)
    parser.add_argument("--batch", type=int, default=128)
    parser.add_argument("--rate", type=float, default=0.001)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--channels-last", action="store_true", help="PyTorch's other order of numbers in memory")
    options = parser.parse_args()
    torch.set_num_threads(1)
    tensors = lambda rows: {key: torch.from_numpy(value) for key, value in rows.items()}
    rows = tensors(read_rows(options.rows))
    held = tensors(read_rows(options.held_out, 5000))
    with tempfile.TemporaryDirectory() as folder:
        ours = {}
        beside = threading.Thread(target=lambda: ours.update(zip(("seconds", "losses"), train_tengen(options, os.path.join(folder, "run")))))
        beside.start()
        seconds, found = train_torch(options, rows, held)
        beside.join()
    n = options.steps * options.batch
    rates = {"tengen": n / ours["seconds"], "torch": n / seconds}
    print(f"{options.net}, {options.steps} steps of {options.batch} rows, torch {torch.__version__}{', channels last' if options.channels_last else ''}")
    print(f"samples per second of processor time: tengen {rates['tengen']:.0f}, torch {rates['torch']:.0f}: {rates['tengen'] / rates['torch']:.2f} times")
    for key in found:
        difference = ours["losses"][key] / found[key] - 1
        print(f"held-out {key}: tengen {ours['losses'][key]:.4f}, torch {found[key]:.4f}: {100 * difference:+.2f} %")


if __name__ == "__main__":
    main()
