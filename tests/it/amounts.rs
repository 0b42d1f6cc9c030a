//! Amounts at their edges, on the wire: what is no amount is a 400 that names the field, and nothing moves (decision 4.1).

use actix_web::http::Method;
use serde_json::{Value, json};

use crate::support::client::Answer;
use crate::support::customer::Customer;
use crate::support::databases::on_both_databases;
use crate::support::process::Service;

/// Texts of JSON that are no amount, with a part of the reason.
const REFUSED: [(&str, &str); 29] = [
    ("0.0000001", "at most 6 decimals"),
    ("\"12.3456789\"", "at most 6 decimals"),
    ("0.00000000000000000000000000001", "at most 6 decimals"),
    ("-1", "must not be negative"),
    ("\"-0.01\"", "must not be negative"),
    ("-0", "must not be negative"),
    ("1000000000.000001", "at most 1000000000"),
    ("1000000001", "at most 1000000000"),
    ("\"9223372036854.775808\"", "at most 1000000000"),
    ("18446744073709551616", "at most 1000000000"),
    ("\"NaN\"", "decimal number"),
    ("\"Infinity\"", "decimal number"),
    ("\"-Infinity\"", "decimal number"),
    ("\"inf\"", "decimal number"),
    ("1e3", "decimal number"),
    ("1E-3", "decimal number"),
    ("\"1e3\"", "decimal number"),
    ("\"0x10\"", "decimal number"),
    ("\"\"", "decimal number"),
    ("\" 1\"", "decimal number"),
    ("\"1,5\"", "decimal number"),
    ("\"1_000\"", "decimal number"),
    ("\"+1\"", "decimal number"),
    ("\"１\"", "decimal number"),
    ("true", "decimal number"),
    ("null", "is required"),
    ("[1]", "decimal number"),
    ("{\"usd\": 1}", "decimal number"),
    ("1e400", "out of range"),
];

/// The name of the one field that was refused, and why.
fn refused(answer: Answer, what: &str) -> (String, String) {
    assert_eq!(answer.status, 400, "{what}: {}", answer.json);
    let errors = answer.json["errors"].as_array().expect("errors").clone();
    assert_eq!(errors.len(), 1, "{what}: {errors:?}");
    let text = |name: &str| errors[0][name].as_str().expect("text").to_owned();
    (text("field"), text("reason"))
}

#[actix_web::test]
async fn decision_4_1_what_is_no_amount_is_refused_by_name() {
    on_both_databases(|database| async move {
        let service = Service::start(database.url(), &[]);
        let customer = Customer::create(&service).await;
        let base = format!("/operator/v1/accounts/{}", customer.account_id);
        let huge = format!("\"{}\"", "9".repeat(100_000));
        let long = format!("\"0.{}1\"", "0".repeat(100_000));
        let longest = [(huge.as_str(), "at most 1000000000"), (long.as_str(), "at most 6 decimals")];
        let operator = service.operator();
        for (amount, part) in REFUSED.into_iter().chain(longest) {
            let shown = &amount[..amount.len().min(40)];
            let top_up = format!("{{\"amount_usd\": {amount}, \"payment_ref\": \"p\"}}");
            let answer = operator.send(Method::POST, &format!("{base}/top-ups"), Some(top_up)).await;
            let (field, reason) = refused(answer, shown);
            assert!(field == "amount_usd" && reason.contains(part), "top-up of {shown}: {field} {reason}");
            let price = format!("{{\"model\": \"subscription\", \"rate_usd\": {amount}}}");
            let answer = operator.send(Method::PUT, &format!("{base}/prices/company_reviews"), Some(price)).await;
            let (field, reason) = refused(answer, shown);
            assert!(field == "rate_usd" && reason.contains(part), "price of {shown}: {field} {reason}");
        }
        let nothing = operator.post(&format!("{base}/top-ups"), &json!({"amount_usd": 0, "payment_ref": "p"})).await;
        assert_eq!(refused(nothing, "nothing"), ("amount_usd".into(), "must be more than 0".into()));
        for body in ["{\"amount_usd\": NaN, \"payment_ref\": \"p\"}", "{\"amount_usd\": 0x10}", "{\"amount_usd\": .5}"]
        {
            let answer = operator.send(Method::POST, &format!("{base}/top-ups"), Some(body.to_owned())).await;
            assert_eq!(refused(answer, body).0, "body", "{body} is no JSON at all");
        }
        assert!(customer.ledger(&service).await.is_empty());
        let prices = operator.get(&format!("{base}/prices")).await.expect_status(200);
        assert_eq!(prices.json["data"], json!([]));

        for (place, (amount, printed)) in
            (1..).zip([("0.000001", "0.000001"), ("\"1000000000\"", "1000000000"), ("1.500000", "1.5"), ("007", "")])
        {
            let body = format!("{{\"amount_usd\": {amount}, \"payment_ref\": \"p{place}\"}}");
            let answer = operator.send(Method::POST, &format!("{base}/top-ups"), Some(body)).await;
            if printed.is_empty() {
                assert_eq!(answer.status, 400, "JSON knows no leading zeros");
                continue;
            }
            let text = String::from_utf8(answer.expect_status(201).bytes.to_vec()).expect("UTF-8");
            assert!(text.contains(&format!("\"amount_usd\":{printed},")), "{text}");
        }
        let free = json!({"model": "update_based", "rate_usd": "0"});
        operator.put(&format!("{base}/prices/company_reviews"), &free).await.expect_status(200);
        let balance = operator.get(&format!("{base}/ledger")).await.expect_status(200);
        let text = String::from_utf8(balance.bytes.to_vec()).expect("UTF-8");
        assert!(text.contains("\"balance_usd\":1000000001.500001"), "{text}");
        assert_ne!(balance.json["data"], Value::Null);
    })
    .await;
}
