//! The body that asks for a radar (Spec 4.2 to 4.4). Its rules are those of `domain::radar::request`.

use serde_json::Value;

use domain::radar::{custom_fields, request};
use domain::{Category, FieldError, Fields, IsForbidden, NewRadar, Wanted};

/// Reads the body of a creation. `category` is that of the endpoint; `None` for an item of a bulk, whose `radar_type`
/// decides.
pub fn read(
    body: &Value,
    category: Option<Category>,
    is_forbidden: IsForbidden<'_>,
) -> Result<NewRadar, Vec<FieldError>> {
    let mut fields = Fields::of(body)?;
    let wanted = request::read(&mut fields, category);
    let webhook_url = fields.webhook_url(is_forbidden);
    let webhook_format = fields.parsed("webhook_format", str::parse);
    let custom_fields = custom_fields::read(&mut fields);
    fields.finish(wanted.map(|Wanted { radar_type, target, filter }| NewRadar {
        radar_type,
        target,
        filter,
        webhook_url,
        webhook_format,
        custom_fields,
    }))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde_json::{Value, json};

    use super::read;
    use domain::{
        Category, CountryCode, Department, DomainName, FieldError, Filter, NewRadar, RadarType, Seniority, Target,
        WebhookFormat,
    };

    type Answer = Result<NewRadar, Vec<FieldError>>;

    fn fields(answer: Answer) -> Vec<String> {
        answer.expect_err("a rejection").into_iter().map(|error| error.field).collect()
    }

    fn reasons(answer: Answer) -> Vec<String> {
        answer.expect_err("a rejection").into_iter().map(|error| format!("{}: {}", error.field, error.reason)).collect()
    }

    fn of_company(body: Value) -> Answer {
        read(&body, Some(Category::Company), &|host| host.address.is_some_and(|address| address.is_loopback()))
    }

    fn of_contact(body: Value) -> Answer {
        read(&body, Some(Category::Contact), &|_| false)
    }

    fn of_industry(body: Value) -> Answer {
        read(&body, Some(Category::Industry), &|_| false)
    }

    #[test]
    fn spec_4_2_reads_a_company_radar() {
        let answer = of_company(json!({
            "radar_type": "company_job_openings",
            "domain": "https://www.Example.com/jobs",
            "webhook_url": "https://hooks.example.com",
            "webhook_format": "slack",
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
            webhook_format: Some(WebhookFormat::Slack),
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
            "webhook_format": "Slack",
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
                "colour: is not a known field; allowed are: radar_type, webhook_url, webhook_format, custom_fields, \
                 domain, departments, seniorities, job_titles",
                "keyword: is not used by company_new_hires; allowed are: radar_type, webhook_url, webhook_format, custom_fields, \
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
                "webhook_format: must be one of standard, cloudevents, slack, teams",
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
            fields(read(&json!({"countries": ["XX"], "email": "x"}), None, &|_| false)),
            ["radar_type", "email", "countries"]
        );
        for body in [json!(null), json!([]), json!("x"), json!(1)] {
            assert_eq!(reasons(of_company(body)), ["body: must be a JSON object"]);
        }
    }

    #[test]
    fn spec_2_1_and_decision_2_2_filters_are_ignored_where_they_do_not_narrow() {
        let bad_filters = json!({"departments": "x", "seniorities": [], "job_titles": 7});
        for (radar_type, field, value) in [
            ("company_reviews", "domain", "example.com"),
            ("contact_social_posts", "profile_url", "x.com/ada"),
            ("industry_mentions", "keyword", "steel"),
        ] {
            let mut body = bad_filters.clone();
            body["radar_type"] = radar_type.into();
            body[field] = value.into();
            let answer = read(&body, None, &|_| false);
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
