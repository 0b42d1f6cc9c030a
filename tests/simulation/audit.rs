//! What `radar ledger verify` says of the database, between two lives of the service.

use store::{self, DatabaseSettings};

/// The first thing that does not add up, if any, by the code that the command runs.
pub fn audit(url: &str) -> Result<(), String> {
    let place = DatabaseSettings { url: url.to_owned(), max_connections: 1 };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let mut discrepancies = Vec::new();
    let audited =
        runtime.block_on(store::audit_all(&place, None, |audited| discrepancies.extend(audited.discrepancies)));
    audited.map_err(|error| format!("S5 the audit fails: {error}"))?;
    discrepancies.first().map_or(Ok(()), |discrepancy| Err(format!("S5 the audit finds: {discrepancy}")))
}
