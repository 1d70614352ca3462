"""One content, three renderings: text for a terminal, HTML for a notebook, a plot."""

from deniable_analysis.presentation.parts import Chart, Line, Look, Mark, Part, Table
from deniable_analysis.presentation.presented import Presented, sections

__all__ = ["Chart", "Line", "Look", "Mark", "Part", "Presented", "Table", "sections"]
