"""One method for each operation of the service's document, under its name."""

from __future__ import annotations

import json
import threading
import uuid
from collections.abc import Callable, Iterator, Mapping
from importlib.metadata import PackageNotFoundError, version
from types import TracebackType
from typing import Any, Self, Unpack, cast
from urllib.parse import quote

import httpx

from . import types
from .errors import ApiError, ConnectionFailed, error_of
from .follow import Position
from .retries import Retries

#: What lasts long enough to be worth waiting for while updates are followed.
_PASSES = frozenset({408, 429})


class Client:
    """A client of the service at `base_url` for the account of `api_key`. Threads may share one."""

    def __init__(
        self,
        base_url: str,
        api_key: str,
        *,
        retries: Retries = Retries(),
        timeout: float = 60.0,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        headers = {"x-api-key": api_key, "user-agent": f"radar-client-python/{_version()}"}
        self._http = httpx.Client(base_url=base_url, headers=headers, timeout=timeout, transport=transport)
        self._retries = retries

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections."""
        self._http.close()

    # The account and the types of radars.

    def get_account(self, **query: Unpack[types.GetAccountParametersQuery]) -> types.AccountSummary:
        """Usage of a month, and the balance."""
        return cast(types.AccountSummary, self._get("/v1/account", query)["data"])

    def get_spend(self, **query: Unpack[types.GetSpendParametersQuery]) -> types.GetSpendResponseData:
        """For what the account paid in a month."""
        return cast(types.GetSpendResponseData, self._get("/v1/account/spend", query)["data"])

    def get_email(self) -> types.GetEmailResponseData:
        """Where alerts and digests are sent."""
        return cast(types.GetEmailResponseData, self._get("/v1/account/email")["data"])

    def set_email(self, email: types.SetEmailRequest) -> types.SetEmailResponseData:
        """Sets where alerts and digests are sent, once it is confirmed."""
        return cast(types.SetEmailResponseData, self._call("PUT", "/v1/account/email", body=email)["data"])

    def delete_email(self) -> types.DeleteEmailResponseData:
        """Stops alerts and digests by mail."""
        return cast(types.DeleteEmailResponseData, self._call("DELETE", "/v1/account/email")["data"])

    def list_radar_types(self) -> list[types.RadarType]:
        """What can be watched, by which sources, and what it costs."""
        return cast(list[types.RadarType], self._get("/v1/radar-types")["data"])

    # Radars. Creates carry an idempotency key, so that a repeated one creates and bills nothing anew.

    def create_company_radar(
        self, radar: types.NewCompanyRadar, *, idempotency_key: str | None = None
    ) -> types.Radar:
        """Watches a company."""
        return cast(types.Radar, self._create("/v1/radars/companies", radar, idempotency_key)["data"])

    def create_contact_radar(
        self, radar: types.NewContactRadar, *, idempotency_key: str | None = None
    ) -> types.Radar:
        """Watches a person."""
        return cast(types.Radar, self._create("/v1/radars/contacts", radar, idempotency_key)["data"])

    def create_industry_radar(
        self, radar: types.NewIndustryRadar, *, idempotency_key: str | None = None
    ) -> types.Radar:
        """Watches an industry."""
        return cast(types.Radar, self._create("/v1/radars/industry", radar, idempotency_key)["data"])

    def create_radars(
        self, bulk: types.NewBulk, *, idempotency_key: str | None = None
    ) -> types.CreateRadarsResponse | types.CreateRadarsResponse1:
        """Creates up to a hundred radars; `results` tells what became of each. Raises when none was created."""
        return cast(types.CreateRadarsResponse, self._create("/v1/radars/bulk", bulk, idempotency_key))

    def preview_radar(self, radar: types.PreviewRadarRequest) -> types.Preview:
        """What a radar would find, without creating it."""
        return cast(types.Preview, self._call("POST", "/v1/radars/preview", body=radar)["data"])

    def list_radars(self, **query: Unpack[types.ListRadarsParametersQuery]) -> Iterator[types.Radar]:
        """Every radar, the newest first; pages are asked for as they are needed."""
        return self._pages("/v1/radars", query, "data")

    def get_radar(self, radar_id: str) -> types.Radar:
        """One radar."""
        return cast(types.Radar, self._get(f"/v1/radars/{_part(radar_id)}")["data"])

    def delete_radar(self, radar_id: str) -> types.Radar:
        """Ends a radar, for good."""
        return cast(types.Radar, self._call("DELETE", f"/v1/radars/{_part(radar_id)}")["data"])

    def get_radar_health(self, radar_id: str) -> types.RadarHealth:
        """How well a radar can see."""
        return cast(types.RadarHealth, self._get(f"/v1/radars/{_part(radar_id)}/health")["data"])

    # Updates.

    def list_updates(self, **query: Unpack[types.ListUpdatesParametersQuery]) -> Iterator[types.Update]:
        """The updates that are there now, in the order of their publication; pages are asked for as they are needed."""
        return self._pages("/v1/updates", query, "updates")

    def stream_updates(
        self, **query: Unpack[types.StreamUpdatesParametersQuery]
    ) -> Iterator[tuple[str, types.Update]]:
        """Updates as they are published, each with the `cursor` from which a next stream goes on, until it is cut off."""
        cursor = ""
        for line in self._lines("/v1/updates/stream", query):
            if line.startswith("id:"):
                cursor = line[3:].strip()
            elif line.startswith("data:"):
                yield cursor, cast(types.Update, json.loads(line[5:]))

    def export_updates(self, **query: Unpack[types.ExportUpdatesParametersQuery]) -> Iterator[str]:
        """The lines of a file of any length; they are read as they come."""
        return self._lines("/v1/updates/export", query)

    def follow(
        self,
        handle: Callable[[types.Update], object],
        position: Position,
        *,
        interval: float = 5.0,
        stop: threading.Event | None = None,
        **query: Unpack[types.ListUpdatesParametersQuery],
    ) -> None:
        """Hands over every update once, in order, those of now and those to come, until `stop` is set.

        The position is saved when `handle` returns. What `handle` raises ends this and saves nothing, so that the update
        comes again. Outages of the service are waited for.
        """
        stop = stop or threading.Event()
        since = position.load() or query.get("since")
        while not stop.is_set():
            # Instants of publication rise strictly, so the last one handled is all that there is to remember.
            look: dict[str, Any] = {"limit": 100, **query, "cursor": None, "since": since}
            try:
                page = self._get("/v1/updates", look)
            except (ApiError, ConnectionFailed) as error:
                if isinstance(error, ApiError) and error.status < 500 and error.status not in _PASSES:
                    raise
                stop.wait(max(interval, getattr(error, "retry_after", None) or 0.0))
                continue
            for update in page["updates"]:
                handle(update)
                since = update["discovered_at"]
                position.save(since)
                if stop.is_set():
                    return
            if not page["has_more"]:
                stop.wait(interval)

    # Webhooks.

    def test_webhook(self, sample: types.WebhookTest) -> types.TestWebhookResponseData:
        """Sends an unsigned sample to an address."""
        return cast(types.TestWebhookResponseData, self._once("/v1/webhooks/test", sample)["data"])

    def get_payload_schemas(
        self, **query: Unpack[types.GetPayloadSchemasParametersQuery]
    ) -> types.GetPayloadSchemasResponseData:
        """JSON Schemas of what is pushed."""
        return cast(types.GetPayloadSchemasResponseData, self._get("/v1/webhooks/schema", query)["data"])

    def list_deliveries(self, **query: Unpack[types.ListDeliveriesParametersQuery]) -> Iterator[types.Delivery]:
        """Every delivery, page by page."""
        return self._pages("/v1/webhooks/deliveries", query, "data")

    def get_evidence(self, update_id: str) -> types.Evidence:
        """What a finding stands on."""
        return cast(types.Evidence, self._get(f"/v1/updates/{_part(update_id)}/evidence")["data"])

    def give_feedback(self, update_id: str, feedback: types.NewFeedback) -> types.GiveFeedbackResponseData:
        """Says whether a finding was of use; the latest word counts."""
        path = f"/v1/updates/{_part(update_id)}/feedback"
        return cast(types.GiveFeedbackResponseData, self._call("POST", path, body=feedback)["data"])

    def get_delivery(self, update_id: str) -> types.GetDeliveryResponseData:
        """A delivery with its attempts."""
        path = f"/v1/webhooks/deliveries/{_part(update_id)}"
        return cast(types.GetDeliveryResponseData, self._get(path)["data"])

    def resend_delivery(self, update_id: str) -> types.Delivery:
        """Sends an update once more."""
        return cast(types.Delivery, self._once(f"/v1/webhooks/deliveries/{_part(update_id)}/resend")["data"])

    def recover_deliveries(
        self, recovery: types.NewRecovery
    ) -> types.RecoverDeliveriesResponse | types.RecoverDeliveriesResponse1:
        """Sends again what failed in a range of time."""
        return cast(types.RecoverDeliveriesResponse, self._once("/v1/webhooks/recover", recovery))

    def get_recovery(self, recovery_id: str) -> types.Recovery:
        """How far a recovery is."""
        return cast(types.Recovery, self._get(f"/v1/webhooks/recover/{_part(recovery_id)}")["data"])

    def list_endpoints(self, **query: Unpack[types.ListEndpointsParametersQuery]) -> Iterator[types.Endpoint]:
        """Every address that is pushed to, page by page."""
        return self._pages("/v1/webhooks/endpoints", query, "data")

    def enable_endpoint(self, endpoint_id: str) -> types.EnableEndpointResponseData:
        """Enables an address and releases what was held for it."""
        path = f"/v1/webhooks/endpoints/{_part(endpoint_id)}/enable"
        return cast(types.EnableEndpointResponseData, self._call("POST", path)["data"])

    def get_webhook_secret(self) -> types.GetWebhookSecretResponseData:
        """The secrets that sign what is pushed."""
        return cast(types.GetWebhookSecretResponseData, self._get("/v1/webhooks/secret")["data"])

    def rotate_webhook_secret(self) -> types.RotateWebhookSecretResponseData:
        """Makes a new secret; the old one signs as well for a while."""
        return cast(types.RotateWebhookSecretResponseData, self._once("/v1/webhooks/secret/rotate")["data"])

    # Addresses for feed readers.

    def create_feed_address(self, address: types.CreateFeedAddressRequest) -> types.CreateFeedAddressResponseData:
        """Makes a secret address, which is shown once."""
        return cast(types.CreateFeedAddressResponseData, self._once("/v1/feeds", address)["data"])

    def list_feed_addresses(self) -> list[types.ListFeedAddressesResponseDatum]:
        """The addresses that are in use."""
        return cast(list[types.ListFeedAddressesResponseDatum], self._get("/v1/feeds")["data"])

    def rotate_feed_address(self, feed_id: str) -> types.RotateFeedAddressResponseData:
        """Replaces the secret part of an address."""
        path = f"/v1/feeds/{_part(feed_id)}/rotate"
        return cast(types.RotateFeedAddressResponseData, self._once(path)["data"])

    def delete_feed_address(self, feed_id: str) -> types.DeleteFeedAddressResponseData:
        """Ends an address."""
        return cast(types.DeleteFeedAddressResponseData, self._call("DELETE", f"/v1/feeds/{_part(feed_id)}")["data"])

    def read_atom_feed(self, token: str) -> str:
        """The newest updates as Atom."""
        return "\n".join(self._lines(f"/v1/feeds/{_part(token)}.atom", {}))

    def read_json_feed(self, token: str) -> dict[str, Any]:
        """The newest updates as JSON Feed."""
        return self._get(f"/v1/feeds/{_part(token)}.json")

    def list_api_keys(self) -> list[types.ApiKey]:
        """The keys of the account."""
        return cast(list[types.ApiKey], self._get("/v1/api-keys")["data"])

    def create_api_key(self, key: types.NewApiKey) -> types.CreateApiKeyResponseData:
        """Makes a key, which is shown this once."""
        return cast(types.CreateApiKeyResponseData, self._once("/v1/api-keys", key)["data"])

    def revoke_api_key(self, key_id: str) -> types.ApiKey:
        """Ends a key."""
        return cast(types.ApiKey, self._call("DELETE", f"/v1/api-keys/{_part(key_id)}")["data"])

    # How requests are made.

    def _get(self, path: str, query: Mapping[str, Any] | None = None) -> dict[str, Any]:
        return self._call("GET", path, query=query)

    def _create(self, path: str, body: object, idempotency_key: str | None) -> dict[str, Any]:
        return self._call("POST", path, body=body, headers={"idempotency-key": idempotency_key or str(uuid.uuid4())})

    def _once(self, path: str, body: object = None) -> dict[str, Any]:
        """What would do something else, or more, when it is done twice."""
        return self._call("POST", path, body=body, is_repeatable=False)

    def _pages(self, path: str, query: Mapping[str, Any], name: str) -> Iterator[Any]:
        page = self._get(path, query)
        while True:
            yield from page[name]
            if not page["has_more"]:
                return
            page = self._get(path, {**query, "cursor": page["next_cursor"]})

    def _lines(self, path: str, query: Mapping[str, Any]) -> Iterator[str]:
        with self._http.stream("GET", path, params=_given(query)) as response:
            if not response.is_success:
                response.read()
                raise error_of(response)
            yield from response.iter_lines()

    def _call(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: object = None,
        headers: Mapping[str, str] | None = None,
        is_repeatable: bool = True,
    ) -> dict[str, Any]:
        request = self._http.build_request(method, path, params=_given(query or {}), json=body, headers=headers)
        response = self._retries.send(lambda: self._http.send(request), is_repeatable)
        return cast(dict[str, Any], response.json())


def _given(query: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters that have a value; a list is one parameter for each of its values."""
    return {name: value for name, value in query.items() if value is not None}


def _part(identifier: str) -> str:
    """One part of a path."""
    return quote(identifier, safe="")


def _version() -> str:
    try:
        return version("radar-client")
    except PackageNotFoundError:
        return "0"
