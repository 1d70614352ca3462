"""The links of a yes/no outcome, one file each."""

from collections.abc import Mapping

from deniable_analysis.regression.links.base import Link, TwoLogs
from deniable_analysis.regression.links.cloglog import cloglog
from deniable_analysis.regression.links.logit import logit
from deniable_analysis.regression.links.probit import probit

LINKS: Mapping[str, Link] = {"logit": logit, "probit": probit, "cloglog": cloglog}

__all__ = ["LINKS", "Link", "TwoLogs"]
