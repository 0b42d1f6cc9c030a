//! The pages of the console read no more than they show, however much is stored: each statement that they run is explained.

use std::collections::BTreeMap;
use std::mem;
use std::sync::Arc;

use chrono::TimeDelta;
use entity::{attempt, delivery, endpoint, radar, radar_update};
use parking_lot::Mutex;
use sea_orm::{ConnectionTrait, DbBackend, Statement};

use crate::accounts::operator_actions::ActionFilter;
use crate::database::IfPresent;
use crate::database::bulk::{execute_all, insertions};
use crate::outbox::tests::support::databases::on_both_databases;
use crate::outbox::tests::{account, arrived, at, id, open, rows};
use crate::queries::approvals::ApprovalFilter;
use crate::tables::stored::Stored;
use crate::{Store, sample_radar};
use domain::radar::search::COUNT_MAX;
use domain::{
    AccountSearch, ApprovalState, DeliveryFilter, DeliveryState, DomainName, Radar, RadarId, RadarSearch, RadarType,
    SearchField, Sought, Status, Target, UpdateFilter, UpdateId,
};

/// Radars, and updates with their deliveries.
const ROWS: u128 = 14_000;
/// Updates of one radar, before all others.
const OF_ONE: u128 = 11_000;
/// What one step of a plan reads at most: a page, and what it looks up, with those few that wait.
const READ_MAX: u64 = 500;
/// How many ranges a statement merges at most.
const PARTS_MAX: usize = 2 * RadarType::ALL.len() + 1;
/// The tables that grow, and what statements call them.
const LARGE: [&str; 9] = ["radar", "radar_update", "delivery", "attempt", "found", "u", "d", "a", "b"];

fn radar_id(number: u128) -> RadarId {
    RadarId(id(4, if number < OF_ONE { 0 } else { number }))
}

/// A radar of a domain of its own, an update, its delivery and an attempt; all are of one account.
fn row(number: u128) -> (radar::Model, radar_update::Model, delivery::Model, attempt::Model) {
    let domain = DomainName::from_stored(format!("d{number}.com"));
    let watching = Radar {
        radar_id: RadarId(id(4, number)),
        account_id: account(0),
        created_at: at(number),
        ..sample_radar::radar(RadarType::CompanyJobOpenings, Target::Company { domain })
    };
    let (delivery, update) = rows(number);
    let account_id = account(0).0;
    let attempt = attempt::Model { account_id, ..arrived(&delivery) };
    let body = r#"{"record_id": null, "content": {}}"#.to_owned();
    let update = radar_update::Model { account_id, radar_id: radar_id(number).0, body, ..update };
    (radar::Entity::row(watching), update, delivery::Model { account_id, ..delivery }, attempt)
}

async fn fill(store: &Store) {
    let transaction = store.begin().await.expect("a transaction");
    let backend = transaction.get_database_backend();
    let (mut radars, mut updates, mut deliveries, mut attempts) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut endpoints = BTreeMap::new();
    for number in 0..ROWS {
        let (radar, update, delivery, attempt) = row(number);
        let (endpoint_id, account_id) = (delivery.endpoint_id, delivery.account_id);
        let url = format!("https://example.com/{endpoint_id}");
        endpoints
            .insert(endpoint_id, endpoint::Model { endpoint_id, account_id, url, head_sequence: 0, created_at: 0 });
        radars.push(radar);
        updates.push(update);
        deliveries.push(delivery);
        attempts.push(attempt);
    }
    execute_all(&transaction, insertions(backend, radars, IfPresent::fail())).await.expect("radars");
    execute_all(&transaction, insertions(backend, updates, IfPresent::fail())).await.expect("updates");
    execute_all(&transaction, insertions(backend, deliveries, IfPresent::fail())).await.expect("deliveries");
    execute_all(&transaction, insertions(backend, attempts, IfPresent::fail())).await.expect("attempts");
    let endpoints = endpoints.into_values().collect();
    execute_all(&transaction, insertions(backend, endpoints, IfPresent::fail())).await.expect("endpoints");
    transaction.commit().await.expect("a commit");
    store.write.execute_unprepared("analyze").await.expect("statistics");
}

/// Reads what the pages show.
async fn look_at_all(store: &Store) {
    store.all_attention().await.expect("counts");
    look_at_radars(store).await;
    look_at_deliveries(store).await;
    let (from, to) = (at(0), at(0) + TimeDelta::days(30));
    store.statement(account(0), from, to).await.expect("a statement");
    store.spend(account(0), from, to, 100_000, 10).await.expect("spend");
    let named = AccountSearch { name: Some("a".to_owned()), ..AccountSearch::default() };
    store.all_accounts(&named, 50).await.expect("accounts");
    store.all_actions(&ActionFilter::default(), 50).await.expect("actions");
    let pending = ApprovalFilter { state: ApprovalState::Pending, account_id: None, from, after: None };
    store.all_approvals(&pending, 50).await.expect("approvals");
}

