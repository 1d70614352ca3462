"""What deniable invite and deniable remind share: whom they write to, and how."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

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
    issue_together,
    people_of,
    undo_mail,
)
from deniable_issuer.issuing import is_over
from deniable_issuer.keyring import invited_of
from deniable_issuer.mailing import Delivery, Letter, Mailer, MailServer
from deniable_issuer.store import IssuerStore
from deniable_sdk import PublishedSurvey
from deniable_sdk.addresses import read_address
from deniable_web.commands.options import FILE, Format, env_option, fetch_published, together
from deniable_web.commands.tables import print_json, print_table, progress_bar, say
from deniable_web.pages.printed_invitations import SlipPage, group_name, language_of

DEFAULT_ISSUER_STORE = "issuer.sqlite"


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
        groups: the ids of the groups whose people report at the collector.
    """

    survey: PublishedSurvey
    files: Sequence[CodeFile]
    letter: Letter | None
    server: MailServer | None
    link: Callable[[str], str]
    language: str
    groups: Sequence[str]

    def issue(
        self, store: IssuerStore, people: Sequence[Person], missing: Mapping[str, int]
    ) -> Sequence[Issued]:
        """Codes for people and for how many more of each group; they are in the files."""
        issued = issue_together(store, self.survey, people, missing, self._write)
        # The files get their names when their codes count.
        for file in self.files if issued else ():
            file.finish()
        return issued

    def _write(self, issued: Sequence[Issued]) -> None:
        for file in self.files:
            file.write(issued)


issuer_store_option = env_option(
    "DENIABLE_ISSUER_STORE",
    "--store",
    default=DEFAULT_ISSUER_STORE,
    show_default=True,
    metavar="FILE",
    help="The issuer's store: an SQLite file of its own.",
)
dry_run_option = click.option(
    "--dry-run", is_flag=True, help="Show what would be done; make no codes and send nothing."
)


# How codes are handed out.
ways_options = together(
    click.option(
        "--site",
        metavar="NAME",
        help="The site of the collector, if the groups of the survey name their sites. Only "
        "people of its groups get a code.",
    ),
    click.option("--links", type=FILE, help="Write a CSV file of contact, group and link."),
    click.option("--slips", type=FILE, help="Write a page of slips to be printed (HTML)."),
    click.option("--language", metavar="TAG", help="The language of the slips, like de."),
    click.option("--smtp", metavar="HOST:PORT", help="Send mails through this server."),
    click.option("--from", "sender", metavar="ADDRESS", help="The sender of the mails."),
    click.option("--subject", help="The subject of the mails."),
    click.option(
        "--text",
        type=FILE,
        help="A file with the text of the mails, with {link} or {code}, and {group}.",
    ),
)


def read_published(survey: str, collector: str) -> PublishedSurvey:
    """The published survey by invitation, of a file or of a collector.

    Raises:
        InvalidSurvey, CollectorUnreachable, CollectorRefused: as for fetch_published.
        NotByInvitation: it invites nobody.
    """
    published = fetch_published(survey, collector)
    invited_of(published)
    return published


def read_ways(published: str, collector: str, given: Mapping[str, Any]) -> Ways:
    """The ways that the options name.

    Args:
        published: as for read_published.
        collector: the address of the collector.
        given: the options of ways_options.
    Raises:
        CollectingOver: no code could be used any more.
        click.UsageError: the options name none, or a mail without all of its parts.
        InvalidLetter, MailUnavailable, InvalidAddress: one of them cannot be used.
    """
    survey = read_published(published, collector)
    if is_over(survey, utc_now()):
        raise CollectingOver(
            "the time for collecting tokens is over, so a code would be of no use; publish "
            "another edition with a later collect_until"
        )
    groups = _groups_at(survey, given["site"])
    address = read_address(collector)
    language = language_of(survey, given["language"])

    def link(code: str) -> str:
        return link_of(address, survey.slug, code)

    page = SlipPage(survey, language, f"{address}/s/{survey.slug}", link)
    links, slips, smtp = given["links"], given["slips"], given["smtp"]
    files = []
    if links:
        files.append(CodeFile(links, lambda issued: render_links(issued, link)))
    if slips:
        files.append(CodeFile(slips, page.render))
    mail = sender, subject, text = given["sender"], given["subject"], given["text"]
    if not (files or smtp):
        raise click.UsageError("nobody would see a code; name --links, --slips or --smtp")
    if any(mail) != bool(smtp) or all(mail) != bool(smtp):
        raise click.UsageError("mails need all of --smtp, --from, --subject and --text")
    letter = server = None
    if smtp:
        letter, server = Letter(sender, subject, _read_text(text)), MailServer.read(smtp)
    return Ways(survey, files, letter, server, link, language, groups)


def _groups_at(survey: PublishedSurvey, site: str | None) -> Sequence[str]:
    """The groups of a site; all, if the groups name none. Raises click.UsageError."""
    invited = invited_of(survey)
    sites = survey.sites
    if not sites and site is not None:
        raise click.UsageError(f"--site: got {site!r}, but the survey has no sites; leave it out")
    if sites and site not in sites:
        got = "nothing" if site is None else repr(site)
        raise click.UsageError(
            f"--site: got {got}; the links lead to the collector of one site, so name it: "
            f"{', '.join(sites)}"
        )
    return [group.id for group in invited.groups if group.is_at(site or "")]


def finish_interrupted(store: IssuerStore, ways: Ways) -> None:
    """Settle the files that an interrupted command left; raises UnfinishedFile."""
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
    groups = []
    for group in invited_of(survey).groups:
        members = [each for each in people if each.group == group.id]
        states = Counter(each.state for each in members)
        row = {
            "group": group.id,
            "invited": group.people,
            "codes": len(members),
            "collected": sum(each.has_collected for each in members),
        }
        groups.append(row | {str(state): states[state] for state in MailState})
    open_people = [
        {"contact": each.contact, "group": each.group, "mail": str(each.state)}
        for each in people
        if each.state in (MailState.PENDING, MailState.UNCLEAR) and not each.has_collected
    ]
    if output_format == Format.JSON:
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
