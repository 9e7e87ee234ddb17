#!/usr/bin/env bash
# Installs the Python peers of the tests into .venv-peers and prints the path of its Python.
# Does nothing when they are installed as pinned. Exit code 3: no usable Python on this machine.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
venv="$PWD/.venv-peers" pins=test/peers/requirements.txt
python="$venv/bin/python"

if [ -x "$python" ] && cmp -s "$pins" "$venv/installed.txt"; then
  echo "$python"
  exit 0
fi
if ! python3 -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))' 2>/dev/null; then
  echo 'Python 3.10 or newer with venv is missing: apt-get install python3-venv' >&2
  exit 3
fi
rm -rf "$venv"
python3 -m venv "$venv" >&2
"$python" -m pip install --quiet --disable-pip-version-check --no-input -r "$pins" >&2
cp "$pins" "$venv/installed.txt"
echo "$python"
