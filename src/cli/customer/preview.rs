//! `radar preview`: asks a running service what a radar would find, and lays the answer out.

use actix_web::http::Method;
use serde::Serialize;
use serde_json::{Value, json};

use super::access::Access;
use crate::cli::failure::{Failure, Result};
use crate::cli::output;
use config::Config;
use domain::{ContentLayout, RadarType};

/// Where the previews of a service are asked for.
pub const PATH: &str = "/v1/radars/preview";

/// `radar preview …`
#[derive(Debug, clap::Args, Serialize)]
pub struct Arguments {
    /// Radar type, such as company_job_openings
    radar_type: String,
    /// Domain of the company
    #[arg(long)]
    domain: Option<String>,
    /// Profile of the person
    #[arg(long)]
    profile_url: Option<String>,
    /// E-mail address of the person
    #[arg(long)]
    email: Option<String>,
    /// Name of the person
    #[arg(long)]
    full_name: Option<String>,
    /// Keyword of the industry
    #[arg(long)]
    keyword: Option<String>,
    /// Country codes, separated by commas
    #[arg(long, value_delimiter = ',')]
    countries: Vec<String>,
    /// Departments, separated by commas
    #[arg(long, value_delimiter = ',')]
    departments: Vec<String>,
    /// Seniorities, separated by commas
    #[arg(long, value_delimiter = ',')]
    seniorities: Vec<String>,
    /// An expression over job titles
    #[arg(long)]
    job_titles: Option<String>,
    #[command(flatten)]
    #[serde(skip)]
    access: Access,
}

/// Asks and prints.
pub fn run(config: &Config, arguments: &Arguments, as_json: bool) -> Result<()> {
    let answer = actix_rt::System::new().block_on(async {
        let client = arguments.access.client(config)?;
        client.send(Method::POST, PATH, Some(&arguments.body())).await.map_err(Failure::from)
    })?;
    let body = answer.accepted()?;
    let preview = &body["data"];
    let shown = if as_json { String::from_utf8_lossy(&answer.body).into_owned() } else { text(preview) };
    output::print(&shown)?;
    if is_served(preview) { Ok(()) } else { Err(Failure::Unserved(words(&preview["radar_type"]))) }
}

fn is_served(preview: &Value) -> bool {
    preview["served"] == true
}

impl Arguments {
    /// The body of the request: what is given.
    fn body(&self) -> Value {
        let mut body = json!(self);
        if let Value::Object(fields) = &mut body {
            fields.retain(|_, value| !value.is_null() && *value != json!([]));
        }
        body
    }
}

/// A preview for people.
pub fn text(preview: &Value) -> String {
    // What is not served costs nothing.
    let price = if is_served(preview) { price(preview) } else { String::new() };
    let parts = [head(preview), sources(preview), items(preview), findings(preview), price];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n\n")
}

fn head(preview: &Value) -> String {
    let served = if is_served(preview) { "would be served" } else { "would not be served" };
    let partial = if preview["complete"] == true { "" } else { ", as far as could be seen in time" };
    let note = preview["note"].as_str().map(|note| format!("\n{note}")).unwrap_or_default();
    format!("{} {served}{partial}{note}", words(&preview["radar_type"]))
}

fn sources(preview: &Value) -> String {
    let row = |source: &Value| {
        let items = source["items"].as_u64().map(|items| format!("{items} items")).unwrap_or_default();
        ["name", "state"].map(|name| words(&source[name])).into_iter().chain([items, words(&source["error"])]).collect()
    };
    titled("sources", preview["sources"].as_array().into_iter().flatten().map(row).collect())
}

fn items(preview: &Value) -> String {
    let items = &preview["items"];
    let cut = items["cut"].as_object().into_iter().flatten().filter(|(_, count)| count.as_u64() != Some(0));
    let cut: Vec<String> = cut.map(|(name, count)| format!("{count} by {name}")).collect();
    let cut = if cut.is_empty() { String::new() } else { format!("; kept out: {}", cut.join(", ")) };
    format!("{} items now, {} of them wanted{cut}", items["total"], items["wanted"])
}

