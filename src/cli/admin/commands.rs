//! The commands of `radar admin`. Each is one request of the operator API.

use actix_web::http::Method;
use clap::ArgGroup;

use super::command::Kind::{Address, Boolean, Content, CsvFlag, Flag, Number, ReceiverType, Seconds};
use super::command::{Argument, Command, get, option, positional, post, required};

/// A command, or several under one name.
pub(super) enum Entry {
    One(Command),
    Group { name: &'static str, about: &'static str, commands: &'static [Command] },
}

impl Entry {
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::One(command) => command.name(),
            Self::Group { name, .. } => name,
        }
    }
}

const fn group(name: &'static str, about: &'static str, commands: &'static [Command]) -> Entry {
    Entry::Group { name, about, commands }
}

/// All commands, in the order in which the help lists them.
pub(super) const COMMANDS: &[Entry] = &[
    group("account", "Accounts", ACCOUNTS),
    group("key", "API keys of an account", KEYS),
    Entry::One(post("top-up", "Add money to an account", "/operator/v1/accounts/{account}/top-ups", TOP_UP)),
    group("price", "Prices of an account", PRICES),
    Entry::One(
        get(
            "ledger",
            "Entries of an account's ledger with the running balance",
            "/operator/v1/accounts/{account}/ledger",
            LEDGER,
        )
        .with_rules(ledger_rules),
    ),
    Entry::One(get(
        "statement",
        "An account's money in a month: opening balance, sums by kind, closing balance",
        "/operator/v1/accounts/{account}/statements/{month}",
        &[ACCOUNT, positional("month", "", "Month, such as 2026-01")],
    )),
    group("finding", "Findings of private providers, and findings that wait for approval", FINDINGS),
    group("delivery", "Deliveries of webhooks", DELIVERIES),
    group("endpoint", "The addresses that webhooks go to", ENDPOINTS),
    group("webhook-secret", "The secrets that sign webhooks", WEBHOOK_SECRETS),
    group("radar", "Radars", RADARS),
    group("source", "Sources: their terms, and how they fare", SOURCES),
    Entry::One(get("actors", "Live actors by kind", "/operator/v1/actors", &[])),
    group("clock", "The simulated clock", CLOCK),
    Entry::One(get("health", "Whether the service is ready", "/health/ready", &[])),
];

const ACCOUNT: Argument = positional("account", "", "Account id");
const OF_ACCOUNT: Argument = option("account", "account_id", "Only those of this account");
const UPDATE: Argument = positional("update", "", "Update id");
const FINDING: Argument = positional("finding", "", "Finding id");
const CURSOR: Argument = option("cursor", "cursor", "The next_cursor of the page before");
const APPROVAL: Argument = option("approval", "approval", "auto or manual");
const WRITES: Argument = option("write-per-minute", "limits.write_per_minute", "Writes per minute").of(Number);
const READS: Argument = option("read-per-minute", "limits.read_per_minute", "Reads per minute").of(Number);
const REQUESTS: Argument = option("per-second", "limits.per_second", "Requests per second").of(Number);

const ACCOUNTS: &[Command] = &[
    post(
        "create",
        "Create an account; its API key and webhook secret are shown once",
        "/operator/v1/accounts",
        &[positional("name", "name", "Name of the account"), APPROVAL, WRITES, READS, REQUESTS],
    ),
    get("list", "List all accounts", "/operator/v1/accounts", &[]),
    get("show", "Show one account", "/operator/v1/accounts/{account}", &[ACCOUNT]),
    post(
        "set",
        "Change an account",
        "/operator/v1/accounts/{account}",
        &[
            ACCOUNT,
            option("status", "status", "active or inactive"),
            option("frozen", "frozen", "true stops all changes, false lets an account that was stopped go on")
                .of(Boolean),
            option(
                "alert-url",
                "alert_url",
                "Address that hears by signed webhook of endpoints that fail; empty removes it",
            )
            .of(Address),
            APPROVAL,
            WRITES,
            READS,
            REQUESTS,
        ],
    )
    .by(&Method::PATCH),
];

const KEYS: &[Command] = &[
    post("create", "Make another API key; it is shown once", "/operator/v1/accounts/{account}/api-keys", &[ACCOUNT]),
    get("list", "List the keys of an account", "/operator/v1/accounts/{account}/api-keys", &[ACCOUNT]),
    post(
        "revoke",
        "Revoke a key",
        "/operator/v1/accounts/{account}/api-keys/{key}",
        &[ACCOUNT, positional("key", "", "Key id")],
    )
    .by(&Method::DELETE),
];

const TOP_UP: &[Argument] = &[
    ACCOUNT,
    positional("amount", "amount_usd", "USD, such as 25 or 12.50"),
    required("payment-ref", "payment_ref", "What the payment is called elsewhere; the same one again adds nothing"),
    option("expires-at", "expires_at", "When the unused rest is removed, such as 2027-01-01T00:00:00Z"),
];

const PRICES: &[Command] = &[post(
    "set",
    "Set what an account pays for a radar type",
    "/operator/v1/accounts/{account}/prices/{radar_type}",
    &[
        ACCOUNT,
        positional("radar_type", "", "Radar type, such as company_job_openings"),
        required("model", "model", "subscription or update_based"),
        required("rate", "rate_usd", "USD per period or per finding, such as 0.10"),
        option("grace-period", "grace_period", "none or paid_period"),
        option(
            "effective-from",
            "effective_from",
            "When the price begins, such as 2027-01-01T00:00:00Z; by default now",
        ),
    ],
)
.by(&Method::PUT)];

