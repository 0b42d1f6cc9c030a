//! The commands of `radar admin`. Each is one request of the operator API; a new account may be followed by its money.

use actix_web::http::Method;
use clap::ArgGroup;

use super::command::Kind::{
    Address, Boolean, Content, CsvFlag, Flag, Later, Named, Number, ReceiverType, Seconds, Words,
};
use super::command::Named::{Account, Node, Radar};
use super::command::{Argument, Command, OPENING_PAYMENT, get, option, positional, post, required};

/// Commands under one name, and what they are about. One without a name of its own is the command of that name itself.
pub(super) type Group = (&'static str, &'static str, &'static [Command]);

/// All commands, in the order in which the help lists them. Paths without a slash before them begin at `/operator/v1/`.
#[rustfmt::skip]
pub(super) const COMMANDS: &[Group] = &[
    ("account", "Accounts", &[
        post("create", "Create an account; its API key and webhook secret are shown once", "accounts", NEW_ACCOUNT),
        get("list", "List accounts, with their balances", "accounts", ACCOUNTS)
            .showing(&["account_id", "name", "status", "balance_usd", "frozen_since", "approval", "created_at"]),
        get("show", "Show one account", "accounts/{account}", &[ACCOUNT]),
        post("set", "Change an account", "accounts/{account}", SETTINGS).by(&Method::PATCH),
    ]),
    ("key", "API keys of an account", &[
        post("create", "Make another API key; it is shown once", "accounts/{account}/api-keys", NEW_KEY),
        get("list", "List the keys of an account", "accounts/{account}/api-keys", &[ACCOUNT]),
        post("revoke", "Revoke a key", "accounts/{account}/api-keys/{key}", &[ACCOUNT, KEY]).by(&Method::DELETE),
    ]),
    ("portal-link", "Make a link that shows a customer its own account; it opens once, within ten minutes", &[
        post("", "", "accounts/{account}/portal-links", NEW_PORTAL_LINK),
    ]),
    ("top-up", "Add money to an account", &[post("", "", "accounts/{account}/top-ups", TOP_UP)]),
    ("spend", "For what an account paid in a month: by radar type, and by radar", &[
        get("", "", "accounts/{account}/spend/{month}", &[ACCOUNT, MONTH]),
    ]),
    ("price", "Prices of an account", &[
        get("list", "What an account pays now for every radar type", "accounts/{account}/prices?in_force=true", &[ACCOUNT])
            .showing(&["radar_type", "model", "rate_usd", "findings_per_day", "grace_period", "effective_from"]),
        get("history", "Prices of its own: past, in force, and to come", "accounts/{account}/prices", &[ACCOUNT]),
        post("set", "Set what an account pays for a radar type", "accounts/{account}/prices/{radar_type}", PRICE)
            .by(&Method::PUT),
    ]),
    ("ledger", "Entries of an account's ledger with the running balance", &[
        get("", "", "accounts/{account}/ledger", LEDGER).with_rules(ledger_rules),
    ]),
    ("statement", "An account's money in a month: opening balance, sums by kind, closing balance", &[
        get("", "", "accounts/{account}/statements/{month}", &[ACCOUNT, MONTH]),
    ]),
    ("finding", "Findings of private providers, and findings that wait for approval", &[
        post("push", "Hand in a finding", "findings", PUSH).with_rules(push_rules),
        get("list", "List findings of accounts whose findings an operator approves", "findings", FINDINGS),
        post("approve", "Let a finding through: it is charged and published", "findings/{finding}/approve", &[FINDING]),
        post("reject", "Turn a finding down", "findings/{finding}/reject", &[FINDING]),
    ]),
    ("delivery", "Deliveries of webhooks", &[
        get("list", "List deliveries, the newest first, each with the reason why it has not been sent yet",
            "deliveries", DELIVERIES)
            .showing(&["update_id", "state", "reason", "attempts", "last_outcome", "next_attempt_at", "created_at", "endpoint.url"]),
        get("show", "Show a delivery with all its attempts, and why it has not arrived", "deliveries/{update}",
            &[UPDATE]),
        post("resend", "Send a delivery again", "deliveries/{update}/resend", &[UPDATE]),
        post("recover", "Send everything again that failed in a range of time", "deliveries/recover", RECOVER),
        get("recovery", "Show how far a recovery has come", "deliveries/recover/{recovery}", &[RECOVERY]),
    ]),
    ("endpoint", "The addresses that webhooks go to", &[
        get("list", "List the addresses that webhooks go to, and their health", "endpoints", ENDPOINTS),
        post("enable", "Enable an endpoint and release what is held for it", "endpoints/{endpoint}/enable",
             &[ENDPOINT]),
    ]),
    ("webhook-secret", "The secrets that sign webhooks", &[
        post("rotate", "Make a new secret for an account; the old one signs too for 24 hours",
             "accounts/{account}/webhook-secret/rotate", &[ACCOUNT]),
    ]),
    ("radar", "Radars", &[
        get("list", "Look for radars of all accounts, newest first", "radars", RADARS)
            .showing(&["radar_id", "radar_type", "radar_status", "set_up", "domain", "full_name", "keyword", "account_id"]),
        get("show", "Internal state, timer, feeds, last polls and last error of a radar", "radars/{radar}", &[RADAR]),
        get("timeline", "What happened to a radar, what it keeps out, and why it is as it is", "radars/{radar}/timeline",
            &[RADAR, CURSOR]),
        post("release", "Charge and publish what a radar holds beyond the bound of its day", "radars/{radar}/release", &[RADAR]),
        post("deactivate", "Deactivate all radars that are found, as a job, or count them", "radars/deactivate", DEACTIVATE),
    ]),
    ("job", "Work on everything that matches: what is sent again, radars that are deactivated", &[
        get("list", "List jobs, the newest first", "jobs", &[CURSOR])
            .showing(&["job_id", "action", "state", "done", "count", "search", "since", "until", "created_at"]),
        get("show", "Show how far a job has come", "jobs/{job}", &[JOB]),
        post("stop", "Stop a job; what it has done stays done", "jobs/{job}/stop", &[JOB]),
    ]),
    ("source", "Sources: their terms, and how they fare", &[
        get("list", "Every source, with its terms, its state and its health", "sources", SOURCES)
            .showing(&["source_id", "health.state", "health.feeds", "health.feeds_failing", "health.succeeded_at", "health.broken_since", "name"]),
        get("show", "The same of one source", "sources/{source}", &[SOURCE]),
    ]),
    ("audit", "What operators did, newest first", &[
        get("", "", "audit", AUDIT).showing(&["begun_at", "method", "path", "status", "detail", "key_id", "client", "request_id"]),
    ]),
    ("attention", "What needs a human, by kind", &[
        get("", "", "attention", &[]).showing(&["what", "count", "count_is_exact"]),
    ]),
    ("actors", "Live actors by kind", &[get("", "", "actors", &[])]),
    ("node", "Processes that share the database", &[
        get("list", "Every process, and which shards of the work it owns", "nodes", &[])
            .showing(&["node_id", "name", "state", "lease_age_seconds", "shards", "shard_ranges", "version"]),
        post("drain", "Give the shards of a process to the others", "nodes/{node}/drain", &[NODE]),
    ]),
    ("clock", "The simulated clock", &[
        get("show", "Show the simulated instant", "clock", &[]),
        post("advance", "Move the clock forward, and wait until the service is quiet there", "clock/advance", DURATION),
    ]),
    ("health", "Whether the service is ready", &[get("", "", "/health/ready", &[])]),
];

const ACCOUNT: Argument = positional("account", "Account id, or its name").of(Named(Account));
const KEY: Argument = positional("key", "Key id");
const MONTH: Argument = positional("month", "Month, such as 2026-01");
const FINDING: Argument = positional("finding", "Finding id");
const UPDATE: Argument = positional("update", "Update id");
const JOB: Argument = positional("job", "Job id");
const RECOVERY: Argument = positional("recovery", "Recovery id");
const ENDPOINT: Argument = positional("endpoint", "Endpoint id");
const RADAR: Argument =
    positional("radar", "Radar id, or the domain, name or keyword that it alone watches").of(Named(Radar));
const NODE: Argument = positional("node", "Node id, or its name").of(Named(Node));
const SOURCE: Argument = positional("source", "Source id");
const OF_ACCOUNT: Argument = option("account", "Only those of this account").at("account_id").of(Named(Account));
const CURSOR: Argument = option("cursor", "The next_cursor of the page before");
const SINCE: &str = "Published from this instant on, such as 2026-01-01T00:00:00Z";
const UNTIL: &str = "Published before this instant";
const APPROVAL: Argument = option("approval", "auto or manual");
const WRITES: Argument = option("write-per-minute", "Writes per minute").of(Number).at("limits.write_per_minute");
const READS: Argument = option("read-per-minute", "Reads per minute").of(Number).at("limits.read_per_minute");
const REQUESTS: Argument = option("per-second", "Requests per second").of(Number).at("limits.per_second");

const NEW_ACCOUNT: &[Argument] = &[
    positional("name", "Name of the account"),
    option(
        OPENING_PAYMENT,
        "USD that are paid in at once, such as 25: as `radar admin top-up` does, with the reference opening",
    )
    .of(Later),
    APPROVAL,
    WRITES,
    READS,
    REQUESTS,
];
const NEW_KEY: &[Argument] = &[
    ACCOUNT,
    option("scopes", "read, write, or both with a comma between; by default both").of(Words),
    option("expires-at", "From when on it is good no more, such as 2027-01-01T00:00:00Z"),
];
const NEW_PORTAL_LINK: &[Argument] =
    &[ACCOUNT, option("scopes", "read, or read,write, which is the default").of(Words)];
const FINDINGS: &[Argument] =
    &[option("state", "pending, approved or rejected; by default pending"), OF_ACCOUNT, CURSOR];
const RADARS: &[Argument] = &[
    option("domain", "Those that watch this domain; an asterisk ends a beginning, as with names and keywords"),
    option("profile", "Those that watch the person with this profile"),
    option("email", "Those that watch the person with this address"),
    option("name", "Those that watch the person of this name"),
    option("keyword", "Those that watch this keyword"),
    option("account", "Only those of this account").of(Named(Account)),
    option("radar-type", "Only those of this type"),
    option("state", "active or inactive"),
    option("limit", "Radars on one page").of(Number),
    CURSOR,
];
const DEACTIVATE: &[Argument] = &[
    option("domain", "Those that watch this domain"),
    option("profile", "Those that watch the person with this profile"),
    option("email", "Those that watch the person with this address"),
    option("name", "Those that watch the person of this name"),
    option("keyword", "Those that watch this keyword"),
    option("account", "Only those of this account").of(Named(Account)),
    option("radar-type", "Only those of this type"),
    option("dry-run", "Only count").of(Flag),
];
const ACCOUNTS: &[Argument] = &[
    option("name", "Those whose name begins so"),
    option("state", "active, inactive or frozen"),
    option("limit", "Accounts on one page").of(Number),
    CURSOR,
];
const AUDIT: &[Argument] = &[
    option("about", "About this account, radar, finding or whatever has an id"),
    option("since", "From this instant on, such as 2026-01-01T00:00:00Z"),
    option("limit", "Actions on one page").of(Number),
    CURSOR,
];
const SOURCES: &[Argument] = &[option("failing", "Those that are broken or fail in part").of(Flag)];
const ENDPOINTS: &[Argument] = &[OF_ACCOUNT, option("state", "enabled or disabled"), CURSOR];
const DURATION: &[Argument] = &[positional("duration", "How far, such as 30d or 90s").of(Seconds).at("seconds")];

const SETTINGS: &[Argument] = &[
    ACCOUNT,
    option("status", "active or inactive"),
    option("frozen", "true stops all changes, false lets an account that was stopped go on").of(Boolean),
    option("alert-url", "Address that hears by signed webhook of endpoints that fail; empty removes it").of(Address),
    APPROVAL,
    WRITES,
    READS,
    REQUESTS,
];

const TOP_UP: &[Argument] = &[
    ACCOUNT,
    positional("amount", "USD, such as 25 or 12.50").at("amount_usd"),
    required("payment-ref", "What the payment is called elsewhere; the same one again adds nothing"),
    option("expires-at", "When the unused rest is removed, such as 2027-01-01T00:00:00Z"),
];

const PRICE: &[Argument] = &[
    ACCOUNT,
    positional("radar_type", "Radar type, such as company_job_openings"),
    required("model", "subscription or update_based"),
    required("rate", "USD per period or per finding, such as 0.10").at("rate_usd"),
    option("grace-period", "none or paid_period"),
    option(
        "findings-per-day",
        "Findings from the web that a radar is charged for per day of its own: 24 hours from its first",
    )
    .of(Number),
    option("effective-from", "When the price begins, such as 2027-01-01T00:00:00Z; by default now"),
];

const LEDGER: &[Argument] = &[
    ACCOUNT,
    option("limit", "Entries on one page").of(Number),
    CURSOR,
    option("csv", "Write all entries as comma-separated values").of(CsvFlag),
    option("month", "With --csv: entries of this month only, such as 2026-01"),
    option("from", "With --csv: entries from this instant on, such as 2026-01-01T00:00:00Z"),
    option("to", "With --csv: entries before this instant"),
];

fn ledger_rules(ledger: clap::Command) -> clap::Command {
    ledger
        .mut_arg("csv", |csv| csv.conflicts_with_all(["limit", "cursor"]))
        .mut_arg("month", |month| month.requires("csv").conflicts_with_all(["from", "to"]))
        .mut_arg("from", |from| from.requires("csv"))
        .mut_arg("to", |to| to.requires("csv"))
}

const PUSH: &[Argument] = &[
    option("radar-id", "The one radar that it is for").of(Named(Radar)),
    option("radar-type", "The type of the radars that it is for").of(ReceiverType),
    option("domain", "Radars that watch this domain").at("target.domain"),
    option("profile-url", "Radars that watch this profile").at("target.profile_url"),
    option("email", "Radars that watch the person with this address").at("target.email"),
    option("keyword", "Radars that watch this keyword").at("target.keyword"),
    required("native-id", "What the provider calls the record; the same one again is a duplicate"),
    required("source", "Id of a push source"),
    required("content", "The content as a JSON object, or @FILE").of(Content),
];

fn push_rules(push: clap::Command) -> clap::Command {
    push.group(ArgGroup::new("receiver").required(true).args(["radar-id", "radar-type"]))
        .group(ArgGroup::new("target").args(["domain", "profile-url", "email", "keyword"]).requires("radar-type"))
        .mut_arg("radar-id", |radar_id| radar_id.conflicts_with("target"))
}

const DELIVERIES: &[Argument] = &[
    OF_ACCOUNT,
    option("state", "pending, delivered, exhausted or held"),
    option("endpoint", "Only those to this endpoint").at("endpoint_id"),
    option("radar", "Only those of this radar").at("radar_id").of(Named(Radar)),
    option("update", "Only that of this update").at("update_id"),
    option("since", SINCE),
    option("until", UNTIL),
    option("limit", "Deliveries on one page"),
    CURSOR,
];

const RECOVER: &[Argument] = &[
    required("since", SINCE),
    required("until", UNTIL),
    OF_ACCOUNT,
    option("radar-type", "Only those of radars of this type"),
    option("include-delivered", "What was delivered as well").of(Flag),
    option("dry-run", "Only count").of(Flag),
];
