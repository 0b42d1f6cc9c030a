//! How the reports of a pushed batch go to the ledger: in waves, one after the other, each with one submission for every
//! account that it concerns. Reports of an account stay in their order.
//!
//! This is no rule of shares (`fair_share`): no places are held here that others want at the same time. A batch is cut into
//! pieces that are small enough for the ledger's queue, which is fair to the accounts in it.

use std::collections::BTreeMap;

use crate::ids::AccountId;

/// Accounts of a wave: so many messages of one batch wait in the ledger's queue, which others share.
const ACCOUNTS_MAX: usize = 128;
/// Reports of one account in a wave, which are decided in one transaction.
const ACCOUNT_REPORTS_MAX: usize = 1_000;
/// Reports of a wave.
const REPORTS_MAX: usize = 4_000;
/// Bytes of content in a wave: each report carries a copy of its finding.
const BYTES_MAX: usize = 32 * 1024 * 1024;

/// Reports that go to the ledger together, by account.
pub type Wave<T> = BTreeMap<AccountId, Vec<T>>;

/// The waves of `reports`: each is for an account and has content of so many bytes.
pub fn waves<T>(reports: impl IntoIterator<Item = (AccountId, usize, T)>) -> Vec<Wave<T>> {
    let mut waves = Vec::new();
    let mut wave = Wave::new();
    let mut count = 0;
    let mut bytes = 0;
    for (account_id, length, report) in reports {
        let has_place = match wave.get(&account_id) {
            Some(of_account) => of_account.len() < ACCOUNT_REPORTS_MAX,
            None => wave.len() < ACCOUNTS_MAX,
        };
        if count > 0 && (!has_place || count == REPORTS_MAX || bytes + length > BYTES_MAX) {
            waves.push(std::mem::take(&mut wave));
            (count, bytes) = (0, 0);
        }
        wave.entry(account_id).or_default().push(report);
        (count, bytes) = (count + 1, bytes + length);
    }
    waves.extend((count > 0).then_some(wave));
    waves
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use uuid::Uuid;

    use super::{ACCOUNT_REPORTS_MAX, ACCOUNTS_MAX, BYTES_MAX, REPORTS_MAX, waves};
    use crate::ids::AccountId;

    fn account(number: usize) -> AccountId {
        AccountId(Uuid::from_u128(number as u128))
    }

    #[test]
    fn a_batch_for_one_account_is_one_submission() {
        let waves = waves((0..1_000).map(|number| (account(7), 500, number)));
        assert_eq!(waves.len(), 1);
        assert_eq!(waves[0][&account(7)], (0..1_000).collect::<Vec<_>>());
    }

    #[test]
    fn a_report_that_is_too_long_goes_alone() {
        let waves = waves([(account(1), 1, 'a'), (account(1), BYTES_MAX + 1, 'b'), (account(1), 1, 'c')]);
        let of_one: Vec<_> = waves.iter().map(|wave| wave[&account(1)].clone()).collect();
        assert_eq!(of_one, [['a'], ['b'], ['c']]);
    }

    proptest! {
        #[test]
        fn every_report_goes_once_in_order_and_within_the_bounds(
            accounts in 1usize..400,
            reports in prop::collection::vec((0usize..400, 0usize..200_000), 0..6_000),
        ) {
            let asked: Vec<_> =
                reports.iter().enumerate().map(|(no, (of, bytes))| (account(of % accounts), *bytes, (no, *bytes))).collect();
            let waves = waves(asked.clone());
            for wave in &waves {
                prop_assert!(wave.len() <= ACCOUNTS_MAX);
                prop_assert!(wave.values().all(|reports| (1..=ACCOUNT_REPORTS_MAX).contains(&reports.len())));
                prop_assert!(wave.values().map(Vec::len).sum::<usize>() <= REPORTS_MAX);
                prop_assert!(wave.values().flatten().map(|(_, bytes)| bytes).sum::<usize>() <= BYTES_MAX);
            }
            for number in 0..accounts {
                let of_account = waves.iter().filter_map(|wave| wave.get(&account(number))).flatten().copied();
                let wanted = asked.iter().filter(|(of, ..)| *of == account(number)).map(|(.., report)| *report);
                prop_assert_eq!(of_account.collect::<Vec<_>>(), wanted.collect::<Vec<_>>());
            }
        }
    }
}
