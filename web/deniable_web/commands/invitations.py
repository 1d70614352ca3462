"""What deniable invite and deniable remind share: whom they write to, and how."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

import click

from deniable_collector.clock import utc_now
from deniable_issuer.code_files import CodeFile, render_links, settle_files
from deniable_issuer.codes import link_of
from deniable_issuer.errors import CollectingOver, InvalidLetter
from deniable_issuer.inviting import (
    Issued,
    MailState,
    Person,
    begin_mail,
    end_mail,
    people_of,
    undo_mail,
)
from deniable_issuer.issuing import is_over
from deniable_issuer.keyring import invited_of
from deniable_issuer.mailing import Delivery, Letter, Mailer, MailServer
from deniable_issuer.store import IssuerStore
from deniable_sdk import PublishedSurvey
from deniable_sdk.addresses import read_address
from deniable_web.commands.published import Command, fetch_published
from deniable_web.commands.tables import print_json, print_table, progress_bar, say
from deniable_web.slips import SlipPage, group_name, language_of

DEFAULT_ISSUER_STORE = "issuer.sqlite"


class WaysOptions(TypedDict):
    """The options that say how codes are handed out."""

    links: Path | None
    slips: Path | None
    language: str | None
    smtp: str | None
    sender: str | None
    subject: str | None
    text: Path | None


@dataclass(frozen=True, slots=True)
class Ways:
    """How codes are handed out: in files, by mail, or both.

    Args:
        survey: the published survey.
        files: of links and slips.
        letter: the mail to people with a contact; None if they are in the files.
        server: where mails are handed over.
        link: the address of the form with a code.
        language: of the groups' names.
    """

    survey: PublishedSurvey
    files: Sequence[CodeFile]
    letter: Letter | None
    server: MailServer | None
    link: Callable[[str], str]
    language: str

    def write_files(self, issued: Sequence[Issued]) -> None:
        """Write all files beside their names."""
        for file in self.files:
            file.write(issued)

    def finish_files(self) -> None:
        """Give all files their names: their codes count now."""
        for file in self.files:
            file.finish()


issuer_store_option = click.option(
    "--store",
    default=DEFAULT_ISSUER_STORE,
    show_default=True,
    envvar="DENIABLE_ISSUER_STORE",
    show_envvar=True,
    metavar="FILE",
    help="The issuer's store: an SQLite file of its own.",
)
report_format_option = click.option(
    "--format",
    "output_format",
    type=click.Choice(["table", "json"]),
    default="table",
    show_default=True,
    help="How to print the result.",
)
dry_run_option = click.option(
    "--dry-run", is_flag=True, help="Show what would be done; make no codes and send nothing."
)


def ways_options(function: Command) -> Command:
    """How codes are handed out."""
    file = click.Path(dir_okay=False, path_type=Path)
    options = (
        click.option("--links", type=file, help="Write a CSV file of contact, group and link."),
        click.option("--slips", type=file, help="Write a page of slips to be printed (HTML)."),
        click.option("--language", metavar="TAG", help="The language of the slips, like de."),
        click.option("--smtp", metavar="HOST:PORT", help="Send mails through this server."),
        click.option("--from", "sender", metavar="ADDRESS", help="The sender of the mails."),
        click.option("--subject", help="The subject of the mails."),
        click.option(
            "--text",
            type=file,
            help="A file with the text of the mails, with {link} or {code}, and {group}.",
        ),
    )
    for option in reversed(options):
        function = option(function)
    return function


def read_published(survey: str, collector: str) -> PublishedSurvey:
    """The published survey by invitation, of a file or of a collector.

    Raises:
        InvalidSurvey, CollectorUnreachable, CollectorRefused: as for fetch_published.
        NotByInvitation: it invites nobody.
    """
    published = fetch_published(survey, collector)
    invited_of(published)
    return published


def refuse_if_over(survey: PublishedSurvey) -> None:
    """Raise CollectingOver if no code can be used any more."""
    if is_over(survey, utc_now()):
        raise CollectingOver(
            "the time for collecting tokens is over, so a code would be of no use; publish "
            "another edition with a later collect_until"
        )


def read_ways(survey: PublishedSurvey, collector: str, given: WaysOptions) -> Ways:
    """The ways that the options name.

    Raises:
        click.UsageError: they name none, or a mail without all of its parts.
        InvalidLetter, MailUnavailable, InvalidAddress: one of them cannot be used.
    """
    address = read_address(collector)
    language = language_of(survey, given["language"])

    def link(code: str) -> str:
        return link_of(address, survey.slug, code)

    page = SlipPage(survey, language, f"{address}/s/{survey.slug}", link)
    links, slips, smtp = given["links"], given["slips"], given["smtp"]
    files = [
        *([CodeFile(links, lambda issued: render_links(issued, link))] if links else []),
        *([CodeFile(slips, page.render)] if slips else []),
    ]
    parts = given["sender"], given["subject"], given["text"]
    if not (files or smtp):
        raise click.UsageError("nobody would see a code; name --links, --slips or --smtp")
    if any(parts) != bool(smtp) or all(parts) != bool(smtp):
        raise click.UsageError("mails need all of --smtp, --from, --subject and --text")
    sender, subject, text = parts
    letter = Letter(sender, subject, _read_text(text)) if sender and subject and text else None
    return Ways(survey, files, letter, MailServer.read(smtp) if smtp else None, link, language)


def finish_interrupted(store: IssuerStore, ways: Ways) -> None:
    """Settle the files that an interrupted command left.

    Raises:
        UnfinishedFile: another file has the name of one of them.
    """
    for path in settle_files(store, ways.files):
        say(f"Finished what an interrupted command had begun: {path}.")


def mail_all(store: IssuerStore, people: Sequence[Person], ways: Ways) -> None:
    """Send each person a mail with a new code, with a progress bar.

    Raises:
        MailUnavailable: the server cannot be used; nobody is left out or gets two mails if
            the command is run again.
    """
    letter, server = ways.letter, ways.server
    if letter is None or server is None or not people:
        return
    with Mailer(server) as mailer, progress_bar() as progress:
        for person in progress.track(people, description="Sending"):
            mailer.connect()
            issued = begin_mail(store, person)
            if issued is None:
                continue
            name = group_name(ways.survey, issued.group, ways.language)
            known = mailer.send(letter.compose(issued, ways.link(issued.code), name))
            if known is Delivery.ACCEPTED:
                end_mail(store, person, issued)
            elif known is Delivery.REFUSED:
                undo_mail(store, person, issued)


def print_state(store: IssuerStore, survey: PublishedSurvey, output_format: str) -> None:
    """Print the counts of each group, and who may have no mail."""
    people = people_of(store, survey.digest)
    uncertain = (MailState.PENDING, MailState.UNCLEAR)
    groups = [
        {
            "group": group.id,
            "invited": group.invited,
            "codes": len(members),
            "collected": sum(each.has_collected for each in members),
            **{str(state): Counter(each.state for each in members)[state] for state in MailState},
        }
        for group in invited_of(survey).groups
        for members in [[each for each in people if each.group == group.id]]
    ]
    open_people = [
        {"contact": each.contact, "group": each.group, "mail": str(each.state)}
        for each in people
        if each.state in uncertain and not each.has_collected
    ]
    if output_format == "json":
        print_json({"groups": groups, "people": open_people})
        return
    print_table("Groups", groups)
    print_table(
        "People who may have no invitation yet",
        open_people,
        note="pending: not handed out yet, or refused by the mail server; the same command tries "
        "again. unclear: the command was interrupted, and a mail may have been sent; ask, and use "
        "deniable remind --only.",
    )


def _read_text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise InvalidLetter(f"{path}: not a text in UTF-8; save it in that encoding") from None
