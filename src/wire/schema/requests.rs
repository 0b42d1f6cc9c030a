//! Schemas of request bodies (Spec 2.7, 4.2 to 4.5, 4.10, 8.2): what `wire::new_radar` and its like read.
//!
//! A field that may be absent may also be null. Which fields a type needs is said by one schema per way of naming the
//! target; what a schema cannot say (public suffixes, the grammar of expressions) stands in the descriptions.

use utoipa::openapi::schema::{AnyOfBuilder, ArrayBuilder, Object, ObjectBuilder, Type};

use super::Named;
use crate::shapes::{
    Fields, any_of, anything, boolean, custom_fields, departments, http_url, instant, list, list_or_null, named,
    object, or_null, radar_type, seniorities, text, word,
};
use domain::field_limits::{
    BULK_ITEMS_MAX, COUNTRIES_MAX, DOMAIN_MAX, EMAIL_MAX, FEEDBACK_REASON_MAX, FULL_NAME_MAX, KEYWORD_MAX, KEYWORD_MIN,
    PROFILE_URL_MAX, TITLE_EXPRESSION_DEPTH_MAX, TITLE_EXPRESSION_MAX, TITLE_EXPRESSION_TERMS_MAX,
};
use domain::radar::request::{FILTERS, target_fields};
use domain::{Category, RadarType, Scope, UpdateType, WebhookFormat};

/// The name of the schema of `POST /v1/radars/companies`.
pub const NEW_COMPANY_RADAR: &str = "NewCompanyRadar";
/// The name of the schema of `POST /v1/radars/contacts`.
pub const NEW_CONTACT_RADAR: &str = "NewContactRadar";
/// The name of the schema of `POST /v1/radars/industry`.
pub const NEW_INDUSTRY_RADAR: &str = "NewIndustryRadar";
/// The name of the schema of `POST /v1/radars/bulk`.
pub const NEW_BULK: &str = "NewBulk";
/// The name of the schema of `POST /v1/webhooks/test`.
pub const WEBHOOK_TEST: &str = "WebhookTest";

/// The name of the schema of `POST /v1/api-keys`.
pub const NEW_API_KEY: &str = "NewApiKey";
/// The name of the schema of `POST /v1/updates/{update_id}/feedback`.
pub const NEW_FEEDBACK: &str = "NewFeedback";

/// No control characters, but ends of lines and tabs.
const LINES: &str = r"^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]*$";
/// No control characters, but as white space around the text, which is cut.
const PLAIN_TEXT: &str = r"^[\s\u0085]*[^\u0000-\u001f\u007f-\u009f]*[\s\u0085]*$";

/// The body of a create of any category.
pub fn any_new_radar() -> AnyOfBuilder {
    any_of([NEW_COMPANY_RADAR, NEW_CONTACT_RADAR, NEW_INDUSTRY_RADAR].map(named))
}

/// The body of a create of any category as one object, for readers that take no alternatives: it has every field, and says
/// nothing of which go together.
pub fn flat_new_radar() -> ObjectBuilder {
    common(object("What to watch."), RadarType::ALL.iter().copied())
        .maybe("domain", domain())
        .maybe("profile_url", profile_url(""))
        .maybe("email", email())
        .maybe("full_name", full_name())
        .maybe("keyword", keyword())
        .maybe("countries", countries())
        .maybe("departments", departments("Findings must match one of these."))
        .maybe("seniorities", seniorities("Findings must match one of these."))
        .maybe("job_titles", job_titles())
        .nothing_else()
}

/// The schemas of all request bodies.
pub(super) fn named_schemas() -> Vec<Named> {
    let mut schemas = Vec::new();
    for (name, ways) in
        [(NEW_COMPANY_RADAR, company()), (NEW_CONTACT_RADAR, contact()), (NEW_INDUSTRY_RADAR, industry())]
    {
        let one_way = any_of(ways.iter().map(|(way, _)| named(way)));
        schemas.extend(ways.into_iter().map(|(way, schema)| (way.to_owned(), closed(schema).into())));
        schemas.push((name.to_owned(), one_way.into()));
    }
    let others =
        [(NEW_BULK, bulk()), (WEBHOOK_TEST, webhook_test()), (NEW_API_KEY, api_key()), (NEW_FEEDBACK, feedback())];
    schemas.extend(others.map(|(name, schema)| (name.to_owned(), schema.into())));
    schemas
}

