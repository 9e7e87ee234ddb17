"""What a passkey signed (WebAuthn), checked again from the evidence in a receipt."""

import base64
import re
from dataclasses import dataclass

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from .encodings import decode_base64url, sha256
from .leaf import Fault
from .strict_json import JsonError, parse_json

CLIENT_DATA_DEPTH = 8
# Part to the most bytes that it may have.
_PARTS = {
    "credential": 1023,
    "authenticator_data": 2048,
    "client_data": 2048,
    "signature": 1024,
    "public_key": 1024,
}
_SITE = re.compile("[\x21-\x7e]{1,300}")
_PRESENT, _VERIFIED, _BACKUP, _ATTESTED, _EXTENDED = 0x01, 0x04, 0x08, 0x40, 0x80
_HEAD_BYTES = 37

# The one encoding of a key of each kind, numbers left out.
_ES256 = re.compile(
    rb"\xa5\x01\x02\x03\x26\x20\x01\x21\x58\x20(.{32})\x22\x58\x20(.{32})", re.DOTALL
)
_EDDSA = re.compile(rb"\xa4\x01\x01\x03\x27\x20\x06\x21\x58\x20(.{32})", re.DOTALL)
_RS256 = re.compile(
    rb"\xa4\x01\x03\x03\x39\x01\x00\x20\x59(..)(.{256,512})\x21\x43\x01\x00\x01", re.DOTALL
)
_RSA_EXPONENT = 65_537


@dataclass(frozen=True)
class Evidence:
    rp_id: str
    origin: str
    authenticator_data: bytes
    client_data: bytes
    signature: bytes
    public_key: bytes


def parse_evidence(value):
    """Evidence whose kind is `passkey`, decoded; a Fault when it is malformed."""
    sites = [value.get("rp_id"), value.get("origin")]
    is_site = lambda text: isinstance(text, str) and _SITE.fullmatch(text) is not None
    if value.keys() != _PARTS.keys() | {"kind", "rp_id", "origin"} or not all(map(is_site, sites)):
        raise Fault("EVIDENCE_MALFORMED")
    parts = {name: _decode_part(value[name], most) for name, most in _PARTS.items()}
    if None in parts.values():
        raise Fault("EVIDENCE_MALFORMED")
    del parts["credential"]
    return Evidence(*sites, **parts)


def _decode_part(text, most):
    data = decode_base64url(text) if isinstance(text, str) else None
    return data if data is not None and 0 < len(data) <= most else None


def check_passkey(evidence, challenge):
    """Whether the key is device-bound; a Fault with the first thing that does not hold."""
    _check_client_data(evidence, challenge)
    flags = _check_authenticator_data(evidence)
    signed = evidence.authenticator_data + sha256(evidence.client_data)
    _check_signature(evidence.public_key, evidence.signature, signed)
    return not flags & _BACKUP


def _check_client_data(evidence, challenge):
    try:
        said = parse_json(evidence.client_data.decode("utf-8"), CLIENT_DATA_DEPTH)
    except (JsonError, UnicodeDecodeError):
        said = None
    if not isinstance(said, dict) or said.get("type") != "webauthn.get":
        raise Fault("PASSKEY_CLIENT_DATA")
    if said.get("crossOrigin", False) is not False or "topOrigin" in said:
        raise Fault("PASSKEY_CLIENT_DATA")
    if said.get("challenge") != base64.urlsafe_b64encode(challenge).decode().rstrip("="):
        raise Fault("PASSKEY_CHALLENGE_MISMATCH")
    if said.get("origin") != evidence.origin:
        raise Fault("PASSKEY_ORIGIN_MISMATCH")


def _check_authenticator_data(evidence):
    data = evidence.authenticator_data
    if len(data) < _HEAD_BYTES:
        raise Fault("PASSKEY_AUTHENTICATOR_DATA")
    flags = data[32]
    if bool(flags & _EXTENDED) != (len(data) > _HEAD_BYTES) or flags & _ATTESTED:
        raise Fault("PASSKEY_AUTHENTICATOR_DATA")
    if data[:32] != sha256(evidence.rp_id.encode()):
        raise Fault("PASSKEY_SITE_MISMATCH")
    if not flags & _PRESENT:
        raise Fault("PASSKEY_USER_NOT_PRESENT")
    if not flags & _VERIFIED:
        raise Fault("PASSKEY_USER_NOT_VERIFIED")
    return flags


def is_key(data):
    """Whether the bytes are a key of a kind that can be checked."""
    return _find_check(data) is not None


def _check_signature(key, signature, message):
    find = _find_check(key)
    try:
        check = find and find()
    except ValueError:
        check = None
    if check is None:
        raise Fault("PASSKEY_KEY_INVALID")
    try:
        check(signature, message)
    except (InvalidSignature, ValueError):
        raise Fault("PASSKEY_SIGNATURE_INVALID") from None


def _find_check(data):
    """Builds the check of a key; None for bytes of no such form."""
    if match := _ES256.fullmatch(data):
        return lambda: _ecdsa(*match.groups())
    if match := _EDDSA.fullmatch(data):
        return lambda: Ed25519PublicKey.from_public_bytes(match.group(1)).verify
    match = _RS256.fullmatch(data)
    length, modulus = match.groups() if match else (b"", b"")
    if not match or int.from_bytes(length, "big") != len(modulus):
        return None
    return (lambda: _rsa(modulus)) if modulus[0] >= 0x80 and modulus[-1] & 1 else None


def _ecdsa(x, y):
    numbers = ec.EllipticCurvePublicNumbers(
        int.from_bytes(x, "big"), int.from_bytes(y, "big"), ec.SECP256R1()
    )
    key = numbers.public_key()
    return lambda signature, message: key.verify(signature, message, ec.ECDSA(hashes.SHA256()))


def _rsa(modulus):
    key = rsa.RSAPublicNumbers(_RSA_EXPONENT, int.from_bytes(modulus, "big")).public_key()
    return lambda signature, message: key.verify(
        signature, message, padding.PKCS1v15(), hashes.SHA256()
    )
