//! A small sound account, and every kind of damage to it.

use std::collections::BTreeMap;

use uuid::Uuid;

use super::*;
use crate::ids::{AccountId, UpdateId};
use crate::money::chain::{ChainHash, StoredEntry, StoredTx};
use crate::money::ledger::finding_key;
use crate::radar::renewal::PERIOD;

const ACCOUNT: AccountId = AccountId(Uuid::from_u128(1));
const JOBS: Uuid = Uuid::from_u128(10);
const FAILED: Uuid = Uuid::from_u128(11);
const REVIEWS: Uuid = Uuid::from_u128(12);
const DAY: i64 = 24 * 60 * 60 * 1_000_000;
/// 2027-01-15.
const START: i64 = 1_800_000_000_000_000;
const JANUARY: &str = "2027-01";
const FEBRUARY: &str = "2027-02";

/// The rows of one account.
#[derive(Clone)]
struct Rows {
    claims: Claims,
    ledger_txs: Vec<Written>,
    updates: Vec<Published>,
    radars: Vec<Watched>,
    held: Vec<Held>,
    months: BTreeMap<String, UsageDelta>,
}

fn period() -> i64 {
    PERIOD.num_microseconds().expect("small")
}

fn update_id(no: i64) -> Uuid {
    Uuid::from_u128(100 + u128::try_from(no).expect("positive"))
}

fn tx(tx_seq: i64, kind: &str, key: &str, at: i64, credit: &[(i64, i64)], contra: &str) -> Written {
    let sum: i64 = credit.iter().map(|(_, amount)| amount).sum();
    let entries = credit.iter().map(|&(lot_no, amount)| ("credit", Some(lot_no), amount)).chain([(contra, None, -sum)]);
    let entries = (1..).zip(entries).map(|(entry_no, (bucket, lot_no, amount_micros))| StoredEntry {
        entry_no,
        bucket: bucket.to_owned(),
        lot_no,
        amount_micros,
    });
    let tx = StoredTx {
        tx_seq,
        op_key: key.to_owned(),
        kind: kind.to_owned(),
        amount_micros: sum,
        balance_after_micros: 0,
        at,
        due_at: at,
        radar_id: None,
        radar_type: None,
        update_id: None,
        entries: entries.collect(),
    };
    Written { tx, hash: None, given_back_micros: None, given_back_at: None, paid_seq: None, paid_tx_seq: None }
}

fn of_radar(mut written: Written, radar_id: Uuid) -> Written {
    (written.tx.radar_id, written.tx.radar_type) = (Some(radar_id), Some("company_reviews".to_owned()));
    written
}

fn update(update_seq: i64, radar_id: Uuid, discovered_at: i64, tx_seq: Option<i64>) -> Published {
    let is_failure = radar_id == FAILED;
    let model = if radar_id == REVIEWS { "update_based" } else { "subscription" };
    Published {
        update_seq,
        update_id: update_id(update_seq),
        radar_id,
        update_type: if is_failure { "radar_failure" } else { "radar_finding" }.to_owned(),
        discovered_at,
        tx_seq,
        is_paid: tx_seq.is_some(),
        model: Some(model.to_owned()),
        has_webhook: radar_id == REVIEWS,
        delivery_seq: (radar_id == REVIEWS).then_some(update_seq),
    }
}

fn radar(radar_id: Uuid, model: &str) -> Watched {
    Watched {
        radar_id,
        model: model.to_owned(),
        status: "active".to_owned(),
        status_reason: None,
        set_up: "ready".to_owned(),
        created_at: START,
        deactivated_at: None,
        period_no: 0,
        next_charge_at: None,
        held_beyond_bound: 0,
    }
}

