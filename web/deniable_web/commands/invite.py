"""deniable invite: a code for each person on a list."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from deniable_issuer.inviting import MailState, enrol, people_of, preview
from deniable_issuer.keyring import check_keys, invited_of
from deniable_issuer.people import Invitee, contact_key, read_people
from deniable_issuer.store import IssuerStore, open_issuer_store
from deniable_web.commands.invitations import (
    Ways,
    dry_run_option,
    finish_interrupted,
    issuer_store_option,
    mail_all,
    print_state,
    read_ways,
    ways_options,
)
from deniable_web.commands.options import FILE, Format, published_options, table_or_json_option
from deniable_web.commands.tables import print_json, print_table, say, warn


@click.command("invite")
@published_options
@click.argument("people", type=FILE, metavar="PEOPLE.csv")
@issuer_store_option
@ways_options
@dry_run_option
@table_or_json_option
def command(
    survey: str,
    people: Path,
    collector: str,
    store: str,
    dry_run: bool,
    output_format: str,
    **given: Any,
) -> None:
    """Hand out a code to everybody in PEOPLE.csv who has none yet.

    SURVEY is the slug of a published survey at the collector, or a file with the
    published survey whose name ends in .json. The first line of PEOPLE.csv names its
    columns: group, and contact for people who are to get a mail or a reminder.

    With --smtp, people with a contact get a mail, and all others are in the files. Run
    the same command again after an interruption: nobody gets a second code.
    """
    ways = read_ways(survey, collector, given)
    published = ways.survey
    invitees = read_people(people, ways.groups, warn, must_be_addresses=ways.letter is not None)
    with open_issuer_store(store, must_exist=True) as opened:
        check_keys(opened, published)
        if dry_run:
            _print_preview(opened, ways, invitees, output_format)
            return
        try:
            _hand_out(opened, ways, invitees)
        finally:
            print_state(opened, published, output_format)


def _hand_out(store: IssuerStore, ways: Ways, invitees: Sequence[Invitee]) -> None:
    finish_interrupted(store, ways)
    missing = enrol(store, ways.survey, invitees)
    listed = {contact_key(each.contact) for each in invitees if each.contact}
    waiting = [
        each
        for each in people_of(store, ways.survey.digest)
        if each.state is MailState.PENDING and each.contact and contact_key(each.contact) in listed
    ]
    if not ways.files and missing:
        raise click.UsageError(
            f"{sum(missing.values())} people have no contact; name --slips or --links for them"
        )
    in_files = [] if ways.letter else waiting
    if in_files or missing:
        issued = ways.issue(store, in_files, missing)
        if issued:
            say(f"Codes in the files: {len(issued)}. Keep them secret, and do not lose them.")
    mail_all(store, waiting, ways)


def _print_preview(
    store: IssuerStore, ways: Ways, invitees: Sequence[Invitee], output_format: str
) -> None:
    new = preview(store, ways.survey, invitees)
    rows = [
        {
            "group": group.id,
            "invited": group.people,
            "on the list": sum(each.group == group.id for each in invitees),
            "new": new.get(group.id, 0),
        }
        for group in invited_of(ways.survey).groups
    ]
    if output_format == Format.JSON:
        print_json({"groups": rows})
    else:
        print_table("Nothing was done: this is what would be", rows)
    if ways.letter:
        warn(f"Subject: {ways.letter.subject}\n\n{ways.letter.text}")
