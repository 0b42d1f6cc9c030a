//! Why a radar is as it is, and why it has found nothing: one sentence for operators. And which rule keeps an item from
//! being a finding of a radar.

use chrono::{DateTime, Utc};

use super::filter::Role;
use super::health::HealthState;
use super::presence::Showing;
use super::{Radar, StatusReason};
use crate::content;

/// What is known of a radar at one moment.
#[derive(Clone, Copy, Debug)]
pub struct Circumstances<'a> {
    /// The radar.
    pub radar: &'a Radar,
    /// Whether it sees anything.
    pub health: HealthState,
    /// Why nothing moves in its account: `frozen` or `stopped`.
    pub account_is: Option<&'static str>,
    /// Since when its type is paused.
    pub paused_since: Option<DateTime<Utc>>,
    /// Its feeds.
    pub feeds: usize,
    /// Those whose last poll failed.
    pub failing: usize,
    /// Those that have been polled with success.
    pub seen: usize,
    /// The last thing that went wrong: at a poll, at its set-up, or why it ended.
    pub last_error: Option<&'a str>,
    /// Whether a provider hands findings in.
    pub is_pushed: bool,
    /// Items that it has kept out: by its filter, or because they were older than itself.
    pub filtered_items: u64,
    /// Those of them that were older.
    pub older_items: u64,
    /// When its last finding was published.
    pub last_finding_at: Option<DateTime<Utc>>,
}

/// The sentence.
pub fn why(known: &Circumstances<'_>) -> String {
    let because = known.last_error.map(|error| format!(": {}", error.trim_end_matches('.'))).unwrap_or_default();
    let sentence = match (known.health, known.account_is) {
        (HealthState::Ended, _) => ended(known, &because),
        (_, Some(is)) => format!("Its account is {is}, so nothing is watched for it"),
        (HealthState::SettingUp, _) => format!("Its sources are still being looked for{because}"),
        (HealthState::Paused, _) => {
            let since = known.paused_since.map(|since| format!(" since {}", day(since))).unwrap_or_default();
            format!("Its type is paused{since}, because the balance did not cover a finding")
        }
        (HealthState::Failing, _) => format!("None of its {} can be read{because}", sources(known.feeds)),
        (HealthState::Watching, _) => watching(known, &because),
    };
    sentence + "."
}

fn ended(known: &Circumstances<'_>, because: &str) -> String {
    let at = known.radar.deactivated_at.map(|at| format!(" on {}", day(at))).unwrap_or_default();
    match known.radar.status_reason {
        Some(StatusReason::UserDeactivated) => format!("Its customer ended it{at}"),
        Some(StatusReason::GracePeriodEnded) => format!("Its customer ended it, and its paid period is over{at}"),
        Some(StatusReason::InsufficientFunds) => format!("It ended{at}, because the balance did not cover its renewal"),
        Some(StatusReason::MissingPrerequisites) => format!("Its set-up found no source{at}{because}"),
        Some(StatusReason::SourceInaccessible) => {
            format!("It ended{at}, because its target could not be read{because}")
        }
        Some(StatusReason::SetupFailure) => format!("Its set-up failed{at}{because}"),
        Some(StatusReason::SystemDeactivated) | None => format!("It was ended by the service{at}{because}"),
    }
}

fn watching(known: &Circumstances<'_>, because: &str) -> String {
    let sources = sources(known.feeds);
    let failing = match known.failing {
        0 => String::new(),
        failing => format!("; {failing} of them cannot be read{because}"),
    };
    if let Some(full_since) = known.radar.daily.full_since {
        return format!("It has found more than its day allows and reads no further since {}", day(full_since));
    }
    match known.last_finding_at {
        Some(at) if known.feeds == 0 => format!("A provider handed something in last on {}", day(at)),
        Some(at) => format!("It watches {sources} and found something last on {}{failing}", day(at)),
        None if known.feeds == 0 && known.is_pushed => {
            "It waits for what a provider hands in: nothing has come".to_owned()
        }
        None if known.feeds == 0 => "No source serves it now".to_owned(),
        None if known.seen == 0 => format!("It has not looked at its {sources} yet{failing}"),
        None if known.filtered_items > 0 => format!("Its {sources} showed {}{failing}", kept_out(known)),
        None => format!("Its {sources} showed nothing new since it was created{failing}"),
    }
}

/// What its sources showed of which nothing was a finding.
fn kept_out(known: &Circumstances<'_>) -> String {
    let (all, older) = (known.filtered_items, known.older_items);
    let reason = match all.saturating_sub(older) {
        0 if all == 1 => "and the one was older than the radar".to_owned(),
        0 => "and all were older than the radar".to_owned(),
        1 if all == 1 => "and its filter kept out the one new item".to_owned(),
        new if new == all => "and its filter kept out all new items".to_owned(),
        new => format!("{older} older than the radar, and its filter kept out {new}"),
    };
    format!("{all} since it was created, {reason}")
}

fn sources(count: usize) -> String {
    if count == 1 { "1 source".to_owned() } else { format!("{count} sources") }
}

fn day(at: DateTime<Utc>) -> String {
    at.format("%Y-%m-%d %H:%M").to_string()
}

/// Which rules keep an item about `role` from being a finding of `radar`, by the names of its fields; none where it is one.
/// `shows` is what its source declares of its list.
pub fn kept_out_by(
    radar: &Radar,
    shows: Showing,
    role: &Role,
    content: &str,
    dated_at: Option<DateTime<Utc>>,
) -> Vec<&'static str> {
    if shows.is_baseline(dated_at, radar.created_at) {
        return vec!["older_than_radar"];
    }
    let by = radar.wanted.filter.keeps_out(role);
    let is_abroad = !radar.wanted.is_in_countries(content::country_of(content).as_deref());
    let rules = [
        ("departments", by.departments),
        ("seniorities", by.seniorities),
        ("job_titles", by.job_titles),
        ("countries", is_abroad),
    ];
    rules.into_iter().filter(|(_, keeps_out)| *keeps_out).map(|(rule, _)| rule).collect()
}

