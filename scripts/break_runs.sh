#!/usr/bin/env bash
# Breaks runs in every way that docs/reliability.md tells of: scripts/break_runs.sh [KILLS] [ROUNDS]
#
# Stops tiny runs at KILLS random moments (200 if not given) by SIGKILL, SIGINT and SIGTERM, makes
# ROUNDS system calls of each kind fail or kill (10 if not given; needs strace), injects the other
# faults, and compares what comes out with an undisturbed run, byte for byte. Prints a summary.
# BAGHEERA_KILL_SEED chooses other moments. About 5 minutes.
set -euo pipefail
cd "$(dirname "$0")/.."
export BAGHEERA_KILLS=${1:-200} BAGHEERA_ROUNDS=${2:-10}
log=$(mktemp)
trap 'rm -f "$log"' EXIT
tests() {
    cargo test --release --quiet "$@" >"$log" 2>&1 || { cat "$log"; exit 1; }
    grep -vE '^$|^running|^test result|^[.i]+( |$)' "$log" || true
    grep -E '^test result' "$log"
}
echo "== $BAGHEERA_KILLS stops at random moments"
tests --test loop broken -- --nocapture
echo "== signs of every stage, one stop each"
tests --test loop killed
echo "== disks that fill up or refuse, files lost or damaged"
tests --test loop injected -- --nocapture
tests --test loop faults
echo "== two at once, and what may not change"
tests --test loop extended
echo "== a worker that fails, damaged shards"
tests --lib selfplay
tests --lib shard
if command -v strace >/dev/null; then
    echo "== system calls that fail or kill"
    tests --test loop calls_that_fail -- --include-ignored --nocapture
else
    echo "== no strace, so no system calls were made to fail"
fi
if compgen -G '/usr/lib/*/faketime/libfaketimeMT.so.1' >/dev/null; then
    echo "== a clock that jumps"
    tests --test loop clock -- --include-ignored --nocapture
else
    echo "== no libfaketime, so no clock was made to jump"
fi