/// Two top-ups, a subscription that was renewed, one that failed and was given back, two paid findings, one that was
/// free, an expiry; a type that is paused.
fn sound() -> Rows {
    let (free, first, second) = (START + 10, START + 5, START + DAY);
    let renewed = START + period();
    let refund = of_radar(
        tx(6, "refund", &format!("refund:sub:{FAILED}:0"), START + 8, &[(1, 100)], "revenue_subscription"),
        FAILED,
    );
    let finding = |tx_seq, update_seq, at, credit: &[(i64, i64)]| {
        let key = finding_key(UpdateId(update_id(update_seq)));
        let mut written = of_radar(tx(tx_seq, "finding", &key, at, credit, "revenue_finding"), REVIEWS);
        written.tx.update_id = Some(update_id(update_seq));
        Written { paid_seq: Some(update_seq), paid_tx_seq: Some(tx_seq), ..written }
    };
    let subscription = |tx_seq, radar_id: Uuid, period_no: i64, at, credit: &[(i64, i64)]| {
        let key = format!("sub:{radar_id}:{period_no}");
        of_radar(tx(tx_seq, "subscription", &key, at, credit, "revenue_subscription"), radar_id)
    };
    let ledger_txs = vec![
        tx(1, "top_up", "topup:a", START, &[(1, 320)], "cash"),
        tx(2, "top_up", "topup:b", START + 1, &[(2, 500)], "cash"),
        subscription(3, JOBS, 0, START + 2, &[(1, -100)]),
        subscription(4, FAILED, 0, START + 3, &[(1, -100)]),
        finding(5, 1, first - 1, &[(1, -10)]),
        Written { given_back_micros: Some(-100), given_back_at: Some(START), ..refund },
        finding(7, 4, second - 1, &[(1, -10)]),
        tx(8, "expiry", "expire:1", START + 20 * DAY, &[(1, -200)], "breakage"),
        subscription(9, JOBS, 1, renewed + 7, &[(2, -100)]),
    ];
    let lot = |granted_micros, remaining_micros, expires_at| ClaimedLot {
        kind: "paid".to_owned(),
        granted_micros,
        remaining_micros,
        expires_at,
        parent_lot_no: None,
        origin_expires_at: None,
        created_at: START,
    };
    let failed = Watched {
        status: "inactive".to_owned(),
        status_reason: Some("setup_failure".to_owned()),
        set_up: "failed".to_owned(),
        deactivated_at: Some(START + 8),
        ..radar(FAILED, "subscription")
    };
    let jobs = Watched { period_no: 1, next_charge_at: Some(START + 2 * period()), ..radar(JOBS, "subscription") };
    let month = |radars_activated, radars_failed, updates_found, used_micros| UsageDelta {
        radars_activated,
        radars_deactivated: 0,
        radars_failed,
        updates_found,
        used_micros,
    };
    let mut rows = Rows {
        claims: Claims {
            account_id: ACCOUNT,
            balance_micros: 400,
            tx_seq: 9,
            head_hash: ChainHash::beginning(ACCOUNT),
            update_seq: 4,
            hold_seq: 3,
            lot_no: 2,
            active_radars: 2,
            ended_radars: 1,
            purged_radars: 0,
            last_at: renewed + 7,
            next_expiry_at: None,
            lots: BTreeMap::from([(1, lot(320, 0, Some(START + 20 * DAY))), (2, lot(500, 400, None))]),
            first_update: Some((1, first)),
        },
        ledger_txs,
        updates: vec![
            update(1, REVIEWS, first, Some(5)),
            update(2, FAILED, START + 9, None),
            update(3, JOBS, free, None),
            update(4, REVIEWS, second, Some(7)),
        ],
        radars: vec![jobs, failed, radar(REVIEWS, "update_based")],
        held: vec![Held {
            hold_seq: 3,
            radar_id: REVIEWS,
            radar_type: "company_reviews".to_owned(),
            reason: "money".to_owned(),
            is_paused: true,
            seen: Some("held".to_owned()),
        }],
        months: BTreeMap::from([(JANUARY.to_owned(), month(2, 1, 3, 120)), (FEBRUARY.to_owned(), month(0, 0, 0, 100))]),
    };
    rows.note_balances();
    rows.seal();
    rows
}

impl Rows {
    fn note_balances(&mut self) {
        let mut balance = 0;
        for written in &mut self.ledger_txs {
            balance += written.tx.amount_micros;
            written.tx.balance_after_micros = balance;
        }
    }

    /// Makes the chain fit, as somebody would who has the database and knows how.
    fn seal(&mut self) {
        let mut hash = ChainHash::beginning(ACCOUNT);
        for written in &mut self.ledger_txs {
            hash = hash.next(ACCOUNT, &written.tx);
            written.hash = Some(hash);
        }
        self.claims.head_hash = hash;
    }

    fn discrepancies(&self) -> Vec<String> {
        self.run(Audit::whole(self.claims.clone()), 0, 0)
    }

