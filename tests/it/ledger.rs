//! The ledger as operators see it: statements, files, and accounts that are stopped.

use serde_json::{Value, json};

use crate::support::client::Answer;
use crate::support::customer::{Customer, eventually};
use crate::support::databases::{TestDatabase, on_both_databases};
use crate::support::ledger::{Accounts, advance, execute, literal, movable};
use crate::support::process::Service;

/// A payment reference that breaks lines and runs in spreadsheets, if it is let.
const HOSTILE: &str = "=HYPERLINK(\"http://x\",\"y\"), 1";

async fn statement(accounts: &Accounts, month: &str) -> Value {
    let path = format!("/operator/v1/accounts/{}/statements/{month}", accounts.rich.account_id);
    accounts.service.operator().get(&path).await.expect_status(200).json["data"].clone()
}

async fn csv(accounts: &Accounts, query: &str) -> Vec<String> {
    let path = format!("/operator/v1/accounts/{}/ledger.csv{query}", accounts.rich.account_id);
    let answer = accounts.service.operator().get(&path).await.expect_status(200);
    let header = |name: &str| answer.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    assert_eq!(header("content-type"), "text/csv; charset=utf-8; header=present");
    assert!(header("content-disposition").contains(&accounts.rich.account_id));
    let text = String::from_utf8(answer.bytes.to_vec()).expect("UTF-8");
    assert!(text.ends_with("\r\n"), "every record ends a line");
    text.trim_end_matches("\r\n").split("\r\n").map(str::to_owned).collect()
}

/// Micro-USD of a number as it is printed, without floating point.
fn micros(number: &Value) -> i64 {
    let text = number.as_str().map_or_else(|| number.to_string(), str::to_owned);
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let sign = if whole.starts_with('-') { -1 } else { 1 };
    let fraction: i64 = format!("{fraction:0<6}").parse().expect("at most 6 decimals");
    whole.parse::<i64>().expect("a number") * 1_000_000 + sign * fraction
}

#[actix_web::test]
async fn spec_2_5_statements_and_files_agree_with_the_ledger() {
    on_both_databases(|database| async move {
        let accounts = Accounts::keep(&database).await;
        let service = &accounts.service;
        accounts.rich.top_up(service, HOSTILE, "0.25").await;
        let ledger = accounts.rich.ledger(service).await;

        let mut opening = 0;
        let mut counted = 0;
        for month in ["2025-12", "2026-01", "2026-02", "2026-03", "2026-04"] {
            let data = statement(&accounts, month).await;
            assert_eq!(micros(&data["opening_balance_usd"]), opening, "{month}: {data}");
            let kinds = data["by_kind"].as_object().expect("kinds");
            assert_eq!(kinds.len(), 5, "{data}");
            let sum: i64 = kinds.values().map(|of| micros(&of["amount_usd"])).sum();
            opening = micros(&data["closing_balance_usd"]);
            assert_eq!(opening, micros(&data["opening_balance_usd"]) + sum, "{month}: {data}");
            let ledger_txs = data["movements"].as_i64().expect("a number");
            let of_kinds: i64 = kinds.values().map(|of| of["movements"].as_i64().expect("a number")).sum();
            assert_eq!(ledger_txs, of_kinds, "{data}");
            let written_then = ledger.iter().filter(|entry| entry["at"].as_str().expect("text").starts_with(month));
            assert_eq!(usize::try_from(ledger_txs).expect("few"), written_then.count(), "{month}");
            assert_eq!(
                csv(&accounts, &format!("?month={month}")).await.len() - 1,
                usize::try_from(ledger_txs).expect("few")
            );
            assert_eq!(data["is_final"], json!(month < "2026-03"), "{month}");
            counted += ledger_txs;
        }
        assert_eq!(usize::try_from(counted).expect("few"), ledger.len());
        assert_eq!(opening, micros(&ledger.last().expect("entries")["balance_usd"]));
        let february = statement(&accounts, "2026-02").await;
        assert_eq!(february["by_kind"]["subscription"]["amount_usd"], json!(-0.5), "one renewal: {february}");
        assert_eq!(statement(&accounts, "2026-01").await["by_kind"]["refund"]["amount_usd"], json!(0.5));
        assert_eq!(statement(&accounts, "2026-03").await["by_kind"]["expiry"]["movements"], json!(1));

        files(&accounts, &ledger).await;
        rejections(&accounts).await;

        // Retention takes updates away, and what they cost stays.
        advance(service, 30).await;
        assert!(accounts.rich.updates(service).await.len() < 4);
        service.assert_ledger_adds_up();
        assert_eq!(frozen_accounts(service).await, "0");
    })
    .await;
}

