"""deniable remind: a new code for people who have not used theirs."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from deniable_issuer.errors import InvalidPeople
from deniable_issuer.inviting import MailState, Person, people_of
from deniable_issuer.keyring import check_keys
from deniable_issuer.people import contact_key, is_address, read_people
from deniable_issuer.store import open_issuer_store
from deniable_web.commands.invitations import (
    dry_run_option,
    finish_interrupted,
    issuer_store_option,
    mail_all,
    print_state,
    read_ways,
    ways_options,
)
from deniable_web.commands.options import FILE, published_options, table_or_json_option
from deniable_web.commands.tables import warn


@click.command("remind")
@published_options
@issuer_store_option
@ways_options
@click.option(
    "--only",
    type=FILE,
    metavar="PEOPLE.csv",
    help="Only these people, even if they were reminded before or their mail is unclear.",
)
@dry_run_option
@table_or_json_option
def command(
    survey: str,
    collector: str,
    store: str,
    only: Path | None,
    dry_run: bool,
    output_format: str,
    **given: Any,
) -> None:
    """Replace the code of everybody with a contact who has not collected their token.

    The former code stops working in the same moment. Each person is reminded once.
    People without a contact cannot be reminded. SURVEY is as for deniable invite.
    """
    ways = read_ways(survey, collector, given)
    published = ways.survey
    with open_issuer_store(store, must_exist=True) as opened:
        check_keys(opened, published)
        chosen = _chosen(people_of(opened, published.digest), ways.groups, only)
        others = sum(not is_address(each.contact or "") for each in chosen)
        if ways.letter and others:
            raise InvalidPeople(
                f"the contacts of {others} people are no e-mail addresses; use --links or --slips"
            )
        if dry_run:
            warn(f"Nothing was done. {len(chosen)} people would get a new code.")
            print_state(opened, published, output_format)
            return
        try:
            finish_interrupted(opened, ways)
            if ways.letter:
                mail_all(opened, chosen, ways)
            else:
                ways.issue(opened, chosen, {})
        finally:
            print_state(opened, published, output_format)


def _chosen(
    people: Sequence[Person], groups: Sequence[str], only: Path | None
) -> Sequence[Person]:
    """The people who get a new code."""
    late = [
        each
        for each in people
        if each.contact
        and each.group in groups
        and not each.has_collected
        and each.state is not MailState.PENDING
    ]
    if only is None:
        return [each for each in late if each.state is MailState.SENT]
    listed = read_people(only, groups, warn)
    known = {contact_key(each.contact) for each in people if each.contact}
    wanted = set()
    for each in listed:
        wanted.add(contact_key(each.contact or ""))
        if each.contact is None or contact_key(each.contact) not in known:
            raise InvalidPeople(
                f"{only}:{each.line}: nobody with this contact has a code; use deniable invite"
            )
    return [each for each in late if contact_key(each.contact or "") in wanted]
