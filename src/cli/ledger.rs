//! `radar ledger verify`: whether the rows of every account add up, beside a running service.

use clap::{Args, Subcommand};
use serde_json::{Value, json};

use super::failure::{Failure, Result};
use super::output;
use config::Config;
use domain::AccountId;
use store::{self, AuditedAccount, FileState};

/// `radar ledger …`
#[derive(Debug, Subcommand)]
pub enum LedgerCommand {
    /// Check that the rows of every account add up; reads only, also beside a running service or on a restored backup.
    /// On SQLite the file and its log are looked at as well. Ends with 0 when all is sound, 1 when something is not, 2 when
    /// the database cannot be read, 3 when what is there is sound but the log that belongs to it is missing
    Verify(Verify),
}

/// The arguments of `radar ledger verify`.
#[derive(Debug, Args)]
pub struct Verify {
    /// Check this account only
    #[arg(long, value_name = "ID")]
    account: Option<uuid::Uuid>,
}

/// How much was checked, and the accounts that did not pass.
#[derive(Debug, Default)]
struct Summary {
    accounts: u64,
    ledger_txs: i64,
    updates: i64,
    unsound: Vec<AuditedAccount>,
    /// What is wrong with the files of the database.
    files: FileState,
}

/// Runs one command.
///
/// # Errors
/// [`Failure`] when the database cannot be read, or when an account does not add up.
pub fn run(config: &Config, command: &LedgerCommand, as_json: bool) -> Result<()> {
    let LedgerCommand::Verify(Verify { account }) = command;
    let settings = &config.database;
    let mut summary = Summary::default();
    let system = actix_rt::System::new();
    summary.files = system.block_on(store::examine(settings))?;
    // Rows of a damaged file prove nothing.
    if summary.files.damage.is_none() {
        system.block_on(store::audit_all(settings, account.map(AccountId), |audited| summary.add(audited)))?;
    }
    output::either(&summary.as_data(), &summary.as_text(), as_json)?;
    let FileState { missing_log, damage } = summary.files;
    match (damage, summary.unsound.len(), missing_log) {
        (Some(damage), ..) => Err(Failure::found_in("ledger", damage)),
        (None, 0, None) => Ok(()),
        (None, 0, Some(missing)) => Err(Failure::Incomplete(format!("ledger: {missing}"))),
        (None, unsound, _) => {
            let problem = format!("{unsound} of {} accounts do not add up", summary.accounts);
            Err(Failure::found_in("ledger", problem))
        }
    }
}

impl Summary {
    fn add(&mut self, audited: AuditedAccount) {
        self.accounts += 1;
        self.ledger_txs += audited.ledger_txs;
        self.updates += audited.updates;
        if !audited.discrepancies.is_empty() {
            self.unsound.push(audited);
        }
    }

    fn as_data(&self) -> Value {
        let account = |account: &AuditedAccount| {
            let discrepancy = |discrepancy: &domain::audit::Discrepancy| json!({"tx_seq": discrepancy.tx_seq(), "where": discrepancy.place.to_string(), "what": discrepancy.what});
            json!({
                "account_id": account.account_id.to_string(),
                "movements": account.ledger_txs,
                "balance_usd": serde_json::from_str::<Value>(&account.balance.to_string()).unwrap_or_default(),
                "first_fault": account.discrepancies.first().map(discrepancy),
                "faults": account.discrepancies.iter().map(discrepancy).collect::<Vec<_>>(),
            })
        };
        json!({
            "sound": self.unsound.is_empty() && self.files == FileState::default(),
            "damage": self.files.damage,
            "missing_log": self.files.missing_log,
            "accounts": self.accounts,
            "movements": self.ledger_txs,
            "updates": self.updates,
            "unsound_accounts": self.unsound.iter().map(account).collect::<Vec<_>>(),
        })
    }

    fn as_text(&self) -> String {
        let first = |account: &AuditedAccount| {
            let discrepancy = account.discrepancies.first()?;
            let more = match account.discrepancies.len() - 1 {
                0 => String::new(),
                more => format!(" (and {more} more)"),
            };
            Some(format!("account {}: {discrepancy}{more}", account.account_id))
        };
        let counts =
            format!("{} accounts, {} ledger transactions, {} updates", self.accounts, self.ledger_txs, self.updates);
        let conclusion = match self.unsound.len() {
            _ if self.files.damage.is_some() => "the database is damaged; no account was looked at".to_owned(),
            0 if self.files.missing_log.is_none() => format!("{counts}: all sound"),
            0 => format!("{counts}: what is there is sound, but something is missing"),
            unsound => format!("{counts}: {unsound} accounts do not add up (amounts are micro-USD)"),
        };
        self.unsound.iter().filter_map(first).chain([conclusion]).collect::<Vec<_>>().join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::Summary;
    use domain::audit::{Discrepancy, Location};
    use domain::{AccountId, MicroUsd};
    use serde_json::json;
    use store::AuditedAccount;
    use uuid::Uuid;

    fn summary(discrepancies: &[Discrepancy]) -> Summary {
        let mut summary = Summary::default();
        for discrepancies in [&[], discrepancies] {
            summary.add(AuditedAccount {
                account_id: AccountId(Uuid::nil()),
                ledger_txs: 2,
                updates: 1,
                balance: MicroUsd::from_micros(1_500_000),
                discrepancies: discrepancies.to_vec(),
            });
        }
        summary
    }

    #[test]
    fn the_first_discrepancy_of_each_account_is_printed() {
        let discrepancy = |place, what: &str| Discrepancy { place, what: what.to_owned() };
        let shown = summary(&[
            discrepancy(Location::LedgerTx(3), "has entries that sum to 1"),
            discrepancy(Location::Lot(1), "holds 4"),
        ]);
        assert_eq!(
            shown.as_text(),
            "account 00000000-0000-0000-0000-000000000000: ledger transaction 3 has entries that sum to 1 (and 1 more)\n\
             2 accounts, 4 ledger transactions, 2 updates: 1 accounts do not add up (amounts are micro-USD)"
        );
        let data = shown.as_data();
        assert_eq!((&data["sound"], &data["accounts"]), (&json!(false), &json!(2)));
        let account = &data["unsound_accounts"][0];
        let expected = json!({"tx_seq": 3, "where": "ledger transaction 3", "what": "has entries that sum to 1"});
        assert_eq!((&account["first_fault"], &account["balance_usd"]), (&expected, &json!(1.5)));
        assert_eq!(account["faults"][1], json!({"tx_seq": null, "where": "lot 1", "what": "holds 4"}));
    }

    #[test]
    fn a_copy_without_its_log_is_not_called_sound() {
        let mut shown = summary(&[]);
        shown.files.missing_log = Some("radar.db is incomplete".to_owned());
        assert!(!shown.as_text().contains("all sound"), "{}", shown.as_text());
        let data = shown.as_data();
        assert_eq!((&data["sound"], &data["missing_log"]), (&json!(false), &json!("radar.db is incomplete")));
    }

    #[test]
    fn a_damaged_file_is_not_called_sound() {
        let mut shown = summary(&[]);
        shown.files.damage = Some("radar.db is damaged".to_owned());
        assert!(!shown.as_text().contains("sound"), "{}", shown.as_text());
        let data = shown.as_data();
        assert_eq!((&data["sound"], &data["damage"]), (&json!(false), &json!("radar.db is damaged")));
    }

    #[test]
    fn sound_accounts_are_only_counted() {
        assert_eq!(summary(&[]).as_text(), "2 accounts, 4 ledger transactions, 2 updates: all sound");
        assert_eq!(summary(&[]).as_data()["sound"], json!(true));
    }
}
