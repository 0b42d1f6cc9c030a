//! Which radars operators look for.

use serde_json::Value;
use url::form_urlencoded;

use super::values::{LIMIT_DEFAULT, LIMIT_MAX};
use crate::cursor::RadarCursor;
use crate::parameters::{NOT_A_CURSOR, Parameters, uuid_text};
use domain::targets::free_text;
use domain::{
    AccountId, DomainName, Email, FieldError, Fields, ProfileUrl, RadarId, RadarSearch, RadarType, SearchField, Sought,
    Status,
};

const PARAMETERS: [&str; 11] =
    ["id", "domain", "profile", "email", "name", "keyword", "account", "radar_type", "state", "cursor", "limit"];

/// What radars can be ended by.
pub const DEACTIVATED_BY: [&str; 8] = ["id", "domain", "profile", "email", "name", "keyword", "account", "radar_type"];

/// Reads the query of `GET /operator/v1/radars`: which ones, and how many at most.
pub fn search(raw: &str) -> Result<(RadarSearch, u32), Vec<FieldError>> {
    let mut parameters = Parameters::of(raw, &PARAMETERS);
    let value = |field: &SearchField| Some((*field, parameters.one(field.as_str(), |text| sought(*field, text))?));
    let fields = SearchField::ALL.iter().filter_map(value).collect();
    let search = RadarSearch {
        radar_id: parameters.one("id", |text| uuid_text(text).map(RadarId)),
        fields,
        account_id: parameters.one("account", |text| uuid_text(text).map(AccountId)),
        radar_type: parameters.one("radar_type", str::parse::<RadarType>),
        status: parameters.one("state", str::parse::<Status>),
        before: parameters.one("cursor", |text| {
            RadarCursor::decode(text).map(|cursor| (cursor.at, RadarId(cursor.id))).ok_or(NOT_A_CURSOR)
        }),
    };
    let limit = parameters.limit(LIMIT_DEFAULT, LIMIT_MAX);
    parameters.finish((search, limit))
}

/// What a deactivation is about: the query of a list, the same as it is read, and whether to count only.
pub type SoughtToEnd = (String, RadarSearch, bool);

/// Reads the body of `POST /operator/v1/radars/deactivate`. It must say of which radars, and by whole values, since no more than
/// the first few of those that begin alike are found.
pub fn deactivation(body: &Value) -> Result<SoughtToEnd, Vec<FieldError>> {
    let mut fields = Fields::of(body)?;
    fields.refuse_unknown(&[DEACTIVATED_BY.as_slice(), &["dry_run"]].concat());
    let mut query = form_urlencoded::Serializer::new(String::new());
    for name in DEACTIVATED_BY {
        let given = fields.text(name);
        if given.is_some_and(|text| text.trim_end().ends_with('*')) {
            fields.refuse(name, "must be a whole value");
        }
        given.map(|text| query.append_pair(name, text));
    }
    let (query, is_dry_run) = (query.finish().replace('+', "%20"), fields.flag("dry_run") == Some(true));
    if query.is_empty() {
        fields.refuse("body", format!("must say which radars, by one of: {}", DEACTIVATED_BY.join(", ")));
    }
    fields.finish(Some(()))?;
    let (sought, _) = search(&query)?;
    Ok((query, RadarSearch { status: Some(Status::Active), ..sought }, is_dry_run))
}

/// Updates on a page of a time line when no `limit` is given, and the most that can be asked for.
const EVENTS_DEFAULT: u32 = 50;
const EVENTS_MAX: u32 = 200;

/// Reads the query of `GET /operator/v1/radars/{id}/timeline`: before which update of the account, and how many at most.
pub fn timeline(raw: &str) -> Result<(Option<i64>, u32), Vec<FieldError>> {
    let mut parameters = Parameters::of(raw, &["cursor", "limit"]);
    let before = parameters.one("cursor", |text| text.parse().map_err(|_| NOT_A_CURSOR));
    let limit = parameters.limit(EVENTS_DEFAULT, EVENTS_MAX);
    parameters.finish((before, limit))
}

