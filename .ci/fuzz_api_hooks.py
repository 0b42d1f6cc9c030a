"""Keeps on this machine what the service is made to send: webhooks go to a port where nobody listens."""

import re

import schemathesis

LONGEST = 2048
HOST = re.compile(r"^\s*(https?:)[/\\]*[^/?#\\]*", re.IGNORECASE)


def at_home(value):
    """The same body with other hosts in its webhook addresses; what is refused anyway stays as it is."""
    if isinstance(value, list):
        return [at_home(item) for item in value]
    if not isinstance(value, dict):
        return value
    changed = {name: at_home(item) for name, item in value.items()}
    address = changed.get("webhook_url")
    if isinstance(address, str) and len(address) <= LONGEST:
        changed["webhook_url"] = HOST.sub(r"\1//127.0.0.1:9", address)
    return changed


@schemathesis.hook
def before_call(context, case, kwargs):
    case.body = at_home(case.body)
