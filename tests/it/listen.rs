//! `radar listen` and `radar trigger`, as the real program: what one sends the other verifies, prints and passes on.

use std::io::{BufRead, BufReader};
use std::process::{Child, ChildStdout, Command, Output, Stdio};

use serde_json::{Value, json};

use crate::support::receiver::{Answer, Receiver, verify};

const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const DEVELOPMENT_SECRET: &str = "whsec_cmFkYXIgc2VjcmV0IGZvciBkZXZlbG9wbWVudCBvbmx5";

/// The listener, as long as this lives.
struct Listener {
    child: Child,
    lines: BufReader<ChildStdout>,
    url: String,
}

impl Listener {
    fn start(arguments: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_radar"));
        command.args(["listen", "--json", "--listen", "127.0.0.1:0"]).args(arguments);
        let mut child = command.stdout(Stdio::piped()).spawn().expect("the program");
        let mut listener =
            Self { lines: BufReader::new(child.stdout.take().expect("its output")), child, url: String::new() };
        listener.url = listener.next()["listening"].as_str().expect("an address").to_owned();
        listener
    }

    /// The next line that it prints.
    fn next(&mut self) -> Value {
        let mut line = String::new();
        self.lines.read_line(&mut line).expect("a line");
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"))
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

async fn trigger(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_radar"));
    command.args(["trigger", "--json"]).args(arguments);
    actix_web::rt::task::spawn_blocking(move || command.output().expect("the program")).await.expect("an output")
}

fn printed(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).expect("JSON")
}

#[actix_web::test]
async fn a_sample_is_verified_and_printed_and_one_with_another_secret_is_refused() {
    let mut listener = Listener::start(&[]);
    let url = listener.url.clone();
    let sent = trigger(&["company_job_openings", "--url", &url]).await;
    assert!(sent.status.success(), "{}", String::from_utf8_lossy(&sent.stderr));
    let (sent, seen) = (printed(&sent), listener.next());
    assert_eq!((&sent["outcome"], &sent["http_status"]), (&json!("ok"), &json!(204)));
    assert_eq!((&seen["verified"], &seen["problem"], &seen["answered"]), (&json!(true), &Value::Null, &json!(204)));
    assert_eq!((&seen["payload"], &seen["headers"]["webhook-id"]), (&sent["payload"], &sent["update_id"]));
    assert_eq!(seen["payload"]["radar_type"], "company_job_openings");
    assert_eq!(seen["headers"]["webhook-sequence"], "1");

    let refused = trigger(&["company_reviews", "--failure", "--url", &url, "--secret", SECRET]).await;
    assert!(!refused.status.success());
    assert_eq!(printed(&refused)["outcome"], "http_4xx");
    let seen = listener.next();
    assert_eq!((&seen["verified"], &seen["answered"]), (&json!(false), &json!(401)));
    assert_eq!(seen["payload"]["update_type"], "radar_failure");
    assert!(seen["problem"].as_str().expect("a reason").contains("no signature fits"));

    let wrong = trigger(&["reviews"]).await;
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("company_reviews"), "the types are named");
}

#[actix_web::test]
async fn what_is_verified_is_passed_on_with_its_headers_and_answered_as_there() {
    let mut receiver = Receiver::start();
    receiver.answer_next([Answer::status(202), Answer::status(418)]);
    let to = receiver.url("/hook");
    let mut listener = Listener::start(&["--secret", SECRET, "--forward", &to]);
    let url = listener.url.clone();
    for status in [202, 418] {
        let sent = trigger(&["contact_job_changes", "--url", &url, "--secret", SECRET]).await;
        assert_eq!(printed(&sent)["http_status"], status);
        let passed_on = receiver.next().await;
        verify(&passed_on, SECRET);
        assert_eq!(
            passed_on.headers.get("webhook-id").expect("a header"),
            printed(&sent)["update_id"].as_str().unwrap()
        );
        assert_eq!(listener.next()["answered"], status);
    }
    trigger(&["contact_job_changes", "--url", &url, "--secret", DEVELOPMENT_SECRET]).await;
    assert_eq!(listener.next()["answered"], 401);
    assert!(receiver.drain().is_empty(), "what is not verified is not passed on");
}
