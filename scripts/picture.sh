#!/usr/bin/env bash
# Records a run of the quick configuration in a terminal and draws its end as docs/run.svg.
# Needs tmux, and Python with the package rich.
set -euo pipefail
cd "$(dirname "$0")/.."
cargo build --release
program="${CARGO_TARGET_DIR:-target}/release/bagheera"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

tmux new-session -d -s bagheera-picture -x 132 -y 30 \
    "$program run --config configs/bagh-chal-quick.toml --dir $folder/run; touch $folder/done; sleep 60"
# The picture is taken while the last generation trains, when there is most to see.
until grep -qs . "$folder/run/generations/003/metrics.jsonl" || [ -e "$folder/done" ]; do
    sleep 1
done
sleep 5
tmux capture-pane -e -p -t bagheera-picture >"$folder/screen.ansi"
tmux kill-session -t bagheera-picture

python3 - "$folder/screen.ansi" docs/run.svg <<'PYTHON'
import sys
from rich.console import Console
from rich.text import Text

screen = open(sys.argv[1], encoding="utf-8").read().rstrip()
console = Console(record=True, width=132, file=open("/dev/null", "w"))
console.print(Text.from_ansi(screen), soft_wrap=False)
console.save_svg(sys.argv[2], title="bagheera run --config configs/bagh-chal-quick.toml")
PYTHON
