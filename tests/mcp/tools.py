"""An agent's first minutes with the official client, over HTTP and on standard streams: tools.py PROGRAM URL."""

import asyncio
import os
import sys

from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client

KEY = os.environ["RADAR_API_KEY"]
NAMES = [
    "list_radar_types",
    "preview_radar",
    "create_radar",
    "list_radars",
    "list_updates",
    "get_radar_health",
    "deactivate_radar",
]


async def use_every_tool(transport, domain: str) -> None:
    async with Client(transport) as client:
        print(f"protocol {client.protocol_version}, server {client.server_info.name}")
        tools = (await client.list_tools()).tools
        assert [tool.name for tool in tools] == NAMES, tools
        assert [tool.name for tool in tools if not tool.annotations.read_only_hint] == ["create_radar", "deactivate_radar"]

        # The client holds every answer against the schema of its tool.
        async def call(name, **arguments):
            result = await client.call_tool(name, arguments)
            assert not result.is_error, result
            return result.structured_content

        assert len((await call("list_radar_types"))["data"]) == 15
        wanted = {"radar_type": "company_reviews", "domain": domain}
        price = (await call("preview_radar", **wanted))["data"]["price"]
        assert (await call("create_radar", **wanted))["created"] is False
        agreed = {**wanted, "confirm": True, "model": price["model"], "rate_usd": price["rate_usd"]}
        created = await call("create_radar", **agreed)
        radar = {"radar_id": created["radar"]["radar_id"]}
        again = await client.call_tool("create_radar", agreed)
        assert again.is_error and again.structured_content["code"] == 409, again
        listed = (await call("list_radars", radar_status="active"))["data"]
        assert [one["radar_id"] for one in listed] == [radar["radar_id"]]
        await call("get_radar_health", **radar)
        await call("list_updates", update_type=["radar_finding", "radar_failure"])
        assert (await call("deactivate_radar", **radar))["deactivated"] is False
        assert (await call("deactivate_radar", **radar, confirm=True))["deactivated"] is True


async def main(program: str, url: str) -> None:
    http = create_mcp_http_client(headers={"x-api-key": KEY})
    await use_every_tool(streamable_http_client(f"{url}/mcp", http_client=http), "over-http.com")
    server = StdioServerParameters(command=program, args=["mcp", "--url", url], env={"RADAR_API_KEY": KEY})
    await use_every_tool(stdio_client(server), "over-stdio.com")


asyncio.run(main(*sys.argv[1:]))
