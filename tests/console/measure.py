#!/usr/bin/env python3
"""Measures every page of the console with many radars and updates, beside a provider that pushes all the time.

    cargo build && tests/console/measure.py [postgres://…/an_empty_database]

RADAR names the program (target/debug/radar), RADARS and UPDATES how many there are (100,000 and 1,000,000), LOOKS how often
each page is asked for, SLICES how often findings are counted for SLICE_S seconds without and with somebody who clicks once a
second. PostgreSQL is filled by `psql`, and runs on this machine. Prints the median and the 99th percentile of each page, the
processor time that it takes in the program and in PostgreSQL, and what findings lose to who looks.
"""

import http.client
import itertools
import json
import os
import re
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from urllib.parse import urlencode

PROGRAM = os.environ.get("RADAR", "target/debug/radar")
RADARS = int(os.environ.get("RADARS", "100000"))
UPDATES = int(os.environ.get("UPDATES", "1000000"))
LOOKS = int(os.environ.get("LOOKS", "100"))
SLICES = int(os.environ.get("SLICES", "20"))
SLICE_S = int(os.environ.get("SLICE_S", "5"))
# After so long the service has looked through the ledgers that it finds at its start.
SETTLED_S = int(os.environ.get("SETTLED_S", "60"))
ACCOUNTS = 100
KEY = "operator-key-of-the-measurement"

SOURCE = 'format_version = 1\nid = "provider"\nkind = "push"\nradar_types = ["company_reviews"]\n'

# Rows are copies of those that the service has written itself. Half of all radars are of one account, a hundredth of all
# updates of one radar; of deliveries one in a hundred failed for good and one in a thousand is held.
NUMBERS = "with recursive n(i) as (select 0 union all select i + 1 from n where i < {count} - 1)"
STATEMENTS = [
    "create table m_account as select row_number() over (order by account_id) - 1 as no, account_id from account",
    "create unique index m_account_no on m_account (no)",
    """create table m_radar as {radars} select i, uid(1, i) as radar_id, (select account_id from m_account
        where no = case when i < {radar_count} / 2 then 0 else i % {accounts} end) as account_id from n""",
    "create unique index m_radar_i on m_radar (i)",
    """insert into endpoint ({endpoint}) select {endpoint_values} from endpoint t cross join m_account m
        where t.endpoint_id = '{template_endpoint}' and m.no > 0""",
    """insert into radar ({radar}) select {radar_values} from radar t cross join m_radar m
        where t.radar_id = '{template_radar}'""",
    """create table m_update as {updates} select n.i as i, uid(2, n.i) as update_id, r.radar_id, r.account_id,
        row_number() over (partition by r.account_id order by n.i) + 10 as seq
        from n join m_radar r on r.i = case when n.i < {update_count} / 100 then 0 else n.i % {radar_count} end""",
    """insert into radar_update ({radar_update}) select {radar_update_values} from radar_update t cross join m_update m
        where t.update_id = '{template_update}'""",
    """insert into delivery ({delivery}) select {delivery_values} from delivery t cross join m_update m
        where t.update_id = '{template_update}'""",
    """insert into attempt ({attempt}) select {attempt_values} from attempt t cross join m_update m
        where t.update_id = '{template_update}' and t.attempt_no = 1""",
    "update account set update_seq = 2000000, active_radars = {radar_count}",
    "update endpoint set head_sequence = 2000000",
    "drop table m_update",
    "drop table m_radar",
]
REPLACED = {
    "endpoint": {"endpoint_id": "uid(3, m.no)", "account_id": "m.account_id"},
    "radar": {
        "radar_id": "m.radar_id", "account_id": "m.account_id", "target_key": "'k' || m.i", "domain": "'d' || m.i || '.com'",
        "created_at": "t.created_at - m.i",
    },
    "radar_update": {
        "account_id": "m.account_id", "update_seq": "m.seq", "update_id": "m.update_id", "radar_id": "m.radar_id",
        "discovered_at": "t.discovered_at - {update_count} + m.i",
    },
    "delivery": {
        "update_id": "m.update_id", "account_id": "m.account_id", "update_seq": "m.seq", "sequence": "m.seq",
        "endpoint_id": "case when m.account_id = t.account_id then t.endpoint_id else uid(3, (select a.no from m_account a "
                       "where a.account_id = m.account_id)) end",
        "state": "case when m.i % 100 = 0 then 'exhausted' when m.i % 1000 = 1 then 'held' else 'delivered' end",
        "due_at": "null", "lease_until": "null", "claimed_by": "null", "attempts": "1",
        "created_at": "t.created_at - {update_count} + m.i", "finished_at": "case when m.i % 1000 = 1 then null else t.created_at end",
    },
    "attempt": {"update_id": "m.update_id", "account_id": "m.account_id"},
}


