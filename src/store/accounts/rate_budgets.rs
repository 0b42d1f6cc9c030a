//! What accounts have used of their rate limits, counted for all processes that share a server (Spec 8.1, decision 3.11).
//!
//! Requests that come together are counted together, in two statements. The time is the server's. Never here: how much may
//! be used (`domain::scheduling::rate`).

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use sea_orm::Value;

use crate::database::columns::in_order;
use crate::{Result, Store, StoreError};
use domain::scheduling::rate::Spent;
use domain::{AccountId, Budget, RateBuckets, RateRejection, Remaining, Spending};

/// A request that is counted.
#[derive(Clone, Copy, Debug)]
pub struct CountedRequest {
    /// Who makes it.
    pub account_id: AccountId,
    /// Which kind of requests it counts among.
    pub kind: &'static str,
    /// What the account may use of that kind.
    pub budget: Budget,
    /// What it asks for.
    pub spending: Spending,
}

in_order!(Spent { minute_units, second_units, at });

/// What a request may do.
pub(crate) type Counted = Result<Remaining, RateRejection>;

/// Reads the rows that are given to it, locked; those that are not there it makes.
const LOCKING: &str = "insert into rate_bucket (account_id, kind, minute_units, second_units, spent_at) values ";
const LOCKED: &str = " on conflict (account_id, kind) do update set kind = excluded.kind
    returning account_id, kind, minute_units, second_units, spent_at, ";
const SPENT: &str = " on conflict (account_id, kind) do update set minute_units = excluded.minute_units,
    second_units = excluded.second_units, spent_at = excluded.spent_at";

impl Store {
    /// Counts a request of an account, whichever process it comes to.
    ///
    /// # Errors
    /// The database did not answer; the request may have been counted.
    pub async fn count_request(&self, request: CountedRequest) -> Result<Counted> {
        let counting = self.counted_requests.run(request, async |requests| self.count_requests(requests).await);
        let counted = self.deadline.io(counting).await?;
        counted.ok_or_else(|| StoreError::corrupt("rate_bucket", "a request was not counted"))
    }

    async fn count_requests(&self, requests: Vec<CountedRequest>) -> Result<Vec<Counted>> {
        // In one order, so that two processes never wait for one another.
        let mut of_bucket: BTreeMap<(AccountId, &str), Vec<usize>> = BTreeMap::new();
        for (index, request) in requests.iter().enumerate() {
            of_bucket.entry((request.account_id, request.kind)).or_default().push(index);
        }
        let transaction = self.begin().await?;
        let mut locking = self.sql(LOCKING);
        let buckets = of_bucket.keys().map(|(account_id, kind)| -> [Value; 5] {
            [account_id.0.into(), (*kind).into(), 0_i64.into(), 0_i64.into(), 0_i64.into()]
        });
        locking.bind_rows(buckets);
        locking.push(LOCKED).now(self.leases.now());
        let found: Vec<(AccountId, String, Spent, DateTime<Utc>)> = locking.all(&transaction).await?;
        let mut counted: Vec<Option<Counted>> = vec![None; requests.len()];
        let mut spent: Vec<[Value; 5]> = Vec::with_capacity(found.len());
        for (account_id, kind, mut stored, now) in found {
            let waiting = of_bucket.get(&(account_id, kind.as_str())).into_iter().flatten();
            for &index in waiting {
                let CountedRequest { budget, spending, .. } = requests[index];
                let mut buckets = RateBuckets::after(budget, stored);
                counted[index] = Some(buckets.spend(spending, now));
                stored = buckets.spent();
            }
            let Spent { minute_units, second_units, at } = stored;
            let at = at.timestamp_micros();
            spent.push([account_id.0.into(), kind.into(), minute_units.into(), second_units.into(), at.into()]);
        }
        self.sql(LOCKING).bind_rows(spent).push(SPENT).run(&transaction).await?;
        transaction.commit().await?;
        let counted = counted.into_iter().collect::<Option<_>>();
        counted.ok_or_else(|| StoreError::corrupt("rate_bucket", "a request was not counted"))
    }
}
