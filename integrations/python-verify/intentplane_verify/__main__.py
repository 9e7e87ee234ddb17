"""`python -m intentplane_verify BUNDLE --trust FILE`: exit 0 valid, 1 invalid, 2 bad input."""

import argparse
import json
import sys
from pathlib import Path

try:
    from .verify import verify_bundle
except ModuleNotFoundError as missing:
    if not (missing.name or "").startswith("cryptography"):
        raise
    # Not `sys.exit(text)`: its code 1 would say that a receipt is invalid.
    print("the package `cryptography` is missing: pip install cryptography", file=sys.stderr)
    sys.exit(2)

_EXIT_CODES = {"valid": 0, "invalid": 1, "bad_input": 2}


class _BadUsage(Exception):
    pass


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="intentplane_verify", description=__doc__)
    parser.add_argument("bundle", metavar="BUNDLE", nargs="?", help="the receipt bundle")
    parser.add_argument("--trust", metavar="FILE", help="the trust file: whose log is believed")
    parser.add_argument("--previous", metavar="FILE", help="a checkpoint of the log that you kept")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument(
        "--vectors", metavar="FOLDER", help="answer every test vector of a folder, one JSON line each"
    )
    options = parser.parse_args(arguments)
    try:
        if options.vectors is not None:
            return _answer_vectors(Path(options.vectors))
        return _verify(options)
    except _BadUsage as bad:
        print(f"intentplane_verify: {bad}", file=sys.stderr)
        return 2


def _verify(options):
    if options.bundle is None:
        raise _BadUsage("no bundle: name one, BUNDLE --trust FILE")
    if options.trust is None:
        raise _BadUsage("--trust is missing: name the trust file that the log's owner gave you")
    previous = None if options.previous is None else _read(options.previous)
    report = verify_bundle(_read(options.bundle), _read(options.trust), previous)
    if options.json:
        steps = [vars(step) for step in report.steps]
        print(json.dumps({**report.summary(), **({"steps": steps} if steps else {})}))
    elif report.verdict == "bad_input":
        path = getattr(options, report.input)
        what = {"trust": "trust file", "previous": "checkpoint"}.get(report.input, "receipt bundle")
        advice = "ask its author for the file as it was exported"
        print(f"`{path}` is no {what}: {report.code}; {advice}", file=sys.stderr)
    else:
        for each in report.steps:
            print(f"{each.step}  {each.status:6}  {each.code}")
        print(report.verdict)
    return _EXIT_CODES[report.verdict]


def _read(path):
    try:
        return Path(path).read_bytes().decode("utf-8")
    except OSError as error:
        raise _BadUsage(f"`{path}` cannot be read ({error.strerror}): check the path") from None
    except UnicodeDecodeError:
        raise _BadUsage(f"`{path}` is not UTF-8 text: take the file as it was exported") from None


def _answer_vectors(folder):
    """One process for all of them: starting Python takes longer than a verification."""
    paths = sorted(folder.glob("*.json"))
    if not paths:
        raise _BadUsage(f"`{folder}` holds no vectors (*.json): check the path")
    for path in paths:
        try:
            vector = json.loads(_read(path))
            bundle, trust, previous = vector["bundle"], vector["trust"], vector.get("previous")
        except (ValueError, KeyError, TypeError):
            raise _BadUsage(f"`{path}` is no vector with `bundle` and `trust`: write it again") from None
        answer = verify_bundle(bundle, trust, previous).summary()
        print(json.dumps({"vector": path.stem, **answer}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
