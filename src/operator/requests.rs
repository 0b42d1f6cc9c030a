//! The bodies that the operator API takes, as its document shows them.

use utoipa::openapi::schema::ObjectBuilder;

use domain::{AccountStatus, Approval, GracePeriod, PricingModel, RadarType, Scope};
use wire::operator::radars::DEACTIVATED_BY;
use wire::shapes::{
    Fields, anything, boolean, count, http_url, instant, list, list_or_null, object, or_null, text, uuid, word,
};

/// An amount of money; a text keeps all of its digits.
pub(super) fn amount() -> ObjectBuilder {
    anything("USD, as a number or as a text such as `12.50`.")
}

fn limits() -> ObjectBuilder {
    let limit = || count("A limit of its own.").minimum(Some(1));
    let limits = object("Limits of its own.").maybe("write_per_minute", limit()).maybe("read_per_minute", limit());
    limits.maybe("per_second", limit()).maybe("radars", limit())
}

pub(super) fn new_account() -> ObjectBuilder {
    let account = object("An account.").always("name", text("Its name, for operators."));
    account.maybe("approval", word(Approval::WORDS, "Who approves its findings.")).maybe("limits", limits())
}

pub(super) fn account_change() -> ObjectBuilder {
    object("What is to be changed.")
        .maybe("status", word(AccountStatus::WORDS, "Stops it or starts it."))
        .maybe("approval", word(Approval::WORDS, "Who approves its findings."))
        .maybe("limits", limits())
        .maybe("frozen", boolean("Stops all changes, or lets them go on."))
        .maybe("alert_url", or_null(http_url("Where it hears of its endpoints; null removes the address.")))
}

pub(super) fn new_key() -> ObjectBuilder {
    let scopes = list(word(Scope::WORDS, "A scope."), "What it may be used for; by default everything.");
    let scopes = scopes.min_items(Some(1)).max_items(Some(Scope::ALL.len()));
    object("What a new key may do.")
        .maybe("scopes", list_or_null(scopes))
        .maybe("expires_at", or_null(instant("From when on it is good no more; in the future.")))
        .nothing_else()
}

pub(super) fn new_portal_link() -> ObjectBuilder {
    let scopes = list(word(Scope::WORDS, "A scope."), "What its session may be used for; by default everything.");
    let scopes = scopes.min_items(Some(1)).max_items(Some(Scope::ALL.len()));
    object("What a session on the portal may do; it must read.").maybe("scopes", list_or_null(scopes)).nothing_else()
}

pub(super) fn top_up() -> ObjectBuilder {
    object("A payment.")
        .always("amount_usd", amount())
        .always("payment_ref", text("What it is called elsewhere."))
        .maybe("expires_at", instant("When the unused rest is removed."))
}

pub(super) fn price() -> ObjectBuilder {
    object("A price.")
        .always("model", word(PricingModel::WORDS, "How it is paid."))
        .always("rate_usd", amount())
        .maybe("grace_period", word(GracePeriod::WORDS, "What is left after the end."))
        .maybe("findings_per_day", count("The bound of a radar's day.").minimum(Some(1)))
        .maybe("effective_from", instant("When it begins; by default now."))
}

pub(super) fn balance_alerts() -> ObjectBuilder {
    object("Alerts.")
        .always("webhook_url", http_url("Where they go."))
        .always("thresholds_usd", list(amount(), "Balances below which they are sent."))
}

pub(super) fn finding() -> ObjectBuilder {
    object("A finding, for one radar or for all radars of a type with a target.")
        .maybe("radar_id", uuid("The one radar."))
        .maybe("radar_type", word(RadarType::WORDS, "The type of the radars."))
        .maybe("target", object("One of `domain`, `profile_url`, `email` and `keyword`."))
        .always("native_id", text("What the provider calls it; the same one again is a duplicate."))
        .always("source", text("The id of a push source."))
        .always("content", object("What it says."))
}

pub(super) fn findings() -> ObjectBuilder {
    object("Findings.").always("findings", list(finding(), "Up to 1,000."))
}

pub(super) fn recovery() -> ObjectBuilder {
    object("A range of time.")
        .always("since", instant("From this instant on."))
        .always("until", instant("Before this one."))
        .maybe("account_id", uuid("Only those of this account."))
        .maybe("radar_type", word(RadarType::WORDS, "Only those of radars of this type."))
        .maybe("include_delivered", boolean("What was delivered as well."))
        .maybe("dry_run", boolean("Only count."))
}

pub(super) fn deactivation() -> ObjectBuilder {
    let by = |body: ObjectBuilder, name: &&'static str| body.maybe(name, text("Only those with this value."));
    let body = object("Which radars, by one value or more, as a list of radars is narrowed.");
    DEACTIVATED_BY.iter().fold(body, by).maybe("dry_run", boolean("Only count."))
}
