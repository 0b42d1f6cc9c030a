//! What a request for a radar must hold (Spec 2.7, decisions 2.1 to 2.5, 2.7, 2.8): which fields each type takes, needs
//! and ignores, and in which order offending ones are listed.
//!
//! The rules of single values stand with their types.

use std::collections::BTreeSet;

use super::filter::{Department, Filter, Seniority};
use super::radar_type::{Category, RadarType};
use super::title_expression::TitleExpression;
use crate::field_limits::{COUNTRIES_MAX, FILTER_VALUES_MAX};
use crate::fields::Fields;
use crate::targets::{CountryCode, DomainName, Email, ProfileUrl, Target, free_text};

/// Fields that every type takes.
const COMMON: &[&str] = &["radar_type", "webhook_url", "webhook_format", "custom_fields"];
/// Fields that narrow filterable types and are ignored on all others (Spec 2.1).
pub const FILTERS: &[&str] = &["departments", "seniorities", "job_titles"];

/// What to watch, and which findings are wanted.
pub struct Wanted {
    /// The type.
    pub radar_type: RadarType,
    /// What it watches.
    pub target: Target,
    /// Which findings are wanted.
    pub filter: Filter,
}

/// Reads type, target and filter. `category` is that of the endpoint; `None` for an item of a bulk, whose `radar_type`
/// decides. `None` when something essential is missing or wrong, which is noted then.
pub fn read(fields: &mut Fields<'_>, category: Option<Category>) -> Option<Wanted> {
    let radar_type = fields.required("radar_type", |text| radar_type(text, category));
    refuse_unused(fields, radar_type, category);
    let target = match radar_type {
        Some(radar_type) => target(fields, radar_type),
        None => {
            check_target(fields, category);
            None
        }
    };
    // Most company types are filterable: where the type is unknown, malformed filters are listed, too.
    let is_filtered = radar_type.map_or(category == Some(Category::Company), RadarType::is_filterable);
    let filter = if is_filtered { filter(fields) } else { Filter::Everything };
    Some(Wanted { radar_type: radar_type?, target: target?, filter })
}

fn radar_type(text: &str, category: Option<Category>) -> Result<RadarType, String> {
    let is_allowed = |one: RadarType| category.is_none_or(|only| one.category() == only);
    let known = text.parse().ok().filter(|radar_type| is_allowed(*radar_type));
    let names = || RadarType::ALL.iter().filter(|one| is_allowed(**one)).map(|one| one.as_str());
    known.ok_or_else(|| format!("must be one of {}", names().collect::<Vec<_>>().join(", ")))
}

/// The fields that name the target of a type.
pub const fn target_fields(radar_type: RadarType) -> &'static [&'static str] {
    match radar_type {
        RadarType::CompanyJobOpenings
        | RadarType::CompanyNewHires
        | RadarType::CompanyPromotions
        | RadarType::CompanySocialPostsCxo
        | RadarType::CompanyReviews
        | RadarType::CompanyMentions
        | RadarType::CompanySocialPosts
        | RadarType::CompanySocialEngagements => &["domain"],
        RadarType::ContactJobChanges => &["domain", "profile_url", "email", "full_name"],
        RadarType::ContactSocialPosts | RadarType::ContactSocialEngagements => &["profile_url"],
        RadarType::IndustryMentions => &["keyword"],
        RadarType::IndustryFundingRounds | RadarType::IndustryNewCompanies => &[],
        RadarType::IndustryJobOpenings => &["keyword", "countries"],
    }
}

/// Refuses unknown fields, and those that would change nothing about a radar of this type (decision 2.2).
fn refuse_unused(fields: &mut Fields<'_>, radar_type: Option<RadarType>, category: Option<Category>) {
    let may_be = |one: &&RadarType| match radar_type {
        Some(radar_type) => **one == radar_type,
        None => category.is_none_or(|only| one.category() == only),
    };
    let mut allowed = COMMON.to_vec();
    for one in RadarType::ALL.iter().filter(may_be) {
        let filters = if one.is_filterable() { FILTERS } else { &[] };
        for name in target_fields(*one).iter().chain(filters) {
            if !allowed.contains(name) {
                allowed.push(name);
            }
        }
    }
    for name in fields.names() {
        if allowed.contains(&name) || FILTERS.contains(&name) {
            continue;
        }
        match radar_type {
            // An absent field changes nothing; an unknown name may be a misspelt one, even without a value.
            Some(radar_type) if RadarType::ALL.iter().any(|one| target_fields(*one).contains(&name)) => {
                if fields.is_given(name) {
                    fields.refuse_name(name, &format!("is not used by {radar_type}"), &allowed);
                }
            }
            _ => fields.refuse_name(name, "is not a known field", &allowed),
        }
    }
}

