"""Trust files: which logs are believed, and which steps must pass."""

import base64
import re
from dataclasses import dataclass, field

from .answer import is_asked
from .encodings import decode_base64, is_name, sha256
from .leaf import Fault
from .strict_json import JsonError, parse_json

POLICY_UNITS = 262_144
LINES_OF_A_KIND = 256
TRUST_BYTES = 1_048_576
_NOT_SUPPORTED = {"approvers", "assurance_min", "accept_solo"}
TIMESTAMP_ROOTS = 32
_PEM = re.compile(
    r"-----BEGIN CERTIFICATE-----\r?\n([A-Za-z0-9+/=\r\n]+)-----END CERTIFICATE-----(?:\r?\n)?"
)
_KEY = re.compile(r"([^+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)")
_POLICY_CONTROL = re.compile("[\x00-\x08\x0a-\x1f\x7f]")
_THRESHOLD = re.compile("[1-9][0-9]*")

# Type: uses, length of the key, whether its id is the computed one.
_KEY_TYPES = {
    0x01: ({"log"}, 32, True),
    0x02: ({"log"}, None, False),
    0x04: ({"witness"}, 32, True),
    0x06: ({"log", "witness"}, 1312, True),
}
ED25519 = 0x01
ED25519_COSIGNER = 0x04


@dataclass(frozen=True)
class Key:
    name: str
    key_id: bytes
    type: int
    public_key: bytes

    @property
    def text(self):
        """The one line that names it."""
        data = base64.b64encode(bytes([self.type]) + self.public_key).decode()
        return f"{self.name}+{self.key_id.hex()}+{data}"


@dataclass
class Trust:
    logs: list = field(default_factory=list)
    witnesses: dict = field(default_factory=dict)
    groups: dict = field(default_factory=dict)
    quorum: str | None = None
    required: set = field(default_factory=lambda: {1, 2, 3, 4})
    # Text of a key to the `seq` of the last leaf that it may vouch for.
    distrust: dict = field(default_factory=dict)
    # Whether a timestamp is asked for.
    has_timestamp_roots: bool = False
    # What is asked of people's answers; None = nothing.
    approvals: dict | None = None


    def has_witnessed(self, name, cosigned):
        """Whether a witness is among those that cosigned, or enough members of a group are."""
        if name not in self.groups:
            return name in cosigned
        needed, members = self.groups[name]
        return sum(self.has_witnessed(member, cosigned) for member in members) >= needed


def parse_trust(text):
    """A trust file of either form."""
    policy, require, distrust, roots, approvals = text, [], [], [], None
    if text.lstrip(" \t\r\n").startswith("{"):
        policy, require, distrust, roots, approvals = _parse_settings(text)
    trust = _Policy().read(policy)
    trust.distrust = {row["key"]: row["after"] for row in distrust}
    trust.has_timestamp_roots = bool(roots)
    trust.approvals = approvals
    asks_others = trust.quorum != "none" or trust.has_timestamp_roots
    trust.required |= set(require) | ({5} if asks_others else set())
    return trust


def _parse_settings(text):
    try:
        if len(text.encode()) > TRUST_BYTES:
            raise JsonError("too long")
        settings = parse_json(text, depth=8, keys=100, values=10_000)
    except JsonError:
        raise Fault("TRUST_MALFORMED") from None
    others = settings.keys() - {"policy", "require", "distrust", "timestamp_roots", "approvals"}
    if others:
        raise Fault("TRUST_KEY_UNKNOWN" if others - _NOT_SUPPORTED else "TRUST_NOT_SUPPORTED")
    policy, require = settings.get("policy"), settings.get("require", [])
    is_step = lambda step: type(step) is int and 1 <= step <= 8
    if not isinstance(policy, str) or not isinstance(require, list) or not all(map(is_step, require)):
        raise Fault("TRUST_MALFORMED")
    distrust = settings.get("distrust", [])
    if not isinstance(distrust, list) or not all(map(_is_distrust, distrust)):
        raise Fault("TRUST_MALFORMED")
    roots = settings.get("timestamp_roots", [])
    if not isinstance(roots, list) or len(roots) > TIMESTAMP_ROOTS or not all(map(_is_pem, roots)):
        raise Fault("TRUST_MALFORMED")
    if "approvals" in settings and not is_asked(settings["approvals"]):
        raise Fault("TRUST_MALFORMED")
    return policy, require, distrust, roots, settings.get("approvals")


