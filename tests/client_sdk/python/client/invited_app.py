"""An app for one invited person, which does one thing and ends.

python invited_app.py COLLECTOR FOLDER NOW collect CODE [SITE]: prints the group.
python invited_app.py COLLECTOR FOLDER NOW submit [COUNT]: answers, with the number that
the person was shown; prints few and the number, or the state of the report.
python invited_app.py COLLECTOR FOLDER NOW flush: prints the state of the report.
"""

import sys

from deniable_sdk import FewCollected, OtherSite, open_client
from deniable_sdk.testing import ManualClock

collector, folder, now, does, *given = sys.argv[1:]
clock = ManualClock(float(now))
with open_client(collector, consent=True, folder=folder, clock=clock) as client:
    survey = client.get_survey("wards")
    try:
        if does == "collect":
            site = given[1] if given[1:] else None
            print(client.collect_token(survey, given[0], site=site))  # noqa: T201 - the result
        elif does == "submit":
            shown = int(given[0]) if given else None
            client.submit(survey, {"asthma": True}, collected=shown)
        if does != "collect":
            client.flush()
            print(client.reports()[0].state)  # noqa: T201 - the result
    except OtherSite as other:
        print("other", other.site)  # noqa: T201 - the result
    except FewCollected as few:
        print("few", few.count, client.token_count(survey), len(client.reports()))  # noqa: T201 - the result
