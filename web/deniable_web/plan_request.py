"""What `deniable plan` can be asked, and which plan answers it."""

from dataclasses import dataclass

from deniable_analysis.planning import (
    Share,
    epsilon_for_margin,
    margin_for_respondents,
    plan_mechanism,
    power_for_respondents,
    respondents_for_difference,
    respondents_for_margin,
    respondents_for_sd,
)
from deniable_sdk import DeniableError
from deniable_sdk.mechanisms import Subset

Answer = dict[str, object]


class UnclearRequest(DeniableError):
    """The options given do not say what to plan; says which ones would."""


@dataclass(frozen=True, slots=True)
class PlanRequest:
    """The options of the command; None where an option was not given."""

    epsilon: str | None
    options: int
    sd: float | None
    margin: float | None
    respondents: int | None
    share: Share | float
    all_options: bool
    compare: tuple[float, float] | None
    power: float | None
    confidence: float

    def answer(self) -> Answer:
        """The plan, as a flat document with stable keys.

        Raises:
            UnclearRequest: the options do not fit together.
            DeniableError: a value is outside what it can mean.
        """
        if self.compare is not None:
            return self._comparison(self.compare)
        if self.epsilon is None:
            return self._epsilon()
        given = [
            name for name in ("sd", "margin", "respondents") if getattr(self, name) is not None
        ]
        if len(given) != 1 or self.power is not None:
            raise UnclearRequest(
                "with --epsilon give one of --sd, --margin and --respondents, and --power only "
                f"with --compare; got {', '.join(given) or 'none of the three'}"
            )
        return self._accuracy(plan_mechanism(self.epsilon, self.options))

    def _accuracy(self, mechanism: Subset) -> Answer:
        if self.sd is not None:
            respondents = respondents_for_sd(mechanism, self.sd, self.share)
        elif self.margin is not None:
            respondents = respondents_for_margin(
                mechanism,
                self.margin,
                confidence=self.confidence,
                share=self.share,
                simultaneous=self.all_options,
            )
        else:
            respondents = self.respondents or 0
        margin = margin_for_respondents(
            mechanism,
            respondents,
            confidence=self.confidence,
            share=self.share,
            simultaneous=self.all_options,
        )
        return self._document(respondents=respondents, margin=margin, size=mechanism.size)

    def _epsilon(self) -> Answer:
        clear = self.sd is None and self.power is None
        if self.margin is None or self.respondents is None or not clear:
            raise UnclearRequest(
                "give --epsilon, or leave it out and give both --margin and --respondents to "
                "have it found"
            )
        epsilon = epsilon_for_margin(
            self.respondents,
            self.margin,
            options=self.options,
            confidence=self.confidence,
            share=self.share,
            simultaneous=self.all_options,
        )
        size = plan_mechanism(epsilon, self.options).size
        document = self._document(respondents=self.respondents, margin=self.margin, size=size)
        return {**document, "epsilon": f"{epsilon:.6f}".rstrip("0").rstrip(".")}

    def _comparison(self, shares: tuple[float, float]) -> Answer:
        wanted = (self.power is None) != (self.respondents is None)
        clear = self.sd is None and self.margin is None and not self.all_options
        if self.epsilon is None or not wanted or not clear or self.share is not Share.WORST:
            raise UnclearRequest(
                "with --compare give --epsilon and one of --power and --respondents, and of the "
                "others only --options and --confidence"
            )
        mechanism = plan_mechanism(self.epsilon, self.options)
        significance = float(f"{1 - self.confidence:.12g}")
        respondents, power = self.respondents, self.power
        if power is not None:
            respondents = respondents_for_difference(
                mechanism, *shares, significance=significance, power=power
            )
        elif respondents is not None:
            power = power_for_respondents(
                mechanism, *shares, respondents, significance=significance
            )
        return {
            "epsilon": self.epsilon,
            "options": self.options,
            "size": mechanism.size,
            "first": shares[0],
            "second": shares[1],
            "significance": significance,
            "respondents_per_group": respondents,
            "power": power,
        }

    def _document(self, *, respondents: int, margin: float, size: int) -> Answer:
        return {
            "epsilon": self.epsilon,
            "options": self.options,
            "size": size,
            "share": self.share.value if isinstance(self.share, Share) else self.share,
            "confidence": self.confidence,
            "all_options": self.all_options,
            "respondents": respondents,
            "margin": margin,
        }
