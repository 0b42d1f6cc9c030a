use sea_orm::{IdenStatic, Iterable, PrimaryKeyToColumn};

use crate::database::if_present::Then;
use crate::database::{IfPresent, Overwritten};

fn columns<E: Overwritten>(then: Then) -> Vec<String> {
    let columns: Vec<E::Column> = E::Column::iter().filter(|column| E::then(*column) == then).collect();
    let mut names: Vec<String> = columns.iter().map(|column| column.as_str().to_owned()).collect();
    names.sort_unstable();
    names
}

/// What is changed of a row that is there, against the list of it, and that the key is the table's.
fn assert_changes<E: Overwritten>(replaced: &str, added: &str) {
    let list = |names: &str| {
        let mut names: Vec<String> = names.split_whitespace().map(str::to_owned).collect();
        names.sort_unstable();
        names
    };
    let table = E::default().table_name().to_owned();
    assert_eq!(columns::<E>(Then::Replaced), list(replaced), "{table}");
    assert_eq!(columns::<E>(Then::Added), list(added), "{table}");
    let key: Vec<E::Column> = E::PrimaryKey::iter().map(PrimaryKeyToColumn::into_column).collect();
    let key = key.iter().map(IdenStatic::as_str).collect::<Vec<_>>().join(" ");
    assert_eq!(columns::<E>(Then::Key), list(&key), "{table}");
}

#[test]
fn a_commit_changes_these_columns_of_rows_that_are_there() {
    assert_changes::<entity::lot::Entity>("remaining_micros", "");
    assert_changes::<entity::radar::Entity>(
        "status status_reason set_up deactivated_at period_no next_charge_at wake_at day_began_at day_charged
        held_beyond_bound full_since release_at",
        "",
    );
    assert_changes::<entity::finding_seen::Entity>("outcome", "");
    assert_changes::<entity::held_finding::Entity>("reason", "");
    assert_changes::<entity::type_pause::Entity>("since rate_micros", "");
    assert_changes::<entity::approval::Entity>("state decided_at", "");
    assert_changes::<entity::radar_feed::Entity>("read_seq", "filtered_items older_items");
    assert_changes::<entity::usage_month::Entity>(
        "",
        "radars_activated radars_deactivated radars_failed updates_found used_micros",
    );
    assert_changes::<entity::kept_answer::Entity>("request_hash status body used_at", "");
    assert_changes::<entity::endpoint::Entity>("head_sequence", "");
    assert_changes::<entity::account::Entity>(
        "status balance_micros tx_seq update_seq hold_seq lot_no active_radars ended_radars last_at next_expiry_at
        head_hash",
        "",
    );
}

#[test]
fn others_change_these_columns_of_rows_that_are_there() {
    assert_changes::<entity::price::Entity>("model rate_micros grace_period findings_per_day", "");
    assert_changes::<entity::endpoint_health::Entity>(
        "disabled_reason disabled_at consecutive_failures attempts_since_success failing_since last_success_at
        breaker_open_until breaker_opens next_allowed_at alert_at",
        "",
    );
}

#[test]
fn the_words_of_a_conflict_are_made_of_what_is_declared() {
    assert_eq!(
        IfPresent::<entity::radar_feed::Entity>::overwrite().clause(),
        " on conflict (radar_id, feed_id) do update set read_seq = excluded.read_seq, \
         filtered_items = radar_feed.filtered_items + excluded.filtered_items, \
         older_items = radar_feed.older_items + excluded.older_items"
    );
    assert_eq!(IfPresent::<entity::source_breakage::Entity>::leave().clause(), " on conflict (source_id) do nothing");
    assert_eq!(IfPresent::<entity::delivery::Entity>::fail().clause(), "");
}
