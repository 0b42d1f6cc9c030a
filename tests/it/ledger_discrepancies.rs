//! `radar ledger verify` beside a running service: sound rows pass, and every kind of damage is named (Spec 2.5).

use std::process::Output;

use sea_orm::ConnectionTrait;
use serde_json::{Value, json};

use crate::support::databases::{TestDatabase, on_both_databases};
use crate::support::ledger::{Accounts, connect, execute, literal, movable};
use crate::support::process::Service;

/// What is done to the rows, how it is undone, and what is said of it first. `{rich}` and `{poor}` stand for accounts.
const DISCREPANCIES: &[(&str, &str, &str)] = &[
    (
        "update ledger_tx set amount_micros = amount_micros + 1 where account_id = {rich} and tx_seq = 2",
        "update ledger_tx set amount_micros = amount_micros - 1 where account_id = {rich} and tx_seq = 2",
        "ledger transaction 2 notes a balance of 120500000, not 120500001",
    ),
    (
        "update ledger_tx set balance_after_micros = balance_after_micros - 7 where account_id = {rich} and tx_seq = 3",
        "update ledger_tx set balance_after_micros = balance_after_micros + 7 where account_id = {rich} and tx_seq = 3",
        "ledger transaction 3 notes a balance of",
    ),
    (
        "delete from ledger_entry where account_id = {rich} and tx_seq = 2 and entry_no = 2",
        "insert into ledger_entry select * from kept_entry where account_id = {rich} and tx_seq = 2 and entry_no = 2",
        "ledger transaction 2 has entries that sum to 100500000",
    ),
    (
        "update ledger_entry set amount_micros = -amount_micros where account_id = {rich} and tx_seq = 4",
        "update ledger_entry set amount_micros = -amount_micros where account_id = {rich} and tx_seq = 4",
        "ledger transaction 4 is of",
    ),
    (
        "update ledger_entry set entry_no = entry_no + 1 where account_id = {rich} and tx_seq = 1 and entry_no = 2",
        "update ledger_entry set entry_no = entry_no - 1 where account_id = {rich} and tx_seq = 1 and entry_no = 3",
        "ledger transaction 1 breaks the hash chain",
    ),
    (
        "update ledger_tx set tx_seq = case tx_seq when 5 then -6 else -5 end where account_id = {rich} and tx_seq in (5, 6);
         update ledger_tx set tx_seq = -tx_seq where account_id = {rich} and tx_seq < 0",
        "update ledger_tx set tx_seq = case tx_seq when 5 then -6 else -5 end where account_id = {rich} and tx_seq in (5, 6);
         update ledger_tx set tx_seq = -tx_seq where account_id = {rich} and tx_seq < 0",
        "ledger transaction 5 ",
    ),
    (
        "delete from ledger_tx where account_id = {rich} and tx_seq = 4",
        "insert into ledger_tx select * from kept_tx where account_id = {rich} and tx_seq = 4",
        "ledger transaction 4 has an entry but does not exist",
    ),
    (
        "update account set head_hash = (select hash from ledger_tx where account_id = {rich} and tx_seq = 1)
         where account_id = {rich}",
        "update account set head_hash = (select hash from ledger_tx t where t.account_id = {rich} and t.tx_seq = account.tx_seq)
         where account_id = {rich}",
        "the account has another head hash than its last ledger transaction",
    ),
    (
        "update account set balance_micros = balance_micros + 1 where account_id = {rich}",
        "update account set balance_micros = balance_micros - 1 where account_id = {rich}",
        "the account has a balance of",
    ),
    (
        "update lot set remaining_micros = remaining_micros - 1 where account_id = {rich} and lot_no = 2",
        "update lot set remaining_micros = remaining_micros + 1 where account_id = {rich} and lot_no = 2",
        "lot 2 holds",
    ),
    (
        "update usage_month set used_micros = used_micros + 1 where account_id = {rich} and month = '2026-01'",
        "update usage_month set used_micros = used_micros - 1 where account_id = {rich} and month = '2026-01'",
        "month 2026-01 notes",
    ),
    (
        "delete from radar_update where account_id = {rich} and update_seq = 3",
        "insert into radar_update select * from kept_update where account_id = {rich} and update_seq = 3",
        "ledger transaction",
    ),
    (
        "update radar_update set tx_seq = null where account_id = {rich} and update_seq = 4",
        "update radar_update set tx_seq = (select tx_seq from kept_update k where k.update_id = radar_update.update_id)
         where account_id = {rich} and update_seq = 4",
        "ledger transaction",
    ),
    (
        "update ledger_tx set radar_id = account_id where account_id = {rich} and kind = 'refund'",
        "update ledger_tx set radar_id = (select k.radar_id from kept_tx k where k.account_id = {rich} and k.tx_seq = ledger_tx.tx_seq)
         where account_id = {rich} and kind = 'refund'",
        "gives back a charge that was never made",
    ),
    (
        "update radar_update set discovered_at = discovered_at - 3600000000 where account_id = {rich} and update_seq = 4",
        "update radar_update set discovered_at = discovered_at + 3600000000 where account_id = {rich} and update_seq = 4",
        "update 4 was not discovered later than the update before it",
    ),
    (
        "delete from delivery where account_id = {rich} and update_seq = 4",
        "insert into delivery select * from kept_delivery where account_id = {rich} and update_seq = 4",
        "update 4 has no delivery, though its radar has an address",
    ),
    (
        "update radar set next_charge_at = next_charge_at + 1 where account_id = {rich} and next_charge_at is not null",
        "update radar set next_charge_at = next_charge_at - 1 where account_id = {rich} and next_charge_at is not null",
        "has a next charge that is not on its grid of 30 days",
    ),
    (
        "update radar set period_no = period_no + 1, next_charge_at = next_charge_at + 2592000000000
         where account_id = {rich} and next_charge_at is not null",
        "update radar set period_no = period_no - 1, next_charge_at = next_charge_at - 2592000000000
         where account_id = {rich} and next_charge_at is not null",
        "has begun 3 periods, 2 are in the ledger",
    ),
    (
        "delete from type_pause where account_id = {poor}",
        "insert into type_pause select * from kept_pause where account_id = {poor}",
        "held finding 1 waits for money, but company_reviews is not paused",
    ),
    (
        "update finding_seen set outcome = 'dropped' where outcome = 'held'",
        "update finding_seen set outcome = 'held' where outcome = 'dropped'",
        "held finding 1 was not noted as seen and held",
    ),
];