const LEDGER: &[Argument] = &[
    ACCOUNT,
    option("limit", "limit", "Entries on one page").of(Number),
    CURSOR,
    option("csv", "", "Write all entries as comma-separated values").of(CsvFlag),
    option("month", "month", "With --csv: entries of this month only, such as 2026-01"),
    option("from", "from", "With --csv: entries from this instant on, such as 2026-01-01T00:00:00Z"),
    option("to", "to", "With --csv: entries before this instant"),
];

fn ledger_rules(command: clap::Command) -> clap::Command {
    let command = ["month", "from", "to"]
        .into_iter()
        .fold(command, |command, part| command.mut_arg(part, |part| part.requires("csv")));
    command
        .mut_arg("csv", |csv| csv.conflicts_with_all(["limit", "cursor"]))
        .mut_arg("month", |month| month.conflicts_with_all(["from", "to"]))
}

const FINDINGS: &[Command] = &[
    post(
        "push",
        "Hand in a finding",
        "/operator/v1/findings",
        &[
            option("radar-id", "radar_id", "The one radar that it is for"),
            option("radar-type", "radar_type", "The type of the radars that it is for").of(ReceiverType),
            option("domain", "target.domain", "Radars that watch this domain"),
            option("profile-url", "target.profile_url", "Radars that watch this profile"),
            option("email", "target.email", "Radars that watch the person with this address"),
            option("keyword", "target.keyword", "Radars that watch this keyword"),
            required("native-id", "native_id", "What the provider calls the record; the same one again is a duplicate"),
            required("source", "source", "Id of a push source"),
            required("content", "content", "The content as a JSON object, or @FILE").of(Content),
        ],
    )
    .with_rules(push_rules),
    get(
        "list",
        "List findings of accounts whose findings an operator approves",
        "/operator/v1/findings",
        &[option("state", "state", "pending, approved or rejected; by default pending"), OF_ACCOUNT, CURSOR],
    ),
    post(
        "approve",
        "Let a finding through: it is charged and published",
        "/operator/v1/findings/{finding}/approve",
        &[FINDING],
    ),
    post("reject", "Turn a finding down", "/operator/v1/findings/{finding}/reject", &[FINDING]),
];

fn push_rules(command: clap::Command) -> clap::Command {
    command
        .group(ArgGroup::new("receiver").required(true).args(["radar-id", "radar-type"]))
        .group(ArgGroup::new("target").args(["domain", "profile-url", "email", "keyword"]).requires("radar-type"))
        .mut_arg("radar-id", |radar_id| radar_id.conflicts_with("target"))
}

const DELIVERIES: &[Command] = &[
    get(
        "list",
        "List deliveries, the newest first, each with the reason why it has not been sent yet",
        "/operator/v1/deliveries",
        &[
            OF_ACCOUNT,
            option("state", "state", "pending, delivered, exhausted or held"),
            option("endpoint", "endpoint_id", "Only those to this endpoint"),
            option("radar", "radar_id", "Only those of this radar"),
            option("update", "update_id", "Only that of this update"),
            option("since", "since", "Published from this instant on, such as 2026-01-01T00:00:00Z"),
            option("until", "until", "Published before this instant"),
            option("limit", "limit", "Deliveries on one page"),
            CURSOR,
        ],
    ),
    get(
        "show",
        "Show a delivery with all its attempts, and why it has not arrived",
        "/operator/v1/deliveries/{update}",
        &[UPDATE],
    ),
    post("resend", "Send a delivery again", "/operator/v1/deliveries/{update}/resend", &[UPDATE]),
    post(
        "recover",
        "Send everything again that failed in a range of time",
        "/operator/v1/deliveries/recover",
        &[
            required("since", "since", "Published from this instant on, such as 2026-01-01T00:00:00Z"),
            required("until", "until", "Published before this instant"),
            OF_ACCOUNT,
            option("radar-type", "radar_type", "Only those of radars of this type"),
            option("include-delivered", "include_delivered", "What was delivered as well").of(Flag),
            option("dry-run", "dry_run", "Only count").of(Flag),
        ],
    ),
    get(
        "recovery",
        "Show how far a recovery has come",
        "/operator/v1/deliveries/recover/{recovery}",
        &[positional("recovery", "", "Recovery id")],
    ),
];

const ENDPOINTS: &[Command] = &[
    get(
        "list",
        "List the addresses that webhooks go to, and their health",
        "/operator/v1/endpoints",
        &[OF_ACCOUNT, option("state", "state", "enabled or disabled"), CURSOR],
    ),
    post(
        "enable",
        "Enable an endpoint and release what is held for it",
        "/operator/v1/endpoints/{endpoint}/enable",
        &[positional("endpoint", "", "Endpoint id")],
    ),
];

const WEBHOOK_SECRETS: &[Command] = &[post(
    "rotate",
    "Make a new secret for an account; the old one signs too for 24 hours",
    "/operator/v1/accounts/{account}/webhook-secret/rotate",
    &[ACCOUNT],
)];

const RADARS: &[Command] = &[get(
    "show",
    "Internal state, timer, feeds, last polls and last error of a radar",
    "/operator/v1/radars/{radar}",
    &[positional("radar", "", "Radar id")],
)];

const SOURCES: &[Command] = &[
    get("list", "Every source, with its terms, its state and its health", "/operator/v1/sources", &[]),
    get("show", "The same of one source", "/operator/v1/sources/{source}", &[positional("source", "", "Source id")]),
];

const CLOCK: &[Command] = &[
    get("show", "Show the simulated instant", "/operator/v1/clock", &[]),
    post(
        "advance",
        "Move the clock forward, and wait until the service is quiet there",
        "/operator/v1/clock/advance",
        &[positional("duration", "seconds", "How far, such as 30d or 90s").of(Seconds)],
    ),
];
