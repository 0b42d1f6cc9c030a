"""The client against the service as it is."""

from __future__ import annotations

import threading
from concurrent.futures import Future
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import httpx
import pytest
from conftest import SERVICE, Account, Operator

from radar_client import (
    BadRequest,
    Client,
    Conflict,
    FilePosition,
    NotFound,
    Retries,
    Unauthorized,
    WebhookRejected,
    types,
    unwrap,
)

REVIEWS: types.NewCompanyRadar = {"domain": "example.com", "radar_type": "company_reviews"}
MENTIONS: types.NewCompanyRadar = {"domain": "example.com", "radar_type": "company_mentions"}


def text_of(update: types.Update) -> str | None:
    assert update["update_type"] == "radar_finding" and update["radar_type"] == "company_reviews"
    return update["content"]["review_content"]


def test_every_operation_has_its_method() -> None:
    document = httpx.get(f"{SERVICE}/openapi.json").json()
    names = {operation["operationId"] for path in document["paths"].values() for operation in path.values()}
    snake = {"".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name) for name in names}
    assert {name for name in snake if not callable(getattr(Client, name, None))} == set()


def test_a_radar_lives_and_ends(client: Client) -> None:
    radar = client.create_company_radar(REVIEWS)
    assert client.get_radar(radar["radar_id"])["domain"] == "example.com"
    assert client.get_radar_health(radar["radar_id"])["radar_id"] == radar["radar_id"]
    assert client.get_account()["account"]["active_radars"] == 1
    assert client.delete_radar(radar["radar_id"])["radar_status"] == "inactive"


def test_lists_are_sent_value_by_value(client: Client) -> None:
    made = {client.create_company_radar(radar)["radar_id"] for radar in (REVIEWS, MENTIONS)}
    found = client.list_radars(radar_type=["company_reviews", "company_mentions"], radar_id=list(made))
    assert {radar["radar_id"] for radar in found} == made


def test_lists_run_over_all_pages(client: Client, operator: Operator) -> None:
    made = client.create_radars({"radars": [REVIEWS, MENTIONS, {"radar_type": "industry_new_companies"}]})
    assert made["summary"]["created"] == 3
    assert len(list(client.list_radars(limit=1))) == 3
    for number in range(5):
        operator.push("example.com", number)
    assert [text_of(update) for update in client.list_updates(limit=2)] == [f"Review {n}." for n in range(5)]


def test_updates_are_streamed_and_exported(client: Client, operator: Operator) -> None:
    client.create_company_radar(REVIEWS)
    for number in range(3):
        operator.push("example.com", number)
    stream = client.stream_updates()
    (first, update), second = next(stream), next(stream)
    assert (text_of(update), text_of(second[1])) == ("Review 0.", "Review 1.")
    assert text_of(next(client.stream_updates(cursor=first))[1]) == "Review 1."
    assert len(list(client.export_updates())) == 3
    assert len(list(client.export_updates(format="csv"))) == 4


def test_refusals_have_their_classes(client: Client) -> None:
    radar_id = client.create_company_radar(REVIEWS)["radar_id"]
    with pytest.raises(Conflict) as conflict:
        client.create_company_radar(REVIEWS)
    assert conflict.value.errors[0]["reason"].endswith(radar_id)
    assert conflict.value.error_id and conflict.value.error_id in str(conflict.value)
    with pytest.raises(NotFound):
        client.get_radar("00000000-0000-7000-8000-000000000000")
    with pytest.raises(BadRequest) as bad:
        list(client.list_updates(limit=1000))
    assert [error["field"] for error in bad.value.errors] == ["limit"]
    with Client(SERVICE, "wrong") as stranger, pytest.raises(Unauthorized):
        stranger.get_account()


class LosesAnswers(httpx.BaseTransport):
    """Sends requests and loses the first answers."""

    def __init__(self, answers: int) -> None:
        self._wire, self._left = httpx.HTTPTransport(), answers

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        response = self._wire.handle_request(request)
        if self._left:
            self._left -= 1
            response.close()
            raise httpx.ReadError("the answer was lost", request=request)
        return response

    def close(self) -> None:
        self._wire.close()


def test_a_create_whose_answer_was_lost_creates_once(account: Account) -> None:
    retries = Retries(first_pause=0.01)
    with Client(SERVICE, account.api_key, retries=retries, transport=LosesAnswers(2)) as client:
        radar = client.create_company_radar(REVIEWS)
        assert [made["radar_id"] for made in client.list_radars()] == [radar["radar_id"]]


def test_updates_are_followed_over_restarts(client: Client, operator: Operator, tmp_path: Path) -> None:
    client.create_company_radar(REVIEWS)
    seen: list[str | None] = []

    def follow_until(count: int) -> None:
        stop = threading.Event()

        def handle(update: types.Update) -> None:
            seen.append(text_of(update))
            if len(seen) == count:
                stop.set()

        client.follow(handle, FilePosition(tmp_path / "position"), interval=0.05, stop=stop, limit=2)

    def fail(update: types.Update) -> None:
        raise RuntimeError(update["update_id"])

    for number in range(5):
        operator.push("example.com", number)
    follow_until(3)
    with pytest.raises(RuntimeError):
        client.follow(fail, FilePosition(tmp_path / "position"))
    later = threading.Timer(0.2, operator.push, ("example.com", 5))
    later.start()
    follow_until(6)
    later.join()
    assert seen == [f"Review {number}." for number in range(6)]


def test_what_is_pushed_is_unwrapped(client: Client, operator: Operator, account: Account) -> None:
    received: Future[tuple[bytes, dict[str, str]]] = Future()

    class Receiver(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            received.set_result((self.rfile.read(int(self.headers["content-length"])), dict(self.headers)))
            self.send_response(204)
            self.end_headers()

        def log_message(self, format: str, *arguments: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Receiver) as server:
        hook = f"http://127.0.0.1:{server.server_port}/"
        client.create_company_radar({"domain": "example.com", "radar_type": "company_reviews", "webhook_url": hook})
        operator.push("example.com", 1)
        server.timeout = 60
        server.handle_request()
    body, headers = received.result(timeout=0)
    assert unwrap(body, headers, account.webhook_secret) == next(client.list_updates())
    assert client.get_webhook_secret()["webhook_secret"] == account.webhook_secret
    with pytest.raises(WebhookRejected):
        unwrap(body + b" ", headers, account.webhook_secret)
