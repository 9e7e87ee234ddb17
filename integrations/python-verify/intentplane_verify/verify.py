"""The eight steps over one bundle, and the verdict they give."""

import hashlib
import hmac
from dataclasses import dataclass

from . import checkpoint, history, trust
from .answer import check_answer
from .encodings import decode_base64, decode_base64url, sha256
from .leaf import Fault, commitment_message, parse_leaf, parse_preimage
from .strict_json import JsonError, canonical_json, parse_json

BUNDLE_BYTES = 4_194_304
BUNDLE_DEPTH = 40
_BUNDLE_KEYS = {"format", "leaf", "disclosed", "proof", "evidence"}


@dataclass(frozen=True)
class Step:
    step: int
    status: str
    code: str
    required: bool


@dataclass(frozen=True)
class Report:
    """`input` and `code` for bad input; `step` and `code` for an invalid receipt."""

    verdict: str
    input: str | None = None
    step: int | None = None
    code: str | None = None
    steps: tuple = ()
    # `signed` or `asserted`, for an answer whose evidence is disclosed and holds.
    approval: str | None = None

    def summary(self):
        """The report in the words of the test vectors."""
        named = {"verdict": self.verdict, "input": self.input, "step": self.step, "code": self.code}
        if self.verdict == "valid" and any(step.code == "REDACTED" for step in self.steps):
            named["redacted"] = True
        if self.verdict == "valid":
            named["approval"] = self.approval
        return {key: value for key, value in named.items() if value is not None}


def verify_bundle(bundle_text, trust_text, previous_text=None):
    """Verifies the text of one bundle. Raises nothing on what it reads."""
    previous = None
    source = "trust"
    try:
        believed = trust.parse_trust(trust_text)
        source = "bundle"
        bundle = parse_bundle(bundle_text)
        if previous_text is not None:
            source = "previous"
            previous = history.parse_previous(previous_text)
            believed.required.add(6)
        subject = Subject(bundle, believed, previous)
        if believed.approvals is not None and subject.is_answer:
            believed.required.add(7)
    except Fault as fault:
        return Report("bad_input", input=source, code=fault.code)
    steps = []
    for number, check in enumerate(_CHECKS, start=1):
        status, code = check(subject, number in believed.required)
        steps.append(Step(number, status, code, number in believed.required))
    failed = [each for each in steps if each.status == "fail"]
    failed += [each for each in steps if each.required and each.status != "pass"]
    if not failed:
        return Report("valid", steps=tuple(steps), approval=subject.approval)
    return Report("invalid", step=failed[0].step, code=failed[0].code, steps=tuple(steps))


def parse_bundle(text):
    """The parts of a bundle, decoded; nothing of them is verified."""
    if len(text.encode()) > BUNDLE_BYTES:
        raise Fault("BUNDLE_TOO_LARGE")
    try:
        bundle = parse_json(text, BUNDLE_DEPTH)
    except JsonError:
        raise Fault("BUNDLE_NOT_JSON") from None
    if not isinstance(bundle, dict) or bundle.get("format") != "intentplane-receipt/1":
        raise Fault("BUNDLE_FORMAT")
    evidence, disclosed = bundle.get("evidence"), bundle.get("disclosed")
    is_whole = (
        bundle.keys() - {"redacted"} == _BUNDLE_KEYS
        and isinstance(bundle["leaf"], str)
        and isinstance(bundle["proof"], str)
        and isinstance(disclosed, dict)
        and (evidence := history.parse_evidence(evidence)) is not None
        and _is_redacted(bundle.get("redacted", []), disclosed)
    )
    leaf = decode_base64(bundle["leaf"]) if is_whole else None
    if leaf is None:
        raise Fault("BUNDLE_MALFORMED")
    openings = {name: _parse_opening(opening) for name, opening in disclosed.items()}
    return {**bundle, "leaf": leaf, "disclosed": openings, "evidence": evidence}


