//! A radar as it was just created, for tests of what reads or shows radars.

use std::collections::BTreeMap;

use chrono::{DateTime, Duration};
use uuid::Uuid;

use domain::ids::{AccountId, RadarId};
use domain::radar::daily_bound::DailyBound;
use domain::radar::filter::Filter;
use domain::radar::{GracePeriod, NewRadar, PricingModel, Radar, SetUp, Status};
use domain::radar_type::RadarType;
use domain::targets::{DomainName, Target};

pub fn radar(radar_type: RadarType, target: Target) -> Radar {
    Radar {
        radar_id: RadarId(Uuid::from_u128(7)),
        account_id: AccountId(Uuid::from_u128(1)),
        wanted: NewRadar {
            radar_type,
            target,
            filter: Filter::Everything,
            webhook_url: None,
            webhook_format: None,
            custom_fields: BTreeMap::new(),
        },
        status: Status::Active,
        status_reason: None,
        set_up: SetUp::Ready,
        model: PricingModel::Subscription,
        grace_period: GracePeriod::None,
        created_at: DateTime::UNIX_EPOCH,
        deactivated_at: None,
        period_no: 0,
        next_charge_at: Some(DateTime::UNIX_EPOCH + Duration::days(30)),
        daily: DailyBound::default(),
    }
}

pub fn company() -> Radar {
    let domain = DomainName::from_stored("example.com".into());
    radar(RadarType::CompanyJobOpenings, Target::Company { domain })
}
