"""JSON as the receipt format reads it: nothing is repaired, and every value has one text."""

import re

SAFE_INTEGER = 2**53 - 1
CANONICAL_DEPTH = 32
CANONICAL_BYTES = 1_048_576
FORBIDDEN_KEYS = frozenset({"__proto__", "constructor", "prototype"})


class JsonError(ValueError):
    """A text that is no JSON, or a value that has no canonical form."""


class OtherNumber:
    """A number that canonical JSON would write otherwise: it may be read, never encoded."""


class Reader:
    """One document. `keys` bounds the members of an object, `values` all values together."""

    _SPACE = re.compile(r"[ \t\n\r]*")
    _NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
    _PLAIN = re.compile(r'[^"\\\x00-\x1f]*')
    _HEX = re.compile(r"[0-9a-fA-F]{4}")
    _ESCAPES = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
    _WORDS = {"t": ("true", True), "f": ("false", False), "n": ("null", None)}

    def __init__(self, text, depth, keys=None, values=None):
        self.text, self.depth, self.keys, self.values = text, depth, keys, values
        self.at = 0
        self.seen = 0

    def document(self):
        self._space()
        value = self._value(0)
        self._space()
        if self.at < len(self.text):
            raise JsonError("second document")
        return value

    def _space(self):
        self.at = self._SPACE.match(self.text, self.at).end()

    def _peek(self):
        return self.text[self.at : self.at + 1]

    def _take(self, character):
        if self._peek() != character:
            return False
        self.at += 1
        return True

    def _value(self, depth):
        self.seen += 1
        if self.values is not None and self.seen > self.values:
            raise JsonError("too many values")
        first = self._peek()
        if first == '"':
            return self._string()
        if first in ("{", "["):
            if depth == self.depth:
                raise JsonError("too deep")
            self.at += 1
            return self._object(depth + 1) if first == "{" else self._array(depth + 1)
        if first in self._WORDS:
            word, value = self._WORDS[first]
            if not self.text.startswith(word, self.at):
                raise JsonError("unknown word")
            self.at += len(word)
            return value
        return self._number()

    def _number(self):
        match = self._NUMBER.match(self.text, self.at)
        if match is None:
            raise JsonError("no value")
        self.at = match.end()
        digits = match.group()
        # Sixteen digits and a sign hold every safe integer; longer texts are not worth an int.
        if match.group(1) or match.group(2) or digits == "-0" or len(digits) > 17:
            return OtherNumber()
        number = int(digits)
        return number if abs(number) <= SAFE_INTEGER else OtherNumber()

    def _string(self):
        self.at += 1
        parts = []
        while True:
            match = self._PLAIN.match(self.text, self.at)
            parts.append(match.group())
            self.at = match.end()
            if self._take('"'):
                break
            if not self._take("\\"):
                raise JsonError("control character or no end of a string")
            parts.append(self._escape())
        return join_surrogates("".join(parts))

    def _escape(self):
        letter = self._peek()
        self.at += 1
        if letter in self._ESCAPES:
            return self._ESCAPES[letter]
        digits = self._HEX.match(self.text, self.at) if letter == "u" else None
        if digits is None:
            raise JsonError("unknown escape")
        self.at += 4
        return chr(int(digits.group(), 16))

    def _array(self, depth):
        items = []
        self._space()
        if self._take("]"):
            return items
        while True:
            self._space()
            items.append(self._value(depth))
            self._space()
            if self._take("]"):
                return items
            if not self._take(","):
                raise JsonError("array without end")

    def _object(self, depth):
        members = {}
        self._space()
        if self._take("}"):
            return members
        while True:
            self._space()
            key = self._key(members)
            self._space()
            if not self._take(":"):
                raise JsonError("key without value")
            self._space()
            members[key] = self._value(depth)
            self._space()
            if self._take("}"):
                return members
            if not self._take(","):
                raise JsonError("object without end")

    def _key(self, members):
        if self._peek() != '"':
            raise JsonError("no key")
        if self.keys is not None and len(members) == self.keys:
            raise JsonError("too many keys")
        key = self._string()
        if key in members or key in FORBIDDEN_KEYS:
            raise JsonError("key twice or forbidden")
        return key


def join_surrogates(text):
    """The text with its escaped pairs as one character each; a lone half is an error."""
    try:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le")
    except UnicodeDecodeError:
        raise JsonError("lone surrogate") from None


def parse_json(text, depth, keys=None, values=None):
    """The value of a whole text."""
    return Reader(text, depth, keys, values).document()


def canonical_json(value):
    """The one text of a value (RFC 8785 without floats)."""
    text = _encode(value, 0)
    if len(text.encode()) > CANONICAL_BYTES:
        raise JsonError("too long")
    return text


def parse_canonical(data):
    """The value of bytes that are canonical already."""
    if len(data) > CANONICAL_BYTES:
        raise JsonError("too long")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise JsonError("not UTF-8") from None
    value = parse_json(text, CANONICAL_DEPTH)
    if canonical_json(value) != text:
        raise JsonError("not canonical")
    return value


def _encode(value, depth):
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return _quote(value)
    if isinstance(value, OtherNumber) or depth == CANONICAL_DEPTH:
        raise JsonError("no canonical form")
    if isinstance(value, list):
        return "[" + ",".join(_encode(item, depth + 1) for item in value) + "]"
    keys = sorted(value, key=lambda key: key.encode("utf-16-be"))
    return "{" + ",".join(f"{_quote(key)}:{_encode(value[key], depth + 1)}" for key in keys) + "}"


_SHORT = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_ESCAPED = re.compile(r'["\\\x00-\x1f]')


def _quote(text):
    escape = lambda match: _SHORT.get(match.group()) or f"\\u{ord(match.group()):04x}"
    return f'"{_ESCAPED.sub(escape, text)}"'