    fn discrepancies_after(&self, tx_seq: i64, update_seq: i64) -> Vec<String> {
        let last = self.ledger_txs.iter().find(|written| written.tx.tx_seq == tx_seq).expect("a ledger transaction");
        let start = Checkpoint {
            account_id: ACCOUNT,
            tx_seq,
            balance_micros: last.tx.balance_after_micros,
            hash: last.hash.expect("a hash"),
            at: last.tx.at,
            update_seq,
        };
        self.run(Audit::after(self.claims.clone(), start), tx_seq, update_seq)
    }

    fn run(&self, mut audit: Audit, tx_seq: i64, update_seq: i64) -> Vec<String> {
        let is_whole = tx_seq == 0;
        self.ledger_txs
            .iter()
            .filter(|written| written.tx.tx_seq > tx_seq)
            .for_each(|written| audit.ledger_tx(written));
        self.updates.iter().filter(|update| update.update_seq > update_seq).for_each(|update| audit.update(update));
        self.radars.iter().filter(|_| is_whole).for_each(|radar| audit.radar(radar));
        self.held.iter().for_each(|held| audit.held(held));
        audit.finish(&self.months).iter().map(ToString::to_string).collect()
    }
}

#[test]
fn sound_rows_have_no_discrepancy() {
    assert_eq!(sound().discrepancies(), Vec::<String>::new());
    for (tx_seq, update_seq) in [(1, 0), (5, 1), (9, 4)] {
        assert_eq!(sound().discrepancies_after(tx_seq, update_seq), Vec::<String>::new(), "{tx_seq}");
    }
    let claims = Claims {
        balance_micros: 0,
        tx_seq: 0,
        head_hash: ChainHash::beginning(ACCOUNT),
        update_seq: 0,
        hold_seq: 0,
        lot_no: 0,
        active_radars: 0,
        ended_radars: 0,
        lots: BTreeMap::new(),
        first_update: None,
        ..sound().claims
    };
    assert!(Audit::whole(claims).finish(&BTreeMap::new()).is_empty());
}

#[test]
fn decision_1_4_a_radar_that_fails_in_paid_time_failed_then_and_not_at_its_end() {
    let mut rows = sound();
    let (created_at, ended_at) = (START - 17 * DAY, START - 16 * DAY);
    let failed = &mut rows.radars[1];
    (failed.created_at, failed.deactivated_at) = (created_at, Some(ended_at));
    rows.ledger_txs[3].tx.due_at = created_at;
    rows.ledger_txs[5].given_back_at = Some(created_at);
    rows.seal();
    let given_back = UsageDelta { used_micros: -100, ..UsageDelta::default() };
    rows.months.insert("2026-12".to_owned(), given_back);
    rows.months.get_mut(JANUARY).expect("a month").used_micros += 100;
    assert_eq!(rows.discrepancies(), Vec::<String>::new());
    rows.updates.remove(1);
    rows.updates.iter_mut().skip(1).for_each(|update| update.update_seq -= 1);
    assert!(
        !rows.discrepancies().iter().any(|discrepancy| discrepancy.contains("radars failed")),
        "the refund says so as well"
    );
}

#[test]
fn a_free_radar_that_failed_before_what_retention_has_kept_failed_in_some_month() {
    let mut rows = sound();
    let failed = rows.radars[1].radar_id;
    rows.ledger_txs.retain(|written| written.given_back_at.is_none());
    for written in rows.ledger_txs.iter_mut().filter(|written| written.tx.radar_id == Some(failed)) {
        written.tx.amount_micros = 0;
    }
    rows.updates.drain(..2);
    rows.claims.first_update = Some((3, START + 10));
    let discrepancies_of = |rows: &Rows| {
        rows.discrepancies().into_iter().filter(|discrepancy| discrepancy.contains("failed")).collect::<Vec<_>>()
    };
    assert_eq!(discrepancies_of(&rows), Vec::<String>::new());
    let month = rows.months.get_mut(JANUARY).expect("a month");
    month.radars_failed -= 1;
    rows.months.insert("2027-02".to_owned(), UsageDelta { radars_failed: 1, ..UsageDelta::default() });
    assert_eq!(discrepancies_of(&rows), Vec::<String>::new(), "another month");
    rows.months.remove("2027-02");
    assert_eq!(discrepancies_of(&rows), ["the account has 1 radars that failed in no month"]);
}