fn target(fields: &mut Fields<'_>, radar_type: RadarType) -> Option<Target> {
    match radar_type.category() {
        Category::Company => Some(Target::Company { domain: fields.required("domain", DomainName::parse)? }),
        Category::Contact if radar_type == RadarType::ContactJobChanges => job_changes(fields),
        Category::Contact => {
            let profile_url = Some(fields.required("profile_url", ProfileUrl::parse_social)?);
            Some(Target::Contact { domain: None, profile_url, email: None, full_name: None })
        }
        Category::Industry => {
            let takes = |name| target_fields(radar_type).contains(&name);
            let keyword = if takes("keyword") { fields.required("keyword", free_text::keyword) } else { None };
            let countries = if takes("countries") { countries(fields) } else { Vec::new() };
            Some(Target::Industry { keyword, countries })
        }
    }
}

fn job_changes(fields: &mut Fields<'_>) -> Option<Target> {
    if !["email", "profile_url", "full_name"].iter().any(|name| fields.is_given(name)) {
        fields.refuse("email", "at least one of email, profile_url, full_name is required");
    }
    let domain = fields.required("domain", DomainName::parse);
    let profile_url = fields.parsed("profile_url", ProfileUrl::parse);
    let email = fields.parsed("email", Email::parse);
    let full_name = fields.parsed("full_name", free_text::full_name);
    Some(Target::Contact { domain, profile_url, email, full_name })
}

/// Without a type nothing is known to be missing, but what is malformed is malformed for every type of the category.
fn check_target(fields: &mut Fields<'_>, category: Option<Category>) {
    if matches!(category, Some(Category::Company)) {
        fields.required("domain", DomainName::parse);
    } else if !matches!(category, Some(Category::Industry)) {
        fields.parsed("domain", DomainName::parse);
    }
    if !matches!(category, Some(Category::Company | Category::Industry)) {
        fields.parsed("profile_url", ProfileUrl::parse);
        fields.parsed("email", Email::parse);
        fields.parsed("full_name", free_text::full_name);
    }
    if !matches!(category, Some(Category::Company | Category::Contact)) {
        fields.parsed("keyword", free_text::keyword);
        countries(fields);
    }
}

fn countries(fields: &mut Fields<'_>) -> Vec<CountryCode> {
    const NAME: &str = "countries";
    let countries = fields.list(NAME, COUNTRIES_MAX, CountryCode::parse).unwrap_or_default();
    if BTreeSet::from_iter(&countries).len() < countries.len() {
        fields.refuse(NAME, "must not name a country twice");
    }
    countries
}

fn filter(fields: &mut Fields<'_>) -> Filter {
    let departments = fields.list("departments", FILTER_VALUES_MAX, str::parse::<Department>).map(without_duplicates);
    let seniorities = fields.list("seniorities", FILTER_VALUES_MAX, str::parse::<Seniority>).map(without_duplicates);
    let job_titles = fields.parsed("job_titles", TitleExpression::parse);
    if fields.is_given("job_titles") && (fields.is_given("departments") || fields.is_given("seniorities")) {
        fields.refuse("job_titles", "cannot be combined with departments or seniorities");
    }
    match (job_titles, departments, seniorities) {
        (Some(expression), ..) => Filter::JobTitles(expression),
        (None, None, None) => Filter::Everything,
        (None, departments, seniorities) => Filter::Persona {
            departments: departments.unwrap_or_default(),
            seniorities: seniorities.unwrap_or_default(),
        },
    }
}

/// Values within a list are OR-ed, so that naming one twice means the same as naming it once.
fn without_duplicates<T: Copy + Ord>(mut values: Vec<T>) -> Vec<T> {
    let mut seen = BTreeSet::new();
    values.retain(|value| seen.insert(*value));
    values
}
