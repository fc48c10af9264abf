#!/usr/bin/env bash
# Fuzzes everything that bagheera reads: seeds from a tiny run, then one target after the other.
# Usage: scripts/fuzz.sh [SECONDS_PER_TARGET] [TARGET...]
# Prints a table; the exit code is 1 if anything was found. BAGHEERA names a program that is built
# already. Needs a nightly toolchain and cargo-fuzz; docs/fuzzing.md says more.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-60}
shift || true
targets=("$@")
if [ ${#targets[@]} -eq 0 ]; then
    targets=(positions moves game_records match_games player_specs books weights configs shards
        manifests networks tables checkpoints runs)
fi
if ! cargo +nightly fuzz --version >/dev/null 2>&1; then
    echo "cargo-fuzz is needed: rustup toolchain install nightly; cargo install cargo-fuzz --locked" >&2
    exit 2
fi
if [ -z "${BAGHEERA:-}" ]; then
    cargo build --release
    BAGHEERA=${CARGO_TARGET_DIR:-target}/release/bagheera
fi
cargo +nightly fuzz build --features train
# Cargo puts what cargo-fuzz builds under the target's name.
triple=$(rustc +nightly -vV | sed -n 's/^host: //p')
programs=${CARGO_TARGET_DIR:-fuzz/target}/$triple/release

memory=/dev/shm
[ -d "$memory" ] || memory=${TMPDIR:-/tmp}
TMPDIR=$(mktemp -d -p "$memory")
export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT
# Readers that are fuzzed keep no state that is worth a quarantine of hundreds of megabytes.
export ASAN_OPTIONS=quarantine_size_mb=16:detect_leaks=0

corpus=fuzz/corpus
for target in "${targets[@]}"; do
    mkdir -p "$corpus/$target" "fuzz/artifacts/$target"
done
# Keeps what comes as a seed of a target; the name is that of the content.
seed() {
    mkdir -p "$corpus/$1"
    cat >"$TMPDIR/seed"
    mv "$TMPDIR/seed" "$corpus/$1/$(sha1sum <"$TMPDIR/seed" | cut -d ' ' -f 1)"
}
# Each line that comes as a seed of its own.
lines() {
    while IFS= read -r line; do printf '%s' "$line" | seed "$1"; done
}

run=$TMPDIR/run
sed -e 's/^games = .*/games = 24/' -e 's/^games_per_shard = .*/games_per_shard = 1/' \
    configs/bagh-chal-tiny.toml >"$TMPDIR/tiny.toml"
"$BAGHEERA" run --config "$TMPDIR/tiny.toml" --dir "$run" --threads 1 --quiet >/dev/null
book=data/openings/bagh-chal/tuning.txt
# sed reads on to the end, where head would leave grep a broken pipe.
grep -v '^#' "$book" | sed -n '1,40s/ *#.*//; 1,40p' | lines positions
grep -v '^#' "$book" | sed -n 1,20p | seed books
head -n 5 "$book" | seed books
printf 'SSSSS/STS1S/S1SST/S1TSS/S1SST t 0' | seed positions
for games in "$run"/generations/00[01]/*.games; do
    # Games stand an empty line apart.
    awk -v RS= -v out="$TMPDIR/game-" '{ print > (out NR); close(out NR) }' "$games"
    for game in "$TMPDIR"/game-*; do
        awk -F '"' '/^\[position/ { print $2 }' "$game" >"$TMPDIR/moves"
        grep -v '^\[' "$game" | grep -oE '\b[a-e][1-5]([-x][a-e][1-5])?\b' >>"$TMPDIR/moves"
        seed moves <"$TMPDIR/moves"
        seed game_records <"$game"
    done
    rm "$TMPDIR"/game-*
    head -n 40 "$games" | seed game_records
done
"$BAGHEERA" match random@seed=1 greedy@seed=2 --pairs 3 --book gate --seed 5 --threads 1 --quiet \
    --games "$TMPDIR/match.games" >/dev/null
seed match_games <"$TMPDIR/match.games"
head -n 30 "$TMPDIR/match.games" | seed match_games
lines player_specs <<'SPECS'
claude@depth=6
claude@time=1.5s,sharing=all,replace=always
claude@nodes=5000,hash=12,exact=on
neural@level=3,replace=always
neural:a@b/best.net@nodes=5000,depth=3,exact=some/tables,a@b
random@seed=18446744073709551615
greedy
SPECS
"$BAGHEERA" fit --shards "$run/generations/001/shards" --out "$TMPDIR/weights.json" >/dev/null 2>&1
seed weights <"$TMPDIR/weights.json"
for config in configs/*.toml "$run/config.toml"; do seed configs <"$config"; done
for generation in "$run"/generations/00[12]; do
    seed manifests <"$generation/shards/manifest.json"
    # The first byte of a binary seed says what the target repairs.
    for shard in "$generation"/shards/shard-0000[0-2].bin; do
        { printf '\2'; cat "$shard"; } | seed shards
    done
    { printf '\2'; cat "$generation/candidate.net"; } | seed networks
    {
        cat "$run/state.json"; printf '\0'
        cat "$generation/record.json"; printf '\0'
        cat "$generation/times.json"; printf '\0'
        head -n 4 "$generation/metrics.jsonl"; printf '\0'
        cat "$run/generations/000/points.json"
    } | seed runs
done
printf '\0' | cat - "$run/best.net" | seed networks
"$programs/seeds" "$corpus"

declare -A dictionaries=([positions]=positions [moves]=positions [books]=positions
    [game_records]=game_records [match_games]=game_records [player_specs]=player_specs
    [configs]=configs [weights]=json [manifests]=json [runs]=json [checkpoints]=json [networks]=json)
found=0
table=$(printf '%-13s %11s %8s %7s %7s  %s' target executions a-second corpus cov: findings)
for target in "${targets[@]}"; do
    log=fuzz/artifacts/$target.log
    options=(-max_total_time="$seconds" -timeout=10 -malloc_limit_mb=256 -rss_limit_mb=512
        -print_final_stats=1 -artifact_prefix="fuzz/artifacts/$target/")
    dictionary=${dictionaries[$target]:-}
    [ -z "$dictionary" ] || options+=(-dict="fuzz/dictionaries/$dictionary.dict")
    findings=-
    "$programs/$target" "${options[@]}" "$corpus/$target" >"$log" 2>&1 || {
        findings=$(sed -n 's/.*Test unit written to //p' "$log" | tail -n 1)
        findings=${findings:-"see $log"}
        found=1
    }
    final() { sed -n "s/^stat::$1: *//p" "$log"; }
    cov=$(sed -nE 's/^#[0-9]+.* cov: ([0-9]+).*/\1/p' "$log" | tail -n 1)
    size=$(find "$corpus/$target" -type f | wc -l)
    row=$(printf '%-13s %11s %8s %7s %7s  %s' "$target" "$(final number_of_executed_units)" \
        "$(final average_exec_per_sec)" "$size" "${cov:--}" "$findings")
    echo "$row" >&2
    table+=$'\n'$row
done
echo "$table"
exit "$found"