#[cfg(test)]
mod tests {
    use chrono::{DateTime, TimeDelta, Utc};

    use super::{Circumstances, kept_out_by, why};
    use crate::ids::{AccountId, RadarId};
    use crate::radar::daily_bound::DailyBound;
    use crate::radar::filter::{Department, Filter, Role};
    use crate::radar::health::HealthState::{Ended, Failing, Paused, SettingUp, Watching};
    use crate::radar::presence::{Presence, Showing};
    use crate::radar::{GracePeriod, NewRadar, PricingModel, Radar, SetUp, Status, StatusReason};
    use crate::radar_type::RadarType;
    use crate::targets::{DomainName, Target};
    use uuid::Uuid;

    fn at(hours: i64) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + TimeDelta::hours(hours)
    }

    fn sample_radar() -> Radar {
        let domain = DomainName::from_stored("acme.com".to_owned());
        let wanted = NewRadar {
            radar_type: RadarType::CompanyJobOpenings,
            target: Target::Company { domain },
            filter: Filter::Everything,
            webhook_url: None,
            webhook_format: None,
            custom_fields: Default::default(),
        };
        Radar {
            radar_id: RadarId(Uuid::from_u128(7)),
            account_id: AccountId(Uuid::from_u128(1)),
            wanted,
            status: Status::Active,
            status_reason: None,
            set_up: SetUp::Ready,
            model: PricingModel::UpdateBased,
            grace_period: GracePeriod::None,
            created_at: at(0),
            deactivated_at: None,
            period_no: 0,
            next_charge_at: None,
            daily: DailyBound::default(),
        }
    }

    #[test]
    fn a_radar_says_why_it_ended_or_finds_nothing() {
        let radar = sample_radar();
        let ended = |reason| Radar { status_reason: Some(reason), deactivated_at: Some(at(25)), ..radar.clone() };
        let known = Circumstances {
            radar: &radar,
            health: Watching,
            account_is: None,
            paused_since: None,
            feeds: 2,
            failing: 0,
            seen: 2,
            last_error: None,
            is_pushed: false,
            filtered_items: 0,
            older_items: 0,
            last_finding_at: None,
        };
        let [deleted, unfunded, failed] =
            [StatusReason::UserDeactivated, StatusReason::InsufficientFunds, StatusReason::MissingPrerequisites]
                .map(ended);
        let error = Some("no careers page was found.");
        for (known, sentence) in [
            (known, "Its 2 sources showed nothing new since it was created."),
            (Circumstances { feeds: 1, seen: 0, ..known }, "It has not looked at its 1 source yet."),
            (Circumstances { feeds: 0, ..known }, "No source serves it now."),
            (
                Circumstances { feeds: 0, is_pushed: true, ..known },
                "It waits for what a provider hands in: nothing has come.",
            ),
            (
                Circumstances { filtered_items: 3, ..known },
                "Its 2 sources showed 3 since it was created, and its filter kept out all new items.",
            ),
            (
                Circumstances { filtered_items: 3, older_items: 3, ..known },
                "Its 2 sources showed 3 since it was created, and all were older than the radar.",
            ),
            (
                Circumstances { filtered_items: 3, older_items: 1, ..known },
                "Its 2 sources showed 3 since it was created, 1 older than the radar, and its filter kept out 2.",
            ),
            (
                Circumstances { failing: 1, last_error: Some("HTTP 404"), last_finding_at: Some(at(1)), ..known },
                "It watches 2 sources and found something last on 1970-01-01 01:00; 1 of them cannot be read: HTTP 404.",
            ),
            (
                Circumstances { health: Failing, last_error: Some("HTTP 404"), ..known },
                "None of its 2 sources can be read: HTTP 404.",
            ),
            (
                Circumstances { account_is: Some("stopped"), ..known },
                "Its account is stopped, so nothing is watched for it.",
            ),
            (Circumstances { health: SettingUp, ..known }, "Its sources are still being looked for."),
            (
                Circumstances { health: Paused, paused_since: Some(at(2)), ..known },
                "Its type is paused since 1970-01-01 02:00, because the balance did not cover a finding.",
            ),
            (Circumstances { health: Ended, radar: &deleted, ..known }, "Its customer ended it on 1970-01-02 01:00."),
            (
                Circumstances { health: Ended, radar: &unfunded, account_is: Some("stopped"), ..known },
                "It ended on 1970-01-02 01:00, because the balance did not cover its renewal.",
            ),
            (
                Circumstances { health: Ended, radar: &failed, last_error: error, ..known },
                "Its set-up found no source on 1970-01-02 01:00: no careers page was found.",
            ),
        ] {
            assert_eq!(why(&known), sentence);
        }
    }

    #[test]
    fn what_keeps_an_item_out_is_named() {
        let mut radar = sample_radar();
        radar.wanted.filter = Filter::Persona { departments: vec![Department::Sales], seniorities: Vec::new() };
        let window = Showing { presence: Presence::Window, lag: TimeDelta::zero() };
        let sales = Role { departments: vec![Department::Sales], ..Role::default() };
        let before = Some(radar.created_at - TimeDelta::days(1));
        assert!(kept_out_by(&radar, window, &sales, "{}", None).is_empty());
        assert_eq!(kept_out_by(&radar, window, &Role::default(), "{}", None), ["departments"]);
        assert_eq!(kept_out_by(&radar, window, &sales, "{}", before), ["older_than_radar"]);
    }
}