fn api_key() -> ObjectBuilder {
    let scopes = list(word(Scope::WORDS, "A scope."), "What it may be used for; by default what yours may.");
    let scopes = scopes.min_items(Some(1)).max_items(Some(Scope::ALL.len()));
    let expires_at = instant("From when on it is good no more: in the future, and not after the end of yours.");
    object("What a new key may do.")
        .maybe("scopes", list_or_null(scopes))
        .maybe("expires_at", or_null(expires_at))
        .nothing_else()
}

fn feedback() -> ObjectBuilder {
    let reason = text("Why.").max_length(Some(FEEDBACK_REASON_MAX)).pattern(Some(LINES));
    object("What you think of a finding.")
        .always("useful", boolean("Whether it was of use."))
        .maybe("reason", or_null(reason))
        .nothing_else()
}

/// Named ways to ask for a radar.
type Ways = Vec<(&'static str, ObjectBuilder)>;

fn company() -> Ways {
    let of = |is_filterable| {
        let types =
            of_category(Category::Company).filter(move |radar_type| radar_type.is_filterable() == is_filterable);
        move |description: &str| common(object(description), types.clone()).always("domain", domain())
    };
    let apart = || null("`job_titles` cannot be combined with `departments` or `seniorities`.");
    let filterable = of(true);
    let other = of(false);
    let ranks = "Findings must match one of these, and one of `departments` where those are given.";
    let by_lists = filterable("A company whose findings are narrowed by department and seniority, or not at all.")
        .maybe("departments", list_or_null(departments("Findings must match one of these.")))
        .maybe("seniorities", list_or_null(seniorities(ranks)))
        .maybe("job_titles", apart());
    let by_titles = filterable("A company whose findings are narrowed by an expression over titles.")
        .always("job_titles", job_titles())
        .maybe("departments", apart())
        .maybe("seniorities", apart());
    let unfiltered = filters_ignored(other("A company; the type takes no filter."));
    vec![
        ("NewCompanyRadarByLists", by_lists),
        ("NewCompanyRadarByTitles", by_titles),
        ("NewCompanyRadarUnfiltered", unfiltered),
    ]
}

fn contact() -> Ways {
    let moves = |description: &str, required: &str| {
        let moves = common(object(description), [RadarType::ContactJobChanges]).always("domain", domain());
        let identifiers = [("profile_url", profile_url("")), ("email", email()), ("full_name", full_name())];
        let with_identifiers = identifiers.into_iter().fold(moves, |moves, (name, schema)| {
            if name == required { moves.always(name, schema) } else { moves.maybe(name, or_null(schema)) }
        });
        filters_ignored(with_identifiers)
    };
    let social = of_category(Category::Contact).filter(|radar_type| *radar_type != RadarType::ContactJobChanges);
    let posts = common(object("A person on a social network."), social)
        .always("profile_url", profile_url(" On linkedin.com/in/, x.com or twitter.com."));
    vec![
        ("NewJobChangeRadarByProfile", moves("A person's career, known by a profile.", "profile_url")),
        ("NewJobChangeRadarByEmail", moves("A person's career, known by an e-mail address.", "email")),
        ("NewJobChangeRadarByName", moves("A person's career, known by a name.", "full_name")),
        ("NewSocialContactRadar", filters_ignored(posts)),
    ]
}

fn industry() -> Ways {
    let taking = |wanted: &'static [&'static str], description: &str| {
        let types = of_category(Category::Industry).filter(move |radar_type| target_fields(*radar_type) == wanted);
        filters_ignored(common(object(description), types))
    };
    vec![
        ("NewThemeRadar", taking(&["keyword"], "A theme.").always("keyword", keyword())),
        (
            "NewThemeJobRadar",
            taking(&["keyword", "countries"], "Jobs that match a theme.")
                .always("keyword", keyword())
                .maybe("countries", list_or_null(countries())),
        ),
        ("NewMarketRadar", taking(&[], "A whole market; there is no target to name.")),
    ]
}

fn bulk() -> ObjectBuilder {
    let webhook_url = webhook_url("Where to push updates to, of every item without an address of its own.");
    let items = list(any_new_radar(), "Bodies of single creates, of any category.").min_items(Some(1));
    object("Several radars at once.")
        .maybe("webhook_url", or_null(webhook_url))
        .maybe("webhook_format", or_null(webhook_format("In which form, of every item that does not say it.")))
        .maybe("custom_fields", or_null(custom_fields("Echoed in the answer and nowhere else.")))
        .always("radars", items.max_items(Some(BULK_ITEMS_MAX)))
        .nothing_else()
}

