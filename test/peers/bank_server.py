"""A small bank and mailbox as an MCP server over stdio, on the package `mcp`: the foreign server
that the gateway is tested in front of. It answers both eras of the protocol.

    python bank_server.py [--effects FILE] [--crash-on SUBJECT]

Every executed effect is one JSON line in FILE, written before the answer. A transfer with the
subject SUBJECT takes effect and then ends the process without an answer.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from typing import Annotated, Any

import anyio
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations
from pydantic import BaseModel, Field

parser = argparse.ArgumentParser()
parser.add_argument("--effects")
parser.add_argument("--crash-on", default="crash")
options = parser.parse_args()

READS = ToolAnnotations(readOnlyHint=True, destructiveHint=False, openWorldHint=False)
ACTS = ToolAnnotations(readOnlyHint=False, destructiveHint=True, openWorldHint=True)

server = MCPServer("python-bank", version="1.0.0", log_level="ERROR")
balance_cents = 10_000_000
effect_count = 0
added_count = 0


class Balance(BaseModel):
    balance: float
    currency: str


class Transfer(BaseModel):
    transaction_id: str
    recipient: str
    amount: float
    balance: float


def write_effect(tool: str, arguments: dict[str, Any]) -> str:
    """Returns the number of the effect as an id."""
    global effect_count
    effect_count += 1
    if options.effects is not None:
        line = json.dumps({"seq": effect_count, "tool": tool, "arguments": arguments})
        with open(options.effects, "a", encoding="utf-8") as file:
            file.write(line + "\n")
    return f"py-{effect_count}"


@server.tool(annotations=READS)
def get_balance() -> Balance:
    """The balance of the account in euros."""
    return Balance(balance=balance_cents / 100, currency="EUR")


@server.tool(annotations=ACTS)
def send_money(
    recipient: str,
    amount: Annotated[float, Field(gt=0)],
    subject: str = "",
) -> Transfer:
    """Transfers an amount in euros to an IBAN."""
    global balance_cents
    cents = round(amount * 100)
    if cents > balance_cents:
        raise ToolError("the balance does not cover this amount")
    balance_cents -= cents
    arguments = {"recipient": recipient, "amount": amount, "subject": subject}
    effect = write_effect("send_money", arguments)
    if subject == options.crash_on:
        os._exit(3)
    return Transfer(
        transaction_id=effect, recipient=recipient, amount=amount, balance=balance_cents / 100
    )


@server.tool(annotations=ACTS, structured_output=False)
def send_email(to: Annotated[list[str], Field(min_length=1)], subject: str, body: str) -> str:
    """Sends a message. It declares no output schema."""
    write_effect("send_email", {"to": to, "subject": subject, "body": body})
    return f"sent to {', '.join(to)}"


@server.tool(structured_output=False)
def fail(message: str = "the ledger is closed") -> str:
    """Always a tool error."""
    raise ToolError(message)


@server.tool(structured_output=False)
async def slow(seconds: Annotated[float, Field(ge=0, le=600)], ctx: Context) -> str:
    """Answers after a while, with ten progress messages on the way."""
    for step in range(10):
        await ctx.report_progress(step + 1, 10, f"step {step + 1}")
        await anyio.sleep(seconds / 10)
    return f"slept {seconds:g} s"


@server.tool(annotations=READS, structured_output=False)
def big(size_bytes: Annotated[int, Field(ge=0, le=200_000_000)]) -> str:
    """A text of so many bytes."""
    return "x" * size_bytes


@server.tool(structured_output=False)
async def grow(ctx: Context) -> str:
    """Adds one tool to the list and announces it."""
    global added_count
    added_count += 1
    name = f"added_{added_count}"
    server.add_tool(lambda: name, name=name, description="Added while running.")
    await ctx.session.send_tool_list_changed()
    await ctx.notify_tools_changed()
    return name


if __name__ == "__main__":
    try:
        server.run("stdio")
    except (BrokenPipeError, KeyboardInterrupt):
        # The peer has gone: there is nobody to tell.
        sys.exit(0)
