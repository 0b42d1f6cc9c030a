//! Radars. What a customer asked for is spread over columns: one for each way to name a target or to filter.

use std::str::FromStr;

use entity::radar;

use super::stored::{Stored, overwritten};
use crate::database::{InColumn, rows};
use crate::{Result, StoreError};
use domain::scheduling::shards::shard_of;
use domain::{
    AccountId, Category, CountryCode, DailyBound, Department, DomainName, Email, Filter, FilterFields, NewRadar,
    ProfileUrl, Radar, RadarId, RadarType, Seniority, Target, TargetFields, TitleExpression,
};

const TABLE: &str = "radar";

overwritten! {
    /// What changes in a radar's life is replaced; what the customer asked for never changes.
    radar {
        Key: radar_id;
        Kept: account_id, shard, radar_type, target_key, domain, profile_url, email, full_name, keyword, countries,
            departments, seniorities, job_titles, webhook_url, webhook_format, custom_fields, model, grace_period, created_at, crashes,
            last_error;
        Replaced: status, status_reason, set_up, deactivated_at, period_no, next_charge_at, wake_at, day_began_at,
            day_charged, held_beyond_bound, full_since, release_at;
    }
}

impl Stored for radar::Entity {
    type Value = Radar;

    fn value(mut row: radar::Model) -> Result<Radar> {
        let radar_type = rows::closed(TABLE, &row.radar_type)?;
        Ok(Radar {
            radar_id: RadarId(row.radar_id),
            account_id: AccountId(row.account_id),
            wanted: NewRadar {
                radar_type,
                target: target(&mut row, radar_type)?,
                filter: filter(&mut row)?,
                webhook_url: row.webhook_url,
                webhook_format: row.webhook_format.map(|format| rows::closed(TABLE, &format)).transpose()?,
                custom_fields: rows::json(TABLE, &row.custom_fields)?,
            },
            status: rows::closed(TABLE, &row.status)?,
            status_reason: row.status_reason.map(|reason| rows::closed(TABLE, &reason)).transpose()?,
            set_up: rows::closed(TABLE, &row.set_up)?,
            model: rows::closed(TABLE, &row.model)?,
            grace_period: rows::closed(TABLE, &row.grace_period)?,
            created_at: rows::instant(TABLE, row.created_at)?,
            deactivated_at: rows::instant_option(TABLE, row.deactivated_at)?,
            period_no: row.period_no,
            next_charge_at: rows::instant_option(TABLE, row.next_charge_at)?,
            daily: DailyBound {
                began_at: rows::instant_option(TABLE, row.day_began_at)?,
                charged: row.day_charged,
                held: row.held_beyond_bound,
                full_since: rows::instant_option(TABLE, row.full_since)?,
                release_at: rows::instant_option(TABLE, row.release_at)?,
            },
        })
    }

    fn row(radar: Radar) -> radar::Model {
        let NewRadar { radar_type, target, filter, webhook_url, webhook_format, custom_fields } = &radar.wanted;
        let TargetFields { domain, profile_url, email, full_name, keyword, countries } = target.fields();
        let FilterFields { departments, seniorities, job_titles } = filter.fields();
        radar::Model {
            radar_id: radar.radar_id.0,
            account_id: radar.account_id.0,
            shard: shard_of(radar.account_id),
            radar_type: radar_type.as_str().to_owned(),
            target_key: target.key(*radar_type),
            domain: domain.map(str::to_owned),
            profile_url: profile_url.map(str::to_owned),
            email: email.map(str::to_owned),
            full_name: full_name.map(str::to_owned),
            keyword: keyword.map(str::to_owned),
            countries: list(countries, CountryCode::as_str),
            departments: list(departments, |department| department.as_str()),
            seniorities: list(seniorities, |seniority| seniority.as_str()),
            job_titles: job_titles.map(str::to_owned),
            webhook_url: webhook_url.clone(),
            webhook_format: webhook_format.map(|format| format.as_str().to_owned()),
            custom_fields: serde_json::Value::from_iter(custom_fields.clone()).to_string(),
            status: radar.status.as_str().to_owned(),
            status_reason: radar.status_reason.map(|reason| reason.as_str().to_owned()),
            set_up: radar.set_up.as_str().to_owned(),
            model: radar.model.as_str().to_owned(),
            grace_period: radar.grace_period.as_str().to_owned(),
            created_at: radar.created_at.timestamp_micros(),
            deactivated_at: radar.deactivated_at.write(),
            period_no: radar.period_no,
            next_charge_at: radar.next_charge_at.write(),
            // Follows from the rest; it is there to be looked for.
            wake_at: radar.wake_at().write(),
            // Of its actor, for operators.
            crashes: 0,
            last_error: None,
            day_began_at: radar.daily.began_at.write(),
            day_charged: radar.daily.charged,
            held_beyond_bound: radar.daily.held,
            full_since: radar.daily.full_since.write(),
            release_at: radar.daily.release_at.write(),
        }
    }
}

/// Takes the target out of a row.
fn target(row: &mut radar::Model, radar_type: RadarType) -> Result<Target> {
    let domain = row.domain.take().map(DomainName::from_stored);
    Ok(match radar_type.category() {
        Category::Company => {
            let domain = domain.ok_or_else(|| StoreError::corrupt(TABLE, "company radar without a domain"))?;
            Target::Company { domain }
        }
        Category::Contact => Target::Contact {
            domain,
            profile_url: row.profile_url.take().map(ProfileUrl::from_stored),
            email: row.email.take().map(Email::from_stored),
            full_name: row.full_name.take(),
        },
        Category::Industry => {
            let countries = words(row.countries.as_deref())?;
            let countries = countries.into_iter().map(CountryCode::from_stored).collect();
            Target::Industry { keyword: row.keyword.take(), countries }
        }
    })
}

/// Takes the filter out of a row.
fn filter(row: &mut radar::Model) -> Result<Filter> {
    if let Some(job_titles) = row.job_titles.take() {
        let expression = TitleExpression::from_stored(job_titles);
        return expression.map(Filter::JobTitles).map_err(|error| StoreError::corrupt(TABLE, error.to_string()));
    }
    if row.departments.is_none() && row.seniorities.is_none() {
        return Ok(Filter::Everything);
    }
    Ok(Filter::Persona {
        departments: vocabulary::<Department>(row.departments.as_deref())?,
        seniorities: vocabulary::<Seniority>(row.seniorities.as_deref())?,
    })
}

fn vocabulary<T: FromStr>(text: Option<&str>) -> Result<Vec<T>> {
    words(text)?.iter().map(|word| rows::closed(TABLE, word)).collect()
}

fn words(text: Option<&str>) -> Result<Vec<String>> {
    text.map(|text| rows::json(TABLE, text)).transpose().map(Option::unwrap_or_default)
}

fn list<T>(values: &[T], text: impl Fn(&T) -> &str) -> Option<String> {
    let words: Vec<&str> = values.iter().map(text).collect();
    (!words.is_empty()).then(|| serde_json::Value::from(words).to_string())
}
