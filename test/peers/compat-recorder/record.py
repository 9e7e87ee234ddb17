"""Records how the published Python proxy answers the cases in test/compat/cases.

    python test/peers/compat-recorder/record.py --python VENV/bin/python [--check] [CASE ...]

VENV holds intentplane==0.5.3 and intentplane-mcp==0.5.3; the downstream servers run on the project's own node. Each case is copied to a
temporary folder and driven over stdio with raw JSON-RPC. The outcomes are written into its calls.json; with
--check nothing is written, and the exit code says whether the recorded facts still hold. Run
`npx biome check --write test/compat` after a recording: it owns the layout of the JSON files.
"""
from __future__ import annotations

import argparse
import json
import os
import queue
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

COMPAT = Path(__file__).resolve().parents[2] / "compat"
NODE_FOLDER = COMPAT.parents[1] / "node_modules" / ".bin"
ANSWER_WAIT_S = 4
FORM_ANSWERS = {
    "approve": {"action": "accept", "content": {"confirm": True}},
    "reject": {"action": "accept", "content": {"confirm": False}},
    "text-false": {"action": "accept", "content": {"confirm": "false"}},
    "decline": {"action": "decline"},
    "cancel": {"action": "cancel"},
}


class Proxy:
    """One Python proxy as a child process, driven line by line."""

    def __init__(self, python: str, config: Path, elicitation: bool) -> None:
        command = [python, "-m", "intentplane.proxy.server", "--config", str(config)]
        environment = {**os.environ, "PATH": f"{NODE_FOLDER}{os.pathsep}{os.environ['PATH']}"}
        self.child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                      stderr=subprocess.PIPE, env=environment)
        self.messages: queue.Queue = queue.Queue()
        self.stderr: list[str] = []
        self.next_id = 0
        self.forms: list[str] = []
        self.notifications: list[dict] = []
        threading.Thread(target=self._read, daemon=True).start()
        threading.Thread(target=self._read_stderr, daemon=True).start()
        self.capabilities = {"elicitation": {}} if elicitation else {}

    def _read(self) -> None:
        for line in self.child.stdout:
            self.messages.put(json.loads(line))
        self.messages.put(None)

    def _read_stderr(self) -> None:
        for line in self.child.stderr:
            self.stderr.append(line.decode(errors="replace").rstrip())

    def send(self, text: str) -> None:
        self.child.stdin.write(text.encode("utf-8", "surrogatepass") + b"\n")
        self.child.stdin.flush()

    def initialize(self) -> list[str] | None:
        """The names of the listed tools, or None when the proxy did not start."""
        params = {"protocolVersion": "2025-06-18", "capabilities": self.capabilities,
                  "clientInfo": {"name": "compat-recorder", "version": "1.0.0"}}
        try:
            if self.request("initialize", json.dumps(params), None, 30) is None:
                return None
            self.send(json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}))
            listed = self.request("tools/list", "{}", None, 30)
        except BrokenPipeError:
            return None
        return [tool["name"] for tool in listed["result"]["tools"]]

    def post(self, method: str, params: str) -> int:
        self.next_id += 1
        self.send(f'{{"jsonrpc": "2.0", "id": {self.next_id}, "method": "{method}", "params": {params}}}')
        return self.next_id

    def request(self, method: str, params: str, form_answer: str | None, wait_s: float) -> dict | None:
        return self.wait_for(self.post(method, params), form_answer, wait_s)

    def wait_for(self, request_id: int, form_answer: str | None, wait_s: float) -> dict | None:
        """The answer to `request_id`; forms that come before it get `form_answer`."""
        deadline = time.monotonic() + wait_s
        while True:
            try:
                message = self.messages.get(timeout=max(0.01, deadline - time.monotonic()))
            except queue.Empty:
                return None
            if message is None:
                return None
            if message.get("method") == "elicitation/create":
                self.forms.append(message["params"]["message"])
                answer = FORM_ANSWERS[form_answer or "cancel"]
                self.send(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": answer}))
            elif message.get("id") == request_id and "method" not in message:
                return message
            elif "method" in message:
                self.notifications.append(message)

    def close(self) -> None:
        self.child.stdin.close()
        try:
            self.child.wait(10)
        except subprocess.TimeoutExpired:
            self.child.kill()
            self.child.wait()


def outcome_of(message: dict | None) -> dict:
    """What a client can see of one answer, without what the downstream tool said."""
    if message is None:
        return {"class": "no-answer"}
    if "error" in message:
        return {"class": "error", "code": message["error"]["code"], "text": first_line(message["error"]["message"])}
    content = message["result"]["content"]
    text = content[0].get("text", "") if content else ""
    if not (message["result"].get("isError") and text.startswith("Blocked by intentplane: ")):
        return {"class": "executed"}
    reason = text.removeprefix("Blocked by intentplane: ")
    stage = {"stage": reason[1:].split("]")[0]} if reason.startswith("[") else {}
    return {"class": "blocked", **stage, "text": first_line(text)}


def first_line(text: str) -> str:
    return text.split("\n")[0]


class Downstreams:
    """The logs that the recording servers of a case write into its folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.seen: dict[Path, int] = {}

    def received(self) -> list[dict]:
        """The calls that arrived since the last look, each with its server's name."""
        calls = []
        for log in sorted(self.folder.glob("received-*.jsonl")):
            lines = log.read_text(encoding="utf-8").split("\n")[:-1]
            server = log.stem.removeprefix("received-")
            calls += [{"server": server, **json.loads(line)} for line in lines[self.seen.get(log, 0):]]
            self.seen[log] = len(lines)
        return calls


def copy_case(case: Path, target: Path) -> Path:
    """The case beside the recording server, laid out as in the repository."""
    shutil.copy(COMPAT / "recording-server.ts", target / "recording-server.ts")
    return Path(shutil.copytree(case, target / "cases" / case.name))


def record_call(proxy: Proxy, downstreams: Downstreams, call: dict) -> dict:
    arguments = call.get("rawArguments") or json.dumps(call["arguments"])
    params = f'{{"name": {json.dumps(call["tool"])}, "arguments": {arguments}}}'
    forms_before = len(proxy.forms)
    message = proxy.request("tools/call", params, call.get("elicitation"), ANSWER_WAIT_S)
    outcome = outcome_of(message)
    if len(proxy.forms) > forms_before:
        outcome["asked"] = True
    for received in downstreams.received():
        outcome["downstreamServer"] = received["server"]
        outcome["downstreamTool"] = received["tool"]
        outcome["downstreamArguments"] = received["arguments"]
    return outcome


def record_case(python: str, case: Path) -> dict:
    facts = json.loads((case / "calls.json").read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as temporary:
        folder = copy_case(case, Path(temporary))
        proxy = Proxy(python, folder / "gateway.toml", facts.get("client", {}).get("elicitation", True))
        tools = proxy.initialize()
        if tools is None:
            raise RuntimeError(f"{case.name}: the proxy did not start: {proxy.stderr[-1:]}")
        downstreams = Downstreams(folder)
        for call in facts["calls"]:
            outcome = record_call(proxy, downstreams, call)
            differs = call.pop("differs", None)
            call.pop("outcome", None)
            call["outcome"] = outcome
            if differs:
                call["differs"] = differs
        proxy.close()
    calls = facts.pop("calls")
    return {**facts, "tools": tools, "calls": calls}


def last_error(lines: list[str]) -> str:
    """The line that names the exception; an exception group ends with frames and rules."""
    named = [line.strip(" |") for line in lines if "Error: " in line]
    return named[-1] if named else ""


def apply_edit(folder: Path, edit: dict) -> None:
    file = folder / edit["file"]
    text = file.read_text(encoding="utf-8")
    if edit["replace"] not in text:
        raise RuntimeError(f"`{edit['replace']}` is not in {file}")
    file.write_text(text.replace(edit["replace"], edit["with"]), encoding="utf-8")


def record_change(python: str, change: dict) -> dict:
    """How the Python proxy takes a base case with one text of its files replaced."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = copy_case(COMPAT / "cases" / change["base"], Path(temporary))
        for edit in change["edits"]:
            apply_edit(folder, edit)
        proxy = Proxy(python, folder / "gateway.toml", True)
        tools = proxy.initialize()
        outcome: dict = {"starts": tools is not None}
        if tools is not None:
            outcome["call"] = record_call(proxy, Downstreams(folder), change["call"])
        else:
            outcome["error"] = last_error(proxy.stderr).replace(str(folder), "FOLDER")
        proxy.close()
    recorded = {key: value for key, value in change.items() if key not in ("outcome", "expect")}
    return {**recorded, "outcome": outcome, "expect": change["expect"]}


class Session:
    """A proxy on a private copy of a case, for behaviours that one call after the other cannot show."""

    def __init__(self, python: str, base: str) -> None:
        self.python = python
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = copy_case(COMPAT / "cases" / base, Path(self.temporary.name))
        self.downstreams = Downstreams(self.folder)

    def start(self) -> Proxy:
        self.proxy = Proxy(self.python, self.folder / "gateway.toml", True)
        self.proxy.initialize()
        return self.proxy

    def call(self, tool: str, arguments: dict, elicitation: str | None = None) -> dict:
        call = {"tool": tool, "arguments": arguments, "elicitation": elicitation}
        return record_call(self.proxy, self.downstreams, call)

    def post(self, tool: str, arguments: dict, meta: dict | None = None) -> int:
        params = {"name": tool, "arguments": arguments, **({"_meta": meta} if meta else {})}
        return self.proxy.post("tools/call", json.dumps(params))

    def end(self) -> None:
        self.proxy.close()
        self.temporary.cleanup()


def budget_after_restart(python: str) -> dict:
    """9,000.50 of 15,000.00, then the same again in a second process."""
    session = Session(python, "bank-demo")
    classes = []
    for subject in ("first process", "second process"):
        session.start()
        arguments = {"recipient": "FR1420041010050500013M02606", "amount": 9000.5, "subject": subject}
        classes.append(session.call("send_money", arguments, "approve")["class"])
        session.proxy.close()
    session.temporary.cleanup()
    return {"row": "C06", "classes": classes}


def cancelled_while_queued(python: str) -> dict:
    """A call that waits behind a slow one is cancelled before it was sent on."""
    session = Session(python, "slow-calls")
    proxy = session.start()
    session.post("wait", {"serial": 1})
    queued = session.post("quick", {"serial": 2})
    time.sleep(0.2)
    cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": queued}}
    before = [call["tool"] for call in session.downstreams.received()]
    proxy.send(json.dumps(cancel))
    time.sleep(2)
    after = [call["tool"] for call in session.downstreams.received()]
    session.end()
    return {"row": "C11", "sentBeforeCancel": before, "sentAfterCancel": after}


def quick_beside_slow(python: str) -> dict:
    """Which of a slow call and a later quick one is answered first."""
    session = Session(python, "slow-calls")
    proxy = session.start()
    names = {session.post("wait", {"serial": 1}): "wait", session.post("quick", {"serial": 2}): "quick"}
    order = [names[proxy.messages.get(timeout=10)["id"]] for _ in names]
    session.end()
    return {"row": "C25", "answered": order}


def relayed_progress(python: str) -> dict:
    """How many of three progress notifications reach a client that asked for them."""
    session = Session(python, "slow-calls")
    proxy = session.start()
    proxy.wait_for(session.post("steps", {}, {"progressToken": "p1"}), None, ANSWER_WAIT_S)
    count = sum(message["method"] == "notifications/progress" for message in proxy.notifications)
    session.end()
    return {"row": "C30", "relayed": count}


def modern_confirmation(python: str) -> dict:
    """A client of revision 2026-07-28 that can show forms calls a tool that needs a person."""
    session = Session(python, "slow-calls")
    proxy = session.proxy = Proxy(python, session.folder / "gateway.toml", True)
    prefix = "io.modelcontextprotocol/"
    meta = {f"{prefix}protocolVersion": "2026-07-28", f"{prefix}clientCapabilities": {"elicitation": {"form": {}}},
            f"{prefix}clientInfo": {"name": "compat-recorder", "version": "1.0.0"}}
    answer = proxy.wait_for(session.post("confirmed", {"serial": 1}, meta), "approve", 30)
    session.end()
    return {"row": "C24", "outcome": outcome_of(answer)}


BEHAVIOURS = (modern_confirmation, budget_after_restart, cancelled_while_queued, quick_beside_slow, relayed_progress)


def record_receipts(python: str) -> str:
    """The receipts file of a short session: refused, executed, confirmed, rejected."""
    session = Session(python, "bank-demo")
    session.start()
    for recipient, amount, elicitation in (("DK5000400440116243", 5, None), ("de89 3704 0044 0532 0130 00", 98.7, None),
                                           ("FR1420041010050500013M02606", 1240.1, "approve"),
                                           ("FR1420041010050500013M02606", 2000, "reject")):
        arguments = {"recipient": recipient, "amount": amount, "subject": "caf\u00e9 \U0001f600"}
        session.call("send_money", arguments, elicitation)
    session.proxy.close()
    text = (session.folder / "receipts.jsonl").read_text(encoding="utf-8")
    session.temporary.cleanup()
    return text


def versions(python: str) -> dict:
    code = ("import importlib.metadata as m, json; "
            "print(json.dumps([m.version('intentplane'), m.version('intentplane-mcp')]))")
    core, proxy = json.loads(subprocess.check_output([python, "-c", code]))
    if core != proxy:
        raise RuntimeError(f"intentplane {core} and intentplane-mcp {proxy} do not belong together")
    return {"package": "intentplane-mcp", "version": proxy}


def keep(file: Path, recorded: object, check: bool) -> bool:
    """Writes the facts, or says whether they still hold."""
    if not check:
        file.write_text(json.dumps(recorded, indent=2) + "\n", encoding="utf-8")
        return True
    same = json.loads(file.read_text(encoding="utf-8")) == recorded
    if not same:
        print(f"{file.relative_to(COMPAT)}: the facts differ", file=sys.stderr)
    return same


def record_cases(options: argparse.Namespace, version: dict) -> bool:
    wanted = [case for case in sorted((COMPAT / "cases").iterdir()) if not options.cases or case.name in options.cases]
    same = True
    with ThreadPoolExecutor(2) as pool:
        for case, recorded in zip(wanted, pool.map(lambda each: record_case(options.python, each), wanted)):
            same &= keep(case / "calls.json", {**recorded, "python": version}, options.check)
            print(f"{case.name}: {len(recorded['calls'])} calls", file=sys.stderr)
    return same


def record_the_rest(options: argparse.Namespace, version: dict) -> bool:
    changes_file = COMPAT / "changes.json"
    changes = json.loads(changes_file.read_text(encoding="utf-8"))
    recorded = [record_change(options.python, change) for change in changes["changes"]]
    same = keep(changes_file, {**changes, "python": version, "changes": recorded}, options.check)
    print(f"{len(recorded)} changed files", file=sys.stderr)
    behaviours = [{"about": behaviour.__doc__, **behaviour(options.python)} for behaviour in BEHAVIOURS]
    same &= keep(COMPAT / "behaviours.json", {"python": version, "behaviours": behaviours}, options.check)
    if not options.check:
        (COMPAT / "python-receipts.jsonl").write_text(record_receipts(options.python), encoding="utf-8")
    return same


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--python", default=os.environ.get("INTENTPLANE_PEERS", sys.executable))
    parser.add_argument("--check", action="store_true", help="compare with the recorded facts, write nothing")
    parser.add_argument("cases", nargs="*", metavar="CASE")
    options = parser.parse_args()
    version = versions(options.python)
    same = record_cases(options, version)
    if not options.cases:
        same &= record_the_rest(options, version)
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
