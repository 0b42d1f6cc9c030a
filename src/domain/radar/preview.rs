//! What a preview says of a radar that nobody has created yet: what it would keep out, and how often it would find
//! something.

use chrono::{DateTime, Duration, NaiveDate, Utc};

use super::NewRadar;
use super::filter::{KeptOutBy, Role};
use crate::money::MicroUsd;
use crate::money::pricing::{Price, PricingModel};

/// The days of a month: those of a period of a subscription.
pub const MONTH_DAYS: i64 = 30;
/// The shortest time from which a rate is estimated, in days.
const SPAN_DAYS_MIN: i64 = 3;
/// The fewest dates from which a rate is estimated.
const DATES_MIN: usize = 3;

/// How many items each field of a request keeps out. One that several keep out is counted at each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cuts {
    /// By `departments`.
    pub departments: usize,
    /// By `seniorities`.
    pub seniorities: usize,
    /// By `job_titles`.
    pub job_titles: usize,
    /// By `countries`.
    pub countries: usize,
    /// By `keyword`: what a source shows to everybody and is about something else.
    pub keyword: usize,
}

impl Cuts {
    /// Counts an item about `role` from `country`; answers whether the radar would report it.
    pub fn count(&mut self, wanted: &NewRadar, role: &Role, country: Option<&str>) -> bool {
        let by = wanted.filter.keeps_out(role);
        let is_there = wanted.is_in_countries(country);
        self.departments += usize::from(by.departments);
        self.seniorities += usize::from(by.seniorities);
        self.job_titles += usize::from(by.job_titles);
        self.countries += usize::from(!is_there);
        by == KeptOutBy::default() && is_there
    }
}

/// How many findings a month may bring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rate {
    /// So many, as the dates of `dates` items since `since` suggest.
    PerMonth {
        /// Findings in 30 days.
        findings: u64,
        /// How many dates that rests on.
        dates: usize,
        /// The oldest of them, or 30 days ago.
        since: NaiveDate,
    },
    /// It cannot be told: most items bear no date.
    Undated,
    /// It cannot be told: there are too few dates, or they are of a few days only.
    TooFew,
}

impl Rate {
    /// The rate of `items` that a radar would report, of which `dates` are known, at `now`.
    pub fn of(items: usize, dates: &[NaiveDate], now: DateTime<Utc>) -> Self {
        let today = now.date_naive();
        let month_ago = today - Duration::days(MONTH_DAYS);
        let past: Vec<NaiveDate> = dates.iter().copied().filter(|date| *date <= today).collect();
        let Some(oldest) = past.iter().min().copied() else {
            return if items == 0 { Self::TooFew } else { Self::Undated };
        };
        if 2 * past.len() < items {
            return Self::Undated;
        }
        if oldest < month_ago {
            let recent = past.iter().filter(|date| **date >= month_ago).count();
            return Self::PerMonth { findings: recent as u64, dates: past.len(), since: month_ago };
        }
        let days = (today - oldest).num_days();
        if past.len() < DATES_MIN || days < SPAN_DAYS_MIN {
            return Self::TooFew;
        }
        let findings = (past.len() as u64 * MONTH_DAYS.unsigned_abs()).div_ceil(days.unsigned_abs());
        Self::PerMonth { findings, dates: past.len(), since: oldest }
    }

