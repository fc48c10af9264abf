#!/usr/bin/env python3
"""Races `bagheera train` against scripts/train_torch.py on the same samples, in turns.

  bagheera selfplay --player claude@nodes=60 --games 4000 --seed 1 --out DATA
  bagheera selfplay --player claude@nodes=60 --games 250 --seed 2 --out HELD
  scripts/compare_torch.py --data DATA --held-out HELD --work WORK

Needs Python with numpy and torch. Each contestant trains the same network for one pass through the
same samples, with the same settings, on the same number of threads. First PyTorch and Bagheera look
for their best batch size, then they take turns. Bagheera's rate is that of its own metrics: from the
first step to the last, with the reading and shuffling of shards; PyTorch's is that of the steps alone.
"""

import argparse
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
from pathlib import Path

TORCH = Path(__file__).with_name("train_torch.py")

# What makes PyTorch quick: threads that sleep while others have the core, and memory that is kept
# from step to step. Bagheera's allocator keeps it by itself.
TORCH_ENVIRONMENT = {
    "OMP_WAIT_POLICY": "passive",
    "MALLOC_MMAP_THRESHOLD_": str(1 << 30),
    "MALLOC_TRIM_THRESHOLD_": str(1 << 32),
    "MALLOC_TOP_PAD_": str(1 << 28),
}


def arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--bagheera", default="target/release/bagheera")
    parser.add_argument("--data", type=Path, required=True, help="a folder of shards to train on")
    parser.add_argument("--held-out", type=Path, required=True, help="one of shards to judge on")
    parser.add_argument("--work", type=Path, required=True, help="a folder for what comes and goes")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--hidden", type=int, nargs="+", default=[64, 16])
    parser.add_argument("--features", default="points")
    parser.add_argument("--batches", type=int, nargs="+", default=[1024, 2048, 4096, 8192, 16384])
    parser.add_argument("--first", nargs="+", default=["dense", "bag"], help="PyTorch's ways")
    parser.add_argument("--compile", action="store_true", help="let PyTorch compile, too")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--passes", type=float, default=1.0, help="passes through the samples")
    return parser.parse_args()


def run(command, **environment):
    """What a command prints, and the CPU seconds that it takes."""
    used = lambda: sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])
    before = used()
    words, environment = [str(word) for word in command], {**environment, **os.environ}
    done = subprocess.run(words, env=environment, stdout=subprocess.PIPE, check=True)
    return done.stdout.decode(), used() - before


def export(given, shards, name):
    folder = given.work / f"{name}-{given.features}"
    files = sorted(shards.glob("shard-*.bin"))
    command = [given.bagheera, "inspect", *files, "--npy", folder, "--features", given.features]
    run([*command, "--json"])
    return folder


def bagheera(given, batch):
    config = given.work / "compare.toml"
    config.write_text(
        'game = "bagh-chal"\n[network]\n'
        f'features = "{given.features}"\nhidden = {given.hidden}\n[training]\n'
        f"replay = {given.passes}\nbatch = {batch}\nvalidation = 1e-6\n"
        "validate_every = 1000000000\ncheckpoint_every = 1000000000\n"
    )
    out = given.work / "out"
    shutil.rmtree(out, ignore_errors=True)
    command = [given.bagheera, "train", "--shards", given.data, "--out", out, "--config", config]
    _, cpu = run([*command, "--threads", given.threads, "--quiet", "--json"])
    lines = [json.loads(line) for line in (out / "metrics.jsonl").read_text().splitlines()]
    lines = [line for line in lines if line["kind"] == "training"]
    steps, seconds = 0, 0.0
    for line in lines:
        seconds += (line["step"] - steps) * batch / line["positions_per_second"]
        steps = line["step"]
    return {
        "batch": batch,
        "positions_per_second": steps * batch / seconds,
        "positions_per_cpu_second": steps * batch / cpu,
        "held_out_loss": held_out_loss(given, out / "candidate.net"),
    }


def held_out_loss(given, network):
    command = [given.bagheera, "evaluate", network, "--pairs", 1, "--nodes", 1, "--quiet", "--json"]
    command += ["--shards", given.held_out, "--positions", 10**9, "--result-weight", 0.5]
    return json.loads(run(command)[0])["validation"]["loss"]


def torch(given, arrays, held_out, first, batch, compiled):
    steps = max(1, int(given.passes * arrays[1] // batch))
    command = [sys.executable, TORCH, arrays[0], "--held-out", held_out, "--first", first]
    command += ["--batch", batch, "--steps", steps, "--threads", given.threads]
    command += ["--hidden", *given.hidden] + (["--compile"] if compiled else [])
    return json.loads(run(command, **TORCH_ENVIRONMENT)[0])


def show(name, result):
    print(
        f"{name:34} batch {result['batch']:6}: {result['positions_per_second']:10,.0f} positions/s, "
        f"{result['positions_per_cpu_second']:10,.0f} a CPU second, "
        f"held-out loss {result['held_out_loss']:.5f}",
        flush=True,
    )


def main():
    given = arguments()
    given.work.mkdir(parents=True, exist_ok=True)
    folder = export(given, given.data, "data")
    arrays = (folder, json.loads((folder / "samples.json").read_text())["samples"])
    held_out = export(given, given.held_out, "held-out")
    ways = [(first, False) for first in given.first]
    ways += [(first, True) for first in given.first if given.compile]
    trials = {}
    for batch in given.batches:
        trials["bagheera", batch] = bagheera(given, batch)
        show("bagheera", trials["bagheera", batch])
        for first, compiled in ways:
            trials[(first, compiled), batch] = torch(given, arrays, held_out, first, batch, compiled)
            show(f"PyTorch, {trials[(first, compiled), batch]['first']}", trials[(first, compiled), batch])
    rate = lambda key: trials[key]["positions_per_second"]
    ours = max((key for key in trials if key[0] == "bagheera"), key=rate)
    theirs = max((key for key in trials if key[0] != "bagheera"), key=rate)
    results = {"bagheera": [], "PyTorch": []}
    for _ in range(given.rounds):
        results["bagheera"].append(bagheera(given, ours[1]))
        show("bagheera", results["bagheera"][-1])
        (first, compiled), batch = theirs
        results["PyTorch"].append(torch(given, arrays, held_out, first, batch, compiled))
        show(f"PyTorch, {results['PyTorch'][-1]['first']}", results["PyTorch"][-1])
    for key, words in [
        ("positions_per_second", "positions a second"),
        ("positions_per_cpu_second", "positions a CPU second (of Bagheera the whole command's)"),
    ]:
        ours, theirs = (
            statistics.median(result[key] for result in results[name]) for name in results
        )
        print(f"median {words}: bagheera {ours:,.0f}, PyTorch {theirs:,.0f}, ratio {ours / theirs:.2f}")


if __name__ == "__main__":
    main()
