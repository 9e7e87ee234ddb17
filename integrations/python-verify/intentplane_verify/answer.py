"""What a person's answer is worth, from the evidence that a bundle discloses."""

import re

from . import passkey
from .encodings import decode_base64url, sha256
from .leaf import Fault
from .strict_json import JsonError, parse_canonical

# Weak to strong.
ASSURANCES = ("elicitation", "passcode", "oidc", "passkey", "passkey-bound")
_DIGEST = re.compile("[0-9a-f]{64}")


def check_answer(leaf, disclosed, asked):
    """`signed` or `asserted`; a Fault when the answer does not hold, or is not what `asked` wants."""
    assurance, verdict, op_hash = (leaf.get(key) for key in ("assurance", "verdict", "op_hash"))
    is_answer = (
        verdict in ("approve", "reject")
        and assurance in ASSURANCES
        and isinstance(op_hash, str)
        and _DIGEST.fullmatch(op_hash)
        and isinstance(leaf.get("channel"), str)
        and isinstance(leaf.get("evidence_sha256"), str)
    )
    if not is_answer:
        raise Fault("ANSWER_MALFORMED")
    evidence = _parse_evidence(disclosed["evidence"][1], leaf["evidence_sha256"])
    is_passkey = assurance.startswith("passkey")
    if evidence is None:
        if verdict == "approve" and is_passkey:
            raise Fault("ASSURANCE_MISMATCH")
        proof, proven = "asserted", assurance
    else:
        if verdict != "approve" or not is_passkey:
            raise Fault("ASSURANCE_MISMATCH")
        is_bound = passkey.check_passkey(evidence, bytes.fromhex(op_hash))
        _check_owner(evidence, disclosed, asked)
        proof, proven = "signed", assurance if is_bound else "passkey"
    if asked is not None and verdict == "approve":
        least = asked.get("min_assurance", ASSURANCES[0])
        if ASSURANCES.index(proven) < ASSURANCES.index(least):
            raise Fault("ASSURANCE_TOO_LOW")
        if "refuse_solo" in asked and "four_eyes" in leaf:
            raise Fault("SOLO_REFUSED")
    return proof


def _parse_evidence(text, digest):
    """A passkey's evidence, or None for the word of the gateway."""
    if not isinstance(text, str):
        raise Fault("EVIDENCE_MALFORMED")
    data = text.encode()
    if sha256(data).hex() != digest:
        raise Fault("EVIDENCE_HASH_MISMATCH")
    try:
        value = parse_canonical(data)
    except JsonError:
        value = None
    if not isinstance(value, dict):
        raise Fault("EVIDENCE_MALFORMED")
    return passkey.parse_evidence(value) if value.get("kind") == "passkey" else None


def _check_owner(evidence, disclosed, asked):
    if asked is None or "passkeys" not in asked:
        return
    owners = {decode_base64url(row["public_key"]): row["person"] for row in asked["passkeys"]}
    owner = owners.get(evidence.public_key)
    if owner is None or ("person" in disclosed and disclosed["person"][1] != owner):
        raise Fault("PASSKEY_KEY_UNKNOWN")


def is_asked(value):
    """Whether a value is the part `approvals` of a trust file."""
    if not isinstance(value, dict) or value.keys() - {"min_assurance", "passkeys", "refuse_solo"}:
        return False
    rows = value.get("passkeys", [])
    if not isinstance(rows, list) or not all(map(_is_row, rows)):
        return False
    return (
        value.get("min_assurance", ASSURANCES[0]) in ASSURANCES
        and value.get("refuse_solo", True) is True
        and len({row["public_key"] for row in rows}) == len(rows)
    )


def _is_row(row):
    if not isinstance(row, dict) or row.keys() != {"person", "public_key"}:
        return False
    person, text = row["person"], row["public_key"]
    data = decode_base64url(text) if isinstance(text, str) else None
    return isinstance(person, str) and person != "" and data is not None and passkey.is_key(data)
