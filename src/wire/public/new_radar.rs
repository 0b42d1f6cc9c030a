//! Reads the body that asks for a radar (Spec 2.7, 4.2 to 4.4, decisions 2.1 to 2.5, 2.7, 2.8).
//!
//! Every offending field is listed in one answer. The rules of single values are the domain's; which fields a type
//! takes, needs and ignores is said here.

use serde_json::Value;

use crate::domain::delivery::webhook_url::IsForbidden;
use crate::domain::limits::{COUNTRIES_MAX, FILTER_VALUES_MAX};
use crate::domain::radar::NewRadar;
use crate::domain::radar::filter::{Department, Filter, Seniority};
use crate::domain::radar::radar_type::{Category, RadarType};
use crate::domain::radar::title_expression::TitleExpression;
use crate::domain::rejection::FieldError;
use crate::domain::targets::free_text;
use crate::domain::targets::{CountryCode, DomainName, Email, ProfileUrl, Target};
use crate::wire::fields::Fields;

/// Fields that every type takes.
const COMMON: &[&str] = &["radar_type", "webhook_url", "custom_fields"];
/// Fields that narrow filterable types and are ignored on all others (Spec 2.1).
pub(in crate::wire) const FILTERS: &[&str] = &["departments", "seniorities", "job_titles"];

/// The body of `POST /v1/radars/companies`.
///
/// # Errors
/// Every offending field.
pub fn company(body: &Value, is_forbidden: IsForbidden<'_>) -> Result<NewRadar, Vec<FieldError>> {
    read(body, Some(Category::Company), is_forbidden)
}

/// The body of `POST /v1/radars/contacts`.
///
/// # Errors
/// Every offending field.
pub fn contact(body: &Value, is_forbidden: IsForbidden<'_>) -> Result<NewRadar, Vec<FieldError>> {
    read(body, Some(Category::Contact), is_forbidden)
}

/// The body of `POST /v1/radars/industry`.
///
/// # Errors
/// Every offending field.
pub fn industry(body: &Value, is_forbidden: IsForbidden<'_>) -> Result<NewRadar, Vec<FieldError>> {
    read(body, Some(Category::Industry), is_forbidden)
}

/// An item of a bulk, whose `radar_type` decides what it is.
///
/// # Errors
/// Every offending field.
pub fn any(body: &Value, is_forbidden: IsForbidden<'_>) -> Result<NewRadar, Vec<FieldError>> {
    read(body, None, is_forbidden)
}

fn read(body: &Value, category: Option<Category>, is_forbidden: IsForbidden<'_>) -> Result<NewRadar, Vec<FieldError>> {
    let mut fields = Fields::of(body)?;
    let radar_type = fields.required("radar_type", |text| radar_type(text, category));
    refuse_unused(&mut fields, radar_type, category);
    let wanted = match radar_type {
        Some(radar_type) => target(&mut fields, radar_type).map(|target| (radar_type, target)),
        None => {
            check_target(&mut fields, category);
            None
        }
    };
    // Of a company radar whose type is not known yet, most types would be filtered: what is malformed is listed.
    let is_filtered = radar_type.map_or(category == Some(Category::Company), RadarType::is_filterable);
    let filter = if is_filtered { filter(&mut fields) } else { Filter::Everything };
    let webhook_url = fields.webhook_url(is_forbidden);
    let custom_fields = fields.custom_fields();
    fields.finish(wanted.map(|(radar_type, target)| NewRadar {
        radar_type,
        target,
        filter,
        webhook_url,
        custom_fields,
    }))
}

fn radar_type(text: &str, category: Option<Category>) -> Result<RadarType, String> {
    let is_allowed = |one: RadarType| category.is_none_or(|only| one.category() == only);
    let known = text.parse().ok().filter(|radar_type| is_allowed(*radar_type));
    known.ok_or_else(|| format!("must be one of {}", RadarType::names(is_allowed)))
}

