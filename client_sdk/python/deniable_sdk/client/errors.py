"""What can go wrong between an app, a device's storage and a collector.

DeniableError
├── ConsentRequired       the person has not agreed, or has opted out
├── ClientShutDown        the client was shut down
├── AlreadyAnswered       this device has a report to this survey
├── FewCollected          a report would be hidden among few people
├── OtherSite             the invitation is for another site of the survey
├── YearlyCapExceeded     all surveys of a year together would tell too much
├── StorageUnavailable    the device's storage cannot be read or written
│   ├── StorageBusy           another thread or process takes too long
│   └── StorageDamaged        the file is no file of ours, or not any more
├── NotInLog              the survey is not in the collector's public log
├── InvalidLog            that log is damaged or forged, or its key cannot be used
├── InvalidAddress        that is no address of a collector
├── CollectorUnreachable  no answer came; trying again is safe
└── CollectorRefused      the collector answered with an error

The last five are those of `deniable_sdk.log`, `deniable_sdk.addresses` and
`deniable_sdk.transport`.
"""

from deniable_sdk.errors import DeniableError


class ConsentRequired(DeniableError, RuntimeError):
    """A client was opened without consent, or after the person opted out."""


class ClientShutDown(DeniableError, RuntimeError):
    """The client was shut down; open another one."""


class AlreadyAnswered(DeniableError, ValueError):
    """This device has a report to this survey already; `report` is its id."""

    def __init__(self, report: str, message: str) -> None:
        self.report = report
        super().__init__(message)


class FewCollected(DeniableError, RuntimeError):
    """Few people of the group have collected a token; `count` is how many.

    Nothing was drawn or sent. Show the number, ask the person again, and pass
    it as `collected`.
    """

    def __init__(self, count: int) -> None:
        self.count = count
        super().__init__(
            f"only {count} people of the group have a token; show it, ask again, and pass it as "
            "collected"
        )


class OtherSite(DeniableError, ValueError):
    """The invitation is for another site of the survey; `site` is its name.

    Nothing was signed: the code can still be used.
    """

    def __init__(self, site: str, own: str) -> None:
        self.site = site
        super().__init__(
            f"the invitation is for the site {site!r}, and this is {own!r}; report at the "
            "collector of that site"
        )


class YearlyCapExceeded(DeniableError, ValueError):
    """All surveys of a year together would spend more than the cap allows."""


class StorageUnavailable(DeniableError, OSError):
    """The device's storage cannot be read or written."""


class StorageBusy(StorageUnavailable):
    """Another thread or process is writing; trying again is safe."""


class StorageDamaged(StorageUnavailable):
    """The file of reports is no file of ours, or not any more."""
