"""A second verifier of intentplane receipts, written from the published format."""

from .verify import Report, Step, verify_bundle

__all__ = ["Report", "Step", "verify_bundle"]
