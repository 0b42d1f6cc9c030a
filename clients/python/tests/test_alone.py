"""What needs no service: which calls are repeated, and which signatures are right."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from email.utils import formatdate

import httpx
import pytest

from radar_client import (
    ApiError,
    Client,
    ConnectionFailed,
    InternalError,
    RateLimited,
    Unauthorized,
    Unavailable,
    WebhookRejected,
    unwrap,
)

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
BODY = b'{"test": 2432232314}'
HEADERS = {
    "Webhook-Id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
    "Webhook-Timestamp": "1614265330",
    "Webhook-Signature": "v1,AAAA v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
}
ACCOUNT = {"data": {"balance_remaining_usd": 1}}


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The pauses that were asked for instead of made."""
    made: list[float] = []
    monkeypatch.setattr(time, "sleep", made.append)
    return made


def client_of(*answers: httpx.Response | Exception) -> tuple[Client, list[httpx.Request]]:
    """A client that is answered these one after the other, and what it asks."""
    asked: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        given = answers[len(asked) - 1]
        if isinstance(given, Exception):
            raise given
        return given

    return Client("http://radar.example", "key", transport=httpx.MockTransport(answer)), asked


def test_what_may_succeed_later_is_repeated(pauses: list[float]) -> None:
    refused = [httpx.Response(status) for status in (408, 502, 503)]
    client, asked = client_of(*refused, httpx.ReadTimeout("late"), httpx.Response(200, json=ACCOUNT))
    assert client.get_account()["balance_remaining_usd"] == 1
    assert len(asked) == 5
    bounds = zip(pauses, (0.5, 1.0, 2.0, 4.0), strict=True)
    assert all(longest / 2 <= pause <= longest for pause, longest in bounds)


def test_retry_after_is_honoured(pauses: list[float]) -> None:
    date = formatdate(time.time() + 40, usegmt=True)
    limited = [httpx.Response(429, headers={"retry-after": value}) for value in ("7", date)]
    client, _ = client_of(*limited, httpx.Response(200, json=ACCOUNT))
    client.get_account()
    assert pauses[0] == 7 and 35 < pauses[1] <= 40


def test_a_long_wait_is_left_to_the_caller(pauses: list[float]) -> None:
    client, asked = client_of(httpx.Response(429, headers={"retry-after": "360"}))
    with pytest.raises(RateLimited) as limited:
        client.preview_radar({"radar_type": "industry_new_companies"})
    assert (limited.value.retry_after, len(asked), pauses) == (360, 1, [])


def test_it_gives_up_at_last(pauses: list[float]) -> None:
    client, asked = client_of(*[httpx.Response(503, headers={"x-request-id": "r1"})] * 5)
    with pytest.raises(Unavailable) as unavailable:
        client.get_account()
    assert (len(asked), unavailable.value.request_id) == (5, "r1")


@pytest.mark.parametrize(
    ("answer", "error"),
    [(httpx.Response(500), InternalError), (httpx.ReadError("cut"), ConnectionFailed)],
)
def test_what_must_not_happen_twice_is_not_repeated(
    answer: httpx.Response | Exception, error: type[ApiError], pauses: list[float]
) -> None:
    client, asked = client_of(answer)
    with pytest.raises(error):
        client.rotate_webhook_secret()
    assert len(asked) == 1


@pytest.mark.parametrize("answer", [httpx.Response(429), httpx.ConnectError("refused")])
def test_but_where_the_service_has_not_begun_with_it(
    answer: httpx.Response | Exception, pauses: list[float]
) -> None:
    client, asked = client_of(answer, httpx.Response(200, json={"data": {}}))
    client.rotate_webhook_secret()
    assert len(asked) == 2


def test_all_tries_of_a_create_carry_one_key(pauses: list[float]) -> None:
    made = httpx.Response(201, json={"data": {}})
    client, asked = client_of(httpx.Response(500), made, made)
    client.create_industry_radar({"radar_type": "industry_new_companies"})
    client.create_industry_radar({"radar_type": "industry_new_companies"})
    first, again, other = (request.headers["idempotency-key"] for request in asked)
    assert first == again != other


def test_the_known_signature_is_right() -> None:
    assert dict(unwrap(BODY, HEADERS, SECRET, now=1614265330)) == {"test": 2432232314}


@pytest.mark.parametrize(
    "spoil",
    [
        lambda headers: headers | {"Webhook-Timestamp": "1614265331"},
        lambda headers: headers | {"Webhook-Timestamp": "soon"},
        lambda headers: headers | {"Webhook-Id": "another"},
        lambda headers: headers | {"Webhook-Signature": "v1,AAAA"},
        lambda headers: headers | {"Webhook-Signature": "v1a,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="},
        lambda headers: {"Webhook-Id": "msg_p5jXN8AQM9LWM0D4loKWxJek"},
    ],
)
def test_anything_else_is_not(spoil: Callable[[dict[str, str]], dict[str, str]]) -> None:
    with pytest.raises(WebhookRejected):
        unwrap(BODY, spoil(HEADERS), SECRET, now=1614265330)


@pytest.mark.parametrize("now", [1614265330 - 301, 1614265330 + 301])
def test_a_message_of_another_time_is_not(now: float) -> None:
    with pytest.raises(WebhookRejected):
        unwrap(BODY, HEADERS, SECRET, now=now)


def test_what_is_created_is_typed() -> None:
    made = httpx.Response(201, json={"data": {}})
    client, asked = client_of(made, made)
    client.create_company_radar({"domain": "example.com", "radar_type": "company_job_openings"})
    client.create_company_radar(
        {"domain": "example.com", "radar_type": "company_job_openings", "departments": ["Sales"]}
    )
    assert [request.url.path for request in asked] == ["/v1/radars/companies"] * 2


class Memory:
    """A position that is not kept."""

    def __init__(self, discovered_at: str) -> None:
        self.discovered_at = discovered_at

    def load(self) -> str:
        return self.discovered_at

    def save(self, discovered_at: str) -> None:
        self.discovered_at = discovered_at


def test_following_outlasts_an_outage(pauses: list[float]) -> None:
    page = {"updates": [{"update_id": "u2", "discovered_at": "second"}], "has_more": False, "next_cursor": None}
    client, asked = client_of(*[httpx.Response(503)] * 6, httpx.Response(200, json=page), httpx.Response(401))
    position, stop = Memory("first"), threading.Event()
    client.follow(lambda update: stop.set(), position, interval=0, stop=stop)
    assert position.discovered_at == "second"
    assert {request.url.params["since"] for request in asked} == {"first"}
    with pytest.raises(Unauthorized):
        client.follow(print, position)