fn findings(preview: &Value) -> String {
    let layout = preview["radar_type"].as_str().and_then(|text| text.parse::<RadarType>().ok()).map(ContentLayout::of);
    let Some(layout) = layout else { return String::new() };
    let row = |content: &Value| {
        let date = layout.dated_by.map(|name| words(&content[name]).chars().take(10).collect());
        let title = layout.keys().map(|key| words(&content[key.name])).find(|text| !text.is_empty());
        [date, title, Some(words(&content[layout.address]))].into_iter().map(Option::unwrap_or_default).collect()
    };
    titled("newest", preview["findings"].as_array().into_iter().flatten().map(row).collect())
}

fn price(preview: &Value) -> String {
    let price = &preview["price"];
    let month = &preview["month"];
    let per = if price["model"] == "subscription" { "for 30 days" } else { "per finding" };
    let findings = month["findings"].as_u64().map(|findings| format!("a month may bring {findings} findings"));
    let cost = month["cost_usd"].as_f64().map(|_| format!("cost {} USD", month["cost_usd"]));
    let parts: Vec<String> = findings.into_iter().chain(cost).collect();
    let parts = if parts.is_empty() { "what a month costs".to_owned() } else { parts.join(" and ") };
    match price["rate_usd"].is_null() {
        true => "this type has no price here and cannot be created".to_owned(),
        false => format!("{} USD {per}; {parts} ({})", price["rate_usd"], words(&month["basis"])),
    }
}

fn titled(title: &str, rows: Vec<Vec<String>>) -> String {
    if rows.is_empty() { String::new() } else { format!("{title}:\n{}", output::columns(rows.into_iter())) }
}

fn words(value: &Value) -> String {
    let text = value.as_str().unwrap_or_default();
    output::cut(&text.split_whitespace().collect::<Vec<_>>().join(" "), output::CELL_WIDTH_MAX)
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use serde_json::json;

    use super::{Arguments, text};

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        arguments: Arguments,
    }

    #[test]
    fn the_arguments_are_the_body_of_a_create() {
        let body = |line: &str| {
            let parts = std::iter::once("preview").chain(line.split(' '));
            Line::try_parse_from(parts).expect("a command").arguments.body()
        };
        assert_eq!(
            body("company_job_openings --domain acme.com --departments Sales,Marketing"),
            json!({"radar_type": "company_job_openings", "domain": "acme.com", "departments": ["Sales", "Marketing"]})
        );
        assert_eq!(
            body("industry_job_openings --keyword steel --countries DE,FR --api-key k"),
            json!({"radar_type": "industry_job_openings", "keyword": "steel", "countries": ["DE", "FR"]})
        );
    }

    #[test]
    fn a_preview_is_laid_out_for_people() {
        let preview = json!({
            "radar_type": "company_job_openings", "served": true, "complete": false, "note": "The rest is slow.",
            "sources": [{"source_id": "greenhouse", "name": "Greenhouse", "state": "read", "items": 2, "error": null}],
            "items": {"total": 2, "wanted": 1, "cut": {"departments": 1, "seniorities": 0}},
            "findings": [{"job_title": "Welder", "job_url": "https://acme.com/1", "job_posted_at": "2026-01-15"}],
            "price": {"model": "update_based", "rate_usd": 0.02, "grace_period": "none"},
            "month": {"findings": 3, "cost_usd": 0.06, "basis": "told from the dates of 5 items"},
        });
        assert_eq!(
            text(&preview),
            "company_job_openings would be served, as far as could be seen in time\nThe rest is slow.\n\n\
             sources:\nGreenhouse  read  2 items\n\n\
             2 items now, 1 of them wanted; kept out: 1 by departments\n\n\
             newest:\n2026-01-15  Welder  https://acme.com/1\n\n\
             0.02 USD per finding; a month may bring 3 findings and cost 0.06 USD (told from the dates of 5 items)"
        );
        let nothing = json!({
            "radar_type": "company_reviews", "served": false, "complete": true, "note": "No source.", "sources": [],
            "items": {"total": 0, "wanted": 0, "cut": {}}, "findings": [], "price": null,
            "month": {"findings": null, "cost_usd": null, "basis": "cannot be told"},
        });
        assert_eq!(text(&nothing), "company_reviews would not be served\nNo source.\n\n0 items now, 0 of them wanted");
    }
}
