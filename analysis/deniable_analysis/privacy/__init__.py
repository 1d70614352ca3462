"""What reports say about one person: one report, those of several surveys, or a whole file.

The figure of a file is in `shuffling`, which needs scipy; the form does without it.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
