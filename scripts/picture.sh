#!/usr/bin/env bash
# Records a run of the quick configuration in a terminal, draws it as docs/run.svg while the last
# generation trains, and prints what the run ends with.
# Needs tmux, and Python with the package rich.
set -euo pipefail
cd "$(dirname "$0")/.."
cargo build --release
program=$(realpath "${CARGO_TARGET_DIR:-target}/release/bagheera")
folder=$(mktemp -d)
trap 'rm -rf "$folder"; tmux kill-session -t bagheera-picture 2>/dev/null || true' EXIT
cp -r configs "$folder"

tmux new-session -d -s bagheera-picture -x 132 -y 30 -c "$folder" \
    "$program run --config configs/bagh-chal-quick.toml >table; touch done; sleep 60"
until grep -qs . "$folder/data/runs/bagh-chal-quick/generations/003/metrics.jsonl" ||
    [ -e "$folder/done" ]; do
    sleep 1
done
sleep 5
tmux capture-pane -e -p -t bagheera-picture >"$folder/screen.ansi"

python3 - "$folder/screen.ansi" docs/run.svg <<'PYTHON'
import sys
from rich.console import Console
from rich.text import Text

screen = open(sys.argv[1], encoding="utf-8").read().rstrip()
console = Console(record=True, width=132, file=open("/dev/null", "w"))
console.print(Text.from_ansi(screen), soft_wrap=False)
console.save_svg(sys.argv[2], title="bagheera run --config configs/bagh-chal-quick.toml")
PYTHON

until [ -e "$folder/done" ]; do
    sleep 1
done
cat "$folder/table"