fn webhook_test() -> ObjectBuilder {
    let kind = word(UpdateType::WORDS, "The kind of update; a finding when it is absent.");
    let default = Some(UpdateType::Finding.as_str().into());
    object("A sample to send.")
        .always("webhook_url", webhook_url("Where to send it."))
        .always("radar_type", word(RadarType::WORDS, "Whose payload to send."))
        .maybe("update_type", or_null(kind.default(default)))
        .maybe("webhook_format", or_null(webhook_format("In which form to send it.")))
        .nothing_else()
}

fn of_category(category: Category) -> impl Iterator<Item = RadarType> + Clone {
    RadarType::ALL.iter().copied().filter(move |radar_type| radar_type.category() == category)
}

/// The fields that every type takes.
fn common(object: ObjectBuilder, types: impl IntoIterator<Item = RadarType>) -> ObjectBuilder {
    let webhook_url = webhook_url("Where to push updates to. It cannot be changed later; without it, pull.");
    object
        .always("radar_type", radar_type(types, "The signal to report."))
        .maybe("webhook_url", or_null(webhook_url))
        .maybe("webhook_format", or_null(webhook_format("In which form updates are pushed.")))
        .maybe("custom_fields", or_null(custom_fields("Your labels, echoed in every finding.")))
}

fn filters_ignored(object: ObjectBuilder) -> ObjectBuilder {
    FILTERS.iter().fold(object, |object, name| object.maybe(name, anything("Ignored: the type takes no filter.")))
}

/// Nothing but these fields, and those of other types where they are null.
fn closed(way: ObjectBuilder) -> Object {
    let mut closed = way.nothing_else().build();
    for name in RadarType::ALL.iter().flat_map(|radar_type| target_fields(*radar_type)) {
        let unused = || null("Not used by the type.").into();
        closed.properties.entry((*name).to_owned()).or_insert_with(unused);
    }
    closed
}

/// A field that must be absent or null.
fn null(reason: &str) -> ObjectBuilder {
    ObjectBuilder::new().schema_type(Type::Null).description(Some(reason))
}

fn domain() -> ObjectBuilder {
    text(&format!(
        "The company's domain, such as example.com. A URL is taken as well and cut to the bare domain: scheme, `www.`, \
         port and path go. What is left has at most {DOMAIN_MAX} characters, a public suffix and a label before it."
    ))
    .min_length(Some(1))
}

fn webhook_url(description: &str) -> ObjectBuilder {
    http_url(&format!(
        "{description} An absolute http or https address without credentials or fragment, not at a private or reserved \
         address."
    ))
}

fn webhook_format(description: &str) -> ObjectBuilder {
    let about = format!(
        "{description} `standard` is the payload that can be pulled, `cloudevents` wraps it as CloudEvents 1.0, `slack` and \
         `teams` are messages for people."
    );
    word(WebhookFormat::WORDS, &about).default(Some(WebhookFormat::Standard.as_str().into()))
}

fn profile_url(where_to: &str) -> ObjectBuilder {
    text(&format!("The person's profile.{where_to} A missing scheme becomes https."))
        .min_length(Some(1))
        .max_length(Some(PROFILE_URL_MAX))
}

fn email() -> ObjectBuilder {
    text("The person's e-mail address.").min_length(Some(3)).max_length(Some(EMAIL_MAX))
}

fn full_name() -> ObjectBuilder {
    text("The person's name, without control characters.")
        .pattern(Some(PLAIN_TEXT))
        .min_length(Some(1))
        .max_length(Some(FULL_NAME_MAX))
}

fn keyword() -> ObjectBuilder {
    text("The theme, without control characters; white space around it does not count.")
        .pattern(Some(PLAIN_TEXT))
        .min_length(Some(KEYWORD_MIN))
        .max_length(Some(KEYWORD_MAX))
}

fn countries() -> ArrayBuilder {
    let code = text("An ISO 3166-1 alpha-2 code.").pattern(Some("^[A-Za-z]{2}$"));
    list(code, "Only jobs there.").min_items(Some(1)).max_items(Some(COUNTRIES_MAX)).unique_items(true)
}

fn job_titles() -> ObjectBuilder {
    text(&format!(
        "An expression that titles satisfy: terms joined by AND, OR and NOT in upper case, with parentheses; terms of \
         several words in double quotes. At most {TITLE_EXPRESSION_TERMS_MAX} terms and {TITLE_EXPRESSION_DEPTH_MAX} \
         levels. A term matches whole words, whatever their case. It replaces `departments` and `seniorities`."
    ))
    .min_length(Some(1))
    .max_length(Some(TITLE_EXPRESSION_MAX))
}
