//! Names where an identifier is taken: what has one, and which.

use actix_web::http::Method;
use serde_json::Value;
use uuid::Uuid;

use super::command::{Ids, Named, segment};
use crate::cli::api_client::ApiClient;
use crate::cli::failure::Failure;

/// The identifiers of what is named. An identifier is its own.
///
/// # Errors
/// [`Failure`] where nothing, or more than one thing, is called so.
pub(super) async fn ids(client: &ApiClient, named: Vec<(&'static str, Named, String)>) -> Result<Ids, Failure> {
    let mut ids = Ids::new();
    for (argument, named, text) in named {
        if Uuid::try_parse(&text).is_ok() {
            continue;
        }
        let id = match named {
            Named::Account => only(&text, &accounts(client, &text).await?, ["account_id", "name"])?,
            Named::Node => only(&text, &nodes(client, &text).await?, ["node_id", "state"])?,
            Named::Radar => only(&text, &radars(client, &text).await?, ["radar_id", "radar_type"])?,
        };
        ids.insert(argument, id);
    }
    Ok(ids)
}

/// The radars that watch this domain, person or keyword; active ones if there are any.
pub(super) async fn radars(client: &ApiClient, text: &str) -> Result<Vec<Value>, Failure> {
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

/// The accounts of this name, or else those whose name begins so.
async fn accounts(client: &ApiClient, text: &str) -> Result<Vec<Value>, Failure> {
    let path = format!("/operator/v1/accounts?name={}&limit=100", segment(text));
    let mut found = list(&client.call(Method::GET, &path, None).await?);
    let is_same = |account: &Value| account["name"].as_str().is_some_and(|name| name.eq_ignore_ascii_case(text));
    if found.iter().any(is_same) {
        found.retain(is_same);
    }
    Ok(found)
}

/// The processes of this name.
async fn nodes(client: &ApiClient, text: &str) -> Result<Vec<Value>, Failure> {
    let mut found = list(&client.call(Method::GET, "/operator/v1/nodes", None).await?);
    found.retain(|node| node["name"] == text);
    Ok(found)
}

fn list(answer: &Value) -> Vec<Value> {
    answer["data"].as_array().cloned().unwrap_or_default()
}

/// The identifier of the only thing that was found; `fields` are those of the identifier and of what tells them apart.
fn only(text: &str, found: &[Value], [id, other]: [&str; 2]) -> Result<String, Failure> {
    let field = |one: &Value, name: &str| one[name].as_str().unwrap_or_default().to_owned();
    match found {
        [] => Err(Failure::of(text, "nothing is called so")),
        [one] => Ok(field(one, id)),
        several => {
            let several = several.iter().map(|one| format!("{} {}", field(one, id), field(one, other)));
            let several: Vec<String> = several.collect();
            Err(Failure::of(text, format!("may be {} of them, say which: {}", several.len(), several.join(", "))))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::only;
    use serde_json::json;

    #[test]
    fn only_what_nothing_else_is_called_is_meant() {
        let (one, other) = (json!({"id": "1", "name": "Acme"}), json!({"id": "2", "name": "Acme GmbH"}));
        let of = |found: &[_]| only("acme", found, ["id", "name"]).map_err(|failure| failure.to_string());
        assert_eq!(of(&[]), Err("acme: nothing is called so".to_owned()));
        assert_eq!(of(std::slice::from_ref(&one)), Ok("1".to_owned()));
        assert_eq!(of(&[one, other]), Err("acme: may be 2 of them, say which: 1 Acme, 2 Acme GmbH".to_owned()));
    }
}
