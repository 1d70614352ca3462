"""From the bytes of a request to the outcome of each report in it.

This package uses nothing of HTTP except status numbers: it turns bytes into receipts.
"""

from deniable_collector.intake.commits import GroupCommit
from deniable_collector.intake.reading import Readers
from deniable_collector.intake.receipts import BatchReceipt, ReportReceipt
from deniable_collector.intake.streams import take_json, take_lines

__all__ = ["BatchReceipt", "GroupCommit", "Readers", "ReportReceipt", "take_json", "take_lines"]
