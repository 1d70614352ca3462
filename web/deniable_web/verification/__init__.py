"""Verifies that a live form is, byte for byte, what this version makes."""

from deniable_web.verification.checks import Check, CheckResult
from deniable_web.verification.expected import made_with
from deniable_web.verification.opening import LiveForm
from deniable_web.verification.verifying import Verification, verify

__all__ = ["Check", "CheckResult", "LiveForm", "Verification", "made_with", "verify"]