async fn files(accounts: &Accounts, ledger: &[Value]) {
    let lines = csv(accounts, "").await;
    assert!(lines[0].starts_with("seq,kind,amount_usd,balance_usd,at,due_at,key,payment_ref,"), "{}", lines[0]);
    assert_eq!(lines.len() - 1, ledger.len());
    for (line, entry) in lines[1..].iter().zip(ledger) {
        let cells: Vec<&str> = line.split(',').collect();
        assert_eq!(cells[0], entry["seq"].to_string());
        assert_eq!(cells[2], entry["amount_usd"].to_string());
        assert_eq!(cells[3], entry["balance_usd"].to_string());
        assert_eq!(cells.last().copied(), entry["hash"].as_str());
    }
    let hostile = "\"'=HYPERLINK(\"\"http://x\"\",\"\"y\"\"), 1\"";
    assert!(lines.last().expect("lines").contains(hostile), "{lines:#?}");
    let middle = ledger[3]["at"].as_str().expect("text");
    assert_eq!(csv(accounts, &format!("?to={middle}")).await.len(), 1 + 3, "the end is not in it");
    assert_eq!(csv(accounts, &format!("?from={middle}")).await.len(), 1 + ledger.len() - 3);

    // Several pages, also through the command line.
    for (arguments, account) in [(["admin", "ledger"], &accounts.busy), (["admin", "ledger"], &accounts.rich)] {
        let arguments = [arguments[0], arguments[1], &account.account_id, "--csv"];
        let output = accounts.service.command(&arguments).output().expect("the program");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        let numbers: Vec<&str> = text
            .split("\r\n")
            .skip(1)
            .filter(|line| !line.is_empty())
            .map(|line| &line[..line.find(',').expect("cells")])
            .collect();
        let expected: Vec<String> =
            (1..=account.ledger(&accounts.service).await.len()).map(|number| number.to_string()).collect();
        assert_eq!(numbers, expected);
    }
    let arguments = ["admin", "statement", &accounts.rich.account_id, "2026-01", "--json"];
    let output = accounts.service.command(&arguments).output().expect("the program");
    let printed: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(printed["data"], statement(accounts, "2026-01").await);
}

async fn rejections(accounts: &Accounts) {
    let operator = accounts.service.operator();
    let base = format!("/operator/v1/accounts/{}", accounts.rich.account_id);
    for (path, field) in [
        ("statements/2026-13", "month"),
        ("statements/january", "month"),
        ("ledger.csv?month=2026", "month"),
        ("ledger.csv?month=2026-01&from=2026-01-01T00:00:00Z", "month"),
        ("ledger.csv?from=2026-02-01T00:00:00Z&to=2026-01-01T00:00:00Z", "to"),
        ("ledger.csv?limit=5", "limit"),
    ] {
        let answer = operator.get(&format!("{base}/{path}")).await.expect_status(400);
        assert_eq!(answer.text("/errors/0/field"), field, "{path}");
    }
    let unknown = "/operator/v1/accounts/00000000-0000-0000-0000-000000000001";
    for path in ["statements/2026-01", "ledger.csv"] {
        operator.get(&format!("{unknown}/{path}")).await.expect_status(404);
    }
}

