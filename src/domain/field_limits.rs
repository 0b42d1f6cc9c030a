//! Field limits: every number of Spec 8.2 in one place, and the bounds that keep the fields without a number in the specification finite.

/// Characters of a `webhook_url` (Spec 8.2).
pub const WEBHOOK_URL_MAX: usize = 2048;
/// Characters of a `domain` (Spec 8.2).
pub const DOMAIN_MAX: usize = 253;
/// Keys of `custom_fields` (Spec 8.2).
pub const CUSTOM_FIELDS_MAX: usize = 20;
/// Characters of a key of `custom_fields` (Spec 8.2).
pub const CUSTOM_FIELD_KEY_MAX: usize = 50;
/// Characters of a value of `custom_fields` (Spec 8.2).
pub const CUSTOM_FIELD_VALUE_MAX: usize = 500;
/// Entries of `countries` (Spec 8.2).
pub const COUNTRIES_MAX: usize = 5;
/// Characters that a `keyword` has at least (Spec 8.2).
pub const KEYWORD_MIN: usize = 3;
/// Items of a bulk request (Spec 8.2).
pub const BULK_ITEMS_MAX: usize = 100;
/// Findings of a batch that a provider pushes.
pub const PUSH_BATCH_MAX: usize = 1_000;
/// Bytes of the body of such a batch: sixteen times a body, for findings of 16 KiB on average.
pub const PUSH_BATCH_BYTES_MAX: usize = 16 * 1024 * 1024;
/// Bytes of a request body (Spec 8.2, decision 2.6).
pub const BODY_BYTES_MAX: usize = 1024 * 1024;

/// Addresses of an account for feed readers.
pub const FEED_ADDRESSES_MAX: i64 = 100;
/// Confirmations of an address for mails that an account may ask for in 24 hours.
pub const CONFIRMATIONS_PER_DAY: i64 = 5;
/// Updates that a feed reader is shown: the newest.
pub const FEED_ENTRIES_MAX: usize = 50;

/// Webhook secrets of an account that sign at once: the one in force, and those that were replaced and have not ended
/// (decision 5.2).
pub const WEBHOOK_SECRETS_MAX: usize = 5;

/// Largest `limit` of `GET /v1/radars` (Spec 8.2).
pub const RADARS_LIMIT_MAX: u32 = 1000;
/// `limit` of `GET /v1/radars` when none is given (Spec 8.2).
pub const RADARS_LIMIT_DEFAULT: u32 = 50;
/// Entries of the `radar_id` filter of `GET /v1/radars` (Spec 8.2).
pub const RADARS_RADAR_IDS_MAX: usize = 50;
/// Largest `limit` of `GET /v1/updates` (Spec 8.2).
pub const UPDATES_LIMIT_MAX: u32 = 100;
/// `limit` of `GET /v1/updates` when none is given (Spec 8.2).
pub const UPDATES_LIMIT_DEFAULT: u32 = 25;
/// Streams of updates that one key may have open at once, in one process.
pub const STREAMS_PER_KEY_MAX: usize = 10;
/// Entries of the `radar_id` filter of `GET /v1/updates` (Spec 8.2).
pub const UPDATES_RADAR_IDS_MAX: usize = 10;
/// Entries of the `domain` filter of `GET /v1/updates` (Spec 8.2).
pub const UPDATES_DOMAINS_MAX: usize = 10;
/// Largest `limit` of `GET /v1/webhooks/deliveries` and `GET /v1/webhooks/endpoints`.
pub const DELIVERIES_LIMIT_MAX: u32 = UPDATES_LIMIT_MAX;
/// `limit` of the same when none is given.
pub const DELIVERIES_LIMIT_DEFAULT: u32 = UPDATES_LIMIT_DEFAULT;
/// Days that an update is kept (Spec 6.4, 8.2).
pub const UPDATE_RETENTION_DAYS: i64 = 60;

/// Characters of the reason of a feedback.
pub const FEEDBACK_REASON_MAX: usize = 500;
/// Bytes of the `content` of a finding, as JSON text; longer texts in it are cut.
pub const CONTENT_BYTES_MAX: usize = 64 * 1024;
/// Bytes of the payloads on a page of `GET /v1/updates`; at least one is there, however long.
pub const UPDATES_PAGE_BYTES_MAX: usize = 1024 * 1024;
/// Keys of one account, revoked ones among them.
pub const API_KEYS_MAX: usize = 1_000;
/// Open links and sessions of the portal that one account has.
pub const PORTAL_SESSIONS_MAX: i64 = 100;
/// Prices of one account's own, past and future ones among them: all are read with the account.
pub const OWN_PRICES_MAX: usize = 1_000;
/// Previews of one account per hour.
pub const PREVIEWS_PER_HOUR: u32 = 10;
/// Radars that are active in one account, unless the account has its own limit; and as many that have ended and that
/// retention has not removed yet.
pub const RADARS_MAX: u32 = 100_000;

/// Characters of a `job_titles` expression (decision 2.3).
pub const TITLE_EXPRESSION_MAX: usize = 1000;
/// Terms of a `job_titles` expression (decision 2.3).
pub const TITLE_EXPRESSION_TERMS_MAX: usize = 64;
/// Open parentheses and negations at any point of a `job_titles` expression (decision 2.3).
pub const TITLE_EXPRESSION_DEPTH_MAX: usize = 16;
/// Characters of an `Idempotency-Key` (decision 2.9).
pub const IDEMPOTENCY_KEY_MAX: usize = 255;

/// Characters of the text that a `domain` is given as: the name itself, or an address with path and query around it.
pub const DOMAIN_TEXT_MAX: usize = 2048;
/// Values of `departments` or `seniorities`; the specification gives none, and either vocabulary is smaller.
pub const FILTER_VALUES_MAX: usize = 100;
/// Errors that are listed for one object: an error that is repeated without end is not answered without end.
pub const FIELD_ERRORS_MAX: usize = 100;
/// Bytes of a query string; the longest that means something, fifty identifiers, has a quarter of it.
pub const QUERY_BYTES_MAX: usize = 8192;

/// Characters of a `profile_url`; the specification gives none, browsers and servers agree on about this.
pub const PROFILE_URL_MAX: usize = 2048;
/// Characters of an e-mail address (RFC 5321, 4.5.3.1.3 less the angle brackets).
pub const EMAIL_MAX: usize = 254;
/// Characters before the `@` of an e-mail address (RFC 5321, 4.5.3.1.1).
pub const EMAIL_LOCAL_PART_MAX: usize = 64;
/// Characters of a `keyword`; the specification gives only the least.
pub const KEYWORD_MAX: usize = 500;
/// Characters of a `full_name`; the specification gives none.
pub const FULL_NAME_MAX: usize = 500;