async fn look_at_radars(store: &Store) {
    let search = RadarSearch::default;
    let with = |field, sought| RadarSearch { fields: vec![(field, sought)], ..search() };
    let before = Some((at(9_000), RadarId(id(4, 9_000))));
    for search in [
        search(),
        RadarSearch { before, ..search() },
        with(SearchField::Domain, Sought::Beginning("d7".to_owned())),
        with(SearchField::Domain, Sought::Value("d77.com".to_owned())),
        with(SearchField::FullName, Sought::Value("nobody".to_owned())),
        with(SearchField::FullName, Sought::Beginning("nobody".to_owned())),
        RadarSearch { account_id: Some(account(0)), ..search() },
        RadarSearch { account_id: Some(account(0)), status: Some(Status::Active), ..search() },
        RadarSearch { radar_type: Some(RadarType::CompanyJobOpenings), ..search() },
        RadarSearch { radar_type: Some(RadarType::CompanyReviews), ..search() },
    ] {
        store.all_radars_found(&search, 50).await.expect("radars");
    }
    for radar_id in [radar_id(0), radar_id(ROWS - 1)] {
        let detail = store.any_radar_detail(radar_id).await.expect("a radar").expect("it is there");
        let of_radar = UpdateFilter { radar_ids: vec![radar_id], is_newest_first: true, ..UpdateFilter::default() };
        let (updates, _) = store.updates(account(0), &of_radar, 10).await.expect("updates");
        let events = store.radar_events(&detail.radar, Some(5_000), 50).await.expect("events");
        assert!(!updates.is_empty() && events.updates.is_empty() == (radar_id.0 == id(4, ROWS - 1)));
        store.evidence(radar_id, &[id(9, 1)]).await.expect("evidence");
    }
}

async fn look_at_deliveries(store: &Store) {
    let all = DeliveryFilter::default();
    let of_radar = DeliveryFilter { radar_id: Some(radar_id(0)), ..all };
    let of_account = DeliveryFilter { account_id: Some(account(0)), ..all };
    let [delivered, pending, exhausted, held] =
        [DeliveryState::Delivered, DeliveryState::Pending, DeliveryState::Exhausted, DeliveryState::Held].map(Some);
    let before = Some((at(5_000), UpdateId(id(3, 5_000))));
    for (filter, shown) in [
        (all, 50),
        (DeliveryFilter { before, ..all }, 50),
        (DeliveryFilter { state: delivered, ..all }, 50),
        (DeliveryFilter { state: pending, ..all }, 50),
        (DeliveryFilter { state: exhausted, ..all }, 50),
        (DeliveryFilter { state: held, ..all }, 50),
        (of_account, 50),
        (DeliveryFilter { state: exhausted, ..of_account }, 50),
        (of_radar, 50),
        (DeliveryFilter { before, ..of_radar }, 50),
        (DeliveryFilter { state: delivered, ..of_radar }, 50),
        (DeliveryFilter { state: exhausted, ..of_radar }, 50),
        (DeliveryFilter { state: pending, ..of_radar }, 50),
        (DeliveryFilter { account_id: Some(account(1)), ..of_radar }, 0),
        (DeliveryFilter { radar_id: Some(radar_id(ROWS - 1)), ..all }, 1),
        (DeliveryFilter { update_id: Some(UpdateId(id(3, 77))), ..all }, 1),
    ] {
        let found = store.all_deliveries(filter, 50).await.expect("deliveries");
        assert_eq!(found.len(), shown, "{filter:?}");
        assert!(found.is_sorted_by(|one, next| one.created_at > next.created_at), "{filter:?}");
        assert!(
            filter.before.is_none_or(|(instant, _)| found.iter().all(|one| one.created_at < instant)),
            "{filter:?}"
        );
    }
}

/// The step of a plan that reads a large table as a whole, or more rows than `read_max`; `None` where there is none.
fn fault(plan: &[String], read_max: u64) -> Option<&String> {
    let mut loops = 1;
    plan.iter().find(|line| {
        let words: Vec<&str> = line.split([' ', '(', ')']).filter(|word| !word.is_empty()).collect();
        let number = |name: &str| words.iter().find_map(|word| word.strip_prefix(name)?.parse::<u64>().ok());
        // PostgreSQL says what a step has read and, below it, what of that it has left out, for each time that it ran.
        loops = number("loops=").unwrap_or(loops);
        let read = match words[..] {
            ["Rows", "Removed", .., left_out] => left_out.parse().unwrap_or(u64::MAX),
            _ if line.contains("Scan") => number("rows=").unwrap_or(0),
            _ => 0,
        };
        // SQLite says what it will do.
        let is_whole = matches!(words[..], ["SCAN", table] if LARGE.contains(&table));
        is_whole || read * loops > read_max
    })
}

#[actix_web::test]
async fn a_page_reads_no_more_than_it_shows() {
    on_both_databases(|database| async move {
        let mut store = open(database.url()).await;
        fill(&store).await;
        let asked: Arc<Mutex<Vec<Statement>>> = Arc::default();
        let noted = asked.clone();
        store.read.set_metric_callback(move |query| noted.lock().push(query.statement.clone()));
        look_at_all(&store).await;
        let asked = mem::take(&mut *asked.lock());
        assert!(asked.len() > 100, "{} statements", asked.len());
        let (explain, column) = match store.read.get_database_backend() {
            DbBackend::Sqlite => ("explain query plan", "detail"),
            _ => ("explain (analyze, costs off, timing off, summary off)", "QUERY PLAN"),
        };
        for statement in asked {
            let parts = statement.sql.matches("union all").count();
            assert!(parts < PARTS_MAX, "{parts} parts, which take long to plan: {statement}");
            let read_max = if statement.sql.contains("count(*)") { COUNT_MAX + 1 } else { READ_MAX };
            let explained = Statement { sql: format!("{explain} {}", statement.sql), ..statement.clone() };
            let plan = store.read.query_all_raw(explained).await.expect("a plan");
            let plan: Vec<String> = plan.iter().map(|row| row.try_get("", column).expect("a line")).collect();
            if let Some(line) = fault(&plan, read_max) {
                panic!("{line}\nof {statement}\n{}", plan.join("\n"));
            }
        }
        store.close().await;
    })
    .await;
}
