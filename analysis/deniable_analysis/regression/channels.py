"""Channels: the probability of each report under each joint answer, and unbiased scores."""

from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from deniable_analysis.arrays import Floats, Indexes
from deniable_analysis.estimate.ratio import quotients

# Common names of the reference, the first of two categories.
_NO = ("no", "0", "false", "False")


@dataclass(frozen=True, slots=True)
class Variable:
    """A question or column whose true answer is one of several.

    Args:
        name: name in the formula.
        levels: true answers.
        numbers: numbers of the levels in a formula; None if they are names.
    """

    name: str
    levels: tuple[str, ...]
    numbers: tuple[float, ...] | None = None

    def led_by(self, first: str | None = None) -> Self:
        """The same levels with another one first, as the reference.

        Args:
            first: the reference; by default "no" or a similar name, or else the
                first.
        """
        found = first or next((level for level in self.levels if level in _NO), self.levels[0])
        others = tuple(level for level in self.levels if level != found)
        return replace(self, levels=(found, *others), numbers=None)


@dataclass(frozen=True, slots=True, eq=False)
class ReportChannel:
    """Probabilities that may depend on unknown parameters, linearly.

    Args:
        constant: (outputs, cells) probability of each report if all unknown
            parameters are 0; an output is a value that a group can report.
        slopes: (unknown, outputs, cells) its derivative by each parameter.
        unknown: names of the parameters.
        groups: for each group the indexes of its outputs; None if not all
            outputs are listed.
        scores: (outputs, cells) unbiased indicators of each cell, if not all
            outputs are listed.
    """

    constant: Floats
    slopes: Floats
    unknown: tuple[str, ...] = ()
    groups: tuple[Indexes, ...] | None = None
    scores: Floats | None = None

    @classmethod
    def known(
        cls,
        likelihoods: Floats,
        groups: tuple[Indexes, ...] | None = None,
        scores: Floats | None = None,
    ) -> Self:
        """A channel without unknown parameters."""
        return cls(likelihoods, np.zeros((0, *likelihoods.shape)), (), groups, scores)

    def likelihoods(self, parameters: Floats) -> Floats:
        """The (outputs, cells) probabilities at these values of the unknown parameters."""
        if not self.unknown:
            return self.constant
        return self.constant + np.tensordot(parameters, self.slopes, axes=1)


@dataclass(frozen=True, slots=True, eq=False)
class Reports:
    """The report of each row about some questions.

    Args:
        variables: the questions. The channel's cells are their joint answers;
            the last question varies fastest.
        codes: (rows,) the output of each row.
        channel: probability of each output.
        epsilon: privacy loss of such a report; None if it was not randomized.
    """

    variables: tuple[Variable, ...]
    codes: Indexes
    channel: ReportChannel
    epsilon: float | None = None

    @property
    def name(self) -> str:
        """The names of the questions, for messages."""
        return " and ".join(variable.name for variable in self.variables)

    def variable(self, name: str) -> Variable:
        """The variable of this name."""
        return next(each for each in self.variables if each.name == name)

    def of_rows(self, rows: Indexes | slice) -> Self:
        """The same for some rows only."""
        return replace(self, codes=self.codes[rows])

    def spread(self, numbers: Floats, axes: tuple[str, ...], lead: int = 0) -> Floats:
        """Numbers of outputs and cells, arranged by row with one axis for each variable.

        Args:
            numbers: (outputs, cells).
            axes: names of all variables in the wanted order.
            lead: number of variables before the axis of the rows, 0 or 1.
        Returns:
            (rows, ...) with length 1 along the variables of other reports.
        """
        own = [variable.name for variable in self.variables]
        sizes = {variable.name: len(variable.levels) for variable in self.variables}
        order = [own.index(name) for name in axes if name in own]
        cube = numbers.reshape(-1, *(sizes[name] for name in own))
        turned = cube.transpose(0, *(1 + axis for axis in order))
        whole = turned.reshape(-1, *(sizes.get(name, 1) for name in axes))
        return np.moveaxis(whole, 0, lead).take(self.codes, axis=lead)


def em_shares(likelihoods: Floats, counts: Floats, steps: int, added: float = 0.0) -> Floats:
    """Shares of the cells by steps of EM (Dempster, Laird and Rubin 1977), from equal shares.

    Args:
        likelihoods: (rows, cells) probabilities of the rows' reports.
        counts: (rows,) number of respondents that each row represents.
        steps: number of steps.
        added: respondents added to every cell in each step, so that no share
            is near 0.
    """
    shares = np.full(likelihoods.shape[1], 1 / likelihoods.shape[1])
    for _ in range(steps):
        given = likelihoods * shares
        shares = counts @ quotients(given, given.sum(axis=1, keepdims=True)) + added
        shares /= shares.sum() or 1.0
    return shares