class Sqlite:
    def __init__(self, url):
        self.connection = sqlite3.connect(url.removeprefix("sqlite://"))
        self.connection.create_function("uid", 2, lambda kind, i: kind.to_bytes(8, "big") + int(i).to_bytes(8, "big"))

    def columns(self, table):
        return [row[1] for row in self.connection.execute(f"pragma table_info({table})")]

    def run(self, statement):
        # A UUID is its bytes.
        self.connection.execute(re.sub(r"'([0-9a-f]{8}-[0-9a-f-]{27})'", lambda found: f"x'{found[1].replace('-', '')}'", statement))

    def processes(self):
        return []

    def close(self):
        self.connection.execute("analyze")
        self.connection.commit()
        self.connection.close()


class Postgres:
    def __init__(self, url):
        self.url = url
        self.run("""create or replace function uid(kind bigint, i bigint) returns uuid language sql immutable as
            $$ select (lpad(to_hex(kind), 16, '0') || lpad(to_hex(i), 16, '0'))::uuid $$""")

    def columns(self, table):
        query = f"select column_name from information_schema.columns where table_name = '{table}' order by ordinal_position"
        return self.psql(query).split()

    def run(self, statement):
        self.psql(statement)

    def psql(self, statement):
        asked = ["psql", "--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--set", "ON_ERROR_STOP=1", "--command", statement]
        return subprocess.run([*asked, self.url], check=True, capture_output=True, text=True).stdout

    def processes(self):
        return self.psql("select pid from pg_stat_activity").split()

    def close(self):
        self.psql("drop table if exists m_account")
        self.psql("analyze")


class Service:
    """The program, with the provider's source."""

    def __init__(self, folder, url):
        os.makedirs(f"{folder}/sources", exist_ok=True)
        with open(f"{folder}/sources/provider.toml", "w", encoding="utf-8") as source:
            source.write(SOURCE)
        settings = {
            "HTTP__LISTEN": "127.0.0.1:0", "OPERATOR__LISTEN": "127.0.0.1:0", "OPERATOR__KEY": KEY, "DATABASE__URL": url,
            "OPERATOR__DATA_DIR": f"{folder}/data", "SOURCES__DIR": f"{folder}/sources", "WEBHOOKS__ALLOW_PRIVATE": "127.0.0.0/8",
            "HOUSEKEEPING__VERIFY_LEDGERS": "0 0 0 1 1 *", "LIMITS__PER_SECOND": "1000000", "LIMITS__WRITE_PER_MINUTE": "1000000",
        }
        self.log = open(f"{folder}/log", "w+", encoding="utf-8")
        environment = os.environ | {f"RADAR_{name}": value for name, value in settings.items()}
        self.process = subprocess.Popen([PROGRAM, "serve"], env=environment, stdout=self.log, stderr=subprocess.STDOUT)
        while not (found := re.search(r"listening api=(\S+) operator=(\S+)", self.text())):
            if self.process.poll() is not None:
                sys.exit(self.text())
            time.sleep(0.1)
        self.public, self.operator = found.groups()

    def text(self):
        self.log.seek(0)
        return re.sub(r"\x1b\[[0-9;]*m", "", self.log.read())

    def stop(self):
        self.process.terminate()
        self.process.wait()


def ask(connection, method, path, body=None, headers=None):
    headers = {"x-operator-key": KEY, "content-type": "application/json"} if headers is None else headers
    connection.request(method, path, body if isinstance(body, (str, type(None))) else json.dumps(body), headers)
    answer = connection.getresponse()
    text = answer.read()
    if answer.status >= 400:
        sys.exit(f"{method} {path}: {answer.status} {text[:400]}")
    return answer, text


def data(connection, method, path, body=None):
    return json.loads(ask(connection, method, path, body)[1])["data"]