#[test]
fn updates_that_retention_has_removed_are_no_discrepancy() {
    let mut rows = sound();
    rows.updates.drain(..2);
    rows.claims.first_update = Some((3, START + 10));
    for written in &mut rows.ledger_txs {
        written.paid_seq = written.paid_seq.filter(|update_seq| *update_seq > 2);
    }
    assert_eq!(rows.discrepancies(), Vec::<String>::new());
    rows.updates.clear();
    rows.claims.first_update = None;
    rows.ledger_txs.iter_mut().for_each(|written| written.paid_seq = None);
    assert_eq!(rows.discrepancies(), Vec::<String>::new());
}

type Damage = fn(&mut Rows);

/// The first discrepancy is the one that names the damage.
#[track_caller]
fn assert_each_is_told(damages: &[(Damage, &str)]) {
    for (damage, sentence) in damages {
        let mut rows = sound();
        damage(&mut rows);
        let discrepancies = rows.discrepancies();
        assert_eq!(discrepancies.first().map(String::as_str), Some(*sentence), "{discrepancies:#?}");
    }
}

#[test]
fn damage_that_leaves_the_chain_behind_is_told_at_the_first_ledger_transaction_that_it_touches() {
    assert_each_is_told(&[
        (|rows| rows.ledger_txs[2].tx.amount_micros = -99, "ledger transaction 3 notes a balance of 720, not 721"),
        (
            |rows| rows.ledger_txs[1].tx.balance_after_micros = 821,
            "ledger transaction 2 notes a balance of 821, not 820",
        ),
        (|rows| drop(rows.ledger_txs.remove(1)), "ledger transaction 3 stands where ledger transaction 2 should be"),
        (
            |rows| drop(rows.ledger_txs.pop()),
            "ledger transaction 9 does not exist, though the account counts 9 ledger transactions",
        ),
        (|rows| drop(rows.ledger_txs[1].tx.entries.pop()), "ledger transaction 2 has entries that sum to 500"),
        (
            |rows| rows.ledger_txs[1].tx.entries[1].amount_micros = -499,
            "ledger transaction 2 has entries that sum to 1",
        ),
        (|rows| rows.ledger_txs[2].tx.entries[0].lot_no = None, "ledger transaction 3 is of -100, its lots moved by 0"),
        (
            |rows| rows.ledger_txs[1].tx.due_at -= 1,
            "ledger transaction 2 breaks the hash chain: it or something before it was changed",
        ),
        (
            |rows| rows.ledger_txs[4].tx.radar_type = None,
            "ledger transaction 5 breaks the hash chain: it or something before it was changed",
        ),
        (
            |rows| rows.ledger_txs[3].hash = None,
            "ledger transaction 4 breaks the hash chain: it or something before it was changed",
        ),
        (
            |rows| {
                let (left, right) = rows.ledger_txs.split_at_mut(3);
                std::mem::swap(&mut left[2], &mut right[0]);
                (left[2].tx.tx_seq, right[0].tx.tx_seq) = (3, 4);
                (left[2].tx.at, right[0].tx.at) = (right[0].tx.at, left[2].tx.at);
                (left[2].tx.due_at, right[0].tx.due_at) = (right[0].tx.due_at, left[2].tx.due_at);
                (left[2].tx.balance_after_micros, right[0].tx.balance_after_micros) = (720, 620);
            },
            "ledger transaction 3 breaks the hash chain: it or something before it was changed",
        ),
        (
            |rows| rows.claims.head_hash = ChainHash::beginning(AccountId(Uuid::nil())),
            "the account has another head hash than its last ledger transaction",
        ),
    ]);
}

