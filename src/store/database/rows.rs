//! Between rows and the domain's values. A row that no code of this service writes is an error, never a panic.

use std::str::FromStr;

use chrono::{DateTime, Utc};
use entity::{account, held_finding, ledger_entry, lot, price, radar, usage_month};
use uuid::Uuid;

use crate::StoreError;
use domain::account::{AccountState, Finding, HeldFinding, UsageDelta};
use domain::ids::{AccountId, RadarId};
use domain::money::MicroUsd;
use domain::money::balance_alert::BalanceAlerts;
use domain::money::chain::ChainHash;
use domain::money::ledger::LedgerEntry;
use domain::money::lots::Lot;
use domain::money::pricing::{DefaultPrices, Price, configured_findings_per_day};
use domain::radar::daily_bound::DailyBound;
use domain::radar::filter::{Department, Filter, Seniority};
use domain::radar::title_expression::TitleExpression;
use domain::radar::{NewRadar, Radar};
use domain::radar_type::{Category, RadarType};
use domain::scheduling::shards::shard_of;
use domain::targets::{CountryCode, DomainName, Email, ProfileUrl, Target};

pub(crate) fn instant(table: &'static str, micros: i64) -> Result<DateTime<Utc>, StoreError> {
    DateTime::from_timestamp_micros(micros).ok_or_else(|| StoreError::corrupt(table, format!("instant {micros}")))
}

pub(crate) fn instant_option(table: &'static str, micros: Option<i64>) -> Result<Option<DateTime<Utc>>, StoreError> {
    micros.map(|micros| instant(table, micros)).transpose()
}

/// Reads a word of a closed list.
pub(crate) fn closed<T: FromStr>(table: &'static str, text: &str) -> Result<T, StoreError> {
    text.parse().map_err(|_| StoreError::corrupt(table, format!("unknown value {text}")))
}

pub(crate) fn chain_hash(table: &'static str, bytes: &[u8]) -> Result<ChainHash, StoreError> {
    ChainHash::from_stored(bytes).ok_or_else(|| StoreError::corrupt(table, "a hash that is not 32 bytes long"))
}

pub(crate) fn account_state(row: &account::Model) -> Result<AccountState, StoreError> {
    Ok(AccountState {
        account_id: AccountId(row.account_id),
        status: closed("account", &row.status)?,
        balance: MicroUsd::from_micros(row.balance_micros),
        tx_seq: row.tx_seq,
        update_seq: row.update_seq,
        hold_seq: row.hold_seq,
        lot_no: row.lot_no,
        active_radars: row.active_radars,
        ended_radars: row.ended_radars,
        radars_max: row.radars_max,
        last_at: instant("account", row.last_at)?,
        approval: closed("account", &row.approval)?,
        alerts: alerts(row)?,
        spend_cap: row.spend_cap_micros.map(MicroUsd::from_micros),
        head_hash: chain_hash("account", &row.head_hash)?,
        frozen_reason: row.frozen_reason.clone(),
    })
}

/// The receiver of alerts that the balance runs low.
pub(crate) fn alerts(row: &account::Model) -> Result<Option<BalanceAlerts>, StoreError> {
    let Some(webhook_url) = row.alert_url.clone() else { return Ok(None) };
    let micros: Vec<i64> = row.alert_thresholds.as_deref().map(json).transpose()?.unwrap_or_default();
    Ok(Some(BalanceAlerts { webhook_url, thresholds: micros.into_iter().map(MicroUsd::from_micros).collect() }))
}

/// The bound of a day that a price of an account's own says; `None` where the configured one holds.
pub(crate) fn own_bound(row: &price::Model) -> Option<u32> {
    row.findings_per_day.and_then(|bound| u32::try_from(bound).ok())
}

/// A price of an account's own: of which type, from when on, and the price.
pub(crate) fn price(
    row: &price::Model,
    defaults: &DefaultPrices,
) -> Result<(RadarType, DateTime<Utc>, Price), StoreError> {
    let radar_type: RadarType = closed("price", &row.radar_type)?;
    let price = Price {
        model: closed("price", &row.model)?,
        rate: MicroUsd::from_micros(row.rate_micros),
        grace_period: closed("price", &row.grace_period)?,
        findings_per_day: own_bound(row).unwrap_or_else(|| configured_findings_per_day(defaults, radar_type)),
    };
    Ok((radar_type, instant("price", row.effective_from)?, price))
}

