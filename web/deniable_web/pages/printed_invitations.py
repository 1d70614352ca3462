"""Prints invitations on paper: a page of slips, each with a code, an address and a picture."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

import segno
from babel.dates import format_date, format_time, get_datetime_format, get_time_format
from markupsafe import Markup

from deniable_issuer.inviting import Issued
from deniable_sdk import PublishedSurvey
from deniable_sdk.survey.groups import group_of
from deniable_sdk.survey.text import in_language
from deniable_web.packaged_files import page_templates
from deniable_web.pages.languages import DEFAULT, LANGUAGES, best, catalog, direction, spoken

_BORDER: Final = 4  # modules; scanners need this much


@dataclass(frozen=True, slots=True)
class SlipPage:
    """How slips of a survey are printed.

    Args:
        survey: the published survey.
        language: any language tag.
        address: of the form, without a code.
        link_of: the address with a code.
    """

    survey: PublishedSurvey
    language: str
    address: str
    link_of: Callable[[str], str]

    def render(self, issued: Sequence[Issued]) -> str:
        """The page with a slip for each code, as HTML without scripts."""
        words = catalog("slips", self.language)["slip"]
        until = self.survey.invited.collect_until if self.survey.invited else None
        return _TEMPLATES.get_template("slips.html").render(
            language=spoken(self.language),
            direction=direction(spoken(self.language)),
            title=in_language(self.survey.title, self.language),
            words=words,
            address=self.address,
            until=_moment(until, self.language) if until else None,
            slips=[
                {
                    "code": each.code,
                    "contact": each.contact,
                    "group": group_name(self.survey, each.group, self.language),
                    "drawing": _draw(self.link_of(each.code)),
                }
                for each in issued
            ],
        )


def language_of(survey: PublishedSurvey, wanted: str | None) -> str:
    """The language of slips: the wanted one, or one that both survey and interface have."""
    if wanted:
        return wanted
    spoken_here = (language.code for language in LANGUAGES)
    return best(spoken_here, sorted(survey.languages)) or DEFAULT


def group_name(survey: PublishedSurvey, group_id: str, language: str) -> str:
    """The name of a group for respondents."""
    text = group_of(survey.groups, group_id).text
    return group_id if text is None else in_language(text, language)


def _moment(moment: datetime, language: str) -> str:
    """A moment in the time of this machine, which is that of whoever invites."""
    locale, local = spoken(language), moment.astimezone()
    minutes = get_time_format("long", locale).pattern.replace(":ss", "")
    both = str(get_datetime_format("long", locale=locale)).replace("'", "")
    return both.format(
        format_time(local, minutes, locale=locale), format_date(local, "long", locale)
    )


def _draw(link: str) -> Markup:
    """The picture of a link, as SVG inside a page."""
    drawn: str = segno.make(link, error="m", micro=False).svg_inline(
        border=_BORDER, omitsize=True, svgclass=None, lineclass=None
    )
    return Markup(drawn)  # noqa: S704 - it has the library's own lines only


_TEMPLATES = page_templates()