fn verify(service: &Service, arguments: &[&str]) -> Output {
    let arguments: Vec<&str> = ["ledger", "verify"].into_iter().chain(arguments.iter().copied()).collect();
    service.command(&arguments).output().expect("the program")
}

fn printed(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[actix_web::test]
async fn every_kind_of_damage_is_named_beside_a_running_service() {
    on_both_databases(|database| async move {
        let accounts = Accounts::keep(&database).await;
        assert!(guarded(&database).await, "the database refuses to change the ledger");
        let sound = verify(&accounts.service, &[]);
        assert_eq!(sound.status.code(), Some(0), "{}", printed(&sound));
        assert!(printed(&sound).contains("4 accounts, ") && printed(&sound).contains(": all sound"));

        let connection = movable(&database).await;
        for (kept, table) in [
            ("kept_tx", "ledger_tx"),
            ("kept_entry", "ledger_entry"),
            ("kept_update", "radar_update"),
            ("kept_delivery", "delivery"),
            ("kept_pause", "type_pause"),
        ] {
            execute(&connection, &format!("create table {kept} as select * from {table}")).await;
        }
        let rich = literal(&database, &accounts.rich.account_id);
        let poor = literal(&database, &accounts.poor.account_id);
        let filled = |statement: &str| statement.replace("{rich}", &rich).replace("{poor}", &poor);
        for (plant, undo, said) in DISCREPANCIES {
            execute(&connection, &filled(plant)).await;
            let output = verify(&accounts.service, &[]);
            let text = printed(&output);
            assert_eq!(output.status.code(), Some(1), "{plant}\n{text}");
            let account = if plant.contains("{rich}") { &accounts.rich } else { &accounts.poor };
            let first = text.lines().next().expect("a line");
            let is_named = first.starts_with(&format!("account {}: ", account.account_id)) && first.contains(said);
            assert!(is_named, "{plant}\nshould say: {said}\n{text}");
            assert_eq!(text.lines().count(), 2, "the other accounts are sound: {text}");
            execute(&connection, &filled(undo)).await;
        }
        // A ledger transaction that pays nothing is named by an update; what it does pay is told first.
        let (plant, undo, _) =
            DISCREPANCIES.iter().find(|(plant, ..)| plant.contains("set tx_seq = null")).expect("one");
        execute(&connection, &filled(&plant.replace("null", "1"))).await;
        let told = printed(&verify(&accounts.service, &["--json"]));
        assert!(told.contains("names ledger transaction 1, which did not pay it"), "{told}");
        execute(&connection, &filled(undo)).await;
        let sound = verify(&accounts.service, &["--json"]);
        let data: Value = serde_json::from_slice(&sound.stdout).expect("JSON");
        assert_eq!((&data["sound"], &data["unsound_accounts"]), (&json!(true), &json!([])), "all is undone: {data}");
        connection.close().await.expect("closed");

        one_account(&database, &accounts).await;
        beside_writers(&accounts).await;
    })
    .await;
}

/// Whether plain changes of the ledger fail, and leave it as it is.
async fn guarded(database: &TestDatabase) -> bool {
    let connection = connect(database).await;
    let mut refused = 0;
    let attempts = [
        "update ledger_tx set amount_micros = amount_micros + 1",
        "update ledger_tx set hash = hash",
        "delete from ledger_tx",
        "update ledger_entry set amount_micros = 0",
        "delete from ledger_entry where entry_no = 1",
    ];
    for attempt in attempts {
        let error = connection.execute_unprepared(attempt).await.expect_err(attempt);
        assert!(error.to_string().contains("is append-only"), "{attempt}: {error}");
        refused += 1;
    }
    if !database.url().starts_with("sqlite") {
        let error = connection.execute_unprepared("truncate ledger_entry").await.expect_err("truncate");
        assert!(error.to_string().contains("is append-only"), "{error}");
    }
    connection.close().await.expect("closed");
    refused == attempts.len()
}

async fn one_account(database: &TestDatabase, accounts: &Accounts) {
    let connection = connect(database).await;
    let rich = literal(database, &accounts.rich.account_id);
    let shift = |micros: i64| {
        format!("update account set balance_micros = balance_micros + {micros} where account_id = {rich}")
    };
    execute(&connection, &shift(1)).await;
    let clean = verify(&accounts.service, &["--account", &accounts.clean.account_id]);
    assert_eq!(clean.status.code(), Some(0), "{}", printed(&clean));
    assert_eq!(printed(&clean).trim(), "1 accounts, 1 ledger transactions, 0 updates: all sound");
    let bad = verify(&accounts.service, &["--json", "--account", &accounts.rich.account_id]);
    assert_eq!(bad.status.code(), Some(1));
    let data: Value = serde_json::from_slice(&bad.stdout).expect("JSON");
    let account = &data["unsound_accounts"][0];
    assert_eq!(account["account_id"], json!(accounts.rich.account_id));
    assert_eq!(
        (&account["first_fault"]["tx_seq"], &account["first_fault"]["where"]),
        (&json!(null), &json!("the account"))
    );
    execute(&connection, &shift(-1)).await;
    connection.close().await.expect("closed");

    let unknown = "00000000-0000-0000-0000-000000000001";
    for (arguments, said) in [
        (vec!["--account", unknown], "account 00000000-0000-0000-0000-000000000001 does not exist"),
        (vec!["--account", "acme"], "--account"),
    ] {
        let output = verify(&accounts.service, &arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(stderr.contains(said), "{stderr}");
    }
    let mut elsewhere = accounts.service.command(&["ledger", "verify"]);
    let output = elsewhere.env("RADAR_DATABASE__URL", "sqlite:///nowhere/radar.db").output().expect("the program");
    assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Each account is seen in one state, whatever is committed meanwhile.
async fn beside_writers(accounts: &Accounts) {
    let mut verifying = accounts.service.command(&["ledger", "verify"]);
    let mut running = verifying.stdout(std::process::Stdio::piped()).spawn().expect("the program");
    let mut written = 0;
    while running.try_wait().expect("a status").is_none() {
        accounts.busy.top_up(&accounts.service, &format!("beside-{written}"), "0.01").await;
        accounts.push_review(1_000 + written).await;
        written += 1;
    }
    let output = running.wait_with_output().expect("an end");
    assert!(output.status.success(), "{}", printed(&output));
    assert!(written > 0);
}
