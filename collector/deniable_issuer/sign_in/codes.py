"""The code of a person who has signed in: the same one again, on every device.

The code is a keyed hash of who the provider says the person is. Whoever has no key cannot
compute it, and only its digest is kept, so the store does not say who signed in. Whoever has
the store has the key, and can find out whether a person whom they can name signed in.
"""

import hmac
from collections.abc import Mapping
from sqlite3 import Connection

from deniable_issuer.codes import code_digest, make_code
from deniable_issuer.errors import NotSignedIn
from deniable_issuer.inviting import MailState
from deniable_issuer.sign_in.settings import SignIn
from deniable_issuer.store import IssuerStore
from deniable_sdk.survey.invited import group_of

_LABEL = "deniable-sign-in/1 code"
_LONGEST_CLAIM = 1_000


def code_of(sign_in: SignIn, claims: Mapping[str, object]) -> str:
    """The code of a person, as it is printed.

    Raises:
        NotSignedIn: the provider does not say who it is.
    """
    person = claims.get(sign_in.claim)
    if not isinstance(person, str) or not 0 < len(person) <= _LONGEST_CLAIM:
        raise NotSignedIn("untrusted", f"the provider does not send the claim {sign_in.claim}")
    said = "\0".join((_LABEL, sign_in.survey.digest, sign_in.provider, person))
    hashed = hmac.digest(sign_in.key, said.encode(errors="surrogatepass"), "sha256")
    return make_code(lambda count: hashed[:count])


def hand_out(store: IssuerStore, sign_in: SignIn, claims: Mapping[str, object]) -> str:
    """The code of a person, which the store knows from now on.

    A person keeps the group in which they first signed in.

    Raises:
        NotSignedIn: the person is not invited, or as many people as are invited have codes.
        StoreUnavailable: the store cannot be written now.
    """
    code = code_of(sign_in, claims)
    digest, survey = code_digest(code), sign_in.survey.digest
    with store.writing() as connection:
        if connection.execute("SELECT 1 FROM codes WHERE code_digest = ?", (digest,)).fetchone():
            return code
        group = sign_in.group_of(claims)
        if group is None:
            raise NotSignedIn("uninvited")
        if _count(connection, survey, group) >= group_of(sign_in.survey.invited, group).invited:
            raise NotSignedIn("full", "more people sign in than are invited")
        connection.execute(
            "INSERT INTO codes (code_digest, survey, group_id, mail) VALUES (?, ?, ?, ?)",
            (digest, survey, group, MailState.SIGNED_IN),
        )
    return code


def _count(connection: Connection, survey: str, group: str) -> int:
    """How many people of a group have a code, or will get one."""
    row = connection.execute(
        "SELECT count(*) FROM codes WHERE survey = ? AND group_id = ?", (survey, group)
    ).fetchone()
    return int(row[0])
