//! Radars. What a customer asked for is spread over columns: one for each way to name a target or to filter.

use std::str::FromStr;

use entity::radar;

use super::stored::overwritten;
use crate::StoreError;
use crate::database::rows;
use domain::ids::{AccountId, RadarId};
use domain::radar::daily_bound::DailyBound;
use domain::radar::filter::{Department, Filter, Seniority};
use domain::radar::title_expression::TitleExpression;
use domain::radar::{NewRadar, Radar};
use domain::radar_type::{Category, RadarType};
use domain::scheduling::shards::shard_of;
use domain::targets::{CountryCode, DomainName, Email, ProfileUrl, Target};

const TABLE: &str = "radar";

overwritten! {
    /// What changes in a radar's life is replaced; what the customer asked for never changes.
    radar {
        Key: radar_id;
        Kept: account_id, shard, radar_type, target_key, domain, profile_url, email, full_name, keyword, countries,
            departments, seniorities, job_titles, webhook_url, custom_fields, model, grace_period, created_at, crashes,
            last_error;
        Replaced: status, status_reason, set_up, deactivated_at, period_no, next_charge_at, wake_at, day_began_at,
            day_charged, held_beyond_bound, full_since, release_at;
    }
}

/// How a target stands in a row, beside its category.
struct TargetColumns {
    domain: Option<String>,
    profile_url: Option<String>,
    email: Option<String>,
    full_name: Option<String>,
    keyword: Option<String>,
    countries: Option<String>,
}

/// How a filter stands in a row.
struct FilterColumns {
    departments: Option<String>,
    seniorities: Option<String>,
    job_titles: Option<String>,
}

pub(crate) fn radar(row: radar::Model) -> Result<Radar, StoreError> {
    let radar::Model {
        radar_id,
        account_id,
        // Follow from the account, and from the target.
        shard: _,
        target_key: _,
        radar_type,
        domain,
        profile_url,
        email,
        full_name,
        keyword,
        countries,
        departments,
        seniorities,
        job_titles,
        webhook_url,
        custom_fields,
        status,
        status_reason,
        set_up,
        model,
        grace_period,
        created_at,
        deactivated_at,
        period_no,
        next_charge_at,
        // Follows from the rest; it is there to be looked for.
        wake_at: _,
        // Of its actor, for operators.
        crashes: _,
        last_error: _,
        day_began_at,
        day_charged,
        held_beyond_bound,
        full_since,
        release_at,
    } = row;
    let target = TargetColumns { domain, profile_url, email, full_name, keyword, countries };
    let filter = FilterColumns { departments, seniorities, job_titles };
    Ok(Radar {
        radar_id: RadarId(radar_id),
        account_id: AccountId(account_id),
        wanted: wanted(&radar_type, target, filter, webhook_url, &custom_fields)?,
        status: rows::closed(TABLE, &status)?,
        status_reason: status_reason.map(|reason| rows::closed(TABLE, &reason)).transpose()?,
        set_up: rows::closed(TABLE, &set_up)?,
        model: rows::closed(TABLE, &model)?,
        grace_period: rows::closed(TABLE, &grace_period)?,
        created_at: rows::instant(TABLE, created_at)?,
        deactivated_at: rows::instant_option(TABLE, deactivated_at)?,
        period_no,
        next_charge_at: rows::instant_option(TABLE, next_charge_at)?,
        daily: daily([day_began_at, full_since, release_at], day_charged, held_beyond_bound)?,
    })
}

fn wanted(
    radar_type: &str,
    target: TargetColumns,
    filter: FilterColumns,
    webhook_url: Option<String>,
    custom_fields: &str,
) -> Result<NewRadar, StoreError> {
    let radar_type = rows::closed(TABLE, radar_type)?;
    let (target, filter) = (target.read(radar_type)?, filter.read()?);
    Ok(NewRadar { radar_type, target, filter, webhook_url, custom_fields: rows::json(TABLE, custom_fields)? })
}

fn daily(instants: [Option<i64>; 3], charged: i64, held: i64) -> Result<DailyBound, StoreError> {
    let [began_at, full_since, release_at] = instants.map(|micros| rows::instant_option(TABLE, micros));
    Ok(DailyBound { began_at: began_at?, charged, held, full_since: full_since?, release_at: release_at? })
}