#[test]
fn damage_whose_chain_was_made_to_fit_is_told_by_its_meaning() {
    let damages: [(Damage, &str); 17] = [
        (
            |rows| rows.ledger_txs[1].tx.at = START,
            "ledger transaction 2 is not later than the ledger transaction before it",
        ),
        (|rows| rows.ledger_txs[1].tx.due_at = START + 2, "ledger transaction 2 was written before it was due"),
        (|rows| rows.ledger_txs[1].tx.kind = "gift".into(), "ledger transaction 2 is of the unknown kind gift"),
        (|rows| rows.ledger_txs[1].tx.kind = "expiry".into(), "ledger transaction 2 is a expiry of 500"),
        (
            |rows| rows.ledger_txs[1].tx.entries[1].bucket = "breakage".into(),
            "ledger transaction 2 has an entry in breakage, where a top_up has none",
        ),
        (
            |rows| rows.ledger_txs[4].tx.op_key = "find:x".into(),
            "ledger transaction 5 has the key find:x, which is not of what it says",
        ),
        (
            |rows| rows.ledger_txs[5].given_back_micros = None,
            "ledger transaction 6 gives back a charge that was never made",
        ),
        (
            |rows| rows.ledger_txs[5].given_back_micros = Some(-99),
            "ledger transaction 6 gives back 100 of a charge of 99",
        ),
        (|rows| rows.ledger_txs[4].paid_seq = None, "ledger transaction 5 paid an update that does not exist"),
        (|rows| rows.ledger_txs[4].paid_tx_seq = None, "ledger transaction 5 paid update 1, which does not name it"),
        (
            |rows| rows.ledger_txs[2].tx.entries[0].lot_no = Some(3),
            "ledger transaction 3 moves lot 3, which does not exist",
        ),
        (
            |rows| rows.ledger_txs[2].tx.entries[0].lot_no = Some(2),
            "ledger transaction 3 takes from lot 2 while lot 1, which comes before it, has money",
        ),
        (|rows| rows.ledger_txs[8].tx.entries[0].lot_no = Some(1), "ledger transaction 9 leaves -100 in lot 1 of 320"),
        (
            |rows| rows.ledger_txs[7].tx.due_at -= 1,
            "ledger transaction 8 is not the expiry of all that lot 1 held at its time",
        ),
        (
            |rows| rows.ledger_txs[8].tx.op_key = format!("sub:{JOBS}:2"),
            "ledger transaction 9 is not for period 1 of its radar, as its turn would be",
        ),
        (
            |rows| {
                rows.ledger_txs[0].tx.entries[0].amount_micros = 50;
                rows.ledger_txs[0].tx.entries[1].amount_micros = -50;
                rows.ledger_txs[0].tx.amount_micros = 50;
                rows.note_balances();
            },
            "ledger transaction 1 begins lot 1 of 320 with 50",
        ),
        (
            |rows| {
                rows.ledger_txs[8].tx.entries[0].amount_micros = -700;
                rows.ledger_txs[8].tx.entries[1].amount_micros = 700;
                rows.ledger_txs[8].tx.amount_micros = -700;
                rows.note_balances();
            },
            "ledger transaction 9 leaves a negative balance of -200",
        ),
    ];
    for (damage, sentence) in damages {
        let mut rows = sound();
        damage(&mut rows);
        rows.seal();
        let discrepancies = rows.discrepancies();
        assert_eq!(discrepancies.first().map(String::as_str), Some(sentence), "{discrepancies:#?}");
    }
}

#[test]
fn damage_to_the_account_and_its_lots_is_told() {
    fn lot(rows: &mut Rows, lot_no: i64) -> &mut ClaimedLot {
        rows.claims.lots.get_mut(&lot_no).expect("a lot")
    }
    assert_each_is_told(&[
        (
            |rows| rows.claims.tx_seq = 8,
            "ledger transaction 9 is beyond the 8 ledger transactions that the account counts",
        ),
        (
            |rows| rows.claims.balance_micros = 401,
            "the account has a balance of 401, its ledger transactions come to 400",
        ),
        (|rows| lot(rows, 2).remaining_micros = 399, "lot 2 holds 399, its ledger transactions leave 400"),
        (|rows| lot(rows, 2).remaining_micros = 501, "lot 2 holds 501 of 500"),
        (
            |rows| {
                let twin = ClaimedLot { remaining_micros: 0, ..rows.claims.lots[&1].clone() };
                rows.claims.lots.insert(3, twin);
                rows.claims.lot_no = 3;
            },
            "lot 3 holds 0, no ledger transaction opened it",
        ),
        (|rows| rows.claims.lot_no = 3, "the account counts 3 lots, there are 2"),
        (
            |rows| rows.claims.next_expiry_at = Some(START),
            "the account expects its next expiry at another instant than its lots",
        ),
        (
            |rows| rows.claims.last_at = START,
            "the account has a last instant that is earlier than its last ledger transaction",
        ),
        (|rows| rows.claims.active_radars = 3, "the account counts 3 active radars, there are 2"),
        (|rows| rows.claims.ended_radars = 2, "the account counts 2 ended radars, there are 1"),
        (|rows| rows.claims.update_seq = 5, "the account counts 5 updates, the last one is 4"),
    ]);
}

