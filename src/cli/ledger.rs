//! `radar ledger verify`: whether the ledger of every account adds up, beside a running service.

use clap::Subcommand;
use serde_json::{Value, json};

use super::failure::Failure;
use super::output;
use crate::config::Config;
use crate::store::{self, AuditedAccount, DatabaseSettings};

/// `radar ledger …`
#[derive(Debug, Subcommand)]
pub enum LedgerCommand {
    /// Check that the ledger of every account adds up; reads only, also beside a running service
    Verify,
}

/// Runs one command.
///
/// # Errors
/// [`Failure`] when the database cannot be read, or when an account does not add up.
pub fn run(config: &Config, command: &LedgerCommand, as_json: bool) -> Result<(), Failure> {
    let LedgerCommand::Verify = command;
    let settings =
        DatabaseSettings { url: config.database.url.clone(), max_connections: config.database.max_connections };
    let audited = actix_rt::System::new().block_on(store::sweep_audit(&settings))?;
    output::print(&if as_json { as_data(&audited).to_string() } else { as_text(&audited) })?;
    match audited.iter().filter(|account| !account.faults.is_empty()).count() {
        0 => Ok(()),
        unsound => Err(Failure::of("ledger", format!("{unsound} of {} accounts do not add up", audited.len()))),
    }
}

fn as_data(audited: &[AuditedAccount]) -> Value {
    let account = |account: &AuditedAccount| {
        json!({
            "account_id": account.account_id.to_string(),
            "movements": account.movements,
            "balance_usd": serde_json::from_str::<Value>(&account.balance.to_string()).unwrap_or_default(),
            "faults": account.faults,
        })
    };
    let is_sound = audited.iter().all(|account| account.faults.is_empty());
    json!({"sound": is_sound, "accounts": audited.iter().map(account).collect::<Vec<_>>()})
}

fn as_text(audited: &[AuditedAccount]) -> String {
    let fault = |account: &AuditedAccount| {
        let account_id = account.account_id;
        account.faults.iter().map(move |fault| format!("account {account_id}: {fault} (micro-USD)")).collect::<Vec<_>>()
    };
    let movements: i64 = audited.iter().map(|account| account.movements).sum();
    let summary = format!("{} accounts, {movements} movements", audited.len());
    audited.iter().flat_map(fault).chain([summary]).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::{as_data, as_text};
    use crate::domain::ids::AccountId;
    use crate::domain::money::MicroUsd;
    use crate::store::AuditedAccount;
    use uuid::Uuid;

    #[test]
    fn faults_are_told_by_account() {
        let account = |faults: &[&str]| AuditedAccount {
            account_id: AccountId(Uuid::nil()),
            movements: 2,
            balance: MicroUsd::from_micros(1_500_000),
            faults: faults.iter().map(|fault| (*fault).to_owned()).collect(),
        };
        let audited = [account(&[]), account(&["lot 1 holds 4"])];
        assert_eq!(
            as_text(&audited),
            "account 00000000-0000-0000-0000-000000000000: lot 1 holds 4 (micro-USD)\n2 accounts, 4 movements"
        );
        let data = as_data(&audited);
        assert_eq!((data["sound"].as_bool(), data["accounts"][0]["balance_usd"].as_f64()), (Some(false), Some(1.5)));
    }
}
