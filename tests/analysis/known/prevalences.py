"""Prevalences from bare counts, as published formulas and packages give them.

Computed with RRreg 0.7.5 (Heck and Moshagen 2018), whose errors are the
unbiased ones; the likeliest shares and log likelihoods by an independent
optimizer. The lone exception is Kuk's design with several cards: there the
package's error is (its own) approximation, right to 3e-4.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from deniable_analysis.designs import (
    cheating_detection,
    cheating_detection_symmetric,
    crosswise,
    forced_choice,
    forced_response,
    from_matrix,
    kuk,
    mangat,
    stochastic_lie_detector,
    triangular,
    unrelated_question,
    unrelated_question_unknown,
    warner,
)

SIXTH = Fraction(1, 6)


@dataclass(frozen=True)
class Known:
    """What is known of one set of counts.

    Args:
        counts: in the design's order.
        design: how they came about.
        shares: unbiased ones, by category.
        errors: their standard errors, by category.
        likeliest: the likeliest shares.
        log_likelihood: there.
        parameters: unbiased ones with their standard errors.
    """

    counts: Any
    design: Any
    shares: dict[str, float]
    errors: dict[str, float]
    log_likelihood: float
    likeliest: dict[str, float] | None = None
    parameters: dict[str, tuple[float, float]] | None = None


def _yes(share: float, error: float) -> tuple[dict[str, float], dict[str, float]]:
    return {"no": 1 - share, "yes": share}, {"no": error, "yes": error}


def _all(names: str, numbers: list[float]) -> dict[str, float]:
    return dict(zip(names, numbers, strict=True))


_OF_FOUR = from_matrix(
    [[Fraction(1, 2) if row == column else SIXTH for column in range(4)] for row in range(4)]
)
_OF_THREE = from_matrix([[0.75, 0.1, 0.15], [0.15, 0.8, 0.05], [0.1, 0.1, 0.8]])

KNOWN = {
    "warner": Known([550, 450], warner(0.7), *_yes(0.375, 0.0393500117334598), -688.138813713588),
    "warner, mostly the opposite": Known(
        [380, 620], warner(SIXTH), *_yes(0.32, 0.0230354212166965), -664.064126564108
    ),
    "crosswise": Known(
        [360, 640], crosswise(0.25), *_yes(0.22, 0.03037305586408), -653.418194793702
    ),
    "triangular": Known(
        [600, 400], triangular(0.25), *_yes(0.2, 0.0206662468877901), -673.011667009256
    ),
    "mangat": Known(
        [480, 520], mangat(0.7), *_yes(0.314285714285714, 0.0225809134614788), -692.346967089961
    ),
    "unrelated question": Known(
        [700, 300],
        unrelated_question(sensitive=0.7, prevalence=0.3),
        *_yes(0.3, 0.0207123255333733),
        -610.864302054893,
    ),
    "forced response": Known(
        [600, 400],
        forced_response(yes=SIXTH, no=SIXTH),
        *_yes(0.35, 0.0232495277487639),
        -673.011667009256,
    ),
    "kuk": Known(
        [500, 500], kuk(yes=0.8, no=0.3), *_yes(0.4, 0.0316385998584166), -693.147180559945
    ),
    "kuk, five cards": Known(
        [60, 180, 260, 270, 170, 60],
        kuk(yes=0.7, no=0.4, draws=5),
        *_yes(0.326666666666667, 0.0270517722756899),
        -1652.57794798426,
        {"no": 0.66771145213405, "yes": 0.33228854786595},
    ),
    "forced response of three": Known(
        [450, 330, 220],
        forced_choice({"a": 0.1, "b": 0.1, "c": 0.1}),
        _all("abc", [0.5, 0.328571428571429, 0.171428571428571]),
        _all("abc", [0.0224857209905485, 0.021252674324938, 0.0187231043438027]),
        -1058.29523056868,
    ),
    "forced response of five": Known(
        [400, 250, 170, 110, 70],
        forced_choice({"a": 0.08, "b": 0.07, "c": 0.06, "d": 0.05, "e": 0.04}),
        _all("abcde", [16 / 35, 9 / 35, 11 / 70, 3 / 35, 3 / 70]),
        _all(
            "abcde",
            [
                0.0221424073797751,
                0.0195713080125425,
                0.0169778511922026,
                0.0141419911710349,
                0.011532134797605,
            ],
        ),
        -1443.27098919422,
    ),
    "a matrix of three": Known(
        [500, 300, 200],
        _OF_THREE,
        _all("012", [0.604395604395604, 0.252747252747253, 0.142857142857143]),
        _all("012", [0.025061694678861, 0.0215559691343058, 0.0180791999190952]),
        -1029.65301406457,
    ),
    "randomized response of four": Known(
        [310, 270, 220, 200],
        _OF_FOUR,
        _all("0123", [0.43, 0.31, 0.16, 0.1]),
        _all(
            "0123", [0.0438979159758983, 0.0421387668979015, 0.0393185191219856, 0.0379663198301]
        ),
        -1371.5824043269,
    ),
    "unrelated question of unknown prevalence": Known(
        [[330, 170], [270, 230]],
        unrelated_question_unknown({1: 0.7, 2: 0.3}),
        *_yes(0.25, 0.0407088986446172),
        -665.489618169779,
        parameters={"prevalence": (0.55, 0.042159873218733)},
    ),
    "stochastic lie detector": Known(
        [[300, 200], [400, 100]],
        stochastic_lie_detector({1: 0.5, 2: 0.8}),
        *_yes(1 / 3, 0.0943753267198363),
        -586.707045273724,
        parameters={"t": (0.2, 0.0537193777243014)},
    ),
    "cheating detection": Known(
        [[340, 160], [200, 300]],
        cheating_detection({1: 0.1, 2: 0.6}),
        {"no": 0.56, "yes": 0.264, "cheating": 0.176},
        {"no": 0.0605651407374332, "yes": 0.0254397791800452, "cheating": 0.0428649367853403},
        -649.940562290842,
    ),
    "cheating detection, symmetric": Known(
        [[330, 170], [240, 260]],
        cheating_detection_symmetric({1: (0.1, 0.2), 2: (0.5, 0.1)}),
        {"no": 11 / 31, "yes": 0.380645161290323, "cheating": 0.264516129032258},
        {"yes": 0.0349560231683802, "cheating": 0.0574383893967005},
        -666.69122248556,
    ),
}
