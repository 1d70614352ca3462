"""From the counts of reports to estimates, read downwards.

Counts become tallies (`tallies`), or shares of cells with their covariances (`linear`, `cells`);
these become the shares of a question (`question_shares`) or a mean (`means`), with intervals of
a chosen kind (`choice`, `intervals`, `anytime`); `questions` makes the results. `mechanisms`
has one file for each mechanism. All other files are formulas on arrays.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
