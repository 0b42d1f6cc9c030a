//! The preview of radars.

use utoipa::openapi::path::Operation;

use super::answers::{Answers, INVALID, body, operation};
use domain::field_limits::PREVIEWS_PER_HOUR;
use wire::schema::answers::PREVIEW;
use wire::schema::requests::any_new_radar;
use wire::shapes::named;

/// `POST /v1/radars/preview`.
pub(crate) fn preview() -> Operation {
    operation(
        "previewRadar",
        "Preview a radar",
        format!(
            "What a radar would find: the sources that would serve it, what is there now, what its filters keep out, \
             and what a month may cost. The body is that of a create; its `radar_type` tells the category. Nothing is \
             created or charged, and a target that a radar watches already may be given. The answer comes within 20 \
             seconds; what was not looked at by then is left out, and `complete` is false.\n\nAn account has \
             {PREVIEWS_PER_HOUR} previews per hour, apart from its other budgets: the rate headers are those of the \
             hour, and a 429 whose reason is `minute` asks to wait for `Retry-After`."
        ),
    )
    .request_body(Some(body(any_new_radar())))
    .with_data(200, "What it would find.", named(PREVIEW))
    .or_rejected(&[INVALID])
}
