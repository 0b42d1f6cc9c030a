//! A provider: hands in findings from the standard input, one JSON text a line, a thousand at a time.
//!
//! ```console
//! echo '{"radar_type": "company_reviews", "target": {"domain": "stripe.com"}, "native_id": "r-1", "source": "my_provider",
//!   "content": {"review_content": "Fine.", "review_rating": 4}}' | tr -d '\n' |
//!   RADAR_OPERATOR_KEY=… cargo run --example provider -- http://127.0.0.1:8081
//! ```
//!
//! The same `native_id` again is a duplicate: a file that was handed in halfway is handed in again as a whole.

#![allow(
    clippy::disallowed_methods,
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "it runs in real time and prints what it was answered"
)]

use std::error::Error;
use std::io::BufRead;
use std::time::Duration;

use serde_json::{Value, json};

/// Findings of one request.
const BATCH: usize = 1_000;
/// How often what may work later is tried.
const TRIES: u32 = 5;
/// The longest answer that is read, in bytes: it has an outcome for each radar that a finding concerns.
const ANSWER_MAX: usize = 64 * 1024 * 1024;

#[actix_web::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let url = std::env::args().nth(1).ok_or("usage: provider URL")?;
    let key = std::env::var("RADAR_OPERATOR_KEY").map_err(|_| "RADAR_OPERATOR_KEY is not set")?;
    let client = awc::Client::builder().timeout(Duration::from_secs(60)).add_default_header(("x-operator-key", key));
    let client = client.finish();
    let url = format!("{}/operator/v1/findings/batch", url.trim_end_matches('/'));
    let lines: Vec<String> = std::io::stdin().lock().lines().collect::<Result<_, _>>()?;
    let findings: Vec<Value> = lines.iter().map(|line| serde_json::from_str(line)).collect::<Result<_, _>>()?;
    for batch in findings.chunks(BATCH) {
        hand_in(&client, &url, batch.to_vec()).await?;
    }
    Ok(())
}

/// Hands in a batch; of what failed for now, and only of that, tries again.
async fn hand_in(client: &awc::Client, url: &str, mut batch: Vec<Value>) -> Result<(), Box<dyn Error>> {
    for number in 0..TRIES {
        actix_web::rt::time::sleep(Duration::from_secs(u64::from(number))).await;
        let mut answer = client.post(url).send_json(&json!({"findings": batch})).await?;
        let body = answer.body().limit(ANSWER_MAX).await?;
        if answer.status() != 207 {
            return Err(format!("{}: {}", answer.status(), String::from_utf8_lossy(&body)).into());
        }
        let answer: Value = serde_json::from_slice(&body)?;
        println!("{}", answer["summary"]);
        let mut again = Vec::new();
        for (finding, result) in batch.into_iter().zip(answer["results"].as_array().into_iter().flatten()) {
            if result["retryable"] == true {
                again.push(finding);
            } else if result["status"] == "error" {
                eprintln!("{}: {}", finding["native_id"], result["errors"]);
            }
        }
        if again.is_empty() {
            return Ok(());
        }
        batch = again;
    }
    Err(format!("{} findings still fail", batch.len()).into())
}
