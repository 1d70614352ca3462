"""The report: what leaves the device, and the check that it is legal."""

from collections.abc import Callable, Mapping

from deniable_sdk import canonical
from deniable_sdk.canonical import JSON, kind
from deniable_sdk.errors import InvalidGroup, InvalidReport, few
from deniable_sdk.mechanisms import InvalidValue
from deniable_sdk.records import Record
from deniable_sdk.survey.groups import group_of
from deniable_sdk.survey.invited import input_of, invited_group
from deniable_sdk.survey.published import PublishedSurvey
from deniable_sdk.tokens import InvalidToken, Token, TokenKey, report_id, verify

FORMAT = "deniable-report/1"

_KEYS = {"format", "report", "survey", "values"}
_OPTIONAL_KEYS = {"token", "group"}
# Whether the owner of a key signed a token's input, as tokens.verify says.
Verify = Callable[[TokenKey, bytes, bytes], bool]
_HEX_DIGITS = frozenset("0123456789abcdef")


class Report(Record, hidden="values token link_group"):
    """Randomized values of one respondent to one survey.

    Args:
        survey: the digest of the published survey.
        id: 32 hex digits, drawn at random or computed from the token;
            resending keeps it.
        values: block id to randomized value.
        token: of an invited respondent; None where everybody may answer.
        link_group: the id of the group that a link gave; "" for none.
    """

    survey: str
    id: str
    values: Mapping[str, JSON]
    token: Token | None = None
    link_group: str = ""

    @property
    def group(self) -> str:
        """The id of the respondent's group, by invitation or by link; "" for none."""
        return self.token.group if self.token else self.link_group

    def to_bytes(self) -> bytes:
        """The canonical bytes that are sent, the same on every try."""
        beside: dict[str, JSON] = {"group": self.link_group} if self.link_group else {}
        if self.token:
            beside["token"] = self.token.to_document()
        return canonical.encode(
            {
                "format": FORMAT,
                "survey": self.survey,
                "report": self.id,
                "values": dict(self.values),
                **beside,
            }
        )

    @classmethod
    def from_bytes(cls, data: bytes) -> "Report":
        """The report in JSON bytes, its form checked but not its values.

        Raises:
            InvalidReport: the bytes are not a report of this format.
        """
        try:
            return cls.from_document(canonical.parse(data))
        except canonical.NotCanonical as error:
            raise InvalidReport(f"not a report: {error}") from None

    @classmethod
    def from_document(cls, document: JSON) -> "Report":
        """The report in a JSON value, its form checked but not its values.

        Raises:
            InvalidReport: the value is not a report of this format.
        """
        if not isinstance(document, dict):
            raise InvalidReport(f"got {kind(document)}; a report is an object")
        if document.keys() - _OPTIONAL_KEYS != _KEYS or document["format"] != FORMAT:
            raise InvalidReport(
                f"a report has the keys {', '.join(sorted(_KEYS))} and no others, "
                f"and its format is {FORMAT}"
            )
        survey, own_id, values = document["survey"], document["report"], document["values"]
        if not (isinstance(survey, str) and _is_hex(survey, 64)):
            raise InvalidReport("survey: allowed is a digest of 64 lower-case hex digits")
        if not (isinstance(own_id, str) and _is_hex(own_id, 32)):
            raise InvalidReport("report: allowed is an id of 32 lower-case hex digits")
        if not isinstance(values, dict):
            raise InvalidReport(f"values: got {kind(values)}; allowed is an object")
        try:
            token = Token.from_document(document["token"]) if "token" in document else None
        except InvalidToken as error:
            raise InvalidReport(f"token: {error}") from None
        group = document.get("group", "")
        if not isinstance(group, str) or ("group" in document and not group):
            raise InvalidReport("group: allowed is the id of a group; leave it out for none")
        return cls(survey, own_id, values, token, group)


def check_report(report: Report, survey: PublishedSurvey, has_signed: Verify = verify) -> None:
    """Accept exactly the reports that a device can make for this survey.

    Args:
        report: what is checked.
        survey: that it answers.
        has_signed: whether the owner of a key signed a token's input.
    Raises:
        InvalidReport: it is another survey's, has another number of blocks,
            an unknown block, a value its mechanism cannot produce, a group that
            no link gives, or no token that the issuer signed for it.
    """
    if report.survey != survey.digest:
        raise InvalidReport(f"survey: the report is for another survey than {survey.digest}")
    known = {block.id: block for block in survey.blocks}
    if len(report.values) != survey.asked or not known.keys() >= report.values.keys():
        raise InvalidReport(
            f"values: got {len(report.values)} blocks; allowed are exactly {survey.asked} of: "
            f"{few([*known])}"
        )
    for block_id, value in report.values.items():
        try:
            known[block_id].mechanism.form.check(value)
        except InvalidValue as error:
            raise InvalidReport(f"values.{block_id}: {error}") from None
    _check_group(report, survey)
    _check_token(report, survey, has_signed)


def _check_group(report: Report, survey: PublishedSurvey) -> None:
    if not report.link_group:
        return
    try:
        group_of(survey.link_groups, report.link_group)
    except InvalidGroup as error:
        raise InvalidReport(f"group: {error}") from None


def _check_token(report: Report, survey: PublishedSurvey, has_signed: Verify) -> None:
    token = report.token
    if token is None and survey.invited is None:
        return
    if token is None:
        raise InvalidReport("the key 'token' is missing: only invited people may answer")
    try:
        group = invited_group(survey.groups, token.group)
    except InvalidToken as error:
        raise InvalidReport(f"token: {error}") from None
    signed = input_of(survey.digest, group, token.nonce)
    if report_id(signed).hex() != report.id:
        raise InvalidReport("report: it is not the id that its token has")
    if not has_signed(group.key, signed, token.signature):
        raise InvalidReport("token: the issuer did not sign it for this survey and group")


def _is_hex(text: str, length: int) -> bool:
    return len(text) == length and _HEX_DIGITS.issuperset(text)
