"""Signing in at an organisation's own provider (OpenID Connect) instead of typing a code.

The provider says who a person is. The issuer makes the person's code from that with a key
(`settings`), keeps the digest of the code as of every other one, and sends the person to the
form with the code behind the #. Everything after that is as with a code on paper.
"""
