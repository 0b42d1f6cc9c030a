//! Names where an identifier is taken: what has one, and which.

use actix_web::http::Method;
use serde_json::Value;
use uuid::Uuid;

use super::command::{Ids, Named, segment};
use crate::cli::api_client::ApiClient;
use crate::cli::failure::{Failure, Result};

/// How many of those are told whose name only begins as the one that was given.
const NEAR_MAX: usize = 10;

/// The identifiers of what is named. An identifier is its own.
///
/// # Errors
/// [`Failure`] where nothing, or more than one thing, is called so.
pub(super) async fn ids(client: &ApiClient, named: Vec<(&'static str, Named, String)>) -> Result<Ids> {
    let mut ids = Ids::new();
    for (argument, named, text) in named {
        if Uuid::try_parse(&text).is_ok() {
            continue;
        }
        let id = match named {
            Named::Account => only(&text, &accounts(client, &text).await?, ["account_id", "name"])?,
            Named::Radar if text.ends_with('*') => {
                return Err(Failure::of(text, "is the beginning of a name; give the whole"));
            }
            Named::Node => only(&text, &nodes(client, &text).await?, ["node_id", "state"])?,
            Named::Radar => only(&text, &radars(client, &text).await?, ["radar_id", "radar_type"])?,
        };
        ids.insert(argument, id);
    }
    Ok(ids)
}

/// The radars that watch this domain, person or keyword; active ones if there are any.
pub(super) async fn radars(client: &ApiClient, text: &str) -> Result<Vec<Value>> {
    for state in ["active", "inactive"] {
        for field in ["domain", "name", "keyword"] {
            let path = format!("/operator/v1/radars?{field}={}&state={state}&limit=20", segment(text));
            // A text may be no domain, or too short for a keyword.
            let answer = client.send(Method::GET, &path, None).await?;
            let found = if answer.status == 400 { Vec::new() } else { list(&answer.accepted()?) };
            if !found.is_empty() {
                return Ok(found);
            }
        }
    }
    Ok(Vec::new())
}

/// The accounts of this name.
async fn accounts(client: &ApiClient, text: &str) -> Result<Vec<Value>> {
    let first = format!("/operator/v1/accounts?name={}&limit=100", segment(text));
    let mut page = client.call(Method::GET, &first, None).await?;
    let mut found = list(&page);
    while let Some(cursor) = page["next_cursor"].as_str() {
        let path = format!("{first}&cursor={}", segment(cursor));
        page = client.call(Method::GET, &path, None).await?;
        found.extend(list(&page));
    }
    called(text, found)
}

/// Those of the accounts that are called so, in capital letters or not. A name that only begins so is another's: where there is
/// nothing else it is told, not taken.
fn called(text: &str, accounts: Vec<Value>) -> Result<Vec<Value>> {
    let (same, near): (Vec<Value>, Vec<Value>) = accounts
        .into_iter()
        .partition(|account| account["name"].as_str().is_some_and(|name| name.eq_ignore_ascii_case(text)));
    if same.is_empty() && !near.is_empty() {
        let near = listed(near.iter().take(NEAR_MAX), ["account_id", "name"]);
        return Err(Failure::of(text, format!("nothing is called so; these begin so: {near}")));
    }
    Ok(same)
}

/// The processes of this name.
async fn nodes(client: &ApiClient, text: &str) -> Result<Vec<Value>> {
    let mut found = list(&client.call(Method::GET, "/operator/v1/nodes", None).await?);
    found.retain(|node| node["name"] == text);
    Ok(found)
}

fn list(answer: &Value) -> Vec<Value> {
    answer["data"].as_array().cloned().unwrap_or_default()
}

/// The identifier of the only thing that was found; `fields` are those of the identifier and of what tells them apart.
fn only(text: &str, found: &[Value], fields: [&str; 2]) -> Result<String> {
    match found {
        [] => Err(Failure::of(text, "nothing is called so")),
        [one] => Ok(field(one, fields[0]).to_owned()),
        several => {
            let listed = listed(several.iter(), fields);
            Err(Failure::of(text, format!("may be {} of them, say which: {listed}", several.len())))
        }
    }
}

fn listed<'a>(found: impl Iterator<Item = &'a Value>, [id, other]: [&str; 2]) -> String {
    found.map(|one| format!("{} {}", field(one, id), field(one, other))).collect::<Vec<_>>().join(", ")
}

fn field<'a>(one: &'a Value, name: &str) -> &'a str {
    one[name].as_str().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{called, only};
    use serde_json::json;

    #[test]
    fn only_what_nothing_else_is_called_is_meant() {
        let (one, other) = (json!({"id": "1", "name": "Acme"}), json!({"id": "2", "name": "Acme GmbH"}));
        let of = |found: &[_]| only("acme", found, ["id", "name"]).map_err(|failure| failure.to_string());
        assert_eq!(of(&[]), Err("acme: nothing is called so".to_owned()));
        assert_eq!(of(std::slice::from_ref(&one)), Ok("1".to_owned()));
        assert_eq!(of(&[one, other]), Err("acme: may be 2 of them, say which: 1 Acme, 2 Acme GmbH".to_owned()));
    }

    #[test]
    fn the_beginning_of_a_name_is_no_name() {
        let (one, other) =
            (json!({"account_id": "1", "name": "Acme"}), json!({"account_id": "2", "name": "Acme GmbH"}));
        let of = |text, found: &[_]| called(text, found.to_vec()).map_err(|failure| failure.to_string());
        assert_eq!(of("acme", &[other.clone(), one.clone()]), Ok(vec![one]));
        assert_eq!(of("acme", &[other]), Err("acme: nothing is called so; these begin so: 2 Acme GmbH".to_owned()));
        assert_eq!(of("acme", &[]), Ok(Vec::new()));
    }
}