pub(crate) fn lot(row: &lot::Model) -> Result<Lot, StoreError> {
    Ok(Lot {
        lot_no: row.lot_no,
        kind: closed("lot", &row.kind)?,
        granted: MicroUsd::from_micros(row.granted_micros),
        remaining: MicroUsd::from_micros(row.remaining_micros),
        expires_at: instant_option("lot", row.expires_at)?,
        op_key: row.op_key.clone(),
        parent_lot_no: row.parent_lot_no,
        origin_expires_at: instant_option("lot", row.origin_expires_at)?,
        created_at: instant("lot", row.created_at)?,
    })
}

pub(crate) fn lot_row(account_id: Uuid, lot: &Lot) -> lot::Model {
    lot::Model {
        account_id,
        lot_no: lot.lot_no,
        kind: lot.kind.as_str().to_owned(),
        granted_micros: lot.granted.micros(),
        remaining_micros: lot.remaining.micros(),
        expires_at: lot.expires_at.map(|at| at.timestamp_micros()),
        op_key: lot.op_key.clone(),
        parent_lot_no: lot.parent_lot_no,
        created_at: lot.created_at.timestamp_micros(),
        origin_expires_at: lot.origin_expires_at.map(|at| at.timestamp_micros()),
    }
}

pub(crate) fn entry(row: &ledger_entry::Model) -> Result<LedgerEntry, StoreError> {
    Ok(LedgerEntry {
        bucket: closed("ledger_entry", &row.bucket)?,
        lot_no: row.lot_no,
        amount: MicroUsd::from_micros(row.amount_micros),
    })
}

/// A month, written `YYYY-MM`, and what happened in it.
pub(crate) fn usage(row: usage_month::Model) -> (String, UsageDelta) {
    let usage = UsageDelta {
        radars_activated: row.radars_activated,
        radars_deactivated: row.radars_deactivated,
        radars_failed: row.radars_failed,
        updates_found: row.updates_found,
        used_micros: row.used_micros,
    };
    (row.month, usage)
}

pub(crate) fn radar(row: radar::Model) -> Result<Radar, StoreError> {
    let radar_type: RadarType = closed("radar", &row.radar_type)?;
    let wanted = NewRadar {
        radar_type,
        target: target(radar_type, &row)?,
        filter: filter(&row)?,
        webhook_url: row.webhook_url,
        custom_fields: json(&row.custom_fields)?,
    };
    Ok(Radar {
        radar_id: RadarId(row.radar_id),
        account_id: AccountId(row.account_id),
        wanted,
        status: closed("radar", &row.status)?,
        status_reason: row.status_reason.map(|reason| closed("radar", &reason)).transpose()?,
        set_up: closed("radar", &row.set_up)?,
        model: closed("radar", &row.model)?,
        grace_period: closed("radar", &row.grace_period)?,
        created_at: instant("radar", row.created_at)?,
        deactivated_at: instant_option("radar", row.deactivated_at)?,
        period_no: row.period_no,
        next_charge_at: instant_option("radar", row.next_charge_at)?,
        daily: DailyBound {
            began_at: instant_option("radar", row.day_began_at)?,
            charged: row.day_charged,
            held: row.held_beyond_bound,
            full_since: instant_option("radar", row.full_since)?,
            release_at: instant_option("radar", row.release_at)?,
        },
    })
}

pub(crate) fn held(row: held_finding::Model) -> Result<HeldFinding, StoreError> {
    Ok(HeldFinding {
        hold_seq: row.hold_seq,
        radar_id: RadarId(row.radar_id),
        radar_type: closed("held_finding", &row.radar_type)?,
        rate: MicroUsd::from_micros(row.rate_micros),
        reason: closed("held_finding", &row.reason)?,
        finding: Finding {
            record_id: row.record_id,
            content: row.content,
            detected_at: instant("held_finding", row.detected_at)?,
            origin: closed("held_finding", &row.origin)?,
            event: None,
        },
    })
}

