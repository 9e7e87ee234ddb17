"""Leaves and operations: which fields they have, and what may stand in them."""

import re

from .strict_json import JsonError, canonical_json, parse_canonical

LEAF_BYTES = 16_384

_OPEN_FIELDS = {
    "log.start": "origin reason old_origin old_size old_root signed_size signed_root",
    "proposal": "action channel raw_bytes",
    "decision": "decision mode level stage codes rules op_hash contract_sha256 policy_sha256"
    " schema_sha256 cedar mandate mandate_sha256 budgets facts joins repeats",
    "approval.request": "request op_hash kind level quorum expires",
    "approval.answer": "request op_hash verdict assurance channel evidence_sha256 four_eyes",
    "approval.end": "request end",
    "attempt": "attempt connector key deadline approvals moves op_hash",
    "outcome": "class attempt late moves",
    "reconcile": "method finding moves",
    "mandate.issue": "mandate mandate_sha256 parent supersedes expires",
    "mandate.suspend": "mandate mandate_sha256",
    "mandate.resume": "mandate mandate_sha256",
    "config.change": "kind old new",
    "policy.change": "kind old new schema_sha256 flips server tool",
    "key.rotate": "purpose old_key new_key",
    "key.distrust": "purpose key after",
    "redaction": "basis targets",
    "alarm": "kind figures server tool",
}
LEAF_TYPES = {type_: frozenset(names.split()) for type_, names in _OPEN_FIELDS.items()}
_OF_OPERATION = re.compile(r"proposal|decision|approval\..*|attempt|outcome|reconcile")


def _matches(pattern):
    compiled = re.compile(pattern)
    return lambda value: isinstance(value, str) and compiled.fullmatch(value) is not None


# `True == 1` in Python, so an integer is asked for by its type.
_integer = lambda value: type(value) is int
_count = lambda value: _integer(value) and value >= 0
_one = lambda value: _integer(value) and value == 1
_text = lambda value: isinstance(value, str) and value != ""
_hex32 = _matches("[0-9a-f]{32}")
_digest = _matches("[0-9a-f]{64}")
_bytes32 = _matches("[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]")
_anything = lambda value: True
_texts = lambda value: isinstance(value, list) and all(map(_text, value))
_or_null = lambda check: lambda value: value is None or check(value)
_commitments = lambda value: isinstance(value, dict) and all(map(_bytes32, value.values()))

_REQUIRED = {"v": _one, "type": _text, "seq": _count, "ts": _count}
_REQUIRED |= {"gw": _text, "config": _text, "commit": _commitments}
_OPTIONAL = {"op_id": _hex32, "prev": _text, "state": _text, "code": _text}

_ORIGIN = {"source": _text, "record": _or_null(_text), "version": _or_null(_text)}
_VALUE = {"type": _text, "value": _anything}
_QUORUM = {"count": _count, "persons": _texts, "roles": _texts, "exclude": _texts}
_QUORUM |= {"include_user": lambda value: isinstance(value, bool)}
_TARGET = {"connector": _text, "version": _text, "server": _text, "definition": _or_null(_digest)}
_PREIMAGE = {
    "v": _one,
    "op_id": _hex32,
    "nonce": _bytes32,
    "gateway": _text,
    "action": _text,
    "contract": _digest,
    "values": lambda value: isinstance(value, dict),
    "origins": lambda value: isinstance(value, dict),
    "principal": _text,
    "agent": _or_null(_text),
    "mandate": {"id": _text, "hash": _digest, "chain": _digest},
    "level": lambda value: _integer(value) and 0 <= value <= 2,
    "quorum": _QUORUM,
    "policy": {"set": _digest, "schema": _digest, "cedar": _text},
    "target": _TARGET,
    "expires": _count,
}


class Fault(ValueError):
    """Something that is not what it should be; `code` is that of the format."""

    def __init__(self, code):
        super().__init__(code)
        self.code = code


def parse_leaf(data):
    """The fields of a leaf, or a Fault with the first thing that is wrong."""
    if len(data) > LEAF_BYTES:
        raise Fault("LEAF_TOO_LARGE")
    try:
        leaf = parse_canonical(data)
    except JsonError:
        raise Fault("LEAF_NOT_CANONICAL") from None
    if not isinstance(leaf, dict):
        raise Fault("LEAF_NOT_CANONICAL")
    type_ = leaf.get("type")
    if not isinstance(type_, str) or type_ not in LEAF_TYPES:
        raise Fault("LEAF_TYPE_UNKNOWN")
    if leaf.keys() - LEAF_TYPES[type_] - _REQUIRED.keys() - _OPTIONAL.keys():
        raise Fault("LEAF_FIELD_UNKNOWN")
    needed = set(_REQUIRED) | ({"op_id"} if _OF_OPERATION.fullmatch(type_) else set())
    checks = _REQUIRED | _OPTIONAL
    if not needed <= leaf.keys() or not all(checks[key](leaf[key]) for key in checks.keys() & leaf):
        raise Fault("LEAF_FIELD_INVALID")
    return leaf


def commitment_message(leaf, field, value):
    """What the salt of a field signs."""
    parts = f'["{leaf["type"]}",{canonical_json(field)},{canonical_json(value)}]'
    return b"intentplane/field/v1\0" + parts.encode()


def parse_preimage(data):
    """The fields of an operation."""
    try:
        preimage = parse_canonical(data)
    except JsonError:
        raise Fault("PREIMAGE_NOT_CANONICAL") from None
    if not _has_shape(preimage, _PREIMAGE):
        raise Fault("PREIMAGE_INVALID")
    values, origins = preimage["values"], preimage["origins"]
    parameters = all(_has_shape(each, _VALUE) for each in values.values())
    sources = all(_has_shape(each, _ORIGIN) for each in origins.values())
    if not parameters or not sources or values.keys() != origins.keys():
        raise Fault("PREIMAGE_INVALID")
    return preimage


def _has_shape(value, shape):
    if not isinstance(value, dict) or value.keys() != shape.keys():
        return False
    return all(
        _has_shape(value[key], check) if isinstance(check, dict) else check(value[key])
        for key, check in shape.items()
    )
