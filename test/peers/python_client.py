"""Tells the five stories about a gateway with the Python package `mcp`, and prints one JSON
report on stdout, in the shape that test/e2e/peers/story.ts describes.

    python python_client.py --scenario FILE [--mode legacy|auto|2026-07-28]
        [--approve-url URL] [--env NAME=VALUE ...] -- COMMAND [ARGUMENT ...]

FILE is a scenario as JSON. A pending call is approved by whoever listens on URL: it receives the
decision by POST and answers when the person has approved.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import urllib.request
from collections.abc import Callable
from typing import Any

import anyio
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.shared.exceptions import MCPError
from mcp.types import ElicitResult, Implementation

PEER = "python-peer"
DECISION = "io.intentplane/decision"
# A stopped server does not read, so the call surely is in its pipe after this time.
DISPATCH_SECONDS = 0.7
APPROVE_SECONDS = 60


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("--scenario", required=True)
    parser.add_argument("--mode", default="auto")
    parser.add_argument("--approve-url")
    parser.add_argument("--env", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("command", nargs="+")
    return parser.parse_args()


class Peer:
    """One connected client and the forms it was asked."""

    def __init__(self, client: Client, options: argparse.Namespace, forms: list[Any]) -> None:
        self.client = client
        self.options = options
        self.forms = forms

    async def list_tools(self) -> list[dict[str, Any]]:
        listed = await self.client.list_tools(cache_mode="refresh")
        return [
            {"name": tool.name, "hasOutputSchema": tool.output_schema is not None}
            for tool in listed.tools
        ]

    async def call(self, call: dict[str, Any]) -> dict[str, Any]:
        try:
            result = await self.client.call_tool(call["name"], call["arguments"])
        except MCPError as error:
            return {"kind": "error", "code": error.code, "message": str(error)}
        except Exception as error:  # what the package itself refuses about a result
            return {"kind": "error", "code": None, "message": f"{type(error).__name__}: {error}"}
        texts = [block.text for block in result.content if block.type == "text"]
        return {
            "kind": "result",
            "isError": result.is_error,
            "text": "\n".join(texts),
            "structured": result.structured_content,
            "decision": (result.meta or {}).get(DECISION),
        }

    async def pending(self, story: dict[str, Any]) -> dict[str, Any]:
        first = await self.call(story["call"])
        decision = first.get("decision")
        second = None
        if story["by"] == "page" and decision is not None and self.options.approve_url:
            await anyio.to_thread.run_sync(approve, self.options.approve_url, decision)
            second = await self.call(story["call"])
        return {"forms": self.forms, "first": first, "second": second}

    async def killed(self, story: dict[str, Any]) -> dict[str, Any]:
        if story["kill"] == "self":
            return await self.call(story["call"])
        text = story["kill"]["commandIncludes"]
        pids = [pid for pid, command in below_the_gateway() if text in command]
        if not pids:
            raise RuntimeError(f"no process below the gateway runs {text}")
        signal_all(pids, signal.SIGSTOP)
        answer: dict[str, Any] = {}

        async def call() -> None:
            answer.update(await self.call(story["call"]))

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(call)
            await anyio.sleep(DISPATCH_SECONDS)
            signal_all(pids, signal.SIGKILL)
        return answer


def approve(url: str, decision: dict[str, Any]) -> None:
    body = json.dumps(decision).encode()
    headers = {"Content-Type": "application/json"}
    request = urllib.request.Request(url, data=body, headers=headers, method="POST")
    # A proxy of the environment has no business on the loopback address.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(request, timeout=APPROVE_SECONDS) as response:
        response.read()


def below_the_gateway() -> list[tuple[int, str]]:
    """Children of the gateway, and theirs, with their command lines."""
    found: list[tuple[int, str]] = []
    parents = {pid for pid, parent, _ in processes() if parent == os.getpid()}
    while parents:
        children = [(pid, command) for pid, parent, command in processes() if parent in parents]
        found.extend(children)
        parents = {pid for pid, _ in children}
    return found


def processes() -> list[tuple[int, int, str]]:
    if not os.path.isdir("/proc/self"):
        output = os.popen("ps -A -o pid=,ppid=,command=").read()
        rows = [line.split(None, 2) for line in output.splitlines()]
        return [(int(row[0]), int(row[1]), row[2]) for row in rows if len(row) == 3]
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat", encoding="utf-8", errors="replace") as file:
                fields = file.read().rpartition(")")[2].split()
            with open(f"/proc/{name}/cmdline", "rb") as file:
                command = file.read().replace(b"\0", b" ").decode(errors="replace")
        except OSError:  # it ended between the two looks
            continue
        if fields[0] != "Z":
            found.append((int(name), int(fields[1]), command))
    return found


def signal_all(pids: list[int], number: signal.Signals) -> None:
    for pid in pids:
        os.kill(pid, number)


def approve_form(schema: dict[str, Any]) -> dict[str, str]:
    """The answer of a person who approves: the one property, with the choice that says so."""
    ((name, prop),) = schema["properties"].items()
    choices = [option["const"] for option in prop["oneOf"]]
    return {name: choices[choices.index("approve")]}


def form_callback(forms: list[Any]) -> Callable[..., Any]:
    async def answer(_context: Any, params: Any) -> ElicitResult:
        schema = getattr(params, "requested_schema", None)
        forms.append({"message": params.message, "requestedSchema": schema})
        return ElicitResult(action="accept", content=approve_form(schema))

    return answer


async def tell(options: argparse.Namespace, scenario: dict[str, Any]) -> dict[str, Any]:
    command, *arguments = options.command
    environment = dict(pair.split("=", 1) for pair in options.env)
    target = StdioServerParameters(command=command, args=arguments, env=environment)
    forms: list[Any] = []
    has_forms = scenario.get("pending", {}).get("by") == "form"
    with open(os.devnull, "w") as nowhere:
        client = Client(
            stdio_client(target, errlog=nowhere),
            mode=options.mode,
            client_info=Implementation(name=PEER, version="1.0.0"),
            elicitation_callback=form_callback(forms) if has_forms else None,
            read_timeout_seconds=60,
        )
        async with client:
            return await report(Peer(client, options, forms), scenario)


async def report(peer: Peer, scenario: dict[str, Any]) -> dict[str, Any]:
    stories = {name: scenario.get(name) for name in ("executed", "refused", "pending", "killed")}
    tools = await peer.list_tools()
    told: dict[str, Any] = {
        "peer": PEER,
        "protocolVersion": peer.client.protocol_version,
        "tools": tools,
    }
    for name in ("executed", "refused"):
        told[name] = await peer.call(stories[name]["call"]) if stories[name] else None
    told["pending"] = await peer.pending(stories["pending"]) if stories["pending"] else None
    told["killed"] = await peer.killed(stories["killed"]) if stories["killed"] else None
    try:
        told["isAlive"] = len(await peer.list_tools()) > 0
    except MCPError:
        told["isAlive"] = False
    return told


def main() -> None:
    options = parse_arguments()
    with open(options.scenario, encoding="utf-8") as file:
        scenario = json.load(file)
    told = anyio.run(tell, options, scenario)
    json.dump(told, sys.stdout)
    sys.stdout.write("\n")


if __name__ == "__main__":
    main()