def radar_of(operator, public, account, domain, webhook):
    """A radar that is paid by finding, for nothing, and is set up."""
    path = f"/operator/v1/accounts/{account['account_id']}"
    ask(operator, "PUT", f"{path}/prices/company_reviews", {"model": "update_based", "rate_usd": "0"})
    wanted = {"domain": domain, "radar_type": "company_reviews"} | ({"webhook_url": webhook} if webhook else {})
    headers = {"x-api-key": account["api_key"], "content-type": "application/json"}
    radar_id = json.loads(ask(public, "POST", "/v1/radars/companies", json.dumps(wanted), headers)[1])["data"]["radar_id"]
    while data(operator, "GET", f"/operator/v1/radars/{radar_id}")["set_up"] == "pending":
        time.sleep(0.05)
    return radar_id


def push(operator, radar_id, native_id):
    finding = {"radar_id": radar_id, "native_id": native_id, "source": "provider", "content": {"review_content": "Good tools"}}
    return data(operator, "POST", "/operator/v1/findings", finding)


def fill(service, database):
    """The templates, by the service; everything else as copies of them."""
    operator, public = http.client.HTTPConnection(service.operator), http.client.HTTPConnection(service.public)
    accounts = [data(operator, "POST", "/operator/v1/accounts", {"name": f"Account {no}"}) for no in range(ACCOUNTS)]
    accounts.sort(key=lambda account: account["account_id"])
    radar_id = radar_of(operator, public, accounts[0], "template.com", "http://127.0.0.1:9/hook")
    update_id = push(operator, radar_id, "template")[0]["update_id"]
    while not (delivery := data(operator, "GET", f"/operator/v1/deliveries/{update_id}"))["attempts"]:
        time.sleep(0.05)
    service.stop()
    values = {
        "radars": NUMBERS.format(count=RADARS), "updates": NUMBERS.format(count=UPDATES), "radar_count": RADARS,
        "update_count": UPDATES, "accounts": ACCOUNTS, "template_radar": radar_id, "template_update": update_id,
        "template_endpoint": delivery["endpoint"]["endpoint_id"],
    }
    for table, replaced in REPLACED.items():
        columns = database.columns(table)
        values[table] = ", ".join(columns)
        values[f"{table}_values"] = ", ".join(replaced.get(column, f"t.{column}").format(**values) for column in columns)
    for statement in STATEMENTS:
        database.run(statement.format(**values))
    database.run(f"update delivery set state = 'delivered', due_at = null, lease_until = null where update_id = '{update_id}'")
    database.run("update endpoint_health set breaker_open_until = null, next_allowed_at = null, alert_at = null")
    return accounts


class Pushing(threading.Thread):
    """A provider that pushes as quickly as it is answered."""

    def __init__(self, service, radar_id, name):
        super().__init__(daemon=True)
        self.service, self.radar_id, self.tag, self.count, self.goes_on = service, radar_id, name, 0, True

    def run(self):
        operator = http.client.HTTPConnection(self.service.operator)
        while self.goes_on:
            push(operator, self.radar_id, f"{self.tag}-{self.count}")
            self.count += 1

    def rate(self, while_doing):
        before, began_at = self.count, time.monotonic()
        while_doing()
        return (self.count - before) / (time.monotonic() - began_at)


def main():
    with tempfile.TemporaryDirectory() as folder:
        url = sys.argv[1] if len(sys.argv) > 1 else f"sqlite://{folder}/radar.db"
        service = Service(folder, url)
        database = Postgres(url) if url.startswith("postgres") else Sqlite(url)
        began_at = time.monotonic()
        accounts = fill(service, database)
        database.close()
        print(f"{RADARS} radars and {UPDATES} updates in {time.monotonic() - began_at:.0f} s", flush=True)
        service = Service(folder, url)
        try:
            measure(service, accounts, lambda: [service.process.pid, *database.processes()])
        finally:
            service.stop()


