"""Proofs, signed notes, checkpoints, and the Merkle tree they are about."""

import re
from dataclasses import dataclass

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from .encodings import WHITE_SPACE, decode_base64, parse_decimal, sha256
from .leaf import Fault
from .strict_json import SAFE_INTEGER

NOTE_BYTES = 131_072
NOTE_SIGNATURES = 100
PROOF_HASHES = 53
_SIGNATURE_LINE = re.compile(f"\u2014 ([^+{WHITE_SPACE}]+) ([A-Za-z0-9+/=]+)")
_NOTE_CONTROL = re.compile("[\x00-\x09\x0b-\x1f]")


@dataclass(frozen=True)
class Proof:
    index: int
    hashes: list
    checkpoint: str


@dataclass(frozen=True)
class Note:
    text: str
    # Name of the key, its id, the signature.
    signatures: list


@dataclass(frozen=True)
class Checkpoint:
    origin: str
    size: int
    root: bytes


def parse_proof(text):
    """A proof; nothing of it is verified."""
    head, divider, checkpoint = text.partition("\n\n")
    lines = head.split("\n")
    if not divider or lines.pop(0) != "c2sp.org/tlog-proof@v1":
        raise Fault("PROOF_MALFORMED")
    if lines and lines[0].startswith("extra "):
        if decode_base64(lines.pop(0)[len("extra ") :]) is None:
            raise Fault("PROOF_MALFORMED")
    if not lines or not lines[0].startswith("index "):
        raise Fault("PROOF_MALFORMED")
    index = parse_decimal(lines.pop(0)[len("index ") :])
    hashes = [_decode_hash(line) for line in lines]
    if index is None or None in hashes or len(hashes) > PROOF_HASHES:
        raise Fault("PROOF_MALFORMED")
    return Proof(index, hashes, checkpoint)


def parse_note(text):
    """A signed note; nothing of it is verified."""
    if len(text.encode()) > NOTE_BYTES:
        raise Fault("NOTE_TOO_LARGE")
    signed, divider, block = text.rpartition("\n\n")
    if not divider or not block.endswith("\n") or _NOTE_CONTROL.search(text):
        raise Fault("NOTE_MALFORMED")
    signatures = [_parse_signature(line) for line in block[:-1].split("\n")]
    if None in signatures or len(signatures) > NOTE_SIGNATURES:
        raise Fault("NOTE_MALFORMED")
    return Note(signed + "\n", signatures)


def parse_checkpoint(text):
    """What the text of a note says about a log."""
    lines = text.split("\n")[:-1]
    if len(lines) < 3 or lines[0] == "" or "" in lines[3:]:
        raise Fault("CHECKPOINT_MALFORMED")
    size, root = parse_decimal(lines[1]), _decode_hash(lines[2])
    if size is None or root is None:
        raise Fault("CHECKPOINT_MALFORMED")
    return Checkpoint(lines[0], size, root)


def verify_note(note, keys):
    """The keys that signed the note; a Fault when none did, or when a line of one is wrong."""
    signers = []
    for name, key_id, signature in note.signatures:
        for key in keys:
            if (key.name, key.key_id) != (name, key_id):
                continue
            if not _is_signature(key.public_key, signature, note.text.encode()):
                raise Fault("NOTE_SIGNATURE_INVALID")
            signers.append(key)
    if not signers:
        raise Fault("NOTE_KEY_UNKNOWN")
    return signers


def find_cosigners(note, witnesses, checkable):
    """Names of the witnesses that cosigned, and of those whose lines cannot be checked here."""
    cosigned, unchecked = set(), set()
    for name, key_id, signature in note.signatures:
        for witness, key in witnesses.items():
            if (key.name, key.key_id) != (name, key_id):
                continue
            if key.type != checkable:
                unchecked.add(witness)
                continue
            if not _is_cosignature(key.public_key, signature, note.text):
                raise Fault("COSIGNATURE_INVALID")
            cosigned.add(witness)
    return cosigned, unchecked


def _is_cosignature(public_key, cosignature, text):
    time = int.from_bytes(cosignature[:8], "big")
    message = f"cosignature/v1\ntime {time}\n{text}".encode()
    return 0 < time <= SAFE_INTEGER and _is_signature(public_key, cosignature[8:], message)


def root_from_proof(index, size, leaf, hashes):
    """The root that an RFC 6962 audit path leads to; None when its length is not that of the place."""
    if size == 1:
        return sha256(b"\0" + leaf) if not hashes else None
    if not hashes:
        return None
    # The larger left half is the largest power of two below the size; the last hash is its sibling.
    half = 1 << (size - 1).bit_length() - 1
    in_left = index < half
    below = (index, half) if in_left else (index - half, size - half)
    inner, sibling = root_from_proof(*below, leaf, hashes[:-1]), hashes[-1]
    if inner is None:
        return None
    return sha256(b"\1" + (inner + sibling if in_left else sibling + inner))


def roots_from_consistency(old_size, old_root, size, hashes):
    """Both roots that a proof between two sizes (0 < old < new) leads to; None for a wrong length."""
    hashes = list(hashes)

    def walk(old, new, is_left_edge):
        # The roots of the part with `new` leaves and of its first `old` leaves, both from the proof.
        if old == new:
            if is_left_edge:
                return old_root, old_root
            part = hashes.pop(0)
            return part, part
        half = 1 << (new - 1).bit_length() - 1
        if old <= half:
            before, inner = walk(old, half, is_left_edge)
            return before, sha256(b"\1" + inner + hashes.pop(0))
        before, inner = walk(old - half, new - half, False)
        left = hashes.pop(0)
        return sha256(b"\1" + left + before), sha256(b"\1" + left + inner)

    try:
        roots = walk(old_size, size, True)
    except IndexError:
        return None
    return None if hashes else roots


def parse_hash(text):
    """Base64 of 32 bytes, or None."""
    return _decode_hash(text) if isinstance(text, str) else None


def _decode_hash(line):
    data = decode_base64(line)
    return data if data is not None and len(data) == 32 else None


def _parse_signature(line):
    match = _SIGNATURE_LINE.fullmatch(line)
    data = decode_base64(match.group(2)) if match else None
    return (match.group(1), data[:4], data[4:]) if data is not None and len(data) > 4 else None


def _is_signature(public_key, signature, message):
    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True
