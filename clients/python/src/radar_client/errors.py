"""What a call can fail with: one class for each status of the service, and those of calls without an answer."""

from __future__ import annotations

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

import httpx


class RadarError(Exception):
    """Everything that this package raises by itself."""


class ConnectionFailed(RadarError):
    """There was no whole answer, so whether the request was carried out is not known."""


class WebhookRejected(RadarError):
    """What was received was not signed with the secret, or not lately: answer it with 400."""


class ApiError(RadarError):
    """The service refused."""

    def __init__(self, response: httpx.Response) -> None:
        self.status = response.status_code
        self.body = _body(response)
        self.message = str(self.body.get("message", response.reason_phrase))
        #: Each offending field, with the reason.
        self.errors: list[dict[str, str]] = self.body.get("errors") or []
        #: What to quote when you ask the operators. The service's own limits have none.
        self.error_id: str | None = self.body.get("error_id")
        #: What the service calls the request in its log, or what a proxy in between called it.
        self.request_id = response.headers.get("x-request-id")
        #: How long to wait, in seconds, where the service says so.
        self.retry_after = retry_after(response)
        reasons = "; ".join(f"{error.get('field')}: {error.get('reason')}" for error in self.errors)
        error_id = self.error_id and f"error_id {self.error_id}"
        request_id = self.request_id and f"request {self.request_id}"
        details = ", ".join(part for part in (str(self.status), error_id, request_id) if part)
        super().__init__(f"{reasons or self.message} ({details})")


class BadRequest(ApiError):
    """400. The answer to a bulk none of whose items was created has `summary` and `results` in its `body`."""


class Unauthorized(ApiError):
    """401."""


class InsufficientBalance(ApiError):
    """402: top up, then call again."""


class Forbidden(ApiError):
    """403: the key lacks the scope that the call needs."""


class NotFound(ApiError):
    """404."""


class MethodNotAllowed(ApiError):
    """405."""


class RequestTimeout(ApiError):
    """408."""


class Conflict(ApiError):
    """409. Of a radar that is there already, `errors[0]["reason"]` is its identifier."""


class RateLimited(ApiError):
    """429."""


class InternalError(ApiError):
    """500."""


class Unavailable(ApiError):
    """503."""


_BY_STATUS: dict[int, type[ApiError]] = {
    400: BadRequest,
    401: Unauthorized,
    402: InsufficientBalance,
    403: Forbidden,
    404: NotFound,
    405: MethodNotAllowed,
    408: RequestTimeout,
    409: Conflict,
    429: RateLimited,
    500: InternalError,
    503: Unavailable,
}


def error_of(response: httpx.Response) -> ApiError:
    """The error that `response` is."""
    return _BY_STATUS.get(response.status_code, ApiError)(response)


def retry_after(response: httpx.Response) -> float | None:
    """The seconds that `Retry-After` asks for, be it a number or a date."""
    value = response.headers.get("retry-after", "")
    if value.isdecimal():
        return float(value)
    try:
        seconds = (parsedate_to_datetime(value) - datetime.now(UTC)).total_seconds()
    except (TypeError, ValueError):
        return None
    return max(seconds, 0.0)


def _body(response: httpx.Response) -> dict[str, Any]:
    """The JSON object, or nothing where a proxy answered something else."""
    try:
        body = response.json()
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}