def measure(service, accounts, processes):
    time.sleep(SETTLED_S)
    operator, public = http.client.HTTPConnection(service.operator), http.client.HTTPConnection(service.public)
    form = {"content-type": "application/x-www-form-urlencoded"}
    signed_in, _ = ask(operator, "POST", "/sign-in", urlencode({"key": KEY}), form)
    headers = {"cookie": signed_in.getheader("set-cookie").split(";")[0]}
    large, small = accounts[0]["account_id"], accounts[-1]["account_id"]
    of = {"large": uuid_of(1, 0), "small": uuid_of(1, RADARS - 1), "update": uuid_of(2, UPDATES - 1)}
    pages = [
        "/", "/accounts", f"/accounts/{large}", f"/accounts/{small}", f"/accounts/{large}/ledger", f"/accounts/{large}/spend", "/radars",
        "/radars?domain=d9*", f"/radars?domain=d{RADARS - 1}.com", f"/radars?account={large}&state=active",
        "/radars?radar_type=company_reviews", "/radars?radar_type=company_job_openings", "/radars?name=nobody",
        f"/radars/{of['large']}", f"/radars/{of['small']}", "/deliveries", "/deliveries?state=exhausted", "/deliveries?state=held",
        "/deliveries?state=pending", "/deliveries?state=delivered", f"/deliveries?account_id={large}",
        f"/deliveries?account_id={small}&state=exhausted", f"/deliveries?radar_id={of['large']}",
        f"/deliveries?radar_id={of['small']}", f"/deliveries/{of['update']}", "/findings", "/sources", "/sources/greenhouse",
        "/ledger", "/changes", f"/changes?about={large}", "/nodes", "/clock", f"/find?q={of['small']}", "/find?q=d77",
        f"/find?q={of['update']}", "/find?q=nobody",
    ]
    of_page = {page: cpu_ms_of(LOOKS, lambda page=page: ask(operator, "GET", page, headers=headers), processes) for page in pages}
    busy = data(operator, "POST", "/operator/v1/accounts", {"name": "Busy"})
    pushing = Pushing(service, radar_of(operator, public, busy, "busy.com", None), "load")
    pushing.start()
    times, size = {page: [] for page in pages}, {}

    def look(page):
        began_at = time.monotonic()
        _, text = ask(http.client.HTTPConnection(service.operator), "GET", page, headers=headers)
        times[page].append(1_000 * (time.monotonic() - began_at))
        size[page] = len(text)

    clicked = itertools.cycle(pages)

    def click():
        for _ in range(SLICE_S):
            next_at = time.monotonic() + 1
            look(next(clicked))
            time.sleep(max(0.0, next_at - time.monotonic()))

    # In turns, so that whatever else the machine does meets both.
    slices = [(pushing.rate(lambda: time.sleep(SLICE_S)), pushing.rate(click)) for _ in range(SLICES)]
    of_second = cpu_ms_of(1, lambda: time.sleep(SLICE_S), processes) / SLICE_S
    at_once = pushing.rate(lambda: [look(page) for _ in range(LOOKS) for page in pages])
    pushing.goes_on = False
    print(f"{'page':70} {'median ms':>10} {'p99 ms':>8} {'CPU ms':>8} {'bytes':>8}")
    for page, taken in times.items():
        taken.sort()
        median, p99 = taken[len(taken) // 2], taken[min(len(taken) - 1, len(taken) * 99 // 100)]
        print(f"{page:70} {median:10.1f} {p99:8.1f} {of_page[page]:8.1f} {size[page]:8}")
    alone, beside = (statistics.median(rates) for rates in zip(*slices))
    cpu = statistics.mean(of_page.values())
    print(f"findings a second: {alone:.0f} while nobody looks, {beside:.0f} beside one who clicks once a second, {at_once:.0f} "
          f"beside one who looks all the time")
    print(f"processor time: {cpu:.1f} ms of a page on average, {of_second / alone:.1f} ms of a finding; who clicks once a second takes "
          f"{cpu / of_second:.1%} of what findings take")


def cpu_ms_of(times, doing, processes):
    """The processor time of `processes` while something is done so often, for each time."""
    before = cpu_ms(processes())
    for _ in range(times):
        doing()
    return (cpu_ms(processes()) - before) / times


def cpu_ms(processes):
    ticks = 0
    for process in processes:
        try:
            with open(f"/proc/{process}/stat", encoding="utf-8") as stat:
                fields = stat.read().rsplit(")", 1)[1].split()
        except FileNotFoundError:
            continue
        ticks += int(fields[11]) + int(fields[12])
    return 1_000 * ticks / os.sysconf("SC_CLK_TCK")


def uuid_of(kind, i):
    digits = f"{kind:016x}{i:016x}"
    return "-".join([digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]])


main()