def _is_redacted(fields, disclosed):
    if not isinstance(fields, list) or not all(isinstance(field, str) for field in fields):
        return False
    return len(set(fields)) == len(fields) and not disclosed.keys() & set(fields)


def _parse_opening(opening):
    if isinstance(opening, dict) and opening.keys() == {"salt", "value"}:
        salt = decode_base64url(opening["salt"]) if isinstance(opening["salt"], str) else None
        if salt is not None and len(salt) == 32:
            try:
                canonical_json(opening["value"])
                return salt, opening["value"]
            except JsonError:
                pass
    raise Fault("BUNDLE_MALFORMED")


class Subject:
    """Everything the steps look at: each part, or the code of the fault that it has."""

    def __init__(self, bundle, believed, previous):
        self.bundle, self.trust, self.previous = bundle, believed, previous
        self.leaf, self.leaf_fault = _attempt(parse_leaf, bundle["leaf"])
        self.proof, self.proof_fault = _attempt(checkpoint.parse_proof, bundle["proof"])
        self.note = self.note_fault = self.checkpoint = None
        if self.proof is not None:
            self.note, self.note_fault = _attempt(checkpoint.parse_note, self.proof.checkpoint)
        if self.note is not None:
            self.checkpoint, _ = _attempt(checkpoint.parse_checkpoint, self.note.text)
        self.keys = []
        if self.checkpoint is not None:
            statements = bundle["evidence"].get("keys", [])
            self.keys = history.accept_keys(believed, self.checkpoint.origin, statements)
        self.is_answer = self.leaf is not None and self.leaf["type"] == "approval.answer"
        self.approval = self.approval_fault = None
        if self.is_answer and "evidence" in bundle["disclosed"]:
            check = lambda leaf: check_answer(leaf, bundle["disclosed"], believed.approvals)
            self.approval, self.approval_fault = _attempt(check, self.leaf)


def _attempt(parse, data):
    try:
        return parse(data), None
    except Fault as fault:
        return None, fault.code


def _check_leaf(subject, _required):
    if subject.leaf is None:
        return "fail", subject.leaf_fault
    if subject.proof is None:
        return "absent", "PROOF_MALFORMED"
    return _pass_if(subject.leaf["seq"] == subject.proof.index, "SEQ_MISMATCH")


def _check_disclosures(subject, _required):
    leaf, disclosed = subject.leaf, subject.bundle["disclosed"]
    if leaf is None:
        return "absent", subject.leaf_fault
    redacted = subject.bundle.get("redacted", [])
    if not disclosed.keys() | set(redacted) <= leaf["commit"].keys():
        return "fail", "FIELD_NOT_COMMITTED"
    opened = all(
        hmac.digest(salt, commitment_message(leaf, name, value), hashlib.sha256)
        == decode_base64url(leaf["commit"][name])
        for name, (salt, value) in disclosed.items()
    )
    if opened and redacted:
        return "pass", "REDACTED"
    return _pass_if(opened, "COMMITMENT_MISMATCH")


def _check_inclusion(subject, _required):
    proof, signed = subject.proof, subject.checkpoint
    if proof is None:
        return "fail", "PROOF_MALFORMED"
    if signed is None:
        return "absent", "NO_CHECKPOINT"
    root = None
    if proof.index < signed.size:
        leaf = subject.bundle["leaf"]
        root = checkpoint.root_from_proof(proof.index, signed.size, leaf, proof.hashes)
    if root is None:
        return "fail", "PROOF_LENGTH"
    return _pass_if(root == signed.root, "PROOF_ROOT_MISMATCH")


def _check_signature(subject, _required):
    if subject.proof is None:
        return "absent", "NO_CHECKPOINT"
    if subject.note is None:
        return "fail", subject.note_fault
    if subject.checkpoint is None:
        return "fail", "CHECKPOINT_MALFORMED"
    named = [key for key in subject.trust.logs if key.name == subject.checkpoint.origin]
    if not named:
        return "fail", "ORIGIN_UNKNOWN"
    usable = [key for key in named if key.type == trust.ED25519]
    if not usable:
        return "absent", "ALG_UNAVAILABLE"
    if subject.keys is None:
        return "fail", "KEY_EVIDENCE_INVALID"
    check = lambda note: history.check_signature(note, subject.checkpoint, subject.keys)
    _, fault = _attempt(check, subject.note)
    return _pass_if(fault is None, fault)