pub(crate) fn radar_row(radar: &Radar) -> radar::Model {
    let NewRadar { radar_type, target, filter, webhook_url, custom_fields } = &radar.wanted;
    let TargetColumns { domain, profile_url, email, full_name, keyword, countries } = TargetColumns::of(target);
    let FilterColumns { departments, seniorities, job_titles } = FilterColumns::of(filter);
    radar::Model {
        radar_id: radar.radar_id.0,
        account_id: radar.account_id.0,
        shard: shard_of(radar.account_id),
        radar_type: radar_type.as_str().to_owned(),
        target_key: target.key(*radar_type),
        domain,
        profile_url,
        email,
        full_name,
        keyword,
        countries,
        departments,
        seniorities,
        job_titles,
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
        crashes: 0,
        last_error: None,
        day_began_at: radar.daily.began_at.map(|at| at.timestamp_micros()),
        day_charged: radar.daily.charged,
        held_beyond_bound: radar.daily.held,
        full_since: radar.daily.full_since.map(|at| at.timestamp_micros()),
        release_at: radar.daily.release_at.map(|at| at.timestamp_micros()),
    }
}

impl TargetColumns {
    fn of(target: &Target) -> Self {
        let domain = target.domain().map(|domain| domain.as_str().to_owned());
        match target {
            Target::Company { .. } => {
                Self { domain, profile_url: None, email: None, full_name: None, keyword: None, countries: None }
            }
            Target::Contact { domain: _, profile_url, email, full_name } => Self {
                domain,
                profile_url: profile_url.as_ref().map(|url| url.as_str().to_owned()),
                email: email.as_ref().map(|address| address.as_str().to_owned()),
                full_name: full_name.clone(),
                keyword: None,
                countries: None,
            },
            Target::Industry { keyword, countries } => Self {
                domain,
                profile_url: None,
                email: None,
                full_name: None,
                keyword: keyword.clone(),
                countries: list(countries, CountryCode::as_str),
            },
        }
    }

    fn read(self, radar_type: RadarType) -> Result<Target, StoreError> {
        let domain = self.domain.map(DomainName::from_stored);
        Ok(match radar_type.category() {
            Category::Company => {
                let domain = domain.ok_or_else(|| StoreError::corrupt(TABLE, "company radar without a domain"))?;
                Target::Company { domain }
            }
            Category::Contact => Target::Contact {
                domain,
                profile_url: self.profile_url.map(ProfileUrl::from_stored),
                email: self.email.map(Email::from_stored),
                full_name: self.full_name,
            },
            Category::Industry => {
                let countries = words(self.countries.as_deref())?;
                let countries = countries.into_iter().map(CountryCode::from_stored).collect();
                Target::Industry { keyword: self.keyword, countries }
            }
        })
    }
}

impl FilterColumns {
    fn of(filter: &Filter) -> Self {
        match filter {
            Filter::Everything => Self { departments: None, seniorities: None, job_titles: None },
            Filter::Persona { departments, seniorities } => Self {
                departments: list(departments, |department| department.as_str()),
                seniorities: list(seniorities, |seniority| seniority.as_str()),
                job_titles: None,
            },
            Filter::JobTitles(expression) => {
                Self { departments: None, seniorities: None, job_titles: Some(expression.as_str().to_owned()) }
            }
        }
    }

    fn read(self) -> Result<Filter, StoreError> {
        if let Some(job_titles) = self.job_titles {
            let expression = TitleExpression::from_stored(job_titles);
            return expression.map(Filter::JobTitles).map_err(|error| StoreError::corrupt(TABLE, error.to_string()));
        }
        if self.departments.is_none() && self.seniorities.is_none() {
            return Ok(Filter::Everything);
        }
        Ok(Filter::Persona {
            departments: vocabulary::<Department>(self.departments.as_deref())?,
            seniorities: vocabulary::<Seniority>(self.seniorities.as_deref())?,
        })
    }
}

fn vocabulary<T: FromStr>(text: Option<&str>) -> Result<Vec<T>, StoreError> {
    words(text)?.iter().map(|word| rows::closed(TABLE, word)).collect()
}

fn words(text: Option<&str>) -> Result<Vec<String>, StoreError> {
    text.map(|text| rows::json(TABLE, text)).transpose().map(Option::unwrap_or_default)
}

fn list<T>(values: &[T], text: impl Fn(&T) -> &str) -> Option<String> {
    let words: Vec<&str> = values.iter().map(text).collect();
    (!words.is_empty()).then(|| serde_json::Value::from(words).to_string())
}
