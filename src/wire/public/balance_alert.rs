//! The payload of a balance alert. The specification leaves its shape open (Spec 6.3).

use crate::domain::money::balance_alert::BalanceAlert;
use crate::wire::object::Object;
use crate::wire::time;

/// The payload of `alert`: made once, in the transaction that crossed the threshold.
pub fn body(alert: &BalanceAlert) -> String {
    Object::new()
        .text("alert_id", &alert.alert_id.to_string())
        .text("alert_type", "balance_below_threshold")
        .text("account_id", &alert.account_id.to_string())
        .text("crossed_at", &time::text(alert.crossed_at))
        .raw("threshold_usd", &alert.threshold)
        .raw("balance_usd", &alert.balance)
        .finish()
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;
    use uuid::Uuid;

    use super::body;
    use crate::domain::ids::{AccountId, UpdateId};
    use crate::domain::money::MicroUsd;
    use crate::domain::money::balance_alert::BalanceAlert;

    #[test]
    fn an_alert_names_the_threshold_and_the_balance() {
        let alert = BalanceAlert {
            alert_id: UpdateId(Uuid::from_u128(1)),
            account_id: AccountId(Uuid::from_u128(2)),
            tx_seq: 7,
            threshold: MicroUsd::from_micros(10_000_000),
            balance: MicroUsd::from_micros(9_999_999),
            crossed_at: DateTime::UNIX_EPOCH,
        };
        let expected = concat!(
            r#"{"alert_id":"00000000-0000-0000-0000-000000000001","alert_type":"balance_below_threshold","#,
            r#""account_id":"00000000-0000-0000-0000-000000000002","crossed_at":"1970-01-01T00:00:00.000000Z","#,
            r#""threshold_usd":10,"balance_usd":9.999999}"#
        );
        assert_eq!(body(&alert), expected);
    }
}