/// The fields that name the target of a type.
pub(in crate::wire) const fn target_fields(radar_type: RadarType) -> &'static [&'static str] {
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

/// Refuses fields that nobody knows, and those that would change nothing about a radar of this type (decision 2.2).
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
    for name in fields.names().filter(|name| !allowed.contains(name) && !FILTERS.contains(name)) {
        match radar_type {
            // Null is absent, and an absent field changes nothing; a name that nobody knows may be a misspelt one.
            Some(radar_type) if RadarType::ALL.iter().any(|one| target_fields(*one).contains(&name)) => {
                if fields.get(name).is_some() {
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
    if ["email", "profile_url", "full_name"].iter().all(|name| fields.get(name).is_none()) {
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
    if has_duplicates(&countries) {
        fields.refuse(NAME, "must not name a country twice");
    }
    countries
}

fn has_duplicates<T: PartialEq>(values: &[T]) -> bool {
    values.iter().enumerate().any(|(index, value)| values[..index].contains(value))
}

fn filter(fields: &mut Fields<'_>) -> Filter {
    let departments = fields.list("departments", FILTER_VALUES_MAX, str::parse::<Department>).map(without_duplicates);
    let seniorities = fields.list("seniorities", FILTER_VALUES_MAX, str::parse::<Seniority>).map(without_duplicates);
    let job_titles = fields.parsed("job_titles", TitleExpression::parse);
    if fields.get("job_titles").is_some()
        && (fields.get("departments").is_some() || fields.get("seniorities").is_some())
    {
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
fn without_duplicates<T: PartialEq>(values: Vec<T>) -> Vec<T> {
    values.into_iter().fold(Vec::new(), |mut unique, value| {
        if !unique.contains(&value) {
            unique.push(value);
        }
        unique
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde_json::{Value, json};

    use super::{any, company, contact, industry};
    use crate::domain::radar::NewRadar;
    use crate::domain::radar::filter::{Department, Filter, Seniority};
    use crate::domain::radar::radar_type::RadarType;
    use crate::domain::rejection::FieldError;
    use crate::domain::targets::{CountryCode, DomainName, Target};

    type Answer = Result<NewRadar, Vec<FieldError>>;

    fn fields(answer: Answer) -> Vec<String> {
        answer.expect_err("a refusal").into_iter().map(|error| error.field).collect()
    }

    fn reasons(answer: Answer) -> Vec<String> {
        answer.expect_err("a refusal").into_iter().map(|error| format!("{}: {}", error.field, error.reason)).collect()
    }

    fn of_company(body: Value) -> Answer {
        company(&body, &|host| host.address.is_some_and(|address| address.is_loopback()))
    }

    fn of_contact(body: Value) -> Answer {
        contact(&body, &|_| false)
    }

    fn of_industry(body: Value) -> Answer {
        industry(&body, &|_| false)
    }

    #[test]
    fn spec_4_2_reads_a_company_radar() {
        let answer = of_company(json!({
            "radar_type": "company_job_openings",
            "domain": "https://www.Example.com/jobs",
            "webhook_url": "https://hooks.example.com",
            "departments": ["Engineering", "Sales", "Engineering"],
            "seniorities": ["CXO"],
            "custom_fields": {"crm": "7"},
        }));
        let wanted = NewRadar {
            radar_type: RadarType::CompanyJobOpenings,
            target: Target::Company { domain: DomainName::from_stored("example.com".into()) },
            filter: Filter::Persona {
                departments: vec![Department::Engineering, Department::Sales],
                seniorities: vec![Seniority::Cxo],
            },
            webhook_url: Some("https://hooks.example.com".into()),
            custom_fields: BTreeMap::from([("crm".into(), "7".into())]),
        };
        assert_eq!(answer, Ok(wanted));
    }

    #[test]
    fn spec_7_lists_every_offending_field_at_once() {
        let answer = of_company(json!({
            "radar_type": "company_new_hires",
            "domain": 7,
            "webhook_url": "http://127.0.0.1/",
            "departments": [],
            "seniorities": ["Boss", 1, "Owner", "cxo"],
            "job_titles": "vice president",
            "custom_fields": {"a": 1, "b": "x".repeat(501)},
            "colour": null,
            "keyword": "steel",
        }));
        assert_eq!(
            reasons(answer),
            [
                "colour: is not a known field; allowed are: radar_type, webhook_url, custom_fields, domain, \
                 departments, seniorities, job_titles",
                "keyword: is not used by company_new_hires; allowed are: radar_type, webhook_url, custom_fields, \
                 domain, departments, seniorities, job_titles",
                "domain: must be a string",
                "departments: must not be empty",
                "seniorities: must be an array of strings",
                "seniorities: each value must be one of Owner, CXO, Vice President, Director, Manager, Senior, \
                 Entry, Training, Partner, not 'Boss', 'cxo'",
                "job_titles: column 6: expected AND or OR in upper case before 'president'; put terms of several words \
                 in double quotes",
                "job_titles: cannot be combined with departments or seniorities",
                "webhook_url: must not point to a private or reserved address, or to a port that is not for webhooks",
                "custom_fields: value of 'a' must be a string",
                "custom_fields: value of 'b' must be at most 500 characters",
            ]
        );
    }

    #[test]
    fn spec_7_an_unknown_type_hides_no_other_error() {
        assert_eq!(
            fields(of_company(
                json!({"radar_type": "contact_job_changes", "webhook_url": 1, "x": 1, "custom_fields": []})
            )),
            ["radar_type", "x", "domain", "webhook_url", "custom_fields"]
        );
        assert_eq!(
            fields(of_company(json!({"domain": "example.com", "departments": ["Bakery"], "job_titles": "a b"}))),
            ["radar_type", "departments", "job_titles", "job_titles"]
        );
        assert_eq!(
            fields(of_contact(json!({"radar_type": "x", "profile_url": "x.com/a", "seniorities": []}))),
            ["radar_type"]
        );
        assert_eq!(fields(of_contact(json!({"email": "x", "domain": "x"}))), ["radar_type", "domain", "email"]);
        assert_eq!(
            fields(of_industry(json!({"radar_type": 1, "keyword": "x", "domain": "example.com"}))),
            ["radar_type", "domain", "keyword"]
        );
        assert_eq!(
            fields(any(&json!({"countries": ["XX"], "email": "x"}), &|_| false)),
            ["radar_type", "email", "countries"]
        );
        for body in [json!(null), json!([]), json!("x"), json!(1)] {
            assert_eq!(reasons(of_company(body)), ["body: must be a JSON object"]);
        }
    }

    #[test]
    fn spec_2_1_filters_are_ignored_where_they_do_not_narrow() {
        let bad_filters = json!({"departments": "x", "seniorities": [], "job_titles": 7});
        for (radar_type, field, value) in [
            ("company_reviews", "domain", "example.com"),
            ("contact_social_posts", "profile_url", "x.com/ada"),
            ("industry_mentions", "keyword", "steel"),
        ] {
            let mut body = bad_filters.clone();
            body["radar_type"] = radar_type.into();
            body[field] = value.into();
            let answer = any(&body, &|_| false);
            assert_eq!(answer.map(|new_radar| new_radar.filter), Ok(Filter::Everything), "{radar_type}");
        }
        assert_eq!(
            of_company(json!({"radar_type": "company_promotions", "domain": "example.com", "job_titles": null}))
                .map(|new_radar| new_radar.filter),
            Ok(Filter::Everything)
        );
    }

    #[test]
    fn spec_2_7_the_contact_table() {
        for (body, offending) in [
            (json!({"radar_type": "contact_job_changes"}), &["email", "domain"][..]),
            (json!({"radar_type": "contact_job_changes", "domain": "example.com"}), &["email"]),
            (json!({"radar_type": "contact_job_changes", "domain": "example.com", "full_name": "Ada"}), &[]),
            (json!({"radar_type": "contact_job_changes", "domain": "example.com", "email": "nobody"}), &["email"]),
            (json!({"radar_type": "contact_job_changes", "domain": "example.com", "profile_url": "a.example/b"}), &[]),
            (json!({"radar_type": "contact_social_posts"}), &["profile_url"]),
            (json!({"radar_type": "contact_social_posts", "profile_url": "a.example/b"}), &["profile_url"]),
            (json!({"radar_type": "contact_social_posts", "profile_url": "x.com/ada", "domain": "b.com"}), &["domain"]),
            (json!({"radar_type": "contact_social_engagements", "profile_url": "linkedin.com/in/ada"}), &[]),
            (json!({"radar_type": "company_reviews", "profile_url": "x.com/ada"}), &["radar_type"]),
        ] {
            let answer = of_contact(body.clone());
            if offending.is_empty() {
                assert!(answer.is_ok(), "{body}");
            } else {
                assert_eq!(fields(answer), offending, "{body}");
            }
        }
    }

    #[test]
    fn spec_2_7_the_industry_table() {
        for (body, offending) in [
            (json!({"radar_type": "industry_funding_rounds"}), &[][..]),
            (json!({"radar_type": "industry_funding_rounds", "keyword": "steel"}), &["keyword"]),
            (json!({"radar_type": "industry_funding_rounds", "keyword": null}), &[]),
            (json!({"radar_type": "industry_new_companies", "countries": ["SE"]}), &["countries"]),
            (json!({"radar_type": "industry_mentions"}), &["keyword"]),
            (json!({"radar_type": "industry_mentions", "keyword": "ab"}), &["keyword"]),
            (json!({"radar_type": "industry_mentions", "keyword": "abc", "countries": ["SE"]}), &["countries"]),
            (json!({"radar_type": "industry_mentions", "keyword": "abc", "domain": "example.com"}), &["domain"]),
            (json!({"radar_type": "industry_job_openings", "keyword": "abc", "countries": []}), &["countries"]),
            (
                json!({"radar_type": "industry_job_openings", "keyword": "abc", "countries": ["SE", "se"]}),
                &["countries"],
            ),
            (
                json!({"radar_type": "industry_job_openings", "keyword": "abc", "countries": ["SE", "NO", "DK", "FI", "IS", "DE"]}),
                &["countries"],
            ),
        ] {
            let answer = of_industry(body.clone());
            if offending.is_empty() {
                assert!(answer.is_ok(), "{body}");
            } else {
                assert_eq!(fields(answer), offending, "{body}");
            }
        }
        let answer =
            of_industry(json!({"radar_type": "industry_job_openings", "keyword": " abc ", "countries": ["se"]}));
        let countries = vec![CountryCode::from_stored("SE".into())];
        let target = Target::Industry { keyword: Some("abc".into()), countries };
        assert_eq!(answer.map(|new_radar| new_radar.target), Ok(target));
    }
}
