//! The schema of a radar's health (decisions 1.3, 4.11).

use utoipa::openapi::schema::ObjectBuilder;

use crate::public::radar_health::DailyBoundRecord;
use crate::record::schema_of;
use crate::shapes::{Fields, count, instant, list, object, or_null, text, uuid, word};
use domain::{HealthState, StatusReason};

/// The `data` of `GET /v1/radars/{id}/health`. The answer has the same keys in another order.
pub(super) fn health() -> ObjectBuilder {
    polls(object("How well a radar can see; the instants are those of all of its sources."))
        .always("radar_id", uuid("The radar."))
        .always("state", word(HealthState::WORDS, "`failing` when the last poll of every source failed."))
        .always("status_reason", or_null(word(StatusReason::WORDS, "Why it has ended; null while it has not.")))
        .always(
            "ends_at",
            or_null(instant("When the radar is ended unless a source answers before; null while one does.")),
        )
        .maybe("daily_bound", schema_of::<DailyBoundRecord>())
        .always("sources", list(polls(object("A source.").always("source_id", text("The source."))), "Where it looks."))
}

fn polls(object: ObjectBuilder) -> ObjectBuilder {
    object
        .always("polled_at", or_null(instant("The last poll.")))
        .always("succeeded_at", or_null(instant("The last poll that succeeded.")))
        .always("next_poll_at", or_null(instant("The next poll, or the next attempt of the set-up.")))
        .always("last_error", or_null(text("What went wrong last; null while all is well.")))
        .always("filtered_items", count("Items that the radar's filter has kept out, and items of before the radar."))
        .always("older_items", count("Those of `filtered_items` that were of before the radar."))
}