async fn frozen_accounts(service: &Service) -> String {
    let metrics = service.operator().get("/metrics").await.expect_status(200);
    let text = String::from_utf8(metrics.bytes.to_vec()).expect("UTF-8");
    let line = text.lines().find(|line| line.starts_with("radar_accounts_frozen ")).expect("a metric");
    line.trim_start_matches("radar_accounts_frozen ").to_owned()
}

async fn create(accounts: &Accounts, keyword: &str) -> Answer {
    let body = json!({"radar_type": "industry_mentions", "keyword": keyword});
    accounts.rich.api(&accounts.service).post("/v1/radars/industry", &body).await
}

#[actix_web::test]
async fn an_account_that_does_not_add_up_is_frozen_and_goes_on_when_an_operator_says_so() {
    on_both_databases(|database| async move {
        let accounts = Accounts::keep(&database).await;
        let (service, rich) = (&accounts.service, &accounts.rich);
        let path = format!("/operator/v1/accounts/{}", rich.account_id);
        assert_eq!(frozen_accounts(service).await, "0");
        rich.top_up(service, "after", "1").await;
        let last = rich.ledger(service).await.len();
        damage(&database, rich, last, 1).await;
        advance(service, 1).await;

        let found = format!("ledger transaction {last} ");
        let account = eventually("the account is frozen", || async {
            let account = service.operator().get(&path).await.expect_status(200);
            account.json["data"]["frozen_since"].is_string().then_some(account)
        })
        .await;
        assert!(account.text("/data/frozen_reason").starts_with(&found), "{}", account.json);
        assert_eq!(account.text("/data/status"), "active", "its keys are good");
        assert_eq!(frozen_accounts(service).await, "1");

        // What it may still do is read; whatever would move something is refused, and the log says why (decision 4.12).
        let answer = create(&accounts, "sand").await.expect_status(503);
        assert_eq!(answer.text("/errors/0/field"), "account");
        let error_id = answer.text("/error_id").to_owned();
        let log = service.log();
        let line = log.lines().find(|line| line.contains(&error_id)).expect("a line in the log");
        assert!(line.contains(&rich.account_id) && line.contains(&found), "{line}");
        let top_up = json!({"amount_usd": 1, "payment_ref": "refused"});
        service.operator().post(&format!("{path}/top-ups"), &top_up).await.expect_status(503);
        rich.api(service).get("/v1/radars").await.expect_status(200);
        rich.account(service).await;
        assert_eq!(rich.ledger(service).await.len(), last);
        advance(service, 12).await;
        assert_eq!(rich.ledger(service).await.len(), last, "no renewal either");
        accounts.clean.top_up(service, "others go on", "1").await;

        damage(&database, rich, last, -1).await;
        let thawed = service.operator().patch(&path, &json!({"frozen": false})).await.expect_status(200);
        assert!(thawed.json["data"].get("frozen_since").is_none(), "{}", thawed.json);
        assert_eq!(frozen_accounts(service).await, "0");
        eventually("what was due meanwhile is decided", || async {
            Some(rich.ledger(service).await).filter(|ledger| ledger.len() > last)
        })
        .await;
        create(&accounts, "sand").await.expect_status(201);
        advance(service, 2).await;
        assert_eq!(frozen_accounts(service).await, "0");
        service.assert_ledger_adds_up();

        service.operator().patch(&path, &json!({"frozen": "yes"})).await.expect_status(400);
        let stopped = service.operator().patch(&path, &json!({"frozen": true})).await.expect_status(200);
        assert_eq!(stopped.text("/data/frozen_reason"), "frozen by the operator");
        create(&accounts, "gravel").await.expect_status(503);
    })
    .await;
}

/// Changes a ledger transaction behind the service's back.
async fn damage(database: &TestDatabase, customer: &Customer, tx_seq: usize, micros: i64) {
    let connection = movable(database).await;
    let account = literal(database, &customer.account_id);
    let statement =
        format!("update ledger_tx set due_at = due_at - {micros} where account_id = {account} and tx_seq = {tx_seq}");
    execute(&connection, &statement).await;
    connection.close().await.expect("closed");
}
