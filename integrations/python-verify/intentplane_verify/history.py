"""What a bundle says about the log itself: which keys it had, and that it only grew."""

from dataclasses import dataclass, replace

from . import checkpoint
from .encodings import decode_base64, sha256
from .leaf import Fault, parse_leaf
from .trust import ED25519, Key, parse_log_key

CONSISTENCY_HASHES = 63
KEY_STATEMENTS = 64
TIMESTAMPS = 8
TIMESTAMP_BYTES = 65_536


@dataclass(frozen=True)
class AcceptedKey:
    key: Key
    # Sizes of the trees that it may sign.
    smallest: int = 0
    largest: float = float("inf")

    def counts(self, size):
        return self.smallest <= size <= self.largest


@dataclass(frozen=True)
class Previous:
    note: checkpoint.Note
    checkpoint: checkpoint.Checkpoint


def parse_evidence(evidence):
    """The evidence of a bundle, decoded; None when it is malformed."""
    if not isinstance(evidence, dict) or not evidence.keys() <= _EVIDENCE.keys():
        return None
    parsed = {key: _EVIDENCE[key](value) for key, value in evidence.items()}
    return None if None in parsed.values() else parsed


def _parse_consistency(value):
    if not isinstance(value, dict) or value.keys() != {"size", "path"}:
        return None
    size, path = value["size"], value["path"]
    if type(size) is not int or size < 0 or not isinstance(path, list):
        return None
    hashes = [checkpoint.parse_hash(text) for text in path]
    return None if None in hashes or len(hashes) > CONSISTENCY_HASHES else (size, hashes)


def _parse_statements(value):
    if not isinstance(value, list) or len(value) > KEY_STATEMENTS:
        return None
    statements = [_parse_statement(each) for each in value]
    return None if None in statements else statements


def _parse_statement(value):
    if not isinstance(value, dict) or value.keys() != {"leaf", "proof"}:
        return None
    leaf = decode_base64(value["leaf"]) if isinstance(value["leaf"], str) else None
    return (leaf, value["proof"]) if leaf is not None and isinstance(value["proof"], str) else None


def _parse_timestamps(value):
    if not isinstance(value, list) or len(value) > TIMESTAMPS:
        return None
    tokens = [decode_base64(text) if isinstance(text, str) else None for text in value]
    is_token = lambda token: token is not None and 0 < len(token) <= TIMESTAMP_BYTES
    return tokens if all(map(is_token, tokens)) else None


_EVIDENCE = {
    "preimage": lambda value: value if isinstance(value, str) else None,
    "consistency": _parse_consistency,
    "keys": _parse_statements,
    "timestamps": _parse_timestamps,
}


def parse_previous(text):
    """An earlier checkpoint; a Fault when the text is none."""
    note = checkpoint.parse_note(text)
    return Previous(note, checkpoint.parse_checkpoint(note.text))


def accept_keys(trust, origin, statements):
    """The keys that count for an origin, or None when a statement about them does not hold."""
    largest = lambda key: trust.distrust.get(key.text, float("inf")) + 1
    logs = [key for key in trust.logs if key.name == origin and key.type == ED25519]
    accepted = [AcceptedKey(key, 0, largest(key)) for key in logs]
    for leaf_bytes, proof_text in statements:
        try:
            leaf, note, signers = _read_statement(leaf_bytes, proof_text, origin, accepted)
            if leaf.get("purpose") != "log":
                return None
            if leaf["type"] == "key.rotate":
                accepted = _rotate(leaf, note, signers, origin, accepted, largest)
            elif leaf["type"] == "key.distrust":
                accepted = _distrust(leaf, signers, accepted)
            else:
                return None
        except Fault:
            return None
    return accepted


def _read_statement(leaf_bytes, proof_text, origin, accepted):
    leaf = parse_leaf(leaf_bytes)
    proof = checkpoint.parse_proof(proof_text)
    note = checkpoint.parse_note(proof.checkpoint)
    signed = checkpoint.parse_checkpoint(note.text)
    root = None
    if proof.index < signed.size:
        root = checkpoint.root_from_proof(proof.index, signed.size, leaf_bytes, proof.hashes)
    if leaf["seq"] != proof.index or signed.origin != origin or root != signed.root:
        raise Fault("KEY_EVIDENCE_INVALID")
    keys = [each.key for each in accepted if each.counts(signed.size)]
    try:
        return leaf, note, checkpoint.verify_note(note, keys)
    except Fault as fault:
        if fault.code != "NOTE_KEY_UNKNOWN":
            raise
        return leaf, note, []


def _rotate(leaf, note, signers, origin, accepted, largest):
    old, new = leaf.get("old_key"), leaf.get("new_key")
    key = parse_log_key(new) if isinstance(old, str) and isinstance(new, str) else None
    if key is None or key.name != origin:
        raise Fault("KEY_EVIDENCE_INVALID")
    checkpoint.verify_note(note, [key])
    is_known = any(each.key.public_key == key.public_key for each in accepted)
    if is_known or all(signer.text != old for signer in signers):
        return accepted
    return [*accepted, AcceptedKey(key, leaf["seq"] + 1, largest(key))]


def _distrust(leaf, signers, accepted):
    text, after = leaf.get("key"), leaf.get("after")
    if not isinstance(text, str) or type(after) is not int or after < 0:
        raise Fault("KEY_EVIDENCE_INVALID")
    if not signers:
        return accepted
    return [
        replace(each, largest=min(each.largest, after + 1)) if each.key.text == text else each
        for each in accepted
    ]


def check_signature(note, signed, accepted):
    """A Fault unless a key that counts for this size signed the checkpoint."""
    signers = checkpoint.verify_note(note, [each.key for each in accepted])
    own = [each for each in accepted if each.key in signers]
    if any(each.counts(signed.size) for each in own):
        return
    late = any(signed.size > each.largest for each in own)
    raise Fault("KEY_DISTRUSTED" if late else "KEY_TOO_EARLY")


def check_previous(previous, signed, accepted, evidence):
    """A Fault unless the earlier tree is the beginning of the signed one."""
    old = previous.checkpoint
    if old.origin != signed.origin:
        raise Fault("PREVIOUS_OTHER_LOG")
    try:
        checkpoint.verify_note(previous.note, [each.key for each in accepted])
    except Fault:
        raise Fault("PREVIOUS_NOT_SIGNED") from None
    if old.size > signed.size:
        raise Fault("LOG_SHORTER")
    if old.size == signed.size:
        if old.root != signed.root:
            raise Fault("LOG_FORKED")
        return
    if evidence is None:
        raise Fault("CONSISTENCY_MISSING")
    size, hashes = evidence
    if size != old.size:
        raise Fault("CONSISTENCY_OTHER_SIZE")
    if old.size > 0:
        roots = checkpoint.roots_from_consistency(old.size, old.root, signed.size, hashes)
    else:
        roots = (sha256(b""), signed.root) if not hashes else None
    if roots is None:
        raise Fault("CONSISTENCY_LENGTH")
    if roots != (old.root, signed.root):
        raise Fault("CONSISTENCY_MISMATCH")
