#!/usr/bin/env bash
# Draws the pictures of the README: records a run of the quick configuration in a terminal and draws it
# as docs/run.svg while the last generation trains, photographs its report as docs/report-light.png
# and docs/report-dark.png, and prints what the run ends with.
# Usage: scripts/picture.sh [FOLDER]: keeps screens of self-play, training and gate as text with
# colours, and the run, in FOLDER. BAGHEERA names a program that is built already.
# Needs tmux, Chromium, and Python with the package rich.
set -euo pipefail
cd "$(dirname "$0")/.."
if [ -z "${BAGHEERA:-}" ]; then
    cargo build --release
    BAGHEERA=${CARGO_TARGET_DIR:-target}/release/bagheera
fi
program=$(realpath "$BAGHEERA")
folder=${1:-$(mktemp -d)}
mkdir -p "$folder"
folder=$(realpath "$folder")
trap 'tmux kill-session -t bagheera-picture 2>/dev/null || true' EXIT
cp -r configs "$folder"

tmux new-session -d -s bagheera-picture -x 132 -y 30 -c "$folder" \
    "$program run --config configs/bagh-chal-quick.toml >table; touch done; sleep 60"
run=$folder/data/runs/bagh-chal-quick
# Keeps the screen a moment after a file of the run has something in it.
screen() {
    until grep -qs . "$run/generations/$2" || [ -e "$folder/done" ]; do sleep 0.2; done
    sleep "$3"
    tmux capture-pane -e -p -t bagheera-picture >"$folder/$1.ansi"
}
screen self-play 002/shards/shard-00003.bin 1
screen gate 002/gate-hand-written.games 1
screen training 003/metrics.jsonl 5

python3 - "$folder/training.ansi" docs/run.svg <<'PYTHON'
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
for colours in light dark; do
    [ "$colours" = dark ] && scheme=0 || scheme=1
    chromium --headless --no-sandbox --disable-gpu --hide-scrollbars \
        --blink-settings=preferredColorScheme=$scheme --window-size=1200,1080 \
        --screenshot="$PWD/docs/report-$colours.png" "file://$run/report.html" 2>/dev/null
done
cat "$folder/table"