#[test]
fn decision_4_4_a_refund_lot_that_lives_too_long_is_told() {
    let week = 7 * DAY;
    let discrepancies_of = |parent_lot_no, origin_expires_at, expires_at| {
        let mut rows = sound();
        let paid = rows.claims.lots[&1].clone();
        let refund = ClaimedLot { kind: "refund".to_owned(), parent_lot_no, origin_expires_at, expires_at, ..paid };
        rows.claims.lots.insert(2, refund);
        rows.discrepancies()
            .into_iter()
            .find(|discrepancy| discrepancy.starts_with("lot 2 gives") || discrepancy.starts_with("lot 2 lives"))
    };
    let origin = sound().claims.lots[&1].expires_at.expect("it expires");
    let too_long = Some("lot 2 lives longer than the money that it gives back may".to_owned());
    assert_eq!(discrepancies_of(Some(1), Some(origin), Some(origin + week)), None);
    assert_eq!(discrepancies_of(Some(1), Some(origin), Some(origin + week + 1)), too_long);
    assert_eq!(discrepancies_of(Some(1), Some(origin + 1), Some(origin + week + 1)), too_long, "another origin");
    assert_eq!(discrepancies_of(Some(1), None, Some(origin + week)), too_long, "no origin");
    assert_eq!(discrepancies_of(Some(1), Some(START), Some(START + week)), None, "from before there was a bound");
    let no_origin = Some("lot 2 gives back what came from no lot that had expired".to_owned());
    assert_eq!(discrepancies_of(Some(3), Some(origin), Some(origin)), no_origin);
    assert_eq!(discrepancies_of(None, Some(origin), Some(origin)), no_origin);
}

#[test]
fn spec_6_4_radars_that_retention_has_removed_are_missed_and_counted() {
    let purged = |count: i64| {
        let mut rows = sound();
        rows.radars.retain(|radar| radar.radar_id != FAILED);
        rows.updates.retain(|update| update.update_seq > 2);
        rows.ledger_txs[4].paid_seq = None;
        rows.claims.first_update = Some((3, START + 10));
        (rows.claims.ended_radars, rows.claims.purged_radars) = (0, count);
        rows.discrepancies()
    };
    assert_eq!(purged(1), Vec::<String>::new());
    let unknown = format!("radar {FAILED} was charged or reported, but the account has no such radar");
    assert!(purged(0).contains(&unknown), "{:?}", purged(0));
    let too_many = "the account has removed 2 radars, its months tell of Gone { activated: 0, ended: 0, failed: 1 }";
    assert_eq!(purged(2), [too_many]);
}

#[test]
fn damage_to_updates_holds_and_radars_is_told() {
    assert_each_is_told(&[
        (|rows| drop(rows.updates.remove(2)), "update 4 stands where update 3 should be"),
        (
            |rows| rows.updates[2].discovered_at = START + 9,
            "update 3 was not discovered later than the update before it",
        ),
        (
            |rows| rows.updates[2].model = None,
            "update 3 is of radar 00000000-0000-0000-0000-00000000000a, which the account does not have",
        ),
        (|rows| rows.updates[0].tx_seq = None, "update 1 was never charged, though its radar pays by finding"),
        (|rows| rows.updates[2].tx_seq = Some(5), "update 3 was charged by ledger transaction 5, but is free"),
        (|rows| rows.updates[0].is_paid = false, "update 1 names ledger transaction 5, which did not pay it"),
        (|rows| rows.updates[0].delivery_seq = None, "update 1 has no delivery, though its radar has an address"),
        (|rows| rows.updates[2].delivery_seq = Some(3), "update 3 has a delivery, though its radar has no address"),
        (|rows| rows.updates[0].delivery_seq = Some(2), "update 1 has a delivery that counts it as 2"),
        (|rows| rows.held[0].is_paused = false, "held finding 3 waits for money, but company_reviews is not paused"),
        (|rows| rows.held[0].seen = None, "held finding 3 was not noted as seen and held"),
        (
            |rows| rows.held[0].reason = "daily_bound".to_owned(),
            "radar 00000000-0000-0000-0000-00000000000c counts -1 findings beyond the bound of its day more than are held",
        ),
        (|rows| rows.claims.hold_seq = 2, "held finding 3 is beyond the account's last, 2"),
        (
            |rows| rows.radars[0].next_charge_at = Some(START + period()),
            "radar 00000000-0000-0000-0000-00000000000a has a next charge that is not on its grid of 30 days",
        ),
        (
            |rows| {
                rows.radars[0].period_no = 2;
                rows.radars[0].next_charge_at = Some(START + 3 * period());
            },
            "radar 00000000-0000-0000-0000-00000000000a has begun 3 periods, 2 are in the ledger",
        ),
        (
            |rows| {
                rows.radars.remove(2);
                rows.claims.active_radars = 1;
            },
            "radar 00000000-0000-0000-0000-00000000000c was charged or reported, but the account has no such radar",
        ),
        (
            |rows| {
                rows.radars[2].status = "inactive".into();
                (rows.claims.active_radars, rows.claims.ended_radars) = (1, 2);
                rows.radars[2].status_reason = Some("user_deactivated".into());
                rows.radars[2].deactivated_at = Some(START);
            },
            "radar 00000000-0000-0000-0000-00000000000c was charged after its end",
        ),
        (
            |rows| rows.radars[1].status_reason = Some("user_deactivated".into()),
            "radar 00000000-0000-0000-0000-00000000000b has told of 1 failures, and had 0",
        ),
    ]);
    let mut rows = sound();
    rows.radars[1].set_up = "ready".into();
    assert!(
        rows.discrepancies()
            .contains(&"radar 00000000-0000-0000-0000-00000000000b was given back 100, and was owed 0".into())
    );
}

