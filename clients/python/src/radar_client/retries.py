"""Which calls are repeated, and when."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass

import httpx

from .errors import ApiError, ConnectionFailed, error_of

#: Refused before anything was done.
_UNTOUCHED = frozenset({408, 429})


@dataclass(frozen=True)
class Retries:
    """How often a call is made at most, and the pauses between, in seconds."""

    attempts: int = 5
    first_pause: float = 0.5
    longest_pause: float = 8.0
    #: A `Retry-After` beyond this is not waited for: the error is raised, and tells it.
    longest_retry_after: float = 60.0

    def send(self, send: Callable[[], httpx.Response], is_repeatable: bool) -> httpx.Response:
        """The first good answer; raises the last failure. What must not happen twice is repeated only when the
        service has certainly not begun with it."""
        failure: ApiError | ConnectionFailed
        attempt = 1
        while True:
            try:
                response = send()
            except httpx.TransportError as error:
                may_repeat = is_repeatable or isinstance(error, (httpx.ConnectError, httpx.ConnectTimeout))
                failure = ConnectionFailed(f"{type(error).__name__}: {error}")
                failure.__cause__ = error
                asked = 0.0
            else:
                if response.is_success:
                    return response
                failure = error_of(response)
                asked = failure.retry_after or 0.0
                may_repeat = failure.status in _UNTOUCHED or (is_repeatable and failure.status >= 500)
            if not may_repeat or attempt >= self.attempts or asked > self.longest_retry_after:
                raise failure
            time.sleep(max(asked, self.pause(attempt)))
            attempt += 1

    def pause(self, attempt: int) -> float:
        """The pause after so many attempts: doubled each time, and spread, so that clients do not come in step."""
        return min(self.first_pause * 2.0 ** (attempt - 1), self.longest_pause) * random.uniform(0.5, 1.0)
