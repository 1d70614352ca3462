"""Addresses of machines."""

import ipaddress


def is_loopback(host: str) -> bool:
    """Whether only this machine itself is reached under a name or an address."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
