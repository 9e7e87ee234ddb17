#!/usr/bin/env bash
# Usage: with-peers.sh COMMAND…: runs the command with INTENTPLANE_PEERS set to the Python of the
# peers. Without a usable Python the command runs without it, except in CI, where that is a failure.
set -euo pipefail
scripts=$(dirname "${BASH_SOURCE[0]}")
code=0
python=$("$scripts/python-peers.sh") || code=$?
if [ "$code" = 0 ]; then
  export INTENTPLANE_PEERS="$python"
elif [ "$code" = 3 ] && [ -z "${CI:-}" ]; then
  echo 'The tests with Python peers are skipped.' >&2
else
  exit "$code"
fi
exec "$@"