#[test]
fn damage_to_months_and_rows_that_stand_alone_are_told() {
    fn month(rows: &mut Rows) -> &mut UsageDelta {
        rows.months.get_mut(JANUARY).expect("a month")
    }
    assert_each_is_told(&[
        (|rows| month(rows).used_micros += 1, "month 2027-01 notes 121 used, 120 are found again"),
        (|rows| month(rows).updates_found = 4, "month 2027-01 notes 4 updates found, 3 are found again"),
        (|rows| month(rows).radars_activated = 3, "month 2027-01 notes 3 radars activated, 2 are found again"),
        (|rows| month(rows).radars_failed = 0, "month 2027-01 notes 0 radars failed, 1 are found again"),
        (|rows| assert!(rows.months.remove(FEBRUARY).is_some()), "month 2027-02 notes 0 used, 100 are found again"),
    ]);
    let mut audit = Audit::whole(Claims { first_update: None, ..sound().claims });
    audit.stray_entry(4);
    audit.repeated_key(5, "topup:a");
    audit.stray_delivery(6, Uuid::nil());
    audit.repeated_update(7, Uuid::nil());
    let discrepancies: Vec<String> = audit.finish(&sound().months).iter().map(ToString::to_string).collect();
    for sentence in [
        "ledger transaction 4 has an entry but does not exist",
        "ledger transaction 5 happened before: the key topup:a is there twice",
        "update 6 has a delivery but does not exist (00000000-0000-0000-0000-000000000000)",
        "update 7 was published before: 00000000-0000-0000-0000-000000000000 is there twice",
    ] {
        assert!(discrepancies.iter().any(|discrepancy| discrepancy == sentence), "{sentence}: {discrepancies:#?}");
    }
}

#[test]
fn what_came_after_a_sound_state_is_checked_from_there() {
    let mut rows = sound();
    rows.ledger_txs[0].tx.due_at -= 1;
    assert_eq!(rows.discrepancies_after(1, 0), Vec::<String>::new(), "what was found sound is not looked at again");
    rows.ledger_txs[6].tx.due_at -= 1;
    rows.updates[3].delivery_seq = None;
    let discrepancies = rows.discrepancies_after(5, 2);
    assert_eq!(discrepancies.len(), 2, "{discrepancies:#?}");
    assert!(discrepancies[0].starts_with("ledger transaction 7 breaks the hash chain"), "{discrepancies:#?}");
    let mut rows = sound();
    rows.claims.lots.get_mut(&2).expect("a lot").remaining_micros = 399;
    assert_eq!(rows.discrepancies_after(9, 4), ["the account has a balance of 400, its lots hold 399"]);
    let mut rows = sound();
    rows.updates.truncate(2);
    assert_eq!(rows.discrepancies_after(9, 2), ["the account counts 4 updates, the last one is 2"]);
    let discrepancy = Discrepancy { place: Location::LedgerTx(3), what: String::new() };
    assert_eq!(
        (discrepancy.tx_seq(), Discrepancy { place: Location::Account, ..discrepancy }.tx_seq()),
        (Some(3), None)
    );
}