fn target(radar_type: RadarType, row: &radar::Model) -> Result<Target, StoreError> {
    let domain = row.domain.clone().map(DomainName::from_stored);
    Ok(match radar_type.category() {
        Category::Company => {
            let domain = domain.ok_or_else(|| StoreError::corrupt("radar", "company radar without a domain"))?;
            Target::Company { domain }
        }
        Category::Contact => Target::Contact {
            domain,
            profile_url: row.profile_url.clone().map(ProfileUrl::from_stored),
            email: row.email.clone().map(Email::from_stored),
            full_name: row.full_name.clone(),
        },
        Category::Industry => {
            let countries: Vec<String> = row.countries.as_deref().map(json).transpose()?.unwrap_or_default();
            let countries = countries.into_iter().map(CountryCode::from_stored).collect();
            Target::Industry { keyword: row.keyword.clone(), countries }
        }
    })
}

fn filter(row: &radar::Model) -> Result<Filter, StoreError> {
    if let Some(job_titles) = &row.job_titles {
        let expression = TitleExpression::from_stored(job_titles.clone())
            .map_err(|error| StoreError::corrupt("radar", error.to_string()))?;
        return Ok(Filter::JobTitles(expression));
    }
    if row.departments.is_none() && row.seniorities.is_none() {
        return Ok(Filter::Everything);
    }
    Ok(Filter::Persona {
        departments: vocabulary::<Department>(row.departments.as_deref())?,
        seniorities: vocabulary::<Seniority>(row.seniorities.as_deref())?,
    })
}

fn vocabulary<T: FromStr>(text: Option<&str>) -> Result<Vec<T>, StoreError> {
    let words: Vec<String> = text.map(json).transpose()?.unwrap_or_default();
    words.iter().map(|word| closed("radar", word)).collect()
}

/// The row of a radar.
pub(crate) fn radar_row(radar: &Radar) -> radar::Model {
    let NewRadar { radar_type, target, filter, webhook_url, custom_fields } = &radar.wanted;
    let mut row = radar::Model {
        radar_id: radar.radar_id.0,
        account_id: radar.account_id.0,
        shard: shard_of(radar.account_id),
        radar_type: radar_type.as_str().to_owned(),
        target_key: target.key(*radar_type),
        domain: target.domain().map(|domain| domain.as_str().to_owned()),
        webhook_url: webhook_url.clone(),
        custom_fields: serde_json::Value::from_iter(custom_fields.clone()).to_string(),
        status: radar.status.as_str().to_owned(),
        status_reason: radar.status_reason.map(|reason| reason.as_str().to_owned()),
        set_up: radar.set_up.as_str().to_owned(),
        model: radar.model.as_str().to_owned(),
        grace_period: radar.grace_period.as_str().to_owned(),
        created_at: radar.created_at.timestamp_micros(),
        deactivated_at: radar.deactivated_at.map(|at| at.timestamp_micros()),
        period_no: radar.period_no,
        next_charge_at: radar.next_charge_at.map(|at| at.timestamp_micros()),
        wake_at: radar.wake_at().map(|at| at.timestamp_micros()),
        day_began_at: radar.daily.began_at.map(|at| at.timestamp_micros()),
        day_charged: radar.daily.charged,
        held_beyond_bound: radar.daily.held,
        full_since: radar.daily.full_since.map(|at| at.timestamp_micros()),
        release_at: radar.daily.release_at.map(|at| at.timestamp_micros()),
        ..Default::default()
    };
    match target {
        Target::Company { .. } => {}
        Target::Contact { profile_url, email, full_name, .. } => {
            row.profile_url = profile_url.as_ref().map(|url| url.as_str().to_owned());
            row.email = email.as_ref().map(|address| address.as_str().to_owned());
            row.full_name = full_name.clone();
        }
        Target::Industry { keyword, countries } => {
            row.keyword = keyword.clone();
            row.countries = list(countries, CountryCode::as_str);
        }
    }
    match filter {
        Filter::Everything => {}
        Filter::Persona { departments, seniorities } => {
            row.departments = list(departments, |department| department.as_str());
            row.seniorities = list(seniorities, |seniority| seniority.as_str());
        }
        Filter::JobTitles(expression) => row.job_titles = Some(expression.as_str().to_owned()),
    }
    row
}

fn list<T>(values: &[T], text: impl Fn(&T) -> &str) -> Option<String> {
    let words: Vec<&str> = values.iter().map(text).collect();
    (!words.is_empty()).then(|| serde_json::Value::from(words).to_string())
}

fn json<T: serde::de::DeserializeOwned + Default>(text: &str) -> Result<T, StoreError> {
    serde_json::from_str(text).map_err(|error| StoreError::corrupt("radar", error.to_string()))
}