def _check_history(subject, required):
    if subject.previous is None:
        return "absent", "NO_PREVIOUS" if required else "NOT_ASKED"
    if subject.checkpoint is None:
        return "absent", "NO_CHECKPOINT"
    if subject.keys is None:
        return "absent", "KEY_EVIDENCE_INVALID"
    evidence = subject.bundle["evidence"].get("consistency")
    check = lambda previous: history.check_previous(
        previous, subject.checkpoint, subject.keys, evidence
    )
    _, fault = _attempt(check, subject.previous)
    return _pass_if(fault is None, fault)


def _check_others(subject, required):
    """Witnesses and timestamps: a failure is named before what is absent."""
    believed = subject.trust
    if believed.quorum == "none" and not believed.has_timestamp_roots:
        return "absent", "QUORUM_NOT_SET" if required else "NOT_ASKED"
    if subject.checkpoint is None:
        return "absent", "NO_CHECKPOINT"
    findings = [] if believed.quorum == "none" else [_check_witnesses(subject)]
    findings += [_check_timestamps(subject)] if believed.has_timestamp_roots else []
    return min(findings, key=lambda finding: ("fail", "absent", "pass").index(finding[0]))


def _check_timestamps(subject):
    """This verifier reads no certificates."""
    if not subject.bundle["evidence"].get("timestamps"):
        return "fail", "TIMESTAMP_MISSING"
    return "absent", "TIMESTAMP_UNAVAILABLE"


def _check_witnesses(subject):
    believed = subject.trust
    find = lambda note: checkpoint.find_cosigners(note, believed.witnesses, trust.ED25519_COSIGNER)
    found, fault = _attempt(find, subject.note)
    if found is None:
        return "fail", fault
    cosigned, unchecked = found
    if believed.has_witnessed(believed.quorum, cosigned):
        return "pass", "OK"
    if believed.has_witnessed(believed.quorum, cosigned | unchecked):
        return "absent", "ALG_UNAVAILABLE"
    return "fail", "QUORUM_MISSING"


def _check_operation(subject, required):
    preimage = subject.bundle["evidence"].get("preimage")
    if preimage is not None:
        _, fault = _attempt(lambda data: _match_operation(subject, data), preimage.encode())
        if fault is not None:
            return "fail", fault
    if subject.approval_fault is not None:
        return "fail", subject.approval_fault
    if subject.approval is not None:
        return "pass", "OK"
    if subject.is_answer and required:
        return "absent", "EVIDENCE_NOT_DISCLOSED"
    if preimage is None:
        return _not_supported(subject, required)
    return ("absent", "APPROVALS_NOT_CHECKED") if required else ("pass", "OK")


def _match_operation(subject, data):
    operation = parse_preimage(data)
    logged = (subject.leaf or {}).get("op_hash")
    if not isinstance(logged, str):
        raise Fault("OP_HASH_MISSING")
    if sha256(b"intentplane/op/v1\0" + data).hex() != logged:
        raise Fault("OP_HASH_MISMATCH")
    origin = subject.checkpoint.origin if subject.checkpoint else None
    if (operation["op_id"], operation["gateway"]) != (subject.leaf.get("op_id"), origin):
        raise Fault("PREIMAGE_OTHER_OPERATION")


def _not_supported(_subject, required):
    return "absent", "NOT_SUPPORTED" if required else "NOT_ASKED"


def _pass_if(condition, code):
    return ("pass", "OK") if condition else ("fail", code)


_CHECKS = (
    _check_leaf,
    _check_disclosures,
    _check_inclusion,
    _check_signature,
    _check_others,
    _check_history,
    _check_operation,
    _not_supported,
)
