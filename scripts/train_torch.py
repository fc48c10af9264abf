#!/usr/bin/env python3
"""Trains Bagheera's network in PyTorch on arrays that `bagheera inspect --npy` wrote.

The job is that of `bagheera train`: sparse binary features, squared clipped ReLU, cross-entropy of
the mixed target, AdamW without decay of biases, clipped weights, warm-up and cosine. The first layer
is a product with a dense matrix of zeros and ones (dense) or a sum of rows (bag: EmbeddingBag).

Prints one JSON object: positions a second of the steps alone (before them the arrays are read and
shuffled), and the loss on held-out arrays.
"""

import argparse
import json
import math
import time
from pathlib import Path

import numpy as np
import torch
from torch import nn


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("arrays", type=Path, help="folder of bagheera inspect --npy")
    parser.add_argument("--held-out", type=Path, help="another one, to judge on (originals only)")
    parser.add_argument("--first", choices=["dense", "bag"], default="bag")
    parser.add_argument("--compile", action="store_true", help="use torch.compile")
    parser.add_argument("--hidden", type=int, nargs="+", default=[64, 16])
    parser.add_argument("--batch", type=int, default=4096)
    parser.add_argument("--steps", type=int, default=0, help="0: one pass through the samples")
    parser.add_argument("--seconds", type=float, default=0, help="stop the steps after this time")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--result-weight", type=float, default=0.5)
    parser.add_argument("--learning-rate", type=float, default=1e-3)
    parser.add_argument("--learning-rate-end", type=float, default=1e-5)
    parser.add_argument("--warmup", type=float, default=0.02)
    parser.add_argument("--weight-decay", type=float, default=0.01)
    parser.add_argument("--weight-clip", type=float, default=1.98)
    return parser.parse_args()


class Samples:
    """The arrays of a folder as tensors."""

    def __init__(self, folder, given, originals=False):
        load = lambda name: np.load(folder / f"{name}.npy")
        self.size = json.loads((folder / "samples.json").read_text())["features"]["size"]
        features, score, outcome = load("features"), load("score"), load("outcome")
        if originals:
            kept = load("original")
            features, score, outcome = features[kept], score[kept], outcome[kept]
        searched = 1 / (1 + np.exp(-score.astype(np.float64)))
        mixed = given.result_weight * outcome + (1 - given.result_weight) * searched
        target = np.where(np.isnan(outcome), searched, mixed).astype(np.float32)
        # Padding is one more feature, whose weights are never used.
        features[features < 0] = self.size
        if given.first == "dense":
            ones = np.zeros((len(features), self.size + 1), dtype=np.uint8)
            np.put_along_axis(ones, features, 1, axis=1)
            features = ones[:, : self.size].copy()
        self.features = torch.from_numpy(features)
        self.target = torch.from_numpy(target)

    def shuffle(self):
        order = torch.randperm(len(self.target))
        self.features, self.target = self.features[order], self.target[order]


class Net(nn.Module):
    def __init__(self, size, hidden, first):
        super().__init__()
        self.size, self.first = size, first
        self.bias = nn.Parameter(torch.zeros(hidden[0]))
        bound = math.sqrt(6 / size)
        if first == "bag":
            self.input = nn.EmbeddingBag(size + 1, hidden[0], mode="sum", padding_idx=size)
        else:
            self.input = nn.Linear(size, hidden[0], bias=False)
        nn.init.uniform_(self.input.weight, -bound, bound)
        widths = [*hidden, 1]
        self.layers = nn.ModuleList(nn.Linear(*pair) for pair in zip(widths, widths[1:]))
        for layer in self.layers:
            bound = math.sqrt((6 if layer.out_features > 1 else 1) / layer.in_features)
            nn.init.uniform_(layer.weight, -bound, bound)
            nn.init.zeros_(layer.bias)

    def forward(self, features):
        if self.first == "dense":
            features = features.float()
        values = self.input(features) + self.bias
        for layer in self.layers:
            values = layer(values.clamp(0, 1).square())
        return values.squeeze(1)


def learning_rate(given, step, steps):
    rise = math.ceil(given.warmup * steps)
    if step < rise:
        return given.learning_rate * (step + 1) / rise
    share = min(1, (step - rise) / max(1, steps - rise - 1))
    span = given.learning_rate - given.learning_rate_end
    return given.learning_rate_end + span * (1 + math.cos(math.pi * share)) / 2


def main():
    given = arguments()
    torch.set_num_threads(given.threads)
    torch.manual_seed(given.seed)
    samples = Samples(given.arrays, given)
    count = len(samples.target)
    steps = given.steps or max(1, round(count / given.batch))
    net = Net(samples.size, given.hidden, given.first)
    weights = [p for p in net.parameters() if p.dim() == 2]
    biases = [p for p in net.parameters() if p.dim() == 1]
    # The implementation that is fastest on the processor.
    optimizer = torch.optim.AdamW(
        [{"params": weights, "weight_decay": given.weight_decay}, {"params": biases, "weight_decay": 0.0}],
        lr=given.learning_rate,
        eps=1e-8,
        fused=True,
    )
    loss_of = nn.BCEWithLogitsLoss()

    def step(start):
        rows = slice(start, start + given.batch)
        loss = loss_of(net(samples.features[rows]), samples.target[rows])
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        return loss.detach()

    def clip():
        with torch.no_grad():
            for parameter in net.parameters():
                parameter.clamp_(-given.weight_clip, given.weight_clip)

    if given.compile:
        net.compile()
    samples.shuffle()
    # The first step allocates and, if asked for, compiles; its weights are forgotten.
    state = {name: value.clone() for name, value in net.state_dict().items()}
    for group in optimizer.param_groups:
        group["lr"] = 1e-12
    for _ in range(3):
        step(0)
    net.load_state_dict(state)
    optimizer.state.clear()

    begun, processor = time.perf_counter(), time.process_time()
    at = taken = 0
    for taken in range(1, steps + 1):
        if at + given.batch > count:
            samples.shuffle()
            at = 0
        for group in optimizer.param_groups:
            group["lr"] = learning_rate(given, taken - 1, steps)
        loss = step(at)
        clip()
        at += given.batch
        if given.seconds and time.perf_counter() - begun > given.seconds:
            break
    wall, processor = time.perf_counter() - begun, time.process_time() - processor
    positions = taken * given.batch
    result = {
        "torch": torch.__version__,
        "first": given.first + (", compiled" if given.compile else ""),
        "batch": given.batch,
        "threads": given.threads,
        "steps": taken,
        "positions": positions,
        "seconds": round(wall, 3),
        "positions_per_second": round(positions / wall),
        "cpu_seconds": round(processor, 3),
        "positions_per_cpu_second": round(positions / processor),
        "last_loss": loss.item(),
    }
    if given.held_out:
        judged = Samples(given.held_out, given, originals=True)
        net.eval()
        with torch.no_grad():
            total = sum(
                nn.functional.binary_cross_entropy_with_logits(net(features), target, reduction="sum").double()
                for features, target in zip(judged.features.split(65536), judged.target.split(65536))
            )
        result["held_out_positions"] = len(judged.target)
        result["held_out_loss"] = total.item() / len(judged.target)
    print(json.dumps(result))


if __name__ == "__main__":
    main()
