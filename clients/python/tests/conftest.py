"""A service that runs, an account in it, and a provider that hands in findings. `clients/check` starts the service."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import httpx
import pytest

from radar_client import Client

SERVICE = os.environ["RADAR_URL"]


@dataclass
class Operator:
    """The operator API."""

    http: httpx.Client

    def post(self, path: str, body: dict[str, Any]) -> Any:
        answer = self.http.post(f"/operator/v1/{path}", json=body)
        assert answer.is_success, answer.text
        return answer.json()["data"]

    def push(self, domain: str, number: int) -> None:
        """Hands in the review of that number."""
        content = {"review_content": f"Review {number}.", "review_rating": 4}
        target = {"radar_type": "company_reviews", "target": {"domain": domain}}
        self.post("findings", {**target, "native_id": f"r-{number}", "source": "provider", "content": content})


@dataclass
class Account:
    """An account with money."""

    api_key: str
    webhook_secret: str


@pytest.fixture
def operator() -> Iterator[Operator]:
    headers = {"x-operator-key": os.environ["RADAR_OPERATOR__KEY"]}
    with httpx.Client(base_url=os.environ["RADAR_OPERATOR_URL"], headers=headers) as http:
        yield Operator(http)


@pytest.fixture
def account(operator: Operator) -> Account:
    limits = {"write_per_minute": 10000, "read_per_minute": 10000, "per_second": 1000}
    made = operator.post("accounts", {"name": "python", "limits": limits})
    top_up = {"amount_usd": "100", "payment_ref": str(uuid.uuid4())}
    operator.post(f"accounts/{made['account_id']}/top-ups", top_up)
    return Account(made["api_key"], made["webhook_secret"])


@pytest.fixture
def client(account: Account) -> Iterator[Client]:
    with Client(SERVICE, account.api_key) as client:
        yield client
