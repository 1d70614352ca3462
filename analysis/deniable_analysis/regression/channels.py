"""Channels: how likely each report is under each joint answer to some questions."""

from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from deniable_analysis.arrays import Floats, Indexes

# What the first category of two is often called: the one compared with.
_NO = ("no", "0", "false", "False")


@dataclass(frozen=True, slots=True)
class Variable:
    """A question or column whose true answer is one of several.

    Args:
        name: as the formula calls it.
        levels: its true answers.
        numbers: what they stand for in a formula; None where they are names.
    """

    name: str
    levels: tuple[str, ...]
    numbers: tuple[float, ...] | None = None

    def led_by(self, first: str | None = None) -> Self:
        """The same names with another one first, which others are compared with.

        Args:
            first: the one; "no" and its like if left out, else the first.
        """
        found = first or next((level for level in self.levels if level in _NO), self.levels[0])
        others = tuple(level for level in self.levels if level != found)
        return replace(self, levels=(found, *others), numbers=None)


@dataclass(frozen=True, slots=True, eq=False)
class ReportChannel:
    """Probabilities that may depend on unknown parameters, linearly.

    Args:
        constant: (places, cells) what each report's probability is where all
            unknown parameters are 0; a place is a reported value of a group.
        slopes: (unknown, places, cells) what it gains by each.
        unknown: what the parameters are called.
        groups: for each group the places of all that can be reported in it;
            None where that is more than was listed.
        scores: (places, cells) unbiased indicators of each cell, for where
            not all that can be reported is listed.
    """

    constant: Floats
    slopes: Floats
    unknown: tuple[str, ...] = ()
    groups: tuple[Indexes, ...] | None = None
    scores: Floats | None = None

    @classmethod
    def known(cls, likelihoods: Floats, groups: tuple[Indexes, ...] | None = None) -> Self:
        """A channel without unknown parameters."""
        return cls(likelihoods, np.zeros((0, *likelihoods.shape)), (), groups)

    def likelihoods(self, parameters: Floats) -> Floats:
        """(places, cells) at these values of the unknown parameters."""
        if not self.unknown:
            return self.constant
        found: Floats = self.constant + np.tensordot(parameters, self.slopes, axes=1)
        return found


@dataclass(frozen=True, slots=True, eq=False)
class Reports:
    """Each row's report of some questions.

    Args:
        variables: the questions; the channel's cells are their joint answers,
            the last varying fastest.
        codes: (rows,) the place of each row's report in the channel.
        channel: how likely each is.
        epsilon: what such a report spends; None where it was not randomized.
    """

    variables: tuple[Variable, ...]
    codes: Indexes
    channel: ReportChannel
    epsilon: float | None = None

    @property
    def name(self) -> str:
        """What it reports on, for messages."""
        return " and ".join(variable.name for variable in self.variables)

    def variable(self, name: str) -> Variable:
        """The one of this name."""
        return next(each for each in self.variables if each.name == name)

    def of_rows(self, rows: Indexes) -> Self:
        """The same of some rows only."""
        return replace(self, codes=self.codes[rows])

    def spread(self, of_places: Floats, axes: tuple[str, ...], lead: int = 0) -> Floats:
        """Numbers of places and cells, for every row, one axis for each variable.

        Args:
            of_places: (places, cells).
            axes: names of all variables in the order wanted.
            lead: how many of them come before the rows, 0 or 1.
        Returns:
            (rows, ...) with length 1 along the variables of other reports.
        """
        own = [variable.name for variable in self.variables]
        sizes = {variable.name: len(variable.levels) for variable in self.variables}
        order = [own.index(name) for name in axes if name in own]
        cube = of_places.reshape(-1, *(sizes[name] for name in own))
        turned = cube.transpose(0, *(1 + place for place in order))
        whole = turned.reshape(-1, *(sizes.get(name, 1) for name in axes))
        found: Floats = np.moveaxis(whole, 0, lead).take(self.codes, axis=lead)
        return found
