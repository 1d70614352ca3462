"""deniable remind: a new code for people who have not collected their token."""

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Unpack

import click

from deniable_issuer.errors import InvalidPeople
from deniable_issuer.inviting import MailState, Person, issue_together, people_of
from deniable_issuer.keyring import check_keys, invited_of
from deniable_issuer.people import contact_key, is_address, read_people
from deniable_issuer.store import open_issuer_store
from deniable_sdk import PublishedSurvey
from deniable_web.commands.invitations import (
    WaysOptions,
    dry_run_option,
    finish_interrupted,
    issuer_store_option,
    mail_all,
    print_state,
    read_published,
    read_ways,
    refuse_if_over,
    report_format_option,
    ways_options,
)
from deniable_web.commands.published import published_options
from deniable_web.commands.tables import say


@click.command("remind", short_help="Send a new code to people who have not used theirs.")
@published_options
@issuer_store_option
@ways_options
@click.option(
    "--only",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="PEOPLE.csv",
    help="Only these people, even if they were reminded before or their mail is unclear.",
)
@dry_run_option
@report_format_option
def command(
    survey: str,
    collector: str,
    store: str,
    only: Path | None,
    dry_run: bool,
    output_format: str,
    **given: Unpack[WaysOptions],
) -> None:
    """Replace the code of everybody with a contact who has not collected their token.

    The former code stops working in the same moment. Each person is reminded once.
    People without a contact cannot be reminded. SURVEY is as for deniable invite.
    """
    published = read_published(survey, collector)
    refuse_if_over(published)
    ways = read_ways(published, collector, given)
    with closing(open_issuer_store(store, must_exist=True)) as opened:
        check_keys(opened, published)
        chosen = _chosen(people_of(opened, published.digest), published, only)
        if ways.letter:
            _require_addresses(chosen)
        if dry_run:
            say(f"Nothing was done. {len(chosen)} people would get a new code.")
            print_state(opened, published, output_format)
            return
        try:
            finish_interrupted(opened, ways)
            if ways.letter:
                mail_all(opened, chosen, ways)
            elif issue_together(opened, published, chosen, {}, ways.write_files):
                ways.finish_files()
        finally:
            print_state(opened, published, output_format)


def _chosen(
    people: Sequence[Person], survey: PublishedSurvey, only: Path | None
) -> Sequence[Person]:
    """The people who get a new code."""
    late = [
        each
        for each in people
        if each.contact and not each.has_collected and each.state is not MailState.PENDING
    ]
    if only is None:
        return [each for each in late if each.state is MailState.SENT]
    listed = read_people(only, [group.id for group in invited_of(survey).groups])
    known = {contact_key(each.contact) for each in people if each.contact}
    for each in listed:
        if each.contact is None or contact_key(each.contact) not in known:
            raise InvalidPeople(
                f"{only}:{each.line}: nobody with this contact has a code; use deniable invite"
            )
    wanted = {contact_key(each.contact) for each in listed if each.contact}
    return [each for each in late if each.contact and contact_key(each.contact) in wanted]


def _require_addresses(people: Sequence[Person]) -> None:
    others = sum(not is_address(each.contact or "") for each in people)
    if others:
        raise InvalidPeople(
            f"the contacts of {others} people are no e-mail addresses; use --links or --slips"
        )
