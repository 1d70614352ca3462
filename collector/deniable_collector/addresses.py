"""Addresses of machines."""

import ipaddress


def is_loopback(host: str) -> bool:
    """Whether a name or an address leads to this machine only."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
