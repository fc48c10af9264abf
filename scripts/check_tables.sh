#!/usr/bin/env bash
# Checks the endgame tables in full: scripts/check_tables.sh FOLDER [IN_HAND]
#
# Makes them in FOLDER up to IN_HAND sheep in hand (3 if not given), killing the build every few
# seconds until it is through; makes them again undisturbed and on one thread, and compares the
# bytes; checks every entry against those after it; and compares counts, distances, longest wins and
# samples with the data in data/truth. With 3 it takes some minutes and twice 400 MB of disk.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$(realpath -m "${1:?name a folder for the tables}")
in_hand=${2:-3}
cargo build --release
program=$(realpath "${CARGO_TARGET_DIR:-target}/release/bagheera")
again=$(mktemp -d)
trap 'rm -rf "$again"' EXIT

kills=0
while true; do
    status=0
    timeout --signal=KILL "$((RANDOM % 5 + 1 + 3 * kills))" \
        "$program" endgame build --quiet --in-hand "$in_hand" --tables "$folder" || status=$?
    [ "$status" -eq 137 ] || break
    kills=$((kills + 1))
done
[ "$status" -eq 0 ]
"$program" endgame build --quiet --in-hand "$in_hand" --tables "$again" --threads 1
for table in "$again"/*; do
    cmp "$table" "$folder/$(basename "$table")"
done
echo "killed $kills times, and the same bytes as undisturbed"
"$program" endgame verify --quiet --tables "$folder"
BAGHEERA_TABLES=$folder cargo test --release --test endgame values