def _is_pem(text):
    match = _PEM.fullmatch(text) if isinstance(text, str) else None
    return match is not None and decode_base64(re.sub("[\r\n]", "", match.group(1))) is not None


def _is_distrust(row):
    return (
        isinstance(row, dict)
        and row.keys() == {"key", "after"}
        and isinstance(row["key"], str)
        and type(row["after"]) is int
        and row["after"] >= 0
    )


class _Policy:
    """Reads one policy line by line."""

    def __init__(self):
        self.trust = Trust()
        self.members = set()

    def read(self, text):
        if len(text.encode("utf-16-le")) // 2 > POLICY_UNITS:
            raise Fault("POLICY_TOO_LARGE")
        kinds = {"log": self._log, "witness": self._witness, "group": self._group}
        kinds["quorum"] = self._quorum
        for line in text.split("\n"):
            if _POLICY_CONTROL.search(line):
                raise Fault("POLICY_CHARACTER")
            items = [item for item in re.split("[ \t]", line) if item]
            if not items or items[0].startswith("#"):
                continue
            if items[0] not in kinds:
                raise Fault("POLICY_LINE")
            kinds[items[0]](*items[1:])
        if self.trust.quorum is None:
            raise Fault("POLICY_QUORUM")
        return self.trust

    def _log(self, *items):
        _expect(1 <= len(items) <= 2, "POLICY_LINE")
        key = _parse_key(items[0], "log")
        _expect(all(key.public_key != log.public_key for log in self.trust.logs), "POLICY_DUPLICATE")
        self.trust.logs.append(key)
        _expect(len(self.trust.logs) <= LINES_OF_A_KIND, "POLICY_TOO_LARGE")

    def _witness(self, *items):
        _expect(2 <= len(items) <= 3, "POLICY_LINE")
        witnesses = self.trust.witnesses
        _expect(not self._is_taken(items[0]), "POLICY_NAME")
        key = _parse_key(items[1], "witness")
        known = [witness.public_key for witness in witnesses.values()]
        _expect(key.public_key not in known, "POLICY_DUPLICATE")
        witnesses[items[0]] = key
        _expect(len(witnesses) <= LINES_OF_A_KIND, "POLICY_TOO_LARGE")

    def _group(self, *items):
        _expect(len(items) >= 3, "POLICY_LINE")
        name, threshold, *members = items
        _expect(not self._is_taken(name), "POLICY_NAME")
        for member in members:
            _expect(self._is_defined(member), "POLICY_NAME")
            _expect(member not in self.members, "POLICY_DUPLICATE")
            self.members.add(member)
        count = {"any": 1, "all": len(members)}.get(threshold)
        if count is None:
            # A number longer than the line has members is too large, however long it is.
            is_number = _THRESHOLD.fullmatch(threshold) and len(threshold) < 10
            _expect(is_number and int(threshold) <= len(members), "POLICY_THRESHOLD")
            count = int(threshold)
        self.trust.groups[name] = (count, members)
        _expect(len(self.trust.groups) <= LINES_OF_A_KIND, "POLICY_TOO_LARGE")

    def _quorum(self, *items):
        _expect(len(items) == 1, "POLICY_LINE")
        _expect(self.trust.quorum is None, "POLICY_QUORUM")
        _expect(items[0] == "none" or self._is_defined(items[0]), "POLICY_NAME")
        self.trust.quorum = items[0]

    def _is_defined(self, name):
        return name in self.trust.witnesses or name in self.trust.groups

    def _is_taken(self, name):
        return name == "none" or self._is_defined(name)


def parse_log_key(text):
    """A key of a log that this verifier can check, or None."""
    try:
        key = _parse_key(text, "log")
    except Fault:
        return None
    return key if key.type == ED25519 else None


def _expect(condition, code):
    if not condition:
        raise Fault(code)


def _parse_key(text, use):
    match = _KEY.fullmatch(text)
    data = decode_base64(match.group(3)) if match else None
    _expect(data and is_name(match.group(1)) and data[0] in _KEY_TYPES, "POLICY_KEY")
    key = Key(match.group(1), bytes.fromhex(match.group(2)), data[0], data[1:])
    uses, length, is_computed = _KEY_TYPES[key.type]
    _expect(use in uses and length in (None, len(key.public_key)), "POLICY_KEY")
    computed = sha256(key.name.encode() + b"\n" + data)[:4]
    _expect(not is_computed or key.key_id == computed, "POLICY_KEY")
    return key