/// A value, or how it begins: then an asterisk ends the text.
fn sought(field: SearchField, text: &str) -> Result<Sought, String> {
    let Some(beginning) = text.trim().strip_suffix('*') else { return normal(field, text).map(Sought::Value) };
    match field {
        SearchField::ProfileUrl | SearchField::Email => Err("cannot be looked for by its beginning".to_owned()),
        SearchField::Domain => Ok(Sought::Beginning(beginning.to_ascii_lowercase())),
        SearchField::FullName | SearchField::Keyword => Ok(Sought::Beginning(beginning.trim_start().to_owned())),
    }
    .and_then(|sought| if beginning.is_empty() { Err("must say more than an asterisk".to_owned()) } else { Ok(sought) })
}

/// A value as the store holds it.
pub(super) fn normal(field: SearchField, text: &str) -> Result<String, String> {
    match field {
        SearchField::Domain => {
            DomainName::parse(text).map(|domain| domain.as_str().to_owned()).map_err(|error| error.to_string())
        }
        SearchField::ProfileUrl => {
            ProfileUrl::parse(text).map(|profile| profile.as_str().to_owned()).map_err(|error| error.to_string())
        }
        SearchField::Email => {
            Email::parse(text).map(|email| email.as_str().to_owned()).map_err(|error| error.to_string())
        }
        SearchField::FullName => free_text::full_name(text).map_err(|error| error.to_string()),
        SearchField::Keyword => free_text::keyword(text).map_err(|error| error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{LIMIT_DEFAULT, deactivation, search};
    use domain::{RadarSearch, SearchField, Sought, Status};

    #[test]
    fn a_deactivation_says_of_which_radars_by_whole_values() {
        let (query, sought, is_dry_run) =
            deactivation(&json!({"name": " Ada + L ", "radar_type": "contact_social_posts", "dry_run": true}))
                .expect("a search");
        assert_eq!((query.as_str(), is_dry_run), ("name=%20Ada%20%2B%20L%20&radar_type=contact_social_posts", true));
        assert_eq!(sought.fields, [(SearchField::FullName, Sought::Value("Ada + L".to_owned()))]);
        assert_eq!(sought.status, Some(Status::Active));
        for (body, field) in [
            (json!({}), "body"),
            (json!({"dry_run": true}), "body"),
            (json!({"domain": "acme*"}), "domain"),
            (json!({"domain": ""}), "domain"),
            (json!({"account": "Acme"}), "account"),
            (json!({"account": 7}), "account"),
            (json!({"domain": "acme.com", "state": "active"}), "state"),
        ] {
            assert_eq!(deactivation(&body).expect_err("a rejection")[0].field, field, "{body}");
        }
    }

    #[test]
    fn values_are_read_as_targets_are() {
        assert_eq!(search(""), Ok((RadarSearch::default(), LIMIT_DEFAULT)));
        let (found, _) = search("domain=https%3A%2F%2Fwww.Acme.com%2Fjobs&name=%20Ada%20L%20").expect("a search");
        let wanted = [(SearchField::Domain, "acme.com"), (SearchField::FullName, "Ada L")];
        assert_eq!(found.fields, wanted.map(|(field, text)| (field, Sought::Value(text.to_owned()))));
        let (found, _) = search("domain=Acme*&name=ada%20*").expect("a search");
        let wanted = [(SearchField::Domain, "acme"), (SearchField::FullName, "ada ")];
        assert_eq!(found.fields, wanted.map(|(field, text)| (field, Sought::Beginning(text.to_owned()))));
        assert!(search("email=a*").is_err() && search("name=*").is_err());
        let errors = search("id=7&domain=x&keyword=ab&account=7&radar_type=x&state=held&cursor=x&limit=0&who=x");
        let errors: Vec<String> = errors.expect_err("errors").into_iter().map(|error| error.field).collect();
        assert_eq!(errors, ["who", "domain", "keyword", "id", "account", "radar_type", "state", "cursor", "limit"]);
    }
}
