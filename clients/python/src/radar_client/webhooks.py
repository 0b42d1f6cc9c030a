"""Verifies what is pushed to a `webhook_url`, after Standard Webhooks 1.0.0."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from collections.abc import Mapping
from typing import cast

from .errors import WebhookRejected
from .types import Update

#: How old, or how far ahead of this machine's clock, a message may be, in seconds.
TOLERANCE = 300.0


def unwrap(
    body: bytes, headers: Mapping[str, str], secret: str, *, tolerance: float = TOLERANCE, now: float | None = None
) -> Update:
    """The update in a request to your `webhook_url`; raises `WebhookRejected` when the account did not sign it.

    `body` is what came, byte for byte: JSON that was read and written again has another signature. The same update may
    come more than once, so take each `update_id` once.
    """
    verify(body, headers, secret, tolerance=tolerance, now=now)
    return cast(Update, json.loads(body))


def verify(
    body: bytes, headers: Mapping[str, str], secret: str, *, tolerance: float = TOLERANCE, now: float | None = None
) -> None:
    """Raises `WebhookRejected` unless `secret` signed `body` lately. Also for alerts, which carry no update."""
    given = {name.lower(): value for name, value in headers.items()}
    try:
        message_id, timestamp = given["webhook-id"], given["webhook-timestamp"]
        signatures = given["webhook-signature"].split()
    except KeyError as missing:
        raise WebhookRejected(f"the header {missing} is missing") from None
    if not timestamp.isascii() or not timestamp.isdecimal():
        raise WebhookRejected("webhook-timestamp is no number")
    if abs((time.time() if now is None else now) - int(timestamp)) > tolerance:
        raise WebhookRejected("webhook-timestamp is too far from now")
    signed = f"{message_id}.{timestamp}.".encode() + body
    digest = hmac.new(_key(secret), signed, hashlib.sha256).digest()
    expected = b"v1," + base64.b64encode(digest)
    # While a secret is rotated there is one signature for each of the two.
    if not any(hmac.compare_digest(expected, signature.encode()) for signature in signatures):
        raise WebhookRejected("no signature is right")


def _key(secret: str) -> bytes:
    try:
        return base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except binascii.Error:
        raise ValueError("the secret is not whsec_ and base64") from None
