"""Estimates from randomized reports, and plans of how many are needed.

Open a collector's store with open_study, estimate the shares of every option
with honest intervals, and ask the planner in advance how many respondents an accuracy
needs.

Each name is imported where it is first asked for, from where the stub beside
this file says: a page that needs one bound does not wait for regressions.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
