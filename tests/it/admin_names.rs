//! An account by its name, where a command of `radar admin` takes an identifier.

use std::process::Output;

use serde_json::{Value, json};

use crate::support::databases::on_both_databases;
use crate::support::process::Service;

/// More than a page of accounts has.
const OTHERS: usize = 101;

async fn named(service: &Service, name: &str) -> String {
    let made = service.operator().post("/operator/v1/accounts", &json!({"name": name})).await.expect_status(201);
    made.text("/data/account_id").to_owned()
}

fn top_up(service: &Service, name: &str) -> Output {
    let arguments = ["admin", "--json", "top-up", name, "5", "--payment-ref", "first"];
    service.command(&arguments).output().expect("the program")
}

#[actix_web::test]
async fn money_goes_to_the_account_of_the_whole_name() {
    on_both_databases(|database| async move {
        let service = Service::start(database.url(), &[]);
        let other = named(&service, "Acme Industries").await;
        let refused = top_up(&service, "Acme");
        let told = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert!(!refused.status.success() && told.contains(&format!("{other} Acme Industries")), "{told}");

        for number in 1..OTHERS {
            named(&service, &format!("Acme {number}")).await;
        }
        let acme = named(&service, "Acme").await;
        let paid = top_up(&service, "ACME");
        assert!(paid.status.success(), "{}", String::from_utf8_lossy(&paid.stderr));
        for (account, balance) in [(other, json!(0)), (acme, json!(5))] {
            let shown = service.operator().get(&format!("/operator/v1/accounts/{account}")).await.expect_status(200);
            let shown: &Value = &shown.json["data"]["balance_usd"];
            assert_eq!(shown, &balance);
        }
    })
    .await;
}
