"""Base64, decimals and names as the receipt format has them."""

import base64
import hashlib
import re

from .strict_json import SAFE_INTEGER

# The Unicode property White_Space; `str.isspace` has four characters more.
WHITE_SPACE = "\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
_NAME = re.compile(f"[^+\x00-\x1f\x7f-\x9f{WHITE_SPACE}]+")
_DECIMAL = re.compile(r"0|[1-9][0-9]{0,15}")
_BASE64 = re.compile(r"[A-Za-z0-9+/]*={0,2}")
_BASE64URL = re.compile(r"[A-Za-z0-9_-]*")


def sha256(data):
    return hashlib.sha256(data).digest()


def decode_base64(text):
    """The bytes of a padded text; None when encoding them does not give the text again."""
    if len(text) % 4 != 0 or not _BASE64.fullmatch(text):
        return None
    return _same(text, text, base64.b64decode, base64.b64encode)


def decode_base64url(text):
    """The same for the URL alphabet without padding."""
    if len(text) % 4 == 1 or not _BASE64URL.fullmatch(text):
        return None
    padded = text + "=" * (-len(text) % 4)
    return _same(text, padded, base64.urlsafe_b64decode, base64.urlsafe_b64encode)


def _same(text, padded, decode, encode):
    try:
        data = decode(padded)
    except ValueError:
        return None
    return data if encode(data).decode().rstrip("=") == text.rstrip("=") else None


def parse_decimal(text):
    """A number without sign and leading zeros that every reader holds exactly, or None."""
    if not _DECIMAL.fullmatch(text) or int(text) > SAFE_INTEGER:
        return None
    return int(text)


def is_name(text):
    return _NAME.fullmatch(text) is not None and len(text.encode()) <= 255
