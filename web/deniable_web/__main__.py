"""`python -m deniable_web` is the command `deniable`."""

from deniable_web.command_line import main

main()
