//! Follows the updates of an account: prints each once and in order, one JSON text a line, and goes on there after a restart.
//!
//! ```console
//! RADAR_API_KEY=… cargo run --example follow_updates -- http://127.0.0.1:8080 position.txt
//! ```
//!
//! The file holds the `discovered_at` of the last update that was printed. Without it everything that is kept is printed
//! first.

#![allow(
    clippy::disallowed_methods,
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "it runs in real time and prints what it reads"
)]

use std::error::Error;
use std::path::Path;
use std::time::Duration;

use serde_json::Value;

/// The pause between two looks.
const PAUSE: Duration = Duration::from_secs(5);
/// The longest answer that is read, in bytes. A page has 1 MiB of payloads at most.
const PAGE_MAX: usize = 4 * 1024 * 1024;

#[actix_web::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(url), Some(file)) = (arguments.next(), arguments.next()) else {
        return Err("usage: follow_updates URL FILE".into());
    };
    let key = std::env::var("RADAR_API_KEY").map_err(|_| "RADAR_API_KEY is not set")?;
    let client = awc::Client::builder().add_default_header(("x-api-key", key)).finish();
    let url = format!("{}/v1/updates", url.trim_end_matches('/'));
    loop {
        // Whatever went wrong: what was printed is noted in the file, and the next look goes on from there.
        if let Err(error) = look(&client, &url, Path::new(&file)).await {
            eprintln!("{error}");
        }
        actix_web::rt::time::sleep(PAUSE).await;
    }
}

/// Prints what is new: `since` is where the last look ended, cursors lead through the pages of this one.
async fn look(client: &awc::Client, url: &str, file: &Path) -> Result<(), Box<dyn Error>> {
    let since = if file.exists() { Some(std::fs::read_to_string(file)?) } else { None };
    let mut cursor: Option<String> = None;
    loop {
        let mut query = vec![("limit", "100"), ("update_type", "radar_finding,radar_failure")];
        query.extend(since.as_deref().map(|since| ("since", since.trim())));
        query.extend(cursor.as_deref().map(|cursor| ("cursor", cursor)));
        let page = get(client, url, &query).await?;
        for update in page["updates"].as_array().into_iter().flatten() {
            println!("{update}");
            if let Some(discovered_at) = update["discovered_at"].as_str() {
                std::fs::write(file, discovered_at)?;
            }
        }
        match page["next_cursor"].as_str() {
            Some(next) => cursor = Some(next.to_owned()),
            None => return Ok(()),
        }
    }
}

async fn get(client: &awc::Client, url: &str, query: &[(&str, &str)]) -> Result<Value, Box<dyn Error>> {
    let mut answer = client.get(url).query(&query)?.send().await?;
    let body = answer.body().limit(PAGE_MAX).await?;
    if !answer.status().is_success() {
        return Err(format!("{}: {}", answer.status(), String::from_utf8_lossy(&body)).into());
    }
    Ok(serde_json::from_slice(&body)?)
}
