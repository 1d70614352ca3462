"""The records of a codebook."""

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

from deniable_sdk.survey.block import Block
from deniable_sdk.survey.published import PublishedSurvey


class Layout(Enum):
    """How the reported values of a block become variables.

    NUMBER: one variable, with a number for each value.
    SET: a variable for each option, 1 where the reported set contains it, otherwise 0.
    BITS: a variable for each option with its reported bit, missing where the option was
    not drawn.
    """

    NUMBER = "number"
    SET = "set"
    BITS = "bits"


@dataclass(frozen=True, slots=True)
class CodebookValue:
    """A value of a variable.

    Args:
        code: the number in the file.
        option: the id of the answer that it stands for ("yes"), of several answers
            ("yes, town"), of a range of them ("3 to 7"), or for a 0 or 1 whether the
            option is reported.
        text: the same as people read it.
    """

    code: int
    option: str
    text: str


@dataclass(frozen=True, slots=True)
class CodebookVariable:
    """A column of a table for statistics programs.

    Args:
        name: accepted by SPSS, Stata and R, and different from all others.
        label: says that the values are randomized, and of which question or option.
        values: all that are not missing.
        option: the id of the option that the variable is about; None where it is
            about all.
        option_text: the same as people read it.
    """

    name: str
    label: str
    values: tuple[CodebookValue, ...]
    option: str | None = None
    option_text: str = ""


@dataclass(frozen=True, slots=True)
class CodebookBlock:
    """A block of a survey, and its variables.

    Args:
        published: the block in the survey.
        text: what its questions ask.
        layout: how its values become variables.
        variables: one, or one for each option.
        keep: p, the probability that the report supports the true answer; None where
            reports do not support single answers.
        flip: q, the probability that it supports a given other answer; None as above.
    """

    published: Block
    text: str
    layout: Layout
    variables: tuple[CodebookVariable, ...]
    keep: Fraction | None
    flip: Fraction | None


@dataclass(frozen=True, slots=True)
class Codebook:
    """What the variables of a survey's reports mean, in one language.

    Args:
        survey: the published survey.
        title: of the survey.
        introduction: of the survey, "" without one.
        language: of all texts from the survey; "" if it is not known.
        blocks: all blocks.
    """

    survey: PublishedSurvey
    title: str
    introduction: str
    language: str
    blocks: tuple[CodebookBlock, ...]

    @property
    def variables(self) -> tuple[CodebookVariable, ...]:
        """The variables of all blocks, as they stand in a table."""
        return tuple(variable for block in self.blocks for variable in block.variables)