    /// What a month costs at `price`, in which each day is charged as far as its bound; `None` where that hangs on a rate that
    /// cannot be told.
    pub fn cost(&self, price: &Price) -> Option<MicroUsd> {
        match (price.model, self) {
            (PricingModel::Subscription, _) => Some(price.rate),
            (PricingModel::UpdateBased, Self::PerMonth { findings, .. }) => {
                let most = MONTH_DAYS.unsigned_abs() * u64::from(price.findings_per_day);
                let findings = i64::try_from(most.min(*findings)).ok()?;
                price.rate.micros().checked_mul(findings).map(MicroUsd::from_micros)
            }
            (PricingModel::UpdateBased, Self::Undated | Self::TooFew) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use chrono::{DateTime, Duration, NaiveDate, Utc};

    use super::{Cuts, Rate};
    use crate::money::MicroUsd;
    use crate::money::pricing::{Price, PricingModel};
    use crate::radar::filter::{Department, Filter, Role, Seniority};
    use crate::radar::title_expression::TitleExpression;
    use crate::radar::{GracePeriod, NewRadar};
    use crate::radar_type::RadarType;
    use crate::targets::{CountryCode, Target};

    fn now() -> DateTime<Utc> {
        "2026-11-22T12:00:00Z".parse().expect("an instant")
    }

    fn days_ago(days: &[i64]) -> Vec<NaiveDate> {
        days.iter().map(|days| now().date_naive() - Duration::days(*days)).collect()
    }

    #[test]
    fn the_rate_is_told_from_dates_that_reach_far_enough() {
        for (items, days, findings) in [
            (4, vec![1, 10, 29, 40], Some(3)),
            (2, vec![31, 400], Some(0)),
            (3, vec![0, 5, 10], Some(9)),
            (3, vec![1, 2, 3], Some(30)),
            (3, vec![0, 1, 2], None),
            (2, vec![1, 10], None),
            (3, vec![-1, -5, -9], None),
            (5, vec![], None),
            (0, vec![], None),
        ] {
            let rate = Rate::of(items, &days_ago(&days), now());
            let estimated = match rate {
                Rate::PerMonth { findings, .. } => Some(findings),
                Rate::Undated | Rate::TooFew => None,
            };
            assert_eq!(estimated, findings, "{days:?}");
        }
        assert_eq!(Rate::of(5, &[], now()), Rate::Undated);
        assert_eq!(Rate::of(9, &days_ago(&[1, 10, 29, 40]), now()), Rate::Undated);
        assert_eq!(Rate::of(0, &[], now()), Rate::TooFew);
    }

    #[test]
    fn a_month_costs_what_it_finds_or_its_period() {
        let price = |model| Price {
            model,
            rate: MicroUsd::from_micros(20_000),
            grace_period: GracePeriod::None,
            findings_per_day: 200,
        };
        let (by_update, by_month) = (price(PricingModel::UpdateBased), price(PricingModel::Subscription));
        let rate = Rate::of(4, &days_ago(&[1, 10, 29, 40]), now());
        assert_eq!(rate.cost(&by_update), Some(MicroUsd::from_micros(60_000)));
        assert_eq!(rate.cost(&by_month), Some(MicroUsd::from_micros(20_000)));
        let flood = Rate::PerMonth { findings: 9_000, dates: 9, since: now().date_naive() };
        assert_eq!(flood.cost(&by_update), Some(MicroUsd::from_micros(6_000 * 20_000)), "the bound of each day");
        assert_eq!((Rate::TooFew.cost(&by_update), Rate::TooFew.cost(&by_month)), (None, Some(by_month.rate)));
    }

    #[test]
    fn each_field_counts_what_it_keeps_out() {
        let wanted = |filter, countries: &[&str]| NewRadar {
            radar_type: RadarType::IndustryJobOpenings,
            target: Target::Industry {
                keyword: Some("steel".into()),
                countries: countries.iter().map(|code| CountryCode::from_stored((*code).to_owned())).collect(),
            },
            filter,
            webhook_url: None,
            webhook_format: None,
            custom_fields: BTreeMap::new(),
        };
        let sales = Role {
            title: "Senior Sales Manager".into(),
            departments: vec![Department::Sales],
            seniorities: vec![Seniority::Senior],
        };
        let persona = |departments: &[Department], seniorities: &[Seniority]| Filter::Persona {
            departments: departments.to_vec(),
            seniorities: seniorities.to_vec(),
        };
        let mut cuts = Cuts::default();
        let engineers = wanted(persona(&[Department::Engineering], &[Seniority::Cxo]), &["DE"]);
        assert!(!cuts.count(&engineers, &sales, Some("FR")));
        assert!(!cuts.count(&engineers, &sales, None), "from nowhere");
        assert!(cuts.count(&wanted(persona(&[Department::Sales], &[]), &["DE"]), &sales, Some("DE")));
        assert!(!cuts.count(
            &wanted(Filter::JobTitles(TitleExpression::parse("baker").expect("a term")), &[]),
            &sales,
            None
        ));
        assert!(cuts.count(&wanted(Filter::Everything, &[]), &Role::default(), None));
        assert_eq!(cuts, Cuts { departments: 2, seniorities: 2, job_titles: 1, countries: 2, keyword: 0 });
    }
}
