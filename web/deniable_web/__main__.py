"""`python -m deniable_web` is the command `deniable`."""

from deniable_web.commands import main

main()
