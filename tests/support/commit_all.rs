//! Commits without a ledger before them.

use chrono::{DateTime, Utc};
use domain::account::{Decision, RENEWALS_MAX};
use store::{Store, StoreError, Submission};

use crate::no_dispatch::NoDispatch;

/// Decides and writes all of `submissions` in one transaction; answers what was decided about each of their commands.
pub async fn commit_all(
    store: &Store,
    submissions: &[Submission],
    now: DateTime<Utc>,
) -> Result<Vec<Decision>, StoreError> {
    let submissions: Vec<&Submission> = submissions.iter().collect();
    let committed = store.commit(&submissions, now, RENEWALS_MAX, &NoDispatch).await?;
    Ok(committed.decisions.into_iter().flatten().collect())
}
